#include "import/source.h"

int ba_source_pull(ba_pull **out, const ba_source *s, ba_error *err)
{
	if (!s->text)
		return ba_pull_open(out, s->name, err);
	*out = ba_pull_memory(s->text, s->size, s->name);
	return 0;
}

/* ---- units ---------------------------------------------------------------- */

double ba_unit_ns(const char *unit)
{
	static const struct unit {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"\xce\xbcs", 1e3}, {"ms", 1e6},
		{"s", 1e9}, {"sec", 1e9}, {"seconds", 1e9}, {"m", 60e9}, {"min", 60e9},
		{"h", 3600e9}, {"hr", 3600e9}, {"day", 86400e9}, {"ps", 1e-3}, {"nsecond", 1},
		{"usecond", 1e3}, {"msecond", 1e6}, {"second", 1e9}, {"msec", 1e6}, {"usec", 1e3},
		{"nsec", 1}};
	const struct unit *u = BA_FIND(units, BA_COUNT(units), x, strcmp(x->name, unit) == 0);
	return u ? u->ns : 0;
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

/* ---- to the sink --------------------------------------------------------- */

bool ba_source_offer(const ba_source *s, const char *metric)
{
	if (s->sink->offer && *metric)
		s->sink->offer(s->sink->data, metric);
	return s->sink->offer;
}

const char *ba_metric_of_others(const char *ours)
{
	static const char *const rows[][2] = {
		{"gpu_cold", "gpu_time"}, {"host", "time"}, {"submit", "time"}};
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		if (strcmp(ours, rows[i][0]) == 0)
			return rows[i][1];
	return "";
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

int ba_source_time(const ba_source *s, const ba_record *of, const ba_values *samples,
	const ba_statistics *statistics, ba_error *err)
{
	const struct {
		const char *metric;
		double ns;
	} rows[] = {{"time", isnan(statistics->median) ? statistics->mean : statistics->median},
		{"mean", statistics->mean}, {"median", statistics->median},
		{"min", statistics->min}, {"max", statistics->max}};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
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
		BA_TRY(ba_source_record(s, &r, err));
	}
	return 0;
}

void ba_source_field(const ba_source *s, const char *name, const char *value, bool must_match)
{
	if (s->sink->field && value && *value)
		s->sink->field(s->sink->data, name, value, must_match);
}

void ba_source_warn(const ba_source *s, const char *fmt, ...)
{
	if (!s->sink->warn)
		return;
	BA_FORMATTED(text, fmt);
	s->sink->warn(s->sink->data, text);
}
