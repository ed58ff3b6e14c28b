#include "cli/cmd.h"

#include "store/history.h"

char *ba_history_file(void)
{
	return ba_history_path(
		getenv("BENCH_AGAINST_HISTORY"), getenv("XDG_STATE_HOME"), getenv("HOME"));
}

int ba_history_check(const ba_context *c, ba_error *err)
{
	const char *named = getenv("BENCH_AGAINST_HISTORY");
	BA_AUTO_PTR(ba_history) ba_history *h = NULL;
	ba_error why = {0};
	if (c->options->no_history || !named || !*named)
		return 0;
	int rc = ba_history_open(&h, named, true, &why);
	return rc ? ba_fail(err, rc, "BENCH_AGAINST_HISTORY: %s (--no-history: run without it)",
			    why.text)
		  : 0;
}

void ba_history_remember_code(const ba_result *r, const ba_code_document *code, ba_context *c)
{
	ba_error err = {0};
	BA_AUTO_FREE char *path = c->options->no_history ? NULL : ba_history_file();
	if (!path)
		return; /* no home: nowhere that anybody would look */
	BA_AUTO_PTR(ba_history) ba_history *h = NULL;
	BA_AUTO_FREE ba_plan_digest *digests = ba_job_digests(r);
	int rc = ba_history_open(&h, path, true, &err);
	if (rc == 0)
		rc = ba_history_add(h, r, (const char(*)[65])digests, code, &err);
	if (rc)
		ba_log_printf(&c->log, BA_LOG_WARNING,
			"this run is not in the history: %s (--no-history: do without)", err.text);
}

void ba_history_remember(const ba_result *r, ba_context *c)
{
	if (BA_ANY(r->series, r->series_count, s,
		    BA_ANY(s->variants, r->run.variant_count, v, v->launches)))
		ba_history_remember_code(r, NULL, c);
}
