/*
 * Writes an invocation to a checkpoint and reads it back. A resumed run repeats each
 * look with the samples that the earlier process measured. So its decisions are the
 * same again, and only the measurements are taken from the journal.
 */
#include "experiment/resume.h"

#include "base/clock.h"
#include "base/base.h"
#include "verdict/identity.h"
#include "experiment/opened_files.h"
#include "session/task.h"

void ba_resume_engines(ba_result *r, const ba_resumed *from)
{
	const ba_checkpoint *last = from->count ? &from->checkpoints[from->count - 1] : NULL;
	for (size_t i = 0; last && i < last->suite_count; i++)
		for (size_t k = 0; k < r->run.suite_count; k++) {
			ba_measured_suite *m = &r->run.suites[k];
			if (strcmp(m->name, last->suites[i].name) != 0)
				continue;
			free(m->engine);
			free(m->engine_reason);
			m->engine = ba_xstrdup(last->suites[i].engine);
			m->engine_reason = ba_xstrdup(last->suites[i].engine_reason);
		}
	ba_measured_sum_up_engines(&r->run);
}

void ba_resume_begin(ba_session *s)
{
	if (s->spec->resumed)
		s->started_ns -= ba_resumed_elapsed_ns(s->spec->resumed);
}

/* ---- state of a benchmark ---- */

static void save_metrics(ba_benchmark_state *b, const ba_session *s, const ba_task *t)
{
	for (int k = 0; k < BA_METRIC_COUNT; k++) {
		const ba_series *series = ba_task_series(s, t, (ba_metric)k);
		if (!series)
			continue;
		const ba_round_sizes *rounds = &t->rounds[series->metric];
		ba_metric_state *m = &b->metrics[series->metric];
		*m = (ba_metric_state){.batch = rounds->batch,
			.readings = rounds->readings,
			.blocks = rounds->blocks,
			.blocks_most = rounds->blocks_most,
			.discard = rounds->discard};
		if (s->result->run.variant_count > 1) {
			m->slower = series->comparisons[0].threshold_slower;
			m->faster = series->comparisons[0].threshold_faster;
		}
		b->has_metric |= 1u << series->metric;
	}
}

static void save(ba_benchmark_state *b, const ba_session *s, const ba_task *t)
{
	const ba_benchmark *facts = t->benchmark;
	size_t n = s->result->run.variant_count;
	ba_benchmark_state_init(b, n);
	b->id = ba_xstrdup(facts->id);
	b->active = t->active;
	b->sized = t->sized;
	b->batch = t->batch;
	b->blocks = t->blocks;
	b->readings = t->readings;
	b->blocks_most = t->blocks_most;
	b->sets = t->sets;
	b->flop = facts->flop;
	b->bytes_read = facts->bytes_read;
	b->bytes_written = facts->bytes_written;
	b->items = facts->items;
	for (size_t v = 0; v < n; v++) {
		b->wanted[v] = t->wanted[v];
		ba_text_replace(&b->failure[v], t->failure[v]);
		ba_text_replace(&b->output[v], t->output[v]);
		ba_text_replace(&b->skipped[v], t->skipped[v]);
	}
	save_metrics(b, s, t);
}

static void restore_metrics(ba_session *s, ba_task *t, const ba_benchmark_state *b, bool thresholds)
{
	for (int k = 0; k < BA_METRIC_COUNT; k++) {
		ba_series *series = ba_task_series(s, t, (ba_metric)k);
		const ba_metric_state *m = &b->metrics[k];
		if (!series)
			continue;
		t->rounds[series->metric] = (ba_round_sizes){.batch = m->batch,
			.readings = m->readings,
			.blocks = m->blocks,
			.blocks_most = m->blocks_most,
			.discard = m->discard};
		for (size_t c = 0; thresholds && c < ba_session_candidates(s); c++) {
			series->comparisons[c].threshold_slower = m->slower;
			series->comparisons[c].threshold_faster = m->faster;
		}
	}
}

bool ba_resume_fits(const ba_task *t, const ba_benchmark_state *b)
{
	bool common = t->suite->ops->sizes_are_common;
	if (b->sized && common && !(b->batch && b->blocks && b->readings))
		return false;
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		const ba_metric_state *x = &b->metrics[m];
		bool any = x->batch || x->blocks || x->readings;
		if (any && !(x->batch && x->blocks && x->readings))
			return false;
	}
	return true;
}

void ba_resume_sizes(ba_session *s, ba_task *t, const ba_benchmark_state *b, bool thresholds)
{
	ba_benchmark *facts = t->benchmark;
	t->sized = b->sized;
	t->batch = b->batch;
	t->blocks = b->blocks;
	t->readings = b->readings;
	t->blocks_most = b->blocks_most;
	t->sets = b->sets;
	facts->flop = b->flop;
	facts->bytes_read = b->bytes_read;
	facts->bytes_written = b->bytes_written;
	facts->items = b->items;
	restore_metrics(s, t, b, thresholds);
}

static void restore(ba_session *s, ba_task *t, const ba_benchmark_state *b)
{
	ba_task_set_active(s, t, b->active);
	ba_resume_sizes(s, t, b, true);
	for (size_t v = 0; v < b->variant_count; v++) {
		t->wanted[v] = b->wanted[v];
		ba_text_replace(&t->failure[v], b->failure[v]);
		ba_text_replace(&t->output[v], b->output[v]);
		ba_text_replace(&t->skipped[v], b->skipped[v]);
	}
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
	}
	for (size_t i = 0; i < s->opened.count; i++)
		ba_strv_push(&c.opened, s->opened.items[i]);
	for (; s->notes_told < r->run.notes.count; s->notes_told++)
		ba_strv_push(&c.notes, r->run.notes.items[s->notes_told]);
	for (size_t i = 0; i < s->task_count; i++)
		if (s->tasks[i].took_part)
			save(&c.benchmarks[c.benchmark_count++], s, &s->tasks[i]);
	s->spec->invoked(s->spec->stored_data, s->invocation, &c);
}

/* ---- a checkpoint, to here ---- */

/* They come in the order of the tasks: *near is where to look first. */
static ba_task *find_task(ba_session *s, const char *id, size_t *near)
{
	for (size_t i = 0; i < s->task_count; i++) {
		size_t at = (*near + i) % s->task_count;
		if (strcmp(s->tasks[at].benchmark->id, id) != 0)
			continue;
		*near = at + 1;
		return &s->tasks[at];
	}
	return NULL;
}

static int unfit(const ba_session *s, const char *what, const char *id, ba_error *err)
{
	return ba_fail(err, BA_EDATA,
		"the journal's invocation %u has %s '%s', which is not of this run", s->invocation,
		what, id);
}

static bool has_series(const ba_session *s, const ba_task *t, ba_metric metric)
{
	const ba_series *x = ba_task_series(s, t, metric);
	return x && (x->sample_count == 0 ||
			    x->samples[x->sample_count - 1].invocation != s->invocation);
}

static int take_samples(ba_session *s, ba_error *err)
{
	ba_resumed *from = s->spec->resumed;
	size_t near = 0;
	for (; s->resumed_samples < from->sample_count; s->resumed_samples++) {
		ba_resumed_samples *p = &from->samples[s->resumed_samples];
		if (p->samples.invocation != s->invocation)
			break;
		ba_task *t = find_task(s, p->benchmark, &near);
		if (!t || !has_series(s, t, p->metric))
			return unfit(s, "samples of", p->benchmark, err);
		ba_session_keep(s, t, p->metric, &p->samples);
	}
	s->kept = 0;
	return 0;
}

int ba_resume_invocation(ba_session *s, ba_error *err)
{
	const ba_checkpoint *c = &s->spec->resumed->checkpoints[s->invocation];
	size_t near = 0;
	int rc = take_samples(s, err);
	for (size_t i = 0; rc == 0 && i < c->benchmark_count; i++) {
		const ba_benchmark_state *b = &c->benchmarks[i];
		ba_task *t = find_task(s, b->id, &near);
		if (!t || !ba_resume_fits(t, b))
			return unfit(s, "a state of", b->id, err);
		restore(s, t, b);
	}
	if (rc == 0 && ba_opened_files_recall(s->opened_files, s->result, &c->opened))
		ba_identity_withdraw(s->result);
	for (size_t i = 0; rc == 0 && i < c->notes.count; i++)
		ba_strv_push(&s->result->run.notes, c->notes.items[i]);
	s->notes_told = s->result->run.notes.count;
	if (rc == 0 && c->evidence.untrusted)
		s->result->run.evidence = c->evidence;
	return rc;
}
