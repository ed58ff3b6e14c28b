/* `bench-against merge`: makes one result from several that were measured separately. */
#include "cli/cmd.h"
#include "merge/merge.h"
#include "store/results.h"

BA_LIST(inputs, ba_merge_input);

BA_OWNS_HERE(inputs, in, BA_FREE_EACH(x, in->items, in->count, ba_result_dispose(&x->r)))

static int read_inputs(inputs *in, const ba_strv *files, ba_error *err)
{
	if (files->count > BA_ORIGINS_MOST)
		return ba_fail(err, BA_EINVAL, "%zu files: at most %d can be merged", files->count,
			BA_ORIGINS_MOST);
	in->items = ba_xcalloc(files->count, sizeof(*in->items));
	for (size_t i = 0; i < files->count; i++) {
		in->items[i].name = files->items[i];
		BA_TRY(ba_results_read(&in->items[i].r, files->items[i], err));
		in->count++;
	}
	return 0;
}

static int work(ba_context *c, const ba_strv *operands, ba_result *r, ba_error *err)
{
	const ba_merge_rules rules = {.different_cpus = c->options->different_cpus};
	BA_AUTO(inputs) inputs in = {0};
	BA_AUTO(ba_result) ba_result merged = {0};
	BA_TRY(ba_outputs_check(c->options, err));
	BA_TRY(ba_history_check(c, err));
	BA_TRY(read_inputs(&in, operands, err));
	BA_TRY(ba_merge(&merged, in.items, in.count, &rules, err));
	ba_text_replace(&merged.run.command_line, r->run.command_line);
	ba_result was = *r;
	*r = merged;
	merged = was;
	int rc = ba_outputs_answer(r, c, err);
	ba_history_remember(r, c);
	return rc;
}

int ba_cmd_merge(ba_call *call, ba_error *err)
{
	return ba_cmd_work(call, work, err);
}
