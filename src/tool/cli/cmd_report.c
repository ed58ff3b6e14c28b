/* `bench-against report`: writes a result file in other formats. */
#include "cli/cmd.h"

enum { FORMATS_MOST = 16 };

static struct {
	const char *files[FORMATS_MOST]; /* a file for each of ba_formats, or NULL */
	const char *dir, *across;
	ba_strv filters;
	int format;
	bool format_named;
} here;
static const ba_opt rows[] = {
	OPT_GROUP("On standard output"),
	OPT_CHOICE(0, "format", &here.format, ba_format_names, NULL),
	OPT_GROUP("Side by side"),
	OPT_STRING(0, "across", &here.across, NULL),
	OPT_LIST('f', "filter", &here.filters, NULL),
	OPT_GROUP("Into files"),
	OPT_STRING(0, "report", &here.dir, NULL),
	OPT_END,
};

/* an option for each format, with its name */
static size_t format_rows(ba_opt *more)
{
	size_t n = 0;
	for (; n < FORMATS_MOST && ba_formats[n].name; n++)
		more[n] = (ba_opt)OPT_STRING(
			0, ba_formats[n].name, &here.files[n], ba_formats[n].help);
	return n;
}

const ba_own_options ba_report_options = {"report", rows, &here, sizeof(here), format_rows};

/* Can the requested formats show benchmarks side by side? */
static int check_across(ba_error *err)
{
	const char *unfit = NULL;
	if (!here.across)
		return here.filters.count ? ba_fail(err, BA_EINVAL, "--filter needs --across") : 0;
	for (size_t i = 0; ba_formats[i].name && !unfit; i++)
		if (!ba_formats[i].across &&
			(here.files[i] || (here.format_named && here.format == (int)i)))
			unfit = ba_formats[i].name;
	if (unfit || here.dir)
		return ba_fail(err, BA_EINVAL,
			"--across has the forms term, html, markdown, csv and json, and no %s",
			unfit ? unfit : "folder of all of them");
	return 0;
}

/* checks before reading, so that not only some of the files are written */
static int check_files(ba_error *err)
{
	int rc = 0;
	for (size_t i = 0; ba_formats[i].name && rc == 0; i++) {
		BA_AUTO_FREE char *option = ba_xprintf("--%s", ba_formats[i].name);
		if (here.files[i])
			rc = ba_outputs_check_file(option, here.files[i], err);
	}
	ba_options all = {.report = here.dir};
	return rc ? rc : ba_outputs_check(&all, err);
}

static int write_files(const ba_result *r, const ba_across *a, ba_error *err)
{
	int rc = here.dir ? ba_outputs_write_all(here.dir, r, err) : 0;
	for (size_t i = 0; ba_formats[i].name && rc == 0; i++)
		if (here.files[i])
			rc = ba_outputs_write(here.files[i], &ba_formats[i], r, a, err);
	return rc;
}

static int report(const ba_options *look, const char *path, ba_error *err)
{
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_across) ba_across across = {0};
	const ba_across *a = here.across ? &across : NULL;
	ba_format_options format = ba_context_format(look);
	int rc = check_files(err);
	rc = rc ? rc : ba_document_read(&r, path, err);
	if (rc == 0 && a)
		rc = ba_across_of(&across, &r, here.across, &here.filters, err);
	rc = rc ? rc : write_files(&r, a, err);
	bool files = here.dir || BA_ANY(here.files, FORMATS_MOST, x, *x);
	if (rc || (files && !here.format_named))
		return rc;
	return ba_outputs_put(stdout, &ba_formats[here.format], &r, a, &format, err);
}

int ba_cmd_report(ba_call *call, ba_error *err)
{
	here.format_named = ba_opt_seen(call->rows, "format");
	BA_TRY(check_across(err));
	return report(&call->o, call->operands.items[0], err);
}
