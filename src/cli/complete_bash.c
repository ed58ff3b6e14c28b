/* The script for bash: tables as `case`, and one function that reads them. It needs no
 * package of helpers, and it splits words as bash itself does, at '=' too. */
#include "cli/complete.h"

static void put_options(void *data, const ba_chapter *chapter)
{
	ba_buf *out = data;
	ba_buf_printf(out, "\t'%s') options='", chapter->command ? chapter->command->name : "");
	const char *space = "";
	for (const ba_opt *row = chapter->rows; row->kind != BA_OPT_END; row++) {
		if (row->kind == BA_OPT_GROUP)
			continue;
		/* what may stand alone is completed so; its value comes after '=' */
		ba_buf_printf(out, "%s--%s", space, row->long_name);
		if (row->short_name)
			ba_buf_printf(out, " -%c", row->short_name);
		space = " ";
	}
	ba_buf_puts(out, "' ;;\n");
}

static void put_values(void *data, const ba_chapter *chapter)
{
	ba_buf *out = data;
	const char *command = chapter->command ? chapter->command->name : "";
	for (const ba_opt *row = chapter->rows; row->kind != BA_OPT_END; row++) {
		ba_value_kind kind =
			row->kind == BA_OPT_GROUP ? BA_VALUE_NONE : ba_value_kind_of(row);
		if (kind == BA_VALUE_NONE)
			continue;
		ba_buf_printf(out, "\t'%s --%s'", command, row->long_name);
		if (row->short_name)
			ba_buf_printf(out, "|'%s -%c'", command, row->short_name);
		ba_buf_printf(out, ") value=%s",
			kind == BA_VALUE_FILE	? "file"
			: kind == BA_VALUE_DIR	? "dir"
			: kind == BA_VALUE_WORD ? "word"
						: "any");
		if (kind == BA_VALUE_WORD) {
			ba_buf_puts(out, " words='");
			for (size_t i = 0; row->words[i]; i++)
				ba_buf_printf(out, "%s%s", i ? " " : "", row->words[i]);
			ba_buf_puts(out, "'");
		}
		ba_buf_printf(out, "%s ;;\n", row->implied ? " optional=1" : "");
	}
}

static void put_operands(void *data, const ba_chapter *chapter)
{
	static const char *const kinds[] = {
		[BA_OPERANDS_NONE] = "none",
		[BA_OPERANDS_VARIANTS] = "variants",
		[BA_OPERANDS_FILES] = "file",
		[BA_OPERANDS_DIRS] = "dir",
		[BA_OPERANDS_WORDS] = "word",
	};
	ba_buf *out = data;
	const ba_command *c = chapter->command;
	if (!c)
		return;
	ba_buf_printf(out, "\t'%s') value=%s", c->name, kinds[c->operands]);
	if (c->operands == BA_OPERANDS_WORDS)
		ba_buf_printf(out, " words='%s'", c->words);
	ba_buf_puts(out, " ;;\n");
}

/* $command is set; each of them answers in variables of _bench_against */
static const char body[] =
	"_bench_against()\n"
	"{\n"
	"\tlocal cur prev i command='' options='' value=none words='' optional=''\n"
	"\tlocal IFS=$' \\t\\n'\n"
	"\tcur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	"\t# --gate=strict comes as three words\n"
	"\tlocal joined=''\n"
	"\tif [[ $cur == '=' ]]; then\n"
	"\t\tcur='' joined=1\n"
	"\telif [[ $prev == '=' && $COMP_CWORD -ge 2 ]]; then\n"
	"\t\tprev=${COMP_WORDS[COMP_CWORD-2]} joined=1\n"
	"\tfi\n"
	"\tCOMPREPLY=()\n"
	"\tif [[ $COMP_CWORD -ge 2 && \" $_bench_against_commands \" == *\" ${COMP_WORDS[1]} \"* ]]; then\n"
	"\t\tcommand=${COMP_WORDS[1]}\n"
	"\tfi\n"
	"\t_bench_against_tables\n"
	"\tif [[ $prev == -* ]]; then\n"
	"\t\t_bench_against_value \"$command $prev\"\n"
	"\t\t# --color alone is complete: its value needs the '='\n"
	"\t\tif [[ -n $optional && -z $joined ]]; then value=none; fi\n"
	"\telif [[ -n $joined ]]; then\n"
	"\t\tvalue=variants # LABEL=REV\n"
	"\tfi\n"
	"\tif [[ $value == none ]]; then\n"
	"\t\tif [[ $cur == -* ]]; then\n"
	"\t\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
	"\t\t\treturn\n"
	"\t\tfi\n"
	"\t\tvalue=variants\n"
	"\t\t_bench_against_operands\n"
	"\t\tif [[ $COMP_CWORD -eq 1 ]]; then\n"
	"\t\t\tCOMPREPLY=($(compgen -W \"$_bench_against_commands\" -- \"$cur\"))\n"
	"\t\tfi\n"
	"\tfi\n"
	"\tcase $value in\n"
	"\tfile) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- \"$cur\")) ;;\n"
	"\tdir) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- \"$cur\")) ;;\n"
	"\tword) COMPREPLY+=($(compgen -W \"$words\" -- \"$cur\")) ;;\n"
	"\tvariants)\n"
	"\t\tlocal line\n"
	"\t\t# a ref may hold $(...): it is compared as text and never expanded\n"
	"\t\twhile IFS= read -r line; do\n"
	"\t\t\tif [[ -n $line && $line == \"$cur\"* ]]; then COMPREPLY+=(\"$(printf %q \"$line\")\"); fi\n"
	"\t\tdone < <(printf '%s\\n' HEAD WORKTREE; git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)\n"
	"\t\t;;\n"
	"\tesac\n"
	"}\n"
	"complete -F _bench_against bench-against\n";

void ba_complete_bash(ba_buf *out)
{
	ba_buf_puts(out,
		"# bash completion for bench-against, made by 'bench-against completion bash'\n"
		"_bench_against_commands='");
	for (const ba_command *c = ba_commands; c->name; c++)
		ba_buf_printf(out, "%s ", c->name);
	ba_buf_puts(out, "help'\n"
			 "_bench_against_tables()\n"
			 "{\n"
			 "\tcase $command in\n");
	ba_chapters(put_options, out);
	ba_buf_puts(out, "\tesac\n"
			 "}\n"
			 "_bench_against_value()\n"
			 "{\n"
			 "\tcase $1 in\n");
	ba_chapters(put_values, out);
	ba_buf_puts(out, "\tesac\n"
			 "}\n"
			 "_bench_against_operands()\n"
			 "{\n"
			 "\tcase $command in\n");
	ba_chapters(put_operands, out);
	ba_buf_puts(out, "\tesac\n"
			 "}\n");
	ba_buf_puts(out, body);
}
