/* The script for zsh: a specification of _arguments for each option. */
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
	switch (ba_value_kind_of(row)) {
	case BA_VALUE_NONE:
		return;
	case BA_VALUE_FILE:
		ba_buf_puts(out, ":file:_files");
		return;
	case BA_VALUE_DIR:
		ba_buf_puts(out, ":directory:_files -/");
		return;
	case BA_VALUE_ANY:
		ba_buf_puts(out, ":value: ");
		return;
	case BA_VALUE_WORD:
		break;
	}
	ba_buf_printf(out, "%s:word:(", row->implied ? ":" : "");
	for (size_t i = 0; row->words[i]; i++)
		ba_buf_printf(out, "%s%s", i ? " " : "", row->words[i]);
	ba_buf_putc(out, ')');
}

static void put_option(ba_buf *out, const ba_opt *row)
{
	bool value = ba_value_kind_of(row) != BA_VALUE_NONE;
	/* a list may be given again; of the others one is enough */
	const char *again = row->kind == BA_OPT_LIST ? "*" : "";
	/* the two forms exclude each other; "=-" is "only with '='" */
	const char *equals = !value ? "" : row->implied ? "=-" : "=";
	ba_buf_printf(out, " \\\n\t\t'%s--%s%s[", again, row->long_name, equals);
	put_quoted(out, ba_opt_sentence(row));
	ba_buf_putc(out, ']');
	put_action(out, row);
	ba_buf_putc(out, '\'');
	if (!row->short_name)
		return;
	ba_buf_printf(out, " \\\n\t\t'%s-%c%s[", again, row->short_name, value ? "+" : "");
	put_quoted(out, ba_opt_sentence(row));
	ba_buf_putc(out, ']');
	put_action(out, row);
	ba_buf_putc(out, '\'');
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

static const char head[] =
	"#compdef bench-against\n"
	"# zsh completion for bench-against, made by 'bench-against completion zsh'\n"
	"_bench_against_variants()\n"
	"{\n"
	"\tlocal -a refs\n"
	"\trefs=(HEAD WORKTREE ${(f)\"$(git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)\"})\n"
	"\tcompadd -a refs\n"
	"}\n"
	"_bench_against_first()\n"
	"{\n"
	"\tlocal -a commands\n"
	"\tcommands=(\n";

static const char first[] = "\t)\n"
			    "\t_describe command commands\n"
			    "\t_bench_against_variants\n"
			    "}\n"
			    "_bench_against()\n"
			    "{\n"
			    "\tlocal command=''\n"
			    "\tif (( CURRENT > 2 )); then\n"
			    "\t\tcase $words[2] in\n"
			    "\t\t";

static const char shift[] = ")\n"
			    "\t\t\tcommand=$words[2]\n"
			    "\t\t\tshift words\n"
			    "\t\t\t(( CURRENT-- ))\n"
			    "\t\t\t;;\n"
			    "\t\tesac\n"
			    "\tfi\n"
			    "\tcase $command in\n";

static const char tail[] =
	"\tesac\n"
	"}\n"
	"if [[ $funcstack[1] == _bench_against || $funcstack[1] == _bench-against ]]; then\n"
	"\t_bench_against \"$@\"\n"
	"else\n"
	"\tcompdef _bench_against bench-against\n"
	"fi\n";

void ba_complete_zsh(ba_buf *out)
{
	ba_buf_puts(out, head);
	ba_chapters(put_command, out);
	ba_buf_puts(out, first);
	for (const ba_command *c = ba_commands; c->name; c++)
		ba_buf_printf(out, "%s%s", c == ba_commands ? "" : "|", c->name);
	ba_buf_puts(out, shift);
	ba_chapters(put_chapter, out);
	ba_buf_puts(out, tail);
}
