/* JMH -rf json: rawData[fork][iteration]; a fork is a process. */

#include "import/source.h"
#include "stats/quantile.h"

typedef struct entry {
	const ba_source *s;
	ba_buf benchmark, mode, threads, params, unit;
	/* values of the forks, or of the iterations if there is one fork */
	ba_values values;
	size_t forks;
	double score;
	bool found; /* the secondary metric that the sink asks for */
} entry;

/* ---- raw data ------------------------------------------------------------ */

typedef struct calls {
	double time, count;
} calls;

/* [[value, count], ...], summed */
static int read_histogram(calls *out, ba_pull *p, ba_error *err)
{
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		double pair[2] = {0, 0};
		size_t n = 0;
		rc = ba_pull_array(p, err);
		while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
			double value = 0;
			rc = ba_time_pull(&value, p, err);
			if (n < 2)
				pair[n] = value;
			n++;
		}
		if (rc == 0 && n != 2)
			rc = ba_pull_fail(err, p, "this must be a pair of value and count");
		out->time += pair[0] * pair[1];
		out->count += pair[1];
	}
	return rc;
}

/* Iterations without calls have no value. The mean is over calls, like JMH's score. */
static int read_sampled(ba_values *out, double *mean, ba_pull *p, ba_error *err)
{
	calls all = {0};
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		calls one = {0};
		rc = read_histogram(&one, p, err);
		if (rc == 0 && one.count > 0)
			ba_values_add(out, one.time / one.count);
		all.time += one.time;
		all.count += one.count;
	}
	*mean = all.count > 0 ? all.time / all.count : NAN;
	return rc;
}

static int read_fork(ba_values *out, double *mean, bool histogram, ba_pull *p, ba_error *err)
{
	if (histogram)
		return read_sampled(out, mean, p, err);
	int rc = ba_values_pull(out, p, 1, err);
	*mean = out->count ? ba_mean(out->at, out->count) : NAN;
	return rc;
}

/* With several forks each fork is one value; with one fork each iteration is. */
static int read_raw(entry *e, bool histogram, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_values) ba_values first = {0};
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		BA_AUTO(ba_values) ba_values fork = {0};
		double mean = NAN;
		rc = read_fork(&fork, &mean, histogram, p, err);
		ba_values_add(&e->values, mean);
		if (e->forks++ == 0)
			first = BA_MOVE(fork);
	}
	if (e->forks == 1) {
		ba_values_dispose(&e->values);
		e->values = BA_MOVE(first);
	}
	return rc;
}

static int read_forks(void *data, ba_pull *p, ba_error *err)
{
	return read_raw(data, false, p, err);
}

static int read_histograms(void *data, ba_pull *p, ba_error *err)
{
	return read_raw(data, true, p, err);
}

/* ---- an entry ------------------------------------------------------------ */

static int read_score(void *data, ba_pull *p, ba_error *err)
{
	entry *e = data;
	return ba_pull_f64_quoted(&e->score, p, err);
}

static const ba_member metric_members[] = {BA_TEXT("scoreUnit", entry, unit),
	BA_READ("score", read_score), BA_READ("rawData", read_forks),
	BA_READ("rawDataHistogram", read_histograms), {0}};

static int read_primary(void *data, ba_pull *p, ba_error *err)
{
	const entry *e = data;
	return ba_source_wants(e->s, "time", true) ? ba_members_pull(data, p, metric_members, err)
						   : ba_pull_skip(p, err);
}

/* older versions write "·gc.alloc.rate", and Fold.sum's "p0.99" is "sum·p0.99" */
static bool is_metric(const entry *e, const char *key, const char *wanted)
{
	static const char dot[] = "\xc2\xb7";
	const char *method = strrchr(e->benchmark.data, '.');
	method = method ? method + 1 : e->benchmark.data;
	if (strcmp(key, wanted) == 0)
		return true;
	if (ba_text_starts(key, method))
		key += strlen(method);
	return ba_text_starts(key, dot) && strcmp(key + strlen(dot), wanted) == 0;
}

static int read_secondary(void *data, const char *key, ba_pull *p, ba_error *err)
{
	entry *e = data;
	bool mine = !ba_source_offer(e->s, key) && !ba_source_wants(e->s, "time", true) &&
		    !e->found && is_metric(e, key, e->s->sink->metric);
	e->found |= mine;
	return mine ? ba_members_pull(e, p, metric_members, err) : ba_pull_skip(p, err);
}

/* "us/op" and "ops/ms" to ns per operation; false if it is not a time */
static bool to_time(entry *e)
{
	const char *unit = e->unit.data, *slash = strchr(unit, '/');
	if (!slash)
		return false;
	bool rate = strncmp(unit, "ops/", 4) == 0;
	BA_AUTO_FREE char *before = ba_xstrndup(unit, (size_t)(slash - unit));
	double ns = ba_unit_ns(rate ? slash + 1 : before);
	if (ns == 0 || (!rate && strcmp(slash, "/op") != 0))
		return false;
	for (size_t i = 0; i < e->values.count; i++)
		e->values.at[i] = rate ? ns / e->values.at[i] : ns * e->values.at[i];
	e->score = rate ? ns / e->score : ns * e->score;
	return true;
}

/* What no row of a table empties. */
static void reset(entry *e)
{
	e->values.count = e->forks = 0;
	e->score = NAN;
	e->found = false;
}

static void put_id(ba_buf *id, const entry *e)
{
	ba_buf_printf(id, "%s%s%s (%s", e->benchmark.data, e->params.len ? "/" : "", e->params.data,
		e->mode.data);
	if (e->threads.len && strcmp(e->threads.data, "1") != 0)
		ba_buf_printf(id, ", %s threads", e->threads.data);
	ba_buf_putc(id, ')');
}

static int emit(void *data, ba_pull *p, ba_error *err)
{
	entry now = *(entry *)data, *e = &now;
	reset(data);
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	const ba_source *s = e->s;
	const char *metric = s->sink->metric ? s->sink->metric : "time";
	if (!e->benchmark.len)
		return ba_pull_fail(err, p, "an entry without 'benchmark'");
	/* there is no number with that name */
	if (s->sink->offer)
		return 0;
	if (strcmp(metric, "time") != 0 && isnan(e->score) && !e->values.count)
		return 0;
	put_id(&id, e);
	bool is_time = to_time(e);
	const ba_record record = {
		.id = id.data,
		.metric = metric,
		.is_time = is_time,
		.unit = ba_text_starts(metric, "gc.") ? NULL : e->unit.data,
		.whole = true,
		.level = e->forks > 1	   ? BA_LEVEL_PROCESS
			 : e->values.count ? BA_LEVEL_REPETITION
					   : BA_LEVEL_SUMMARY,
		.values = e->values.count ? e->values.at : &e->score,
		.count = e->values.count ? e->values.count : 1,
		.failure = strcmp(metric, "time") == 0 && !is_time
				   ? "its unit is neither a time nor a rate"
				   : NULL,
	};
	return ba_source_record(s, &record, err);
}

int ba_read_jmh(const ba_source *s, ba_error *err)
{
	static const ba_member members[] = {BA_SAID("jdkVersion", "JDK", true),
		BA_SAID("vmName", "VM", true), BA_TEXT("benchmark", entry, benchmark),
		BA_TEXT("mode", entry, mode), BA_TEXT("threads", entry, threads),
		BA_MEMBER_AT("params", PARAMETERS, entry, params),
		BA_READ("primaryMetric", read_primary, .rows = metric_members),
		BA_KEYS("secondaryMetrics", read_secondary), {0}};
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	entry e = {.s = s, .score = NAN};
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_records_pull(&e, p, members, emit, err);
	ba_members_dispose(&e, members);
	ba_values_dispose(&e.values);
	return rc ? rc : ba_pull_end(p, err);
}
