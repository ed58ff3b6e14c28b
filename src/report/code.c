#include "report/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void ba_code_rows_dispose(ba_code_rows *rows)
{
	free(rows->items);
	*rows = (ba_code_rows){0};
}

/* ---- pairs ---- */

static bool is_same_shape(const ba_kernel *a, const ba_kernel *b)
{
	return a->grid_x == b->grid_x && a->grid_y == b->grid_y &&
	       a->grid_z == b->grid_z && a->block_x == b->block_x &&
	       a->block_y == b->block_y && a->block_z == b->block_z &&
	       a->dynamic_shared_bytes == b->dynamic_shared_bytes &&
	       a->launches == b->launches;
}

static bool differs(const ba_code_row *row)
{
	return !row->base || !row->mine ||
	       strcmp(row->base->sha256, row->mine->sha256) != 0 ||
	       !is_same_shape(row->base, row->mine);
}

static void push(ba_code_rows *rows, size_t benchmark, const ba_kernel *base,
	const ba_kernel *mine)
{
	const ba_code_row row = {benchmark, base, mine};
	if (!differs(&row))
		return;
	rows->items =
		ba_xreallocarray(rows->items, rows->count + 1, sizeof(*rows->items));
	rows->items[rows->count++] = row;
}

/* The first of b that is not taken and is called like k; NULL for k: the first. */
static const ba_kernel *take(const ba_device_code *b, bool *taken, const ba_kernel *k)
{
	for (size_t i = 0; i < b->kernel_count; i++) {
		if (taken[i] || (k && strcmp(b->kernels[i].name, k->name) != 0))
			continue;
		taken[i] = true;
		return &b->kernels[i];
	}
	return NULL;
}

static void add_pairs(ba_code_rows *rows, size_t benchmark, const ba_device_code *a,
	const ba_device_code *b)
{
	BA_AUTO_FREE bool *taken = ba_xcalloc(b->kernel_count + 1, sizeof(*taken));
	BA_AUTO_FREE const ba_kernel **partner =
		ba_xcalloc(a->kernel_count + 1, sizeof(*partner));
	for (size_t i = 0; i < a->kernel_count; i++)
		partner[i] = take(b, taken, &a->kernels[i]);
	for (size_t i = 0; i < a->kernel_count; i++)
		push(rows, benchmark, &a->kernels[i],
			partner[i] ? partner[i] : take(b, taken, NULL));
	for (const ba_kernel *k; (k = take(b, taken, NULL)) != NULL;)
		push(rows, benchmark, NULL, k);
}

void ba_code_rows_of(ba_code_rows *out, const ba_result *r, size_t candidate)
{
	for (size_t i = 0; i < r->benchmark_count; i++) {
		const ba_benchmark *b = &r->benchmarks[i];
		if (candidate < b->code_count && b->codes[0].kernel_count &&
			b->codes[candidate].kernel_count)
			add_pairs(out, i, &b->codes[0], &b->codes[candidate]);
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
	return ba_xprintf(
		"%llu", (unsigned long long)k->shared_bytes + k->dynamic_shared_bytes);
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

static const struct {
	const char *heading;
	char *(*text)(const ba_kernel *k);
} columns[BA_CODE_COLUMNS] = {
	{"kernel", name_of},
	{"code", code_of},
	{"registers", registers_of},
	{"shared B", shared_of},
	{"spills B", local_of},
	{"binary", binary_of},
	{"launches", launches_of},
	{"grid", grid_of},
	{"block", block_of},
};

const char *ba_code_heading(size_t column)
{
	return columns[column].heading;
}

char *ba_code_cell(const ba_code_row *row, size_t column, bool unicode)
{
	const char *none = unicode ? "\xe2\x80\x93" : "-";
	BA_AUTO_FREE char *base =
		row->base ? columns[column].text(row->base) : ba_xstrdup(none);
	BA_AUTO_FREE char *mine =
		row->mine ? columns[column].text(row->mine) : ba_xstrdup(none);
	if (strcmp(base, mine) == 0)
		return BA_TAKE(base);
	return ba_xprintf("%s %s %s", base, unicode ? "\xe2\x86\x92" : "->", mine);
}
