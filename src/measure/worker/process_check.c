#include "worker/process_check.h"

#include <dirent.h>

#include "proc/proc.h"

/* ---- the state of the process ---- */

/* What differs, each as part of a sentence: "moved its process to other processors". */
typedef struct state_change {
	ba_buf unfair;	/* harms the measurement, of others or its own */
	ba_buf harmful; /* harms others in the process */
	ba_buf notable;
	bool threads; /* the call left some running */
} state_change;

BA_OWNS_HERE(state_change, c, BA_DISPOSE(ba_buf, &c->unfair, &c->harmful, &c->notable))

static unsigned count_threads(void)
{
	unsigned n = 0;
	DIR *tasks = opendir("/proc/self/task");
	if (!tasks)
		return 0;
	for (const struct dirent *e; (e = readdir(tasks));)
		n += e->d_name[0] != '.';
	closedir(tasks);
	return n;
}

/* "7f..-7f.. r-xp 00000000 00:00 0 ": executable, of inode 0, and not the kernel's */
static uint64_t count_loose_code(void)
{
	char line[512];
	uint64_t total = 0;
	FILE *maps = fopen("/proc/self/maps", "re");
	while (maps && fgets(line, sizeof(line), maps)) {
		uint64_t from, to, inode;
		const char *rights = strchr(line, ' ');
		/* few lines have code, and parsing takes longest */
		if (rights && strnlen(rights, 4) == 4 && rights[3] == 'x' &&
			sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %" SCNu64, &from, &to,
				&inode) == 3 &&
			inode == 0 && !strstr(line, "[v"))
			total += to - from;
	}
	if (maps)
		fclose(maps);
	return total;
}

static void take_state(ba_process_state *out)
{
	static const int timers[BA_PROCESS_STATE_TIMERS] = {
		ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
	*out = (ba_process_state){.threads = count_threads(),
		.priority = ba_priority_now(),
		.loose_code = count_loose_code()};
	ba_affinity_allowed(&out->cpus, NULL);
	for (int s = 1; s < BA_PROCESS_STATE_SIGNALS; s++) {
		struct sigaction a = {0};
		if (sigaction(s, NULL, &a))
			continue;
		out->signals[s].handler = (uintptr_t)a.sa_sigaction;
		out->signals[s].flags = a.sa_flags;
	}
	for (int i = 0; i < BA_PROCESS_STATE_TIMERS; i++) {
		struct itimerval v = {0};
		getitimer((__itimer_which_t)timers[i], &v);
		out->timers[i] = v.it_value.tv_sec || v.it_value.tv_usec;
	}
}

__attribute__((format(printf, 2, 3))) static void say(ba_buf *out, const char *fmt, ...)
{
	BA_FORMATTED(text, fmt);
	ba_buf_printf(out, "%s%s", out->len ? " and " : "", text);
}

static void compare_signals(
	ba_buf *out, const ba_process_state *before, const ba_process_state *after)
{
	BA_AUTO(ba_buf) ba_buf names = BA_BUF_INIT;
	for (int s = 1; s < BA_PROCESS_STATE_SIGNALS; s++) {
		if (before->signals[s].handler == after->signals[s].handler &&
			before->signals[s].flags == after->signals[s].flags)
			continue;
		const char *name = ba_signal_name(s);
		ba_buf_printf(&names, "%s%s%s", names.len ? ", " : "", name ? "SIG" : "signal ",
			name ? name : "");
		if (!name)
			ba_buf_printf(&names, "%d", s);
	}
	if (names.len)
		say(out, "changed what happens at %s", names.data);
}

static void compare_states(
	state_change *out, const ba_process_state *before, const ba_process_state *after)
{
	*out = (state_change){0};
	if (memcmp(&before->cpus, &after->cpus, sizeof(before->cpus)) != 0)
		say(&out->unfair, "changed the processors that it may run on");
	ba_priority a = before->priority, b = after->priority;
	if (a.nice != b.nice || a.policy != b.policy || a.realtime != b.realtime)
		say(&out->unfair, "changed its priority");
	compare_signals(&out->harmful, before, after);
	for (int i = 0; i < BA_PROCESS_STATE_TIMERS; i++)
		if (after->timers[i] && !before->timers[i])
			say(&out->harmful, "started a timer of the process");
	out->threads = before->threads && after->threads > before->threads;
	if (out->threads)
		say(&out->notable, "left %u thread%s running", after->threads - before->threads,
			after->threads - before->threads == 1 ? "" : "s");
	if (after->loose_code > before->loose_code)
		say(&out->notable, "made %" PRIu64 " KiB of executable memory that no file backs",
			(after->loose_code - before->loose_code) >> 10);
}

static int64_t cpu_ns(clockid_t clock)
{
	struct timespec t = {0};
	clock_gettime(clock, &t);
	return t.tv_sec * BA_SECOND + t.tv_nsec;
}

int64_t ba_process_state_own_cpu_ns(void)
{
	return cpu_ns(CLOCK_THREAD_CPUTIME_ID);
}

int64_t ba_process_state_others_cpu_ns(void)
{
	return cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - ba_process_state_own_cpu_ns();
}

/* ---- the checks ---- */

#define BUSY_LEAST_NS (5 * BA_MS)
#define BUSY_PART 10 /* a tenth of the time of our thread */

void ba_process_check_begin(ba_process_check *c)
{
	take_state(&c->before);
	ba_process_check_begin_measuring(c);
}

void ba_process_check_begin_measuring(ba_process_check *c)
{
	c->own_ns = ba_process_state_own_cpu_ns();
	c->others_ns = ba_process_state_others_cpu_ns();
}

/* Says it once a process. */
static void note_once(ba_worker *w, int variant, ba_phase phase, const char *what)
{
	BA_AUTO_FREE char *text =
		ba_xprintf("%s %s %s", w->libs[variant].label, what, ba_phase_text(phase));
	if (!w->speaks || ba_strv_has(&w->noted, text))
		return;
	ba_strv_push(&w->noted, text);
	ba_worker_note(w, "%s", text);
}

int ba_process_check_end(
	const ba_process_check *c, ba_worker *w, int variant, ba_phase phase, ba_error *err)
{
	ba_process_state after;
	bool own;
	BA_AUTO(state_change) state_change change;
	BA_AUTO_FREE char *code = ba_process_code_changed(&w->code, variant, NULL, &own);
	take_state(&after);
	compare_states(&change, &c->before, &after);
	if (change.threads)
		w->left_threads = variant;
	if (change.notable.len)
		note_once(w, variant, phase, change.notable.data);
	if (own)
		note_once(w, variant, phase, "changed code of its own");
	const char *where = ba_phase_text(phase);
	if (code) {
		w->certain = w->lost = true;
		return ba_fail(err, BA_EVARIANT, "changed %s %s", code, where);
	}
	if (change.unfair.len) {
		w->certain = true;
		/* the variants that follow get the processors and the priority of before */
		if (ba_affinity_set(&c->before.cpus) || ba_priority_set(c->before.priority))
			w->lost = true;
		return ba_fail(err, BA_EVARIANT, "%s %s", change.unfair.data, where);
	}
	/* alone in its process, it harms only itself */
	if (change.harmful.len && w->lib_count > 1)
		return ba_fail(err, BA_EVARIANT, "%s %s", change.harmful.data, where);
	return 0;
}

static int busy(const ba_process_check *c, int *variant, const ba_worker *w, ba_error *err)
{
	int64_t others = ba_process_state_others_cpu_ns() - c->others_ns;
	int64_t own = ba_process_state_own_cpu_ns() - c->own_ns;
	if (w->lib_count == 1 || others < BUSY_LEAST_NS || others < own / BUSY_PART)
		return 0;
	*variant = w->left_threads >= 0 ? w->left_threads : w->last_launched;
	return ba_fail(err, BA_EVARIANT,
		"threads that were not the tool's took %" PRId64
		" ms of processor time while launches took %" PRId64 " ms",
		others / BA_MS, own / BA_MS);
}

int ba_process_check_measured(const ba_process_check *c, int *variant, ba_worker *w, ba_error *err)
{
	bool own;
	int owner = BA_BEACON_NOBODY;
	/* alone in its process, it may change its own code */
	int except = w->lib_count == 1 ? 0 : BA_PROCESS_CODE_ALL;
	BA_AUTO_FREE char *code = ba_process_code_changed(&w->code, except, &owner, &own);
	if (!code)
		return busy(c, variant, w, err);
	w->lost = true;
	*variant = owner == BA_BEACON_NOBODY ? w->last_launched : owner;
	return ba_fail(err, BA_EVARIANT, "%s was changed while launches were measured", code);
}
