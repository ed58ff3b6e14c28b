/* The parts of complete.zsh: a specification of _arguments for each option. */
#include "cli/complete.h"

#include <string.h>

/* inside '...' and inside [...] of a specification */
static void put_quoted(ba_buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			ba_buf_puts(out, "'\\''");
		else if (strchr("[]:\\", *text))
			ba_buf_printf(out, "\\%c", *text);
		else
			ba_buf_putc(out, *text);
	}
}

static void put_action(ba_buf *out, const ba_opt *row)
{
	static const char *const actions[] = {[BA_VALUE_NONE] = "",
		[BA_VALUE_FILE] = ":file:_files",
		[BA_VALUE_DIR] = ":directory:_files -/",
		[BA_VALUE_ANY] = ":value: "};
	ba_value_kind kind = ba_value_kind_of(row);
	if (kind == BA_VALUE_WORD)
		ba_complete_words(out, row->implied ? "::word:(" : ":word:(", row, ")");
	else
		ba_buf_puts(out, actions[kind]);
}

static void put_form(ba_buf *out, const ba_opt *row)
{
	ba_buf_putc(out, '[');
	put_quoted(out, ba_opt_sentence(row));
	ba_buf_putc(out, ']');
	put_action(out, row);
	ba_buf_putc(out, '\'');
}

static void put_option(ba_buf *out, const ba_opt *row)
{
	bool value = ba_value_kind_of(row) != BA_VALUE_NONE;
	/* a list may be given again; of the others one is enough */
	const char *again = row->kind == BA_OPT_LIST ? "*" : "";
	/* the two forms exclude each other; "=-" is "only with '='" */
	const char *equals = !value ? "" : row->implied ? "=-" : "=";
	ba_buf_printf(out, " \\\n\t\t'%s--%s%s", again, row->long_name, equals);
	put_form(out, row);
	if (!row->short_name)
		return;
	ba_buf_printf(out, " \\\n\t\t'%s-%c%s", again, row->short_name, value ? "+" : "");
	put_form(out, row);
}

static void put_chapter(void *data, const ba_chapter *chapter)
{
	static const char *const operands[] = {
		[BA_OPERANDS_NONE] = "",
		[BA_OPERANDS_VARIANTS] = "'*:variant:_bench_against_variants'",
		[BA_OPERANDS_FILES] = "'*:file:_files'",
		[BA_OPERANDS_DIRS] = "'*:directory:_files -/'",
	};
	ba_buf *out = data;
	const ba_command *c = chapter->command;
	ba_buf_printf(out, "\t'%s') _arguments -S", c ? c->name : "");
	for (const ba_opt *row = chapter->rows; row->kind != BA_OPT_END; row++)
		if (row->kind != BA_OPT_GROUP)
			put_option(out, row);
	if (!c)
		ba_buf_puts(out,
			" \\\n\t\t'1:command or variant:_bench_against_first' \\\n\t\t'*:variant:_bench_against_variants'");
	else if (c->operands == BA_OPERANDS_WORDS)
		ba_buf_printf(out, " \\\n\t\t'*:word:(%s)'", c->words);
	else if (*operands[c->operands])
		ba_buf_printf(out, " \\\n\t\t%s", operands[c->operands]);
	ba_buf_puts(out, "\n\t\t;;\n");
}

static void put_command(void *data, const ba_chapter *chapter)
{
	if (!chapter->command)
		return;
	ba_buf_printf(data, "\t\t'%s:", chapter->command->name);
	put_quoted(data, chapter->page->brief);
	ba_buf_puts(data, "'\n");
}

const ba_shell ba_shell_zsh = {
	"zsh", ba_complete_zsh, {{"commands", put_command}, {"chapters", put_chapter}}};
