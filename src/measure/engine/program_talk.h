/*
 * A conversation with a variant's program (docs/workers.md). Errors in its messages are
 * failures of that variant. Only for the files that talk to programs.
 */
#pragma once

#include "engine/row.h"

/* One conversation: the program, and where errors go. */
typedef struct ba_talk {
	ba_link *link;
	const ba_engine_spec *spec;
	size_t variant;
	ba_failure *f;
	/* receives messages before the answer; returns 0, or BA_EPROTOCOL if one makes
	 * no sense */
	int (*hear)(void *data, const ba_message *m, ba_error *err);
	void *data;
} ba_talk;

ba_talk ba_talk_with(const ba_worker_slot *s, ba_failure *f);

/* BA_EVARIANT with the failure filled; takes `text`. gone: the process can no longer be
 * used */
int ba_talk_fail_variant(const ba_talk *t, char *text, bool gone);
/* rc of a link's function: an error of the program is the variant's failure */
int ba_talk_fail_link(const ba_talk *t, int rc);
/* ends a program whose message makes no sense */
int ba_talk_reject(const ba_talk *t, const ba_error *why);
int ba_talk_send(const ba_talk *t, ba_buf *request);
/* Receives messages until the one that ends the answer. */
int ba_talk_hear(const ba_talk *t, const char *ends_with, ba_message *reply);
/* sends the request first */
int ba_talk_ask(const ba_talk *t, ba_buf *request, const char *ends_with, ba_message *reply);
