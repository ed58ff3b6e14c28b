/* A comparison of machine code in the formats of `bench-against code`. One list of
 * facts about a kernel (ba_machine_put_facts) serves all of them. */
#pragma once

#include "model/code_document.h"
#include "report/options.h"

typedef struct ba_machine_format {
	const char *name;
	void (*write)(ba_buf *out, const ba_code_document *d, const ba_format_options *o);
} ba_machine_format;

/* term, json, markdown, html, junit or sarif; NULL: there is no such format */
const ba_machine_format *ba_machine_format_named(const char *name);

void ba_machine_term(ba_buf *out, const ba_code_document *d, const ba_format_options *o);
void ba_machine_markdown(ba_buf *out, const ba_code_document *d, const ba_format_options *o);
void ba_machine_html(ba_buf *out, const ba_code_document *d, const ba_format_options *o);

/* "k<float, 4> sm_90"; whole: with parameters */
void ba_machine_put_name(ba_buf *out, const ba_code_pair *p, bool whole);
/* What there is to say about a pair, with "->" for arrows. */
void ba_machine_put_facts(ba_buf *out, const ba_code_pair *p);
void ba_machine_put_size(ba_buf *out, const ba_code_size *s);
/* of the candidate, else of the baseline */
const char *ba_machine_file(const ba_code_pair *p);
