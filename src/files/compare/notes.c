/* Sentences beside the table: what the files contain, and which claims they support. */

#include "compare/comparing.h"

/* a larger ratio of the arithmetic to the geometric mean is reported */
#define MEANS_APART 1.05

typedef struct census {
	size_t benchmarks, count[BA_LEVEL_COUNT];
	size_t least[BA_LEVEL_COUNT], most[BA_LEVEL_COUNT]; /* values of one */
} census;

static census census_of(const ba_collection *c, size_t variant)
{
	census s = {0};
	for (size_t row = 0; row < c->ledger.count; row++) {
		const ba_entry *e = ba_ledger_entry(&c->ledger, row, variant);
		ba_standing standing = ba_standing_of(c, row, variant);
		size_t n = standing.values->n, level = standing.level;
		s.benchmarks += e->file != 0;
		if (!n || e->missing)
			continue;
		s.least[level] = s.count[level] && s.least[level] < n ? s.least[level] : n;
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
			ba_buf_printf(out, "%s%s", last ? ", " : "", c->files[i].format->title);
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
	ba_buf_printf(&text, "%s: ", r->run.variants[variant].label);
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
				? ba_plural(s.most[level], "group of samples of one process",
					  "groups of samples of one process")
				: ba_level_words((ba_level)level, s.most[level]));
	}
	ba_strv_push(&r->run.notes, text.data);
}

/* The lowest level that any verdict rests on limits what all verdicts can claim. */
static void note_claim(ba_result *r, const ba_collection *c)
{
	static const char *const claims[BA_LEVEL_COUNT] = {
		[BA_LEVEL_SUMMARY] =
			"verdicts on summaries only compare the ratio with the threshold: they have no error rate",
		[BA_LEVEL_BATCH] =
			"each side is one process, cut into groups: differences between processes (layout, allocation, clocks) affect the ratios, but no interval covers them; several files of each variant would show them",
		[BA_LEVEL_REPETITION] =
			"each side is one process: differences between processes (layout, allocation, clocks) affect the ratios, but no interval covers them; several files of each variant would show them",
		[BA_LEVEL_PROCESS] =
			"the variants were measured at different times: changes of the system in between affect the ratios, but no interval covers them; a run of bench-against interleaves the variants",
	};
	if (c->claim < BA_LEVEL_COUNT)
		ba_strv_push(&r->run.notes, claims[c->claim]);
}

typedef struct direction_note {
	uint16_t metric;
	bool higher;
	uint8_t direction;
	size_t first, count; /* rows */
} direction_note;

enum { NOTES_MOST = 12 };

static void put_direction(ba_result *r, const ba_collection *c, const direction_note *n, bool mixed)
{
	static const char *const why[] = {
		[BA_DIRECTION_OPEN] =
			", which is an assumption: set it with --higher-is-better or --lower-is-better",
		[BA_DIRECTION_OF_UNIT] = ", as its name says",
		[BA_DIRECTION_SAID] = ", as the file or an option says",
	};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text, "of '%s', %s is better%s", c->ledger.metrics.items[n->metric],
		n->higher ? "more" : "less", why[n->direction]);
	if (mixed)
		ba_buf_printf(&text, ": %s", ba_ledger_id(&c->ledger, n->first));
	if (mixed && n->count > 1)
		ba_buf_printf(&text, " and %zu more", n->count - 1);
	ba_strv_push(&r->run.notes, text.data);
}

/* "of MB/s, more is better, as its name says": once for each metric and direction */
static void note_directions(ba_result *r, const ba_collection *c)
{
	direction_note notes[NOTES_MOST];
	size_t n = 0;
	for (size_t i = 0; i < c->ledger.count; i++) {
		const ba_row *row = ba_ledger_at(&c->ledger, i);
		size_t k = 0;
		while (k < n && (notes[k].metric != row->metric ||
					notes[k].higher != row->higher_is_better ||
					notes[k].direction != row->direction))
			k++;
		if (row->is_time || k == NOTES_MOST)
			continue;
		if (k == n)
			notes[n++] = (direction_note){
				row->metric, row->higher_is_better, row->direction, i, 0};
		notes[k].count++;
	}
	for (size_t i = 0; i < n; i++) {
		bool mixed = BA_ANY(notes, n, x, x != &notes[i] && x->metric == notes[i].metric);
		put_direction(r, c, &notes[i], mixed);
	}
}

/* A copied file does not count as another measurement. */
static void warn_of_copies(ba_result *r, const ba_collection *c)
{
	for (size_t i = 0; i < c->spec->source_count; i++)
		for (size_t k = 0; k < i; k++) {
			const ba_origin_file *a = &c->files[k], *b = &c->files[i];
			if (!b->fingerprint || a->fingerprint != b->fingerprint)
				continue;
			ba_strv_printf(&r->run.env.warnings,
				"'%s%s%s' and '%s%s%s' have the same values, to the last digit: one seems to be a copy of the other%s",
				a->source->path, a->source->part ? "#" : "",
				a->source->part ? a->source->part : "", b->source->path,
				b->source->part ? "#" : "", b->source->part ? b->source->part : "",
				b->format && !strcmp(b->format->name, "criterion")
					? " (Criterion copies 'new' to 'base' after each run)"
					: "");
			return;
		}
}

/* "2 readings of 387 are 0": a geometric mean excludes zeros */
static void note_zeros(ba_result *r, const ba_collection *c)
{
	size_t zeros = 0, benchmarks = 0, first = 0, n = c->ledger.variants;
	for (size_t i = 0; i < c->ledger.count * n; i++) {
		const ba_entry *e = ba_ledger_entry(&c->ledger, i / n, i % n);
		if (!e->zeros || e->zeros == e->samples)
			continue;
		first = benchmarks++ ? first : i / n;
		zeros += e->zeros;
	}
	if (!zeros)
		return;
	BA_AUTO_FREE char *id = ba_text_safe(ba_ledger_id(&c->ledger, first));
	ba_strv_printf(&r->run.notes,
		"the geometric means leave out %zu %s of 0 (a time of 0 is below the step of its clock): %s%s",
		zeros, ba_plural(zeros, "value", "values"), id,
		benchmarks > 1 ? " and others" : "");
}

/* both means of one side; 0: the side has no values */
typedef struct means {
	double arithmetic, log_geometric;
} means;

static means means_of(const ba_collection *c, size_t row, size_t variant)
{
	const ba_entry *e = ba_ledger_entry(&c->ledger, row, variant);
	const ba_moments *m = ba_standing_of(c, row, variant).values;
	bool both = !e->missing && e->samples && m->n && e->mean > 0;
	return both ? (means){e->mean, m->mean} : (means){0};
}

static void put_means(
	ba_result *r, const ba_collection *c, size_t count, size_t row, size_t variant)
{
	means base = means_of(c, row, 0), at = means_of(c, row, variant),
	      other = variant ? at : means_of(c, row, 1);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *id = ba_text_safe(ba_ledger_id(&c->ledger, row));
	ba_buf_printf(&text,
		"in %zu %s, the arithmetic mean differs from the mean shown by more than 5 %%, because a few values lie far from the rest: %s of %s has %.4g, and %.4g is shown",
		count, ba_plural(count, "benchmark", "benchmarks"), id,
		r->run.variants[variant].label, at.arithmetic, exp(at.log_geometric));
	if (base.arithmetic > 0 && other.arithmetic > 0)
		ba_buf_printf(&text,
			"; the change is %+.3g %% of the arithmetic means, and %+.3g %% of the means shown",
			100 * (other.arithmetic / base.arithmetic - 1),
			100 * (exp(other.log_geometric - base.log_geometric) - 1));
	ba_strv_push(&r->run.notes, text.data);
}

/* Outliers move the arithmetic mean, not the geometric one. If they disagree, both are shown. */
static void note_means(ba_result *r, const ba_collection *c)
{
	double least = log(MEANS_APART), most = least;
	size_t count = 0, worst = 0, at = 0;
	for (size_t i = 0; i < c->ledger.count; i++) {
		bool apart = false;
		for (size_t v = 0; v < r->run.variant_count; v++) {
			means m = means_of(c, i, v); /* d: how far apart, as |log| */
			double d = m.arithmetic > 0 ? fabs(log(m.arithmetic) - m.log_geometric) : 0;
			apart = apart || d > least;
			if (d > most) {
				most = d;
				worst = i;
				at = v;
			}
		}
		count += apart;
	}
	if (count)
		put_means(r, c, count, worst, at);
}

void ba_compare_notes(ba_result *r, const ba_collection *c)
{
	warn_of_copies(r, c);
	for (size_t v = 0; v < r->run.variant_count; v++)
		note_variant(r, c, v);
	ba_collection_differences(&r->run.notes, c, false);
	note_claim(r, c);
	ba_strv_copy(&r->run.env.warnings, &c->warnings);
	if (c->left_out)
		ba_strv_printf(
			&r->run.notes, "left out %zu results that match no --filter", c->left_out);
	if (c->spec->metric)
		ba_strv_printf(&r->run.notes, "compared only the metric '%s'", c->spec->metric);
	note_directions(r, c);
	note_zeros(r, c);
	note_means(r, c);
}
