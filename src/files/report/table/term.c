/* On a terminal: cells are measured in columns, which are dropped and shortened to fit. */
#include "report/table/table.h"

enum {
	/* names become shorter than this only if nothing else can be dropped */
	READABLE = 24,
	NEIGHBOURS = 200, /* the most rows that are compared with each other */
	/* names up to this length stay beside their rows in a stacked table */
	SHORT = 14,
};

/* ---- widths -------------------------------------------------------------- */

typedef struct layout {
	size_t *width; /* of each column */
	/* for shortened cells: how many columns of the beginning are kept */
	size_t *head;
	bool *dropped;
	bool stacked; /* names stand above their rows */
} layout;

/* the first visible column has no gap */
static const char *gap_text(const ba_table *t, const layout *l, size_t column)
{
	bool seen = BA_ANY(l->width, column, w, *w && !l->dropped[w - l->width]);
	return seen ? t->columns[column].gap : "";
}

static size_t gap_of(const ba_table *t, const layout *l, size_t column)
{
	return ba_text_width(gap_text(t, l, column));
}

/* the room for a cell that spans several columns */
static size_t span_width(const ba_table *t, const layout *l, size_t first, size_t span)
{
	size_t width = 0;
	for (size_t c = first; c < first + span; c++) {
		/* a column without text is not shown, and neither is its gap */
		if (l->dropped[c] || !l->width[c])
			continue;
		width += l->width[c] + (c > first ? gap_of(t, l, c) : 0);
	}
	return width;
}

/* is the cell beside the others, rather than on its own line? */
static bool is_beside(const layout *l, const ba_cell *cell)
{
	return cell->put && !(l->stacked && cell->name && ba_text_width(cell->text.data) > SHORT);
}

static void measure(const ba_table *t, layout *l)
{
	size_t n = t->column_count;
	memset(l->width, 0, n * sizeof(*l->width));
	for (size_t i = 0; i < t->cell_count; i++) {
		size_t c = i % n;
		if (!is_beside(l, &t->cells[i]) || t->cells[i].span != 1)
			continue;
		size_t width = ba_text_width(t->cells[i].text.data);
		if (width > l->width[c])
			l->width[c] = width;
	}
	for (size_t i = 0; i < t->cell_count; i++) {
		size_t c = i % n;
		if (!t->cells[i].put || t->cells[i].span < 2)
			continue;
		size_t has = span_width(t, l, c, t->cells[i].span);
		size_t needs = ba_text_width(t->cells[i].text.data);
		if (needs > has)
			l->width[c] += needs - has;
	}
}

static size_t total(const ba_table *t, const layout *l)
{
	size_t width = 0;
	for (size_t c = 0; c < t->column_count; c++)
		if (!l->dropped[c] && l->width[c])
			width += l->width[c] + gap_of(t, l, c);
	return width;
}

/* the next column to drop; column_count if none can be dropped */
static size_t next_to_drop(const ba_table *t, const layout *l)
{
	size_t best = t->column_count;
	for (size_t c = 0; c < t->column_count; c++) {
		if (l->dropped[c] || !t->columns[c].drop)
			continue;
		if (best == t->column_count || t->columns[c].drop > t->columns[best].drop)
			best = c;
	}
	return best;
}

static void shrink_one(const ba_table *t, layout *l, size_t c, size_t limit)
{
	size_t least = t->columns[c].shrink_to;
	size_t now = total(t, l);
	if (!least || now <= limit || l->width[c] <= least)
		return;
	size_t excess = now - limit;
	size_t spare = l->width[c] - least;
	l->width[c] -= excess < spare ? excess : spare;
	l->head[c] = (l->width[c] - 2) / 2;
}

/* Shorten sentences first, then names. */
static void shrink(const ba_table *t, layout *l, size_t limit)
{
	for (size_t c = 0; c < t->column_count; c++)
		if (t->columns[c].shrink_end)
			shrink_one(t, l, c, limit);
	for (size_t c = 0; c < t->column_count; c++)
		if (!t->columns[c].shrink_end)
			shrink_one(t, l, c, limit);
}

/* a cell, and how much of its beginning and end is shown */
typedef struct shortened {
	const char *text;
	size_t length, head, tail;
} shortened;

static shortened shorten_cell(const char *text, const layout *l, size_t c, bool unicode)
{
	shortened s = {.text = text, .length = strlen(text)};
	BA_AUTO_FREE char *shown = ba_text_shorten_at(text, l->width[c], l->head[c], unicode);
	size_t length = strlen(shown);
	while (s.head < length && shown[s.head] == text[s.head])
		s.head++;
	while (s.head + s.tail < length &&
		shown[length - 1 - s.tail] == text[s.length - 1 - s.tail])
		s.tail++;
	return s;
}

/* Could a reader take the visible part of `a` for `b`? */
static bool is_taken_for(const shortened *a, const shortened *b)
{
	return a->head < a->length && b->length >= a->head + a->tail &&
	       strncmp(a->text, b->text, a->head) == 0 &&
	       strcmp(a->text + a->length - a->tail, b->text + b->length - a->tail) == 0 &&
	       strcmp(a->text, b->text) != 0;
}

/* Are all shortened cells of the column different, whatever text the gap replaces? In
 * very long columns only neighbours are compared. */
static bool distinct(const ba_table *t, const layout *l, size_t c, bool unicode)
{
	size_t rows = t->cell_count / t->column_count, n = 0;
	BA_AUTO_FREE shortened *all = ba_xcalloc(rows + 1, sizeof(*all));
	for (size_t i = c; i < t->cell_count; i += t->column_count)
		if (is_beside(l, &t->cells[i]) && t->cells[i].span == 1)
			all[n++] = shorten_cell(t->cells[i].text.data, l, c, unicode);
	for (size_t i = 0; i < n; i++) {
		size_t from = i > NEIGHBOURS ? i - NEIGHBOURS : 0;
		for (size_t k = from; k < n && k < i + NEIGHBOURS; k++)
			if (is_taken_for(&all[i], &all[k]))
				return false;
	}
	return true;
}

/* Are shortened names still readable, with the gap at a position where they differ? */
static bool place_gaps(const ba_table *t, layout *l, const size_t *natural, bool unicode)
{
	static const unsigned per_cent[] = {50, 70, 30, 85, 15};
	bool good = true;
	for (size_t c = 0; c < t->column_count; c++) {
		if (l->width[c] == natural[c] || t->columns[c].shrink_end)
			continue;
		bool told = false;
		for (size_t i = 0; !told && i < 5; i++) {
			l->head[c] = (l->width[c] - 2) * per_cent[i] / 100;
			told = distinct(t, l, c, unicode);
		}
		if (!told)
			l->head[c] = (l->width[c] - 2) / 2;
		good = good && told && l->width[c] >= READABLE;
	}
	return good;
}

static void drop_like(const ba_table *t, layout *l, size_t column)
{
	for (size_t c = 0; c < t->column_count; c++)
		if (t->columns[c].drop == t->columns[column].drop)
			l->dropped[c] = true;
}

/* Would names benefit from lines of their own? */
static bool has_long_names(const ba_table *t)
{
	for (size_t i = 0; i < t->cell_count; i += t->column_count)
		if (t->cells[i].name && ba_text_width(t->cells[i].text.data) > READABLE)
			return true;
	return false;
}

/* Can the table have this width without dropping another column? */
static bool fits(const ba_table *t, layout *l, size_t limit, bool unicode)
{
	size_t n = t->column_count;
	BA_AUTO_FREE size_t *natural = ba_xcalloc(n, sizeof(*natural));
	measure(t, l);
	memcpy(natural, l->width, n * sizeof(*natural));
	shrink(t, l, limit);
	return place_gaps(t, l, natural, unicode) && total(t, l) <= limit;
}

static void fit(const ba_table *t, layout *l, size_t limit, bool unicode)
{
	size_t n = t->column_count;
	bool may_stack = t->stack_before && has_long_names(t);
	while (!fits(t, l, limit, unicode)) {
		size_t c = next_to_drop(t, l);
		if (may_stack && (c == n || t->columns[c].drop <= t->stack_before)) {
			l->stacked = true;
			may_stack = false;
			memset(l->dropped, 0, n * sizeof(*l->dropped));
			continue;
		}
		if (c == n)
			return;
		drop_like(t, l, c);
	}
}

/* Makes the cells safe for a terminal, and fits the columns. */
static layout layout_of(ba_table *t, const ba_format_options *o)
{
	layout l = {
		.width = ba_xcalloc(t->column_count, sizeof(size_t)),
		.head = ba_xcalloc(t->column_count, sizeof(size_t)),
		.dropped = ba_xcalloc(t->column_count, sizeof(bool)),
	};
	for (size_t i = 0; i < t->cell_count; i++) {
		BA_AUTO_FREE char *safe = ba_text_safe(t->cells[i].text.data);
		ba_buf_clear(&t->cells[i].text);
		ba_buf_puts(&t->cells[i].text, safe);
	}
	fit(t, &l, ba_format_width(o), o->unicode);
	return l;
}

BA_OWNS_HERE(layout, l, BA_FREE(l->width, l->head, l->dropped))

bool ba_table_shows(ba_table *t, size_t column, const ba_format_options *o)
{
	BA_AUTO(layout) layout l = layout_of(t, o);
	return !l.dropped[column] && l.width[column];
}

/* ---- drawing ------------------------------------------------------------- */

static void put_cell(ba_buf *out, const ba_table *t, const layout *l, const ba_cell *row, size_t c,
	size_t *pending, const ba_format_options *o)
{
	const ba_cell *cell = &row[c];
	bool shown = cell->span > 1 || (cell->span && !l->dropped[c] && l->width[c]);
	size_t room = shown ? span_width(t, l, c, cell->span) : 0;
	if (!room)
		return;
	if (!is_beside(l, cell) || !cell->text.len) {
		*pending += gap_of(t, l, c) + room;
		return;
	}
	BA_AUTO_FREE char *text =
		t->columns[c].shrink_end
			? ba_text_cut(cell->text.data, room, o->unicode)
			: ba_text_shorten_at(cell->text.data, room, l->head[c], o->unicode);
	size_t pad = room - ba_text_width(text), blanks = 0;
	/* trailing spaces that align numbers are pending, too */
	for (size_t n = strlen(text); n && text[n - 1] == ' '; n--, blanks++)
		text[n - 1] = '\0';
	bool left = t->columns[c + cell->span - 1].left;
	ba_buf_pad(out, ' ', *pending);
	/* a span has the gap of its first column, like a cell of that column */
	ba_buf_puts(out, gap_text(t, l, c));
	*pending = blanks + (left ? pad : 0);
	ba_buf_pad(out, ' ', left ? 0 : pad);
	ba_ink_put(out, o->colour, cell->ink, text);
}

void ba_table_term(ba_buf *out, ba_table *t, const ba_format_options *o)
{
	BA_AUTO(layout) layout l = layout_of(t, o);
	for (size_t i = 0; i < t->cell_count; i += t->column_count) {
		const ba_cell *row = &t->cells[i];
		size_t pending = 0; /* pending spaces, written only if text follows */
		if (row->name && !is_beside(&l, row)) {
			BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT;
			ba_text_break(&name, row->text.data, ba_format_width(o));
			ba_ink_put(out, o->colour, row->ink, name.data);
			ba_buf_putc(out, '\n');
		}
		for (size_t c = 0; c < t->column_count; c++)
			put_cell(out, t, &l, row, c, &pending, o);
		ba_buf_putc(out, '\n');
	}
}
