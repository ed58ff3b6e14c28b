/* The part of complete.fish that has a `complete` for each option. */
#include "cli/complete.h"

static void put_quoted(ba_buf *out, const char *text)
{
	ba_buf_putc(out, '\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			ba_buf_putc(out, '\\');
		ba_buf_putc(out, *text);
	}
	ba_buf_putc(out, '\'');
}

/* where the lines of a command hold; NULL is the tool itself */
static void put_start(ba_buf *out, const ba_command *c)
{
	ba_buf_puts(out, "complete -c bench-against -n ");
	if (c)
		ba_buf_printf(out, "'__bench_against_is %s'", c->name);
	else
		ba_buf_puts(out, "'not __bench_against_is $__bench_against_commands'");
}

static void put_option(ba_buf *out, const ba_command *c, const ba_opt *row)
{
	static const char *const values[] = {[BA_VALUE_NONE] = "",
		[BA_VALUE_FILE] = " -r -F",
		[BA_VALUE_DIR] = " -x -a '(__fish_complete_directories)'",
		[BA_VALUE_ANY] = " -x"};
	put_start(out, c);
	ba_buf_printf(out, " -l %s", row->long_name);
	if (row->short_name)
		ba_buf_printf(out, " -s %c", row->short_name);
	ba_value_kind kind = ba_value_kind_of(row);
	/* what may stand alone requires no value */
	if (kind == BA_VALUE_WORD)
		ba_complete_words(out, row->implied ? " -f -a '" : " -x -a '", row, "'");
	else
		ba_buf_puts(out, values[kind]);
	ba_buf_puts(out, " -d ");
	put_quoted(out, ba_opt_sentence(row));
	ba_buf_putc(out, '\n');
}

static void put_operands(ba_buf *out, const ba_command *c)
{
	static const char *const operands[] = {
		[BA_OPERANDS_VARIANTS] = " -a '(__bench_against_variants)'",
		[BA_OPERANDS_FILES] = " -F",
		[BA_OPERANDS_DIRS] = " -a '(__fish_complete_directories)'",
		[BA_OPERANDS_WORDS] = " -a '",
	};
	ba_operands kind = c ? c->operands : BA_OPERANDS_VARIANTS;
	if (kind == BA_OPERANDS_NONE)
		return;
	put_start(out, c);
	ba_buf_puts(out, operands[kind]);
	if (kind == BA_OPERANDS_WORDS)
		ba_buf_printf(out, "%s'", c->words);
	ba_buf_putc(out, '\n');
}

static void put_chapter(void *data, const ba_chapter *chapter)
{
	const ba_command *c = chapter->command;
	if (c) {
		ba_buf_printf(data, "complete -c bench-against -n __fish_is_first_arg -a %s -d ",
			c->name);
		put_quoted(data, chapter->page->brief);
		ba_buf_putc(data, '\n');
	}
	put_operands(data, c);
	for (const ba_opt *row = chapter->rows; row->kind != BA_OPT_END; row++)
		if (row->kind != BA_OPT_GROUP)
			put_option(data, c, row);
}

const ba_shell ba_shell_fish = {"fish", ba_complete_fish, {{"chapters", put_chapter}}};
