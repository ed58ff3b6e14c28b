/* Sentences beside the table: what the files are, and what can be claimed from them. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "compare/unpaired.h"

typedef struct census {
	size_t benchmarks, count[BA_LEVEL_COUNT];
	size_t least[BA_LEVEL_COUNT], most[BA_LEVEL_COUNT]; /* values of one */
} census;

static census census_of(const ba_collection *c, size_t variant)
{
	census s = {0};
	for (size_t row = 0; row < c->ledger.count; row++) {
		const ba_entry *e =
			&c->ledger.entries[row * c->ledger.variants + variant];
		ba_standing standing = ba_standing_of(c, row, variant);
		size_t n = standing.values->n, level = standing.level;
		s.benchmarks += e->file != 0;
		if (!n || e->missing)
			continue;
		s.least[level] =
			s.count[level] && s.least[level] < n ? s.least[level] : n;
		s.most[level] = s.most[level] > n ? s.most[level] : n;
		s.count[level]++;
	}
	return s;
}

static void put_formats(ba_buf *out, const ba_collection *c, size_t variant)
{
	const ba_import_format *last = NULL;
	size_t files = 0;
	for (size_t i = 0; i < c->spec->source_count; i++) {
		if (c->files[i].variant != variant)
			continue;
		if (c->files[i].format && c->files[i].format != last)
			ba_buf_printf(out, "%s%s", last ? ", " : "",
				c->files[i].format->title);
		last = c->files[i].format;
		files++;
	}
	if (files > 1)
		ba_buf_printf(out, ", %zu files", files);
}

/* "base: Google Benchmark, 12 benchmarks, each with 6 repetitions in one process",
 * "new: NVBench, 12 benchmarks; 11 with 20 batches of one process, 1 with a summary only" */
static void note_variant(ba_result *r, const ba_collection *c, size_t variant)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	census s = census_of(c, variant);
	ba_buf_printf(&text, "%s: ", r->variants[variant].label);
	put_formats(&text, c, variant);
	ba_buf_printf(&text, ", %zu %s", s.benchmarks,
		ba_plural(s.benchmarks, "benchmark", "benchmarks"));
	bool first = true;
	for (int level = BA_LEVEL_COUNT - 1; level >= 0; level--) {
		if (!s.count[level])
			continue;
		bool all = s.count[level] == s.benchmarks;
		ba_buf_puts(&text, !first || all ? ", " : "; ");
		if (!all)
			ba_buf_printf(&text, "%zu", s.count[level]);
		else if (s.benchmarks > 1)
			ba_buf_puts(&text, "each");
		ba_buf_puts(&text, all && s.benchmarks == 1 ? "with " : " with ");
		first = false;
		if (level == BA_LEVEL_SUMMARY) {
			ba_buf_puts(&text, "a summary only");
			continue;
		}
		if (s.least[level] != s.most[level])
			ba_buf_printf(&text, "%zu to ", s.least[level]);
		ba_buf_printf(&text, "%zu %s", s.most[level],
			level == BA_LEVEL_BATCH
				? ba_plural(s.most[level],
					  "group of samples of one process",
					  "groups of samples of one process")
				: ba_level_words((ba_level)level, s.most[level]));
	}
	ba_strv_push(&r->notes, text.data);
}

/* The least that a verdict rests on decides what all of them can claim. */
static void note_claim(ba_result *r)
{
	static const char *const claims[BA_LEVEL_COUNT] = {
		[BA_LEVEL_SUMMARY] =
			"verdicts of summaries are ratios against the threshold: they have no error rate",
		[BA_LEVEL_BATCH] =
			"each side is one process, cut into groups: what differs from process to process (layout, allocation, clocks) is in the differences and in no interval; several files of each variant would show it",
		[BA_LEVEL_REPETITION] =
			"each side is one process: what differs from process to process (layout, allocation, clocks) is in the differences and in no interval; several files of each variant would show it",
		[BA_LEVEL_PROCESS] =
			"the variants were measured apart: what changed on the machine between them is in the differences and in no interval; a run of this tool interleaves them",
	};
	int least = BA_LEVEL_COUNT;
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 0; c + 1 < r->variant_count; c++) {
			const ba_comparison *k = &r->series[i].comparisons[c];
			ba_level level;
			if (k->level && ba_verdict_is_decided(k->verdict) &&
				ba_level_parse(&level, k->level) && (int)level < least)
				least = (int)level;
		}
	if (least < BA_LEVEL_COUNT)
		ba_strv_push(&r->notes, claims[least]);
}

void ba_compare_notes(ba_result *r, const ba_collection *c)
{
	for (size_t v = 0; v < r->variant_count; v++)
		note_variant(r, c, v);
	note_claim(r);
	for (size_t i = 0; i < c->warnings.count; i++)
		ba_strv_push(&r->env.warnings, c->warnings.items[i]);
	if (c->left_out)
		ba_strv_push_take(&r->notes,
			ba_xprintf("%zu results match no --filter", c->left_out));
	if (c->spec->metric)
		ba_strv_push_take(&r->notes,
			ba_xprintf("compared is the metric '%s'", c->spec->metric));
}
