/* Counts the instructions of launches and runs, which no clock times meanwhile. */

#include "counter/trace.h"
#include "wire/census.h"
#include "worker/inspect.h"
#include "worker/launches.h"

#define CALLS_MOST 100u
/* Of a call. Of shorter ones the whole run is counted; of others two, if they are equal;
 * of long ones two. */
#define SHORT_CALL 2500u
#define LONG_CALL 20000u
#define DIFFERENT_MOST 4u
/* an instruction takes less: a call that takes so much longer is not tried; wide, for a
 * machine that is busy */
#define SLOWEST_NS 20.0
#define PROBES 3u
#define QUEUE 64u /* launches between two synchronisations */

/* What is called, by launcher or plugin. */
typedef struct target {
	ba_participant *launched; /* or NULL */
	ba_plugin_case *run;	  /* or NULL */
	ba_launcher_config config;
	ba_suite_run once;
	ba_counter_call call;
	cu_stream stream;
	int variant;
} target;

static int read_order(ba_count_order *q, const ba_message *m, ba_error *err)
{
	BA_TRY(ba_count_order_read(q, m, err));
	q->counter = q->census ? 0 : ba_counter_way_from_name(q->way);
	if (q->counter < 0 || q->calls > CALLS_MOST)
		return ba_fail(err, BA_EPROTOCOL, "message 'count': out of range");
	return 0;
}

static void target_run(target *t, ba_plugin_case *c)
{
	t->run = c;
	t->variant = c->variant;
	t->stream = c->stream;
	t->once = (ba_suite_run){
		.abi = BA_SUITE_ABI, .struct_size = sizeof(t->once), .stream = t->stream};
	t->call = (ba_counter_call){(void (*)(void))c->benchmark->run, {c->handle, &t->once}};
}

static void target_launch(target *t, ba_worker *w, ba_participant *p)
{
	t->launched = p;
	t->variant = p->variant;
	t->stream = w->stream;
	t->config = (ba_launcher_config){{1, 1, 1}, {1, 1, 1}, 0, (void *)w->stream};
	t->call =
		(ba_counter_call){(void (*)(void))p->launch, {p->kernel, &t->config, w->now.args}};
}

/* The first variant of this worker, which should have no other. BA_EUNSUPPORTED: it
 * takes no part in what was prepared. */
static int find_target(target *t, ba_worker *w, ba_error *err)
{
	bool plugin = w->plugin_kind;
	if (plugin ? !w->plugin.cases : !w->now.participants)
		return ba_fail(err, BA_EPROTOCOL, "message 'count' before 'prepare'");
	if (plugin ? w->plugin.cases[0].absent
		   : w->now.participants[0].absent || !w->now.participants[0].kernel)
		return ba_fail(err, BA_EUNSUPPORTED, "it does not run here");
	if (plugin)
		target_run(t, &w->plugin.cases[0]);
	else
		target_launch(t, w, &w->now.participants[0]);
	return 0;
}

/* The sentence about a call that did not do its work; 0: it did. */
static int check(ba_worker *w, const target *t, int result, ba_error *err)
{
	ba_fault f = {.launch_rc = result};
	f.driver_rc = w->driver.stream_synchronize(t->stream);
	if (f.launch_rc == 0 && f.driver_rc == 0)
		return ba_worker_check_context(w, t->launched ? "launch()" : "run()", err);
	if (t->launched)
		return ba_kernels_fault(w, t->launched, &f, err);
	return ba_plugin_called(w, t->run, "run()", result, f.driver_rc, err);
}

static int call_target(ba_worker *w, target *t)
{
	return t->launched ? t->launched->launch(t->launched->kernel, &t->config, w->now.args)
			   : ba_plugin_run(w, t->run, 0);
}

static bool is_slow(int64_t ns, uint64_t most)
{
	return (double)ns > SLOWEST_NS * (double)most;
}

/* *fastest_ns: a hint at how many instructions a call has */
static int warm_up(
	ba_worker *w, target *t, uint64_t n, uint64_t most, int64_t *fastest_ns, ba_error *err)
{
	int rc = 0;
	for (uint64_t i = 0; rc == 0 && i < n; i++) {
		/* not hundreds of calls that will not be counted */
		if (i == PROBES && is_slow(*fastest_ns, most))
			return check(w, t, 0, err);
		int64_t start = ba_now_ns();
		int result = call_target(w, t);
		int64_t took = ba_now_ns() - start;
		*fastest_ns = i == 0 || took < *fastest_ns ? took : *fastest_ns;
		if (result || i % QUEUE == 0 || i + 1 == n)
			rc = check(w, t, result, err);
		w->beacon->progress++;
	}
	return rc;
}

typedef struct counts {
	uint64_t values[CALLS_MOST];
	size_t n;
	char *why; /* nothing was counted: the reason */
	bool fault, broken;
	ba_census census; /* taken if it has calls */
} counts;

/* Not counted, and not an error of the variant's work. */
static void give_up(counts *out, const target *t, const ba_error *why)
{
	out->n = 0;
	out->fault = why->code == BA_EVARIANT;
	out->broken = !out->fault && why->code != BA_EUNSUPPORTED;
	const char *what = !out->fault ? "" : t->launched ? "launch() " : "run() ";
	ba_text_own(&out->why, ba_xprintf("%s%s", what, why->text));
}

static int arrived(uint64_t *out, const ba_worker *w, const target *t, ba_error *err)
{
	*out = 0;
	return t->launched ? ba_launches_arrived(out, w, err) : 0;
}

/* A launch that is counted is a launch. */
static int check_arrival(const ba_worker *w, const target *t, uint64_t before, ba_error *err)
{
	uint64_t now;
	int rc = arrived(&now, w, t, err);
	if (rc || !t->launched || now - before == 1)
		return rc;
	return ba_fail(err, BA_EVARIANT, "launched once to count instructions, %" PRIu64 " arrived",
		now - before);
}

static int call_counted(ba_counted *out, bool *stopped, ba_error *why, ba_worker *w, target *t,
	ba_counter *c, ba_error *err)
{
	uint64_t before;
	BA_TRY(arrived(&before, w, t, err));
	*stopped = ba_counter_run(out, c, &t->call, why) != 0;
	w->beacon->progress++;
	int rc = check(w, t, (int)out->result, err);
	return rc || *stopped ? rc : check_arrival(w, t, before, err);
}

/* Finds out without steps, of as many calls; *each: what one has, or 0 if they differ. */
static int count_quickly(uint64_t *each, bool *differ, ba_worker *w, target *t,
	const ba_count_order *q, ba_counter *quick, ba_error *err)
{
	int rc = 0;
	for (uint64_t i = 0; rc == 0 && quick && !*differ && i < q->calls; i++) {
		ba_counted counted;
		ba_error why;
		bool stopped = false;
		rc = call_counted(&counted, &stopped, &why, w, t, quick, err);
		*differ = stopped || (i && counted.instructions != *each);
		*each = *differ ? 0 : counted.instructions;
	}
	return rc;
}

/* Two that are equal say little about the third, but more would cost too much. */
static bool are_enough(const counts *all, uint64_t calls, uint64_t each, bool differ)
{
	uint64_t most = 0;
	for (size_t i = 0; i < all->n; i++) {
		differ = differ || all->values[i] != all->values[0];
		most = all->values[i] > most ? all->values[i] : most;
	}
	if (all->n == 1 && most == each)
		return true;
	if (all->n < 2 || all->n >= calls || most <= SHORT_CALL)
		return all->n >= calls;
	return !differ || most > LONG_CALL || all->n >= DIFFERENT_MOST;
}

static int count_calls(counts *out, ba_worker *w, target *t, const ba_count_order *q, ba_counter *c,
	ba_trace_file *f, ba_error *err)
{
	uint64_t each = 0;
	bool differ = false, stopped = false;
	int rc = count_quickly(&each, &differ, w, t, q, ba_counter_quick(c), err);
	while (rc == 0 && !are_enough(out, q->calls, each, differ)) {
		ba_counted counted;
		ba_error why;
		rc = call_counted(&counted, &stopped, &why, w, t, c, err);
		if (rc == 0 && stopped)
			give_up(out, t, &why);
		if (rc || stopped)
			break;
		ba_trace_add(f, &counted);
		out->values[out->n++] = counted.instructions;
	}
	return rc;
}

static int count(counts *out, ba_worker *w, target *t, const ba_count_order *q, ba_error *err)
{
	ba_counter *c = NULL;
	ba_error why;
	int64_t fastest_ns = 0;
	BA_TRY(warm_up(w, t, q->warm_up, q->most, &fastest_ns, err));
	if (is_slow(fastest_ns, q->most)) {
		ba_fail(&why, BA_EUNSUPPORTED,
			"a call takes %.3g ms, and up to %" PRIu64
			" instructions are counted (--count-most)",
			(double)fastest_ns / 1e6, q->most);
		give_up(out, t, &why);
		return 0;
	}
	if (ba_counter_open(&c, (ba_counter_way)q->counter, q->most, &why)) {
		give_up(out, t, &why);
		return 0;
	}
	BA_AUTO_PTR(ba_trace_file) ba_trace_file *f = ba_trace_create(q->trace);
	int rc = count_calls(out, w, t, q, c, f, err);
	ba_counter_free(c);
	return rc == 0 && out->n ? ba_trace_write(f, err) : rc;
}

/* The tool's own calls do not go through the observer. */
static int take_census(counts *out, ba_worker *w, target *t, const ba_count_order *q, ba_error *err)
{
	int64_t fastest_ns = 0;
	if (!ba_census_open(&out->census, ba_images_observer()))
		return ba_fail(err, BA_EPROTOCOL, "a census without an observer");
	BA_TRY(warm_up(w, t, q->warm_up, q->most, &fastest_ns, err));
	for (uint64_t i = 0; i < q->calls; i++) {
		bool last = i + 1 == q->calls;
		ba_census_enter(&out->census, last ? w->trees.items[t->variant] : NULL);
		int result = call_target(w, t);
		ba_census_leave(&out->census, 1);
		w->beacon->progress++;
		BA_TRY(check(w, t, result, err));
	}
	return 0;
}

static void reply_counts(const ba_worker *w, const ba_count_order *q, counts *all)
{
	ba_say fields[BA_CENSUS_SAYS];
	if (all->census.calls)
		ba_worker_reply(w, "counted", fields, ba_census_say(fields, &all->census));
	else
		BA_REPLY(w, "counted",
			BA_SAY_TEXT("way", ba_counter_way_name((ba_counter_way)q->counter)),
			BA_SAY_U64S("instructions", all->values, all->n),
			BA_SAY_TEXT("text", all->why), BA_SAY_BOOL("fault", all->fault),
			BA_SAY_BOOL("broken", all->broken));
}

/* The failure of a variant is reported, and is none of this function. */
static int count_target(
	counts *out, ba_worker *w, target *t, const ba_count_order *q, ba_error *err)
{
	ba_plugin_current(t->run);
	ba_worker_enter(w, t->variant, BA_PHASE_MEASURE);
	int rc = q->census ? take_census(out, w, t, q, err) : count(out, w, t, q, err);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	ba_plugin_current(NULL);
	if (rc != BA_EVARIANT)
		return rc;
	ba_worker_failed(w, t->variant, err);
	out->n = out->census.calls = 0;
	return 0;
}

int ba_worker_count(ba_worker *w, const ba_message *m, ba_error *err)
{
	ba_count_order q = {0};
	target t = {0};
	counts all = {0};
	int rc = read_order(&q, m, err);
	rc = rc ? rc : find_target(&t, w, err);
	if (rc == 0)
		rc = count_target(&all, w, &t, &q, err);
	else if (rc == BA_EUNSUPPORTED) {
		give_up(&all, &t, err);
		rc = 0;
	}
	if (rc == 0)
		reply_counts(w, &q, &all);
	free(all.why);
	ba_census_dispose(&all.census);
	return rc;
}
