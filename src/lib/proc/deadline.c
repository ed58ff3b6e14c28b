#include "proc/usage.h"

#include <sys/wait.h>

#include "proc/procfs.h"

/* if the child could not run, one of this many nanoseconds counts */
#define LOST_COUNTS 10

/* Was it stopped since the last look, or is it now? */
static bool was_stopped(const ba_proc *p)
{
	pid_t pid = ba_proc_pid(p);
	siginfo_t info = {0};
	ba_procfs_stat now;
	bool stopped = false;
	while (waitid(P_PID, (id_t)pid, &info, WSTOPPED | WCONTINUED | WNOHANG) == 0 &&
		info.si_pid == pid) {
		stopped = true;
		info = (siginfo_t){0};
	}
	return stopped || (ba_procfs_read(&now, pid) && (now.state == 'T' || now.state == 't'));
}

ba_deadline ba_deadline_start(const ba_proc *p)
{
	was_stopped(p); /* ignore earlier stops */
	return (ba_deadline){
		.looked_ns = ba_now_ns(), .queued_ns = ba_usage_waited_ns(ba_proc_pid(p))};
}

int64_t ba_deadline_used(ba_deadline *d, const ba_proc *p, int64_t slice_ns)
{
	int64_t now = ba_now_ns(), waited = ba_usage_waited_ns(ba_proc_pid(p));
	int64_t elapsed = now - d->looked_ns, lost = elapsed - slice_ns;
	if (waited - d->queued_ns > lost)
		lost = waited - d->queued_ns;
	if (lost < 0)
		lost = 0;
	if (lost > elapsed || was_stopped(p))
		lost = elapsed;
	d->looked_ns = now;
	d->queued_ns = waited;
	d->used_ns += elapsed - lost + lost / LOST_COUNTS;
	return d->used_ns;
}
