#include "proc/aside.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "proc/proc.h"
#include "proc/procfs.h"

#define ANSWER_FD 3
#define TICK_MS 20

/* ---- in the child ---- */

static void set_limit(int what, rlim_t most)
{
	struct rlimit r;
	if (getrlimit(what, &r))
		return;
	r.rlim_cur = most < r.rlim_max ? most : r.rlim_max;
	setrlimit(what, &r);
}

static rlim_t address_space(void)
{
	unsigned long long pages;
	if (ba_procfs_scan("/proc/self/statm", "%llu", &pages) != 1)
		return 0;
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void limit(const ba_aside *a)
{
	rlim_t now = address_space();
	set_limit(RLIMIT_CORE, 0);
	set_limit(RLIMIT_CPU, (rlim_t)(a->limit_ns / BA_SECOND) + 1);
	set_limit(RLIMIT_STACK, RLIM_INFINITY);
	if (now)
		set_limit(RLIMIT_AS, now + (rlim_t)a->more_memory);
}

static void leave_signals(void)
{
	static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD, SIGALRM};
	sigset_t none;
	for (size_t i = 0; i < BA_COUNT(numbers); i++)
		signal(numbers[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Closes all descriptors but the pipe, which becomes ANSWER_FD. */
static bool leave_descriptors(int answer)
{
	int high = fcntl(answer, F_DUPFD, ANSWER_FD + 1);
	int null = open("/dev/null", O_RDWR);
	bool ok = high >= 0 && null >= 0;
	for (int fd = 0; ok && fd < ANSWER_FD; fd++)
		ok = dup2(null, fd) == fd;
	ok = ok && dup2(high, ANSWER_FD) == ANSWER_FD;
	return ok && syscall(SYS_close_range, ANSWER_FD + 1u, ~0u, 0u) == 0;
}

static _Noreturn void child(const ba_aside *a, int answer, pid_t parent)
{
	ba_buf text = BA_BUF_INIT;
	leave_signals();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || !leave_descriptors(answer))
		_exit(1);
	limit(a);
	if (a->confine)
		a->confine();
	a->work(&text, a->data);
	_exit(ba_fs_write_all(ANSWER_FD, text.data, text.len) ? 1 : 0);
}

/* ---- in this process ---- */

/* Reads until the child closes its end. */
static int listen_to(ba_buf *out, const ba_aside *a, int fd, int64_t until_ns, ba_error *err)
{
	size_t begin = out->len;
	for (;;) {
		char part[16384];
		struct pollfd p = {.fd = fd, .events = POLLIN};
		if (a->stop && *a->stop)
			return ba_fail(err, BA_EINTERRUPTED, "interrupted");
		if (ba_now_ns() > until_ns)
			return ba_fail(err, BA_ETIMEOUT, "it took longer than %lld s",
				(long long)(a->limit_ns / BA_SECOND));
		if (poll(&p, 1, TICK_MS) <= 0)
			continue;
		ssize_t n = read(fd, part, sizeof(part));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return ba_fail_errno(err, BA_EIO, "its answer");
		if (n == 0)
			return 0;
		if (out->len - begin + (size_t)n > a->ceiling)
			return ba_fail(err, BA_EWORKER, "its answer is too long");
		ba_buf_put(out, part, (size_t)n);
	}
}

/* Waits for a child that has closed its pipe: it is about to end, or hangs. */
static int collect(pid_t pid, bool killed, int64_t until_ns, ba_error *err)
{
	int status = 0;
	pid_t ended;
	while ((ended = waitpid(pid, &status, killed ? 0 : WNOHANG)) == 0 ||
		(ended < 0 && errno == EINTR)) {
		if (!killed && ba_now_ns() > until_ns) {
			kill(pid, SIGKILL);
			killed = true;
		}
		nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
	}
	if (ended < 0)
		return ba_fail_errno(err, BA_EIO, "how it ended");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	const ba_proc_result r = {.end = WIFSIGNALED(status) ? BA_PROC_SIGNALED : BA_PROC_EXITED,
		.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
		.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0};
	ba_proc_result_text(&text, &r);
	return ba_fail(err, BA_EWORKER, "its process %s%s", r.signal ? "was " : "", text.data);
}

int ba_aside_run(ba_buf *out, const ba_aside *a, ba_error *err)
{
	int pipes[2];
	size_t begin = out->len;
	int64_t until_ns = ba_now_ns() + a->limit_ns;
	if (pipe2(pipes, O_CLOEXEC))
		return ba_fail_errno(err, BA_EIO, "a pipe");
	pid_t self = getpid(), pid = fork();
	if (pid == 0)
		child(a, pipes[1], self);
	int number = errno;
	close(pipes[1]);
	if (pid < 0) {
		close(pipes[0]);
		errno = number;
		return ba_fail_errno(err, BA_EIO, "a process");
	}
	int rc = listen_to(out, a, pipes[0], until_ns, err);
	close(pipes[0]);
	if (rc)
		kill(pid, SIGKILL);
	int ended = collect(pid, rc != 0, until_ns, rc ? NULL : err);
	rc = rc ? rc : ended;
	if (rc)
		ba_buf_truncate(out, begin);
	return rc;
}
