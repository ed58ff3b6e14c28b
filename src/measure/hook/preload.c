/*
 * The library that the tool preloads into a program of a suite such as "nvbench"
 * (LD_PRELOAD): takes the place of main() and lets a row of serve.h decide.
 *
 * Shells and other programs that start the benchmark inherit the preload. They must not
 * notice it, so nothing happens in a process that has no trace of the library.
 */
#include <dlfcn.h>

#include "hook/serve.h"
#include "hook/symbols.h"

#define VISIBLE __attribute__((visibility("default")))

static const ba_hook_ops *const rows[] = {&ba_hook_nvbench, &ba_hook_google};

/* NULL: no library is called that */
static const ba_hook_ops *library_of(const char *word)
{
	const ba_hook_ops *const *row =
		word ? BA_FIND(rows, BA_COUNT(rows), one, strcmp((*one)->word, word) == 0) : NULL;
	return row ? *row : NULL;
}

static ba_hook_main *program_main;

static void begin(const ba_hook_ops *ops)
{
	if (!ops->take_over())
		ba_hook_refuse(
			"this system does not let %s's functions be replaced; measure the program as a suite of kind 'command'",
			ops->library);
}

static int take_over(int argc, char **argv, char **env)
{
	const ba_hook_ops *ops = library_of(getenv("BENCH_AGAINST_HOOK"));
	/* also in what starts it, where the observer was preloaded, too */
	ba_hook_watch();
	if (!ops)
		return program_main(argc, argv, env);
	bool here = ops->is_here();
	if ((!here && !ba_symbols_text(ops->trace)) || !ba_hook_connect(ops))
		return program_main(argc, argv, env);
	/* what it starts is not measured */
	unsetenv("BENCH_AGAINST_HOOK");
	unsetenv("LD_PRELOAD");
	/* the library is here, but not its functions: the answer to the first request says so */
	if (!here)
		ba_hook_refuse(
			"%s has %s in it, but not the names of its functions: the program is stripped, or %s is built with hidden symbols. Link it with the shared library or do not strip it; or measure it as a suite of kind 'command'",
			program_invocation_name, ops->library, ops->library);
	begin(ops);
	int status = program_main(argc, argv, env);
	ba_hook_refuse(
		"the hook did not fire because the program ended with status %d%s: see what it printed. If it runs its benchmarks in a loop of its own, measure it as a suite of kind 'command'",
		status, ops->missed);
}

typedef int start_fn(ba_hook_main *main, int argc, char **argv, void (*init)(void),
	void (*fini)(void), void (*loader_fini)(void), void *stack_end);

/* The program's entry point calls this function of libc, whose declaration is private. */
VISIBLE start_fn __libc_start_main;
int __libc_start_main(ba_hook_main *main, int argc, char **argv, void (*init)(void),
	void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
	start_fn *real = (start_fn *)dlsym(RTLD_NEXT, "__libc_start_main");
	program_main = main;
	return real(take_over, argc, argv, init, fini, loader_fini, stack_end);
}

/* For an interpreter that has loaded the library itself (bench_against_worker --nvbench):
 * from now on the library's functions are taken over as in a program of its own. Call
 * ba_hook_watch() before that library is loaded. Returns 0, or 1: they are not here; or 2: there are no descriptors. */
VISIBLE int bench_against_hook(const char *word);
int bench_against_hook(const char *word)
{
	const ba_hook_ops *ops = library_of(word);
	if (!ops || !ops->is_here())
		return 1;
	if (!ba_hook_connect(ops))
		return 2;
	begin(ops);
	return 0;
}
