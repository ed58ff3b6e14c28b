#include "compare/comparing.h"

#include "import/source.h"
#include "stats/quantile.h"

/* Neighbouring batches of one process are correlated. Means of ten groups of
 * consecutive batches are less so, and give a spread (batch means; Conway 1963). */
enum { GROUPS = 10 };

BA_OWNS(ba_collection, c,
	BA_FREE_EACH(file, c->files, c->spec->source_count,
		BA_FREE_EACH(f, file->fields, file->field_count, BA_FREE(f->name, f->value))),
	ba_ledger_dispose(&c->ledger), BA_DISPOSE(ba_strv, &c->labels, &c->warnings, &c->damages))

/* ---- records ------------------------------------------------------------- */

typedef struct reading {
	ba_collection *c;
	ba_origin_file *file;
	uint16_t number; /* number of the file, from 1 */
	ba_entry *entry; /* the entry of the record; NULL: no filter matches it */
	double *scratch;
	size_t scratch_capacity;
} reading;

static bool is_chosen(const ba_strv *filters, const char *id)
{
	return !filters || filters->count == 0 ||
	       BA_ANY(filters->items, filters->count, x, ba_text_glob(*x, id));
}

/* log(trim25) of each of some consecutive groups */
static void add_groups(ba_entry *e, reading *q, const ba_record *r)
{
	size_t groups = r->count < GROUPS ? r->count : GROUPS;
	q->scratch = BA_GROW(q->scratch, &q->scratch_capacity, r->count);
	memcpy(q->scratch, r->values, r->count * sizeof(*r->values));
	for (size_t g = 0; g < groups; g++) {
		size_t from = r->count * g / groups, to = r->count * (g + 1) / groups;
		double level = ba_trim25(q->scratch + from, to - from);
		if (level > 0)
			ba_moments_add(&e->values, log(level));
	}
}

static void add_values(ba_entry *e, reading *q, const ba_record *r)
{
	for (size_t i = 0; i < r->count; i++) {
		double x = r->values[i];
		e->samples += e->samples < UINT32_MAX;
		e->mean += (x - e->mean) / e->samples;
		e->min = e->samples == 1 || x < e->min ? x : e->min;
		e->zeros += x == 0;
	}
	if (r->level == BA_LEVEL_BATCH)
		add_groups(e, q, r);
	else
		for (size_t i = 0; i < r->count; i++)
			if (r->values[i] > 0)
				ba_moments_add(&e->values, log(r->values[i]));
}

/* Drops earlier records of this file at a lower level: a file may have the repetitions
 * beside their mean. Returns false if this record has the lower level. */
static bool make_room(ba_entry *e, const ba_record *r, bool fresh)
{
	if (fresh || e->level == r->level)
		return true;
	if (r->level < e->level)
		return false;
	e->values = (ba_moments){0};
	e->mean = 0;
	e->samples = e->zeros = 0;
	return true;
}

/* a failure takes precedence over a skip */
static void fail_entry(ba_ledger *l, ba_entry *e, const ba_record *r)
{
	bool first = !e->failure || (e->skipped && r->failure);
	e->missing = true;
	if (!first)
		return;
	BA_AUTO_FREE char *safe = ba_text_safe(r->failure ? r->failure : r->skipped);
	e->skipped = !r->failure;
	e->failure = ba_ledger_add_text(l, safe);
}

static void enter(reading *q, const ba_record *r)
{
	ba_entry *e = q->entry;
	bool fresh = e->file != q->number;
	e->file = q->number;
	if (r->failure || r->skipped) {
		fail_entry(&q->c->ledger, e, r);
		return;
	}
	if (!make_room(e, r, fresh && e->samples == 0))
		return;
	e->level = (uint8_t)r->level;
	e->median = e->samples ? 0 : r->median;
	add_values(e, q, r);
}

/* If a whole record's name appears again, it is another benchmark. */
static size_t row_of(reading *q, const char *name, const ba_record *r)
{
	ba_ledger *l = &q->c->ledger;
	size_t row = ba_ledger_row(l, name, r->metric);
	for (unsigned k = 2;
		r->whole && ba_ledger_entry(l, row, q->file->variant)->file == q->number; k++) {
		BA_AUTO_FREE char *id = ba_xprintf("%s #%u", name, k);
		row = ba_ledger_row(l, id, r->metric);
	}
	return row;
}

/* A metric of another tool that reports have no name for is shown as "time" or "value", so
 * the name of its benchmark says which: "perf stat/page-faults". */
static bool has_name(const reading *q, const ba_record *r)
{
	if (r->is_time && strcmp(r->metric, "time") == 0)
		return true;
	int known = ba_metric_from_name(r->metric);
	bool ours = ba_text_starts(q->file->format->name, "bench-against");
	return known >= 0 && (ours || ba_metric_get((ba_metric)known)->foreign);
}

static bool is_named(const ba_strv *globs, const ba_record *r)
{
	return globs && globs->count && (is_chosen(globs, r->metric) || is_chosen(globs, r->id));
}

/* The user's choice overrides the file. */
static void set_direction(const ba_collection *c, ba_row *to, const ba_record *r)
{
	to->higher_is_better = r->higher_is_better;
	to->direction = (uint8_t)r->direction;
	if (r->is_time)
		return;
	if (is_named(c->spec->higher, r) || is_named(c->spec->lower, r)) {
		to->higher_is_better = is_named(c->spec->higher, r);
		to->direction = BA_DIRECTION_SAID;
	}
}

static uint64_t mix(uint64_t h, const void *at, size_t size)
{
	uint64_t word = 0;
	memcpy(&word, at, size);
	h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 32;
}

static void add_fingerprint(ba_origin_file *f, const ba_record *r)
{
	uint64_t h = f->fingerprint;
	size_t size = r->count && !r->again ? strlen(r->id) : 0, i = 0;
	for (; i + 8 <= size; i += 8)
		h = mix(h, r->id + i, 8);
	if (!r->again)
		h = mix(h, r->id + i, size - i);
	for (size_t k = 0; k < r->count; k++)
		h = mix(h, &r->values[k], sizeof(*r->values));
	f->fingerprint = h;
}

/* A file of the measured program, read before, has names without the suite. NULL: no file has
 * the benchmark; else its name in there, a part of r->id, and r->metric is set. */
static const char *name_in_other(const reading *q, ba_record *r)
{
	const char *theirs = ba_metric_of_others(r->metric), *at = strchr(r->id, '/');
	if (!ba_text_starts(q->file->format->name, "bench-against") || !*theirs)
		return NULL;
	while (at && !ba_ledger_has(&q->c->ledger, at + 1, theirs))
		at = strchr(at + 1, '/');
	if (!at)
		return NULL;
	r->metric = theirs;
	return at + 1;
}

static int find_row(reading *q, ba_record *r, ba_error *err)
{
	const char *other = name_in_other(q, r);
	bool named = other || has_name(q, r);
	BA_AUTO_FREE char *own = named ? NULL : ba_xprintf("%s/%s", r->id, r->metric);
	const char *name = other ? other : named ? r->id : own;
	q->entry = NULL;
	const char *asked = q->c->spec->metric;
	/* it was asked for by its name in a file that does not have it */
	if (!other && asked && strcmp(asked, ba_metric_of_others(r->metric)) == 0)
		return 0;
	if (!is_chosen(q->c->spec->filters, r->id) && !is_chosen(q->c->spec->filters, name)) {
		q->c->left_out++;
		return 0;
	}
	BA_TRY(ba_ledger_check(&q->c->ledger, r->metric, q->file->source->path, err));
	ba_row *row = ba_ledger_at(&q->c->ledger, row_of(q, name, r));
	q->entry = &row->entries[q->file->variant];
	row->is_time = r->is_time;
	row->has_metric_name = named;
	set_direction(q->c, row, r);
	return 0;
}

static int take_record(void *data, const ba_record *record, ba_error *err)
{
	reading *q = data;
	ba_record mine = *record, *r = &mine;
	BA_TRY(r->again ? 0 : find_row(q, r, err));
	if (!q->entry)
		return 0;
	enter(q, r);
	add_fingerprint(q->file, r);
	return 0;
}

/* ---- fields -------------------------------------------------------------- */

#define JOINT " + "

/* Is it one of the joined values? "H100" is not among "H100 NVL". */
static bool is_among(const char *value, const char *joined)
{
	BA_AUTO_FREE char *one = ba_xprintf(JOINT "%s" JOINT, value);
	BA_AUTO_FREE char *all = ba_xprintf(JOINT "%s" JOINT, joined);
	return strstr(all, one) != NULL;
}

static void take_field(void *data, const char *name, const char *value, bool must_match)
{
	reading *q = data;
	ba_origin_file *f = q->file;
	for (size_t i = 0; i < f->field_count; i++) {
		if (strcmp(f->fields[i].name, name) != 0)
			continue;
		/* A file may name several devices or packages: append new ones. */
		BA_AUTO_FREE char *safe = ba_text_safe(value);
		if (is_among(safe, f->fields[i].value))
			return;
		ba_text_own(
			&f->fields[i].value, ba_xprintf("%s" JOINT "%s", f->fields[i].value, safe));
		return;
	}
	*BA_APPEND(f->fields, f->field_count) = (ba_field){
		.name = ba_text_safe(name), .value = ba_text_safe(value), .must_match = must_match};
}

static void take_warning(void *data, const char *text)
{
	reading *q = data;
	ba_strv_push(&q->c->warnings, text);
}

static void take_damage(void *data, const char *text)
{
	reading *q = data;
	ba_strv_printf(&q->c->damages, "'%s' %s", q->file->source->path, text);
}

static const ba_field *find_field(const ba_origin_file *f, const char *name)
{
	return BA_FIND(f->fields, f->field_count, x, strcmp(x->name, name) == 0);
}

const char *ba_collection_field(const ba_collection *c, const char *name)
{
	for (size_t i = 0; i < c->spec->source_count; i++) {
		const ba_field *f = find_field(&c->files[i], name);
		if (f)
			return f->value;
	}
	return "";
}

void ba_collection_differences(ba_strv *out, const ba_collection *c, bool must_match)
{
	const ba_origin_file *first = &c->files[0];
	for (size_t i = 1; i < c->spec->source_count; i++) {
		const ba_origin_file *f = &c->files[i];
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		BA_EACH (const ba_field, a, first->fields, first->field_count) {
			const ba_field *b = find_field(f, a->name);
			if (!b || (a->must_match && b->must_match) != must_match ||
				strcmp(a->value, b->value) == 0)
				continue;
			ba_buf_printf(&text, "%s%s ('%.100s' against '%.100s')",
				text.len ? ", " : "", a->name, a->value, b->value);
		}
		if (text.len)
			ba_strv_printf(out, "'%s' and '%s' differ in %s", first->source->path,
				f->source->path, text.data);
	}
}

/* ---- files --------------------------------------------------------------- */

/* At the end of one of several files of a variant: one value for levels below a process. */
static void close_file(ba_collection *c, size_t variant, uint16_t number)
{
	ba_ledger *l = &c->ledger;
	for (size_t row = 0; l->several_files && row < l->count; row++) {
		ba_entry *e = ba_ledger_entry(l, row, variant);
		if (e->file != number || e->values.n == 0 || e->level == BA_LEVEL_PROCESS)
			continue;
		ba_moments_add(ba_ledger_files(l, row, variant), e->values.mean);
		e->values = (ba_moments){0};
	}
}

static size_t variant_of(ba_collection *c, const char *label)
{
	size_t i = ba_strv_find(&c->labels, label);
	if (i == c->labels.count)
		ba_strv_push(&c->labels, label);
	return i;
}

static int read_file(ba_collection *c, size_t i, bool alone, ba_error *err)
{
	reading q = {.c = c, .file = &c->files[i], .number = (uint16_t)(i + 1)};
	const ba_sink sink = {.data = &q,
		.field = take_field,
		.record = take_record,
		.warn = take_warning,
		.damaged = take_damage,
		.metric = c->spec->metric,
		.csv_columns = c->spec->csv_columns,
		.takes_zeros = true};
	c->ledger.last = 0;
	int rc = ba_import_read(
		&q.file->format, q.file->source->path, q.file->source->part, &sink, err);
	free(q.scratch);
	if (rc == 0 && !alone)
		close_file(c, q.file->variant, q.number);
	return rc;
}

int ba_collect(ba_collection *c, const ba_compare_spec *spec, ba_error *err)
{
	c->spec = spec;
	c->files = ba_xcalloc(spec->source_count, sizeof(*c->files));
	if (spec->source_count >= UINT16_MAX)
		return ba_fail(err, BA_EINVAL, "%zu files are more than %u", spec->source_count,
			UINT16_MAX - 1);
	for (size_t i = 0; i < spec->source_count; i++) {
		c->files[i].source = &spec->sources[i];
		c->files[i].variant = variant_of(c, spec->sources[i].label);
	}
	if (c->labels.count < 2 || c->labels.count > BA_COMPARE_VARIANTS_MOST)
		return ba_fail(err, BA_EINVAL,
			"%zu variants, but 2 to %d can be compared; files with the same label are one variant",
			c->labels.count, BA_COMPARE_VARIANTS_MOST);
	bool several = c->labels.count < spec->source_count;
	ba_ledger_init(&c->ledger, c->labels.count, several);
	for (size_t i = 0; i < spec->source_count; i++) {
		size_t files = BA_HOW_MANY(
			c->files, spec->source_count, x, x->variant == c->files[i].variant);
		BA_TRY(read_file(c, i, files == 1, err));
	}
	ba_ledger_close(&c->ledger);
	return 0;
}
