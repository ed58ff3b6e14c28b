/*
 * One child process: its argv, environment, directory, descriptors, deadline, and how
 * it ended. Never a shell.
 *
 *     ba_proc_spec spec = {.argv = argv, .dir = tree, .limit_ns = 600 * BA_SECOND,
 *             .out = {BA_OUTPUT_TAIL, 64 << 10}, .err = {BA_OUTPUT_JOIN}};
 *     BA_AUTO(ba_proc_result) ba_proc_result result = {0};
 *     if (ba_proc_run(&result, &spec, err) < 0)     -- could not be started
 *             return ba_fail_context(err, "build");
 *     if (!ba_proc_result_ok(&result)) ...          -- it ran, and failed
 *
 * A child leads a process group of its own. Descriptors of ours that the spec does not
 * name are closed in the child.
 *
 * When a child ends, every process that it left running is killed: its group, and
 * processes that left the group. We adopt those orphans (PR_SET_CHILD_SUBREAPER, set by
 * the first start) and recognise them
 *
 *  - by a tag in their environment, BENCH_AGAINST_CHILD;
 *  - without the tag (`env -i setsid x`), once no other child can have left them, at
 *    the latest when the last child has ended.
 *
 * Children that a library forked in our own process group are left alone.
 *
 * The calling thread drives everything through ba_proc_poll, _wait, _read_line and
 * _write: between those calls nothing is read, and no deadline acts. Use a handle from
 * one thread only. A write to a dead child is an error, never SIGPIPE.
 */
#pragma once

#include "base/base.h"

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
	int fd;	      /* this process's descriptor, which stays open; the caller closes it */
	int child_fd; /* its number in the child */
} ba_proc_fd;

/* ba_proc_start borrows everything only while it runs, with two exceptions: stdin_data
 * must live until the child has ended, stop until the handle is freed. Zero means the
 * default. */
typedef struct ba_proc_spec {
	/* for messages; NULL: the base name of argv[0] */
	const char *name;
	/* NULL-terminated; argv[0] is looked up in env's PATH */
	const char *const *argv;
	/* NULL-terminated "NAME=value"; NULL: ours */
	const char *const *env;
	/* NULL: ours */
	const char *dir;
	/* NULL: stdin is /dev/null, unless `fds` says otherwise */
	const void *stdin_data;
	size_t stdin_size;
	ba_proc_output out, err;
	/* A file that receives captured output, too. It is emptied first unless
	 * log_append. At most log_ceiling bytes (0: 64 MiB); the rest is counted, and
	 * the log then ends with a sentence and the last lines. */
	const char *log_path;
	bool log_append;
	uint64_t log_ceiling;
	/* descriptor numbers in the child: a pipe it reads from, a pipe it writes
	 * lines to; 0: no pipe */
	int request_fd;
	int reply_fd;
	/* longest line of ba_proc_read_line; 0: 64 MiB */
	size_t line_ceiling;
	/* more descriptors to pass */
	const ba_proc_fd *fds;
	size_t fd_count;
	/* a child that runs longer is stopped; 0: no limit */
	int64_t limit_ns;
	/* between SIGTERM and SIGKILL; 0: 2 s */
	int64_t grace_ns;
	/* the child gets the same addresses each time: no address randomisation. If the
	 * system forbids that (some containers), the child is started anyway */
	bool fixed_addresses;
	/* argv is that of bubblewrap, whose grandchild is the program: ba_proc_pid is the
	 * program's, and a status of 128 + n its end by signal n */
	bool sandboxed;
	/* once it is non-zero, calls that wait soon return BA_EINTERRUPTED */
	const volatile sig_atomic_t *stop;
} ba_proc_spec;

typedef enum ba_proc_end {
	BA_PROC_RUNNING,  /* has not ended */
	BA_PROC_EXITED,	  /* status */
	BA_PROC_SIGNALED, /* signal */
	BA_PROC_TIMEOUT,  /* it ran past its limit and was killed */
	BA_PROC_KILLED,	  /* ba_proc_kill */
	BA_PROC_LOST,	  /* it ended, but other code took its exit status */
	BA_PROC_STUCK	  /* survives even SIGKILL: stuck in the kernel */
} ba_proc_end;

/* From that time (ba_now_ns) on, calls that wait return BA_EINTERRUPTED, as if *stop were set;
 * only for children with a `stop`. 0: no such time. */
void ba_proc_end_waits_at(int64_t ns);

typedef struct ba_proc_result {
	ba_proc_end end;
	int status; /* if EXITED: its exit status */
	int signal; /* if SIGNALED, TIMEOUT or KILLED; 0: it exited after all */
	int64_t limit_ns;
	int64_t wall_ns, cpu_ns; /* with the processes that it waited for */
	/* bytes that the largest of them had in memory; never below what this process had when it
	 * started it. 0: unknown */
	uint64_t memory_peak;
	ba_buf out, err;		   /* as captured */
	uint64_t out_dropped, err_dropped; /* bytes beyond the ceilings */
	uint64_t log_dropped;
	int log_errno;	       /* why the log could not be written (a full disk); else 0 */
	unsigned left_running; /* processes that it left behind; all are killed */
	char left_names[96];   /* their names: "sleep, sccache" */
} ba_proc_result;

void ba_proc_result_dispose(ba_proc_result *r);
/* exited with status 0 */
BA_DEFINE_AUTO(ba_proc_result, ba_proc_result_dispose)
bool ba_proc_result_ok(const ba_proc_result *r);
/* It failed at the limit on file sizes (RLIMIT_FSIZE) that this process has, too: by its
 * signal, or it says so. Whoever set the limit is to blame. */
bool ba_proc_result_hit_file_limit(const ba_proc_result *r);
/* "exited with status 3", "killed by signal 11 (SIGSEGV)", "ran past its limit of 10m" */
void ba_proc_result_text(ba_buf *out, const ba_proc_result *r);

/* Runs a child to its end; *out says how it ended. An error means that it could not be
 * started (BA_ENOTFOUND: no such program or directory) or that the wait was interrupted
 * (the child is then dead). *out must be zeroed or the result of an earlier run. */
int ba_proc_run(ba_proc_result *out, const ba_proc_spec *spec, ba_error *err);

typedef struct ba_proc ba_proc;
/* The same for one that was started: waits until it ends, and takes its result. */
int ba_proc_finish(ba_proc_result *out, ba_proc *p, ba_error *err);

int ba_proc_start(ba_proc **out, const ba_proc_spec *spec, ba_error *err);
/* Kills (SIGKILL) and reaps what still runs. NULL is fine. */
BA_DECLARE_FREE(ba_proc)

pid_t ba_proc_pid(const ba_proc *p);
const char *ba_proc_name(const ba_proc *p);
/* The state so far, with the captured output. Valid until the next call for p. */
const ba_proc_result *ba_proc_result_of(ba_proc *p);
bool ba_proc_ended(const ba_proc *p);

/* SIGTERM to the group now, SIGKILL after grace_ns (0: SIGKILL at once). Returns at
 * once; wait for the end with one of the calls below. */
void ba_proc_kill(ba_proc *p, int64_t grace_ns);

/* Lets all n run for at most timeout_ns (negative: without limit). *ended is the index
 * of the first that has ended and that this function has not yet returned. NULLs in
 * `procs` are skipped. BA_ETIMEOUT, BA_EINTERRUPTED. */
int ba_proc_poll(size_t *ended, ba_proc *const *procs, size_t n, int64_t timeout_ns, ba_error *err);
/* Waits until it ends. BA_ETIMEOUT: it still runs. */
int ba_proc_wait(ba_proc *p, int64_t timeout_ns, ba_error *err);

/* Replaces *line by the next line that the child writes to its reply_fd, without the
 * newline.
 *
 *     BA_ETIMEOUT   none came in time; the child lives on
 *     BA_EWORKER    the child ended or closed the channel; the sentence says how
 *     BA_EPROTOCOL  the line is longer than the ceiling, or the end cut it off
 *     BA_EIO        this process could not read the channel
 */
int ba_proc_read_line(ba_proc *p, int64_t timeout_ns, ba_buf *line, ba_error *err);
/* Would ba_proc_read_line return at once, with a line or an error? */
bool ba_proc_has_line(ba_proc *p);
/* Writes all of it to the child's request_fd. BA_ETIMEOUT, BA_EWORKER as above. */
int ba_proc_write(ba_proc *p, const void *data, size_t size, int64_t timeout_ns, ba_error *err);
/* Closes our end of request_fd: the child then reads end of file. */
void ba_proc_close_request(ba_proc *p);

/* "SEGV" of 11, on x86-64 and aarch64; NULL if the signal has no name. sigabbrev_np() knows
 * them, but only from glibc 2.32 on. */
const char *ba_signal_name(int number);

/* Where execvp would find the program in `path` ("/usr/bin:/bin"); a name with a slash
 * is relative to `dir`. Caller frees *out. BA_ENOTFOUND. */
int ba_proc_find_program(
	char **out, const char *program, const char *path, const char *dir, ba_error *err);
