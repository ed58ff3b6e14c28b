/* Fails the n-th call of a kind; see fail.h. Calls that the C library makes to itself
 * are not seen, but for allocations. */
#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fail.h"

#define EXPORT __attribute__((visibility("default")))
#define DEPTH 24
#define DEPTH_OF_PLACE 8

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
	*__libc_memalign(size_t, size_t);

static fail_state *state; /* NULL: calls of this process do not count */
static int chosen = -1;	  /* the kind that fails */
static uint64_t chosen_call;
static bool from_then_on, is_short;
static int error_number;
static const char *trace;
static long calls_fd = -1; /* of BA_FAULT_CALLS */
static const char *below;  /* only calls that are about a path with this in it */

static const struct {
	const char *name;
	int number;
} kinds[] = {
#define FAIL_ROW(name, number) {#name, number},
	FAIL_KINDS(FAIL_ROW)
#undef FAIL_ROW
};

/* ---- which ---- */

static bool is_in_list(const char *list, const char *name)
{
	size_t size = strlen(name);
	for (const char *at = list; (at = strstr(at, name)); at += size)
		if ((at == list || at[-1] == ',') && (!at[size] || at[size] == ','))
			return true;
	return false;
}

static bool is_ours(void)
{
	char path[PATH_MAX];
	const char *list = getenv("BA_FAULT_IN");
	ssize_t n = syscall(SYS_readlink, "/proc/self/exe", path, sizeof(path) - 1);
	if (n < 0)
		return false;
	path[n] = '\0';
	return is_in_list(list ? list : "bench-against", strrchr(path, '/') + 1);
}

static void choose(const char *text)
{
	const char *colon = text ? strchr(text, ':') : NULL;
	if (!colon)
		return;
	for (int i = 0; i < FAIL_KIND_COUNT; i++)
		if (strlen(kinds[i].name) == (size_t)(colon - text) &&
			!strncmp(kinds[i].name, text, (size_t)(colon - text)))
			chosen = i;
	if (chosen < 0) {
		static const char said[] = "BA_FAULT: no such kind of call\n";
		syscall(SYS_write, 2, said, sizeof(said) - 1);
		_exit(99);
	}
	char *end;
	chosen_call = strtoull(colon + 1, &end, 10);
	from_then_on = *end == '+';
	error_number = kinds[chosen].number;
	const char *number = getenv("BA_FAULT_ERRNO");
	is_short = number && !strcmp(number, "short");
	if (number && !is_short)
		error_number = atoi(number);
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("BA_FAULT_STATE");
	if (!path || !is_ours())
		return;
	/* the first backtrace loads a library: before anything may fail */
	void *here[1];
	backtrace(here, 1);
	long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || syscall(SYS_ftruncate, fd, sizeof(fail_state)))
		_exit(99);
	void *page = (void *)syscall(
		SYS_mmap, NULL, sizeof(fail_state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0L);
	syscall(SYS_close, fd);
	if (page == MAP_FAILED)
		_exit(99);
	trace = getenv("BA_FAULT_TRACE");
	below = getenv("BA_FAULT_PATH");
	const char *calls = getenv("BA_FAULT_CALLS");
	if (calls)
		calls_fd = syscall(SYS_openat, AT_FDCWD, calls,
			O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	choose(getenv("BA_FAULT"));
	state = page;
}

static void leave_trace(void)
{
	static __thread bool busy;
	void *stack[DEPTH];
	if (!trace || busy)
		return;
	busy = true;
	long fd =
		syscall(SYS_openat, AT_FDCWD, trace, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0) {
		backtrace_symbols_fd(stack, backtrace(stack, DEPTH), (int)fd);
		syscall(SYS_close, fd);
	}
	busy = false;
}

/* Notes from where a call came. The unwinder may allocate: its own calls are not noted. */
static void note_call(fail_kind kind, uint64_t n)
{
	static __thread bool busy;
	void *stack[DEPTH_OF_PLACE];
	if (calls_fd < 0 || busy)
		return;
	busy = true;
	int depth = backtrace(stack, DEPTH_OF_PLACE);
	fail_call call = {kind, (uint32_t)depth, n, 0xcbf29ce484222325u};
	for (int i = 0; i < depth; i++)
		call.stack = (call.stack ^ (uintptr_t)stack[i]) * 0x100000001b3u;
	syscall(SYS_write, calls_fd, &call, sizeof(call));
	busy = false;
}

/* Counts; is this the call? path NULL: it is about no path. */
static bool due_at(fail_kind kind, const char *path)
{
	if (!state || (below && !(path && strstr(path, below))))
		return false;
	uint64_t n = __atomic_add_fetch(&state->calls[kind], 1, __ATOMIC_SEQ_CST);
	note_call(kind, n);
	if ((int)kind != chosen || (from_then_on ? n < chosen_call : n != chosen_call))
		return false;
	__atomic_add_fetch(&state->failed, 1, __ATOMIC_SEQ_CST);
	leave_trace();
	errno = error_number;
	return true;
}

static bool due(fail_kind kind)
{
	return due_at(kind, NULL);
}

static bool due_of(fail_kind kind, int fd)
{
	char link[32], path[PATH_MAX];
	if (!state || !below)
		return due(kind);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = syscall(SYS_readlink, link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	return due_at(kind, path);
}

static void *find(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);
	if (!f)
		abort();
	return f;
}

/* ---- calls that fail before they do anything ---- */

/* type, name, kind, what it returns, parameters, arguments, and the path it is about */
#define CALL_AT(type, name, kind, bad, parameters, arguments, path)        \
	EXPORT type name parameters                                        \
	{                                                                  \
		static type(*real) parameters;                             \
		if (!real)                                                 \
			real = (type(*) parameters)find(#name);            \
		return due_at(FAIL_##kind, path) ? (bad) : real arguments; \
	}
#define CALL(type, name, kind, bad, parameters, arguments) \
	CALL_AT(type, name, kind, bad, parameters, arguments, NULL)

/* clang-format off */
CALL_AT(FILE *, fopen, open, NULL, (const char *p, const char *m), (p, m), p)
CALL_AT(FILE *, fopen64, open, NULL, (const char *p, const char *m), (p, m), p)
CALL(FILE *, fdopen, open, NULL, (int fd, const char *m), (fd, m))
CALL_AT(int, creat, open, -1, (const char *p, mode_t m), (p, m), p)
CALL_AT(int, creat64, open, -1, (const char *p, mode_t m), (p, m), p)
CALL(int, mkstemp, open, -1, (char *p), (p))
CALL(int, mkstemp64, open, -1, (char *p), (p))
CALL(int, mkostemp, open, -1, (char *p, int f), (p, f))
CALL(int, memfd_create, open, -1, (const char *p, unsigned f), (p, f))
CALL(ssize_t, readv, read, -1, (int fd, const struct iovec *v, int n), (fd, v, n))
CALL(ssize_t, writev, write, -1, (int fd, const struct iovec *v, int n), (fd, v, n))
CALL(int, rename, rename, -1, (const char *a, const char *b), (a, b))
CALL(int, renameat, rename, -1, (int c, const char *a, int d, const char *b), (c, a, d, b))
CALL(int, renameat2, rename, -1, (int c, const char *a, int d, const char *b, unsigned f), (c, a, d, b, f))
CALL(int, link, rename, -1, (const char *a, const char *b), (a, b))
CALL(int, linkat, rename, -1, (int c, const char *a, int d, const char *b, int f), (c, a, d, b, f))
CALL(int, fsync, sync, -1, (int fd), (fd))
CALL(int, fdatasync, sync, -1, (int fd), (fd))
CALL(int, unlink, unlink, -1, (const char *p), (p))
CALL(int, unlinkat, unlink, -1, (int d, const char *p, int f), (d, p, f))
CALL(int, rmdir, unlink, -1, (const char *p), (p))
CALL(int, remove, unlink, -1, (const char *p), (p))
CALL(int, mkdir, mkdir, -1, (const char *p, mode_t m), (p, m))
CALL(int, mkdirat, mkdir, -1, (int d, const char *p, mode_t m), (d, p, m))
CALL(char *, mkdtemp, mkdir, NULL, (char *p), (p))
CALL(int, symlink, mkdir, -1, (const char *a, const char *b), (a, b))
CALL(int, symlinkat, mkdir, -1, (const char *a, int d, const char *b), (a, d, b))
CALL(void *, mmap, mmap, MAP_FAILED, (void *a, size_t n, int p, int f, int fd, off_t o), (a, n, p, f, fd, o))
CALL(void *, mmap64, mmap, MAP_FAILED, (void *a, size_t n, int p, int f, int fd, off_t o), (a, n, p, f, fd, o))
CALL(int, ftruncate, resize, -1, (int fd, off_t n), (fd, n))
CALL(int, ftruncate64, resize, -1, (int fd, off_t n), (fd, n))
CALL(int, truncate, resize, -1, (const char *p, off_t n), (p, n))
CALL(int, posix_fallocate, resize, error_number, (int fd, off_t o, off_t n), (fd, o, n))
CALL(int, flock, lock, -1, (int fd, int how), (fd, how))
CALL(pid_t, fork, fork, -1, (void), ())
CALL(int, clone, fork, -1, (int (*f)(void *), void *s, int flags, void *a, ...), (f, s, flags, a))
CALL(int, pipe, pipe, -1, (int p[2]), (p))
CALL(int, pipe2, pipe, -1, (int p[2], int f), (p, f))
CALL(int, poll, poll, -1, (struct pollfd *p, nfds_t n, int t), (p, n, t))
CALL(int, ppoll, poll, -1, (struct pollfd *p, nfds_t n, const struct timespec *t, const sigset_t *s), (p, n, t, s))
CALL(int, pthread_create, thread, error_number,
	(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *d), (t, a, f, d))
CALL_AT(int, stat, stat, -1, (const char *p, struct stat *s), (p, s), p)
CALL_AT(int, stat64, stat, -1, (const char *p, struct stat64 *s), (p, s), p)
CALL_AT(int, lstat, stat, -1, (const char *p, struct stat *s), (p, s), p)
CALL_AT(int, lstat64, stat, -1, (const char *p, struct stat64 *s), (p, s), p)
CALL(int, fstat, stat, -1, (int fd, struct stat *s), (fd, s))
CALL(int, fstat64, stat, -1, (int fd, struct stat64 *s), (fd, s))
CALL_AT(int, fstatat, stat, -1, (int d, const char *p, struct stat *s, int f), (d, p, s, f), p)
CALL_AT(int, fstatat64, stat, -1, (int d, const char *p, struct stat64 *s, int f), (d, p, s, f), p)
CALL_AT(int, statx, stat, -1, (int d, const char *p, int f, unsigned m, struct statx *s), (d, p, f, m, s), p)
CALL_AT(int, access, access, -1, (const char *p, int m), (p, m), p)
CALL_AT(int, faccessat, access, -1, (int d, const char *p, int m, int f), (d, p, m, f), p)
CALL_AT(DIR *, opendir, dir, NULL, (const char *p), (p), p)
CALL(DIR *, fdopendir, dir, NULL, (int fd), (fd))
CALL(struct dirent *, readdir, dir, NULL, (DIR *d), (d))
CALL(struct dirent64 *, readdir64, dir, NULL, (DIR *d), (d))
CALL_AT(ssize_t, readlink, path, -1, (const char *p, char *b, size_t n), (p, b, n), p)
CALL(ssize_t, readlinkat, path, -1, (int d, const char *p, char *b, size_t n), (d, p, b, n))
CALL(char *, getcwd, path, NULL, (char *b, size_t n), (b, n))
CALL_AT(char *, realpath, path, NULL, (const char *p, char *b), (p, b), p)
CALL(int, chdir, path, -1, (const char *p), (p))
CALL(int, chmod, mode, -1, (const char *p, mode_t m), (p, m))
CALL(int, fchmod, mode, -1, (int fd, mode_t m), (fd, m))
CALL(int, fchmodat, mode, -1, (int d, const char *p, mode_t m, int f), (d, p, m, f))
CALL(int, utimensat, mode, -1, (int d, const char *p, const struct timespec t[2], int f), (d, p, t, f))
CALL(int, futimens, mode, -1, (int fd, const struct timespec t[2]), (fd, t))
CALL(pid_t, waitpid, wait, -1, (pid_t p, int *s, int o), (p, s, o))
CALL(int, waitid, wait, -1, (idtype_t t, id_t p, siginfo_t *s, int o), (t, p, s, o))
CALL(pid_t, wait4, wait, -1, (pid_t p, int *s, int o, struct rusage *u), (p, s, o, u))
CALL(int, dup, dup, -1, (int a), (a))
CALL(int, dup2, dup, -1, (int a, int b), (a, b))
CALL(int, dup3, dup, -1, (int a, int b, int f), (a, b, f))
CALL(off_t, lseek, seek, -1, (int fd, off_t o, int w), (fd, o, w))
CALL(off64_t, lseek64, seek, -1, (int fd, off64_t o, int w), (fd, o, w))
/* clang-format on */

/* ---- short ones, those that act all the same, and those with an optional end ---- */

#define TRANSFER(name, kind, parameters, arguments)                \
	EXPORT ssize_t name parameters                             \
	{                                                          \
		static ssize_t(*real) parameters;                  \
		if (!real)                                         \
			real = (ssize_t(*) parameters)find(#name); \
		if (due_of(FAIL_##kind, fd)) {                     \
			if (!is_short)                             \
				return -1;                         \
			n = n > 1 ? n / 2 : n;                     \
		}                                                  \
		return real arguments;                             \
	}

TRANSFER(read, read, (int fd, void *b, size_t n), (fd, b, n))
TRANSFER(pread, read, (int fd, void *b, size_t n, off_t o), (fd, b, n, o))
TRANSFER(pread64, read, (int fd, void *b, size_t n, off64_t o), (fd, b, n, o))
TRANSFER(write, write, (int fd, const void *b, size_t n), (fd, b, n))
TRANSFER(pwrite, write, (int fd, const void *b, size_t n, off_t o), (fd, b, n, o))
TRANSFER(pwrite64, write, (int fd, const void *b, size_t n, off64_t o), (fd, b, n, o))

#define ENDING(name, kind, parameters, arguments)              \
	EXPORT int name parameters                             \
	{                                                      \
		static int(*real) parameters;                  \
		if (!real)                                     \
			real = (int(*) parameters)find(#name); \
		bool fails = due(FAIL_##kind);                 \
		int rc = real arguments;                       \
		if (!fails)                                    \
			return rc;                             \
		errno = error_number;                          \
		return -1;                                     \
	}

ENDING(close, close, (int fd), (fd))
ENDING(fclose, flush, (FILE * f), (f))
ENDING(fflush, flush, (FILE * f), (f))

static mode_t mode_of(int flags, va_list ap)
{
	return flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, mode_t) : 0;
}

#define OPEN(name)                                                             \
	EXPORT int name(const char *path, int flags, ...)                      \
	{                                                                      \
		static int (*real)(const char *, int, ...);                    \
		if (!real)                                                     \
			real = (int (*)(const char *, int, ...))find(#name);   \
		va_list ap;                                                    \
		va_start(ap, flags);                                           \
		mode_t mode = mode_of(flags, ap);                              \
		va_end(ap);                                                    \
		return due_at(FAIL_open, path) ? -1 : real(path, flags, mode); \
	}
#define OPENAT(name)                                                                \
	EXPORT int name(int dir, const char *path, int flags, ...)                  \
	{                                                                           \
		static int (*real)(int, const char *, int, ...);                    \
		if (!real)                                                          \
			real = (int (*)(int, const char *, int, ...))find(#name);   \
		va_list ap;                                                         \
		va_start(ap, flags);                                                \
		mode_t mode = mode_of(flags, ap);                                   \
		va_end(ap);                                                         \
		return due_at(FAIL_open, path) ? -1 : real(dir, path, flags, mode); \
	}
#define FCNTL(name)                                                        \
	EXPORT int name(int fd, int command, ...)                          \
	{                                                                  \
		static int (*real)(int, int, ...);                         \
		if (!real)                                                 \
			real = (int (*)(int, int, ...))find(#name);        \
		va_list ap;                                                \
		va_start(ap, command);                                     \
		void *argument = va_arg(ap, void *);                       \
		va_end(ap);                                                \
		return due(FAIL_fcntl) ? -1 : real(fd, command, argument); \
	}

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
FCNTL(fcntl)
FCNTL(fcntl64)

#ifndef FAIL_LEAVES_MEMORY_ALONE

/* ---- memory: before dlsym can be asked ---- */

EXPORT void *malloc(size_t size)
{
	return due(FAIL_malloc) ? NULL : __libc_malloc(size);
}

EXPORT void *calloc(size_t count, size_t size)
{
	return due(FAIL_malloc) ? NULL : __libc_calloc(count, size);
}

EXPORT void *realloc(void *p, size_t size)
{
	return due(FAIL_malloc) ? NULL : __libc_realloc(p, size);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	return due(FAIL_malloc) ? NULL : __libc_memalign(alignment, size);
}

EXPORT int posix_memalign(void **out, size_t alignment, size_t size)
{
	void *p = due(FAIL_malloc) ? NULL : __libc_memalign(alignment, size);
	if (p)
		*out = p;
	return p ? 0 : ENOMEM;
}

#endif
