/*
 * One worker process, seen from the host: sends requests, receives replies, and finds
 * out whose code ran when it died or hung.
 *
 * There are two kinds. The tool's own worker holds any number of variants and says
 * through the beacon whose code runs (docs/worker-protocol.md). A program of one
 * variant (docs/workers.md) is not trusted: if it writes something that is not a
 * message, it has failed, as if it had ended.
 */
#pragma once

#include "sandbox/sandbox.h"
#include "wire/beacon.h"
#include "wire/message.h"

typedef struct ba_link ba_link;

/* number of the descriptor in the worker */
#define BA_LINK_SOCKET_FD 6
#define BA_LINK_OVERDUE 10

typedef struct ba_link_spec {
	const char *worker; /* path of the worker's executable; not for a program */
	/* a program and its arguments, NULL-terminated, to which the worker's command is
	 * added; or NULL */
	const char *const *wrapper;
	/* for a program, else NULL: NULL-terminated; argv[0] is looked
	 * up in env's PATH */
	const char *const *argv;
	const char *dir;	   /* for a program */
	const char *name;	   /* for messages */
	const char *const *env;	   /* NULL: ours */
	bool fixed_addresses;	   /* as in ba_proc_spec */
	int socket;		   /* it gets this descriptor as BA_LINK_SOCKET_FD; 0: none */
	const ba_sandbox *sandbox; /* NULL: without one */
	int64_t idle_limit_ns;	   /* without progress for this long it hangs */
	/* for the tool's own worker, in which other code may report progress for ever.
	 * It also hangs if an answer takes BA_LINK_OVERDUE times as long from the
	 * request */
	bool doubted;
	const volatile sig_atomic_t *stop; /* may be NULL */
} ba_link_spec;

/* Starts the worker and agrees on the protocol version. */
int ba_link_start(ba_link **out, const ba_link_spec *spec, ba_error *err);
/* Only starts a program, so that the caller can ask what happened to it if the
 * handshake fails. Then _hail_program sends hello, and _hear_hello receives the answer,
 * unless it did that before; in between, other requests may be sent. */
int ba_link_start_program(ba_link **out, const ba_link_spec *spec, ba_error *err);
int ba_link_hail_program(ba_link *l, ba_error *err);
int ba_link_hear_hello(ba_link *l, ba_error *err);
bool ba_link_is_program(const ba_link *l);
/* The program's name from its hello; "" before that, or if it gave none. */
const char *ba_link_program_name(const ba_link *l);
/* Kills it if it still runs. NULL is fine. */
BA_DECLARE_FREE(ba_link)

/* Completes the message and sends it. */
int ba_link_send(ba_link *l, ba_buf *message, ba_error *err);

/* The next message. BA_EWORKER: it died or hung; see ba_link_end_of. BA_EPROTOCOL,
 * BA_EINTERRUPTED. If a program breaks the protocol, that is BA_EWORKER. */
int ba_link_receive(ba_message *out, ba_link *l, ba_error *err);

/* Would ba_link_receive return at once? */
bool ba_link_has_message(ba_link *l);

/* Ends a program whose message makes no sense; `fmt` says what was wrong. Returns
 * BA_EWORKER. */
int ba_link_reject(ba_link *l, ba_error *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Asks the worker to end. NULL is fine, here and below. */
void ba_link_ask_to_end(ba_link *l);
/* The same unless it was asked already; waits briefly, then kills it. */
void ba_link_close(ba_link *l);

/* What happened to a worker that ended. */
typedef struct ba_link_end {
	int variant;	/* whose code ran: the worker's index, or BA_BEACON_NOBODY */
	uint32_t phase; /* ba_phase */
	bool hung;
	/* the variant's code closed or replaced the pipes to the host */
	bool channel_lost;
	bool file_limit; /* the limit on file sizes is the cause, not a variant */
} ba_link_end;
ba_link_end ba_link_end_of(const ba_link *l);
/* "killed by signal 11 (SIGSEGV) while it was measured"; for a program "... before it
 * answered 'measure'" */
char *ba_link_end_text(ba_link *l);
/* the last lines that it printed, sanitised; NULL if none. Caller frees. */
char *ba_link_output(ba_link *l);
/* What the witness in its page has seen so far; zero for a program. */
ba_witness ba_link_witness(const ba_link *l);
/* Times by the host's clock: just before the last request was written, and after the
 * last message was read. */
typedef struct ba_link_times {
	int64_t asked_ns, heard_ns;
} ba_link_times;
ba_link_times ba_link_times_of(const ba_link *l);
/* of the started process */
long ba_link_pid(const ba_link *l);
