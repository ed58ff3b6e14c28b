#include "import/source.h"

int ba_source_pull(ba_pull **out, const ba_source *s, ba_error *err)
{
	if (!s->text)
		return ba_pull_open(out, s->name, err);
	*out = ba_pull_memory(s->text, s->size, s->name);
	return 0;
}

/* ---- lines ------------------------------------------------------------- */

enum { LINE_MOST = 1 << 20 };

int ba_lines_open(ba_lines *l, const ba_source *s, ba_error *err)
{
	int fd = -1;
	ba_lines_memory(l, s->name, s->text, s->size);
	if (s->text)
		return 0;
	BA_TRY(ba_gunzip_open(&fd, s->name, err));
	ba_lines_file(l, s->name, fd, LINE_MOST);
	l->owns = true;
	return 0;
}

int ba_lines_load(ba_buf *out, const ba_source *s, ba_error *err)
{
	enum { FILE_MOST = 1 << 30 };
	BA_AUTO(ba_lines) ba_lines lines = {0};
	const char *line;
	size_t size;
	int rc = ba_lines_open(&lines, s, err);
	while (rc == 0 && (rc = ba_lines_next(&line, &size, &lines, err)) > 0) {
		rc = 0;
		if (out->len + size > FILE_MOST)
			return ba_fail(err, BA_EDATA, "%s: longer than 1 GiB", s->name);
		if (!ba_text_is_utf8(line, size))
			return ba_fail(err, BA_EDATA, "%s: line %zu: the text is not UTF-8",
				s->name, lines.number);
		ba_buf_put(out, line, size);
		ba_buf_putc(out, '\n');
	}
	return rc;
}

int ba_json_lines(void *data, ba_member_read *read, bool mixed, ba_error *err)
{
	const ba_source *s = *(const ba_source *const *)data;
	BA_AUTO(ba_lines) ba_lines lines = {0};
	const char *line;
	size_t size;
	int rc = ba_lines_open(&lines, s, err);
	while (rc == 0 && (rc = ba_lines_next(&line, &size, &lines, err)) > 0) {
		BA_AUTO_FREE char *name = ba_xprintf("%s: line %zu", s->name, lines.number);
		BA_AUTO_PTR(ba_pull) ba_pull *p = ba_pull_memory(line, size, name);
		bool document = size && (!mixed || line[0] == '{');
		rc = document ? read(data, p, err) : 0;
		rc = rc || !document ? rc : ba_pull_end(p, err);
	}
	return rc;
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

/* Does the unit, or a metric's name, say whether more is better? */
static bool direction_of(bool *higher, const char *unit)
{
	/* globs in lower case; the first match counts */
	static const struct direction {
		const char *glob;
		bool higher;
	} rows[] = {
		{"gc.*", false}, /* JMH: allocations are costs, also per second */
		{"*_per_second", true},
		{"*_per_sec", true},
		{"*/s", true},
		{"*/sec", true},
		{"*/second", true},
		{"* per second", true},
		{"ops/*", true},
		{"*flops", true},
		{"*throughput*", true},
		{"*bandwidth*", true},
		{"[qrtf]ps", true},
		{"ips", true},
		{"iops", true},
		{"*hz", true},
		{"*/op", false},
		{"*time*", false},
		{"*latency*", false},
		{"*duration*", false},
		{"*bytes*", false},
		{"*memory*", false},
		{"*peakmem_*", false},
		{"*mem_*", false},
		{"*alloc*", false},
		{"b", false},
		{"[nµm]s", false},
		{"us", false},
		{"s", false},
	};
	BA_AUTO_FREE char *lower = ba_xstrdup(unit);
	for (char *c = lower; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	const struct direction *row =
		BA_FIND(rows, BA_COUNT(rows), x, ba_text_glob(x->glob, lower));
	*higher = row ? row->higher : *higher;
	return row;
}

bool ba_unit_is_rate(const char *unit)
{
	bool higher = false;
	return direction_of(&higher, unit) && higher;
}

bool ba_is_among(const char *const *list, const char *word)
{
	while (list && *list && strcmp(*list, word) != 0)
		list++;
	return list && *list;
}

/* ---- FILE#PART ------------------------------------------------------------ */

/* For a format without parts: a benchmark, or a glob whose stars become the names, to compare two
 * benchmarks of a file. */

enum { LISTED_MOST = 8 };

#define ALONE "the benchmark that was chosen"

BA_OWNS(ba_parts, p, ba_strv_dispose(&p->names), ba_buf_dispose(&p->name))

/* Appends the text that the stars of the glob match; false if it does not match. Each
 * star except the last matches as little as possible. */
static bool capture(ba_buf *out, const char *glob, const char *text)
{
	const char *star = strchr(glob, '*');
	size_t head = star ? (size_t)(star - glob) : strlen(glob);
	if (strncmp(glob, text, head) != 0)
		return false;
	if (!star)
		return text[head] == '\0';
	const char *rest = star + 1, *next = strchr(rest, '*');
	size_t literal = next ? (size_t)(next - rest) : strlen(rest), before = out->len;
	ba_buf_puts(out, before ? "," : "");
	for (const char *at = text + head; *at || !literal; at++) {
		bool last = !next && strlen(at) != literal;
		if (last || strncmp(at, rest, literal) != 0)
			continue;
		size_t mark = out->len;
		ba_buf_put(out, text + head, (size_t)(at - text - head));
		if (capture(out, rest, at))
			return true;
		ba_buf_truncate(out, mark);
		if (!*at)
			break;
	}
	ba_buf_truncate(out, before);
	return false;
}

/* The name of `id` within the part, valid until the next call; NULL: it is not in it. */
static const char *name_in(ba_parts *p, const char *part, const char *id)
{
	if (!ba_strv_has(&p->names, id) && p->count++ < LISTED_MOST)
		ba_strv_push(&p->names, id);
	ba_buf_clear(&p->name);
	bool mine = strcmp(part, id) == 0 || (strchr(part, '*') && capture(&p->name, part, id));
	p->found |= mine;
	return !mine ? NULL : p->name.len ? p->name.data : ALONE;
}

int ba_parts_check(const ba_parts *p, const ba_source *s, ba_error *err)
{
	BA_AUTO_FREE char *all = ba_strv_join(&p->names, "', '");
	if (p->found || !s->part)
		return 0;
	return ba_fail(err, BA_EINVAL,
		"'%s' has no benchmark '%.200s'; name one of these, where '*' stands for the rest of a name: '%.600s'%s",
		s->name, s->part, all, p->count > p->names.count ? ", ..." : "");
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
	bool known = direction_of(&higher, r->unit ? r->unit : r->metric);
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
	copy.id = s->parts ? name_in(s->parts, s->part, r->id) : r->id;
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
