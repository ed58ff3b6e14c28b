/* The script for fish: a `complete` for each option. */
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
	put_start(out, c);
	ba_buf_printf(out, " -l %s", row->long_name);
	if (row->short_name)
		ba_buf_printf(out, " -s %c", row->short_name);
	switch (ba_value_kind_of(row)) {
	case BA_VALUE_NONE:
		break;
	case BA_VALUE_FILE:
		ba_buf_puts(out, " -r -F");
		break;
	case BA_VALUE_DIR:
		ba_buf_puts(out, " -x -a '(__fish_complete_directories)'");
		break;
	case BA_VALUE_ANY:
		ba_buf_puts(out, " -x");
		break;
	case BA_VALUE_WORD:
		/* what may stand alone requires no value */
		ba_buf_printf(out, " %s -a '", row->implied ? "-f" : "-x");
		for (size_t i = 0; row->words[i]; i++)
			ba_buf_printf(out, "%s%s", i ? " " : "", row->words[i]);
		ba_buf_putc(out, '\'');
		break;
	}
	ba_buf_puts(out, " -d ");
	put_quoted(out, ba_opt_sentence(row));
	ba_buf_putc(out, '\n');
}

static void put_operands(ba_buf *out, const ba_command *c)
{
	switch (c ? c->operands : BA_OPERANDS_VARIANTS) {
	case BA_OPERANDS_NONE:
		return;
	case BA_OPERANDS_VARIANTS:
		put_start(out, c);
		ba_buf_puts(out, " -a '(__bench_against_variants)'\n");
		return;
	case BA_OPERANDS_FILES:
		put_start(out, c);
		ba_buf_puts(out, " -F\n");
		return;
	case BA_OPERANDS_DIRS:
		put_start(out, c);
		ba_buf_puts(out, " -a '(__fish_complete_directories)'\n");
		return;
	case BA_OPERANDS_WORDS:
		put_start(out, c);
		ba_buf_printf(out, " -a '%s'\n", c->words);
		return;
	}
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

void ba_complete_fish(ba_buf *out)
{
	ba_buf_puts(out,
		"# fish completion for bench-against, made by 'bench-against completion fish'\n"
		"set -g __bench_against_commands");
	for (const ba_command *c = ba_commands; c->name; c++)
		ba_buf_printf(out, " %s", c->name);
	ba_buf_puts(out,
		"\n"
		"function __bench_against_is\n"
		"    set -l words (commandline -opc)\n"
		"    contains -- \"$words[2]\" $argv\n"
		"end\n"
		"function __bench_against_variants\n"
		"    printf '%s\\n' HEAD WORKTREE\n"
		"    git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null\n"
		"end\n"
		"complete -c bench-against -f\n");
	ba_chapters(put_chapter, out);
}
