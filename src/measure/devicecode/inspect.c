/*
 * Which device code do the variants run? Before anything is measured, one worker for
 * each variant, loaded with the observer (observer/observer.h), reports it. If that
 * fails, the variant does not fail: its code is unknown, with a reason, and it is
 * measured like any other.
 */

#include "engine/box.h"
#include "devicecode/inspect.h"
#include "verdict/identity.h"
#include "session/prepare.h"

/* runs until loading, choices and first writes are done */
#define RUNS_BEFORE 20u

/* Is there another variant to compare with? */
static bool is_asked(const ba_session *s, const ba_task *t)
{
	bool any = false;
	for (size_t c = 1; c < s->result->run.variant_count; c++)
		any = any ||
		      (t->wanted[c] && ba_identity_of(s->result, c, t->benchmark) == BA_SAME_NOT);
	return any && t->benchmark->kind == BA_SUITE_PLUGIN && t->wanted[0] &&
	       BA_ANY_METRIC(m, s->spec->measure[m] && ba_metric_get(m)->on_gpu &&
					ba_benchmark_has_metric(t->benchmark, m));
}

static ba_device_code *code_of(const ba_session *s, ba_task *t, size_t variant)
{
	ba_benchmark *b = t->benchmark;
	if (!b->codes) {
		b->code_count = s->result->run.variant_count;
		b->codes = ba_xcalloc(b->code_count, sizeof(*b->codes));
	}
	return &b->codes[variant];
}

static void set_unknown(const ba_session *s, ba_task *t, size_t variant, const char *why)
{
	ba_device_code *c = code_of(s, t, variant);
	ba_device_code_dispose(c);
	c->reason = ba_xstrdup(why);
}

/* Returns 1 to continue with the next benchmark, 0 if this worker can no longer be
 * used. */
static int look_at(
	ba_session *s, ba_task *t, ba_engine *e, const bool *only, size_t variant, ba_error *err)
{
	BA_AUTO(ba_failure) ba_failure f = {.err = err};
	BA_AUTO_FREE char *folder = ba_box_folder(s->spec->scratch, variant);
	bool skipped = false;
	/* if the folder cannot be written, nothing is disassembled */
	ba_fs_mkdirs(folder, NULL);
	int rc = ba_task_prepare_plain(&skipped, s, e, t, only, RUNS_BEFORE, &f);
	if (rc == 0 && !skipped)
		rc = ba_engine_inspect(e, folder, code_of(s, t, variant), &f);
	if (rc == 0)
		rc = ba_engine_release(e, &f);
	if (rc == BA_EINTERRUPTED)
		return rc;
	if (rc == 0)
		return 1;
	set_unknown(s, t, variant, f.text ? f.text : err->text);
	return f.gone || rc != BA_EVARIANT ? 0 : 1;
}

/* Inspects all benchmarks of the variant. If its worker is gone, it is not started
 * again: a variant that hangs under the observer would wait for the time limit each
 * time. */
static int look_at_variant(ba_session *s, ba_session_suite *suite, size_t variant, ba_error *err)
{
	BA_AUTO_FREE bool *only = ba_xcalloc(s->result->run.variant_count, sizeof(*only));
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	BA_AUTO(ba_failure) ba_failure f = {.err = err};
	ba_engine_spec spec = suite->engine_spec;
	spec.kind = BA_ENGINE_DUET;
	ba_session_observe(&spec, suite, suite->spec->observer);
	only[variant] = true;
	int rc = ba_engine_open(&e, &spec, only, false, NULL, &f);
	if (rc == BA_EINTERRUPTED)
		return rc;
	const char *gone = rc ? (f.text ? f.text : err->text) : NULL;
	BA_EACH (ba_task, t, s->tasks, s->task_count) {
		if (t->suite != suite || !is_asked(s, t) || !t->wanted[variant])
			continue;
		if (gone) {
			set_unknown(s, t, variant, gone);
			continue;
		}
		rc = look_at(s, t, e, only, variant, err);
		if (rc < 0)
			return rc;
		if (rc == 0)
			gone = "an earlier benchmark ended the process that looks at device code";
	}
	if (!gone)
		ba_engine_close(e);
	return 0;
}

int ba_session_inspect(ba_session *s, ba_error *err)
{
	BA_EACH (ba_session_suite, suite, s->suites, s->suite_count) {
		if (!suite->spec->observer || !suite->spec->survey.driver_path ||
			!BA_ANY(s->tasks, s->task_count, t, t->suite == suite && is_asked(s, t)))
			continue;
		if (s->spec->progress)
			s->spec->progress(s->spec->progress_data, 0, "device code");
		for (size_t v = 0; v < s->result->run.variant_count; v++)
			BA_TRY(suite->usable[v] ? look_at_variant(s, suite, v, err) : 0);
	}
	return 0;
}
