#include "verdict/explain.h"

#include "verdict/estimate.h"

/* ---- why ---- */

static const char *why_stopped(const ba_result *r)
{
	if (r->run.interrupted)
		return "the run was interrupted";
	if (strcmp(r->decided.stopped, "budget") == 0)
		return "the time budget was used up";
	if (strcmp(r->decided.stopped, "fail-fast") == 0)
		return "the run ended with the first regression";
	return NULL;
}

typedef enum cause {
	CAUSE_FIRST_LOOK,  /* not reached */
	CAUSE_INVOCATIONS, /* too few invocations, however little noise there is */
	CAUSE_FAMILY,
	CAUSE_MEAN,
	CAUSE_THRESHOLD,
	CAUSE_TIMER,
	CAUSE_WITHIN,
	CAUSE_BETWEEN,
} cause;

typedef struct open_question {
	const ba_result *r;
	const ba_series *series;
	const ba_decision *d;
	ba_policy policy;
	ba_design design;
	ba_family family;
	/* how many invocations would be enough; 0: more than a run can make */
	size_t need;
	cause cause;
} open_question;

/* The interval is short and the estimate lies between D/2 and 1.25 D, where neither a
 * change nor `unchanged` is the right verdict. Measuring longer does not help. */
static bool is_near_threshold(const ba_decision *d)
{
	double size = fabs(d->ybar), limit = d->ybar > 0 ? d->d_reg : d->d_imp;
	return d->hi - d->ybar < 0.5 * limit && size > 0.5 * limit && size < 1.25 * limit;
}

static cause cause_of_noise(const open_question *q, const ba_components *noise)
{
	const ba_decision *d = q->d;
	double within = sqrt(noise->s1_sq / noise->blocks);
	if (is_near_threshold(d))
		return CAUSE_THRESHOLD;
	if (q->series->s_floor > BA_S_FLOOR && d->s <= q->series->s_floor)
		return CAUSE_TIMER;
	return within > 0.7 * d->s ? CAUSE_WITHIN : CAUSE_BETWEEN;
}

static cause cause_of(const open_question *q, const ba_components *noise)
{
	if (!q->d->invocations)
		return CAUSE_FIRST_LOOK;
	switch (ba_decision_obstacle(q->d, &q->policy, &q->design, &q->family)) {
	case BA_OBSTACLE_INVOCATIONS:
		/* if no number of invocations is enough, noise is the cause */
		return q->need ? CAUSE_INVOCATIONS : cause_of_noise(q, noise);
	case BA_OBSTACLE_FAMILY:
		return CAUSE_FAMILY;
	case BA_OBSTACLE_MEAN:
		return CAUSE_MEAN;
	case BA_OBSTACLE_NOISE:
		break;
	}
	return cause_of_noise(q, noise);
}

/* "4 invocations cannot prove a single change among 66 comparisons" */
static char *too_few(const open_question *q)
{
	size_t others = q->d->ybar > 0 ? q->family.slower : q->family.faster;
	if (q->family.size == 1)
		return ba_xprintf("%zu invocations cannot prove a change", q->d->invocations);
	return ba_xprintf("%zu invocations cannot prove %s among %zu comparisons",
		q->d->invocations, others ? "one more change" : "a single change", q->family.size);
}

static char *why(const open_question *q)
{
	switch (q->cause) {
	case CAUSE_INVOCATIONS:
		return too_few(q);
	case CAUSE_FAMILY:
		return ba_xprintf(
			"alone this would be conclusive, but %zu comparisons share the error rate",
			q->family.size);
	case CAUSE_MEAN:
		return ba_xstrdup("invocations differ too much to confirm that");
	case CAUSE_THRESHOLD:
		return ba_xstrdup("the change is about as large as the threshold");
	case CAUSE_TIMER:
		return ba_xstrdup("the timer is too coarse for readings this short");
	case CAUSE_WITHIN:
		return ba_xstrdup("the noise within an invocation is too large");
	case CAUSE_BETWEEN:
	case CAUSE_FIRST_LOOK:
		break;
	}
	return ba_xstrdup("invocations differ too much from each other");
}

/* "the mean moved by +40 % and the typical time by +0.1 %, and ", or "" */
static char *mean_of(const open_question *q)
{
	const ba_decision *d = q->d;
	if (!ba_decision_mean_is_slower(d) && !ba_decision_mean_is_faster(d))
		return ba_xstrdup("");
	return ba_xprintf("the mean moved by %s and the typical time by %s, %s ",
		ba_percent_of(exp(d->mean.zbar), exp(d->mean.lo), exp(d->mean.hi)).text,
		ba_percent_of(exp(d->ybar), exp(d->lo), exp(d->hi)).text,
		q->cause == CAUSE_MEAN ? "but" : "and");
}

/* Why is a change not even likely, although its interval is beyond the threshold? "" if
 * it is likely, if the interval is not beyond the threshold, or if noise (or the mean)
 * is already given as the reason. */
static const char *why_unlikely(const open_question *q)
{
	const ba_decision *d = q->d;
	bool beyond = d->lo >= d->d_reg || d->hi <= -d->d_imp;
	if (!beyond || d->likely || q->r->decided.rule < BA_RULE_GAPS ||
		(q->cause != CAUSE_INVOCATIONS && q->cause != CAUSE_FAMILY))
		return "";
	return d->gap_rank > 1 ? ", and other comparisons of the run vary by as much"
			       : ", and its own invocations vary too much for it to be likely";
}

static char *reason_of(const open_question *q)
{
	const char *stopped = why_stopped(q->r);
	if (q->cause == CAUSE_FIRST_LOOK && ba_estimate_least(q->series) > 1)
		return ba_xprintf(
			"%s%sstarts are judged from %u invocations on, because some have two speeds",
			stopped ? stopped : "", stopped ? ", and " : "", BA_STARTS_LEAST);
	if (q->cause == CAUSE_FIRST_LOOK)
		return ba_xprintf(
			"%s before the first look", stopped ? stopped : "measuring ended");
	BA_AUTO_FREE char *mean = mean_of(q), *because = why(q);
	return ba_xprintf("%s%s%s%s%s", stopped ? stopped : "", stopped ? ", and " : "", mean,
		because, why_unlikely(q));
}

void ba_explain_mean(ba_comparison *k)
{
	bool slower = k->verdict == BA_VERDICT_TAIL_REGRESSED;
	ba_text_own(&k->reason,
		ba_xprintf("the mean changed by %s (%s), the typical time by %s: %s",
			ba_percent_of(k->mean_ratio, k->mean_low, k->mean_high).text,
			ba_interval_of(k->mean_low, k->mean_high).text,
			ba_percent_of(k->ratio, k->low, k->high).text,
			slower ? "some readings are much slower" : "fewer readings are slow"));
}

/* ---- what would be enough ---- */

static unsigned invocations_of(const ba_result *r)
{
	unsigned most = 0;
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t k = 0; k < r->series[i].sample_count; k++)
			if (r->series[i].samples[k].invocation >= most)
				most = r->series[i].samples[k].invocation + 1;
	return most;
}

static double wall_seconds_of(const ba_series *series)
{
	double sum = 0;
	for (size_t k = 0; k < series->sample_count; k++)
		sum += (double)series->samples[k].wall_ns * 1e-9;
	return sum;
}

double ba_seconds_of_one_more(const ba_result *r, const bool *open)
{
	double all = 0, sum = 0;
	unsigned invocations = invocations_of(r);
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		double wall = wall_seconds_of(s);
		all += wall;
		if (open[s->benchmark] && s->sample_count)
			sum += wall / (double)s->sample_count;
	}
	return invocations ? sum + fmax(0, r->run.measure_seconds - all) / invocations : NAN;
}

static ba_design all_looks(const open_question *q)
{
	return q->policy.counts ? ba_design_counts() : ba_design_of_rule(q->policy.rule);
}

/* The design of a run like this one that ends with `last` invocations. */
static ba_design longer_design(const open_question *q, size_t last)
{
	ba_design all = all_looks(q), longer = {0};
	const ba_design *own = &q->design;
	double sum = 0;
	if (own->looks == 1)
		return ba_design_fixed(last);
	for (size_t k = 0; k < all.looks; k++) {
		if (all.at[k] < own->at[0] || all.at[k] > last)
			continue;
		longer.at[longer.looks] = all.at[k];
		longer.weight[longer.looks++] = all.weight[k];
		sum += all.weight[k];
	}
	for (size_t k = 0; k < longer.looks; k++)
		longer.weight[k] /= sum;
	return longer;
}

/* How many invocations would be enough with today's estimate and spread? Tries the
 * remaining looks of this run, then those of a longer run. */
static size_t needed(const open_question *q)
{
	const ba_design all = all_looks(q);
	double level = ba_family_level(&q->family, q->d, &q->policy);
	size_t need = ba_decision_forecast(q->d, &q->policy, &q->design, level);
	size_t from = ba_design_last(&q->design);
	for (size_t last = from + 1; need <= q->d->invocations; last++) {
		if (last > ba_design_last(&all))
			return 0;
		ba_design longer = longer_design(q, last);
		if (longer.looks && ba_design_last(&longer) > from)
			need = ba_decision_forecast(q->d, &q->policy, &longer, level);
	}
	return need;
}

/* The option that makes a run this long. */
static char *option_of(const open_question *q)
{
	if (strcmp(q->r->decided.stopped, "budget") == 0)
		return ba_xstrdup(": a longer --budget");
	if (*q->r->decided.stopped || q->r->run.interrupted)
		return ba_xstrdup("");
	return ba_xprintf(
		q->design.looks == 1 ? ": --fixed %zu" : ": --max-invocations %zu", q->need);
}

static char *time_text(double seconds)
{
	if (!(seconds > 0) || !isfinite(seconds))
		return ba_xstrdup("");
	bool minutes = seconds >= 120;
	return ba_xprintf(" (%.*f %s)", seconds < 10, minutes ? seconds / 60 : seconds,
		minutes ? "min" : "s");
}

static char *hint_of(const open_question *q, double seconds)
{
	if (q->cause == CAUSE_FIRST_LOOK)
		return NULL;
	if (q->cause == CAUSE_THRESHOLD)
		return ba_xstrdup("choose a --threshold that is clearly smaller or larger");
	const ba_design all = all_looks(q);
	size_t most = ba_design_last(&all);
	/* the tool cannot repeat measurements inside a program that times itself */
	bool program = q->r->run.benchmarks[q->series->benchmark].kind == BA_SUITE_COMMAND;
	if (!q->need)
		return ba_xprintf(
			"even %zu invocations would not be enough: %sa quieter machine or a larger --threshold helps",
			q->d->invocations > most ? q->d->invocations : most,
			program ? "more repetitions in each run of the program, " : "");
	size_t more = q->need - q->d->invocations;
	BA_AUTO_FREE char *time = time_text((double)more * seconds);
	BA_AUTO_FREE char *option = option_of(q);
	return ba_xprintf("about %zu more %s%s would be enough%s", more,
		ba_plural(more, "invocation", "invocations"), time, option);
}

void ba_explain_inconclusive(ba_comparison *k, const ba_result *r, const ba_series *series,
	const ba_decision *d, const ba_outlook *outlook)
{
	ba_components noise = ba_estimate_components(k);
	open_question q = {.r = r,
		.series = series,
		.d = d,
		.policy = ba_policy_of(r, series->s_floor),
		.design = r->decided.design,
		.family = outlook->family};
	if (q.policy.multiplicity == BA_MULTIPLICITY_NONE)
		q.family = (ba_family){.size = 1};
	q.need = d->invocations ? needed(&q) : 0;
	q.cause = cause_of(&q, &noise);
	ba_prospect *prospect = outlook->prospect;
	prospect->open++;
	prospect->settled += q.need > 0;
	if (q.need)
		prospect->more = fmax(prospect->more, (double)(q.need - d->invocations));
	BA_FREE(k->reason, k->hint);
	k->reason = reason_of(&q);
	k->hint = hint_of(&q, prospect->seconds);
}

/* ---- the run as a whole ---- */

/* Does a block drift by more than half the threshold? */
static bool is_unsteady(const ba_comparison *k)
{
	double threshold = fmin(k->threshold_slower, k->threshold_faster);
	return k->y_count && threshold > 0 && fabs(k->drift_per_block) > 0.5 * log1p(threshold);
}

/* A clock difference of 0.5 % changes a kernel's time by 0.5 %. */
#define CLOCKS_DIFFER 0.005

/* How much faster the multiprocessors' clock was for that candidate than the baseline. */
static double clock_gain(const ba_series *series, size_t candidate)
{
	double base = series->variants[0].sm_mhz;
	double mine = series->variants[candidate].sm_mhz;
	return base > 0 && mine > 0 ? mine / base - 1 : 0;
}

static void explain_clocks(ba_result *r)
{
	const ba_series *worst = NULL;
	size_t who = 0;
	double most = CLOCKS_DIFFER;
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 1; c < r->run.variant_count; c++) {
			const ba_series *series = &r->series[i];
			double gain = fabs(clock_gain(series, c));
			if (series->role != BA_ROLE_VERDICT || gain <= most)
				continue;
			most = gain;
			worst = series;
			who = c;
		}
	if (!worst)
		return;
	double gain = clock_gain(worst, who);
	ba_strv_printf(&r->run.notes,
		"the GPU's clock was %.2g %% %s for %s than for %s in %s: the GPU adapts its clock to the power that a kernel draws, and that is part of the difference",
		100 * fabs(gain), gain > 0 ? "higher" : "lower", r->run.variants[who].label,
		r->run.variants[0].label, r->run.benchmarks[worst->benchmark].id);
}

static void explain_drift(ba_result *r)
{
	const ba_series *worst = NULL;
	double drift = 0;
	size_t count = 0;
	BA_EACH (const ba_series, series, r->series, r->series_count) {
		bool any = false;
		if (series->role != BA_ROLE_VERDICT)
			continue;
		for (size_t c = 0; c + 1 < r->run.variant_count; c++) {
			const ba_comparison *k = &series->comparisons[c];
			if (!is_unsteady(k))
				continue;
			any = true;
			if (fabs(k->drift_per_block) > fabs(drift)) {
				drift = k->drift_per_block;
				worst = series;
			}
		}
		count += any;
	}
	if (!worst)
		return;
	ba_strv_printf(&r->run.notes,
		"clocks not steady: within a block of %s the same code became %.2g %% %s, more than half the threshold%s; interleaving cancels a steady drift, not a jump",
		r->run.benchmarks[worst->benchmark].id, 100 * fabs(expm1(drift)),
		drift > 0 ? "slower" : "faster", count > 1 ? " (and of others)" : "");
}

void ba_explain_run(ba_result *r)
{
	explain_drift(r);
	explain_clocks(r);
}
