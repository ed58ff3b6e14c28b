/*
 * A variant that fails beside the others and works alone has not failed: each variant
 * has a process of its own from there on. Otherwise the variant is out of the benchmark
 * or, where its library cannot even be opened, of the suite.
 */

#include "verdict/estimate.h"
#include "session/prepare.h"

#define FIRST_BATCH 16u
#define FIRST_READINGS 4u
#define FIRST_BLOCKS 4u

void ba_task_fail(ba_session *s, ba_task *t, const ba_failure *f)
{
	BA_REQUIRE(f->variant >= 0 && (size_t)f->variant < ba_session_variants(s));
	size_t v = (size_t)f->variant;
	t->wanted[v] = false;
	/* without the move, the library may work */
	const char *moved = t->suite->spec->copies ? " (in a copy that --layouts moved)" : "";
	ba_text_own(&t->failure[v], ba_xprintf("%s%s", f->text, moved));
	ba_text_replace(&t->output[v], f->output);
	ba_log_printf(s->spec->log, BA_LOG_WARNING, "%s: %s failed: %s", t->benchmark->id,
		s->result->run.variants[v].label, f->text);
}

static void mark_unusable(ba_session *s, ba_session_suite *suite, const ba_failure *f)
{
	suite->usable[f->variant] = false;
	for (size_t i = 0; i < s->task_count; i++)
		if (s->tasks[i].suite == suite && s->tasks[i].wanted[f->variant])
			ba_task_fail(s, &s->tasks[i], f);
}

static void drop_engine(ba_session_suite *suite)
{
	ba_engine_free(suite->engine);
	suite->engine = NULL;
}

/* Does the variant work when it is alone in a process? 1: yes; 0: no, and *f says how.
 */
static int works_alone(
	ba_session *s, ba_session_suite *suite, const ba_task *t, int variant, ba_failure *f)
{
	const ba_kind_ops *ops = suite->ops;
	BA_AUTO_FREE bool *only = ba_xcalloc(ba_session_variants(s), sizeof(*only));
	only[variant] = true;
	ba_engine_spec spec = suite->engine_spec;
	spec.kind = BA_ENGINE_DUET;
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	BA_AUTO(ba_samples)
	ba_samples samples = {.participants = 1,
		.positions = 2,
		.blocks = FIRST_BLOCKS,
		.readings = FIRST_READINGS,
		.batch = FIRST_BATCH};
	ba_samples_alloc(&samples);
	memset(samples.order, variant, (size_t)samples.blocks * samples.positions);
	BA_AUTO(ba_failure) ba_failure alone = {.err = f->err};
	int rc = ba_engine_open(&e, &spec, only, false, NULL, &alone);
	if (rc == 0 && t) {
		rc = ba_task_prepare_alone(s, e, t, only, &alone);
		rc = rc ? rc : ba_engine_measure(e, &samples, ops->first_mode, 16, NULL, &alone);
	}
	if (rc == 0 && t && ops->takes_memory)
		rc = ba_engine_release(e, &alone);
	if (rc == 0) {
		ba_engine_close(e);
		return 1;
	}
	if (rc != BA_EVARIANT)
		return rc;
	ba_failure_dispose(f);
	*f = alone;
	alone = (ba_failure){0};
	return 0;
}

void ba_session_split(ba_session *s, ba_session_suite *suite, const char *why)
{
	ba_result *r = s->result;
	ba_measured_suite *m = ba_measured_add_suite(&r->run, suite->spec->name, suite->spec->kind);
	suite->engine_spec.kind = BA_ENGINE_SPLIT;
	s->restart = true;
	ba_text_replace(&m->engine, ba_engine_name(BA_ENGINE_SPLIT));
	ba_text_replace(&m->engine_reason, why);
	ba_log_printf(s->spec->log, BA_LOG_WARNING,
		"from here on, each variant has its own process: %s", why);
	ba_measured_sum_up_engines(&r->run);
}

static void switch_to_split(ba_session *s, ba_session_suite *suite, const ba_failure *f)
{
	BA_AUTO_FREE char *why = ba_xprintf("%s works alone but not beside the others: %s",
		s->result->run.variants[f->variant].label, f->text);
	ba_session_split(s, suite, why);
}

int ba_session_settle(ba_session *s, ba_session_suite *suite, ba_task *t, ba_failure *f)
{
	BA_REQUIRE(f->variant >= 0 && (size_t)f->variant < ba_session_variants(s));
	/* resources of a plugin, above all GPU memory, may still be occupied, so that
	 * the others and a trial alone would fail */
	if (f->gone || !t || suite->ops->takes_memory)
		drop_engine(suite);
	bool together = ba_engine_shares(&suite->engine_spec) && ba_session_variants(s) > 1;
	if (together && !suite->spec->engine_forced && !f->certain) {
		int alone = works_alone(s, suite, t, f->variant, f);
		if (alone < 0)
			return alone;
		if (alone == 1) {
			drop_engine(suite);
			switch_to_split(s, suite, f);
			return 0;
		}
	}
	if (t)
		ba_task_fail(s, t, f);
	else
		mark_unusable(s, suite, f);
	return 0;
}

void ba_session_observe(ba_engine_spec *spec, const ba_session_suite *suite, const char *observer)
{
	spec->observer = observer;
	spec->driver = observer ? suite->spec->survey.driver_path : suite->spec->engine.driver;
}

/* With several layouts: draws new copies for each invocation. */
static int draw_copies(ba_session *s, ba_session_suite *suite, ba_error *err)
{
	suite->engine_spec.layouts = suite->spec->layouts;
	suite->engine_spec.burst_most = ba_sizes_burst_most(s);
	return suite->spec->copies ? ba_copies_draw(&suite->engine_spec.copies, suite->spec->copies,
					     s->spec->seed, suite->spec->name, s->invocation, err)
				   : 0;
}

/* The variants that a process needs. A process with all variants keeps those with
 * verdicts, so that the memory layout of the others stays the same. */
bool ba_session_choose_variants(bool *out, const ba_session *s, ba_session_suite *suite)
{
	bool any = false, shares = ba_engine_shares(&suite->engine_spec);
	for (size_t v = 0; v < ba_session_variants(s); v++) {
		bool needed = shares;
		for (size_t i = 0; !needed && i < s->task_count; i++)
			needed = s->tasks[i].suite == suite && ba_task_needs(s, &s->tasks[i], v);
		out[v] = suite->usable[v] && needed;
		any = any || out[v];
	}
	return any;
}

void ba_session_take_ahead(ba_engine **out, ba_session *s, ba_session_suite *suite,
	ba_engine_spec *spec, bool reversed)
{
	*out = ba_ahead_take(suite->spec->ahead, s->invocation, spec, reversed);
	if (!*out)
		return;
	spec->at_once = ba_engine_workers_most(spec->cpu, suite->peak_bytes);
	suite->start_ns = suite->spec->ahead->start_ns;
}

int ba_session_open_engine(ba_session *s, ba_session_suite *suite, bool reversed, ba_error *err)
{
	BA_AUTO_FREE bool *wanted = ba_xcalloc(ba_session_variants(s), sizeof(*wanted));
	if (!suite->engine)
		ba_session_take_ahead(&suite->engine, s, suite, &suite->engine_spec, reversed);
	while (!suite->engine && !s->restart) {
		if (!ba_session_choose_variants(wanted, s, suite))
			return 0;
		BA_AUTO(ba_failure) ba_failure f = {.err = err};
		BA_TRY(draw_copies(s, suite, err));
		suite->engine_spec.at_once =
			ba_engine_workers_most(suite->engine_spec.cpu, suite->peak_bytes);
		int64_t start = ba_now_ns();
		int rc = ba_engine_open(
			&suite->engine, &suite->engine_spec, wanted, reversed, NULL, &f);
		s->result->run.spent.start += ba_seconds_since(start);
		if (rc == 0)
			suite->start_ns = (double)(ba_now_ns() - start);
		if (rc == BA_EVARIANT)
			rc = ba_session_settle(s, suite, NULL, &f);
		if (rc)
			return rc;
	}
	return 0;
}

/* ---- what the result says of it ---- */

/* Further counts cannot change its verdicts. */
static bool is_settled(ba_session *s, const ba_series *series)
{
	size_t index = (size_t)(series - s->result->series), settled = 0;
	for (size_t c = 1; c <= ba_session_candidates(s); c++)
		settled += ba_estimate_is_exact(series, (unsigned)c) ||
			   (s->decisions.count &&
				   ba_verdict_is_decided(
					   ba_decisions_at(&s->decisions, index, c)->verdict));
	return settled && settled == ba_session_candidates(s);
}

/* For a series of counts: reports why there is no count. It is a failure of a
 * variant if another one can be counted, unless the machine or the limit prevents it.
 * If instructions decide, every variant without a count fails, unless none can be
 * counted on this machine. */
static void note_uncounted(ba_session *s, ba_series *series, const ba_task *t)
{
	bool all = true, decides = series->role == BA_ROLE_VERDICT;
	size_t first = series->info->census ? s->result->run.variant_count : 0;
	char *const *uncounted = &t->uncounted[first];
	const ba_count_end *end = &t->count_end[first];
	if (is_settled(s, series))
		return;
	for (size_t v = 0; v < s->result->run.variant_count; v++)
		all = all && (!t->wanted[v] || uncounted[v]);
	for (size_t v = 0; v < s->result->run.variant_count; v++) {
		ba_summary *mine = &series->variants[v];
		if (!uncounted[v] || mine->failure || mine->skipped)
			continue;
		bool lost = decides && !series->sample_count && (!all || end[v] == BA_COUNT_BROKEN);
		bool own = !all && end[v] != BA_COUNT_UNSUPPORTED;
		char **where = own || lost ? &mine->failure : &mine->skipped;
		*where = ba_xstrdup(uncounted[v]);
	}
}

void ba_session_note_failures(ba_session *s)
{
	ba_result *r = s->result;
	BA_EACH (ba_series, series, r->series, r->series_count) {
		const ba_task *t = &s->tasks[series->benchmark];
		for (size_t v = 0; v < r->run.variant_count; v++) {
			ba_text_replace(&series->variants[v].failure, t->failure[v]);
			ba_text_replace(&series->variants[v].output, t->output[v]);
			ba_text_replace(&series->variants[v].skipped, t->skipped[v]);
		}
		if (series->info->counted)
			note_uncounted(s, series, t);
	}
}
