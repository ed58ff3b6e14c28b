#include <sys/resource.h>

#include "proc/proc.h"

void ba_proc_result_dispose(ba_proc_result *r)
{
	BA_DISPOSE(ba_buf, &r->out, &r->err);
}

bool ba_proc_result_ok(const ba_proc_result *r)
{
	return r->end == BA_PROC_EXITED && r->status == 0;
}

static bool says_too_large(const ba_buf *text)
{
	return text->data && strstr(text->data, "File too large");
}

bool ba_proc_result_hit_file_limit(const ba_proc_result *r)
{
	struct rlimit limit;
	bool exited = r->end == BA_PROC_EXITED, died = r->end == BA_PROC_SIGNALED;
	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return false;
	/* a shell passes the signal of its child on */
	if ((died && r->signal == SIGXFSZ) || (exited && r->status == 128 + SIGXFSZ))
		return true;
	return (died || (exited && r->status != 0)) &&
	       (says_too_large(&r->out) || says_too_large(&r->err));
}

/* "10m", "90m", "2h", "2.5s", "250ms" */
static void put_duration(ba_buf *out, int64_t ns)
{
	int64_t seconds = ns / BA_SECOND;
	if (ns < BA_SECOND)
		ba_buf_printf(out, "%gms", (double)ns / 1e6);
	else if (ns % BA_SECOND || seconds < 60 || (seconds < 3600 && seconds % 60))
		ba_buf_printf(out, "%.6gs", (double)ns / 1e9);
	else if (seconds < 3600 || seconds % 3600)
		ba_buf_printf(out, "%lldm", (long long)(seconds / 60));
	else
		ba_buf_printf(out, "%lldh", (long long)(seconds / 3600));
}

const char *ba_signal_name(int number)
{
	static const char names[][8] = {"", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS",
		"FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD",
		"CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
		"WINCH", "POLL", "PWR", "SYS"};
	return number > 0 && number < (int)BA_COUNT(names) ? names[number] : NULL;
}

static void put_signal(ba_buf *out, int number)
{
	const char *name = ba_signal_name(number);
	if (name)
		ba_buf_printf(out, "%d (SIG%s)", number, name);
	else
		ba_buf_printf(out, "%d (signal %d)", number, number);
	if (number == SIGKILL)
		ba_buf_puts(out, ", perhaps because memory ran out");
}

void ba_proc_result_text(ba_buf *out, const ba_proc_result *r)
{
	static const char *const words[] = {
		[BA_PROC_RUNNING] = "still runs",
		[BA_PROC_EXITED] = "exited with status ",
		[BA_PROC_SIGNALED] = "killed by signal ",
		[BA_PROC_TIMEOUT] = "ran past its limit of ",
		[BA_PROC_KILLED] = "was stopped by bench-against",
		[BA_PROC_LOST] =
			"ended, and its exit status is unknown: something else in bench-against waited for it, or SIGCHLD is ignored",
		[BA_PROC_STUCK] =
			"does not end, not even when killed; it hangs in the kernel or in a driver",
	};
	ba_buf_puts(out, words[r->end]);
	if (r->end == BA_PROC_EXITED)
		ba_buf_printf(out, "%d", r->status);
	else if (r->end == BA_PROC_SIGNALED)
		put_signal(out, r->signal);
	else if (r->end == BA_PROC_TIMEOUT)
		put_duration(out, r->limit_ns);
	if (ba_proc_result_hit_file_limit(r))
		ba_buf_puts(out,
			" at the limit on file sizes that bench-against was started with (ulimit -f)");
}
