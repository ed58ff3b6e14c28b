/*
 * Builds of a search: processes beside the steps, of one commit each, at most b->builders
 * at the same time.
 *
 * What the next step measures is built first. A slot that is idle then, and every slot
 * while a step runs that times nothing on this host, builds what later steps will probably
 * need. Trees are cached, so that a step finds them; one whose build was ended is dropped
 * by the process that made it, or by the next run if that was killed.
 */

#include "bisect/internal.h"

/* AHEAD_MOST: most commits built ahead during one step */
enum { LANES_MOST = 32, AHEAD_MOST = 16, QUEUE_MOST = 64 };
/* A shorter build does not justify a process. */
#define BUILD_LEAST_SECONDS 0.5
/* when and how often progress is reported */
#define SAY_AFTER_NS (3 * BA_SECOND)
#define SAY_EVERY_NS (30 * BA_SECOND)

typedef struct lane {
	size_t commit;
	int64_t began_ns;
	bool ahead; /* it began before a step needed it */
} lane;

struct ba_bisect_builds {
	ba_proc *procs[LANES_MOST + 1]; /* the last is the step; NULL: idle */
	lane lanes[LANES_MOST];
	size_t queue[QUEUE_MOST];
	size_t count, next;
	size_t needed; /* the first so many of the queue are for the next step */
	bool alone;    /* no build may run beside the step */
};

ba_bisect_builds *ba_bisect_builds_new(void)
{
	return ba_xcalloc(1, sizeof(ba_bisect_builds));
}

static bool is_built(const ba_bisect_commit *c)
{
	return *c->build || c->ahead;
}

/* ---- one build ---- */

static size_t place_in_queue(const ba_bisect_builds *s, size_t commit)
{
	size_t i = 0;
	while (i < s->count && s->queue[i] != commit)
		i++;
	return i;
}

static void take_end(ba_bisect *b, size_t i)
{
	ba_bisect_builds *s = b->builds;
	const lane *l = &s->lanes[i];
	double seconds = ba_seconds_since(l->began_ns);
	if (ba_proc_result_ok(ba_proc_result_of(s->procs[i]))) {
		b->commits[l->commit].ahead = l->ahead;
		if (seconds > b->build_seconds)
			b->build_seconds = seconds;
	} else if (place_in_queue(s, l->commit) < s->needed) {
		/* the step builds it again, and uses all slots */
		s->alone = true;
	}
	ba_proc_free(BA_TAKE(s->procs[i]));
}

/* False if it cannot be started; the step will report the reason. */
static bool start(ba_bisect *b, size_t i, size_t commit, bool ahead)
{
	ba_bisect_builds *s = b->builds;
	const size_t pair[] = {0, commit};
	BA_AUTO(ba_strv) ba_strv first = {0}, argv = {0};
	BA_STRV_PUSH(&first, "--prebuild", ahead ? "ahead" : "now");
	ba_bisect_argv(&argv, b, &first, NULL, NULL, pair, 2);
	const ba_proc_spec spec = {.name = "a build",
		.argv = (const char *const *)argv.items,
		.dir = b->request.start_dir,
		.out = {BA_OUTPUT_NULL, 0},
		.err = {BA_OUTPUT_NULL, 0}};
	s->lanes[i] = (lane){.commit = commit, .began_ns = ba_now_ns(), .ahead = ahead};
	return ba_proc_start(&s->procs[i], &spec, NULL) == 0;
}

/* ---- all of them ---- */

static bool is_running(const ba_bisect_builds *s, size_t commit)
{
	return BA_ANY(s->lanes, LANES_MOST, l, s->procs[l - s->lanes] && l->commit == commit);
}

static bool needs_more(const ba_bisect_builds *s)
{
	return s->next < s->needed ||
	       BA_ANY(s->lanes, LANES_MOST, l,
		       s->procs[l - s->lanes] && place_in_queue(s, l->commit) < s->needed);
}

static void fill(ba_bisect *b)
{
	ba_bisect_builds *s = b->builds;
	for (size_t i = 0; i < b->builders && i < LANES_MOST; i++)
		while (!s->procs[i] && s->next < s->count && !(s->alone && s->next >= s->needed)) {
			size_t commit = s->queue[s->next++];
			bool ahead = s->next > s->needed;
			if (!is_built(&b->commits[commit]) && !is_running(s, commit))
				s->alone = !start(b, i, commit, ahead) || s->alone;
		}
}

static void push(ba_bisect_builds *s, const ba_bisect *b, size_t commit)
{
	const ba_bisect_commit *c = &b->commits[commit];
	if (s->count < QUEUE_MOST && !is_built(c) && !c->failure &&
		place_in_queue(s, commit) == s->count)
		s->queue[s->count++] = commit;
}

static bool is_idle(const ba_bisect_builds *s, size_t i)
{
	return !s->procs[i] || place_in_queue(s, s->lanes[i].commit) >= s->count;
}

/* Chooses the running builds to keep: those for the step, and others while more slots
 * are left than the builds that the step waits for need. */
static void choose_kept(bool keep[LANES_MOST], const ba_bisect_builds *s, size_t slots)
{
	size_t waiting = 0, left = slots;
	for (size_t q = 0; q < s->needed; q++)
		waiting += !is_running(s, s->queue[q]);
	for (size_t i = 0; i < LANES_MOST; i++) {
		keep[i] = s->procs[i] && place_in_queue(s, s->lanes[i].commit) < s->needed;
		left -= keep[i];
	}
	for (size_t i = 0; i < LANES_MOST; i++)
		if (!keep[i] && !is_idle(s, i) && waiting < left) {
			keep[i] = true;
			left--;
		}
}

static void end_others(ba_bisect *b, const bool keep[LANES_MOST])
{
	ba_bisect_builds *s = b->builds;
	for (size_t i = 0; i < LANES_MOST; i++)
		if (s->procs[i] && !keep[i])
			ba_proc_kill(s->procs[i], GRACE_NS);
	for (size_t i = 0; i < LANES_MOST; i++)
		if (s->procs[i] && !keep[i]) {
			ba_proc_wait(s->procs[i], 2 * GRACE_NS, NULL);
			take_end(b, i);
		}
}

void ba_bisect_end_builds(ba_bisect *b)
{
	const bool none[LANES_MOST] = {false};
	end_others(b, none);
	b->builds->count = b->builds->next = b->builds->needed = 0;
}

static void plan(ba_bisect *b, ba_bisect_phase_name phase, const ba_step_choice *chosen)
{
	size_t ahead[AHEAD_MOST];
	bool keep[LANES_MOST];
	ba_bisect_builds *s = b->builds;
	s->count = s->next = 0;
	for (size_t i = 0; i < chosen->count; i++)
		push(s, b, chosen->commits[i]);
	s->needed = s->count;
	size_t found = ba_bisect_choose_ahead(ahead, AHEAD_MOST, b, phase, chosen);
	for (size_t i = 0; i < found; i++)
		push(s, b, ahead[i]);
	choose_kept(keep, s, b->builders < LANES_MOST ? b->builders : LANES_MOST);
	end_others(b, keep);
	s->alone = false;
}

/* Builds do not affect counts, but they may affect times. */
static bool is_timed_here(const ba_bisect *b, ba_bisect_phase_name phase)
{
	bool counts = phase == BA_BISECT_COUNTS || ba_metric_get(b->metric)->counted;
	return b->timed_here && (!counts || b->kind == BA_SUITE_COMMAND);
}

void ba_bisect_begin_doing(ba_bisect *b, char *what)
{
	ba_text_own(&b->doing, what);
	b->began_ns = ba_now_ns();
	b->said_ns = 0;
}

static void say_progress(ba_bisect *b)
{
	int64_t now = ba_now_ns(), seconds = (now - b->began_ns) / BA_SECOND;
	if (!b->doing || now - b->began_ns < SAY_AFTER_NS ||
		(b->said_ns && now - b->said_ns < SAY_EVERY_NS))
		return;
	b->said_ns = now;
	ba_log_printf(b->request.log, BA_LOG_INFO, "%s (%" PRId64 ":%02" PRId64 " so far)",
		b->doing, seconds / 60, seconds % 60);
}

int ba_bisect_builds_poll(ba_bisect *b, ba_proc *step, int64_t timeout_ns, ba_error *err)
{
	ba_bisect_builds *s = b->builds;
	int64_t until = ba_now_ns() + timeout_ns;
	size_t i = 0;
	int rc = 0;
	s->procs[LANES_MOST] = step;
	say_progress(b);
	do {
		int64_t left = until - ba_now_ns();
		fill(b);
		rc = ba_proc_poll(&i, s->procs, LANES_MOST + 1, left > 0 ? left : 0, err);
		if (rc == 0 && i < LANES_MOST)
			take_end(b, i);
	} while (rc == 0 && i < LANES_MOST && step);
	s->procs[LANES_MOST] = NULL;
	return rc;
}

int ba_bisect_build(
	ba_bisect *b, ba_bisect_phase_name phase, const ba_step_choice *chosen, ba_error *err)
{
	ba_bisect_builds *s = b->builds;
	const volatile sig_atomic_t *stop = b->request.stop;
	int64_t began = ba_now_ns();
	if (b->request.no_build || b->request.no_build_ahead || !b->builders ||
		b->build_seconds < BUILD_LEAST_SECONDS)
		return 0;
	plan(b, phase, chosen);
	fill(b);
	while (needs_more(s)) {
		ba_bisect_builds_poll(b, NULL, STOP_LOOK_NS, err);
		if (stop && *stop) {
			ba_bisect_end_builds(b);
			return ba_fail(err, BA_EINTERRUPTED, "interrupted");
		}
	}
	if (s->alone || is_timed_here(b, phase))
		ba_bisect_end_builds(b);
	b->seconds += ba_seconds_since(began);
	return 0;
}
