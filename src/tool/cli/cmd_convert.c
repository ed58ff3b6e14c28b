/* `bench-against convert`: writes a result file in another tool's format. */

#include "cli/cmd.h"
#include "compare/compare.h"
#include "import/import.h"

typedef struct convert_opts {
	const char *output, *metric, *csv_columns;
	int to;
	bool quiet;
} convert_opts;

static convert_opts here;
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

static int convert(const convert_opts *o, const ba_strv *operands, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv remarks = {0};
	BA_AUTO(ba_sources) ba_sources source = {0};
	ba_sources_parse(&source, operands);
	const ba_convert_spec spec = {.path = source.items[0].path,
		.part = source.items[0].part,
		.metric = o->metric,
		.csv_columns = o->csv_columns,
		.to = (ba_convert_to)o->to};
	BA_TRY(o->csv_columns ? ba_import_check_columns(o->csv_columns, err) : 0);
	BA_TRY(ba_convert(&text, &remarks, &spec, err));
	for (size_t i = 0; !o->quiet && i < remarks.count; i++) {
		BA_AUTO_FREE char *safe = ba_text_safe(remarks.items[i]);
		fprintf(stderr, "bench-against: convert: %s\n", safe);
	}
	if (o->output)
		return ba_fs_write_atomic(o->output, text.data, text.len, err);
	fwrite(text.data, 1, text.len, stdout);
	return 0;
}

int ba_cmd_convert(ba_call *call, ba_error *err)
{
	return convert(&here, &call->operands, err);
}
