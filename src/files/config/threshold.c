/* Thresholds: their text, their place in the file, and which one applies. */

#include "config/schema.h"

#define RATIO_MAX 100.0 /* ten thousand per cent; larger numbers are probably mistakes */

static int parse_ratio(double *out, const char *text, const char *what, ba_error *err)
{
	double ratio;
	BA_TRY(ba_parse_ratio(&ratio, text, what, err));
	if (!(ratio > 0))
		return ba_fail(err, BA_EINVAL,
			"%s: '%s' is not above 0: no two measurements are equal, so every benchmark would differ",
			what, text);
	/* "--threshold 2" lacks a per cent sign: as a ratio it would report no regression */
	if (ratio >= 1 && !strchr(text, '%'))
		return ba_fail(err, BA_EINVAL,
			"%s: '%s' is a ratio, %g%%; write %g%% for per cent, or %g%% if you mean it",
			what, text, 100 * ratio, ratio, 100 * ratio);
	if (ratio > RATIO_MAX)
		return ba_fail(err, BA_EINVAL,
			"%s: '%s' is %g times the baseline; two per cent is 2%% or 0.02", what,
			text, ratio);
	*out = ratio;
	return 0;
}

/* The number before "instructions"; false if the text does not end with that word. */
static bool parse_count(double *out, const char *text)
{
	static const char *const words[] = {"instructions", "instruction"};
	for (size_t i = 0; i < BA_COUNT(words); i++) {
		if (!ba_text_ends(text, words[i]))
			continue;
		size_t digits = strlen(text) - strlen(words[i]);
		while (digits && text[digits - 1] == ' ')
			digits--;
		BA_AUTO_FREE char *number = ba_xstrndup(text, digits);
		return ba_parse_f64(out, number, 1, 1e15);
	}
	return false;
}

/* Sets the floor in time or in instructions. */
static int parse_floor(ba_threshold *out, const char *text, const char *what, ba_error *err)
{
	double plain, ns;
	if (parse_count(&out->floor_count, text))
		return 0;
	if (ba_parse_f64(&plain, text, -INFINITY, INFINITY))
		return ba_fail(err, BA_EINVAL,
			"%s: '%s' has no unit; write it like 25ns or 10 instructions", what, text);
	BA_TRY(ba_parse_time_ns(&ns, text, what, err));
	if (!(ns > 0))
		return ba_fail(err, BA_EINVAL, "%s: '%s' is not above 0", what, text);
	out->floor_ns = ns;
	return 0;
}

/* "25ns" and "25 ns" are times: a letter follows that is not of 1e-3. All else is a ratio. */
static bool is_time(const char *text)
{
	double ratio;
	size_t digits = strspn(text, "0123456789.");
	const char *unit = text + digits + strspn(text + digits, " ");
	return digits > 0 && (isalpha((unsigned char)*unit) || (*unit & 0x80)) &&
	       ba_parse_ratio(&ratio, text, "", NULL) < 0;
}

/* The text from `text` to `end`, without blanks around it. */
static char *trimmed(const char *text, const char *end)
{
	while (text < end && *text == ' ')
		text++;
	while (end > text && end[-1] == ' ')
		end--;
	return ba_xstrndup(text, (size_t)(end - text));
}

int ba_threshold_parse(ba_threshold *out, const char *text, const char *what, ba_error *err)
{
	const char *and = strstr(text, "and"), *plus = strchr(text, '+');
	const char *end = and? and : plus;
	const char *rest = and? and+strlen("and") : plus ? plus + 1 : NULL;
	BA_AUTO_FREE char *first = trimmed(text, rest ? end : text + strlen(text));
	BA_AUTO_FREE char *second = rest ? trimmed(rest, rest + strlen(rest)) : NULL;
	bool time_first = is_time(first);
	const char *time = time_first ? first : second;
	const char *part = time_first ? second : first;
	ba_threshold t = {.origin = out->origin};
	double ratio = 0;
	BA_TRY(part ? parse_ratio(&ratio, part, what, err) : 0);
	BA_TRY(time ? parse_floor(&t, time, what, err) : 0);
	t.slower = t.faster = ratio;
	*out = t;
	return 0;
}

static int read_ratio(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	BA_AUTO_FREE char *text = NULL;
	const char *given;
	double number;
	ba_error inner;
	if (ba_json_type_of(v) == BA_JSON_NUMBER) {
		if (ba_json_as_f64(&number, v, err) < 0)
			return BA_ECONFIG;
		text = ba_xprintf("%.17g", number);
	} else if (ba_json_type_of(v) == BA_JSON_STRING) {
		ba_json_as_string(&given, v, NULL);
		text = ba_xstrdup(given);
	} else {
		return ba_json_fail(err, v, "must be a ratio such as \"2%%\", is %s",
			ba_json_type_name(ba_json_type_of(v)));
	}
	if (parse_ratio(field, text, "the ratio", &inner) < 0)
		return ba_json_fail(err, v, "%s", inner.text);
	return 0;
}

static int read_floor(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	const char *text;
	ba_error inner;
	BA_TRY(ba_json_as_string(&text, v, err));
	if (parse_floor((ba_threshold *)field, text, "the floor", &inner) < 0)
		return ba_json_fail(err, v, "%s", inner.text);
	return 0;
}

const ba_key_row ba_threshold_rows[] = {
	{"slower", read_ratio, offsetof(ba_threshold, slower)},
	{"faster", read_ratio, offsetof(ba_threshold, faster)},
	{"floor", read_floor, 0},
	{NULL},
};

static bool is_set(const ba_threshold *t)
{
	return t->slower > 0 || t->faster > 0 || t->floor_ns > 0 || t->floor_count > 0;
}

static int read_both(ba_threshold *t, ba_json_value v, ba_error *err)
{
	BA_TRY(ba_section_read(t, v, ba_threshold_rows, err));
	if (!is_set(t))
		return ba_json_fail(err, v, "has neither 'slower' nor 'faster' nor 'floor'");
	/* A single direction applies to both. */
	if (!(t->slower > 0))
		t->slower = t->faster;
	if (!(t->faster > 0))
		t->faster = t->slower;
	return 0;
}

static int read_threshold(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	ba_threshold t = {.origin = {BA_ORIGIN_FILE, ba_json_line(v)}};
	const char *text;
	ba_error inner;
	int rc = 0;
	switch (ba_json_type_of(v)) {
	case BA_JSON_OBJECT:
		rc = read_both(&t, v, err);
		break;
	case BA_JSON_NUMBER:
		rc = read_ratio(&t.slower, v, row, err);
		t.faster = t.slower;
		break;
	case BA_JSON_STRING:
		ba_json_as_string(&text, v, NULL);
		if (ba_threshold_parse(&t, text, "the threshold", &inner) < 0)
			rc = ba_json_fail(err, v, "%s", inner.text);
		break;
	default:
		rc = ba_json_fail(err, v,
			"must be a threshold such as \"2%%\", \"25ns\" or \"2%% and 25ns\", is %s",
			ba_json_type_name(ba_json_type_of(v)));
	}
	if (!rc)
		*(ba_threshold *)field = t;
	return rc;
}

static int fail_metric(ba_json_value v, const char *text, ba_error *err)
{
	const char *names[BA_METRIC_COUNT + 1] = {0};
	BA_AUTO(ba_buf) ba_buf list = BA_BUF_INIT;
	for (int i = 0; i < BA_METRIC_COUNT; i++) {
		names[i] = ba_metric_get((ba_metric)i)->name;
		ba_buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
	}
	const char *near = ba_text_nearest(text, names);
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	if (near)
		return ba_json_fail(
			err, v, "names no metric: '%s'; did you mean '%s'?", safe, near);
	return ba_json_fail(err, v, "names no metric: '%s'; the metrics are %s", safe, list.data);
}

static int read_metric(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	const char *text;
	BA_TRY(ba_json_as_string(&text, v, err));
	int metric = ba_metric_from_name(text);
	if (metric < 0)
		return fail_metric(v, text, err);
	*(int *)field = metric;
	return 0;
}

const ba_key_row ba_rule_rows[] = {
	{"match", ba_read_text, offsetof(ba_threshold_rule, match), .check = ba_check_text},
	{"metric", read_metric, offsetof(ba_threshold_rule, metric)},
	{"threshold", read_threshold, offsetof(ba_threshold_rule, threshold)},
	{NULL},
};

static void add_rule(ba_thresholds *t, ba_threshold_rule rule)
{
	*BA_PUSH(t->rules, t->count, t->capacity) = rule;
}

/* {"submit": "2%"}: rules for all benchmarks, before rules with a glob. */
static int read_metrics(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	BA_TRY(ba_json_as_object(&v, v, err));
	BA_JSON_EACH (item, v) {
		ba_threshold_rule rule = {.metric = ba_metric_from_name(ba_json_key(item))};
		if (rule.metric < 0)
			return fail_metric(item, ba_json_key(item), err);
		BA_TRY(read_threshold(&rule.threshold, item, row, err));
		add_rule(field, rule);
	}
	return 0;
}

static int read_rules(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	ba_thresholds *t = field;
	BA_TRY(ba_json_as_array(&v, v, err));
	BA_JSON_EACH (item, v) {
		add_rule(t, (ba_threshold_rule){.metric = -1});
		ba_threshold_rule *rule = &t->rules[t->count - 1];
		BA_TRY(ba_section_read(rule, item, ba_rule_rows, err));
		if (!rule->match)
			return ba_json_fail(err, item,
				"has no 'match'; thresholds of all benchmarks are in 'metrics'");
		if (!is_set(&rule->threshold))
			return ba_json_fail(err, item, "has no 'threshold'");
	}
	return 0;
}

const ba_key_row ba_thresholds_rows[] = {
	{"default", read_threshold, offsetof(ba_thresholds, fallback)},
	{"metrics", read_metrics, 0},
	{"benchmarks", read_rules, 0},
	{NULL},
};

/* "thresholds": {...}, or one threshold for everything. Rules for metrics go before
 * those with globs, whatever the order of the keys. */
int ba_read_thresholds(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	ba_thresholds *t = field;
	ba_thresholds globs = {0};
	if (ba_json_type_of(v) != BA_JSON_OBJECT)
		return read_threshold(&t->fallback, v, row, err);
	BA_TRY(ba_section_read(t, v, ba_thresholds_rows, err));
	size_t metrics = 0;
	for (size_t i = 0; i < t->count; i++) {
		if (t->rules[i].match)
			add_rule(&globs, t->rules[i]);
		else
			t->rules[metrics++] = t->rules[i];
	}
	if (globs.count)
		memcpy(t->rules + metrics, globs.rules, globs.count * sizeof(*globs.rules));
	free(globs.rules);
	return 0;
}

ba_threshold ba_config_threshold(const ba_config *c, const char *benchmark_id, ba_metric metric)
{
	const ba_thresholds *t = &c->thresholds;
	for (size_t i = t->count; !t->overridden && i-- > 0;) {
		const ba_threshold_rule *r = &t->rules[i];
		if ((r->metric < 0 || r->metric == (int)metric) &&
			(!r->match || ba_text_glob(r->match, benchmark_id)))
			return r->threshold;
	}
	return t->fallback;
}
