#include <math.h>
#include <unistd.h>

#include "base/base.h"
#include "base/clock.h"
#include "base/shell.h"
#include "bisect/internal.h"
#include "proc/proc.h"
#include "store/results.h"

#define STOP_LOOK_NS (50 * BA_MS) /* how stale a look at request.stop may be */
#define GRACE_NS (5 * BA_SECOND)

static void push_variants(ba_strv *argv, const ba_bisect *b, const size_t *commits, size_t count)
{
	ba_strv_push(argv, "--");
	for (size_t i = 0; i < count; i++) {
		const char *id = b->commits[commits[i]].id;
		/* labels as people read them in logs of builds */
		if (commits[i] == 0)
			ba_strv_push_take(argv, ba_xprintf("good=%s", id));
		else if (commits[i] + 1 == b->commit_count)
			ba_strv_push_take(argv, ba_xprintf("bad=%s", id));
		else
			ba_strv_push_take(argv, ba_xprintf("%.9s=%s", id, id));
	}
}

/* An error is what would go wrong with every commit. */
static int check_end(const ba_proc_result *ended, ba_error *err)
{
	if (ended->end == BA_PROC_EXITED &&
		(ended->status == 0 || ended->status == 1 || ended->status == 125))
		return 0;
	BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
	ba_proc_result_text(&how, ended);
	bool killed = ended->end == BA_PROC_SIGNALED || ended->end == BA_PROC_KILLED;
	return ba_fail(err, ended->status == 129 ? BA_EINVAL : BA_EWORKER, "a step %s%s%s%s",
		killed ? "was " : "", how.data, ended->err.len ? ":\n" : "",
		ended->err.len ? ended->err.data : "");
}

/* Interrupted, the step ends like a run by itself: it removes its trees and scratch. */
static int run_step(ba_proc_result *ended, const ba_proc_spec *spec, ba_bisect *b, ba_error *err)
{
	const volatile sig_atomic_t *stop = b->request.stop;
	BA_AUTO_PTR(ba_proc) ba_proc *p = NULL;
	ba_error why = {0};
	BA_TRY(ba_proc_start(&p, spec, err));
	while (ba_bisect_builds_poll(b, p, STOP_LOOK_NS, &why) == BA_ETIMEOUT) {
		if (!stop || !*stop)
			continue;
		ba_bisect_end_builds(b);
		ba_proc_kill(p, GRACE_NS);
		ba_proc_wait(p, 2 * GRACE_NS, &why);
		return ba_fail(err, BA_EINTERRUPTED, "interrupted");
	}
	return ba_proc_finish(ended, p, err);
}

void ba_bisect_argv(ba_strv *argv, const ba_bisect *b, const ba_strv *first, const ba_strv *more,
	const char *output, const size_t *commits, size_t count)
{
	BA_STRV_PUSH(argv, b->request.exe, "--child-of");
	ba_strv_push_take(argv, ba_xprintf("%ld", (long)getpid()));
	if (first)
		ba_strv_copy(argv, first);
	ba_strv_copy(argv, &b->options);
	if (more)
		ba_strv_copy(argv, more);
	BA_STRV_PUSH(argv, "--quiet", "--progress=never", "--no-history");
	if (output)
		BA_STRV_PUSH(argv, "--output", output);
	push_variants(argv, b, commits, count);
}

/* Was anything of it measured on this host? */
static bool was_here(const ba_result *r)
{
	char here[256] = "";
	bool any = r->run.origin_count == 0;
	/* a name that was cut off is still compared */
	if (gethostname(here, sizeof(here) - 1))
		return true;
	size_t n = strcspn(here, ".");
	for (size_t i = 0; i < r->run.origin_count; i++) {
		const char *there = r->run.origins[i].host_name;
		any = any || (strcspn(there, ".") == n && strncmp(there, here, n) == 0);
	}
	return any;
}

int ba_bisect_child(ba_result *out, int *status, ba_bisect *b, const ba_strv *more,
	const size_t *commits, size_t count, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv argv = {0};
	BA_AUTO(ba_proc_result) ba_proc_result ended = {0};
	int64_t began = ba_now_ns();
	ba_bisect_argv(&argv, b, NULL, more, b->results, commits, count);
	ba_bisect_drop_results(b);
	const ba_proc_spec spec = {.name = "a step",
		.argv = (const char *const *)argv.items,
		.dir = b->request.start_dir,
		.out = {BA_OUTPUT_TAIL, 4096},
		.err = {BA_OUTPUT_TAIL, 4096}};
	BA_TRY(run_step(&ended, &spec, b, err));
	BA_TRY(check_end(&ended, err));
	b->runs++;
	b->seconds += ba_seconds_since(began);
	*status = ended.status;
	ba_text_replace(&b->last_words, ended.err.data);
	if (!ba_fs_exists(b->results))
		return 0;
	int rc = ba_results_read(out, b->results, err);
	unlink(b->results);
	if (rc == 0)
		b->measure_seconds += out->run.measure_seconds;
	if (rc == 0)
		b->timed_here = b->timed_here || was_here(out);
	for (size_t v = 0; rc == 0 && v < out->run.variant_count; v++)
		b->build_seconds = fmax(b->build_seconds, out->run.variants[v].build_seconds);
	return rc;
}

void ba_bisect_step_options(
	ba_strv *more, const ba_bisect *b, ba_bisect_phase_name phase, size_t invocations)
{
	BA_AUTO_FREE char *glob = ba_text_glob_of(b->benchmark);
	BA_AUTO_FREE char *fixed = ba_xprintf("%zu", invocations);
	const char *metric =
		phase == BA_BISECT_COUNTS ? "instructions" : ba_metric_get(b->metric)->name;
	BA_STRV_PUSH(more, "--filter", glob, "--fixed", fixed);
	for (size_t i = 1; b->kind == BA_SUITE_WORKER && b->benchmark[i]; i++) {
		if (!strchr(BA_BISECT_PARTS, b->benchmark[i]))
			continue;
		BA_AUTO_FREE char *file = ba_xstrndup(b->benchmark, i);
		BA_AUTO_FREE char *whole = ba_text_glob_of(file);
		BA_STRV_PUSH(more, "--filter", whole);
	}
	if (!ba_metric_decides_itself(b->metric)) {
		BA_STRV_PUSH(more, "--metrics", metric, "--verdict-on", metric);
	}
}

char *ba_bisect_command(const ba_bisect *b, size_t good, size_t bad)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_strv_push(&words, "bench-against");
	ba_strv_copy(&words, &b->options);
	if (b->benchmark) {
		ba_strv_push(&words, "--filter");
		ba_strv_push_take(&words, ba_text_glob_of(b->benchmark));
	} else {
		ba_strv_copy(&words, &b->request.first_options);
	}
	ba_strv_push_take(&words, ba_xprintf("%.9s", b->commits[good].id));
	ba_strv_push_take(&words, ba_xprintf("%.9s", b->commits[bad].id));
	return ba_shell_command(&words);
}
