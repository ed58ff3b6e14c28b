/* What programs read about a comparison of code: JSON, SARIF, JUnit. */
#include "report/escape.h"
#include "report/machine/machine.h"
#include "store/code_document.h"

static void json(ba_buf *out, const ba_code_document *d, const ba_format_options *o)
{
	ba_fields_format(out, 2, &ba_code_document_fields, d);
}

/* ---- SARIF ---- */

static void put_result(ba_json_writer *w, const ba_code_pair *p)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_machine_put_name(&text, p, true);
	ba_buf_printf(&text, ": %s: ", ba_code_verdict_name(p->verdict));
	ba_machine_put_facts(&text, p);
	ba_json_put(w, "{ruleId: %s, level: %s, message: {text: %s}",
		ba_code_verdict_name(p->verdict), p->fails ? "error" : "note", text.data);
	ba_json_put(w, "locations: [{physicalLocation: {artifactLocation: {uri: %s}}}]}",
		ba_machine_file(p));
}

static void sarif(ba_buf *out, const ba_code_document *d, const ba_format_options *o)
{
	ba_json_writer w = ba_json_writer_to_buf(out, 2);
	ba_json_put(&w, "{$schema: 'https://json.schemastore.org/sarif-2.1.0.json'");
	ba_json_put(&w, "version: '2.1.0', runs: [{tool: {driver: {name: 'bench-against code'}}");
	ba_json_put(&w, "results: [");
	for (size_t i = 0; i < d->pair_count; i++)
		put_result(&w, &d->pairs[i]);
	ba_json_put(&w, "]}]}");
	ba_buf_putc(out, '\n');
}

/* ---- JUnit ---- */

static void junit(ba_buf *out, const ba_code_document *d, const ba_format_options *o)
{
	size_t failures = d->exit_status;
	for (size_t i = 0; i < d->pair_count; i++)
		failures += d->pairs[i].fails;
	ba_markup_printf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"machine code\" tests=\"%z\" failures=\"%z\">\n",
		d->pair_count + 1, failures);
	for (size_t i = 0; i < d->pair_count; i++) {
		const ba_code_pair *p = &d->pairs[i];
		BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT, facts = BA_BUF_INIT;
		ba_machine_put_name(&name, p, true);
		ba_buf_printf(&facts, "%s: ", ba_code_verdict_name(p->verdict));
		ba_machine_put_facts(&facts, p);
		ba_markup_printf(out, "<testcase classname=\"%m\" name=\"%m\">", ba_machine_file(p),
			name.data);
		if (p->fails)
			ba_markup_printf(out, "<failure message=\"%m\"/>",
				p->breaches ? p->breaches : facts.data);
		ba_markup_printf(out, "<system-out>%m</system-out></testcase>\n", facts.data);
	}
	ba_markup_printf(out, "<testcase classname=\"code\" name=\"answer\">");
	if (d->exit_status)
		ba_markup_printf(out, "<failure message=\"%m\"/>", d->answer);
	ba_markup_printf(out,
		"<system-out>%m</system-out></testcase>\n</testsuite>\n</testsuites>\n", d->answer);
}

/* ---- all ---- */

static const ba_machine_format formats[] = {
	{"term", ba_machine_term},
	{"json", json},
	{"markdown", ba_machine_markdown},
	{"html", ba_machine_html},
	{"junit", junit},
	{"sarif", sarif},
};

const ba_machine_format *ba_machine_format_named(const char *name)
{
	return BA_FIND(formats, BA_COUNT(formats), f, strcmp(f->name, name) == 0);
}
