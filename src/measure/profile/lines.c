/*
 * The source lines of a function whose counts differ. An edit moves the lines below it,
 * so lines are matched by their text where both trees have the source, else by their
 * distance from the function's first line.
 */

#include "profile/walk.h"

#define SOURCE_MOST ((size_t)4 << 20)
#define LINES_MOST 1000u /* limit for one function and file */

typedef struct line_count {
	char *file;	  /* the path in reports */
	const char *path; /* the path in the debug information */
	unsigned line;
	uint64_t count;
	unsigned match; /* the other side's line; 0: none */
} line_count;

typedef struct lines {
	line_count *items; /* [count] sorted by file and line */
	size_t count, room;
	unsigned first; /* of the function */
} lines;

BA_OWNS_HERE(lines, l, BA_FREE_EACH(x, l->items, l->count, free(x->file)))

BA_DEFINE_ORDER(by_line, line_count, strcmp(a->file, b->file) ?: BA_ORDER(a->line, b->line))

static void add_line(lines *l, ba_walk *walk, uint64_t address, uint64_t count)
{
	const char *path;
	unsigned line;
	if (!ba_walk_line(walk, address, &path, &line))
		return;
	for (size_t i = 0; i < l->count; i++)
		if (l->items[i].line == line && strcmp(l->items[i].path, path) == 0) {
			l->items[i].count += count;
			return;
		}
	*BA_PUSH(l->items, l->count, l->room) =
		(line_count){ba_walk_source(walk, path), path, line, count, 0};
}

static lines lines_of(ba_walks *w, int side, uint32_t function)
{
	ba_walk *walk = &w->side[side];
	const ba_function *f = &w->functions[function];
	lines l = {0};
	size_t n = 0;
	int64_t *all = ba_xcalloc((size_t)f->counts[side] + 1, sizeof(*all));
	for (size_t i = 0; i < walk->count && n < f->counts[side]; i++)
		if (walk->functions[i] == function)
			all[n++] = (int64_t)walk->addresses[i];
	ba_sort_int64(all, n);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && all[end] == all[i];)
			end++;
		add_line(&l, walk, (uint64_t)all[i], end - i);
	}
	free(all);
	BA_SORT(l.items, l.count, by_line);
	const char *path;
	if (f->elf[side])
		ba_elf_definition(f->elf[side], f->start[side], &path, &l.first);
	return l;
}

/* ---- which line is which ---- */

typedef struct source {
	ba_buf text;
	unsigned first, last; /* lines in question */
	const char **lines;   /* [last - first + 1] */
} source;

BA_OWNS_HERE(source, s, ba_buf_dispose(&s->text), free(s->lines))

/* lines [first, last] of a file, each ended by a NUL */
static bool read_source(source *s, const line_count *from, size_t n)
{
	*s = (source){.text = BA_BUF_INIT, .first = from[0].line, .last = from[n - 1].line};
	if (s->last - s->first >= LINES_MOST ||
		ba_fs_read(&s->text, from[0].path, SOURCE_MOST, NULL))
		return false;
	s->lines = ba_xcalloc(s->last - s->first + 1, sizeof(*s->lines));
	char *at = s->text.data;
	for (unsigned line = 1; line <= s->last; line++) {
		char *end = at ? strchr(at, '\n') : NULL;
		if (end)
			*end = '\0';
		if (line >= s->first)
			s->lines[line - s->first] = at ? at : "";
		at = end ? end + 1 : NULL;
	}
	return true;
}

/* The longest common subsequence of both; lines between two common ones are paired in
 * their order. match[i]: the candidate's line of the baseline's line i, 0: none */
static void match_texts(unsigned *match, const source *b, const source *c)
{
	size_t n = b->last - b->first + 1, m = c->last - c->first + 1;
	uint16_t *common = ba_xcalloc((n + 1) * (m + 1), sizeof(*common));
#define COMMON(i, k) common[(i) * (m + 1) + (k)]
	for (size_t i = n; i-- > 0;)
		for (size_t k = m; k-- > 0;) {
			uint16_t down = COMMON(i + 1, k), right = COMMON(i, k + 1);
			COMMON(i, k) = strcmp(b->lines[i], c->lines[k]) == 0
					       ? (uint16_t)(COMMON(i + 1, k + 1) + 1)
					       : (down > right ? down : right);
		}
	size_t i = 0, k = 0;
	while (i < n && k < m) {
		if (strcmp(b->lines[i], c->lines[k]) == 0)
			match[i++] = c->first + (unsigned)k++;
		else if (COMMON(i + 1, k + 1) == COMMON(i, k))
			match[i++] = c->first + (unsigned)k++; /* edited */
		else if (COMMON(i + 1, k) >= COMMON(i, k + 1))
			i++;
		else
			k++;
	}
#undef COMMON
	free(common);
}

static void match_file(
	line_count *b, size_t n, unsigned first_b, const line_count *c, size_t m, unsigned first_c)
{
	BA_AUTO(source) source old = {0}, new = {0};
	bool texts = read_source(&old, b, n);
	texts = read_source(&new, c, m) && texts;
	BA_AUTO_FREE unsigned *match = NULL;
	if (texts) {
		match = ba_xcalloc(old.last - old.first + 1, sizeof(*match));
		match_texts(match, &old, &new);
	}
	for (size_t i = 0; i < n; i++)
		b[i].match = texts ? match[b[i].line - old.first] : b[i].line - first_b + first_c;
}

static size_t file_end(const lines *l, size_t at)
{
	size_t end = at;
	while (end < l->count && strcmp(l->items[end].file, l->items[at].file) == 0)
		end++;
	return end;
}

static void match_lines(lines *b, lines *c)
{
	for (size_t i = 0, i_end; i < b->count; i = i_end) {
		i_end = file_end(b, i);
		for (size_t k = 0, k_end; k < c->count; k = k_end) {
			k_end = file_end(c, k);
			if (strcmp(b->items[i].file, c->items[k].file) == 0)
				match_file(b->items + i, i_end - i, b->first, c->items + k,
					k_end - k, c->first);
		}
	}
}

/* ---- rows ---- */

static uint64_t apart(const ba_explained_line *l)
{
	return l->baseline > l->candidate ? l->baseline - l->candidate : l->candidate - l->baseline;
}

BA_DEFINE_ORDER(by_difference, ba_explained_line,
	BA_ORDER(apart(b), apart(a))
		?: strcmp(a->file, b->file) ?: BA_ORDER(a->line, b->line))

static uint64_t take_matching(lines *b, const line_count *c)
{
	uint64_t count = 0;
	for (size_t i = 0; i < b->count; i++) {
		if (b->items[i].match != c->line || strcmp(b->items[i].file, c->file) != 0)
			continue;
		count += b->items[i].count;
		b->items[i].count = 0;
	}
	return count;
}

void ba_walks_put_lines(ba_walks *w, uint32_t gone, uint32_t number, ba_explained_function *f)
{
	BA_AUTO(lines) lines b = lines_of(w, BA_SIDE_BASELINE, gone);
	BA_AUTO(lines) lines c = lines_of(w, BA_SIDE_CANDIDATE, number);
	size_t n = 0, kept = 0;
	ba_explained_line *all = ba_xcalloc(b.count + c.count + 1, sizeof(*all));
	match_lines(&b, &c);
	for (size_t i = 0; i < c.count; i++)
		all[n++] = (ba_explained_line){c.items[i].file, c.items[i].line, false,
			take_matching(&b, &c.items[i]), c.items[i].count};
	for (size_t i = 0; i < b.count; i++)
		if (b.items[i].count)
			all[n++] = (ba_explained_line){
				b.items[i].file, b.items[i].line, true, b.items[i].count, 0};
	BA_SORT(all, n, by_difference);
	while (kept < n && kept < BA_EXPLAINED_LINES && apart(&all[kept])) {
		all[kept].file = ba_xstrdup(all[kept].file);
		kept++;
	}
	f->lines = all;
	f->line_count = kept;
}
