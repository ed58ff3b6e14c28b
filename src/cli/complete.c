/* Each command is asked for its options, the way --help asks. */
#include "cli/complete.h"

#include <string.h>

const ba_shell ba_shells[] = {
	{"bash", ba_complete_bash},
	{"zsh", ba_complete_zsh},
	{"fish", ba_complete_fish},
	{0},
};

typedef struct walk {
	ba_chapter_fn *fn;
	void *data;
	const ba_command *command;
} walk;

static void take(void *data, const ba_help_page *page, const ba_opt *rows)
{
	walk *w = data;
	w->fn(w->data, &(ba_chapter){w->command, page, rows});
}

static void ask(int (*fn)(int, char **), const char *name)
{
	char help[] = "--help", *argv[] = {(char *)name, help, NULL};
	fn(2, argv);
}

void ba_chapters(ba_chapter_fn *fn, void *data)
{
	walk w = {.fn = fn, .data = data};
	ba_help_take(take, &w);
	ask(ba_cmd_against, "bench-against");
	for (w.command = ba_commands; w.command->name; w.command++)
		ask(w.command->fn, w.command->name);
	ba_help_take(NULL, NULL);
}

ba_value_kind ba_value_kind_of(const ba_opt *row)
{
	if (row->kind == BA_OPT_FLAG)
		return BA_VALUE_NONE;
	if (row->kind == BA_OPT_CHOICE)
		return BA_VALUE_WORD;
	BA_AUTO(ba_buf) ba_buf placeholder = BA_BUF_INIT;
	ba_opt_placeholder(&placeholder, row);
	if (strcmp(placeholder.data, "<file>") == 0)
		return BA_VALUE_FILE;
	return strcmp(placeholder.data, "<dir>") == 0 ? BA_VALUE_DIR : BA_VALUE_ANY;
}
