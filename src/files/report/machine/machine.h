/* A comparison of machine code in the formats of `bench-against code`. One list of
 * facts about a kernel serves all of them. */
#pragma once

#include "model/code_document.h"
#include "report/options.h"

typedef struct ba_machine_format {
	const char *name;
	void (*write)(ba_buf *out, const ba_code_document *d, const ba_format_options *o);
} ba_machine_format;

/* term, json, markdown, html, junit or sarif; NULL: there is no such format */
const ba_machine_format *ba_machine_format_named(const char *name);

/* "k<float, 4> sm_90"; whole: with parameters */
void ba_machine_put_name(ba_buf *out, const ba_code_pair *p, bool whole);
void ba_machine_put_size(ba_buf *out, const ba_code_size *s);
