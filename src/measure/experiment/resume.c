/*
 * Writes an invocation to a checkpoint and reads it back. A resumed run repeats each
 * look with the samples that the earlier process measured. So its decisions are the
 * same again, and only the measurements are taken from the journal.
 */
#include "experiment/plan.h"

#include "verdict/identity.h"
#include "experiment/opened_files.h"

void ba_resume_engines(ba_result *r, const ba_resumed *from)
{
	const ba_checkpoint *last = from->count ? &from->checkpoints[from->count - 1] : NULL;
	for (size_t i = 0; last && i < last->suite_count; i++)
		BA_EACH (ba_measured_suite, m, r->run.suites, r->run.suite_count) {
			if (strcmp(m->name, last->suites[i].name) != 0)
				continue;
			ba_text_replace(&m->engine, last->suites[i].engine);
			ba_text_replace(&m->engine_reason, last->suites[i].engine_reason);
			ba_strv_dispose(&m->executes);
			ba_strv_copy(&m->executes, &last->suites[i].executes);
		}
	ba_measured_sum_up_engines(&r->run);
}

/* ---- state of a benchmark ---- */

static void save_metrics(ba_benchmark_state *b, const ba_session *s, const ba_task *t)
{
	for (int k = 0; k < BA_METRIC_COUNT; k++) {
		const ba_series *series = ba_task_series(s, t, (ba_metric)k);
		if (!series)
			continue;
		b->metrics[k] = t->rounds[k];
		if (s->result->run.variant_count > 1) {
			b->metrics[k].slower = series->comparisons[0].threshold_slower;
			b->metrics[k].faster = series->comparisons[0].threshold_faster;
		}
		b->has_metric |= UINT64_C(1) << k;
	}
}

static void save(ba_benchmark_state *b, const ba_session *s, const ba_task *t)
{
	const ba_benchmark *facts = t->benchmark;
	size_t n = s->result->run.variant_count;
	*b = (ba_benchmark_state){.id = ba_xstrdup(facts->id),
		.active = t->active,
		.sized = t->sized,
		.sets = t->sets,
		.flop = facts->flop,
		.bytes_read = facts->bytes_read,
		.bytes_written = facts->bytes_written,
		.items = facts->items,
		.variants = ba_xcalloc(n, sizeof(*b->variants)),
		.variant_count = n};
	for (size_t v = 0; v < n; v++)
		b->variants[v] = (ba_variant_state){.wanted = t->wanted[v],
			.failure = ba_xstrdup(t->failure[v]),
			.output = ba_xstrdup(t->output[v]),
			.skipped = ba_xstrdup(t->skipped[v])};
	save_metrics(b, s, t);
}

/* ---- here, to a checkpoint ---- */

void ba_session_checkpoint(ba_session *s)
{
	const ba_result *r = s->result;
	BA_AUTO(ba_checkpoint)
	ba_checkpoint c = {.elapsed_ns = ba_now_ns() - s->started_ns,
		.samples = s->kept,
		.benchmarks = ba_xcalloc(s->task_count, sizeof(*c.benchmarks)),
		.suites = ba_xcalloc(r->run.suite_count, sizeof(*c.suites)),
		.suite_count = r->run.suite_count,
		.evidence = r->run.evidence};
	s->kept = 0;
	if (!s->spec->invoked)
		return;
	for (size_t i = 0; i < r->run.suite_count; i++) {
		c.suites[i].name = ba_xstrdup(r->run.suites[i].name);
		c.suites[i].engine = ba_xstrdup(r->run.suites[i].engine);
		c.suites[i].engine_reason = ba_xstrdup(r->run.suites[i].engine_reason);
		ba_strv_copy(&c.suites[i].executes, &r->run.suites[i].executes);
	}
	ba_strv_copy(&c.opened, &s->opened);
	for (; s->notes_told < r->run.notes.count; s->notes_told++)
		ba_strv_push(&c.notes, r->run.notes.items[s->notes_told]);
	for (size_t i = 0; i < s->task_count; i++)
		if (s->tasks[i].took_part)
			save(&c.benchmarks[c.benchmark_count++], s, &s->tasks[i]);
	s->spec->invoked(s->spec->stored_data, s->invocation, &c);
}

/* ---- a checkpoint, to here ---- */

static int unfit(const ba_session *s, bool by_member, const char *id, ba_error *err)
{
	return ba_fail(err, BA_EDATA,
		"%s invocation %u has benchmark '%s', which this run does not have",
		by_member ? "a member's" : "the journal's", s->invocation, id);
}

static ba_task *task_of(ba_session *s, const char *id)
{
	if (!s->ids.count)
		for (size_t i = 0; i < s->task_count; i++)
			ba_names_add(&s->ids, s->tasks[i].benchmark->id);
	size_t at = ba_names_find(&s->ids, id);
	return at == BA_NAMES_NONE ? NULL : &s->tasks[at];
}

static bool lacks_samples(const ba_session *s, const ba_task *t, ba_metric metric)
{
	const ba_series *x = ba_task_series(s, t, metric);
	return x && (x->sample_count == 0 ||
			    x->samples[x->sample_count - 1].invocation != s->invocation);
}

/* Ignores samples of benchmarks that were decided since a member began to measure them, so
 * that the result does not depend on which member was faster. */
static int take_samples(
	ba_session *s, ba_resumed_samples *all, size_t count, bool by_member, ba_error *err)
{
	for (size_t i = 0; i < count; i++) {
		ba_task *t = task_of(s, all[i].benchmark);
		if (!t || !lacks_samples(s, t, all[i].metric))
			return unfit(s, by_member, all[i].benchmark, err);
		if (t->active)
			ba_session_keep(s, t, all[i].metric, &all[i].samples);
	}
	return 0;
}

/* A benchmark that failed stays failed. */
static void take_failures(ba_session *s, ba_task *t, const ba_benchmark_state *b, bool by_member)
{
	for (size_t v = 0; v < b->variant_count; v++) {
		const ba_variant_state *x = &b->variants[v];
		if (x->wanted || !t->wanted[v])
			continue;
		t->wanted[v] = false;
		ba_text_replace(&t->failure[v], x->failure);
		ba_text_replace(&t->output[v], x->output);
		ba_text_replace(&t->skipped[v], x->skipped);
		if (x->failure && by_member)
			ba_log_printf(s->spec->log, BA_LOG_WARNING, "%s: %s failed: %s", b->id,
				s->result->run.variants[v].label, x->failure);
	}
}

/* Are the sizes all absent, or all above 0? */
static bool fits(const ba_benchmark_state *b)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		const ba_metric_state *x = &b->metrics[m];
		bool any = x->batch || x->blocks || x->readings;
		if (any && !(x->batch && x->blocks && x->readings))
			return false;
	}
	return true;
}

static void take_sizes(ba_session *s, ba_task *t, const ba_benchmark_state *b, bool thresholds)
{
	ba_benchmark *work = t->benchmark;
	t->sized = b->sized;
	t->sets = b->sets;
	work->flop = b->flop;
	work->bytes_read = b->bytes_read;
	work->bytes_written = b->bytes_written;
	work->items = b->items;
	for (int k = 0; k < BA_METRIC_COUNT; k++) {
		ba_series *series = ba_task_series(s, t, (ba_metric)k);
		if (!series)
			continue;
		if (!(b->has_metric >> k & 1) && ba_metric_get((ba_metric)k)->starts) {
			ba_task_drop_metric(s, t, (ba_metric)k); /* by then, or by that member */
			continue;
		}
		t->rounds[k] = b->metrics[k];
		for (size_t c = 0; thresholds && c < ba_session_candidates(s); c++) {
			series->comparisons[c].threshold_slower = b->metrics[k].slower;
			series->comparisons[c].threshold_faster = b->metrics[k].faster;
		}
	}
}

static int take_states(ba_session *s, const ba_checkpoint *c, bool by_member, ba_error *err)
{
	BA_EACH (const ba_benchmark_state, b, c->benchmarks, c->benchmark_count) {
		ba_task *t = task_of(s, b->id);
		if (!t || !fits(b))
			return unfit(s, by_member, b->id, err);
		if (!t->active)
			continue;
		t->took_part = true;
		take_failures(s, t, b, by_member);
		/* members' thresholds differ a little: the first member's are used */
		take_sizes(s, t, b, !by_member || !t->sized);
		ba_task_set_active(s, t, b->active);
	}
	return 0;
}

int ba_resume_take(ba_session *s, ba_resumed_samples *samples, size_t count, const ba_checkpoint *c,
	bool by_member, ba_error *err)
{
	BA_TRY(take_samples(s, samples, count, by_member, err));
	BA_TRY(take_states(s, c, by_member, err));
	if (ba_opened_files_recall(s->opened_files, s->result, &c->opened))
		ba_identity_withdraw(s->result);
	for (size_t i = 0; i < c->notes.count; i++)
		if (!by_member || !ba_strv_has(&s->result->run.notes, c->notes.items[i]))
			ba_strv_push(&s->result->run.notes, c->notes.items[i]);
	return 0;
}

int ba_resume_invocation(ba_session *s, ba_error *err)
{
	ba_resumed *from = s->spec->resumed;
	const ba_checkpoint *c = &from->checkpoints[s->invocation];
	ba_resumed_samples *samples = from->samples + s->resumed_samples;
	size_t count = 0;
	while (s->resumed_samples + count < from->sample_count &&
		samples[count].samples.invocation == s->invocation)
		count++;
	s->resumed_samples += count;
	BA_TRY(ba_resume_take(s, samples, count, c, false, err));
	s->kept = 0;
	s->notes_told = s->result->run.notes.count;
	if (c->evidence.untrusted)
		s->result->run.evidence = c->evidence;
	return 0;
}
