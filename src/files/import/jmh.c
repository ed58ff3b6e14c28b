/* JMH -rf json: rawData[fork][iteration]; a fork is a process. */
#include <math.h>

#include "import/source.h"

typedef struct entry {
	const ba_source *s;
	ba_buf benchmark, mode, threads, params, unit, id;
	/* values of the forks, or of the iterations if there is one fork */
	ba_values values;
	size_t forks;
	double score;
} entry;

static void entry_dispose(entry *e)
{
	BA_DISPOSE(ba_buf, &e->benchmark, &e->mode, &e->threads, &e->params, &e->unit, &e->id);
	ba_values_dispose(&e->values);
}
BA_DEFINE_AUTO(entry, entry_dispose)

static void entry_clear(entry *e)
{
	ba_buf_clear(&e->benchmark);
	ba_buf_clear(&e->mode);
	ba_buf_clear(&e->threads);
	ba_buf_clear(&e->params);
	ba_buf_clear(&e->unit);
	e->values.count = e->forks = 0;
	e->score = NAN;
}

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

static double mean_of(const double *x, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return n ? sum / (double)n : NAN;
}

static int read_fork(ba_values *out, double *mean, bool histogram, ba_pull *p, ba_error *err)
{
	if (histogram)
		return read_sampled(out, mean, p, err);
	int rc = ba_values_pull(out, p, 1, err);
	*mean = mean_of(out->at, out->count);
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
		e->values = first;
		/* NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): its cleanup reads it */
		first = (ba_values){0};
	}
	return rc;
}

/* ---- an entry ------------------------------------------------------------ */

static int read_metric(entry *e, ba_pull *p, ba_error *err)
{
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "scoreUnit") == 0	    ? ba_text_pull(&e->unit, p, err)
		     : strcmp(key, "score") == 0	    ? ba_pull_f64_quoted(&e->score, p, err)
		     : strcmp(key, "rawData") == 0	    ? read_raw(e, false, p, err)
		     : strcmp(key, "rawDataHistogram") == 0 ? read_raw(e, true, p, err)
							    : ba_pull_skip(p, err);
	return rc;
}

/* "gc.alloc.rate" is also written "·gc.alloc.rate" (by older versions), and "p0.99" of
 * Fold.sum "sum·p0.99" */
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

static int read_secondary(entry *e, const ba_source *s, ba_pull *p, ba_error *err)
{
	const char *wanted = s->sink->metric;
	const char *key;
	bool found = false;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		bool mine = !ba_source_offer(s, key) && !found && is_metric(e, key, wanted);
		found = found || mine;
		rc = mine ? read_metric(e, p, err) : ba_pull_skip(p, err);
	}
	return rc;
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

static void put_id(entry *e)
{
	ba_buf_clear(&e->id);
	ba_buf_puts(&e->id, e->benchmark.data);
	if (e->params.len)
		ba_buf_printf(&e->id, "/%s", e->params.data);
	ba_buf_printf(&e->id, " (%s", e->mode.data);
	if (e->threads.len && strcmp(e->threads.data, "1") != 0)
		ba_buf_printf(&e->id, ", %s threads", e->threads.data);
	ba_buf_putc(&e->id, ')');
}

static int emit(entry *e, const ba_source *s, ba_pull *p, ba_error *err)
{
	const char *metric = s->sink->metric ? s->sink->metric : "time";
	if (!e->benchmark.len)
		return ba_pull_fail(err, p, "an entry without 'benchmark'");
	/* there is no number with that name */
	if (s->sink->offer)
		return 0;
	if (strcmp(metric, "time") != 0 && isnan(e->score) && !e->values.count)
		return 0;
	put_id(e);
	bool is_time = to_time(e);
	const ba_record record = {
		.id = e->id.data,
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

static int read_entry(void *data, ba_pull *p, ba_error *err)
{
	entry *e = data;
	const ba_source *s = e->s;
	static const struct {
		const char *key, *name;
	} machine[] = {{"jdkVersion", "JDK"}, {"vmName", "VM"}};
	const bool own = ba_source_wants(s, "time", true);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	const char *key;
	entry_clear(e);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		size_t i = 0, n = BA_COUNT(machine);
		while (i < n && strcmp(key, machine[i].key) != 0)
			i++;
		if (i < n) {
			rc = ba_text_pull(&text, p, err);
			ba_source_field(s, machine[i].name, text.data, true);
			continue;
		}
		rc = strcmp(key, "benchmark") == 0 ? ba_text_pull(&e->benchmark, p, err)
		     : strcmp(key, "mode") == 0	   ? ba_text_pull(&e->mode, p, err)
		     : strcmp(key, "threads") == 0 ? ba_text_pull(&e->threads, p, err)
		     : strcmp(key, "params") == 0  ? ba_parameters_pull(&e->params, p, err)
		     : strcmp(key, "primaryMetric") == 0 && own	    ? read_metric(e, p, err)
		     : strcmp(key, "secondaryMetrics") == 0 && !own ? read_secondary(e, s, p, err)
								    : ba_pull_skip(p, err);
	}
	return rc ? rc : emit(e, s, p, err);
}

int ba_read_jmh(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	BA_AUTO(entry)
	entry e = {.s = s,
		.benchmark = BA_BUF_INIT,
		.mode = BA_BUF_INIT,
		.threads = BA_BUF_INIT,
		.params = BA_BUF_INIT,
		.unit = BA_BUF_INIT,
		.id = BA_BUF_INIT};
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_each_pull(&e, p, read_entry, err);
	return rc ? rc : ba_pull_end(p, err);
}
