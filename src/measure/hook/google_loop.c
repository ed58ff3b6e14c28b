/*
 * Runs a benchmark so that its loop is a function that can be called: on a stack of its own, which is
 * left where the loop begins or goes on, and where it pauses or ends. Only where no clock runs: the
 * detours are not safe with threads, and take microseconds.
 */
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "hook/google.h"
#include "hook/printed.h"
#include "hook/symbols.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define STACK_BYTES ((size_t)64 << 20)

enum { START, RESUME, PAUSE, FINISH, POINTS };

static ba_detour points[POINTS];

static struct {
	ucontext_t host, library;
	const char *name;
	uint64_t iterations;
	ba_google_runs runs;
	ba_error why;
	int rc;
	char *stack; /* NULL: no benchmark is on it */
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
	now.rc = ba_google_run(&now.runs, now.name, now.iterations, 1, 0, &now.why);
	now.is_over = true;
}

/* The next step() begins a run of the benchmark. */
static int begin(const char *name, uint64_t iterations, ba_error *err)
{
	char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (stack == MAP_FAILED)
		return ba_fail_errno(err, BA_EIO, "memory for a stack");
	now.stack = stack;
	now.name = name;
	now.iterations = iterations;
	now.counts = now.first_ended = now.is_over = false;
	getcontext(&now.library);
	now.library.uc_stack = (stack_t){.ss_sp = stack, .ss_size = STACK_BYTES};
	now.library.uc_link = &now.host;
	makecontext(&now.library, run_library, 0);
	return 0;
}

/* The iterations that there were are those of the first run. */
static int end(double *iterations, ba_error *err)
{
	int rc = now.rc;
	munmap(now.stack, STACK_BYTES);
	now.stack = NULL;
	*iterations = now.runs.count ? now.runs.rows[0].iterations : 0;
	if (rc)
		ba_fail(err, rc, "%s", now.why.text);
	else if (now.runs.message)
		rc = ba_fail(err, BA_EVARIANT, "%s", now.runs.message);
	ba_google_runs_dispose(&now.runs);
	return rc;
}

static void step(void)
{
	swapcontext(&now.host, &now.library);
}

int ba_google_step(const char *name, double *iterations,
	void (*loop)(void *data, void (*step)(void)), void *data, ba_error *err)
{
	static void (*const to[POINTS])(void *) = {at_start, at_resume, at_pause, at_finish};
	BA_TRY(begin(name, (uint64_t)*iterations, err));
	for (size_t i = 0; i < POINTS; i++)
		points[i].to = (void *)to[i];
	detour(true);
	while (!now.is_over)
		if (now.counts)
			loop(data, step);
		else
			step();
	if (!now.first_ended)
		detour(false);
	return end(iterations, err);
}

/* ---- held before its loop ---- */

BA_DETOUR_TARGET static void at_hold(void *state)
{
	leave(false);
	((void (*)(void *))points[START].from)(state);
}

int ba_google_hold(const char *name, uint64_t iterations, ba_error *err)
{
	double done;
	struct stat tasks;
	/* a folder has two links more than folders in it: one for each thread */
	if (stat("/proc/self/task", &tasks) || tasks.st_nlink != 3 || !ba_google_can_step(name) ||
		strstr(name, "/repeats:"))
		return ba_fail(err, BA_EUNSUPPORTED, "its process cannot be copied");
	BA_TRY(begin(name, iterations, err));
	points[START].to = (void *)at_hold;
	ba_detour_set(&points[START]);
	step();
	ba_detour_remove(&points[START]);
	if (now.is_over) {
		BA_TRY(end(&done, err));
		return ba_fail(err, BA_EVARIANT, "it ended without a loop");
	}
	return 0;
}

/* Pages that are copied when the loop first writes to them would take its time. Our stack is mostly
 * empty. */
static void copy_memory(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	uintptr_t from, to;
	char mode[5], line[512];
	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &from, &to, mode) == 3 &&
			strcmp(mode, "rw-p") == 0 && from != (uintptr_t)now.stack)
			madvise((void *)from, to - from, MADV_POPULATE_WRITE);
	if (maps)
		fclose(maps);
}

/* Its exit status is the time in ms that copying took the processor. */
static _Noreturn void run_copy(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	copy_memory();
	double ms = 1e3 * (double)clock() / CLOCKS_PER_SEC;
	while (!now.is_over)
		step();
	_exit((int)fmin(ms, 255));
}

int ba_google_run_held(ba_google_runs *out, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int status = 0;
	/* what the library prints comes here, from the copy, too */
	if (ftruncate(STDOUT_FILENO, 0) || lseek(STDOUT_FILENO, 0, SEEK_SET))
		return ba_fail_errno(err, BA_EIO, "memory for the program's output");
	pid_t child = fork();
	if (child == 0)
		run_copy();
	if (child < 0)
		return ba_fail_errno(err, BA_EIO, "fork");
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		return ba_fail(err, BA_EVARIANT, "the benchmark ended its process by signal %d",
			WTERMSIG(status));
	out->wall_ns = (uint64_t)WEXITSTATUS(status) * 1000000;
	ba_paper_read(&text, STDOUT_FILENO);
	return ba_google_read(out, &text, now.name, err);
}

void ba_google_let_go(void)
{
	double done;
	if (!now.stack)
		return;
	while (!now.is_over)
		step();
	end(&done, NULL);
}
