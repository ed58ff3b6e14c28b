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

/* ---- names ---- */

static const ba_code_file *find(const ba_code_side *side, const char *path)
{
	while (ba_text_starts(path, "./"))
		path += 2;
	for (size_t i = 0; i < side->file_count; i++)
		if (strcmp(side->files[i].path, path) == 0)
			return &side->files[i];
	return NULL;
}

static bool is_same(const ba_code_file *a, const ba_code_file *b)
{
	return a && b && *a->runs && strcmp(a->runs, b->runs) == 0;
}

/* Is there a library in one side that the other has not, or with other code? Libraries
 * of suites are judged with their suites. */
static bool libraries_differ(const ba_codediff *d, const ba_suite_config *suites, size_t count)
{
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < d->sides[side].file_count; i++) {
			const ba_code_file *f = &d->sides[side].files[i];
			bool of_suite = false;
			for (size_t s = 0; s < count; s++)
				of_suite = of_suite ||
					   (suites[s].library &&
						   strcmp(suites[s].library, f->path) == 0);
			if (f->is_library && !of_suite &&
				!is_same(f, find(&d->sides[!side], f->path)))
				return true;
		}
	return false;
}

/* Device code in files of its own, which any program may load. */
static bool modules_differ(const ba_codediff *d)
{
	for (size_t i = 0; i < d->pair_count; i++) {
		const ba_code_pair *p = &d->pairs[i];
		const char *path = ba_code_file_of(d, p, p->mine == SIZE_MAX ? 0 : 1)->path;
		if (p->verdict != BA_CODE_SAME &&
			(ba_text_ends(path, ".cubin") || ba_text_ends(path, ".ptx") ||
				ba_text_ends(path, ".fatbin")))
			return true;
	}
	return false;
}

/* A suite whose program is not among the built files, such as a script, must be
 * measured: what it runs is not known. */
static bool suite_differs(const ba_codediff *d, const ba_suite_config *s)
{
	const char *path = s->library ? s->library : s->command.count ? s->command.items[0] : "";
	return !is_same(find(&d->sides[0], path), find(&d->sides[1], path));
}

void ba_codediff_list(
	ba_buf *out, const ba_codediff *d, const ba_suite_config *suites, size_t suite_count)
{
	bool all = suite_count && (libraries_differ(d, suites, suite_count) || modules_differ(d));
	for (size_t s = 0; s < suite_count; s++)
		if (all || suite_differs(d, &suites[s]))
			ba_buf_printf(out, "%s/*\n", suites[s].name);
	for (size_t i = 0; i < d->pair_count && !suite_count; i++)
		if (d->pairs[i].verdict != BA_CODE_SAME) {
			ba_code_put_name(out, d, &d->pairs[i], true);
			ba_buf_putc(out, '\n');
		}
}
