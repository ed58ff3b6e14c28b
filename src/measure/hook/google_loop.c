/*
 * Runs a benchmark so that its loop is a function that can be called: on a stack of its own, which is
 * left where the loop begins or goes on, and where it pauses or ends. Only in a process that counts
 * instructions: the detours are not safe with threads, and take microseconds.
 */

#include <sys/mman.h>
#include <ucontext.h>

#include "hook/google.h"
#include "hook/symbols.h"

#define STACK_BYTES ((size_t)64 << 20)

enum { START, RESUME, PAUSE, FINISH, POINTS };

static ba_detour points[POINTS];

static struct {
	ucontext_t host, library;
	const char *name;
	uint64_t iterations;
	ba_google_runs runs;
	ba_error *err;
	int rc;
	bool counts, first_ended, is_over;
} now;

void ba_google_loop_note(const char *name, void *address)
{
	static const char *const names[POINTS] = {"_ZN9benchmark5State16StartKeepRunningEv",
		"_ZN9benchmark5State12ResumeTimingEv", "_ZN9benchmark5State11PauseTimingEv",
		"_ZN9benchmark5State17FinishKeepRunningEv"};
	for (size_t i = 0; i < POINTS; i++)
		if (ba_text_starts(name, names[i]) && !points[i].from)
			points[i].from = address;
}

bool ba_google_loop_known(void)
{
	return BA_ALL(points, POINTS, p, p->from);
}

static void detour(bool on)
{
	for (size_t i = 0; i < POINTS; i++)
		if (on)
			ba_detour_set(&points[i]);
		else
			ba_detour_remove(&points[i]);
}

static void leave(bool counts)
{
	now.counts = counts;
	swapcontext(&now.library, &now.host);
}

/* In place of one of the four. What is counted begins after the first two, and ends before the
 * others. Only the first of several runs is. */
static void pass(void *state, int point)
{
	bool ends = point == PAUSE || point == FINISH;
	if (ends)
		leave(false);
	detour(false);
	((void (*)(void *))points[point].from)(state);
	now.first_ended = now.first_ended || point == FINISH;
	if (now.first_ended)
		return;
	detour(true);
	if (!ends)
		leave(true);
}

BA_DETOUR_TARGET static void at_start(void *state)
{
	pass(state, START);
}

BA_DETOUR_TARGET static void at_resume(void *state)
{
	pass(state, RESUME);
}

BA_DETOUR_TARGET static void at_pause(void *state)
{
	pass(state, PAUSE);
}

BA_DETOUR_TARGET static void at_finish(void *state)
{
	pass(state, FINISH);
}

static void run_library(void)
{
	now.rc = ba_google_run(&now.runs, now.name, now.iterations, 1, 0, now.err);
	now.is_over = true;
}

static void step(void)
{
	swapcontext(&now.host, &now.library);
}

int ba_google_step(const char *name, double *iterations,
	void (*loop)(void *data, void (*step)(void)), void *data, ba_error *err)
{
	static void (*const to[POINTS])(void *) = {at_start, at_resume, at_pause, at_finish};
	char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (stack == MAP_FAILED)
		return ba_fail_errno(err, BA_EIO, "memory for a stack");
	for (size_t i = 0; i < POINTS; i++)
		points[i].to = (void *)to[i];
	now.name = name;
	now.iterations = (uint64_t)*iterations;
	now.err = err;
	now.counts = now.first_ended = now.is_over = false;
	getcontext(&now.library);
	now.library.uc_stack = (stack_t){.ss_sp = stack, .ss_size = STACK_BYTES};
	now.library.uc_link = &now.host;
	makecontext(&now.library, run_library, 0);
	detour(true);
	while (!now.is_over)
		if (now.counts)
			loop(data, step);
		else
			step();
	if (!now.first_ended)
		detour(false);
	munmap(stack, STACK_BYTES);
	*iterations = now.runs.count ? now.runs.rows[0].iterations : 0;
	int rc = now.rc;
	if (rc == 0 && now.runs.message)
		rc = ba_fail(err, BA_EVARIANT, "%s", now.runs.message);
	ba_google_runs_dispose(&now.runs);
	return rc;
}
