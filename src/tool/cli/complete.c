/* What a shell offers at the end of a command line. `bench-against completion SHELL` prints the
 * script for a shell, which asks `bench-against --complete WORD...`, the last word being the one
 * that is typed. The answer has a line for each candidate, with a tab and a description behind
 * it; ":file" and ":dir" are for the shell to complete. */

#include "cli/cmd.h"
#include "cli/help.h"
#include "proc/proc.h"

extern const char ba_complete_bash[], ba_complete_zsh[], ba_complete_fish[];
BA_EMBED(ba_complete_bash, BA_SCRIPT_DIR "/complete.bash");
BA_EMBED(ba_complete_zsh, BA_SCRIPT_DIR "/complete.zsh");
BA_EMBED(ba_complete_fish, BA_SCRIPT_DIR "/complete.fish");

/* the word being typed: for "--gate=st" the value "st", preceded by "--gate=" */
typedef struct typed {
	const char *value;
	char *glue;
} typed;

/* offers a candidate with the first line of its description */
static void offer(const typed *t, const char *candidate, const char *description)
{
	if (ba_text_starts(candidate, t->value))
		printf("%s%s\t%s\n", t->glue, candidate, description);
}

static void offer_words(const typed *t, const char *words)
{
	BA_AUTO(ba_strv) ba_strv all = {0};
	ba_strv_split(&all, words, ' ');
	for (size_t i = 0; i < all.count; i++)
		offer(t, all.items[i], "");
}

static void offer_variants(const typed *t)
{
	static const char *const argv[] = {"git", "for-each-ref", "--format=%(refname:short)",
		"refs/heads", "refs/tags", "refs/remotes", NULL};
	const ba_proc_spec spec = {
		.argv = argv, .out = {BA_OUTPUT_HEAD, 4 << 20}, .limit_ns = 5 * BA_SECOND};
	BA_AUTO(ba_proc_result) ba_proc_result git = {0};
	BA_AUTO(ba_strv) ba_strv refs = {0};
	offer(t, "HEAD", "");
	offer(t, "WORKTREE", "");
	if (ba_proc_run(&git, &spec, NULL) == 0 && ba_proc_result_ok(&git) && git.out.len)
		ba_strv_split(&refs, git.out.data, '\n');
	for (size_t i = 0; i < refs.count; i++)
		if (*refs.items[i])
			offer(t, refs.items[i], "");
}

static void offer_commands(const typed *t)
{
	for (const ba_command *c = ba_commands; c->group != BA_COMMAND_HIDDEN; c++)
		offer(t, c->name, ba_help_page_named(c->name)->brief);
	offer(t, "help", "show the page of a command");
}

static void offer_options(const typed *t, const ba_opt *rows)
{
	for (; rows->kind != BA_OPT_END; rows++) {
		BA_AUTO_FREE char *name = ba_xprintf("--%s", rows->long_name);
		const char letter[] = {'-', rows->short_name, '\0'};
		if (rows->kind != BA_OPT_GROUP)
			offer(t, name, ba_opt_sentence(rows));
		if (rows->short_name)
			offer(t, letter, ba_opt_sentence(rows));
	}
}

static void offer_operands(const typed *t, const ba_command *c)
{
	if (c->operands == BA_OPERANDS_VARIANTS)
		offer_variants(t);
	else if (c->operands == BA_OPERANDS_WORDS)
		offer_words(t, c->words);
	else if (c->operands != BA_OPERANDS_NONE)
		puts(c->operands == BA_OPERANDS_FILES ? ":file" : ":dir");
}

/* the row of "--gate" or "-t", if it takes a value; or NULL */
static const ba_opt *row_of(const ba_opt *rows, const char *option)
{
	for (; rows->kind != BA_OPT_END; rows++)
		if (rows->kind != BA_OPT_GROUP && rows->kind != BA_OPT_FLAG &&
			((option[1] == '-' && strcmp(option + 2, rows->long_name) == 0) ||
				(option[1] && option[1] == rows->short_name && !option[2])))
			return rows;
	return NULL;
}

static void offer_values(const typed *t, const ba_opt *row)
{
	BA_AUTO(ba_buf) ba_buf placeholder = BA_BUF_INIT;
	for (size_t i = 0; row->kind == BA_OPT_CHOICE && row->words[i]; i++)
		offer(t, row->words[i], "");
	ba_opt_placeholder(&placeholder, row);
	if (strcmp(placeholder.data, "<file>") == 0 || strcmp(placeholder.data, "<dir>") == 0)
		puts(placeholder.data[1] == 'f' ? ":file" : ":dir");
}

/* before: the words left of the typed word; equals: after LABEL= or --gate= */
static void complete(const typed *t, const ba_strv *before, bool equals)
{
	const ba_command *c = before->count ? ba_command_named(before->items[0]) : NULL;
	bool help = before->count && strcmp(before->items[0], "help") == 0;
	const char *last = before->count ? before->items[before->count - 1] : "";
	BA_AUTO(ba_options) ba_options o;
	ba_opt rows[BA_OPTION_ROWS_MOST];
	ba_options_init(&o);
	c = c ? c : &ba_command_tool;
	ba_cmd_rows(rows, &o, c);
	const ba_opt *row = *last == '-' ? row_of(rows, last) : NULL;
	/* --color alone is complete: its value needs '=' */
	if (row && (equals || !row->implied)) {
		offer_values(t, row);
	} else if (equals) {
		if (*last != '-')
			offer_variants(t);
	} else if (*t->value == '-') {
		offer_options(t, rows);
	} else {
		if (before->count == 0 || help)
			offer_commands(t);
		if (!help)
			offer_operands(t, c);
	}
}

/* bash passes "--gate" "=" "st"; other shells pass "--gate=st" */
int ba_cmd_complete(const ba_command *c, int argc, char **argv)
{
	const char *word = argc > 1 ? argv[argc - 1] : "";
	BA_AUTO(ba_strv) ba_strv before = {0};
	for (int i = 1; i + 1 < argc; i++)
		ba_strv_push(&before, argv[i]);
	const char *sign = strchr(word, '=');
	bool apart = before.count && strcmp(before.items[before.count - 1], "=") == 0;
	if (apart)
		free(before.items[--before.count]);
	else if (sign && sign > word)
		ba_strv_push_take(&before, ba_xstrndup(word, (size_t)(sign - word)));
	size_t glue = sign && sign > word && !apart ? (size_t)(sign - word) + 1 : 0;
	if (sign == word && !apart) /* the '=' itself, which bash passes as a word */
		word++;
	typed t = {.value = word + glue, .glue = ba_xstrndup(word, glue)};
	complete(&t, &before, apart || sign);
	free(t.glue);
	return fflush(stdout) ? 125 : 0;
}

int ba_cmd_completion(ba_call *call, ba_error *err)
{
	static const struct {
		const char *name, *script;
	} shells[] = {
		{"bash", ba_complete_bash}, {"zsh", ba_complete_zsh}, {"fish", ba_complete_fish}};
	const char *name = call->operands.count == 1 ? call->operands.items[0] : NULL;
	for (size_t i = 0; name && i < BA_COUNT(shells); i++)
		if (strcmp(name, shells[i].name) == 0) {
			fputs(shells[i].script, stdout);
			return 0;
		}
	return ba_fail(err, BA_EINVAL, "completion is for one shell: bash, zsh or fish%s%s%s",
		name ? ", not '" : "", name ? name : "", name ? "'" : "");
}
