/*
 * One worker process, seen from the host: requests out, replies in, and when it dies or
 * hangs, whose code it was in.
 */
#ifndef HOST_LINK_H
#define HOST_LINK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "wire/beacon.h"
#include "wire/message.h"

typedef struct ba_link ba_link;

typedef struct ba_link_spec {
	const char *worker;	/* path of the worker's executable */
	const char *name;	/* for messages */
	const char *const *env; /* NULL: ours */
	int64_t idle_limit_ns;	/* no sign of progress for so long: it hangs */
	const volatile sig_atomic_t *stop; /* may be NULL */
} ba_link_spec;

/* Spawned, and the versions agreed upon. */
int ba_link_start(ba_link **out, const ba_link_spec *spec, ba_error *err);
/* Kills it if it still runs. NULL is fine. */
void ba_link_free(ba_link *l);
BA_DEFINE_AUTO_PTR(ba_link, ba_link_free)

/* Ends the message and sends it. */
int ba_link_send(ba_link *l, ba_buf *message, ba_error *err);

/* The next message. BA_EWORKER: it died or hung; see ba_link_fate. BA_EPROTOCOL,
 * BA_EINTERRUPTED. */
int ba_link_receive(ba_message *out, ba_link *l, ba_error *err);

/* Asks it to end in order and waits for a moment; then kills. */
void ba_link_close(ba_link *l);

/* What became of a worker that is gone. */
typedef struct ba_fate {
	int variant; /* whose code ran, an index of the worker's, or BA_BEACON_NOBODY */
	uint32_t phase; /* ba_phase */
	bool hung;
} ba_fate;
ba_fate ba_link_fate(const ba_link *l);
/* "killed by signal 11 (SIGSEGV) while it was measured" */
char *ba_link_fate_text(ba_link *l);
/* the last lines it printed, sanitised; NULL if none. Caller frees. */
char *ba_link_output(ba_link *l);

#endif
