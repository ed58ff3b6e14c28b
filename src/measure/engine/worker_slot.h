/*
 * A slot: one worker of the tool and the variants that it holds. Here is the
 * conversation with it: a request, the messages before the answer, the answer, and what
 * it means if the worker dies instead. Only for the files of the engines.
 * engine/program.c talks to workers that are a variant's program.
 */
#pragma once

#include "engine/link.h"
#include "engine/spec.h"
#include "engine/survey.h"

typedef struct ba_worker_slot {
	ba_engine *engine; /* NULL: of none */
	const ba_engine_spec *spec;
	ba_link *link;
	/* The run's indices, in the worker's order. With several copies of each library
	 * they repeat: all first copies come first. */
	size_t *variants;
	size_t count;
	size_t copies; /* 1: none */
	/* for an untrusted worker: its last visit (SIZE_MAX: none), and its processor
	 * time when it answered; -1: unknown */
	size_t last_visit;
	int64_t cpu_ns;
	int socket; /* the host's end of the socket for descriptors, or 0 */
} ba_worker_slot;

/* Receives each message before the answer. variants[0..n-1] belong to the slot. */
typedef struct ba_hearer {
	void (*hear)(void *data, const ba_message *m, const size_t *variants, size_t n);
	void *data;
} ba_hearer;

/* puts them into the survey; NULL: ignores them */
ba_hearer ba_survey_hearer(ba_survey *survey);

/* Ends the message, sends it, and waits for the answer of that type. The first "failed"
 * message fills *failure and decides the result: BA_EVARIANT if it names a variant. So
 * does the end of the worker. Other codes: the run cannot continue. */
int ba_worker_slot_request(ba_worker_slot *s, ba_buf *message, const char *reply_type,
	ba_message *reply, ba_hearer h, ba_failure *f);
/* The two halves of ba_worker_slot_request, to let several workers work at the same
 * time. */
int ba_worker_slot_send(ba_worker_slot *s, ba_buf *message, ba_failure *f);
int ba_worker_slot_await(
	ba_worker_slot *s, const char *type, ba_message *out, ba_hearer h, ba_failure *f);
/* the same for a message without fields, whose answer has none either */
int ba_worker_slot_ask(ba_worker_slot *s, const char *type, const char *reply_type,
	ba_survey *survey, ba_failure *f);

/* Ends its worker, if there is one. */
void ba_worker_slot_end(ba_worker_slot *s);

/* Lets the worker open the device; survey may be NULL. */
int ba_worker_slot_open_device(ba_worker_slot *s, ba_survey *survey, ba_failure *f);
/* its halves */
int ba_worker_slot_ask_device(ba_worker_slot *s, ba_failure *f);
int ba_worker_slot_hear_device(ba_worker_slot *s, ba_survey *survey, ba_failure *f);
