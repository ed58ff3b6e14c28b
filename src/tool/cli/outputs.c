#include "base/replace.h"
#include "cli/cmd.h"
#include "store/attest.h"
#include "store/history.h"
#include "store/results.h"

/* for a file */
static const ba_format_options plain = {.width = 100, .unicode = true};

int ba_outputs_put(FILE *out, const ba_format *format, const ba_result *r, const ba_across *across,
	const ba_format_options *options, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_format_options o = *options;
	o.file = out;
	if (across)
		format->across(&text, r, across, &o);
	else
		format->write(&text, r, &o);
	if (!format->commands)
		ba_text_disarm(&text);
	fwrite(text.data, 1, text.len, out);
	return ba_result_check_stored(r, err);
}

int ba_outputs_write(const char *path, const ba_format *format, const ba_result *r,
	const ba_across *across, ba_error *err)
{
	BA_AUTO(ba_replacement) ba_replacement f = {0};
	BA_TRY(ba_replacement_open(&f, path, err));
	BA_TRY(ba_outputs_put(f.file, format, r, across, &plain, err));
	return ba_replacement_commit(&f, err);
}

/* creates the directory, and checks that files can be created in it */
static int prepare(const char *dir, ba_error *err)
{
	if (ba_fs_exists(dir) && !ba_fs_is_dir(dir))
		return ba_fail(
			err, BA_EINVAL, "'%s' is a file; a report is a directory of files", dir);
	/* readable for others, because another user often publishes the report */
	int rc = ba_fs_mkdirs_mode(dir, 0777, err);
	if (rc == 0 && access(dir, W_OK))
		return ba_fail_errno(err, BA_EIO, "'%s' cannot be written", dir);
	return rc;
}

int ba_outputs_write_all(const char *dir, const ba_result *r, ba_error *err)
{
	int rc = prepare(dir, err);
	for (const ba_format *f = ba_formats; f->name && rc == 0; f++) {
		BA_AUTO_FREE char *path = ba_path_join(dir, f->file);
		rc = ba_outputs_write(path, f, r, NULL, err);
	}
	return rc;
}

int ba_outputs_answer(const ba_result *r, const ba_context *c, ba_error *err)
{
	const ba_options *o = c->options;
	int rc = o->output ? ba_results_write(o->output, r, err) : 0;
	if (o->output && rc == 0)
		ba_log_printf(&c->log, BA_LOG_DEBUG, "results are in '%s'", o->output);
	int report_rc = o->report ? ba_outputs_write_all(o->report, r, rc ? NULL : err) : 0;
	int attest_rc =
		o->attest && rc == 0 ? ba_attestation_write(o->attest, r, o->output, err) : 0;
	/* cannot fail, because these readings are in memory */
	(void)ba_outputs_put(stdout, &ba_formats[o->format], r, NULL, &c->format, NULL);
	if (fflush(stdout))
		return ba_fail_errno(err, BA_EIO, "standard output");
	return rc ? rc : attest_rc ? attest_rc : report_rc;
}

int ba_outputs_check_file(const char *option, const char *path, ba_error *err)
{
	if (!*path)
		return ba_fail(err, BA_EINVAL, "%s '' names no file", option);
	BA_AUTO_FREE char *dir = ba_path_dir(path);
	if (!ba_fs_is_dir(dir))
		return ba_fail(err, BA_EINVAL, "%s '%s': no directory '%s'", option, path, dir);
	if (ba_fs_is_dir(path))
		return ba_fail(err, BA_EINVAL, "%s '%s' is a directory", option, path);
	/* a file is replaced in its directory; a device is written directly */
	struct stat st;
	bool device = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
	if (access(device ? path : dir, W_OK))
		return ba_fail_errno(err, BA_EIO, "%s '%s' cannot be written", option, path);
	return 0;
}

/* Checks that --report can write its files: none may have the name of a directory. */
static int check_report(const char *dir, ba_error *err)
{
	int rc = *dir ? prepare(dir, err) : ba_fail(err, BA_EINVAL, "'' names no directory");
	for (const ba_format *f = ba_formats; f->name && rc == 0; f++) {
		BA_AUTO_FREE char *path = ba_path_join(dir, f->file);
		rc = ba_outputs_check_file("its file", path, err);
	}
	return rc ? ba_fail_context(err, "--report") : 0;
}

int ba_outputs_check(const ba_options *o, ba_error *err)
{
	int rc = o->report ? check_report(o->report, err) : 0;
	if (rc == 0 && o->attest)
		rc = ba_outputs_check_file("--attest", o->attest, err);
	if (rc || !o->output)
		return rc;
	if (strcmp(o->output, "-") == 0)
		return ba_fail(err, BA_EINVAL,
			"--output '-': standard output has the answer, and --format json makes that the document; a file of that name is './-'");
	return ba_outputs_check_file("--output", o->output, err);
}

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
