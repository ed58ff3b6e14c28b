#include "cli/diary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/rng.h"
#include "base/text.h"
#include "cli/terms.h"

#define DIFFERENCES_SHOWN 3u

void ba_diary_init(ba_diary *d, int argc, char **argv)
{
	*d = (ba_diary){.directory = ba_path_absolute(".")};
	for (int i = 0; i < argc; i++)
		ba_strv_push(&d->argv, argv[i]);
}

void ba_diary_dispose(ba_diary *d)
{
	ba_journal_free(d->journal);
	free(d->path);
	free(d->directory);
	ba_strv_dispose(&d->argv);
	ba_journal_content_dispose(&d->then);
	*d = (ba_diary){0};
}

/* ---- taken up again ---- */

/* "run" or the tool's own name comes first. */
static bool is_run(const ba_strv *argv)
{
	return argv->count && strcmp(argv->items[0], "run") == 0;
}

int ba_diary_resume(ba_diary *d, const char *path, ba_error *err)
{
	ba_journal_content *then = &d->then;
	d->path = ba_path_absolute(path);
	int rc = ba_journal_open(&d->journal, then, path, err);
	if (rc)
		return ba_fail_context(err, "--resume");
	d->resumed = true;
	if (is_run(&then->argv) != is_run(&d->argv))
		return ba_fail(err, BA_EINVAL,
			"--resume: '%s' is the journal of 'bench-against%s'; go on with 'bench-against%s --resume %s'",
			path, is_run(&then->argv) ? " run" : "",
			is_run(&then->argv) ? " run" : "", path);
	if (strcmp(then->directory, d->directory) != 0)
		return ba_fail(err, BA_EINVAL,
			"--resume: '%s' is the journal of a run that was started in '%s'; go on with it from there",
			path, then->directory);
	d->whole = then->resumed.count;
	ba_strv_dispose(&d->argv);
	ba_strv_copy(&d->argv, &then->argv);
	return 0;
}

static int check(const ba_diary *d, const ba_terms *now, bool all, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv differences = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_terms_differences(&differences, &d->then.terms, now, all);
	if (differences.count == 0)
		return 0;
	for (size_t i = 0; i < differences.count && i < DIFFERENCES_SHOWN; i++)
		ba_buf_printf(&text, "%s%s", i ? "; " : "", differences.items[i]);
	if (differences.count > DIFFERENCES_SHOWN)
		ba_buf_printf(
			&text, "; and %zu more", differences.count - DIFFERENCES_SHOWN);
	return ba_fail(err, BA_EINVAL,
		"--resume: '%s' is of another run, and samples of two runs do not mix: %s",
		d->path, text.data);
}

int ba_diary_check_trees(const ba_diary *d, const ba_result *r, ba_error *err)
{
	BA_AUTO(ba_terms) ba_terms now = {0};
	if (!d->resumed)
		return 0;
	ba_terms_of_trees(&now, r);
	return check(d, &now, false, err);
}

/* The environment is that of then; what was found of the processor is of now. */
static void tell_processor(ba_result *r, const ba_measure_plan *p, size_t whole)
{
	int pinned_then = r->env.pinned_cpu;
	if (!p->core)
		return;
	if (p->core->shared)
		ba_strv_push(&r->env.warnings, p->core->shared);
	if (whole && pinned_then >= 0 && p->core->cpu != pinned_then)
		ba_strv_push_take(&r->env.warnings,
			ba_xprintf(
				"the first %zu invocation%s measured on processor %d, the others on processor %d",
				whole, whole == 1 ? " was" : "s were", pinned_then,
				p->core->cpu));
}

/* What was lost is measured again, and is in the answer's notes. */
static void tell_damage(ba_result *r, const ba_diary *d)
{
	if (!d->then.damaged_line)
		return;
	char *text = ba_xprintf(
		"line %zu of the journal '%s' is damaged: the %zu invocation%s before it %s kept, and all others are measured again",
		d->then.damaged_line, d->path, d->whole, d->whole == 1 ? "" : "s",
		d->whole == 1 ? "is" : "are");
	ba_log_printf(&d->context->log, BA_LOG_WARNING, "%s", text);
	ba_strv_push_take(&r->notes, text);
}

static int take_up(ba_diary *d, ba_measure_plan *p, ba_result *r, const ba_terms *now,
	ba_error *err)
{
	ba_journal_content *then = &d->then;
	int rc = check(d, now, true, err);
	rc = rc ? rc : ba_journal_go_on(d->journal, err);
	if (rc)
		return rc;
	/* steps of clocks rule decisions: they are those of then */
	ba_environment_dispose(&r->env);
	r->env = then->env;
	then->env = (ba_environment){0};
	tell_processor(r, p, d->whole);
	tell_damage(r, d);
	p->spec.resumed = &then->resumed;
	if (d->whole == 0)
		return 0;
	ba_strv_push_take(&r->notes,
		ba_xprintf(
			"gone on with after it was ended: the first %zu invocation%s were measured from %s on, the others from %s on",
			d->whole, d->whole == 1 ? "" : "s", then->started, r->started));
	free(r->started);
	r->started = ba_xstrdup(then->started);
	return 0;
}

/* ---- written ---- */

static void gave_up(ba_diary *d, const ba_error *err)
{
	d->stopped = true;
	ba_log_printf(&d->context->log, BA_LOG_WARNING,
		"the journal stops here, and a killed run will leave less behind: %s",
		err->text);
}

static bool is_kept(const ba_diary *d)
{
	return d->journal && !d->stopped;
}

static void write_samples(void *data, const ba_result *r, const ba_series *series,
	const ba_samples *samples)
{
	ba_diary *d = data;
	ba_error err;
	if (is_kept(d) &&
		ba_journal_samples(d->journal, r->benchmarks[series->benchmark].id,
			series->metric, samples, &err))
		gave_up(d, &err);
}

static void write_invocation(void *data, unsigned invocation, const ba_checkpoint *c)
{
	ba_diary *d = data;
	ba_error err;
	if (!is_kept(d))
		return;
	if (ba_journal_invocation(d->journal, invocation, c, &err))
		gave_up(d, &err);
	else
		d->whole = invocation + 1;
}

static void write_restart(void *data)
{
	ba_diary *d = data;
	ba_error err;
	d->whole = 0;
	if (is_kept(d) && ba_journal_restart(d->journal, &err))
		gave_up(d, &err);
}

/* Beside the result, or in the cache where no result file was asked for. */
static void open_new(ba_diary *d, const ba_result *r, const ba_terms *terms)
{
	ba_error err;
	const char *output = d->context->options->output;
	BA_AUTO_FREE char *dir = ba_path_join(d->context->cache_root, "journals");
	BA_AUTO_FREE char *path =
		output ? ba_xprintf("%s.journal", output)
		       : ba_xprintf("%s/%ld-%016" PRIx64 ".jsonl", dir,
				 (long)time(NULL), ba_rng_entropy());
	bool replaced = false;
	d->path = ba_path_absolute(path);
	int rc = output ? 0 : ba_fs_mkdirs(dir, &err);
	rc = rc ? rc : ba_journal_create(&d->journal, &replaced, d->path, &err);
	if (rc == 0 && replaced)
		ba_log_printf(&d->context->log, BA_LOG_WARNING,
			"the journal '%s' of a run that was ended is replaced; --resume would have gone on with it",
			path);
	rc = rc ? rc
		: ba_journal_header(d->journal, r, &d->argv, d->directory, terms, &err);
	if (rc)
		gave_up(d, &err);
	else
		ba_log_printf(&d->context->log, BA_LOG_DEBUG,
			"the journal is '%s', for --resume", d->path);
}

int ba_diary_begin(
	ba_diary *d, ba_measure_plan *p, ba_result *r, ba_context *c, ba_error *err)
{
	BA_AUTO(ba_terms) ba_terms terms = {0};
	d->context = c;
	r->seed = p->spec.seed;
	ba_terms_of_run(&terms, p, r, c);
	p->spec.stored = write_samples;
	p->spec.invoked = write_invocation;
	p->spec.restarted = write_restart;
	p->spec.stored_data = d;
	if (d->resumed)
		return take_up(d, p, r, &terms, err);
	open_new(d, r, &terms);
	return 0;
}

void ba_diary_finish(ba_diary *d, const ba_result *r)
{
	bool kept = r->interrupted && d->journal && d->whole > 0;
	if (kept)
		ba_log_printf(&d->context->log, BA_LOG_INFO,
			"stopped after %zu invocation%s; 'bench-against%s --resume %s' goes on",
			d->whole, d->whole == 1 ? "" : "s",
			is_run(&d->argv) ? " run" : "", d->path);
	else
		ba_journal_remove(BA_TAKE(d->journal));
}
