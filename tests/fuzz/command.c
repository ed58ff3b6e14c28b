/* A whole command, FUZZ_COMMAND, on a file that is anything: it ends with a status that
 * it promises, whatever it was given. Two files are parted by a NUL. What it prints
 * goes nowhere; run.sh closes the standard error, too. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/mem.h"
#include "base/base.h"
#include "cli/cmd.h"
#include "report/figure/figure.h"
#include "report/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARGS_MOST = 8 };

static char *dir, *one, *two, *picture;

static void remove_dir(void)
{
	ba_fs_remove_tree(dir, NULL);
	free(dir);
	free(one);
	free(two);
	free(picture);
}

static void make_dir(void)
{
	/* /dev/shm: a file system, as SQLite wants, and no disk */
	char template[] = "/dev/shm/fuzz_command_XXXXXX";
	dir = ba_xstrdup(mkdtemp(template));
	one = ba_path_join(dir, "one");
	two = ba_path_join(dir, "two");
	picture = ba_path_join(dir, "picture.svg");
	atexit(remove_dir);
	setenv("BENCH_AGAINST_HISTORY", one, 1);
	setenv("HOME", dir, 1);
	if (!freopen("/dev/null", "w", stdout))
		abort();
}

static void save(const char *path, const void *data, size_t size)
{
	unlink(path);
	if (ba_fs_write(path, data, size, 0600, NULL))
		abort();
}

static void run(int (*command)(int, char **), const char *const *words)
{
	char *argv[ARGS_MOST + 1] = {0};
	int argc = 0;
	for (; words[argc] && argc < ARGS_MOST; argc++)
		argv[argc] = ba_xstrdup(words[argc]);
	int status = command(argc, argv);
	for (int i = 0; i < argc; i++)
		free(argv[i]);
	if (status != 0 && status != 1 && status != 125 && status != 129)
		abort();
}

#define RUN(command, ...) run(command, (const char *const[]){__VA_ARGS__, NULL})

static void verify(void)
{
	RUN(ba_cmd_verify, "verify", "--all", one);
}

static void report(void)
{
	for (const ba_format *f = ba_formats; f->name; f++)
		RUN(ba_cmd_report, "report", "--format", f->name, one);
	RUN(ba_cmd_report, "report", "--across", "suite,benchmark", one);
}

static void plot(void)
{
	RUN(ba_cmd_plot, "plot", one);
	for (const ba_figure *f = ba_figures; f->name; f++)
		RUN(ba_cmd_plot, "plot", "--figure", f->name, "--output", picture, one);
	RUN(ba_cmd_plot, "plot", "--figure", "changes", "--output", picture, one, two);
}

static void compare(void)
{
	BA_AUTO_FREE char *a = ba_xprintf("a=%s", one);
	BA_AUTO_FREE char *b = ba_xprintf("b=%s", two);
	RUN(ba_cmd_compare, "compare", "--force", "--allow-summaries", a, b);
	RUN(ba_cmd_compare, "compare", a, b);
	/* of a document of several variants */
	BA_AUTO_FREE char *old = ba_xprintf("a=%s#old", one);
	BA_AUTO_FREE char *new = ba_xprintf("b=%s#new", one);
	RUN(ba_cmd_compare, "compare", "--force", old, new);
	RUN(ba_cmd_convert, "convert", "--to", "nvbench", one);
}

static void history(void)
{
	RUN(ba_cmd_history, "history", "--by-date", "--alpha", "5%");
	RUN(ba_cmd_history, "history", "--by-date", "--alpha", "5%", "*");
	RUN(ba_cmd_history, "history", "--by-date", "--format", "json", "--alpha", "5%");
	RUN(ba_cmd_history, "history", "--by-date", "--plot", picture, "--alpha", "5%");
}

static void merge(void)
{
	RUN(ba_cmd_merge, "merge", one, two);
	RUN(ba_cmd_merge, "merge", "--different-cpus", one, one);
}

static void explain(void)
{
	RUN(ba_cmd_explain, "explain", one);
	RUN(ba_cmd_explain, "explain", "--format", "json", one, "*");
}

static void decide(void)
{
	RUN(ba_cmd_decide, "decide", one);
	RUN(ba_cmd_decide, "decide", "--output", two, one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const commands[])(void) = {
		verify, report, plot, compare, history, explain, decide, merge};
	enum { VERIFY, REPORT, PLOT, COMPARE, HISTORY };
	if (!dir)
		make_dir();
	/* a database has NULs of its own */
	const uint8_t *nul = FUZZ_COMMAND == COMPARE && size ? memchr(data, 0, size) : NULL;
	size_t first = nul ? (size_t)(nul - data) : size;
	save(one, data, first);
	save(two, nul ? nul + 1 : data, nul ? size - first - 1 : size);
	commands[FUZZ_COMMAND]();
	return 0;
}
