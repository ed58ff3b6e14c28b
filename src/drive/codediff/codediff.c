/* Verdicts, metrics and limits of the pairs; the answer. */
#include "codediff/codediff.h"

#include "model/occupancy.h"
#include "report/machine/machine.h"

const ba_kernel_code *ba_code_kernel(const ba_codediff *d, const ba_code_pair *p, int side)
{
	size_t i = side ? p->mine : p->base;
	return i == SIZE_MAX ? NULL : &d->sides[side].kernels.items[i];
}

const ba_kernel_code *ba_code_shown(const ba_codediff *d, const ba_code_pair *p)
{
	return ba_code_kernel(d, p, p->mine == SIZE_MAX ? 0 : 1);
}

const ba_code_file *ba_code_file_of(const ba_codediff *d, const ba_code_pair *p, int side)
{
	size_t i = side ? p->mine : p->base;
	return i == SIZE_MAX ? NULL : &d->sides[side].files[d->sides[side].file_of[i]];
}

BA_OWNS(ba_code_side, s, BA_FREE_EACH(f, s->files, s->file_count, BA_FREE(f->path, f->unreadable)),
	BA_FREE(s->label, s->root, s->file_of), ba_kernel_codes_dispose(&s->kernels),
	ba_strv_dispose(&s->toolkits))

BA_OWNS(ba_codediff, d, ba_code_document_dispose(&d->found), ba_code_side_dispose(&d->sides[0]),
	ba_code_side_dispose(&d->sides[1]))

/* ---- names ---- */

/* Overloads get their parameters back. */
static void name_pairs(ba_codediff *d)
{
	BA_EACH (ba_code_pair, p, d->found.pairs, d->found.pair_count) {
		const ba_kernel_code *k = ba_code_shown(d, p);
		p->whole_name = ba_demangle(k->name);
		p->name = ba_demangle_short(
			p->whole_name + (ba_text_starts(p->whole_name, "void ") ? 5 : 0));
		p->symbol = ba_xstrdup(k->name);
		p->target = ba_xstrdup(k->target);
		p->is_ptx = k->is_ptx;
		for (int side = 0; side < 2; side++) {
			const ba_code_file *file = ba_code_file_of(d, p, side);
			p->files[side] = file ? ba_xstrdup(file->path) : NULL;
		}
		if (p->verdict == BA_CODE_RENAMED)
			p->was = ba_demangle(ba_code_kernel(d, p, 0)->name);
	}
	/* the pairs are still sorted by their mangled names */
	for (size_t i = 1; i < d->found.pair_count; i++) {
		ba_code_pair *a = &d->found.pairs[i - 1], *b = &d->found.pairs[i];
		if (strcmp(a->whole_name, b->whole_name) == 0 ||
			strncmp(a->whole_name, b->whole_name, 5 + strlen(b->name)) != 0)
			continue;
		ba_text_replace(&a->name, a->whole_name);
		ba_text_replace(&b->name, b->whole_name);
	}
}

/* ---- metrics ---- */

/* "sm_90a" -> "9.0", "sm_120" -> "12.0" */
static void put_capability(ba_buf *out, const char *target)
{
	unsigned arch = (unsigned)strtoul(target + strcspn(target, "0123456789"), NULL, 10);
	ba_buf_printf(out, "%u.%u", arch / 10, arch % 10);
}

static double occupancy_of(const ba_kernel_code *k, uint64_t block)
{
	const ba_kernel_metrics *m = &k->metrics;
	const uint32_t *r = m->required_threads;
	uint64_t threads = (uint64_t)r[0] * (r[1] ? r[1] : 1) * (r[2] ? r[2] : 1);
	threads = threads ? threads : m->max_threads ? m->max_threads : block;
	const ba_kernel kernel = {.block_x = (unsigned)threads,
		.block_y = 1,
		.block_z = 1,
		.registers = m->registers,
		.shared_bytes = m->shared_bytes};
	BA_AUTO(ba_buf) ba_buf capability = BA_BUF_INIT;
	ba_occupancy o;
	put_capability(&capability, k->target);
	if (!threads || threads > 1024 || !ba_occupancy_of(&o, &kernel, capability.data))
		return NAN;
	return 100.0 * o.warps / o.warps_most;
}

static void fill_values(double *values, const ba_kernel_code *k, uint64_t block)
{
	const ba_kernel_metrics *m = k ? &k->metrics : NULL;
	for (int i = 0; i < BA_CODE_METRIC_COUNT; i++)
		values[i] = NAN;
	if (!m || k->is_ptx)
		return;
	values[BA_CODE_REGISTERS] = m->registers;
	values[BA_CODE_OCCUPANCY] = occupancy_of(k, block);
	values[BA_CODE_LOCAL_STORES] = m->local_stores;
	values[BA_CODE_LOCAL_LOADS] = m->local_loads;
	values[BA_CODE_FRAME] = m->frame_bytes;
	values[BA_CODE_SHARED] = m->shared_bytes;
	values[BA_CODE_CONSTANT] = m->constant_bytes;
	values[BA_CODE_INSTRUCTIONS] = m->instructions;
	values[BA_CODE_BYTES] = m->code_bytes;
	values[BA_CODE_BARRIERS] = m->barriers;
	values[BA_CODE_MAX_THREADS] = m->max_threads ? m->max_threads : NAN;
	values[BA_CODE_MAX_REGISTERS] = m->max_registers ? m->max_registers : NAN;
}

/* ---- sizes ---- */

static void add_size(ba_codediff *d, const char *name, ba_code_metric m, double base, double mine)
{
	ba_code_size s = {.name = ba_xstrdup(name), .metric = m, .values = {base, mine}};
	s.fails = ba_code_limit_exceeded(d->config->limits, m, base, mine);
	*BA_PUSH(d->found.sizes, d->found.size_count, d->found.size_capacity) = s;
}

const ba_code_file *ba_code_file_find(const ba_code_side *side, const char *path)
{
	return BA_FIND(side->files, side->file_count, f, strcmp(f->path, path) == 0);
}

static void add_files(ba_codediff *d)
{
	const ba_code_side *base = &d->sides[0], *mine = &d->sides[1];
	/* two files that were named on the command line are one */
	bool files = base->file_count == 1 && mine->file_count == 1;
	BA_EACH (const ba_code_file, b, mine->files, mine->file_count) {
		const ba_code_file *a = files ? base->files : ba_code_file_find(base, b->path);
		if (a && (a->kernels || b->kernels))
			add_size(
				d, b->path, BA_CODE_FILE_BYTES, (double)a->bytes, (double)b->bytes);
	}
}

/* The machine code of all kernels, by architecture, copies not counted. */
static void add_architectures(ba_codediff *d)
{
	BA_AUTO(ba_strv) ba_strv targets = {0};
	for (size_t i = 0; i < d->found.pair_count; i++) {
		const ba_kernel_code *k = ba_code_shown(d, &d->found.pairs[i]);
		if (!k->is_ptx && !ba_strv_has(&targets, k->target))
			ba_strv_push(&targets, k->target);
	}
	ba_strv_sort(&targets);
	for (size_t t = 0; t < targets.count; t++) {
		double sums[2] = {0};
		for (size_t i = 0; i < d->found.pair_count; i++)
			for (int side = 0; side < 2; side++) {
				const ba_kernel_code *k =
					ba_code_kernel(d, &d->found.pairs[i], side);
				if (k && !k->is_ptx && strcmp(k->target, targets.items[t]) == 0)
					sums[side] += k->metrics.code_bytes;
			}
		add_size(d, targets.items[t], BA_CODE_DEVICE_BYTES, sums[0], sums[1]);
	}
}

/* ---- judgement ---- */

static bool fails_on(const ba_codediff *d, ba_code_verdict v)
{
	static const char *const words[BA_CODE_VERDICT_COUNT] = {[BA_CODE_CHANGED] = "changed",
		[BA_CODE_OTHER_LIMITS] = "changed",
		[BA_CODE_OTHER_DATA] = "changed",
		[BA_CODE_RENAMED] = "renamed",
		[BA_CODE_ADDED] = "added",
		[BA_CODE_REMOVED] = "removed"};
	if (v == BA_CODE_OPEN || v == BA_CODE_SAME)
		return v == BA_CODE_OPEN;
	return ba_strv_has(&d->config->fail_on, words[v]) ||
	       ba_strv_has(&d->config->fail_on, "any");
}

/* The glob that allows the kernel to differ, or SIZE_MAX. */
static size_t allowed_by(const ba_codediff *d, const ba_code_pair *p)
{
	const ba_strv *globs = &d->config->allow;
	for (size_t i = 0; i < globs->count; i++)
		if (ba_text_glob(globs->items[i], p->name) ||
			ba_text_glob(globs->items[i], p->whole_name) ||
			ba_text_glob(globs->items[i], ba_code_shown(d, p)->mangled))
			return i;
	return SIZE_MAX;
}

static void put_breaches(ba_buf *out, const ba_codediff *d, const ba_code_pair *p)
{
	for (int m = 0; m < BA_CODE_METRIC_COUNT; m++) {
		double base = p->values[0][m], mine = p->values[1][m];
		if (!ba_code_limit_exceeded(d->config->limits, (ba_code_metric)m, base, mine))
			continue;
		ba_buf_printf(out, "%s%s %.6g -> %.6g (limit ", out->len ? ", " : "",
			ba_code_metric_get((ba_code_metric)m)->title, base, mine);
		ba_code_limit_text(out, &d->config->limits[m]);
		ba_buf_putc(out, ')');
	}
}

static bool judge(ba_codediff *d, ba_code_pair *p, bool *allow_used)
{
	BA_AUTO(ba_buf) ba_buf breaches = BA_BUF_INIT;
	for (int side = 0; side < 2; side++)
		fill_values(p->values[side], ba_code_kernel(d, p, side), d->config->block);
	put_breaches(&breaches, d, p);
	if (breaches.len)
		p->breaches = ba_buf_detach(&breaches);
	p->fails = p->breaches || fails_on(d, p->verdict);
	size_t glob = p->verdict == BA_CODE_SAME ? SIZE_MAX : allowed_by(d, p);
	if (glob != SIZE_MAX) {
		allow_used[glob] = true;
		p->allowed = p->fails;
		p->fails = false;
	}
	d->found.counts[p->verdict]++;
	return p->fails;
}

/* Returns how many pairs and sizes fail. */
static size_t judge_all(ba_codediff *d)
{
	size_t failures = 0;
	const ba_strv *globs = &d->config->allow;
	BA_AUTO_FREE bool *used = ba_xcalloc(globs->count + 1, sizeof(*used));
	for (size_t i = 0; i < d->found.pair_count; i++)
		failures += judge(d, &d->found.pairs[i], used);
	for (size_t i = 0; i < globs->count; i++)
		if (!used[i])
			ba_strv_printf(&d->found.notes,
				"no kernel that differs matches --allow '%s'", globs->items[i]);
	return failures + BA_HOW_MANY(d->found.sizes, d->found.size_count, s, s->fails);
}

BA_DEFINE_ORDER(order_pairs, ba_code_pair,
	BA_ORDER(b->fails, a->fails)
		?: BA_ORDER(a->verdict, b->verdict)
		?: strcmp(a->name, b->name) ?: BA_ORDER(a->mine, b->mine))

static void put_first_failure(ba_buf *out, const ba_code_document *d)
{
	const ba_code_pair *p = d->pairs;
	const ba_code_size *size = BA_FIND(d->sizes, d->size_count, s, s->fails);
	if (d->pair_count && p->fails) {
		ba_machine_put_name(out, p, false);
		ba_buf_printf(
			out, ": %s", p->breaches ? p->breaches : ba_code_verdict_name(p->verdict));
	} else if (size) {
		ba_machine_put_size(out, size);
	}
}

static char *answer_of(const ba_code_document *d, size_t failures)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_buf_printf(
		&out, "%zu %s: ", d->pair_count, ba_plural(d->pair_count, "kernel", "kernels"));
	size_t before = out.len;
	for (int v = 0; v < BA_CODE_VERDICT_COUNT; v++)
		if (d->counts[v])
			ba_buf_printf(&out, "%s%zu %s", out.len > before ? "; " : "", d->counts[v],
				ba_code_verdict_name((ba_code_verdict)v));
	if (!failures)
		return ba_buf_detach(&out);
	ba_buf_printf(&out, ". %zu %s: ", failures, ba_plural(failures, "fails", "fail"));
	put_first_failure(&out, d);
	return ba_buf_detach(&out);
}

/* Kernels that are the same are last, and only counted from now on. */
static void drop_same(ba_code_document *d)
{
	for (; d->pair_count && d->pairs[d->pair_count - 1].verdict == BA_CODE_SAME;
		d->pair_count--)
		ba_code_pair_dispose(&d->pairs[d->pair_count - 1]);
}

void ba_codediff_compare(ba_codediff *d)
{
	ba_code_document *found = &d->found;
	for (int side = 0; side < 2; side++) {
		found->sides[side].label = ba_xstrdup(d->sides[side].label);
		found->sides[side].kernels = d->sides[side].kernels.count;
		ba_strv_copy(&found->sides[side].toolkits, &d->sides[side].toolkits);
	}
	ba_code_pair_all(d);
	name_pairs(d);
	add_files(d);
	add_architectures(d);
	size_t failures = judge_all(d);
	qsort(found->pairs, found->pair_count, sizeof(*found->pairs), order_pairs);
	found->answer = answer_of(found, failures);
	found->exit_status = failures > 0;
	drop_same(found);
}
