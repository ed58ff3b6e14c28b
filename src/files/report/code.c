#include "report/code.h"

#include "model/occupancy.h"

BA_OWNS(ba_code_rows, rows, free(rows->items))

/* ---- pairs ---- */

static bool is_same_shape(const ba_kernel *a, const ba_kernel *b)
{
	return a->grid_x == b->grid_x && a->grid_y == b->grid_y && a->grid_z == b->grid_z &&
	       a->block_x == b->block_x && a->block_y == b->block_y && a->block_z == b->block_z &&
	       a->dynamic_shared_bytes == b->dynamic_shared_bytes && a->launches == b->launches;
}

/* Appends `row` with these kernels, if they differ. */
static void push(ba_code_rows *rows, ba_code_row row, const ba_kernel *base, const ba_kernel *mine)
{
	row.base = base;
	row.mine = mine;
	if (base && mine && strcmp(base->sha256, mine->sha256) == 0 && is_same_shape(base, mine))
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

/* [benchmark_count] the benchmarks with a changed time on the GPU's clock; caller frees */
static bool *find_changed(const ba_result *r, size_t candidate)
{
	bool *changed = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*changed));
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
	for (size_t i = 0; i < r->run.benchmark_count; i++) {
		const ba_benchmark *b = &r->run.benchmarks[i];
		if (candidate >= b->code_count || !b->codes[0].kernel_count ||
			!b->codes[candidate].kernel_count)
			continue;
		const ba_device_code *a = &b->codes[0], *c = &b->codes[candidate];
		const ba_code_row row = {.benchmark = i,
			.candidate = candidate,
			.listing_reason = c->listing_reason ? c->listing_reason : a->listing_reason,
			.counters_reason =
				c->counters_reason ? c->counters_reason : a->counters_reason,
			.capability = r->run.env.compute_capability,
			.changed = changed[i]};
		add_pairs(out, row, a, c);
	}
}

/* ---- cells ---- */

typedef enum figure {
	NAME,
	CODE,
	REGISTERS,
	SHARED,
	LOCAL,
	SIZE,
	OCCUPANCY,
	BINARY,
	LAUNCHES,
	GRID,
	BLOCK,
	LIMIT,
	CONSTANT,
	MOST_THREADS,
} figure;

static const struct {
	const char *heading;
	const char *word, *unit; /* names in a sentence; NULL: not used in sentences */
	unsigned drop; /* on a terminal (ba_column); the kernel's name is shortened before */
} columns[BA_CODE_FIGURES] = {
	[NAME] = {"kernel", NULL, NULL, 0},
	[CODE] = {"code", NULL, NULL, 11},
	[REGISTERS] = {"registers", "registers", "", 0},
	[SHARED] = {"shared B", "shared memory", " B", 4},
	[LOCAL] = {"spills B", "spills", " B", 3},
	[SIZE] = {"size B", "code", " B", 2},
	[OCCUPANCY] = {"occupancy", "occupancy", "", 1},
	[BINARY] = {"binary", "binary", "", 7},
	[LAUNCHES] = {"launches", "launches", "", 10},
	[GRID] = {"grid", "grid", "", 8},
	[BLOCK] = {"block", "block", "", 9},
	[LIMIT] = {"limited by", NULL, NULL, 0},
	[CONSTANT] = {"constant B", NULL, NULL, 0},
	[MOST_THREADS] = {"most threads", NULL, NULL, 0},
};

static void put_shape(ba_buf *out, unsigned x, unsigned y, unsigned z)
{
	ba_buf_printf(out, "%u", x);
	if (y > 1 || z > 1)
		ba_buf_printf(out, "x%u", y);
	if (z > 1)
		ba_buf_printf(out, "x%u", z);
}

static void put_figure(ba_buf *out, const ba_kernel *k, const char *capability, figure f)
{
	ba_occupancy o;
	const unsigned plain[BA_CODE_FIGURES] = {[REGISTERS] = k->registers,
		[LOCAL] = k->local_bytes,
		[CONSTANT] = k->constant_bytes,
		[MOST_THREADS] = k->max_threads};
	if (f == NAME)
		ba_buf_puts(out, k->name ? k->name : "");
	else if (f == CODE)
		ba_buf_printf(out, "%.8s", k->sha256);
	else if (f == SHARED)
		ba_buf_printf(out, "%" PRIu64, (uint64_t)k->shared_bytes + k->dynamic_shared_bytes);
	else if (f == SIZE && k->code_bytes)
		ba_buf_printf(out, "%" PRIu64, k->code_bytes);
	else if (f == BINARY)
		ba_buf_printf(out, "%u.%u", k->binary_version / 10, k->binary_version % 10);
	else if (f == LAUNCHES)
		ba_buf_printf(out, "%" PRIu64, k->launches);
	else if (f == GRID)
		put_shape(out, k->grid_x, k->grid_y, k->grid_z);
	else if (f == BLOCK)
		put_shape(out, k->block_x, k->block_y, k->block_z);
	else if (f == OCCUPANCY && ba_occupancy_of(&o, k, capability))
		ba_percent_plain(out, (double)o.warps / o.warps_most);
	else if (f == LIMIT && ba_occupancy_of(&o, k, capability))
		ba_buf_puts(out, o.limit);
	else if (f != SIZE && f != OCCUPANCY && f != LIMIT)
		ba_buf_printf(out, "%u", plain[f]);
}

const char *ba_code_heading(size_t column)
{
	return columns[column].heading;
}

void ba_code_put_figure(ba_buf *out, const ba_code_row *row, size_t column, bool candidate)
{
	const ba_kernel *k = candidate ? row->mine : row->base;
	if (k)
		put_figure(out, k, row->capability, (figure)column);
}

void ba_code_put_cell(ba_buf *out, const ba_code_row *row, size_t column, bool unicode)
{
	const char *none = unicode ? "\xe2\x80\x93" : "-";
	BA_AUTO(ba_buf) ba_buf base = BA_BUF_INIT, mine = BA_BUF_INIT;
	ba_code_put_figure(&base, row, column, false);
	ba_code_put_figure(&mine, row, column, true);
	ba_buf_puts(out, base.len ? base.data : none);
	if (strcmp(base.data, mine.data) != 0)
		ba_buf_printf(out, " %s %s", unicode ? "\xe2\x86\x92" : "->",
			mine.len ? mine.data : none);
}

void ba_code_table(ba_table *t, const ba_result *r, const ba_code_rows *rows, size_t most,
	const ba_format_options *term)
{
	ba_table_column(t, (ba_column){.head = term ? NULL : "benchmark",
				   .holds = BA_HOLDS_NAME,
				   .left = true,
				   .row_head = true,
				   .shrink_to = 12});
	for (size_t c = 0; c < BA_CODE_COLUMNS; c++)
		ba_table_column(
			t, (ba_column){columns[c].heading, BA_HOLDS_CODE, .left = c == NAME,
				   .drop = columns[c].drop, .shrink_to = c == NAME ? 12 : 0});
	if (term)
		ba_table_heads(t);
	for (size_t i = 0; i < rows->count && i < most; i++) {
		const ba_code_row *row = &rows->items[i];
		bool repeated = i > 0 && rows->items[i - 1].benchmark == row->benchmark;
		ba_table_row(t);
		if (!term || !repeated)
			ba_table_put(t, 0, BA_INK_PLAIN, r->run.benchmarks[row->benchmark].id);
		for (size_t c = 0; c < BA_CODE_COLUMNS; c++)
			ba_code_put_cell(ba_table_cell(t, c + 1, BA_INK_PLAIN), row, c,
				!term || term->unicode);
	}
}

/* ---- a sentence ---- */

/* Are the values of both sides known and different? */
static bool is_told(const ba_code_row *row, size_t column)
{
	BA_AUTO(ba_buf) ba_buf base = BA_BUF_INIT, mine = BA_BUF_INIT;
	ba_code_put_figure(&base, row, column, false);
	ba_code_put_figure(&mine, row, column, true);
	return columns[column].word && base.len && mine.len && strcmp(base.data, mine.data) != 0;
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
		ba_buf_printf(out, "%s%s ", out->len > before ? ", " : "", columns[c].word);
		ba_code_put_cell(out, row, c, unicode);
		ba_buf_puts(out, columns[c].unit);
	}
	if (out->len == before)
		ba_buf_puts(out,
			"other instructions, in code with the same registers, memory and size");
}
