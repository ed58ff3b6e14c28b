/*
 * A slot: one worker and the variants that it holds. Here is the conversation with it: a
 * request, the messages before the answer, the answer, and what it means if the worker dies
 * instead. If the worker is a variant's program, whatever it does wrong is a failure of
 * that variant. Only for the files of the engines.
 */
#pragma once

#include "engine/link.h"
#include "engine/spec.h"
#include "engine/survey.h"
#include "model/metric.h"

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
	/* of its process, by metric from BA_METRIC_START on (start.c); 0: unknown. Then: since
	 * when the next one is timed, and the processor time until then */
	double starts[BA_METRIC_COUNT - BA_METRIC_START];
	int64_t since_ns;
	double since_cpu_ns;
	int socket; /* the host's end of the socket for descriptors, or 0 */
} ba_worker_slot;

/* Receives each message before the answer. variants[0..n-1] belong to the slot. Returns 0, or
 * BA_EPROTOCOL if the message makes no sense. */
typedef struct ba_hearer {
	int (*hear)(
		void *data, const ba_message *m, const size_t *variants, size_t n, ba_error *err);
	void *data;
} ba_hearer;

/* puts them into the survey; NULL: ignores them */
ba_hearer ba_survey_hearer(ba_survey *survey);

/* Sends a request of these fields, and waits for the answer of type `reply_type`. The first
 * "failed" message fills *failure and decides the result: BA_EVARIANT if it names a variant. So
 * does the end of the worker. Other codes: the run cannot continue. */
int ba_worker_slot_request(ba_worker_slot *s, const char *type, const ba_say *fields, size_t count,
	const char *reply_type, ba_message *reply, ba_hearer h, ba_failure *f);
/* Its two halves, to let several workers work at the same time. The first ends the message. */
int ba_worker_slot_send(ba_worker_slot *s, ba_buf *message, ba_failure *f);
int ba_worker_slot_await(
	ba_worker_slot *s, const char *type, ba_message *out, ba_hearer h, ba_failure *f);
/* rc of a link's function: the end of the worker is a failure, as above */
int ba_worker_slot_fail(ba_worker_slot *s, int rc, ba_failure *f);
/* The worker's answer makes no sense: ends a program, whose variant fails. */
int ba_worker_slot_reject(ba_worker_slot *s, const ba_error *why, ba_failure *f);
/* A request without fields, whose answer has none either. */
int ba_worker_slot_ask(ba_worker_slot *s, const char *type, const char *reply_type,
	ba_survey *survey, ba_failure *f);

/* Ends its worker, if there is one. */
void ba_worker_slot_end(ba_worker_slot *s);

/* Lets the worker open the device; survey may be NULL. */
int ba_worker_slot_open_device(ba_worker_slot *s, ba_survey *survey, ba_failure *f);
/* its halves */
int ba_worker_slot_ask_device(ba_worker_slot *s, ba_failure *f);
int ba_worker_slot_hear_device(ba_worker_slot *s, ba_survey *survey, ba_failure *f);
