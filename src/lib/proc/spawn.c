/* Starts a child with every descriptor accounted for: pipes are made close-on-exec, copied
 * above the numbers the child wants (so that no copy overwrites the source of another),
 * put in place, and all above is closed. posix_spawn() can neither change the directory before
 * glibc 2.29 nor close all descriptors before 2.34, so this is our own. */
#include <dirent.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "proc/handle.h"

/* which descriptor goes where; closed here once the child has its copies */
typedef struct plumbing {
	ba_proc_fd rows[16];
	size_t count;
	int top; /* highest number in the child */
} plumbing;

static void plumbing_dispose(plumbing *m)
{
	for (size_t i = 0; i < m->count; i++)
		close(m->rows[i].fd);
}
BA_DEFINE_AUTO(plumbing, plumbing_dispose)

/* The machine lacks resources; the program to be started is not the cause. */
static int fail_resource(int code, const char *what, ba_error *err)
{
	errno = code;
	return ba_fail_errno(err, BA_EIO, "cannot %s for a child process", what);
}

static int check_dir(const char *dir, ba_error *err)
{
	struct stat st = {0};
	if (stat(dir, &st) < 0 && errno != ENOENT && errno != ENOTDIR)
		return ba_fail_errno(err, BA_EIO, "cannot look at '%s'", dir);
	if (S_ISDIR(st.st_mode))
		return 0;
	return ba_fail(err, BA_ENOTFOUND, "no such directory '%s'", dir);
}

/* takes fd, even on failure */
static int plumb(plumbing *m, int fd, int child_fd, ba_error *err)
{
	if (fd < 0)
		return fail_resource(errno, "open a descriptor", err);
	for (size_t i = 0; i < m->count; i++) {
		/* a later row replaces an earlier one */
		if (m->rows[i].child_fd == child_fd) {
			close(m->rows[i].fd);
			m->rows[i].fd = fd;
			return 0;
		}
	}
	if (m->count == BA_COUNT(m->rows)) {
		close(fd);
		return ba_fail(err, BA_EINVAL, "too many descriptors for a child");
	}
	m->rows[m->count++] = (ba_proc_fd){fd, child_fd};
	if (child_fd > m->top)
		m->top = child_fd;
	return 0;
}

/* A pipe whose one end (0 reads, 1 writes) is the child's; *mine does not block. */
static int plumb_pipe(plumbing *m, int *mine, int child_end, int child_fd, ba_error *err)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC))
		return fail_resource(errno, "open a pipe", err);
	*mine = ends[!child_end];
	/* a blocking pipe would prevent deadlines and signals from being handled */
	if (fcntl(*mine, F_SETFL, O_NONBLOCK)) {
		int code = errno;
		close(ends[child_end]);
		return fail_resource(code, "set up a pipe", err);
	}
	return plumb(m, ends[child_end], child_fd, err);
}

static int plumb_output(plumbing *m, ba_capture *c, int child_fd, ba_error *err)
{
	if (c->mode == BA_OUTPUT_NULL)
		return plumb(m, open("/dev/null", O_WRONLY | O_CLOEXEC), child_fd, err);
	return plumb_pipe(m, &c->fd, 1, child_fd, err);
}

static int plumb_all(plumbing *m, ba_proc *p, const ba_proc_spec *spec, ba_error *err)
{
	m->top = 2;
	BA_TRY(spec->stdin_data ? plumb_pipe(m, &p->stdin_fd, 0, 0, err)
				: plumb(m, open("/dev/null", O_RDONLY | O_CLOEXEC), 0, err));
	BA_TRY(plumb_output(m, &p->out, 1, err));
	BA_TRY(p->err.mode != BA_OUTPUT_JOIN ? plumb_output(m, &p->err, 2, err) : 0);
	if (spec->request_fd)
		BA_TRY(plumb_pipe(m, &p->request_fd, 0, spec->request_fd, err));
	if (spec->reply_fd)
		BA_TRY(plumb_pipe(m, &p->reply_fd, 1, spec->reply_fd, err));
	for (size_t i = 0; i < spec->fd_count; i++) {
		int copy = fcntl(spec->fds[i].fd, F_DUPFD_CLOEXEC, 0);
		BA_TRY(plumb(m, copy, spec->fds[i].child_fd, err));
	}
	return 0;
}

/* Moves our descriptors above every number that the child wants. */
static int plumbing_raise(plumbing *m, ba_error *err)
{
	for (size_t i = 0; i < m->count; i++) {
		int high = fcntl(m->rows[i].fd, F_DUPFD_CLOEXEC, m->top + 1);
		if (high < 0)
			return fail_resource(errno, "open a descriptor", err);
		close(m->rows[i].fd);
		m->rows[i].fd = high;
	}
	return 0;
}

/* The requested environment with our tag added, which always has the same length,
 * because the size of the environment moves the child's stack. */
static const char *plan_environment(ba_strv *out, ba_proc *p, const char *const *env)
{
	const char *path = NULL;
	if (!env)
		env = (const char *const *)environ;
	for (; *env; env++) {
		if (!strncmp(*env, BA_PROC_TAG, strlen(BA_PROC_TAG)))
			continue;
		ba_strv_push(out, *env);
		if (!strncmp(*env, "PATH=", 5))
			path = *env + 5;
	}
	snprintf(p->tag, sizeof(p->tag), BA_PROC_TAG "%016llx",
		(unsigned long long)ba_rng_entropy());
	ba_strv_push(out, p->tag);
	return path;
}

/* Can the program not be executed, or does the machine lack resources? */
static int explain(const ba_proc_spec *spec, const char *file, int code, ba_error *err)
{
	errno = code;
	switch (code) {
	case ENOEXEC:
	case ELIBBAD:
		return ba_fail(
			err, BA_ENOTFOUND, "'%s' is not a program this machine can run", file);
	case ENOENT:
		return ba_fail(
			err, BA_ENOTFOUND, "'%s' names an interpreter that does not exist", file);
	case EACCES:
	case ELOOP:
	case ENOTDIR:
		return ba_fail_errno(err, BA_ENOTFOUND, "'%s' cannot be executed", file);
	case E2BIG:
		return ba_fail_errno(
			err, BA_EIO, "arguments and environment of '%s'", spec->argv[0]);
	default:
		return ba_fail_errno(err, BA_EIO, "cannot start '%s'", file);
	}
}

/* ---- the child, until exec: it shares our memory, and we wait ---- */

#define GET_PERSONALITY 0xffffffffUL
#define STACK_BYTES (64 << 10)

typedef struct launch {
	const char *file, *dir;
	char *const *argv;
	char *const *env;
	const plumbing *pipes;
	bool joined; /* stderr goes where stdout goes */
	int code;    /* why nothing was started */
} launch;

/* Before Linux 5.9 one by one. /proc lists them by number, so that closing skips none. */
static int close_from(int first)
{
	struct dirent64 *entry; /* as the kernel writes it */
	char buffer[2048] __attribute__((aligned(8)));
	if (!syscall(SYS_close_range, first, ~0U, 0))
		return 0;
	int dir = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY, 0);
	if (dir < 0)
		return -1;
	long got;
	while ((got = syscall(SYS_getdents64, dir, buffer, sizeof(buffer))) > 0) {
		for (long at = 0; at < got; at += entry->d_reclen) {
			entry = (void *)(buffer + at);
			int fd = atoi(entry->d_name);
			if (fd >= first && fd != dir)
				syscall(SYS_close, fd);
		}
	}
	if (dir >= first)
		syscall(SYS_close, dir);
	return got < 0 ? -1 : 0;
}

/* As planned: the pipes at their numbers, and no other descriptor. */
static int place_descriptors(const launch *l)
{
	const plumbing *m = l->pipes;
	for (size_t i = 0; i < m->count; i++)
		if (syscall(SYS_dup3, m->rows[i].fd, m->rows[i].child_fd, 0) < 0)
			return -1;
	if (l->joined && syscall(SYS_dup3, 1, 2, 0) < 0)
		return -1;
	for (int fd = 3; fd < m->top; fd++)
		if (!BA_ANY(m->rows, m->count, row, row->child_fd == fd))
			syscall(SYS_close, fd);
	return close_from(m->top + 1);
}

/* System calls only: functions of the C library, and what sanitizers put before them, would
 * change what the parent believes of its own descriptors and signals. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static int child_main(void *arg)
{
	launch *l = arg;
	const uint64_t none[8] = {0}; /* SIG_DFL, no flags, no signals */
	/* no signal is ignored, and none is blocked once no handler of ours can run */
	for (int s = 1; s <= 64; s++)
		syscall(SYS_rt_sigaction, s, none, NULL, sizeof(*none));
	bool ready = !syscall(SYS_setpgid, 0, 0) && !place_descriptors(l) &&
		     (!l->dir || !syscall(SYS_chdir, l->dir)) &&
		     !syscall(SYS_rt_sigprocmask, SIG_SETMASK, none, NULL, sizeof(*none));
	if (ready)
		syscall(SYS_execve, l->file, l->argv, l->env);
	l->code = errno;
	return 127;
}

/* Returns 0, or the reason why nothing was started. */
static int start(pid_t *pid, launch *l)
{
	sigset_t all, ours;
	int cancel;
	char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (stack == MAP_FAILED)
		return errno;
	/* in the child no handler of ours may run */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &ours);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	int child = clone(child_main, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, l);
	int code = child < 0 ? errno : l->code;
	if (!code)
		*pid = child;
	else if (child > 0)
		waitpid(child, NULL, 0);
	pthread_setcancelstate(cancel, NULL);
	pthread_sigmask(SIG_SETMASK, &ours, NULL);
	munmap(stack, STACK_BYTES);
	return code;
}

static int spawn(ba_proc *p, const char *file, const ba_proc_spec *spec, const plumbing *pipes,
	char *const *env)
{
	launch l = {.file = file,
		.dir = spec->dir,
		.argv = (char *const *)spec->argv,
		.env = env,
		.pipes = pipes,
		.joined = p->err.mode == BA_OUTPUT_JOIN};
	p->started_ns = ba_now_ns();
	/* the personality of this thread, which a child inherits and which acts on exec */
	int ours = spec->fixed_addresses ? personality(GET_PERSONALITY) : -1;
	if (ours != -1)
		personality((unsigned long)ours | ADDR_NO_RANDOMIZE);
	int code = start(&p->pid, &l);
	if (ours != -1)
		personality((unsigned long)ours);
	return code;
}

int ba_proc_spawn(ba_proc *p, const ba_proc_spec *spec, ba_error *err)
{
	BA_AUTO(plumbing) plumbing pipes = {0};
	BA_AUTO(ba_strv) ba_strv env = {0};
	BA_AUTO_FREE char *file = NULL;
	const char *path = plan_environment(&env, p, spec->env);
	BA_TRY(spec->dir ? check_dir(spec->dir, err) : 0);
	BA_TRY(ba_proc_find_program(&file, spec->argv[0], path, spec->dir, err));
	/* the name must mean the same file after the change of directory */
	if (*file != '/')
		ba_text_own(&file, ba_path_absolute(file));
	BA_TRY(plumb_all(&pipes, p, spec, err));
	BA_TRY(plumbing_raise(&pipes, err));
	int code = spawn(p, file, spec, &pipes, env.items);
	if (code)
		return explain(spec, file, code, err);
	/* without one (an old kernel), the pump asks now and then whether the child ended */
	p->pidfd = (int)syscall(SYS_pidfd_open, p->pid, 0);
	return 0;
}
