#include "disasm/listing.h"
#include "engine/box.h"
#include "devicecode/inspect.h"
#include "session/task.h"

#define ONE_LIMIT_NS (20 * BA_SECOND)
#define ALL_LIMIT_NS (60 * BA_SECOND)

typedef struct looking {
	ba_session *s;
	char *program; /* NULL: there is none */
	int64_t until_ns;
	bool stopped;
} looking;

bool ba_task_changed_on_gpu(const ba_session *s, const ba_task *t)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		const ba_series *series = ba_task_series(s, t, (ba_metric)m);
		for (size_t c = 1; series && ba_metric_get((ba_metric)m)->on_gpu &&
				   c < s->result->run.variant_count;
			c++) {
			ba_verdict v = series->comparisons[c - 1].verdict;
			if (v == BA_VERDICT_REGRESSED || v == BA_VERDICT_IMPROVED)
				return true;
		}
	}
	return false;
}

/* Checks the worker's report, because the digest becomes part of a path. */
static bool is_digest(const char *text)
{
	return strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

static int cannot(const looking *q, const ba_kernel *k, ba_error *err)
{
	if (!k->code_bytes)
		return ba_fail(err, BA_EUNSUPPORTED,
			"the driver compiles the PTX of kernel '%s', so its machine code is not known",
			k->name);
	if (!q->program)
		return ba_fail(err, BA_EUNSUPPORTED,
			"nvdisasm was not found (" BA_TOOLKIT_PLACES
			"); it would tell the classes of instructions and the basic blocks that differ");
	if (ba_now_ns() > q->until_ns)
		return ba_fail(err, BA_EUNSUPPORTED,
			"other kernels took the %d seconds for disassembling",
			(int)(ALL_LIMIT_NS / BA_SECOND));
	return is_digest(k->sha256)
		       ? 0
		       : ba_fail(err, BA_EUNSUPPORTED, "kernel '%s' has no digest", k->name);
}

/* false: the reason is in *code */
static bool list_kernel(
	ba_listing *out, looking *q, size_t variant, ba_device_code *code, ba_kernel *k)
{
	BA_AUTO_FREE char *folder = ba_box_folder(q->s->spec->scratch, variant);
	ba_error why;
	const ba_engine_spec *engine = &q->s->suites[0].engine_spec;
	BA_AUTO_FREE char *toolkit = q->program ? ba_path_dir(q->program) : NULL;
	const char *const readable[] = {folder, toolkit, NULL};
	const ba_sandbox box = {.readable = readable};
	const ba_nvdisasm d = {.program = q->program,
		.limit_ns = ONE_LIMIT_NS,
		.stop = engine->stop,
		.sandbox = engine->sandbox ? &box : NULL};
	BA_AUTO_FREE char *cubin = ba_xprintf("%s/%s.cubin", folder, k->sha256);
	int rc = cannot(q, k, &why);
	rc = rc ? rc : ba_nvdisasm_read(out, &d, cubin, k->name, k->symbol, &why);
	if (rc == 0) {
		k->listed = true;
		ba_listing_classes(k->classes, out);
		return true;
	}
	q->stopped = rc == BA_EINTERRUPTED;
	ba_text_replace(&code->listing_reason, why.text);
	return false;
}

/* Makes the path relative to the variant's tree, or else keeps only the file's name. */
static void shorten(ba_session *s, ba_block_changes *b, size_t candidate)
{
	const char *trees[2] = {
		s->result->run.variants[candidate].tree_dir, s->result->run.variants[0].tree_dir};
	const char *shown = b->file ? ba_path_base(b->file) : NULL;
	for (size_t i = 0; shown && i < 2; i++)
		if (trees[i] && *trees[i] && ba_path_is_below(b->file, trees[i])) {
			shown = b->file + strlen(trees[i]);
			shown += strspn(shown, "/");
			break;
		}
	ba_text_replace(&b->file, shown);
}

static void look_at_pair(looking *q, const ba_task *t, size_t candidate, const ba_kernel_pair *pair)
{
	ba_device_code *codes = t->benchmark->codes;
	if (pair->base == SIZE_MAX || pair->mine == SIZE_MAX || q->stopped)
		return;
	ba_kernel *base = &codes[0].kernels[pair->base];
	ba_kernel *mine = &codes[candidate].kernels[pair->mine];
	BA_AUTO(ba_listing) ba_listing a = {0}, b = {0};
	if (strcmp(base->sha256, mine->sha256) == 0 || !list_kernel(&a, q, 0, &codes[0], base) ||
		!list_kernel(&b, q, candidate, &codes[candidate], mine))
		return;
	ba_block_changes_free(mine->blocks);
	mine->blocks = ba_listing_compare(&a, &b);
	if (mine->blocks)
		shorten(q->s, mine->blocks, candidate);
	else
		ba_text_replace(&codes[candidate].listing_reason,
			"a kernel has too many basic blocks to compare them");
}

static void look_at(looking *q, const ba_task *t)
{
	const ba_benchmark *b = t->benchmark;
	for (size_t c = 1; c < b->code_count; c++) {
		size_t n;
		BA_AUTO_FREE ba_kernel_pair *pairs =
			ba_kernel_pairs(&n, &b->codes[0], &b->codes[c]);
		for (size_t i = 0; i < n; i++)
			look_at_pair(q, t, c, &pairs[i]);
	}
}

/* Changed benchmarks come first, because the time is limited. */
void ba_session_disassemble(ba_session *s)
{
	looking q = {.s = s, .until_ns = ba_now_ns() + ALL_LIMIT_NS};
	q.program = ba_toolkit_find("nvdisasm");
	for (int changed = 1; changed >= 0; changed--)
		for (size_t i = 0; i < s->task_count; i++)
			if (s->tasks[i].benchmark->codes &&
				ba_task_changed_on_gpu(s, &s->tasks[i]) == (changed == 1))
				look_at(&q, &s->tasks[i]);
	free(q.program);
}
