#include "store/code_document.h"

#include "store/parts.h"

#define FORMAT "bench-against.code/1"
#define PAIRS_MOST 1000000u

BA_DEFINE_WORDS(static, verdict_words, BA_CODE_VERDICT_COUNT,
	ba_code_verdict_name((ba_code_verdict)value), "is not a verdict on machine code");
BA_DEFINE_WORDS(static, metric_words, BA_CODE_METRIC_COUNT,
	ba_code_metric_get((ba_code_metric)value)->name, "is not a metric of machine code");

/* {"registers": [32, 40], ...}, without those that neither variant knows */
static void write_metrics(ba_json_writer *w, const void *base)
{
	const ba_code_pair *p = base;
	ba_json_open_object(w, "metrics");
	for (int m = 0; m < BA_CODE_METRIC_COUNT; m++) {
		const double both[] = {p->values[0][m], p->values[1][m]};
		if (!isnan(both[0]) || !isnan(both[1]))
			ba_json_write_f64s(w, metric_words.name(m), both, 2);
	}
	ba_json_close(w);
}

static int read_metrics(void *base, ba_json_value object, ba_error *err)
{
	ba_code_pair *p = base;
	ba_json_value metrics;
	p->base = p->mine = SIZE_MAX;
	BA_TRY(ba_json_get_object(&metrics, object, "metrics", err));
	for (int m = 0; m < BA_CODE_METRIC_COUNT; m++) {
		ba_json_value v = ba_json_find(metrics, metric_words.name(m));
		BA_AUTO_FREE double *both = NULL;
		size_t count = 2;
		if (ba_json_is(v))
			BA_TRY(ba_json_as_f64s(&both, &count, v, err));
		if (count != 2)
			return ba_json_fail(err, v, "must have two values");
		p->values[0][m] = both ? both[0] : NAN;
		p->values[1][m] = both ? both[1] : NAN;
	}
	return 0;
}

static const ba_json_field pair_rows[] = {
	BA_FIELD_AS("kernel", ba_code_pair, whole_name, TEXT, .required = true),
	BA_FIELD(ba_code_pair, name, TEXT, .required = true),
	BA_FIELD(ba_code_pair, symbol, TEXT, .required = true),
	BA_FIELD(ba_code_pair, target, TEXT, .required = true),
	BA_FIELD_AS("ptx", ba_code_pair, is_ptx, BOOL),
	BA_FIELD_WORD("verdict", ba_code_pair, verdict, verdict_words, .required = true),
	BA_FIELD(ba_code_pair, fails, BOOL, .required = true),
	BA_FIELD(ba_code_pair, allowed, BOOL),
	BA_FIELD_AS("reason", ba_code_pair, why, MAYBE),
	BA_FIELD_AS("exceeds", ba_code_pair, breaches, MAYBE),
	BA_FIELD_IF(ba_code_pair, was, MAYBE, was),
	BA_FIELD_AS("baseline_file", ba_code_pair, files[0], MAYBE, BA_IF(ba_code_pair, files[0])),
	BA_FIELD_AS("candidate_file", ba_code_pair, files[1], MAYBE, BA_IF(ba_code_pair, files[1])),
	BA_FIELD(ba_code_pair, copies, U64),
	BA_FIELD_POINTER("blocks", ba_code_pair, blocks, &ba_block_fields),
};
static const ba_json_fields pair_fields =
	BA_FIELDS_INIT(pair_rows, .write = write_metrics, .read = read_metrics);

static const ba_json_field built_rows[] = {
	BA_FIELD(ba_code_built, label, TEXT, .required = true),
	BA_FIELD(ba_code_built, kernels, U64),
	BA_FIELD(ba_code_built, toolkits, LIST),
};

static const ba_json_field size_rows[] = {
	BA_FIELD_WORD("metric", ba_code_size, metric, metric_words, .required = true),
	BA_FIELD_AS("of", ba_code_size, name, TEXT),
	BA_FIELD_AS("baseline", ba_code_size, values[0], SIZE, .required = true),
	BA_FIELD_AS("candidate", ba_code_size, values[1], SIZE, .required = true),
	BA_FIELD(ba_code_size, fails, BOOL),
};

static const ba_json_field rows[] = {
	BA_FIELD_SCHEMA("format", FORMAT),
	BA_FIELD(ba_code_document, answer, TEXT, .required = true),
	BA_FIELD(ba_code_document, exit_status, UNSIGNED),
	BA_FIELD_OBJECT(
		"baseline", ba_code_document, sides[0], BA_FIELDS(built_rows), .required = true),
	BA_FIELD_OBJECT(
		"candidate", ba_code_document, sides[1], BA_FIELDS(built_rows), .required = true),
	BA_FIELD_LIST("kernels", ba_code_document, pairs, pair_count, &pair_fields,
		.most = PAIRS_MOST, .required = true),
	BA_FIELD_LIST("sizes", ba_code_document, sizes, size_count, BA_FIELDS(size_rows),
		.most = PAIRS_MOST),
	BA_FIELD(ba_code_document, notes, LIST),
	BA_FIELD_COUNTS("counts", ba_code_document, counts, verdict_words, .most = UINT32_MAX,
		.required = true),
};
const ba_json_fields ba_code_document_fields = BA_FIELDS_INIT(rows);

bool ba_code_document_is(const char *path)
{
	char head[256] = "";
	BA_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd >= 0 && ba_fs_read_some(fd, head, sizeof(head) - 1) > 0 &&
	       strstr(head, "\"" FORMAT "\"");
}
