#include "cli/suggest.h"

#include "base/base.h"
#include "base/shell.h"

/* Options for the appearance and the output of a run, which suggestions leave out. The
 * first one is left out only where all benchmarks are listed. */
static const char *const of_this_run[] = {"filter", "filter-from", "quiet", "verbose", "color",
	"unicode", "progress", "output", "report", "format", "resume", "no-history", "seed",
	"expected", "thorough", NULL};

static char *suggest(const char *command, ba_options_for wanted, const ba_opt *rows,
	const char *more, const ba_strv *operands, size_t most)
{
	BA_AUTO(ba_options) ba_options other;
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_opt accepted[BA_OPTION_ROWS_MOST];
	ba_options_init(&other);
	ba_options_rows(accepted, &other, wanted);
	ba_strv_push(&words, "bench-against");
	ba_strv_push(&words, command);
	if (more)
		ba_strv_push(&words, more);
	ba_opt_again(&words, rows, accepted, of_this_run + (wanted != BA_FOR_LIST));
	for (size_t i = 0; i < operands->count && i < most; i++)
		ba_strv_push(&words, operands->items[i]);
	return ba_shell_command(&words);
}

void ba_suggest_fill(ba_options *o, const ba_opt *rows, const ba_strv *operands)
{
	if (o->suggested[0])
		return;
	/* a calibration builds the variant twice, which a directory outside git does not allow */
	bool commit = operands->count && !strstr(operands->items[0], "path:");
	o->suggested[0] = suggest("list", BA_FOR_LIST, rows, NULL, operands, SIZE_MAX);
	o->suggested[1] = suggest("list", BA_FOR_LIST, rows, "--expected", operands, SIZE_MAX);
	o->suggested[2] = suggest("doctor", BA_FOR_DOCTOR, rows, NULL, operands, 0);
	o->suggested[3] = suggest("calibrate", BA_FOR_CALIBRATE, rows, NULL, operands, commit);
	o->job.suggest = (ba_job_commands){.list = o->suggested[0],
		.expected = o->suggested[1],
		.doctor = o->suggested[2],
		.calibrate = o->suggested[3]};
}
