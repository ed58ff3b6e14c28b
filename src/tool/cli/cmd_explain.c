/* `bench-against explain`: why benchmarks of a result file execute other instructions,
 * and how their kernels differ. Also of what `bench-against code` saved. */
#include "cli/cmd.h"
#include "report/machine/machine.h"
#include "report/why.h"
#include "store/code_document.h"
#include "store/results.h"

static struct {
	int format;
} here;
static const char *const formats[] = {"term", "json", "markdown", "html", NULL};
static const ba_opt rows[] = {
	OPT_GROUP("Output"),
	OPT_CHOICE(0, "format", &here.format, formats, NULL),
	OPT_END,
};
const ba_own_options ba_explain_options = {"explain", rows, &here, sizeof(here), NULL};

static bool is_named(const ba_strv *operands, const char *id)
{
	return operands->count == 1 ||
	       BA_ANY(operands->items + 1, operands->count - 1, x, ba_text_glob(*x, id));
}

/* A name that matches no benchmark is a mistake, also beside one that does. */
static int check_names(const ba_strv *operands, const ba_result *r, ba_error *err)
{
	for (size_t i = 1; i < operands->count; i++)
		if (!BA_ANY(r->run.benchmarks, r->run.benchmark_count, x,
			    ba_text_glob(operands->items[i], x->id)))
			return ba_fail(err, BA_ENOTFOUND, "no benchmark of the file matches '%s'",
				operands->items[i]);
	return 0;
}

/* The benchmarks that the user named; else the changed ones if there are any. */
static void choose(ba_whys *whys, ba_code_rows *codes, const ba_strv *operands, const ba_result *r)
{
	size_t kept = 0, kept_codes = 0;
	bool changed = whys->changed > 0 || BA_ANY(codes->items, codes->count, x, x->changed);
	bool changed_alone = changed && operands->count == 1;
	BA_EACH (const ba_code_row, row, codes->items, codes->count)
		if (is_named(operands, r->run.benchmarks[row->benchmark].id) &&
			(row->changed || !changed_alone))
			codes->items[kept_codes++] = *row;
	codes->count = kept_codes;
	BA_EACH (const ba_why, w, whys->items, whys->count)
		if (is_named(operands, r->run.benchmarks[w->benchmark].id) &&
			(w->changed || !changed_alone))
			whys->items[kept++] = *w;
	whys->count = kept;
	ba_whys_group(whys);
}

static void put_nothing(const ba_strv *operands, const ba_result *r)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	bool counted = BA_ANY(r->series, r->series_count, x, x->info->counted);
	const char *of = operands->count > 1 ? "these benchmarks" : "this result";
	if (counted)
		ba_buf_printf(&out,
			"There is nothing to explain: %s %s no explanation, since no instructions were counted by address in both variants\n",
			of, operands->count > 1 ? "have" : "has");
	else
		ba_buf_puts(&out,
			"There is nothing to explain: the run did not count instructions (metric instructions), and no device code that it compared differs\n");
	ba_context_put(&out);
}

static void put_term(
	const ba_whys *whys, const ba_code_rows *codes, const ba_result *r, const ba_options *look)
{
	ba_format_options format = ba_context_format(look);
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	for (size_t i = 0; i < whys->count; i++) {
		if (whys->items[i].repeated)
			continue;
		if (i)
			ba_buf_putc(&out, '\n');
		ba_why_term(&out, r, whys, i, &format);
	}
	if (whys->count && codes->count)
		ba_buf_putc(&out, '\n');
	ba_code_term(&out, r, codes, &format);
	ba_context_put(&out);
}

/* Shows the kernels that the user named, or all that differ. */
static int explain_code(const ba_call *call, ba_error *err)
{
	BA_AUTO(ba_code_document) ba_code_document d = {0};
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_format_options format = ba_context_format(&call->o);
	size_t kept = 0;
	BA_TRY(ba_fields_load(&d, &ba_code_document_fields, call->operands.items[0], NULL, err));
	for (size_t i = 0; i < d.pair_count; i++) {
		if (is_named(&call->operands, d.pairs[i].name) ||
			is_named(&call->operands, d.pairs[i].whole_name))
			d.pairs[kept++] = d.pairs[i];
		else
			ba_code_pair_dispose(&d.pairs[i]);
	}
	d.pair_count = kept;
	if (!kept && call->operands.count > 1)
		return ba_fail(err, BA_ENOTFOUND,
			"no kernel of the file that differs has such a name; a glob may stand for several, as in 'reduce*'");
	format.verbose = true;
	ba_machine_format_named(formats[here.format])->write(&out, &d, &format);
	ba_context_put(&out);
	return 0;
}

int ba_cmd_explain(ba_call *call, ba_error *err)
{
	const ba_strv *operands = &call->operands;
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_whys) ba_whys whys = {0};
	BA_AUTO(ba_code_rows) ba_code_rows codes = {0};
	if (ba_code_document_is(operands->items[0]))
		return explain_code(call, err);
	if (here.format > 1)
		return ba_fail(err, BA_EINVAL,
			"--format %s: only a comparison of machine code has it here; bench-against report writes a run in it",
			formats[here.format]);
	BA_TRY(ba_results_read_some(&r, operands->items[0], BA_RESULTS_READINGS_HELD, err));
	ba_document_warn(&r, operands->items[0]);
	BA_TRY(check_names(operands, &r, err));
	ba_whys_of(&whys, &r);
	for (size_t c = 1; c < r.run.variant_count; c++)
		ba_code_rows_of(&codes, &r, c);
	choose(&whys, &codes, operands, &r);
	if (here.format == 1) {
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		ba_why_json(&out, &r, &whys, &codes);
		ba_context_put(&out);
	} else if (whys.count == 0 && codes.count == 0)
		put_nothing(operands, &r);
	else
		put_term(&whys, &codes, &r, &call->o);
	return 0;
}
