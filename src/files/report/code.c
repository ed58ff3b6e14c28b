#include "report/code.h"

#include "base/base.h"
#include "base/number.h"
#include "model/occupancy.h"

void ba_code_rows_dispose(ba_code_rows *rows)
{
	free(rows->items);
	*rows = (ba_code_rows){0};
}

/* ---- pairs ---- */

static bool is_same_shape(const ba_kernel *a, const ba_kernel *b)
{
	return a->grid_x == b->grid_x && a->grid_y == b->grid_y && a->grid_z == b->grid_z &&
	       a->block_x == b->block_x && a->block_y == b->block_y && a->block_z == b->block_z &&
	       a->dynamic_shared_bytes == b->dynamic_shared_bytes && a->launches == b->launches;
}

static bool differs(const ba_code_row *row)
{
	return !row->base || !row->mine || strcmp(row->base->sha256, row->mine->sha256) != 0 ||
	       !is_same_shape(row->base, row->mine);
}

/* `row` with these kernels, if they differ */
static void push(ba_code_rows *rows, ba_code_row row, const ba_kernel *base, const ba_kernel *mine)
{
	row.base = base;
	row.mine = mine;
	if (!differs(&row))
		return;
	rows->items = ba_xreallocarray(rows->items, rows->count + 1, sizeof(*rows->items));
	rows->items[rows->count++] = row;
}

static void add_pairs(
	ba_code_rows *rows, ba_code_row row, const ba_device_code *a, const ba_device_code *b)
{
	size_t n;
	BA_AUTO_FREE ba_kernel_pair *pairs = ba_kernel_pairs(&n, a, b);
	for (size_t i = 0; i < n; i++)
		push(rows, row, pairs[i].base < SIZE_MAX ? &a->kernels[pairs[i].base] : NULL,
			pairs[i].mine < SIZE_MAX ? &b->kernels[pairs[i].mine] : NULL);
}

/* [benchmark_count]: those of which a time on the GPU's clock changed; caller frees */
static bool *find_changed(const ba_result *r, size_t candidate)
{
	bool *changed = ba_xcalloc(r->benchmark_count + 1, sizeof(*changed));
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		ba_verdict v = s->comparisons[candidate - 1].verdict;
		if (s->info->on_gpu && (v == BA_VERDICT_REGRESSED || v == BA_VERDICT_IMPROVED))
			changed[s->benchmark] = true;
	}
	return changed;
}

void ba_code_rows_of(ba_code_rows *out, const ba_result *r, size_t candidate)
{
	BA_AUTO_FREE bool *changed = find_changed(r, candidate);
	for (size_t i = 0; i < r->benchmark_count; i++) {
		const ba_benchmark *b = &r->benchmarks[i];
		if (candidate >= b->code_count || !b->codes[0].kernel_count ||
			!b->codes[candidate].kernel_count)
			continue;
		const ba_device_code *a = &b->codes[0], *c = &b->codes[candidate];
		const ba_code_row row = {.benchmark = i,
			.candidate = candidate,
			.listing_reason = c->listing_reason ? c->listing_reason : a->listing_reason,
			.counters_reason =
				c->counters_reason ? c->counters_reason : a->counters_reason,
			.capability = r->env.compute_capability,
			.changed = changed[i]};
		add_pairs(out, row, a, c);
	}
}

/* ---- cells ---- */

static char *name_of(const ba_kernel *k)
{
	return ba_xstrdup(k->name ? k->name : "");
}

static char *shape(unsigned x, unsigned y, unsigned z)
{
	return z > 1   ? ba_xprintf("%ux%ux%u", x, y, z)
	       : y > 1 ? ba_xprintf("%ux%u", x, y)
		       : ba_xprintf("%u", x);
}

static char *grid_of(const ba_kernel *k)
{
	return shape(k->grid_x, k->grid_y, k->grid_z);
}

static char *block_of(const ba_kernel *k)
{
	return shape(k->block_x, k->block_y, k->block_z);
}

static char *code_of(const ba_kernel *k)
{
	return ba_xprintf("%.8s", k->sha256);
}

static char *registers_of(const ba_kernel *k)
{
	return ba_xprintf("%u", k->registers);
}

static char *shared_of(const ba_kernel *k)
{
	return ba_xprintf("%llu", (unsigned long long)k->shared_bytes + k->dynamic_shared_bytes);
}

static char *local_of(const ba_kernel *k)
{
	return ba_xprintf("%u", k->local_bytes);
}

static char *binary_of(const ba_kernel *k)
{
	return ba_xprintf("%u.%u", k->binary_version / 10, k->binary_version % 10);
}

static char *launches_of(const ba_kernel *k)
{
	return ba_xprintf("%llu", (unsigned long long)k->launches);
}

static char *bytes_of(const ba_kernel *k)
{
	return k->code_bytes ? ba_xprintf("%llu", (unsigned long long)k->code_bytes) : NULL;
}

static char *constant_of(const ba_kernel *k)
{
	return ba_xprintf("%u", k->constant_bytes);
}

static char *most_threads_of(const ba_kernel *k)
{
	return ba_xprintf("%u", k->max_threads);
}

static char *occupancy_of(const ba_kernel *k, const char *capability)
{
	ba_occupancy o;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (!ba_occupancy_of(&o, k, capability))
		return NULL;
	ba_percent_plain(&text, (double)o.warps / o.warps_most);
	return ba_buf_detach(&text);
}

static char *limit_of(const ba_kernel *k, const char *capability)
{
	ba_occupancy o;
	return ba_occupancy_of(&o, k, capability) ? ba_xstrdup(o.limit) : NULL;
}

static const struct {
	const char *heading;
	char *(*text)(const ba_kernel *k);
	char *(*on_device)(const ba_kernel *k, const char *capability);
	const char *word, *unit; /* in a sentence; NULL: not there */
} columns[BA_CODE_FIGURES] = {
	{"kernel", name_of, NULL, NULL, NULL},
	{"code", code_of, NULL, NULL, NULL},
	{"registers", registers_of, NULL, "registers", ""},
	{"shared B", shared_of, NULL, "shared memory", " B"},
	{"spills B", local_of, NULL, "spills", " B"},
	{"size B", bytes_of, NULL, "code", " B"},
	{"occupancy", NULL, occupancy_of, "occupancy", ""},
	{"binary", binary_of, NULL, "binary", ""},
	{"launches", launches_of, NULL, "launches", ""},
	{"grid", grid_of, NULL, "grid", ""},
	{"block", block_of, NULL, "block", ""},
	{"limited by", NULL, limit_of, NULL, NULL},
	{"constant B", constant_of, NULL, NULL, NULL},
	{"most threads", most_threads_of, NULL, NULL, NULL},
};

const char *ba_code_heading(size_t column)
{
	return columns[column].heading;
}

char *ba_code_figure(const ba_code_row *row, size_t column, bool candidate)
{
	const ba_kernel *k = candidate ? row->mine : row->base;
	if (!k)
		return NULL;
	return columns[column].text ? columns[column].text(k)
				    : columns[column].on_device(k, row->capability);
}

char *ba_code_cell(const ba_code_row *row, size_t column, bool unicode)
{
	const char *none = unicode ? "\xe2\x80\x93" : "-";
	BA_AUTO_FREE char *base = ba_code_figure(row, column, false);
	BA_AUTO_FREE char *mine = ba_code_figure(row, column, true);
	const char *left = base ? base : none, *right = mine ? mine : none;
	if (strcmp(left, right) == 0)
		return ba_xstrdup(left);
	return ba_xprintf("%s %s %s", left, unicode ? "\xe2\x86\x92" : "->", right);
}

/* ---- a sentence ---- */

/* Of both sides, and different? */
static bool is_told(const ba_code_row *row, size_t column)
{
	BA_AUTO_FREE char *base = ba_code_figure(row, column, false);
	BA_AUTO_FREE char *mine = ba_code_figure(row, column, true);
	return columns[column].word && base && mine && strcmp(base, mine) != 0;
}

void ba_code_put_sentence(ba_buf *out, const ba_code_row *row, bool unicode)
{
	size_t before = out->len;
	if (!row->base || !row->mine) {
		ba_buf_puts(out, row->mine ? "the baseline does not launch this kernel"
					   : "the candidate does not launch this kernel");
		return;
	}
	for (size_t c = 0; c < BA_CODE_FIGURES; c++) {
		if (!is_told(row, c))
			continue;
		BA_AUTO_FREE char *cell = ba_code_cell(row, c, unicode);
		ba_buf_printf(out, "%s%s %s%s", out->len > before ? ", " : "", columns[c].word,
			cell, columns[c].unit);
	}
	if (out->len == before)
		ba_buf_puts(out,
			"other instructions, in code with the same registers, memory and size");
}
