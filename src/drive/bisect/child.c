#include "bisect/internal.h"
#include "store/results.h"

/* Fails if the error would occur with every commit. */
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

/* If interrupted, the step ends like any run: it removes its trees and scratch folders. */
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

/* Was any part of it measured on this host? */
static bool was_here(const ba_result *r)
{
	char here[256] = "";
	/* a truncated name is still compared */
	if (gethostname(here, sizeof(here) - 1))
		return true;
	size_t n = strcspn(here, ".");
	return !r->run.origin_count ||
	       BA_ANY(r->run.origins, r->run.origin_count, one,
		       strcspn(one->host_name, ".") == n && strncmp(one->host_name, here, n) == 0);
}

void ba_bisect_drop_results(const ba_bisect *b)
{
	if (!b->results)
		return;
	BA_AUTO_FREE char *journal = ba_xprintf("%s.journal", b->results);
	unlink(b->results);
	unlink(journal);
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
