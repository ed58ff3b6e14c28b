/*
 * One child process: its argv, environment, directory, descriptors, deadline, and what
 * came of it. No shell, ever.
 *
 *     ba_proc_spec spec = {.argv = argv, .dir = tree, .limit_ns = 600 * BA_SECOND,
 *             .out = {BA_OUTPUT_TAIL, 64 << 10}, .err = {BA_OUTPUT_JOIN}};
 *     BA_AUTO(ba_proc_result) ba_proc_result result = {0};
 *     if (ba_proc_run(&result, &spec, err) < 0)     -- could not be started
 *             return ba_fail_context(err, "build");
 *     if (!ba_proc_result_ok(&result)) ...          -- it ran, and failed
 *
 * A child leads a process group of its own. Where it ends, what it left running is
 * killed: its group, and what left the group, found among our adopted orphans
 * (PR_SET_CHILD_SUBREAPER, set by the first start): by a tag in the environment,
 * BENCH_AGAINST_CHILD, and without one (`env -i setsid x`) when no other child can have
 * left it, at the latest when the last child has ended. Children that a library forked
 * in our own process group are left alone. Descriptors of ours that are not named in
 * the spec are closed in it.
 *
 * Everything is driven from the calling thread by ba_proc_poll, _wait, _read_line and
 * _write: between those calls nothing is read, and no deadline acts. Use a handle from
 * one thread only. A write to a dead child is an error, never SIGPIPE.
 */
#ifndef PROC_PROC_H
#define PROC_PROC_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"

typedef enum ba_output_mode {
	BA_OUTPUT_NULL, /* to /dev/null */
	BA_OUTPUT_HEAD, /* keep the first `ceiling` bytes */
	BA_OUTPUT_TAIL, /* keep the last `ceiling` bytes, from the start of a line */
	BA_OUTPUT_JOIN	/* stderr only: into stdout, in the order written */
} ba_output_mode;

typedef struct ba_proc_output {
	ba_output_mode mode;
	size_t ceiling; /* 0: 64 KiB */
} ba_proc_output;

typedef struct ba_proc_fd {
	int fd;	      /* ours; stays open here and is ours to close */
	int child_fd; /* its number in the child */
} ba_proc_fd;

/* Everything is borrowed for the time of ba_proc_start only, but for stdin_data (until
 * the child has ended) and stop (until the handle is freed). Zero means the default. */
typedef struct ba_proc_spec {
	/* for messages; NULL: the base name of argv[0] */
	const char *name;
	/* NULL-terminated; argv[0] is looked up in env's PATH */
	const char *const *argv;
	/* NULL-terminated "NAME=value"; NULL: ours */
	const char *const *env;
	/* NULL: ours */
	const char *dir;
	/* else stdin is /dev/null, unless `fds` says otherwise */
	const void *stdin_data;
	size_t stdin_size;
	ba_proc_output out, err;
	/* Captured output goes there too; after what is in it, or it is emptied first.
	 * At most log_ceiling bytes (0: 64 MiB): the rest is counted, and the log ends
	 * with a sentence and the last lines. */
	const char *log_path;
	bool log_append;
	uint64_t log_ceiling;
	/* numbers in the child of a pipe it reads and one it writes lines to; or 0 */
	int request_fd;
	int reply_fd;
	/* longest line of ba_proc_read_line; 0: 64 MiB */
	size_t line_ceiling;
	/* more descriptors to pass */
	const ba_proc_fd *fds;
	size_t fd_count;
	/* it is stopped when it runs longer; 0: none */
	int64_t limit_ns;
	/* between SIGTERM and SIGKILL; 0: 2 s */
	int64_t grace_ns;
	/* where it becomes non-zero, calls that wait return BA_EINTERRUPTED soon */
	const volatile sig_atomic_t *stop;
} ba_proc_spec;

typedef enum ba_proc_end {
	BA_PROC_RUNNING,  /* not ended */
	BA_PROC_EXITED,	  /* status */
	BA_PROC_SIGNALED, /* signal */
	BA_PROC_TIMEOUT,  /* ran past its limit; was killed */
	BA_PROC_KILLED,	  /* ba_proc_kill */
	BA_PROC_STUCK	  /* does not die, not even of SIGKILL: stuck in the kernel */
} ba_proc_end;

typedef struct ba_proc_result {
	ba_proc_end end;
	int status; /* of exit, where EXITED */
	int signal; /* where SIGNALED, TIMEOUT or KILLED; 0 if it still exited */
	int64_t limit_ns;
	int64_t wall_ns, user_ns, system_ns;
	uint64_t max_rss_bytes;
	ba_buf out, err;		   /* as captured */
	uint64_t out_dropped, err_dropped; /* bytes the ceilings cost */
	uint64_t log_dropped;
	int log_errno; /* the log could not be written (a full disk): why; else 0 */
	unsigned left_running; /* processes it left behind; all killed */
	char left_names[96];   /* their names: "sleep, sccache" */
} ba_proc_result;

void ba_proc_result_dispose(ba_proc_result *r);
BA_DEFINE_AUTO(ba_proc_result, ba_proc_result_dispose)
bool ba_proc_result_ok(const ba_proc_result *r); /* exited with status 0 */
/* "exited with status 3", "killed by signal 11 (SIGSEGV)", "ran past its limit of 10m"
 */
void ba_proc_result_text(ba_buf *out, const ba_proc_result *r);
/* "SIGSEGV", or "signal 77" for one without a name */
void ba_signal_name(char out[24], int number);

/* Run to its end. An error means that it could not be started, or an interruption (the
 * child is dead then); how it ended is in the result. BA_ENOTFOUND: no such program or
 * directory. *out must be zeroed or a result of an earlier run. */
int ba_proc_run(ba_proc_result *out, const ba_proc_spec *spec, ba_error *err);

typedef struct ba_proc ba_proc;

int ba_proc_start(ba_proc **out, const ba_proc_spec *spec, ba_error *err);
/* Kills (SIGKILL) and reaps what still runs. NULL is fine. */
void ba_proc_free(ba_proc *p);
BA_DEFINE_AUTO_PTR(ba_proc, ba_proc_free)

pid_t ba_proc_pid(const ba_proc *p);
const char *ba_proc_name(const ba_proc *p);
/* What is known now; output kept so far is in it. Valid until the next call for p. */
const ba_proc_result *ba_proc_result_of(ba_proc *p);
bool ba_proc_ended(const ba_proc *p);

/* SIGTERM to the group now, SIGKILL after grace_ns (0: SIGKILL at once). Returns at
 * once; wait for the end with one of the calls below. */
void ba_proc_kill(ba_proc *p, int64_t grace_ns);

/* Let all n run for at most timeout_ns (negative: without end); *ended is the index of
 * the first that has ended and whose end was not yet returned by this function. NULLs
 * among `procs` are passed over. BA_ETIMEOUT, BA_EINTERRUPTED. */
int ba_proc_poll(size_t *ended, ba_proc *const *procs, size_t n, int64_t timeout_ns,
	ba_error *err);
/* Until it ends. BA_ETIMEOUT: it still runs. */
int ba_proc_wait(ba_proc *p, int64_t timeout_ns, ba_error *err);

/* The next line the child writes to its reply_fd, without the newline, replaces *line.
 * BA_ETIMEOUT: none came in time (the child lives on); BA_EWORKER: it ended, or closed
 * the channel, the sentence says how; BA_EPROTOCOL: a line beyond the ceiling, or one
 * cut off by the end. */
int ba_proc_read_line(ba_proc *p, int64_t timeout_ns, ba_buf *line, ba_error *err);
/* All of it to the child's request_fd. BA_ETIMEOUT, BA_EWORKER as above. */
int ba_proc_write(
	ba_proc *p, const void *data, size_t size, int64_t timeout_ns, ba_error *err);
/* Close our end of request_fd: the child reads its end of file. */
void ba_proc_close_request(ba_proc *p);

/* The program as execvp would find it in `path` ("/usr/bin:/bin"); names with a slash
 * are taken from `dir`. Caller frees *out. BA_ENOTFOUND. */
int ba_proc_find_program(char **out, const char *program, const char *path,
	const char *dir, ba_error *err);

#endif
