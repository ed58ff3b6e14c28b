/* The tables of complete.bash, as `case`. The script needs no package of helpers, and it
 * splits words as bash itself does, at '=' too. */
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
	static const char *const kinds[] = {[BA_VALUE_FILE] = "file",
		[BA_VALUE_DIR] = "dir",
		[BA_VALUE_WORD] = "word",
		[BA_VALUE_ANY] = "any"};
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
		ba_buf_printf(out, ") value=%s", kinds[kind]);
		if (kind == BA_VALUE_WORD)
			ba_complete_words(out, " words='", row, "'");
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

const ba_shell ba_shell_bash = {"bash", ba_complete_bash,
	{{"options", put_options}, {"values", put_values}, {"operands", put_operands}}};
