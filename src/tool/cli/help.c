#include "cli/help.h"

#include "cli/cmd.h"

/* ---- the pages from pages.txt ---- */

extern const char ba_help_text[];
BA_EMBED(ba_help_text, BA_PAGES_DIR "/pages.txt");

/* Ends the text at the first `mark`; returns the text after the mark, or its end. */
static char *cut(char *text, const char *mark)
{
	char *at = strstr(text, mark);
	if (!at)
		return text + strlen(text);
	*at = '\0';
	return at + strlen(mark);
}

/* heading: "NAME: BRIEF"; body: the usage, an empty line, the summary */
static ba_help_page page_of(char *heading, char *body, const ba_help_section *sections)
{
	return (ba_help_page){.brief = cut(heading, ": "),
		.name = heading,
		.summary = cut(body, "\n\n"),
		.usage = body,
		.sections = sections};
}

/* heading: "TITLE", "TITLE [after]", "TITLE [all]" or "TITLE [after, all]" */
static ba_help_section section_of(char *heading, const char *body)
{
	const char *where = cut(heading, " [");
	return (ba_help_section){.title = heading,
		.text = body,
		.after_options = strstr(where, "after"),
		.only_all = strstr(where, "all")};
}

/* Loaded once, never freed. Each page's empty section ends the list of the one before. */
static ba_help_page *load(void)
{
	char *at = cut(ba_xstrdup(ba_help_text), "\n#");
	size_t headings = 1;
	for (const char *p = at; (p = strstr(p, "\n#")); p++)
		headings++;
	ba_help_page *pages = ba_xcalloc(headings + 1, sizeof(*pages)), *page = pages;
	ba_help_section *sections = ba_xcalloc(headings + 1, sizeof(*sections));
	for (size_t i = 0; i < headings; i++) {
		char *heading = at, *body = cut(heading, "\n");
		at = strstr(body, "\n#");
		if (at) {
			at[1] = '\0';
			at += 2;
		}
		if (*heading == '#')
			sections[i] = section_of(heading + 2, body);
		else
			*page++ = page_of(heading + 1, body, &sections[i + 1]);
	}
	return pages;
}

const ba_help_page *ba_help_pages(void)
{
	static ba_help_page *pages;
	if (!pages)
		pages = load();
	return pages;
}

const ba_help_page *ba_help_page_named(const char *name)
{
	for (const ba_help_page *page = ba_help_pages(); page->name; page++)
		if (strcmp(page->name, name) == 0)
			return page;
	return NULL;
}

/* ---- a page on a screen ---- */

enum { TERM_COLUMN = 30, TERM_COLUMN_NARROW = 8, COMMAND_COLUMN = 24, NARROW = 66 };

typedef struct screen {
	ba_buf *out;
	size_t width;
	bool colour;
	bool brief; /* only the everyday part of the page */
} screen;

static void title(screen *s, const char *text)
{
	ba_buf_printf(
		s->out, "\n%s%s%s\n", s->colour ? "\033[1m" : "", text, s->colour ? "\033[0m" : "");
}

/* "  term      description", which is on the next line if the term is too long */
static void two_columns(screen *s, const char *term, const char *description, size_t column)
{
	size_t used = ba_text_width(term);
	ba_buf_puts(s->out, term);
	if (used + 2 > column) {
		ba_buf_putc(s->out, '\n');
		used = 0;
	}
	ba_buf_pad(s->out, ' ', column - used);
	ba_text_fold(s->out, description, s->width, column, column);
	ba_buf_putc(s->out, '\n');
}

static size_t term_column(const screen *s, size_t longest)
{
	size_t widest = s->width < NARROW ? TERM_COLUMN_NARROW : TERM_COLUMN;
	return longest + 2 < widest ? longest + 2 : widest;
}

/* "  -o, --output <file>" */
static void option_term(ba_buf *out, const ba_opt *row)
{
	BA_AUTO(ba_buf) ba_buf placeholder = BA_BUF_INIT;
	ba_opt_placeholder(&placeholder, row);
	if (row->short_name)
		ba_buf_printf(out, "  -%c, --%s", row->short_name, row->long_name);
	else
		ba_buf_printf(out, "      --%s", row->long_name);
	if (placeholder.len && row->implied)
		ba_buf_printf(out, "[=%s]", placeholder.data);
	else if (placeholder.len)
		ba_buf_printf(out, " %s", placeholder.data);
}

static void options(screen *s, const ba_opt *rows)
{
	size_t column = term_column(s, TERM_COLUMN);
	if (s->brief || (rows->kind != BA_OPT_GROUP && rows->kind != BA_OPT_END))
		title(s, "Options");
	for (const ba_opt *row = rows; row->kind != BA_OPT_END; row++) {
		BA_AUTO(ba_buf) ba_buf term = BA_BUF_INIT;
		if (row->kind == BA_OPT_GROUP && !s->brief)
			title(s, row->help);
		if (row->kind == BA_OPT_GROUP || (s->brief && !row->everyday))
			continue;
		option_term(&term, row);
		/* the short page shows only the first clause */
		const char *sentence = ba_opt_sentence(row);
		size_t length = strcspn(sentence, s->brief ? ";" : "");
		BA_AUTO_FREE char *text = ba_xstrndup(sentence, length);
		two_columns(s, term.data, text, column);
	}
}

static size_t longest_term(const char *text)
{
	size_t longest = 0;
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t length = strcspn(line, "\t\n");
		if (line[length] == '\t' && length > longest)
			longest = length;
	}
	return longest + 2;
}

static void section(screen *s, const char *text)
{
	size_t column = term_column(s, longest_term(text));
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		BA_AUTO_FREE char *copy = ba_xstrndup(line, strcspn(line, "\n"));
		char *tab = strchr(copy, '\t');
		if (tab) {
			*tab = '\0';
			BA_AUTO_FREE char *term = ba_xprintf("  %s", copy);
			two_columns(s, term, tab + 1, column);
		} else if (ba_text_starts(copy, "  ")) {
			ba_buf_printf(s->out, "%s\n", copy);
		} else {
			ba_text_fold(s->out, copy, s->width, 0, 0);
			ba_buf_putc(s->out, '\n');
		}
	}
}

static void sections(screen *s, const ba_help_page *page, bool after_options)
{
	const ba_help_section *row = page->sections;
	for (; row && row->title; row++) {
		if (row->after_options != after_options || (s->brief && row->only_all))
			continue;
		title(s, row->title);
		section(s, row->text);
	}
}

static void usage(screen *s, const char *text)
{
	const char *lead = "usage: ";
	while (*text) {
		size_t length = strcspn(text, "\n");
		BA_AUTO_FREE char *line = ba_xstrndup(text, length);
		ba_buf_puts(s->out, lead);
		ba_text_fold(s->out, line, s->width, strlen(lead) + 4, strlen(lead));
		ba_buf_putc(s->out, '\n');
		lead = "   or: ";
		text += length + (text[length] == '\n');
	}
}

/* lists all commands in their groups, with the brief sentence of their pages */
static void commands(screen *s)
{
	static const char *const groups[] = {[BA_COMMAND_EVERYDAY] = "Everyday commands",
		[BA_COMMAND_RESULTS] = "Results",
		[BA_COMMAND_SYSTEM] = "This machine",
		[BA_COMMAND_SCRIPTS] = "For scripts"};
	for (const ba_command *c = ba_commands; c->group != BA_COMMAND_HIDDEN; c++) {
		if (c == ba_commands || c[-1].group != c->group)
			title(s, groups[c->group]);
		BA_AUTO_FREE char *term =
			ba_xprintf("  %s%s%s", c->name, *c->shown ? " " : "", c->shown);
		two_columns(s, term, ba_help_page_named(c->name)->brief,
			term_column(s, COMMAND_COLUMN));
	}
	ba_buf_puts(s->out, "'bench-against COMMAND --help' explains each.\n");
}

/* A command with more options than fit on a screen has --help-all. */
static bool has_short_form(const ba_opt *rows)
{
	for (; rows && rows->kind != BA_OPT_END; rows++)
		if (rows->long_name && strcmp(rows->long_name, "help-all") == 0)
			return true;
	return false;
}

void ba_help_render(
	ba_buf *out, const ba_help_page *page, const ba_opt *rows, const ba_help_style *style)
{
	screen s = {.out = out,
		.width = style->width,
		.colour = style->colour,
		.brief = !style->all && has_short_form(rows)};
	if (s.width < 40)
		s.width = 40;
	if (s.width > 100)
		s.width = 100;
	usage(&s, page->usage);
	ba_buf_putc(out, '\n');
	section(&s, page->summary);
	sections(&s, page, false);
	if (rows)
		options(&s, rows);
	if (!*page->name)
		commands(&s);
	sections(&s, page, true);
}

void ba_help_show(const char *name, const ba_opt *rows, bool all)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_help_render(&text, ba_help_page_named(name), rows,
		&(ba_help_style){.width = ba_terminal_width(STDOUT_FILENO),
			.colour = isatty(STDOUT_FILENO),
			.all = all});
	fputs(text.data, stdout);
}
