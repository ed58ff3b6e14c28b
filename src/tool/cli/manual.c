/* bench-against(1) from the pages of --help, in the macros of man(7). */

#include "ba_build.h"
#include "cli/cmd.h"
#include "cli/help.h"

/* To roff: no line begins with a request, '-' can be copied, nothing escapes its line. */
static void put_text(ba_buf *out, const char *text, size_t n)
{
	static const char *const escapes[256] = {
		['\\'] = "\\e", ['-'] = "\\-", ['\''] = "\\(aq", ['~'] = "\\(ti", ['^'] = "\\(ha"};
	bool start = out->len == 0 || out->data[out->len - 1] == '\n';
	for (size_t i = 0; i < n; i++) {
		char c = text[i];
		if (start && (c == '.' || c == '\''))
			ba_buf_puts(out, "\\&");
		start = c == '\n';
		if (escapes[(unsigned char)c])
			ba_buf_puts(out, escapes[(unsigned char)c]);
		else
			ba_buf_putc(out, c);
	}
}

static void put_line(ba_buf *out, const char *text)
{
	put_text(out, text, strlen(text));
	ba_buf_putc(out, '\n');
}

/* for a command, one level lower: .SS, with its options and sections in bold lines */
static void put_title(ba_buf *out, const char *text, bool top)
{
	if (!top) {
		ba_buf_puts(out, ".PP\n.B ");
		put_line(out, text);
		return;
	}
	ba_buf_puts(out, ".SH ");
	for (; *text; text++)
		ba_buf_putc(out, *text >= 'a' && *text <= 'z' ? (char)(*text - 32) : *text);
	ba_buf_putc(out, '\n');
}

/* "term<TAB>description", "  kept unchanged", or a paragraph; see cli/help.h */
static void put_section_text(ba_buf *out, const char *text)
{
	bool example = false, paragraph = true;
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t length = strcspn(line, "\n"), term = strcspn(line, "\t\n");
		bool kept = length >= 2 && line[0] == ' ' && line[1] == ' ';
		if (kept != example)
			ba_buf_puts(out, kept ? ".PP\n.nf\n" : ".fi\n");
		example = kept;
		if (kept) {
			put_text(out, line + 2, length - 2);
			ba_buf_putc(out, '\n');
		} else if (term < length) {
			ba_buf_puts(out, ".TP\n.B ");
			put_text(out, line, term);
			ba_buf_putc(out, '\n');
			put_text(out, line + term + 1, length - term - 1);
			ba_buf_putc(out, '\n');
			paragraph = true;
		} else if (length) {
			ba_buf_puts(out, paragraph ? ".PP\n" : "");
			put_text(out, line, length);
			ba_buf_putc(out, '\n');
			paragraph = false;
		}
	}
	ba_buf_puts(out, example ? ".fi\n" : "");
}

static void put_option(ba_buf *out, const ba_opt *row)
{
	BA_AUTO(ba_buf) ba_buf placeholder = BA_BUF_INIT, names = BA_BUF_INIT;
	ba_opt_placeholder(&placeholder, row);
	if (row->short_name)
		ba_buf_printf(&names, "-%c, ", row->short_name);
	ba_buf_printf(&names, "--%s", row->long_name);
	ba_buf_puts(out, ".TP\n\\fB");
	put_text(out, names.data, names.len);
	ba_buf_puts(out, "\\fR");
	if (placeholder.len) {
		ba_buf_puts(out, row->implied ? "[=\\fI" : " \\fI");
		put_text(out, placeholder.data, placeholder.len);
		ba_buf_printf(out, "\\fR%s", row->implied ? "]" : "");
	}
	ba_buf_putc(out, '\n');
	put_line(out, ba_opt_sentence(row));
}

static void put_sections(ba_buf *out, const ba_help_page *page, bool after_options, bool top)
{
	for (const ba_help_section *s = page->sections; s && s->title; s++) {
		if (s->after_options != after_options)
			continue;
		put_title(out, s->title, top);
		put_section_text(out, s->text);
	}
}

static void put_options(ba_buf *out, const ba_opt *rows, bool top)
{
	if (top)
		ba_buf_puts(out, ".SH OPTIONS\n");
	for (const ba_opt *row = rows; row->kind != BA_OPT_END; row++) {
		if (row->kind == BA_OPT_GROUP) {
			ba_buf_puts(out, top ? ".SS " : ".PP\n.B ");
			put_line(out, row->help);
		} else {
			put_option(out, row);
		}
	}
}

static void put_command(ba_buf *out, const ba_command *c)
{
	const ba_help_page *page = ba_help_page_named(c->name);
	bool top = c == &ba_command_tool;
	BA_AUTO(ba_options) ba_options o;
	ba_opt rows[BA_OPTION_ROWS_MOST];
	ba_options_init(&o);
	ba_cmd_rows(rows, &o, c);
	ba_buf_puts(out, top ? ".SH SYNOPSIS\n" : ".SS ");
	if (!top)
		put_line(out, page->name);
	ba_buf_puts(out, ".nf\n");
	put_line(out, page->usage);
	ba_buf_puts(out, ".fi\n");
	ba_buf_puts(out, top ? ".SH DESCRIPTION\n" : "");
	put_section_text(out, page->summary);
	put_sections(out, page, false, top);
	put_options(out, rows, top);
	put_sections(out, page, true, top);
}

int ba_cmd_manual(ba_call *call, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text,
		".TH BENCH\\-AGAINST 1 \"\" \"bench\\-against " BA_VERSION "\" \"User Commands\"\n"
		".SH NAME\n"
		"bench\\-against \\- %s\n",
		ba_help_page_named("")->brief);
	put_command(&text, &ba_command_tool);
	ba_buf_puts(&text, ".SH COMMANDS\n");
	for (const ba_command *c = ba_commands; c->group != BA_COMMAND_HIDDEN; c++)
		put_command(&text, c);
	fputs(text.data, stdout);
	return 0;
}
