/* Answers requests about the benchmarks of Google Benchmark. */
#include <sched.h>

#include "counter/trace.h"
#include "hook/google.h"
#include "hook/serve.h"

#define WARM_UP_NS 5e7	  /* longest warm-up */
#define SETUP_NS_MOST 2e7 /* a run is as long as its setup, up to this */
#define SLOWEST_NS 20.0	  /* an instruction takes less */
#define DIFFERENT_MOST 4u

static struct {
	char *name;
	double iteration_ns;
	uint64_t least; /* iterations of a run */
	uint64_t held;	/* iterations of a function that is held before its loop; 0: none is */
	cpu_set_t all;	/* the processors that the process had at first */
} now;

/* ---- names say how a benchmark is timed ---- */

static bool has_part(const char *name, const char *part)
{
	size_t size = strlen(part);
	for (const char *at = name; (at = strstr(at, part)); at += size)
		if (at[size] == '\0' || at[size] == '/')
			return true;
	return false;
}

static bool is_real(const char *name)
{
	return has_part(name, "/real_time") || has_part(name, "/manual_time");
}

static double time_of(const char *name, const ba_google_row *row)
{
	bool cpu = has_part(name, "/process_time") && !is_real(name);
	return fmax(cpu ? row->cpu_ns : row->real_ns, 1e-3);
}

/* Its threads must not share the processor that one thread is pinned to. */
static bool is_parallel(const char *name)
{
	const char *threads = strstr(name, "/threads:");
	bool several = threads && strcmp(threads, "/threads:1") != 0;
	return several || has_part(name, "/process_time");
}

/* Of a function that is held, one run. */
static int run(ba_google_runs *out, uint64_t iterations, unsigned runs, ba_error *err)
{
	if (now.held)
		return ba_google_run_held(out, err);
	cpu_set_t before;
	bool spreads = is_parallel(now.name) && !sched_getaffinity(0, sizeof(before), &before) &&
		       !sched_setaffinity(0, sizeof(now.all), &now.all);
	int rc = ba_google_run(out, now.name, iterations, runs, now.iteration_ns, err);
	if (spreads)
		sched_setaffinity(0, sizeof(before), &before);
	return rc;
}

static int run_well(ba_google_runs *out, uint64_t iterations, unsigned runs, ba_error *err)
{
	BA_TRY(run(out, iterations, runs, err));
	return out->message ? ba_fail(err, BA_EVARIANT, "%s", out->message) : 0;
}

/* ---- requests ---- */

static void list(void)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	const ba_strv none = {0};
	ba_google_list(&names);
	for (size_t i = 0; i < names.count; i++) {
		BA_AUTO(ba_strv) ba_strv modes = {0};
		ba_strv_push(&modes, "submit");
		if (ba_google_can_step(names.items[i]))
			ba_strv_push(&modes, "instructions");
		BA_HOOK_REPLY("benchmark", BA_SAY_TEXT("name", names.items[i]),
			BA_SAY_TEXTS("axes", none), BA_SAY_TEXTS("kinds", none),
			BA_SAY_U64S("value_counts", NULL, 0), BA_SAY_TEXTS("values", none),
			BA_SAY_TEXTS("modes", modes));
	}
}

/* A power of two, so that variants agree. */
static uint64_t iterations_in(double ns)
{
	return (uint64_t)exp2(floor(log2(fmax(1, ns / now.iteration_ns))));
}

static void take_times(ba_google_row *row, const ba_google_runs *runs)
{
	*row = runs->rows[0];
	now.iteration_ns = time_of(now.name, row);
}

static void let_go(void)
{
	ba_google_let_go();
	now.held = 0;
}

/* From now on one set-up, a long one, serves all runs of so many iterations. False: a new one for each
 * is not much slower, or this process cannot be copied. */
static bool hold(ba_google_row *row, uint64_t iterations)
{
	BA_AUTO(ba_google_runs) ba_google_runs warm = {0};
	int64_t start = ba_now_ns();
	let_go();
	if (is_parallel(now.name) || ba_google_hold(now.name, iterations, NULL))
		return false;
	double setup = (double)(ba_now_ns() - start);
	now.held = iterations;
	if (setup > SETUP_NS_MOST && run(&warm, 0, 1, NULL) == 0 && warm.count) {
		take_times(row, &warm);
		if ((double)warm.wall_ns < setup / 2)
			return true;
	}
	let_go();
	return false;
}

/* One iteration tells how many make a warm-up; that tells how long setup takes. */
static int warm_up(ba_google_row *row, uint64_t wanted, ba_google_runs *first, ba_error *err)
{
	BA_AUTO(ba_google_runs) ba_google_runs warm = {0};
	take_times(row, first);
	for (unsigned i = 0; i < 2 && (double)first->wall_ns > SETUP_NS_MOST; i++) {
		/* a first iteration may take much longer than others, and a short loop is cold */
		now.least = iterations_in(SETUP_NS_MOST);
		if (now.held != now.least && !hold(row, now.least))
			break;
	}
	if (now.held)
		return 0;
	double runs = fmin((double)wanted, WARM_UP_NS / now.iteration_ns);
	BA_TRY(run_well(&warm, (uint64_t)fmax(1, runs), 1, err));
	take_times(row, &warm);
	double setup = (double)warm.wall_ns / (double)warm.count - row->iterations * row->real_ns;
	now.least = iterations_in(fmin(setup, SETUP_NS_MOST));
	return 0;
}

/* The library divides by the time that decides for it. */
static void reply_prepared(const ba_google_row *row)
{
	double seconds = (is_real(now.name) ? row->real_ns : row->cpu_ns) / 1e9;
	/* whole numbers but for rounding, which would make variants differ */
	ba_hook_prepared(
		nearbyint(row->bytes * seconds), 0, nearbyint(row->items * seconds), now.least);
}

static int prepare_named(const ba_message *m, ba_error *err)
{
	uint64_t wanted = 1;
	BA_AUTO(ba_google_runs) ba_google_runs first = {0};
	ba_google_row row = {0};
	now.least = 0;
	BA_TRY(ba_message_has(m, "warm_up") ? ba_message_u64(&wanted, m, "warm_up", err) : 0);
	BA_TRY(ba_message_has(m, "runs") ? ba_message_u64(&now.least, m, "runs", err) : 0);
	if (now.least && hold(&row, now.least)) {
		reply_prepared(&row);
		return 0;
	}
	now.iteration_ns = 1;
	BA_TRY(run(&first, 1, 1, err));
	if (first.message && first.failed)
		return ba_fail(err, BA_EVARIANT, "%s", first.message);
	if (first.message) {
		ba_hook_skip(first.message);
		return 0;
	}
	/* those that are the same in a second run: others follow the time */
	if (first.counters.count) {
		BA_TRY(run_well(&first, 1, 1, err));
		BA_HOOK_REPLY("counters", BA_SAY_TEXTS("names", first.counters),
			BA_SAY_TEXTS("values", first.counted));
	}
	BA_TRY(warm_up(&row, wanted, &first, err));
	reply_prepared(&row);
	return 0;
}

static void prepare(const ba_message *m)
{
	ba_error why;
	let_go();
	ba_text_replace(&now.name, ba_message_text(m, "name"));
	if (prepare_named(m, &why))
		ba_hook_fail("%s", why.text);
}

/* Runs until there are enough readings; the first is left out if some are to be discarded. */
static int read_times(uint64_t *ns, const ba_hook_sizes *q, ba_error *err)
{
	/* the host's number is the same for all variants */
	uint64_t iterations = q->batch >= now.least / 8 ? q->batch : now.least, have = 0;
	bool skip = q->discard > 0;
	unsigned runs = (unsigned)q->readings + skip;
	ba_google_row row;
	if (now.held && now.held != iterations)
		hold(&row, iterations);
	while (have < q->readings) {
		BA_AUTO(ba_google_runs) ba_google_runs v = {0};
		BA_TRY(run_well(&v, iterations, runs, err));
		for (size_t i = skip && v.count > 1; i < v.count && have < q->readings; i++)
			ns[have++] = (uint64_t)fmax(
				1, time_of(now.name, &v.rows[i]) * (double)q->batch + 0.5);
		skip = false;
	}
	return 0;
}

static void measure(const ba_message *m)
{
	ba_hook_sizes q;
	ba_error why;
	if (!ba_hook_sizes_of(&q, m))
		return;
	BA_AUTO_FREE uint64_t *ns = ba_xcalloc(q.readings, sizeof(*ns));
	if (!now.name)
		ba_hook_fail("message 'measure' before 'prepare'");
	else if (read_times(ns, &q, &why))
		ba_hook_fail("%s", why.text);
	else
		BA_HOOK_REPLY("measured", BA_SAY_U64S("ns", ns, q.readings));
}

/* ---- instructions of an iteration ---- */

/* The addresses of one loop, paused parts left out. */
typedef struct steps {
	ba_counter *counter;
	uint64_t most;
	uint64_t *addresses;
	size_t n;
	int rc;
	ba_error *err;
} steps;

static void count_part(void *data, void (*step)(void))
{
	steps *s = data;
	const ba_counter_call call = {.function = step};
	ba_counted part;
	ba_error why;
	int rc = ba_counter_run(&part, s->counter, &call, &why);
	if (rc && s->rc == 0)
		s->rc = part.instructions > s->most
				? ba_fail(s->err, BA_EUNSUPPORTED,
					  "two iterations execute more than %" PRIu64
					  " instructions (--count-most)",
					  s->most)
				: ba_fail(s->err, rc, "an iteration %s", why.text);
	if (rc)
		return;
	s->addresses =
		ba_xreallocarray(s->addresses, s->n + part.instructions + 1, sizeof(*s->addresses));
	if (part.addresses)
		memcpy(s->addresses + s->n, part.addresses,
			part.instructions * sizeof(*s->addresses));
	s->n += part.instructions;
}

static int count_loop(steps *s, double *iterations, ba_error *err)
{
	s->err = err;
	BA_TRY(ba_google_step(now.name, iterations, count_part, s, err));
	return s->rc;
}

/* What a loop with one more iteration (or batch) executes more, at the place where the two part. So
 * neither the beginning of a loop nor its end is counted. With Iterations(n) in the source there is
 * one length, which is counted as a whole. */
static int count_one(uint64_t *out, ba_counter *c, uint64_t most, ba_trace_file *f, ba_error *err)
{
	steps one = {.counter = c, .most = most}, two = one;
	double first = 1, second = 0;
	int rc = count_loop(&one, &first, err);
	second = first + 1;
	rc = rc ? rc : count_loop(&two, &second, err);
	bool fixed = rc == 0 && second <= first;
	size_t at = 0, n = fixed ? one.n : two.n - one.n;
	while (rc == 0 && !fixed && at < one.n && one.addresses[at] == two.addresses[at])
		at++;
	if (rc == 0 && !fixed && two.n <= one.n)
		rc = ba_fail(err, BA_EUNSUPPORTED,
			"two iterations execute no more instructions than one");
	if (rc == 0) {
		ba_counted counted = {.instructions = n, .addresses = two.addresses + at};
		*out = n;
		ba_trace_add(f, &counted);
	}
	BA_FREE(one.addresses, two.addresses);
	return rc;
}

/* Two that are equal, or some that are not. */
static bool are_enough(const uint64_t *counts, size_t n, uint64_t calls)
{
	bool equal = n >= 2 && counts[0] == counts[1];
	return n >= calls || equal || n >= DIFFERENT_MOST;
}

static int count_calls(uint64_t *counts, size_t *n, const ba_count_order *q, ba_error *err)
{
	ba_counter *c = NULL;
	BA_AUTO(ba_google_runs) ba_google_runs warm = {0};
	if (now.iteration_ns > SLOWEST_NS * (double)q->most)
		return ba_fail(err, BA_EUNSUPPORTED,
			"an iteration takes %.3g ms, and up to %" PRIu64
			" instructions are counted (--count-most)",
			now.iteration_ns / 1e6, q->most);
	if (q->warm_up)
		BA_TRY(run_well(&warm, q->warm_up, 1, err));
	BA_TRY(ba_counter_open(&c, (ba_counter_way)q->counter, 2 * q->most, err));
	BA_AUTO_PTR(ba_trace_file) ba_trace_file *f = ba_trace_create(q->trace);
	int rc = 0;
	while (rc == 0 && !are_enough(counts, *n, q->calls)) {
		rc = count_one(&counts[*n], c, 2 * q->most, f, err);
		*n += rc == 0;
	}
	ba_counter_free(c);
	return rc ? rc : ba_trace_write(f, err);
}

/* ---- what an iteration asks of the driver ---- */

typedef struct watching {
	ba_census *census;
	const char *tree;
} watching;

static void watch_part(void *data, void (*step)(void))
{
	const watching *w = data;
	ba_census_enter(w->census, w->tree);
	step();
	ba_census_leave(w->census, 0);
}

/* The places are those of one more iteration. */
static int watch_loops(ba_census *c, double calls, double warm_up, ba_error *err)
{
	watching silent = {c, NULL}, told = {c, ba_hook_tree()};
	const double iterations[] = {warm_up, calls, 1};
	for (size_t i = 0; i < BA_COUNT(iterations); i++) {
		double n = iterations[i];
		BA_TRY(ba_google_step(now.name, &n, watch_part, i == 2 ? &told : &silent, err));
		if (i == 0)
			memset(c->counts, 0, sizeof(c->counts));
		else
			c->calls += (uint64_t)n;
	}
	return 0;
}

static void take_census(const ba_count_order *q)
{
	ba_census *c = ba_hook_census();
	ba_error why = {0};
	if (!c || !ba_google_can_step(now.name))
		ba_hook_uncounted(c ? "its loop cannot be told from what surrounds it"
				    : "this process was not started for a census");
	else if (watch_loops(c, (double)q->calls, fmax((double)q->warm_up, 1), &why))
		ba_hook_uncounted(why.text);
	else
		ba_hook_counted();
}

static void count(const ba_message *m)
{
	ba_count_order q = {0};
	uint64_t counts[DIFFERENT_MOST];
	size_t n = 0;
	ba_error why = {0};
	let_go();
	int rc = ba_count_order_read(&q, m, &why);
	q.counter = rc || q.census ? 0 : ba_counter_way_from_name(q.way);
	if (rc == 0 && (!now.name || q.counter < 0))
		rc = ba_fail(&why, BA_EPROTOCOL, "message 'count': out of range");
	if (rc == 0 && q.census) {
		take_census(&q);
		return;
	}
	rc = rc ? rc : count_calls(counts, &n, &q, &why);
	if (rc && rc != BA_EUNSUPPORTED && rc != BA_EVARIANT) {
		ba_hook_fail("%s", why.text);
		return;
	}
	BA_HOOK_REPLY("counted", BA_SAY_TEXT("way", ba_counter_way_name((ba_counter_way)q.counter)),
		BA_SAY_U64S("instructions", counts, rc ? 0 : n),
		BA_SAY_TEXT("text", rc ? why.text : ""), BA_SAY_BOOL("fault", rc == BA_EVARIANT));
}

/* ---- the row ---- */

static bool take_over(void)
{
	sched_getaffinity(0, sizeof(now.all), &now.all);
	return ba_google_take_over(ba_hook_serve);
}

const ba_hook_ops ba_hook_google = {
	.word = "google-benchmark",
	.library = "Google Benchmark",
	.trace = "benchmark_list_tests",
	.is_here = ba_google_find,
	.take_over = take_over,
	.missed = " and never called benchmark::RunSpecifiedBenchmarks()",
	.list = list,
	.prepare = prepare,
	.measure = measure,
	.count = count,
};
