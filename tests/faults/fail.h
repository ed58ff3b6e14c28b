/*
 * What the library that fails calls (fail.c), and who reads its counts, agree on.
 *
 *     LD_PRELOAD=libfail.so BA_FAULT_STATE=FILE BA_FAULT=write:3 bench-against ...
 *
 * BA_FAULT_STATE  a file of this struct, made here where it is missing. Processes that
 *                 have the file share the counts.
 * BA_FAULT_IN     base names of the programs whose calls count, with commas between
 *                 them (default: bench-against).
 * BA_FAULT        KIND:N fails the N-th call (from 1), KIND:N+ that one and all later
 *                 ones. Without it calls are counted, and none fails.
 * BA_FAULT_ERRNO  another error than the kind's own, as a number; or "short": a read or
 *                 write that transfers half of what was asked.
 * BA_FAULT_PATH   only calls count that are about a path with this in it: open, read,
 *                 write, stat, access, and opendir, realpath and readlink.
 * BA_FAULT_TRACE  a file that gets the stack of the first failed call.
 * BA_FAULT_CALLS  a file that gets a fail_call for every counted call.
 */
#ifndef TESTS_FAULTS_FAIL_H
#define TESTS_FAULTS_FAIL_H

#include <errno.h>
#include <stdint.h>

/* clang-format off */
/* kind, errno, the calls */
#define FAIL_KINDS(X)                                                              \
	X(malloc, ENOMEM) /* malloc calloc realloc strdup and their like */        \
	X(open,   EMFILE) /* open openat creat fopen fdopen mkstemp memfd_create */\
	X(read,   EIO)    /* read pread readv */                                   \
	X(write,  ENOSPC) /* write pwrite writev */                                \
	X(flush,  ENOSPC) /* fflush fclose of a stream that was written */         \
	X(close,  EIO)    /* close; the descriptor is closed all the same */       \
	X(rename, EIO)    /* rename renameat renameat2 link linkat */              \
	X(sync,   EIO)    /* fsync fdatasync */                                    \
	X(unlink, EIO)    /* unlink unlinkat rmdir remove */                       \
	X(mkdir,  ENOSPC) /* mkdir mkdirat mkdtemp symlink symlinkat */            \
	X(mmap,   ENOMEM) /* mmap */                                               \
	X(resize, ENOSPC) /* ftruncate truncate posix_fallocate */                 \
	X(lock,   ENOLCK) /* flock */                                              \
	X(fcntl,  EINVAL) /* fcntl, of locks too */                                \
	X(fork,   EAGAIN) /* fork clone */                                         \
	X(pipe,   EMFILE) /* pipe pipe2 */                                         \
	X(poll,   ENOMEM) /* poll ppoll */                                         \
	X(thread, EAGAIN) /* pthread_create */                                     \
	X(stat,   EIO)    /* stat lstat fstat fstatat statx */                     \
	X(access, EIO)    /* access faccessat */                                   \
	X(dir,    EIO)    /* opendir fdopendir readdir scandir */                  \
	X(path,   EIO)    /* readlink getcwd realpath chdir */                     \
	X(mode,   EPERM)  /* chmod fchmod fchmodat utimensat futimens */           \
	X(wait,   EINTR)  /* waitpid waitid wait4 */                               \
	X(dup,    EMFILE) /* dup dup2 dup3 */                                      \
	X(seek,   EIO)    /* lseek */
/* clang-format on */

typedef enum fail_kind {
#define FAIL_ENUM(name, number) FAIL_##name,
	FAIL_KINDS(FAIL_ENUM)
#undef FAIL_ENUM
		FAIL_KIND_COUNT
} fail_kind;

/* A call that was counted. Two calls with one stack came from one place of the program;
 * stacks of several processes agree where addresses are not randomised. */
typedef struct fail_call {
	uint32_t kind, depth;
	uint64_t number; /* among those of its kind, from 1 */
	uint64_t stack;	 /* a hash of the innermost return addresses */
} fail_call;

typedef struct fail_state {
	uint64_t calls[FAIL_KIND_COUNT];
	uint64_t failed;
} fail_state;

#endif
