#include "import/source.h"

#include <math.h>

#include "base/gunzip.h"

int ba_source_pull(ba_pull **out, const ba_source *s, ba_error *err)
{
	if (!s->text)
		return ba_pull_open(out, s->name, err);
	*out = ba_pull_memory(s->text, s->size, s->name);
	return 0;
}

int ba_source_digest(
	ba_digest_state *out, char found[65], char said[65], const ba_source *s, ba_error *err)
{
	if (!s->text) {
		BA_AUTO_FD int fd = -1;
		int rc = ba_gunzip_open(&fd, s->name, err);
		return rc ? rc : ba_json_digest_fd(out, found, said, fd, s->name, err);
	}
	ba_json_digest d;
	ba_json_digest_init(&d);
	ba_json_digest_add(&d, s->text, s->size);
	*out = ba_json_digest_end(found, said, &d);
	return 0;
}

/* ---- values -------------------------------------------------------------- */

void ba_values_dispose(ba_values *v)
{
	free(v->at);
	*v = (ba_values){0};
}

void ba_values_add(ba_values *v, double value)
{
	*BA_PUSH(v->at, v->count, v->capacity) = value;
}

int ba_time_pull(double *out, ba_pull *p, ba_error *err)
{
	double value = 0;
	int rc = ba_pull_f64_quoted(&value, p, err);
	if (rc == 0 && value < 0)
		return ba_pull_fail(
			err, p, "%g is negative, which a measured value cannot be", value);
	if (rc == 0)
		*out = value;
	return rc;
}

int ba_values_pull(ba_values *v, ba_pull *p, double scale, ba_error *err)
{
	double value = 0;
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		rc = ba_time_pull(&value, p, err);
		if (rc == 0)
			ba_values_add(v, value * scale);
	}
	return rc;
}

int ba_text_pull(ba_buf *out, ba_pull *p, ba_error *err)
{
	const char *text;
	double number;
	bool flag;
	int rc;
	ba_buf_clear(out);
	switch (ba_pull_peek(p)) {
	case BA_JSON_STRING:
		rc = ba_pull_string(&text, p, err);
		if (rc == 0)
			ba_buf_puts(out, text);
		return rc;
	case BA_JSON_NUMBER:
		rc = ba_pull_f64(&number, p, err);
		if (rc == 0)
			ba_buf_printf(out, "%.15g", number);
		return rc;
	case BA_JSON_BOOL:
		rc = ba_pull_bool(&flag, p, err);
		if (rc == 0)
			ba_buf_puts(out, flag ? "true" : "false");
		return rc;
	default:
		return ba_pull_skip(p, err);
	}
}

/* ---- members -------------------------------------------------------------- */

static int take_member(void *data, ba_pull *p, const ba_member *m, ba_error *err)
{
	if (m->text)
		return ba_text_pull(m->text, p, err);
	if (m->number)
		return ba_time_pull(m->number, p, err);
	if (m->flag)
		return ba_pull_bool(m->flag, p, err);
	if (m->read)
		return m->read(data, p, err);
	if (m->each)
		return ba_each_pull(data, p, m->each, err);
	return ba_pull_peek(p) == BA_JSON_ARRAY
		       ? ba_values_pull(m->values, p, m->scale > 0 ? m->scale : 1, err)
		       : ba_pull_skip(p, err);
}

int ba_members_pull(void *data, ba_pull *p, const ba_member *rows, size_t count, ba_error *err)
{
	const char *key;
	if (ba_pull_peek(p) == BA_JSON_NULL)
		return ba_pull_skip(p, err);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		size_t i = 0;
		while (i < count && strcmp(key, rows[i].key) != 0)
			i++;
		rc = i < count ? take_member(data, p, &rows[i], err) : ba_pull_skip(p, err);
	}
	return rc;
}

int ba_each_pull(void *data, ba_pull *p, int (*each)(void *, ba_pull *, ba_error *), ba_error *err)
{
	if (ba_pull_peek(p) == BA_JSON_NULL)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
		rc = each(data, p, err);
	return rc;
}

int ba_document_pull(
	const ba_source *s, void *data, const ba_member *rows, size_t count, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_members_pull(data, p, rows, count, err);
	return rc ? rc : ba_pull_end(p, err);
}

/* ---- fields and parameters ----------------------------------------------- */

int ba_fields_pull(
	const ba_source *s, ba_pull *p, const ba_field_row *rows, size_t count, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf value = BA_BUF_INIT;
	const char *key;
	if (ba_pull_peek(p) != BA_JSON_OBJECT)
		return ba_pull_skip(p, err);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		size_t i = 0;
		while (i < count && strcmp(key, rows[i].key) != 0)
			i++;
		bool known = i < count, inner = known && !rows[i].name;
		rc = inner   ? ba_fields_pull(s, p, rows, count, err)
		     : known ? ba_text_pull(&value, p, err)
			     : ba_pull_skip(p, err);
		if (rc == 0 && known && !inner)
			ba_source_field(s, rows[i].name, value.data, rows[i].must_match);
	}
	return rc;
}

void ba_parameters_join(ba_buf *out, ba_strv *words)
{
	ba_strv_sort(words);
	for (size_t i = 0; i < words->count; i++) {
		ba_buf_puts(out, i ? "," : "");
		ba_buf_puts(out, words->items[i]);
	}
}

int ba_parameters_pull(ba_buf *out, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf value = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv words = {0};
	const char *key;
	if (ba_pull_peek(p) != BA_JSON_OBJECT)
		return ba_pull_skip(p, err);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		BA_AUTO_FREE char *name = ba_xstrdup(key);
		rc = ba_text_pull(&value, p, err);
		ba_strv_push_take(&words, ba_xprintf("%s=%s", name, value.data));
	}
	ba_parameters_join(out, &words);
	return rc;
}

double ba_unit_ns(const char *unit)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"\xce\xbcs", 1e3}, {"ms", 1e6},
		{"s", 1e9}, {"sec", 1e9}, {"seconds", 1e9}, {"m", 60e9}, {"min", 60e9},
		{"h", 3600e9}, {"hr", 3600e9}, {"day", 86400e9}, {"ps", 1e-3}, {"nsecond", 1},
		{"usecond", 1e3}, {"msecond", 1e6}, {"second", 1e9}, {"msec", 1e6}, {"usec", 1e3},
		{"nsec", 1}};
	for (size_t i = 0; i < BA_COUNT(units); i++)
		if (strcmp(unit, units[i].name) == 0)
			return units[i].ns;
	return 0;
}

bool ba_unit_is_rate(const char *unit)
{
	bool higher = false;
	return ba_direction_of(&higher, unit) && higher;
}

bool ba_is_among(const char *const *list, const char *word)
{
	while (list && *list && strcmp(*list, word) != 0)
		list++;
	return list && *list;
}

int ba_source_unlike(ba_error *err, const ba_pull *p, const char *tool)
{
	return ba_pull_fail(err, p,
		"this seems to be a file of %s, which bench-against does not read; write its values as bench-against.samples/1 (docs/compare.md)",
		tool);
}

/* ---- to the sink --------------------------------------------------------- */

bool ba_source_offer(const ba_source *s, const char *metric)
{
	if (s->sink->offer && *metric)
		s->sink->offer(s->sink->data, metric);
	return s->sink->offer;
}

bool ba_source_wants(const ba_source *s, const char *metric, bool own)
{
	if (ba_source_offer(s, metric))
		return false;
	return s->sink->metric ? strcmp(s->sink->metric, metric) == 0 : own;
}

static const char *defect_of(const ba_record *r, bool takes_zeros)
{
	for (size_t i = 0; i < r->count; i++) {
		if (!isfinite(r->values[i]))
			return "a value is not a finite number";
		if (r->values[i] < 0)
			return "a value is negative";
		if (r->values[i] == 0 && !takes_zeros)
			return "a value is zero, and has no ratio";
	}
	return r->count ? NULL : "no samples";
}

static void set_direction(ba_record *r)
{
	bool higher = false;
	if (r->is_time)
		r->direction = BA_DIRECTION_SAID;
	if (r->direction != BA_DIRECTION_OPEN)
		return; /* Return before the search: a file may have millions of records. */
	bool known = ba_direction_of(&higher, r->unit ? r->unit : r->metric);
	if (r->higher_is_better && !higher)
		r->direction = BA_DIRECTION_SAID;
	if (r->direction != BA_DIRECTION_OPEN || !known)
		return;
	r->higher_is_better = higher;
	r->direction = BA_DIRECTION_OF_UNIT;
}

int ba_source_record(const ba_source *s, const ba_record *r, ba_error *err)
{
	bool plain = !s->parts && !r->failure && !r->skipped && r->direction != BA_DIRECTION_OPEN &&
		     !defect_of(r, s->sink->takes_zeros);
	if (plain)
		return s->sink->record ? s->sink->record(s->sink->data, r, err) : 0;
	ba_record copy = *r;
	copy.id = s->parts ? ba_parts_name(s->parts, s->part, r->id) : r->id;
	if (!copy.id)
		return 0;
	if (!copy.failure && !copy.skipped)
		copy.failure = defect_of(r, s->sink->takes_zeros);
	if (copy.failure || copy.skipped)
		copy.count = 0;
	set_direction(&copy);
	return s->sink->record ? s->sink->record(s->sink->data, &copy, err) : 0;
}

ba_statistics ba_statistics_times(const ba_statistics *s, double scale)
{
	return (ba_statistics){s->mean * scale, s->median * scale, s->min * scale, s->max * scale};
}

int ba_source_time(const ba_source *s, const ba_record *of, const ba_values *samples,
	const ba_statistics *statistics, ba_error *err)
{
	const struct {
		const char *metric;
		double ns;
	} rows[] = {{"time", isnan(statistics->median) ? statistics->mean : statistics->median},
		{"mean", statistics->mean}, {"median", statistics->median},
		{"min", statistics->min}, {"max", statistics->max}};
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < BA_COUNT(rows); i++) {
		bool own = i == 0, all = own && samples && samples->count;
		if ((!own && isnan(rows[i].ns)) || !ba_source_wants(s, rows[i].metric, own))
			continue;
		ba_record r = *of;
		r.metric = rows[i].metric;
		r.is_time = r.whole = true;
		r.level = all ? of->level : BA_LEVEL_SUMMARY;
		r.values = all ? samples->at : &rows[i].ns;
		r.count = all ? samples->count : !isnan(rows[i].ns);
		r.median = own && statistics->median > 0 ? statistics->median : 0;
		rc = ba_source_record(s, &r, err);
	}
	return rc;
}

void ba_source_field(const ba_source *s, const char *name, const char *value, bool must_match)
{
	if (s->sink->field && value && *value)
		s->sink->field(s->sink->data, name, value, must_match);
}

void ba_source_damaged(const ba_source *s, const char *text)
{
	if (s->sink->damaged)
		s->sink->damaged(s->sink->data, text);
}

void ba_source_warn(const ba_source *s, const char *fmt, ...)
{
	if (!s->sink->warn)
		return;
	va_list ap;
	va_start(ap, fmt);
	BA_AUTO_FREE char *text = ba_xvprintf(fmt, ap);
	va_end(ap);
	s->sink->warn(s->sink->data, text);
}
