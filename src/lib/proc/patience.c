#include "proc/patience.h"

#include <stdio.h>
#include <sys/wait.h>

#include "base/base.h"
#include "base/clock.h"
#include "proc/usage.h"

#define LOST_COUNTS 10 /* time that it did not have counts one in so many */

static bool read_about(ba_buf *out, const ba_proc *p, const char *file)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/%s", (int)ba_proc_pid(p), file);
	return ba_fs_read(out, path, 4096, NULL) == 0;
}

/* Was it stopped since the last look, or is it? The name in `stat` is in parentheses.
 */
static bool was_stopped(const ba_proc *p)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	bool stopped = false;
	for (;;) {
		siginfo_t info = {0};
		if (waitid(P_PID, (id_t)ba_proc_pid(p), &info, WSTOPPED | WCONTINUED | WNOHANG) ||
			info.si_pid != ba_proc_pid(p))
			break;
		stopped = true;
	}
	if (stopped || !read_about(&text, p, "stat"))
		return stopped;
	const char *end = strrchr(text.data, ')');
	return end && (strncmp(end, ") T", 3) == 0 || strncmp(end, ") t", 3) == 0);
}

ba_patience ba_patience_begin(const ba_proc *p)
{
	was_stopped(p); /* earlier stops do not matter */
	return (ba_patience){
		.looked_ns = ba_now_ns(), .queued_ns = ba_usage_waited_ns(ba_proc_pid(p))};
}

int64_t ba_patience_spend(ba_patience *w, const ba_proc *p, int64_t slice_ns)
{
	int64_t now = ba_now_ns(), waited = ba_usage_waited_ns(ba_proc_pid(p));
	int64_t elapsed = now - w->looked_ns, lost = elapsed - slice_ns;
	if (waited - w->queued_ns > lost)
		lost = waited - w->queued_ns;
	if (lost < 0)
		lost = 0;
	if (lost > elapsed || was_stopped(p))
		lost = elapsed;
	w->looked_ns = now;
	w->queued_ns = waited;
	w->spent_ns += elapsed - lost + lost / LOST_COUNTS;
	return w->spent_ns;
}
