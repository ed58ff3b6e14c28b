/* A whole command, FUZZ_TARGET, on a file that is anything: it ends with a status that
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

#ifndef FUZZ_TARGET
#define FUZZ_TARGET getenv("FUZZ_TARGET")
#endif

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

static void run(const char *const *words)
{
	char *argv[ARGS_MOST + 1] = {0};
	int argc = 0;
	for (; words[argc] && argc < ARGS_MOST; argc++)
		argv[argc] = ba_xstrdup(words[argc]);
	int status = ba_cmd_call(ba_command_named(words[0]), argc, argv);
	for (int i = 0; i < argc; i++)
		free(argv[i]);
	if (status != 0 && status != 1 && status != 125 && status != 129)
		abort();
}

#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

static void verify(void)
{
	RUN("verify", "--all", one);
}

static void report(void)
{
	for (const ba_format *f = ba_formats; f->name; f++)
		RUN("report", "--format", f->name, one);
	RUN("report", "--across", "suite,benchmark", one);
}

static void plot(void)
{
	RUN("plot", one);
	for (const ba_figure *f = ba_figures; f->name; f++)
		RUN("plot", "--figure", f->name, "--output", picture, one);
	RUN("plot", "--figure", "changes", "--output", picture, one, two);
}

static void compare(void)
{
	BA_AUTO_FREE char *a = ba_xprintf("a=%s", one);
	BA_AUTO_FREE char *b = ba_xprintf("b=%s", two);
	RUN("compare", "--force", "--allow-summaries", a, b);
	RUN("compare", a, b);
	/* of a document of several variants */
	BA_AUTO_FREE char *old = ba_xprintf("a=%s#old", one);
	BA_AUTO_FREE char *new = ba_xprintf("b=%s#new", one);
	RUN("compare", "--force", old, new);
	RUN("convert", "--to", "nvbench", one);
}

static void history(void)
{
	RUN("history", "--by-date", "--alpha", "5%");
	RUN("history", "--by-date", "--alpha", "5%", "*");
	RUN("history", "--by-date", "--format", "json", "--alpha", "5%");
	RUN("history", "--by-date", "--plot", picture, "--alpha", "5%");
}

static void merge(void)
{
	RUN("merge", one, two);
	RUN("merge", "--different-cpus", one, one);
}

static void explain(void)
{
	RUN("explain", one);
	RUN("explain", "--format", "json", one, "*");
}

static void decide(void)
{
	RUN("decide", one);
	RUN("decide", "--output", two, one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct {
		const char *target;
		void (*run)(void);
	} commands[] = {{"cmd_verify", verify}, {"cmd_report", report}, {"cmd_plot", plot},
		{"cmd_compare", compare}, {"cmd_history", history}, {"cmd_explain", explain},
		{"cmd_decide", decide}, {"cmd_merge", merge}};
	size_t n = 0;
	while (n < BA_COUNT(commands) && strcmp(commands[n].target, FUZZ_TARGET) != 0)
		n++;
	if (n == BA_COUNT(commands))
		abort();
	if (!dir)
		make_dir();
	/* a database has NULs of its own */
	const uint8_t *nul = commands[n].run == compare && size ? memchr(data, 0, size) : NULL;
	size_t first = nul ? (size_t)(nul - data) : size;
	save(one, data, first);
	save(two, nul ? nul + 1 : data, nul ? size - first - 1 : size);
	commands[n].run();
	return 0;
}
