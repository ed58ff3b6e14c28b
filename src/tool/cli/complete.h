/*
 * Shell completions and the manual page, made from three tables so that no option can
 * be forgotten: the rows that parse the command line (cli/opt.h), the pages of help
 * (cli/help.h), and the commands (cli/cmd.h).
 */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

#include "base/buf.h"
#include "cli/cmd.h"
#include "cli/help.h"

/* One page with its options. command is NULL for the tool itself,
		 * whose operands are variants. Everything is borrowed and valid
		 * during the call. */
typedef struct ba_chapter {
	const ba_command *command;
	const ba_help_page *page;
	const ba_opt *rows;
} ba_chapter;

typedef void ba_chapter_fn(void *data, const ba_chapter *chapter);
/* Calls fn for the tool's own chapter, then for the commands in the
 * order of the table. */
void ba_chapters(ba_chapter_fn *fn, void *data);

/* what kind of value an option takes */
typedef enum ba_value_kind {
	BA_VALUE_NONE, /* a flag */
	BA_VALUE_WORD, /* one of row->words */
	BA_VALUE_FILE,
	BA_VALUE_DIR,
	BA_VALUE_ANY
} ba_value_kind;
ba_value_kind ba_value_kind_of(const ba_opt *row);

/* " 'auto always'": the words of a row between two texts. */
void ba_complete_words(ba_buf *out, const char *before, const ba_opt *row, const char *after);

/* A shell and its script, in which @{NAME} stands for a part: the names of all commands
 * (@{names}; @{pattern} with '|' between them), or what `put` writes of each chapter. */
typedef struct ba_shell {
	const char *name;
	const char *script;
	struct {
		const char *name;
		ba_chapter_fn *put;
	} parts[4];
} ba_shell;

extern const ba_shell ba_shell_bash, ba_shell_zsh, ba_shell_fish;
extern const ba_shell *const ba_shells[]; /* ends with NULL */
void ba_complete_write(ba_buf *out, const ba_shell *shell);

/* the files complete.SHELL */
extern const char ba_complete_bash[], ba_complete_zsh[], ba_complete_fish[];

/* bench-against(1), in roff with the macros of man(7) */
void ba_manual_write(ba_buf *out);

#endif
