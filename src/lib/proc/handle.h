/* The content of a ba_proc; only for the files of this module. */
#pragma once

#include "proc/proc.h"

static inline void ba_handle_close(int *fd) /* -1 is fine, and is left there */
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* One captured stream. A tail keeps up to twice its ceiling between trims. */
typedef struct ba_capture {
	int fd; /* read end; -1: not captured, or at its end */
	ba_output_mode mode;
	size_t ceiling;
	ba_buf *text;	   /* in the result */
	uint64_t *dropped; /* in the result */
} ba_capture;

typedef enum ba_proc_stage {
	BA_PROC_STAGE_RUNNING,
	BA_PROC_STAGE_TERMINATING, /* SIGTERM was sent; SIGKILL follows at kill_at_ns */
	BA_PROC_STAGE_DYING,	   /* SIGKILL was sent; given up at give_up_ns */
	BA_PROC_STAGE_LINGERING,   /* it ended; processes that it left have time to end */
	BA_PROC_STAGE_ENDED
} ba_proc_stage;

/* How long the processes that a child left have had to end by themselves. Time counts
 * only while they sleep or run: a process that waits for a processor, or is stopped,
 * gets its time later. */
typedef struct ba_linger {
	int64_t looked_ns;  /* when they were last examined */
	int64_t used_ns;    /* of LINGER_NS */
	int64_t give_up_ns; /* absolute: the end of waiting in any case */
	unsigned long long ticks;
} ba_linger;

/* What the processes that a child left are doing. */
typedef struct ba_leftovers {
	unsigned count;
	bool waiting;		  /* one is runnable, or stopped */
	unsigned long long ticks; /* processor time of all, in clock ticks */
} ba_leftovers;

struct ba_proc {
	pid_t pid;
	int pidfd;	/* -1: not supported by the kernel, so we poll */
	bool sandboxed; /* as in the spec */
	bool reaped;
	bool reported; /* ba_proc_poll has returned it */
	char *name;
	char tag[48];			  /* BENCH_AGAINST_CHILD=... */
	ba_proc *next;			  /* in reap.c's list of those not reaped */
	unsigned long long started_ticks; /* on the clock of /proc/PID/stat */
	ba_proc_stage stage;
	ba_proc_end cause; /* why it was killed: TIMEOUT, KILLED; else RUNNING */
	int64_t started_ns, deadline_ns, kill_at_ns, give_up_ns, grace_ns;
	ba_linger linger;
	ba_capture out, err;
	int log_fd;
	uint64_t log_bytes, log_ceiling;
	int stdin_fd;
	const char *stdin_data;
	size_t stdin_size;
	int request_fd, reply_fd;
	int reply_errno;      /* errno of the read that failed on reply_fd; 0: none did */
	ba_buf reply;	      /* bytes read from reply_fd */
	size_t reply_taken;   /* number of bytes that ba_proc_read_line returned */
	size_t reply_scanned; /* how many bytes after reply_taken were searched and
				 * hold no newline: the next search begins behind them */
	size_t line_ceiling;
	const volatile sig_atomic_t *stop;
	ba_proc_result result;
};

#define BA_PROC_TAG "BENCH_AGAINST_CHILD="
#define BA_FOREVER INT64_MAX
/* a child that survives SIGKILL for this long is stuck */
#define BA_GIVE_UP_NS (10 * BA_SECOND)

/* handle.c: the absolute time of a timeout; a negative one means for ever */
int64_t ba_moment(int64_t timeout_ns);

/* channel.c: write() to a pipe. If the reader is gone, it fails with EPIPE and raises no SIGPIPE. */
ssize_t ba_pipe_write(int fd, const void *data, size_t size);

/* spawn.c: sets pid, pidfd and our ends of the pipes */
int ba_proc_spawn(ba_proc *p, const ba_proc_spec *spec, ba_error *err);

/* pump.c: polls the descriptors of n children once, until something happens or until
 * the absolute time `until`. Serves what is ready and advances their stages.
 * BA_EINTERRUPTED. */
int ba_pump_step(ba_proc *const *procs, size_t n, int64_t until, ba_error *err);

/* capture.c */
void ba_capture_read(ba_proc *p, ba_capture *c); /* reads the available output */
void ba_capture_finish(ba_proc *p);		 /* reads the last bytes, trims, ends the log */

/* reap.c */
void ba_reap_adopt(void); /* become the parent of orphans */
/* p was started. From now until _forget, an orphan of unknown origin may belong to
 * p. */
void ba_reap_register(ba_proc *p);
void ba_reap_forget(ba_proc *p);
/* has the child ended? fills nothing and reaps nothing */
bool ba_reap_has_ended(const ba_proc *p);
/* collects the exit status; the child must have ended */
void ba_reap_collect(ba_proc *p);
/* the live processes that p left; also puts their number and names into p->result */
ba_leftovers ba_reap_leftovers(ba_proc *p);
/* Sends SIGKILL to the group and every leftover and reaps them, until none is left. */
void ba_reap_kill_leftovers(ba_proc *p);
