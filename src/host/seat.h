/*
 * A seat is one worker of the tool's own and the variants that it holds. Here is the
 * conversation with it: a request, the news that come before the answer, the answer, and
 * what it means when the worker dies instead. Private to the engines; what is said to a
 * worker that is a variant's program is in host/program.h.
 */
#ifndef HOST_SEAT_H
#define HOST_SEAT_H

#include "host/engine.h"

typedef struct ba_seat {
	ba_link *link;
	size_t *variants; /* indices of the run's, in the worker's order */
	size_t count;
} ba_seat;

/* Hears each message before the answer. variants[0..n-1]: the seat's. */
typedef struct ba_hearer {
	void (*hear)(void *data, const ba_message *m, const size_t *variants, size_t n);
	void *data;
} ba_hearer;

/* into the survey; of NULL: nobody hears */
ba_hearer ba_survey_hearer(ba_survey *survey);

/* Ends the message, sends it, and waits for the answer of that type. The first "failed"
 * is in *failure and decides the result, BA_EVARIANT where it names a variant; so is the
 * end of the worker. Other codes: the run cannot go on. */
int ba_seat_request(ba_seat *s, ba_buf *message, const char *reply_type,
	ba_message *reply, const ba_engine_spec *spec, ba_hearer h, ba_failure *failure,
	ba_error *err);
/* the same of a message without fields, where the answer says nothing either */
int ba_seat_ask(ba_seat *s, const char *type, const char *reply_type,
	const ba_engine_spec *spec, ba_survey *survey, ba_failure *failure,
	ba_error *err);

/* The worker opens the device; survey may be NULL. */
int ba_seat_open_device(ba_seat *s, const ba_engine_spec *spec, ba_survey *survey,
	ba_failure *failure, ba_error *err);

#endif
