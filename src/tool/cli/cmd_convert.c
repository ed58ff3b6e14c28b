/* `bench-against convert`: writes a result file in another tool's format. */

#include "cli/cmd.h"
#include "import/import.h"

static struct {
	const char *output, *metric, *csv_columns;
	int to;
	bool quiet;
} here;
static const ba_opt rows[] = {
	OPT_GROUP("Output"),
	OPT_CHOICE(0, "to", &here.to, ba_convert_names, NULL),
	OPT_STRING('o', "output", &here.output, NULL),
	OPT_STRING(0, "metric", &here.metric, NULL),
	OPT_STRING(0, "csv-columns", &here.csv_columns, NULL),
	OPT_FLAG('q', "quiet", &here.quiet, NULL),
	OPT_END,
};
const ba_own_options ba_convert_options = {"convert", rows, &here, sizeof(here), NULL};

int ba_cmd_convert(ba_call *call, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv remarks = {0};
	BA_AUTO(ba_sources) ba_sources source = {0};
	ba_sources_parse(&source, &call->operands);
	const ba_convert_spec spec = {.path = source.items[0].path,
		.part = source.items[0].part,
		.metric = here.metric,
		.csv_columns = here.csv_columns,
		.to = (ba_convert_to)here.to};
	BA_TRY(here.csv_columns ? ba_import_check_columns(here.csv_columns, err) : 0);
	BA_TRY(ba_convert(&text, &remarks, &spec, err));
	for (size_t i = 0; !here.quiet && i < remarks.count; i++) {
		BA_AUTO_FREE char *safe = ba_text_safe(remarks.items[i]);
		fprintf(stderr, "bench-against: convert: %s\n", safe);
	}
	if (here.output)
		return ba_fs_write_atomic(here.output, text.data, text.len, err);
	fwrite(text.data, 1, text.len, stdout);
	return 0;
}
