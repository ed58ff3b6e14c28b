/* The launch-overhead suite in an invocation: sizes from a rehearsal, then its metrics.
 */
#include "session/invocation.h"

#define ROUNDTRIP_BATCH 16u
#define ROUNDTRIP_BLOCKS 8u
#define REHEARSAL_BATCH 16u
/* launches of a few ns each: together they are long compared with a clock read */
#define REHEARSAL_BATCH_HOST 512u
#define REHEARSAL_READINGS 4u
#define REHEARSAL_BLOCKS 4u
#define SUSTAINED_DISCARD 1000u

/* The fastest reading of each participant in a short first round. */
static int rehearse(ba_session *s, ba_task *t, ba_failure *f)
{
	if (!ba_task_is_warm(s, t)) {
		t->sized = true;
		return 0;
	}
	BA_AUTO(ba_samples)
	ba_samples first = {.blocks = REHEARSAL_BLOCKS,
		.readings = REHEARSAL_READINGS,
		.batch = s->spec->measure[BA_METRIC_HOST] ? REHEARSAL_BATCH_HOST : REHEARSAL_BATCH};
	BA_TRY(ba_session_rehearse(s, t, &first, "submit", f));
	double fastest = ba_task_take_fastest(s, t, &first), total = 0;
	for (size_t v = 0; v <= s->result->run.variant_count; v++)
		total += t->ns[v];
	ba_metric paced = ba_session_paced(s);
	t->rounds[paced] = ba_sizes_for(s, t, fastest > 1 ? fastest : 1, total > 1 ? total : 1,
		ba_task_threshold(s, t, paced));
	t->sized = true;
	ba_task_apply_absolute(s, t);
	return 0;
}

/* The repeats of `sustained` are spread over the invocations up to the first look. */
static unsigned repeats_now(const ba_session *s, const ba_task *t)
{
	size_t first_look = s->spec->design.at[0];
	/* if it decides, every invocation has an equal share, however many there will
	 * be */
	if (s->spec->verdict[BA_METRIC_SUSTAINED])
		return (unsigned)((t->suite->spec->repeats + first_look - 1) / first_look);
	unsigned left = t->suite->spec->repeats - t->repeats_done;
	if (s->invocation >= first_look)
		return left;
	size_t invocations_left = first_look - s->invocation;
	return (unsigned)((left + invocations_left - 1) / invocations_left);
}

static int measure(ba_session *s, ba_task *t, ba_metric metric, ba_samples *out, ba_failure *f)
{
	const ba_metric_state *sizes = &t->rounds[metric];
	bool paced = ba_metric_get(metric)->paced, palindrome = true;
	unsigned discard = 0;
	if (ba_metric_get(metric)->starts)
		return ba_session_measure_start(s, t, metric, out, f);
	/* a journal may lack them */
	BA_TRY(paced && !sizes->batch ? rehearse(s, t, f) : 0);
	*out = (ba_samples){.layouts = t->suite->spec->layouts};
	if (paced) {
		out->has_floor = true;
		out->blocks = sizes->blocks;
		out->readings = sizes->readings;
		out->batch = sizes->batch;
	} else if (metric == BA_METRIC_ROUNDTRIP) {
		out->blocks = ba_sizes_rounds(t, ROUNDTRIP_BLOCKS);
		out->readings = 5;
		out->batch = discard = ROUNDTRIP_BATCH;
	} else {
		*out = (ba_samples){.blocks = repeats_now(s, t),
			.readings = 1,
			.batch = (unsigned)t->benchmark->loops};
		discard = SUSTAINED_DISCARD;
		palindrome = false;
	}
	return ba_session_measure(s, t, out, ba_metric_mode(metric), discard, palindrome, NULL, f);
}

static bool is_due(const ba_session *s, const ba_task *t, ba_metric metric)
{
	return t->series[metric] != BA_NO_SERIES &&
	       (metric != BA_METRIC_SUSTAINED || repeats_now(s, t) > 0);
}

const ba_kind_ops ba_launcher_ops = {
	.first_mode = "submit",
	.rehearse = rehearse,
	.is_due = is_due,
	.measure = measure,
};
