/* posix_spawn with every descriptor accounted for: pipes are made close-on-exec, copied
 * above the numbers the child wants (so that no copy overwrites the source of another),
 * put in place, and all above is closed. */
#include <spawn.h>
#include <sys/personality.h>
#include <sys/syscall.h>

#include "base/rng.h"
#include "proc/handle.h"

extern char **environ;

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

/* 0, or the code of the first error: these functions do not set errno */
static int plan_actions(
	posix_spawn_file_actions_t *actions, const plumbing *m, const ba_proc *p, const char *dir)
{
	int code = 0;
	for (size_t i = 0; !code && i < m->count; i++)
		code = posix_spawn_file_actions_adddup2(
			actions, m->rows[i].fd, m->rows[i].child_fd);
	if (!code && p->err.mode == BA_OUTPUT_JOIN)
		code = posix_spawn_file_actions_adddup2(actions, 1, 2);
	for (int fd = 3; !code && fd < m->top; fd++)
		if (!BA_ANY(m->rows, m->count, row, row->child_fd == fd))
			code = posix_spawn_file_actions_addclose(actions, fd);
	if (!code)
		code = posix_spawn_file_actions_addclosefrom_np(actions, m->top + 1);
	if (!code && dir)
		code = posix_spawn_file_actions_addchdir_np(actions, dir);
	return code;
}

/* The child gets its own group, and no signal is blocked or ignored. */
static int plan_attributes(posix_spawnattr_t *attributes)
{
	sigset_t all, none;
	int code;
	sigfillset(&all);
	sigemptyset(&none);
	code = posix_spawnattr_setpgroup(attributes, 0);
	code = code ? code : posix_spawnattr_setsigdefault(attributes, &all);
	code = code ? code : posix_spawnattr_setsigmask(attributes, &none);
	return code ? code
		    : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP |
								   POSIX_SPAWN_SETSIGDEF |
								   POSIX_SPAWN_SETSIGMASK);
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

#define GET_PERSONALITY 0xffffffffUL

/* The result of posix_spawn: 0, or the reason why nothing was started. */
static int spawn(ba_proc *p, const char *file, const ba_proc_spec *spec, const plumbing *pipes,
	char *const *env)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int code = posix_spawn_file_actions_init(&actions);
	if (code)
		return code;
	code = posix_spawnattr_init(&attributes);
	if (!code) {
		code = plan_actions(&actions, pipes, p, spec->dir);
		code = code ? code : plan_attributes(&attributes);
		p->started_ns = ba_now_ns();
		/* the personality of this thread, which a child inherits and which acts
		 * on exec */
		int ours = spec->fixed_addresses ? personality(GET_PERSONALITY) : -1;
		if (ours != -1)
			personality((unsigned long)ours | ADDR_NO_RANDOMIZE);
		code = code ? code
			    : posix_spawn(&p->pid, file, &actions, &attributes,
				      (char *const *)spec->argv, env);
		if (ours != -1)
			personality((unsigned long)ours);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&actions);
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
