/* Each command is asked for its options, the way --help asks. */
#include "cli/complete.h"

#include <string.h>

#include "base/embed.h"
#include "base/text.h"

BA_EMBED(ba_complete_bash, BA_SCRIPT_DIR "/complete.bash");
BA_EMBED(ba_complete_zsh, BA_SCRIPT_DIR "/complete.zsh");
BA_EMBED(ba_complete_fish, BA_SCRIPT_DIR "/complete.fish");

const ba_shell *const ba_shells[] = {&ba_shell_bash, &ba_shell_zsh, &ba_shell_fish, NULL};

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

void ba_complete_words(ba_buf *out, const char *before, const ba_opt *row, const char *after)
{
	ba_buf_puts(out, before);
	for (size_t i = 0; row->words[i]; i++)
		ba_buf_printf(out, "%s%s", i ? " " : "", row->words[i]);
	ba_buf_puts(out, after);
}

static void put_part(ba_buf *out, const ba_shell *shell, const char *name)
{
	for (size_t i = 0; shell->parts[i].name; i++)
		if (ba_text_starts(name, shell->parts[i].name))
			ba_chapters(shell->parts[i].put, out);
	bool pattern = ba_text_starts(name, "pattern}");
	if (pattern || ba_text_starts(name, "names}"))
		for (const ba_command *c = ba_commands; c->name; c++)
			ba_buf_printf(out, "%s%s",
				c == ba_commands ? ""
				: pattern	 ? "|"
						 : " ",
				c->name);
}

/* A part that has a line of its own ends its lines itself. */
void ba_complete_write(ba_buf *out, const ba_shell *shell)
{
	const char *at = shell->script, *mark;
	for (; (mark = strstr(at, "@{")); at = strchr(mark, '}') + 1, at += mark[-1] == '\n') {
		ba_buf_put(out, at, (size_t)(mark - at));
		put_part(out, shell, mark + 2);
	}
	ba_buf_puts(out, at);
}
