#include "report/code.h"

#include "model/code.h"

/* in a line */
#define CLASSES_SHORT 2u
#define COUNTERS_SHORT 1u

_Static_assert(BA_CODE_DETAILS_MOST >= (int)BA_CLASS_COUNT && BA_CODE_DETAILS_MOST >= BA_COUNTERS,
	"all rows fit");

static double apart(const ba_code_detail *d)
{
	return fabs(d->mine - d->base);
}

BA_DEFINE_ORDER(by_difference, ba_code_detail, BA_ORDER(apart(b), apart(a)))

/* 1 is added to both sides, so that changes far below one event, cycle or per cent are
 * small and changes from zero to many are large. */
static double relative(const ba_code_detail *d)
{
	return fabs(log((fabs(d->mine) + 1) / (fabs(d->base) + 1)));
}

BA_DEFINE_ORDER(by_change, ba_code_detail, BA_ORDER(relative(b), relative(a)))

static bool both_listed(const ba_code_row *row)
{
	return row->base && row->mine && row->base->listed && row->mine->listed;
}

void ba_code_classes(ba_code_details *out, const ba_code_row *row)
{
	out->count = 0;
	for (int c = 0; both_listed(row) && c < BA_CLASS_COUNT; c++)
		if (row->base->classes[c] || row->mine->classes[c])
			out->items[out->count++] =
				(ba_code_detail){.title = ba_class_title((ba_instruction_class)c),
					.unit = "",
					.is_count = true,
					.base = (double)row->base->classes[c],
					.mine = (double)row->mine->classes[c]};
	qsort(out->items, out->count, sizeof(*out->items), by_difference);
}

void ba_code_counters(ba_code_details *out, const ba_code_row *row)
{
	out->count = 0;
	for (size_t i = 0; row->base && row->mine && i < BA_COUNTERS; i++) {
		const ba_counter_info *info = &ba_counter_infos[i];
		const ba_code_detail d = {.title = info->title,
			.unit = info->unit,
			.base = ba_kernel_counter(row->base, info->name),
			.mine = ba_kernel_counter(row->mine, info->name)};
		if (isfinite(d.base) && isfinite(d.mine))
			out->items[out->count++] = d;
	}
	qsort(out->items, out->count, sizeof(*out->items), by_change);
}

static void put_value(ba_buf *out, const ba_code_detail *d, bool candidate)
{
	double value = candidate ? d->mine : d->base;
	ba_buf_printf(out, fabs(value) >= 1000 ? "%.0f" : "%.4g", value);
	if (*d->unit)
		ba_buf_printf(out, " %s", d->unit);
}

static void put_change(ba_buf *out, const ba_code_detail *d)
{
	if (d->base == d->mine)
		return;
	if (d->base > 0 && d->mine > 0 && !d->is_count)
		ba_percent_put(out, d->mine / d->base, 1);
	else if (d->is_count)
		ba_number_put(out, d->mine - d->base, 0, true);
	else
		ba_buf_printf(out, "%+.3g", d->mine - d->base);
}

void ba_code_details_table(ba_table *t, const ba_code_details *all, const char *title)
{
	const ba_column columns[] = {
		{title, .left = true, .row_head = true}, {"baseline"}, {"candidate"}, {"change"}};
	ba_table_columns(t, columns, BA_COUNT(columns));
	ba_table_heads(t);
	BA_EACH (const ba_code_detail, d, all->items, all->count) {
		ba_table_row(t);
		ba_table_put(t, 0, BA_INK_PLAIN, d->title);
		put_value(ba_table_cell(t, 1, BA_INK_PLAIN), d, false);
		put_value(ba_table_cell(t, 2, BA_INK_PLAIN), d, true);
		put_change(ba_table_cell(t, 3, BA_INK_PLAIN), d);
	}
}

void ba_code_put_blocks(ba_buf *out, const ba_code_row *row)
{
	if (row->mine && row->mine->blocks)
		ba_blocks_put(out, row->mine->blocks);
}

void ba_blocks_put(ba_buf *out, const ba_block_changes *b)
{
	if (b->number == 0) {
		ba_buf_printf(out,
			"all %u basic blocks have the same instructions; registers, encoding or constants of the module differ",
			b->baseline);
		return;
	}
	ba_buf_printf(out,
		"%u of %u basic blocks are the same, and the candidate has %u; the first that differs is block %u",
		b->same, b->baseline, b->candidate, b->number);
	if (b->label)
		ba_buf_printf(out, " (%s)", b->label);
	if (b->file)
		ba_buf_printf(out, ", %s:%u", b->file, b->line);
}

void ba_code_put_missing(ba_buf *out, const ba_code_row *row)
{
	if (!row->base || !row->mine || both_listed(row) ||
		strcmp(row->base->sha256, row->mine->sha256) == 0)
		return;
	if (row->base->code_bytes && row->mine->code_bytes && row->base->binary_version >= 70 &&
		row->mine->binary_version >= 70)
		ba_buf_printf(out, "at most %llu instructions, in the candidate %llu",
			(unsigned long long)row->base->code_bytes / 16,
			(unsigned long long)row->mine->code_bytes / 16);
	if (row->listing_reason)
		ba_buf_printf(out, "%s%s", out->len ? ": " : "", row->listing_reason);
}

static void put_rows(ba_buf *out, const ba_code_details *all, size_t most, bool unicode)
{
	size_t shown = 0;
	for (size_t i = 0; i < all->count && shown < most; i++) {
		const ba_code_detail *d = &all->items[i];
		if (d->base == d->mine)
			continue;
		ba_buf_printf(out, "%s %s ", shown++ ? "," : "", d->title);
		if (!d->is_count) {
			put_change(out, d);
			continue;
		}
		put_value(out, d, false);
		ba_buf_puts(out, unicode ? " \xe2\x86\x92 " : " -> ");
		put_value(out, d, true);
	}
}

void ba_code_put_short(ba_buf *out, const ba_code_row *row, bool unicode)
{
	ba_code_details classes, counters;
	ba_code_classes(&classes, row);
	ba_code_counters(&counters, row);
	if (classes.count) {
		ba_buf_printf(out, "; instructions in the code %llu %s %llu:",
			(unsigned long long)ba_kernel_instructions(row->base),
			unicode ? "\xe2\x86\x92" : "->",
			(unsigned long long)ba_kernel_instructions(row->mine));
		size_t before = out->len;
		put_rows(out, &classes, CLASSES_SHORT, unicode);
		if (out->len == before)
			ba_buf_puts(out, " as many of each class");
	}
	if (counters.count && relative(&counters.items[0]) > 0) {
		ba_buf_puts(out, "; under ncu:");
		put_rows(out, &counters, COUNTERS_SHORT, unicode);
	}
}
