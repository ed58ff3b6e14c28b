/* Chooses metrics and suites, from the request and the configuration. */

#include "job/setup.h"

/* ---- metrics ---- */

static bool is_on(ba_target_choice target, bool untrusted, ba_metric metric)
{
	const ba_metric_info *info = ba_metric_get(metric);
	return (info->trusted || untrusted) && (target == BA_ON_HOST ? info->host : info->gpu);
}

/* Is it measured by default? */
static bool is_usual(ba_target_choice target, bool untrusted, ba_metric metric)
{
	const ba_metric_info *info = ba_metric_get(metric);
	return is_on(target, untrusted, metric) && !info->on_request &&
	       !ba_metric_decides_itself(metric) && !(untrusted && info->counted);
}

static int no_such_metric(const char *option, const char *name, ba_target_choice target,
	bool untrusted, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf names = BA_BUF_INIT;
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (is_on(target, untrusted, (ba_metric)m))
			ba_buf_printf(&names, "%s%s", names.len ? ", " : "",
				ba_metric_get((ba_metric)m)->name);
	if (target == BA_ON_HOST && ba_metric_from_name(name) >= 0)
		return ba_fail(err, BA_EINVAL,
			"%s: the host target has no metric '%s'; choose among %s, or measure with --target gpu",
			option, name, names.data);
	return ba_fail(
		err, BA_EINVAL, "%s: no metric '%s'; there are %s", option, name, names.data);
}

static int parse_metrics(bool *out, const char *text, const char *option, ba_target_choice target,
	bool untrusted, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_strv_split(&words, text, ',');
	for (size_t i = 0; i < words.count; i++) {
		int metric = ba_metric_from_name(words.items[i]);
		if (strcmp(words.items[i], "census") == 0) {
			memset(&out[BA_CENSUS_FIRST], true, BA_CENSUS_METRICS);
			continue;
		}
		if (metric < 0 || !is_on(target, untrusted, (ba_metric)metric))
			return no_such_metric(option, words.items[i], target, untrusted, err);
		out[metric] = true;
	}
	return 0;
}

/* The kind's own metric decides; if it is not measured, the other measured ones do. */
static void choose_verdicts(ba_session_spec *spec, ba_suite_kind kind, ba_target_choice target)
{
	int main = -1;
	for (int m = 0; main < 0 && m < BA_METRIC_COUNT; m++)
		if (ba_metric_get((ba_metric)m)->role == BA_ROLE_VERDICT &&
			ba_metric_is_taken((ba_metric)m, kind, false) &&
			is_on(target, false, (ba_metric)m))
			main = m;
	for (int m = 0; m < BA_METRIC_START; m++)
		if (ba_metric_is_of((ba_metric)m, kind))
			spec->verdict[m] = spec->measure[m] && (m == main || !spec->measure[main]);
}

/* Of a start, the time decides, and its processor time is measured beside it. */
static void choose_starts(ba_session_spec *spec, const ba_job_request *q)
{
	for (int m = BA_METRIC_START; m < BA_METRIC_COUNT; m++) {
		const ba_metric_info *info = ba_metric_get((ba_metric)m);
		bool decides = info->role == BA_ROLE_VERDICT && !q->verdict_on;
		spec->verdict[m] = spec->verdict[m] || (spec->measure[m] && decides);
		if (info->cpu && spec->measure[m])
			spec->measure[info->cpu] = true;
	}
}

/* Values that other programs print get verdicts, unless --verdict-on names other metrics. */
static void choose_foreign(ba_session_spec *spec, const ba_job_request *q)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (ba_metric_decides_itself((ba_metric)m)) {
			spec->measure[m] = spec->measure[m] || !q->metrics;
			spec->verdict[m] = spec->verdict[m] || (spec->measure[m] && !q->verdict_on);
		}
}

ba_target_choice ba_job_target(const ba_job_request *q, const ba_config *config)
{
	if (q->target >= 0)
		return (ba_target_choice)q->target;
	return config && config->host_target ? BA_ON_HOST : BA_ON_GPU;
}

/* Instructions that do not decide are counted for explanations, so only with a baseline; of all
 * benchmarks if the user names the metric. */
static void choose_explained(ba_session_spec *spec, const ba_job_request *q)
{
	bool asked = q->metrics && spec->measure[BA_METRIC_INSTRUCTIONS];
	bool compared = q->purpose != BA_JOB_CALIBRATE && q->most > 1;
	spec->explain = q->explain				   ? (ba_explain)q->explain
			: asked					   ? BA_EXPLAIN_ALL
			: compared && !q->metrics && !q->untrusted ? BA_EXPLAIN_AUTO
								   : BA_EXPLAIN_OFF;
	spec->measure[BA_METRIC_INSTRUCTIONS] =
		spec->verdict[BA_METRIC_INSTRUCTIONS] || spec->explain != BA_EXPLAIN_OFF;
	spec->explains_starts = compared && q->explain != BA_EXPLAIN_OFF;
	spec->notes_census = compared && spec->explain != BA_EXPLAIN_OFF;
	for (int m = BA_CENSUS_FIRST; m < BA_CENSUS_FIRST + BA_CENSUS_METRICS; m++)
		spec->notes_census = spec->notes_census && !spec->measure[m];
	if (spec->notes_census)
		memset(&spec->measure[BA_CENSUS_FIRST], true, BA_CENSUS_METRICS);
}

/* Which metrics decide if neither user nor configuration chose. */
static void choose_usual(ba_session_spec *spec, ba_target_choice target)
{
	choose_verdicts(spec, BA_SUITE_LAUNCHER, target);
	if (target != BA_ON_HOST)
		choose_verdicts(spec, BA_SUITE_PLUGIN, target);
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (!ba_metric_get((ba_metric)m)->trusted)
			spec->verdict[m] = spec->measure[m];
}

int ba_job_choose_metrics(ba_session_spec *spec, const ba_job_request *q, const ba_config *config,
	ba_target_choice target, ba_error *err)
{
	const char *verdict_on = q->verdict_on;
	/* the user chose other metrics than the default, so they decide */
	if (!verdict_on && !q->metrics && config)
		verdict_on = config->verdict_on;
	if (q->metrics)
		BA_TRY(parse_metrics(
			spec->measure, q->metrics, "--metrics", target, q->untrusted, err));
	for (int m = 0; !q->metrics && m < BA_METRIC_COUNT; m++)
		spec->measure[m] = is_usual(target, q->untrusted, (ba_metric)m);
	if (verdict_on)
		BA_TRY(parse_metrics(spec->verdict, verdict_on,
			q->verdict_on ? "--verdict-on" : "the configuration's verdict_on", target,
			q->untrusted, err));
	choose_starts(spec, q);
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		const ba_metric_info *info = ba_metric_get((ba_metric)m);
		bool asked = spec->measure[m] || spec->verdict[m] || q->explain > BA_EXPLAIN_OFF;
		spec->measure[m] = spec->measure[m] || (info->census && spec->verdict[m]);
		if (q->untrusted &&
			((info->counted && asked) || (info->starts && spec->measure[m])))
			return ba_fail(err, BA_EUNSUPPORTED,
				info->starts
					? "--untrusted: the metric '%s' is that of a start, which this lane does not measure; measure %s"
					: "--untrusted: the metric '%s' is counted in the candidate's own process, which could change it; measure %s",
				info->name, target == BA_ON_HOST ? "host" : "submit");
	}
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (spec->verdict[m] && !spec->measure[m])
			return ba_fail(err, BA_EINVAL,
				"--verdict-on: '%s' is not among the --metrics: only a measured metric can have a verdict",
				ba_metric_get((ba_metric)m)->name);
	choose_foreign(spec, q);
	if (!verdict_on)
		choose_usual(spec, target);
	choose_explained(spec, q);
	return 0;
}

/* ---- suites ---- */

static int no_such_suite(const ba_config *config, const ba_job_request *q, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	for (size_t i = 0; i < config->suite_count; i++)
		ba_strv_push(&names, config->suites[i].name);
	BA_AUTO_FREE char *all = ba_strv_join(&names, ", ");
	return ba_fail(
		err, BA_EINVAL, "no suite '%s' in the configuration; there is %s", q->suite, all);
}

/* Does the kind have one of the measured metrics? A plugin's cases need a GPU even for
 * counting, because their data is in its memory. */
static bool has_metrics(
	const ba_session_spec *spec, ba_suite_kind kind, ba_target_choice target, bool untrusted)
{
	if (kind == BA_SUITE_PLUGIN && target == BA_ON_HOST)
		return false;
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (spec->measure[m] && ba_metric_is_taken((ba_metric)m, kind, untrusted))
			return true;
	return false;
}

static int nothing_to_measure(ba_target_choice target, const ba_suite_config *s, ba_error *err)
{
	return ba_fail(err, BA_EINVAL,
		target == BA_ON_HOST && s->kind != BA_SUITE_COMMAND
			? "suite '%s' is of kind '%s', which needs a GPU; --target host measures launcher and worker suites"
		: s->kind == BA_SUITE_COMMAND
			? "--metrics names no metric of suite '%s', which is of kind '%s': its program measures itself, and nothing is counted in it; suites of kind google-benchmark, nvbench and worker are counted"
			: "--metrics names no metric of suite '%s', which is of kind '%s'",
		s->name, ba_suite_kind_name(s->kind));
}

/* Only functions that the tool calls itself can be timed from outside. */
static int check_trust(const ba_job_request *q, const ba_suite_config *s, ba_error *err)
{
	if (!q->untrusted || s->kind != BA_SUITE_COMMAND)
		return 0;
	return ba_fail(err, BA_EUNSUPPORTED,
		"suite '%s' is of kind '%s': its times are the candidate's own word, and --untrusted takes none; choose another suite with --suite",
		s->name, ba_suite_kind_name(s->kind));
}

int ba_job_choose_suites(
	ba_suite_list *out, const ba_config *config, const ba_job_request *q, ba_error *err)
{
	ba_session_spec spec = {0};
	const ba_suite_config *left_out = NULL;
	if (q->purpose == BA_JOB_CODE) {
		out->items = ba_xcalloc(config->suite_count + 1, sizeof(*out->items));
		for (size_t i = 0; i < config->suite_count; i++)
			out->items[out->count++] = &config->suites[i];
		return 0;
	}
	if (config->suite_count == 0)
		return ba_fail(err, BA_ECONFIG,
			"%s names no suite: say what to measure, for example \"suites\": {\"launch\": {\"kind\": \"launcher\", \"library\": \"build/liblauncher.so\"}}",
			config->name ? config->name : "the configuration");
	ba_target_choice target = ba_job_target(q, config);
	BA_TRY(ba_job_choose_metrics(&spec, q, config, target, err));
	ba_suite_list chosen = {.items = ba_xcalloc(config->suite_count, sizeof(*chosen.items))};
	bool named = false;
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < config->suite_count; i++) {
		const ba_suite_config *s = &config->suites[i];
		if (q->suite && strcmp(q->suite, s->name) != 0)
			continue;
		named = true;
		if (q->purpose == BA_JOB_LIST || has_metrics(&spec, s->kind, target, q->untrusted))
			chosen.items[chosen.count++] = s;
		else
			left_out = s;
		rc = check_trust(q, s, err);
	}
	if (rc == 0 && !named)
		rc = no_such_suite(config, q, err);
	if (rc == 0 && chosen.count == 0)
		rc = nothing_to_measure(target, left_out, err);
	if (rc)
		ba_suite_list_dispose(&chosen);
	else
		*out = chosen;
	return rc;
}
