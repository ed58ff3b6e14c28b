/* The steps that all commands share, from the command line to the exit status. */
#include <sys/prctl.h>

#include "ba_build.h"
#include "cli/cmd.h"
#include "cli/help.h"

void ba_cmd_rows(ba_opt rows[BA_OPTION_ROWS_MOST], ba_options *o, const ba_command *c)
{
	size_t n = 0;
	const char *group = NULL;
	for (const ba_opt *row = c->own ? c->own->rows : NULL; row && row->kind != BA_OPT_END;
		row++) {
		group = row->kind == BA_OPT_GROUP ? row->help : group;
		rows[n] = *row;
		if (!row->help)
			rows[n].help = ba_option_text(c->own->command, row->long_name);
		n++;
	}
	if (c->own && c->own->more)
		n += c->own->more(rows + n);
	ba_options_rows(rows + n, o, c->shared);
	/* no second title for a group that continues */
	if (group && (c->shared == BA_FOR_HELP || strcmp(group, rows[n].help) == 0))
		for (; rows[n].kind != BA_OPT_END; n++)
			rows[n] = rows[n + 1];
}

static int parse(ba_call *call, ba_error *err)
{
	ba_cmd_rows(call->rows, &call->o, call->command);
	int rc = ba_opt_parse(&call->operands, call->rows, call->argc - 1, call->argv + 1, err);
	return rc ? rc
		  : ba_options_settle(
			    &call->o, call->rows, &call->operands, call->command->shared, err);
}

/* Are there as many operands as help shows? */
static int check_operands(const ba_command *c, const ba_strv *operands, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv shown = {0};
	size_t least = 0;
	if (*c->shown)
		ba_strv_split(&shown, c->shown, ' ');
	while (least < shown.count && *shown.items[least] != '[')
		least++;
	if (c->operands == BA_OPERANDS_VARIANTS)
		return 0;
	if (operands->count < least)
		return ba_fail(err, BA_EINVAL, "%s needs %s: bench-against %s %s", c->name,
			c->shown, c->name, c->shown);
	if (operands->count > shown.count && !strstr(c->shown, "..."))
		return ba_fail(err, BA_EINVAL, "%s takes no '%s'%s%s", c->name,
			operands->items[shown.count], shown.count ? " beside " : "", c->shown);
	return 0;
}

/* Restores the defaults for the next call in this process. */
static void restore(const ba_own_options *own, const void *defaults)
{
	for (const ba_opt *row = own->rows; row && row->kind != BA_OPT_END; row++)
		if (row->kind == BA_OPT_LIST)
			ba_strv_dispose(row->value);
	if (own->size)
		memcpy(own->values, defaults, own->size);
}

int ba_cmd_call(const ba_command *c, int argc, char **argv)
{
	if (c->start)
		return c->start(c, argc, argv);
	static const ba_own_options none;
	const ba_own_options *own = c->own ? c->own : &none;
	BA_AUTO_FREE char *defaults = ba_xmemdup0(own->values, own->size);
	ba_error err = {0};
	ba_call call = {.command = c, .argc = argc, .argv = argv};
	ba_options_init(&call.o);
	int rc = parse(&call, &err);
	if (rc == 0 && call.o.help)
		ba_help_show(c->name, call.rows, call.o.help_all);
	else if (rc == 0)
		rc = check_operands(c, &call.operands, &err) ?: c->run(&call, &err);
	restore(own, defaults);
	ba_options_dispose(&call.o);
	ba_strv_dispose(&call.operands);
	return rc < 0 ? ba_context_complain(NULL, &err) : ba_context_end(rc);
}

char *ba_cmd_line(int argc, char *const *argv)
{
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_buf_puts(&line, "bench-against");
	for (int i = argc && ba_command_named(argv[0]) ? 0 : 1; i < argc; i++) {
		ba_buf_putc(&line, ' ');
		ba_shell_put(&line, argv[i]);
	}
	return ba_buf_detach(&line);
}

int ba_cmd_work(ba_call *call, ba_work *work, ba_error *err)
{
	BA_AUTO(ba_context) ba_context c = {0};
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO_FREE char *line = ba_cmd_line(call->argc, call->argv);
	int rc = ba_context_init(&c, &call->o, err);
	if (rc == 0)
		ba_job_describe(&r, line);
	rc = rc ? rc : work(&c, &call->operands, &r, err);
	return rc ? rc : r.decided.exit_status;
}

/* "-C DIR list" is "list -C DIR". */
static void put_command_first(int argc, char **argv)
{
	int at = 1;
	while (at < argc &&
		(ba_text_starts(argv[at], "-C") || ba_text_starts(argv[at], "--directory")))
		at += strcmp(argv[at], "-C") == 0 || strcmp(argv[at], "--directory") == 0 ? 2 : 1;
	if (at == 1 || at >= argc || !ba_command_named(argv[at]))
		return;
	char *name = argv[at];
	memmove(&argv[2], &argv[1], (size_t)(at - 1) * sizeof(*argv));
	argv[1] = name;
}

int ba_cmd_dispatch(int argc, char **argv)
{
	put_command_first(argc, argv);
	const char *word = argc >= 2 ? argv[1] : "";
	const ba_command *command = ba_command_named(word);
	if (command)
		return ba_cmd_call(command, argc - 1, argv + 1);
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
		puts("bench-against " BA_VERSION);
		return ba_context_end(0);
	}
	if (strcmp(word, "help") != 0 || argc > 3)
		return ba_cmd_call(&ba_command_tool, argc, argv);
	/* accept "bench-against help run" */
	char help[] = "--help", *page[] = {argc == 3 ? argv[2] : argv[0], help, NULL};
	command = ba_command_named(page[0]);
	return ba_cmd_call(command ? command : &ba_command_tool, 2, page);
}

/* "--child-of PID COMMAND ...": steps and builds of a search, which end when it is killed. */
int ba_cmd_child_of(const ba_command *c, int argc, char **argv)
{
	uint64_t pid = 0;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (argc < 2 || ba_parse_u64(&pid, argv[1], 1, INT_MAX, "--child-of", NULL) ||
		getppid() != (pid_t)pid)
		raise(SIGTERM);
	return ba_cmd_dispatch(argc - 1, argv + 1);
}
