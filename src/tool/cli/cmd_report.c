/* `bench-against report`: writes a result file in other formats. */
#include <stdio.h>

#include "base/base.h"
#include "cli/cmd.h"
#include "cli/context.h"
#include "cli/document.h"
#include "cli/help.h"
#include "cli/outputs.h"
#include "store/results.h"

enum { FORMATS_MOST = 16 };

typedef struct report_opts {
	ba_options look;
	const char *files[FORMATS_MOST]; /* one for each of ba_formats, or NULL */
	char *help[FORMATS_MOST];
	const char *dir, *across;
	int format;
	bool format_named;
} report_opts;

static void report_opts_dispose(report_opts *o)
{
	for (size_t i = 0; i < FORMATS_MOST; i++)
		free(o->help[i]);
	ba_options_dispose(&o->look);
}
BA_DEFINE_AUTO(report_opts, report_opts_dispose)

/* an option for each format, with its name */
static size_t format_rows(ba_opt *rows, report_opts *o)
{
	size_t n = 0;
	for (; n < FORMATS_MOST && ba_formats[n].name; n++) {
		o->help[n] = ba_xprintf("<file>: %s", ba_formats[n].help);
		rows[n] = (ba_opt)OPT_STRING(0, ba_formats[n].name, &o->files[n], o->help[n]);
	}
	return n;
}

/* Can what is asked for stand side by side? */
static int check_across(const report_opts *o, ba_error *err)
{
	const char *unfit = NULL;
	if (!o->across)
		return o->look.job.filters.count
			       ? ba_fail(err, BA_EINVAL, "--filter needs --across")
			       : 0;
	for (size_t i = 0; ba_formats[i].name && !unfit; i++)
		if (!ba_formats[i].across &&
			(o->files[i] || (o->format_named && o->format == (int)i)))
			unfit = ba_formats[i].name;
	if (unfit || o->dir)
		return ba_fail(err, BA_EINVAL,
			"--across has the forms term, html, markdown, csv and json, and no %s",
			unfit ? unfit : "folder of all of them");
	return 0;
}

static int parse(report_opts *o, ba_strv *operands, int argc, char **argv, ba_error *err)
{
	ba_opt rows[BA_OPTION_ROWS_MOST] = {OPT_GROUP("Into files")};
	size_t n = 1 + format_rows(rows + 1, o);
	const ba_opt more[] = {
		OPT_STRING(0, "report", &o->dir, "all of these, into <dir>"),
		OPT_GROUP("On standard output"),
		OPT_CHOICE(0, "format", &o->format, ba_format_names,
			"<format> (term; nothing if files are asked for)"),
		OPT_GROUP("Side by side"),
		OPT_STRING(0, "across", &o->across,
			"<axes>: benchmarks that differ in these alone, beside each other with their ratio: backend, or backend=math for the reference; 'suite' and 'benchmark' may be among them (term, html, markdown, csv, json)"),
		OPT_LIST('f', "filter", &o->look.job.filters,
			"with --across: only benchmarks whose name matches <glob>; may be repeated"),
	};
	memcpy(rows + n, more, sizeof(more));
	n += BA_COUNT(more);
	ba_options_rows(rows + n, &o->look, BA_FOR_REPORT);
	int rc = ba_help_parse("report", &o->look.help, operands, rows, argc, argv, err);
	if (rc || o->look.help)
		return rc;
	o->format_named = ba_opt_seen(rows, "format");
	rc = check_across(o, err);
	return rc ? rc
		  : ba_opt_one_operand(operands, "result file",
			    "name a results file: bench-against report RESULTS.json", err);
}

/* before the file is read, and before one is written and the next is not */
static int check_files(const report_opts *o, ba_error *err)
{
	int rc = 0;
	for (size_t i = 0; ba_formats[i].name && rc == 0; i++) {
		BA_AUTO_FREE char *option = ba_xprintf("--%s", ba_formats[i].name);
		if (o->files[i])
			rc = ba_outputs_check_file(option, o->files[i], err);
	}
	ba_options all = {.report = o->dir};
	return rc ? rc : ba_outputs_check(&all, err);
}

static int write_files(const report_opts *o, const ba_result *r, const ba_across *a, ba_error *err)
{
	int rc = o->dir ? ba_outputs_write_all(o->dir, r, err) : 0;
	for (size_t i = 0; ba_formats[i].name && rc == 0; i++)
		if (o->files[i])
			rc = ba_outputs_write(o->files[i], &ba_formats[i], r, a, err);
	return rc;
}

static bool wants_files(const report_opts *o)
{
	bool any = o->dir;
	for (size_t i = 0; i < FORMATS_MOST; i++)
		any = any || o->files[i];
	return any;
}

static int report(const report_opts *o, const char *path, ba_error *err)
{
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_across) ba_across across = {0};
	const ba_across *a = o->across ? &across : NULL;
	ba_format_options format = ba_context_format(&o->look);
	int rc = check_files(o, err);
	rc = rc ? rc : ba_results_read_some(&r, path, BA_RESULTS_READINGS_HELD, err);
	if (rc == 0)
		ba_document_warn(&r, path);
	if (rc == 0 && a)
		rc = ba_across_of(&across, &r, o->across, &o->look.job.filters, err);
	rc = rc ? rc : write_files(o, &r, a, err);
	if (rc || (wants_files(o) && !o->format_named))
		return rc;
	return ba_outputs_put(stdout, &ba_formats[o->format], &r, a, &format, err);
}

int ba_cmd_report(int argc, char **argv)
{
	ba_error err = {0};
	BA_AUTO(report_opts) report_opts o = {0};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	ba_options_init(&o.look);
	int rc = parse(&o, &operands, argc, argv, &err);
	if (rc == 0 && !o.look.help)
		rc = report(&o, operands.items[0], &err);
	if (rc)
		return ba_context_complain(NULL, &err);
	return ba_context_end(0);
}
