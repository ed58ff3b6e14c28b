/* What programs read about a comparison of code: JSON, SARIF, lists. */
#include "codediff/codediff.h"

#include <math.h>

#include "json/writer.h"

#define FORMAT "bench-against.code/1"

/* ---- JSON ---- */

static void put_side(ba_json_writer *w, const char *key, const ba_code_side *s)
{
	ba_json_open_object(w, key);
	ba_json_write_string(w, "label", s->label);
	ba_json_write_u64(w, "kernels", s->kernels.count);
	ba_json_open_row(w, "toolkits");
	for (size_t i = 0; i < s->toolkits.count; i++)
		ba_json_write_string(w, NULL, s->toolkits.items[i]);
	ba_json_close(w);
	ba_json_close(w);
}

static void put_metrics(ba_json_writer *w, const ba_code_pair *p)
{
	ba_json_open_object(w, "metrics");
	for (int m = 0; m < BA_CODE_METRIC_COUNT; m++) {
		if (isnan(p->values[0][m]) && isnan(p->values[1][m]))
			continue;
		ba_json_open_row(w, ba_code_metric_get((ba_code_metric)m)->name);
		ba_json_write_f64(w, NULL, p->values[0][m]);
		ba_json_write_f64(w, NULL, p->values[1][m]);
		ba_json_close(w);
	}
	ba_json_close(w);
}

static void put_pair(ba_json_writer *w, const ba_codediff *d, const ba_code_pair *p)
{
	const ba_kernel_code *base = ba_code_kernel(d, p, 0), *mine = ba_code_kernel(d, p, 1);
	const ba_kernel_code *k = mine ? mine : base;
	ba_json_open_object(w, NULL);
	ba_json_write_string(w, "kernel", p->whole_name);
	ba_json_write_string(w, "symbol", k->name);
	ba_json_write_string(w, "target", k->target);
	ba_json_write_bool(w, "ptx", k->is_ptx);
	ba_json_write_string(w, "verdict", ba_code_verdict_name(p->verdict));
	ba_json_write_bool(w, "fails", p->fails);
	ba_json_write_bool(w, "allowed", p->allowed);
	ba_json_write_string(w, "reason", p->why);
	ba_json_write_string(w, "exceeds", p->breaches);
	if (p->verdict == BA_CODE_RENAMED)
		ba_json_write_string(w, "was", p->was);
	if (base)
		ba_json_write_string(w, "baseline_file", ba_code_file_of(d, p, 0)->path);
	if (mine)
		ba_json_write_string(w, "candidate_file", ba_code_file_of(d, p, 1)->path);
	ba_json_write_u64(w, "copies", p->copies);
	put_metrics(w, p);
	ba_json_close(w);
}

static void put_counts(ba_json_writer *w, const ba_codediff *d)
{
	ba_json_open_object(w, "counts");
	for (int v = 0; v < BA_CODE_VERDICT_COUNT; v++)
		ba_json_write_u64(w, ba_code_verdict_name((ba_code_verdict)v), d->counts[v]);
	ba_json_close(w);
}

static void put_sizes(ba_json_writer *w, const ba_codediff *d)
{
	ba_json_open_array(w, "sizes");
	for (size_t i = 0; i < d->size_count; i++) {
		const ba_code_size *s = &d->sizes[i];
		ba_json_open_object(w, NULL);
		ba_json_write_string(w, "metric", ba_code_metric_get(s->metric)->name);
		ba_json_write_string(w, "of", s->name);
		ba_json_write_f64(w, "baseline", s->values[0]);
		ba_json_write_f64(w, "candidate", s->values[1]);
		ba_json_write_bool(w, "fails", s->fails);
		ba_json_close(w);
	}
	ba_json_close(w);
}

int ba_codediff_json(ba_buf *out, const ba_codediff *d, ba_error *err)
{
	ba_json_writer w;
	ba_json_writer_to_buf(&w, out, 2);
	ba_json_open_object(&w, NULL);
	ba_json_write_string(&w, "format", FORMAT);
	ba_json_write_string(&w, "answer", d->answer);
	ba_json_write_u64(&w, "exit_status", d->failures ? 1 : 0);
	put_side(&w, "baseline", &d->sides[0]);
	put_side(&w, "candidate", &d->sides[1]);
	put_counts(&w, d);
	ba_json_open_array(&w, "kernels");
	for (size_t i = 0; i < d->pair_count; i++)
		if (d->pairs[i].verdict != BA_CODE_SAME)
			put_pair(&w, d, &d->pairs[i]);
	ba_json_close(&w);
	put_sizes(&w, d);
	ba_json_open_array(&w, "notes");
	for (size_t i = 0; i < d->notes.count; i++)
		ba_json_write_string(&w, NULL, d->notes.items[i]);
	ba_json_close(&w);
	ba_json_close(&w);
	BA_TRY(ba_json_writer_finish(&w, err));
	ba_buf_putc(out, '\n');
	return 0;
}

/* ---- SARIF ---- */

static void put_result(ba_json_writer *w, const ba_codediff *d, const ba_code_pair *p)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_code_put_name(&text, d, p, true);
	ba_buf_printf(&text, ": %s: ", ba_code_verdict_name(p->verdict));
	ba_code_put_facts(&text, d, p);
	ba_json_open_object(w, NULL);
	ba_json_write_string(w, "ruleId", ba_code_verdict_name(p->verdict));
	ba_json_write_string(w, "level", p->fails ? "error" : "note");
	ba_json_open_object(w, "message");
	ba_json_write_string(w, "text", text.data);
	ba_json_close(w);
	ba_json_open_array(w, "locations");
	ba_json_open_object(w, NULL);
	ba_json_open_object(w, "physicalLocation");
	ba_json_open_object(w, "artifactLocation");
	ba_json_write_string(w, "uri", ba_code_file_of(d, p, p->mine == SIZE_MAX ? 0 : 1)->path);
	for (int i = 0; i < 5; i++)
		ba_json_close(w);
}

int ba_codediff_sarif(ba_buf *out, const ba_codediff *d, ba_error *err)
{
	ba_json_writer w;
	ba_json_writer_to_buf(&w, out, 2);
	ba_json_open_object(&w, NULL);
	ba_json_write_string(&w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	ba_json_write_string(&w, "version", "2.1.0");
	ba_json_open_array(&w, "runs");
	ba_json_open_object(&w, NULL);
	ba_json_open_object(&w, "tool");
	ba_json_open_object(&w, "driver");
	ba_json_write_string(&w, "name", "bench-against code");
	ba_json_close(&w);
	ba_json_close(&w);
	ba_json_open_array(&w, "results");
	for (size_t i = 0; i < d->pair_count; i++)
		if (d->pairs[i].verdict != BA_CODE_SAME)
			put_result(&w, d, &d->pairs[i]);
	for (int i = 0; i < 4; i++)
		ba_json_close(&w);
	BA_TRY(ba_json_writer_finish(&w, err));
	ba_buf_putc(out, '\n');
	return 0;
}
