#include "compare/convert.h"

#include "base/number.h"
#include "compare/convert_document.h"

const char *const ba_convert_names[] = {
	[BA_CONVERT_SAMPLES] = "samples",
	[BA_CONVERT_PYTEST] = "pytest-benchmark",
	[BA_CONVERT_NVBENCH] = "nvbench",
	[BA_CONVERT_GITHUB] = "github-action-benchmark",
	[BA_CONVERT_COUNT] = NULL,
};

static void document_dispose(ba_convert_document *d)
{
	for (size_t i = 0; i < d->names.count; i++)
		BA_FREE(d->items[i].values, d->items[i].failure);
	for (size_t i = 0; i < d->field_count; i++)
		BA_FREE(d->fields[i].name, d->fields[i].value);
	BA_FREE(d->fields, d->items);
	ba_ledger_dispose(&d->names);
}
BA_DEFINE_AUTO(ba_convert_document, document_dispose)

/* ---- what is read -------------------------------------------------------- */

static void take_field(void *data, const char *name, const char *value, bool must_match)
{
	ba_convert_document *d = data;
	if (BA_ANY(d->fields, d->field_count, x, strcmp(x->name, name) == 0))
		return;
	*BA_APPEND(d->fields, d->field_count) = (ba_field){
		.name = ba_xstrdup(name), .value = ba_xstrdup(value), .must_match = must_match};
}

static void take_warning(void *data, const char *text)
{
	ba_convert_document *d = data;
	ba_strv_push(d->remarks, text);
}

static void take_damage(void *data, const char *text)
{
	ba_convert_document *d = data;
	ba_strv_printf(d->remarks, "the file %s", text);
}

static ba_convert_item *item_of(ba_convert_document *d, const ba_record *r)
{
	size_t before = d->names.count;
	size_t row = ba_ledger_row(&d->names, r->id, r->metric);
	for (unsigned k = 2; r->whole && row < before; k++) {
		BA_AUTO_FREE char *id = ba_xprintf("%s #%u", r->id, k);
		row = ba_ledger_row(&d->names, id, r->metric);
	}
	d->items = BA_GROW(d->items, &d->item_capacity, d->names.count);
	if (row >= before)
		d->items[row] = (ba_convert_item){.level = r->level};
	ba_ledger_at(&d->names, row)->is_time = r->is_time;
	ba_ledger_at(&d->names, row)->higher_is_better = r->higher_is_better;
	return &d->items[row];
}

static int take_record(void *data, const ba_record *r, ba_error *err)
{
	ba_convert_document *d = data;
	BA_TRY(ba_ledger_check(&d->names, r->metric, d->path, err));
	ba_convert_item *i = item_of(d, r);
	if (r->failure || r->skipped) {
		if (!i->failure)
			i->failure = ba_xstrdup(r->failure ? r->failure : r->skipped);
		i->skipped = !r->failure;
		return 0;
	}
	if (i->count && r->level < i->level)
		return 0;
	if (r->level != i->level)
		i->count = 0;
	i->level = r->level;
	i->values = BA_GROW(i->values, &i->capacity, i->count + r->count);
	memcpy(i->values + i->count, r->values, r->count * sizeof(*r->values));
	i->count += r->count;
	return 0;
}

/* ---- ours ---------------------------------------------------------------- */

static void write_samples(ba_json_writer *w, ba_convert_document *d)
{
	ba_json_put(w, "{schema: 'bench-against.samples/1', fields: {");
	BA_EACH (const ba_field, f, d->fields, d->field_count) {
		ba_json_open_object(w, f->name);
		ba_json_put(w, "value: %s, must_match: %d}", f->value, f->must_match);
	}
	ba_json_put(w, "}, benchmarks: [");
	for (size_t i = 0; i < d->names.count; i++) {
		const ba_row *row = ba_ledger_at(&d->names, i);
		const ba_convert_item *it = &d->items[i];
		ba_json_put(w, "{id: %s, metric: %s, is_time: %d, higher_is_better: %d, level: %s",
			ba_ledger_id(&d->names, i), d->names.metrics.items[row->metric],
			row->is_time, row->higher_is_better, ba_level_name(it->level));
		if (it->failure)
			ba_json_write_string(w, it->skipped ? "skipped" : "failure", it->failure);
		else
			ba_json_write_f64s(w, "values", it->values, it->count);
		ba_json_close(w);
	}
	ba_json_put(w, "]}");
}

/* ---- all of it ----------------------------------------------------------- */

static void remark(ba_convert_document *d, size_t count, const char *what)
{
	if (count)
		ba_strv_printf(d->remarks, "%zu %s left out: %s", count,
			ba_plural(count, "benchmark", "benchmarks"), what);
}

int ba_convert(ba_buf *out, ba_strv *remarks, const ba_convert_spec *spec, ba_error *err)
{
	static void (*const writers[BA_CONVERT_COUNT])(ba_json_writer *, ba_convert_document *) = {
		[BA_CONVERT_SAMPLES] = write_samples,
		[BA_CONVERT_PYTEST] = ba_convert_write_pytest,
		[BA_CONVERT_NVBENCH] = ba_convert_write_nvbench,
		[BA_CONVERT_GITHUB] = ba_convert_write_github,
	};
	BA_AUTO(ba_convert_document)
	ba_convert_document d = {.path = spec->path, .remarks = remarks};
	const ba_sink sink = {.data = &d,
		.field = take_field,
		.record = take_record,
		.warn = take_warning,
		.damaged = take_damage,
		.metric = spec->metric,
		.csv_columns = spec->csv_columns,
		.takes_zeros = true};
	ba_json_writer w;
	ba_ledger_init(&d.names, 1, false);
	BA_TRY(ba_import_read(NULL, spec->path, spec->part, &sink, err));
	if (d.names.count == 0)
		return ba_fail(err, BA_EDATA, "'%s' has no benchmark%s", spec->path,
			spec->metric ? " with that metric" : "");
	ba_json_writer_to_buf(&w, out, 1);
	writers[spec->to](&w, &d);
	(void)ba_json_writer_finish(&w, NULL); /* writing to a buffer cannot fail */
	ba_buf_putc(out, '\n');
	remark(&d, d.without_samples, "they have no samples, and bench-against invents none");
	remark(&d, d.no_times, "their values are not times");
	remark(&d, d.failed, "they failed or were skipped");
	remark(&d, d.other_direction,
		"the file can only say once whether more or less is better, and the first benchmark decides");
	return 0;
}
