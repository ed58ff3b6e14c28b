/*
 * fleet BENCHMARKS MEMBERS INVOCATIONS DIR: what a coordinator costs, by the numbers of
 * benchmarks and members. The members are simulated: this process writes what they
 * would, into the exchange in DIR, and the time for that is not counted. Everything else is
 * the code of a run: orders, reading, the session, looks, verdicts, the result.
 *
 * Prints a line: benchmarks, members, invocations, the coordinator's seconds (of its
 * processor time), microseconds for a benchmark in an invocation, the peak of memory in
 * MB, how many verdicts are `regressed`. Ends with 1 if an invocation is missing or
 * there twice.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/mem.h"
#include "experiment/experiment.h"
#include "cluster/coordinator.h"
#include "job/job.h"
#include "stats/schedule.h"

enum { BLOCKS = 8, POSITIONS = 4 };

typedef struct world {
	const char *exchange;
	ba_result *r;
	size_t members, joined;
	bool *done; /* [invocations] */
	size_t invocations;
	double simulating; /* seconds of processor time */
} world;

static double cpu_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void must(int rc, const ba_error *err)
{
	if (rc == 0)
		return;
	fprintf(stderr, "fleet: %s\n", err->text);
	exit(1);
}

/* ---- members ---- */

static void join(world *w, size_t i)
{
	ba_error err = {0};
	BA_AUTO(ba_member) ba_member m = {.id = ba_xprintf("gpu%zu", i), .cpu = -1};
	BA_AUTO_FREE char *name = ba_xprintf("GPU %zu", i);
	ba_origin_init(&m.origin, name, &w->r->run.env, w->r->run.seed);
	m.origin.device = (int)i;
	free(m.origin.device_uuid);
	m.origin.device_uuid = ba_xprintf("GPU-%zu", i);
	must(ba_exchange_write_member(w->exchange, &m, &err), &err);
}

/* Every tenth benchmark of the candidate takes 10 % longer. */
static void fill(ba_samples *s, size_t benchmark, unsigned number)
{
	static const uint8_t order[POSITIONS] = {0, 1, 1, 0};
	*s = (ba_samples){.invocation = number,
		.participants = 2,
		.positions = POSITIONS,
		.blocks = BLOCKS,
		.readings = 1,
		.batch = 16};
	ba_samples_alloc(s);
	for (size_t k = 0; k < BLOCKS * POSITIONS; k++) {
		uint64_t noise = (benchmark * 31 + number * 17 + k * 7) % 5;
		s->order[k] = order[k % POSITIONS];
		s->ns[k] = 1000 + noise + (s->order[k] && benchmark % 10 == 0 ? 100 : 0);
	}
}

static void describe(ba_checkpoint *c, const ba_result *r)
{
	*c = (ba_checkpoint){.samples = r->run.benchmark_count,
		.benchmarks = ba_xcalloc(r->run.benchmark_count, sizeof(*c->benchmarks)),
		.benchmark_count = r->run.benchmark_count};
	for (size_t i = 0; i < r->run.benchmark_count; i++) {
		ba_benchmark_state *b = &c->benchmarks[i];
		b->variant_count = 2;
		b->variants = ba_xcalloc(2, sizeof(*b->variants));
		b->id = ba_xstrdup(r->run.benchmarks[i].id);
		b->active = b->sized = b->variants[0].wanted = b->variants[1].wanted = true;
		b->sets = 1;
	}
}

static void measure(world *w, const char *id, unsigned epoch, unsigned number)
{
	ba_error err = {0};
	BA_AUTO_FREE char *path = ba_exchange_work_path(w->exchange, id);
	BA_AUTO(ba_fingerprint) ba_fingerprint header = {0};
	BA_AUTO(ba_checkpoint) ba_checkpoint c = {0};
	BA_AUTO(ba_strv) ba_strv argv = {0};
	ba_journal *j = NULL;
	ba_strv_push(&argv, "bench-against");
	ba_fingerprint_add(&header, "the member", ba_xstrdup(id));
	must(ba_journal_create(&j, NULL, path, &err), &err);
	must(ba_journal_header(j, w->r, &argv, "/", &header, &err), &err);
	for (size_t i = 0; i < w->r->run.benchmark_count; i++) {
		BA_AUTO(ba_samples) ba_samples s;
		fill(&s, i, number);
		must(ba_journal_samples(j, w->r->run.benchmarks[i].id, BA_METRIC_SUBMIT, &s, &err),
			&err);
	}
	describe(&c, w->r);
	must(ba_journal_invocation(j, number, &c, &err), &err);
	ba_journal_free(j);
	must(ba_exchange_publish(w->exchange, id, epoch, number, NULL, &err), &err);
}

/* Each member measures the first of its numbers. */
static int let_time_pass(void *self, int64_t timeout_ns, char **id, char **how, ba_error *err)
{
	world *w = self;
	BA_AUTO(ba_orders) ba_orders o = {0};
	double start = cpu_seconds();
	(void)timeout_ns;
	(void)id;
	(void)how;
	for (; w->joined < w->members; w->joined++)
		join(w, w->joined);
	int rc = ba_exchange_read_orders(&o, w->exchange, err);
	for (size_t i = 0; rc == 0 && i < o.member_count; i++)
		for (size_t k = 0; k < o.members[i].count; k++) {
			uint64_t number = o.members[i].numbers[k];
			if (w->done[number])
				continue;
			w->done[number] = true;
			measure(w, o.members[i].member, o.epoch, (unsigned)number);
			break;
		}
	w->simulating += cpu_seconds() - start;
	return rc == BA_ENOTFOUND ? 0 : rc;
}

static void end(void *self)
{
	(void)self;
}

/* ---- the run ---- */

static ba_session_threshold threshold(void *data, const char *benchmark, ba_metric metric)
{
	(void)data;
	(void)benchmark;
	(void)metric;
	return (ba_session_threshold){.slower = 0.02, .faster = 0.02};
}

static void make_result(ba_result *r, size_t benchmarks)
{
	*r = (ba_result){.run.seed = 7, .run.variant_count = 2};
	r->run.variants = ba_xcalloc(2, sizeof(*r->run.variants));
	ba_job_describe(r, "fleet");
	for (int v = 0; v < 2; v++) {
		ba_variant *x = &r->run.variants[v];
		x->label = ba_xstrdup(v ? "new" : "old");
		x->spec = ba_xstrdup(x->label);
		x->tree_dir = ba_xprintf("/%s", x->label);
		char sum[65] = "0";
		sum[0] = (char)(sum[0] + v);
		ba_variant_add_artefact(x, "a.so", sum);
	}
	r->run.env.device_name = ba_xstrdup("simulated");
	r->run.env.device_uuid = ba_xstrdup("GPU-0");
	r->run.env.host_name = ba_xstrdup("here");
	ba_measured_suite *m = ba_measured_add_suite(&r->run, "launch", BA_SUITE_LAUNCHER);
	free(m->engine);
	m->engine = ba_xstrdup("duet");
	r->run.benchmarks = ba_xcalloc(benchmarks, sizeof(*r->run.benchmarks));
	r->run.benchmark_count = benchmarks;
	for (size_t i = 0; i < benchmarks; i++)
		r->run.benchmarks[i] = (ba_benchmark){.suite = ba_xstrdup("launch"),
			.kind = BA_SUITE_LAUNCHER,
			.id = ba_xprintf("launch/case=%zu", i),
			.name = ba_xprintf("case=%zu", i),
			.path = ba_xstrdup("direct"),
			.gpu = true,
			.metrics = UINT32_C(1) << BA_METRIC_SUBMIT};
}

static int check(const ba_result *r, size_t invocations)
{
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		for (size_t k = 0; k < s->sample_count; k++)
			if (s->samples[k].invocation != k) {
				fprintf(stderr, "fleet: invocation %zu is missing or there twice\n",
					k);
				return 1;
			}
		if (s->sample_count != invocations) {
			fprintf(stderr, "fleet: %zu of %zu invocations\n", s->sample_count,
				invocations);
			return 1;
		}
	}
	return 0;
}

static size_t count_regressed(const ba_result *r)
{
	size_t n = 0;
	for (size_t i = 0; i < r->series_count; i++)
		n += r->series[i].comparisons[0].verdict == BA_VERDICT_REGRESSED;
	return n;
}

static double coordinate(world *w, const char *dir)
{
	ba_error err = {0};
	ba_result *r = w->r;
	const ba_job_services services = {0};
	ba_exchange_plan plan = {0};
	ba_coordinator *coordinator = NULL;
	const ba_member_source source = {w, w->members, let_time_pass, end};
	char *none[2] = {NULL, NULL};
	ba_variant_facts facts[2] = {{0}};
	ba_suite_spec suite = {.name = "launch",
		.kind = BA_SUITE_LAUNCHER,
		.failures = none,
		.engine = {.kind = BA_ENGINE_DUET, .variant_count = 2},
		.survey = {.variants = facts, .variant_count = 2}};
	ba_session_spec spec = {.suites = &suite,
		.suite_count = 1,
		.seed = 7,
		.alpha = 0.05,
		.multiplicity = BA_MULTIPLICITY_BH,
		.design = ba_design_fixed(w->invocations),
		.threshold = threshold};
	spec.measure[BA_METRIC_SUBMIT] = spec.verdict[BA_METRIC_SUBMIT] = true;
	BA_AUTO_FREE bool *has = ba_xcalloc(r->run.benchmark_count * 2, sizeof(*has));
	memset(has, true, r->run.benchmark_count * 2);
	double start = cpu_seconds();
	must(ba_coordinator_new(&coordinator, dir, &plan,
		     &(ba_coordinator_spec){&services, NULL, r, NULL}, &err),
		&err);
	w->exchange = dir;
	ba_coordinator_set_source(coordinator, &source);
	must(ba_coordinator_assemble(coordinator, &err), &err);
	spec.members = ba_coordinator_calls(coordinator);
	must(ba_experiment_run(r, &spec, has, &err), &err);
	double spent = cpu_seconds() - start - w->simulating;
	ba_coordinator_free(coordinator);
	return spent;
}

int main(int argc, char **argv)
{
	ba_result r;
	struct rusage usage;
	if (argc != 5) {
		fputs("usage: fleet BENCHMARKS MEMBERS INVOCATIONS DIR\n", stderr);
		return 2;
	}
	size_t n = strtoul(argv[1], NULL, 10);
	world w = {.r = &r,
		.members = strtoul(argv[2], NULL, 10),
		.invocations = strtoul(argv[3], NULL, 10)};
	w.done = ba_xcalloc(w.invocations + 1, sizeof(*w.done));
	make_result(&r, n);
	double seconds = coordinate(&w, argv[4]);
	getrusage(RUSAGE_SELF, &usage);
	printf("%zu,%zu,%zu,%.3f,%.2f,%.0f,%zu\n", n, w.members, w.invocations, seconds,
		1e6 * seconds / (double)(n * w.invocations), (double)usage.ru_maxrss / 1024,
		count_regressed(&r));
	int wrong = check(&r, w.invocations);
	free(w.done);
	ba_result_dispose(&r);
	return wrong;
}
