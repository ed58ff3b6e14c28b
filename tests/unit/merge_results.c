/* Results merged without a worker: samples from a generator, in every split. */
#include "test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/text.h"
#include "gate/status.h"
#include "verdict/decide.h"
#include "verdict/estimate.h"
#include "model/measured.h"
#include "verify/verify.h"
#include "merge/merge.h"
#include "series_of.h"
#include "stats/schedule.h"
#include "store/results.h"

enum { WHOLE = 12, BLOCKS = 4, READINGS = 3, BATCH = 16 };

/* A run of launches on one GPU; nothing measured yet. */
static void begin(ba_result *r, uint64_t seed, const char *uuid)
{
	*r = (ba_result){.document.schema_revision = BA_RESULTS_REVISION,
		.document.state = BA_DOCUMENT_AGREES,
		.run.tool_version = ba_xstrdup("1"),
		.run.started = ba_xstrdup("2026-01-31T12:00:00Z"),
		.run.seed = seed,
		.decided.alpha = 0.05,
		.decided.multiplicity = ba_xstrdup("bh"),
		.decided.stopped = ba_xstrdup(""),
		.run.engine = ba_xstrdup("duet"),
		.run.engine_reason = ba_xstrdup(""),
		.run.command_line = ba_xstrdup(""),
		.run.variants = ba_xcalloc(2, sizeof(ba_variant)),
		.run.variant_count = 2,
		.run.benchmarks = ba_xcalloc(1, sizeof(ba_benchmark)),
		.run.benchmark_count = 1,
		.run.env = {.target = ba_xstrdup("gpu"),
			.device_name = ba_xstrdup("NVIDIA H200"),
			.device_uuid = ba_xstrdup(uuid),
			.driver_version = ba_xstrdup("580"),
			.cuda_version = ba_xstrdup("13.0"),
			.ecc = ba_xstrdup("on"),
			.mig = ba_xstrdup("off"),
			.flush = ba_xstrdup(""),
			.cpu_model = ba_xstrdup("Xeon"),
			.host_name = ba_xstrdup("node1"),
			.timer_tick_ns = 1}};
	for (size_t v = 0; v < 2; v++) {
		const char digest[65] = {v ? 'b' : 'a'};
		r->run.variants[v].label = ba_xstrdup(v ? "new" : "old");
		ba_variant_add_artefact(&r->run.variants[v], "launcher.so", digest);
		snprintf(r->run.variants[v].commit, 65, "%s", v ? "22" : "11");
	}
	r->run.benchmarks[0] = (ba_benchmark){.suite = ba_xstrdup("launch"),
		.id = ba_xstrdup("launch/args=0"),
		.path = ba_xstrdup("p")};
	ba_series *s = series_of(r, 0, BA_METRIC_SUBMIT);
	s->variants[0].present = s->variants[1].present = true;
	s->comparisons[0].threshold_slower = s->comparisons[0].threshold_faster =
		s->comparisons[0].threshold_given = 0.02;
	snprintf(r->document.sha256, 65, "%p", (void *)r);
}

/* What an invocation measures follows from its seed and number alone. */
static void measure(ba_result *r, unsigned invocation, double slower)
{
	static const uint8_t present[] = {0, 1};
	ba_series *s = &r->series[0];
	ba_samples *x = ba_series_add_samples(s);
	const char *id = r->run.benchmarks[0].id;
	uint64_t state = r->run.seed * 1000 + invocation;
	*x = (ba_samples){.invocation = invocation,
		.seed = ba_schedule_seed(r->run.seed, id, invocation, 0),
		.participants = 2,
		.positions = 4,
		.blocks = BLOCKS,
		.readings = READINGS,
		.batch = BATCH,
		.wall_ns = 1000};
	ba_samples_alloc(x);
	ba_order_fill(x, present, 2, 2, r->run.seed, id);
	double wander = (double)ba_rng_below(&state, 1000) / 1e5;
	for (size_t i = 0; i < (size_t)BLOCKS * 4 * READINGS; i++) {
		bool mine = x->order[i / READINGS];
		double noise = (double)ba_rng_below(&state, 1000) / 2e5;
		x->ns[i] = (uint64_t)(50000 * (mine ? slower + wander : 1) * (1 + noise));
	}
	ba_estimate_add(r, s, x);
}

static void decide(ba_result *r, const ba_design *design)
{
	BA_AUTO(ba_decisions) ba_decisions d = {0};
	r->decided.design = *design;
	size_t open = 1, made = r->series[0].sample_count;
	if (r->series[0].variants[1].failure)
		made = design->at[0]; /* a run looks at what failed, too */
	ba_decisions_init(&d, r);
	while (open && ba_design_looks_within(design, made) > r->decided.looks_done)
		open = ba_decisions_look(&d, r);
	ba_decisions_finish(&d, r);
	ba_gate_set_status(r, &(ba_gate_policy){0});
}

/* part `part` of `parts` of a run of `count` invocations; 0 of 0: the whole */
static void run(ba_result *r, uint64_t seed, const char *uuid, unsigned count, unsigned part,
	unsigned parts, double slower)
{
	begin(r, seed, uuid);
	unsigned n = 0;
	for (unsigned i = parts ? part - 1 : 0; i < count; i += parts ? parts : 1, n++)
		measure(r, i, slower);
	const ba_design design = ba_design_fixed(n);
	r->run.part = part;
	r->run.parts = parts;
	assert_int_equal(n, parts ? ba_part_size(count, part, parts) : count);
	decide(r, &design);
}

static void dispose(ba_merge_input *in, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ba_result_dispose(&in[i].r);
}

static void it_verifies(ba_result *r)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_result) ba_result back = {0};
	BA_AUTO(ba_verification) ba_verification v = {0};
	ba_error err;
	ba_results_format(&text, r);
	if (ba_results_parse(&back, text.data, text.len, "merged", &err))
		fail_msg("%s", err.text);
	ba_verify(&v, &back);
	for (size_t i = 0; i < v.disagreements.count; i++)
		fprintf(stderr, "%s\n", v.disagreements.items[i]);
	assert_int_equal(v.disagreements.count, 0);
}

static const double effects[] = {1, 1.02, 1.05};

TEST(every_split_of_a_run_is_the_run)
{
	const ba_merge_rules rules = {0};
	for (size_t e = 0; e < 3; e++)
		for (unsigned parts = 2; parts <= 6; parts++) {
			BA_AUTO(ba_result) ba_result whole;
			BA_AUTO(ba_result) ba_result merged = {0};
			ba_merge_input in[6];
			ba_error err;
			run(&whole, 7, "GPU-1", WHOLE, 0, 0, effects[e]);
			for (unsigned i = 0; i < parts; i++) {
				in[i].name = "part.json";
				/* the last one comes first */
				run(&in[i].r, 7, "GPU-1", WHOLE, parts - i, parts, effects[e]);
			}
			if (ba_merge(&merged, in, parts, &rules, &err))
				fail_msg("%s", err.text);
			const ba_comparison *a = whole.series[0].comparisons,
					    *b = merged.series[0].comparisons;
			assert_int_equal(a->verdict, b->verdict);
			assert_int_equal(b->y_count, WHOLE);
			assert_memory_equal(a->y, b->y, WHOLE * sizeof(double));
			assert_memory_equal(a->z, b->z, WHOLE * sizeof(double));
			assert_true(a->ratio == b->ratio && a->low == b->low &&
				    a->high == b->high && a->s == b->s);
			assert_true(a->p_regressed == b->p_regressed &&
				    a->p_improved == b->p_improved &&
				    a->p_unchanged == b->p_unchanged &&
				    a->p_mean_regressed == b->p_mean_regressed);
			assert_true(a->delta_ns == b->delta_ns);
			assert_string_equal(whole.decided.answer, merged.decided.answer);
			assert_int_equal(whole.decided.exit_status, merged.decided.exit_status);
			assert_int_equal(merged.run.origin_count, parts);
			assert_string_equal(merged.run.origins[parts - 1].name, "part 1");
			it_verifies(&merged);
			dispose(in, parts);
		}
}

TEST(gpus_of_one_model_are_places)
{
	const ba_merge_rules rules = {0};
	BA_AUTO(ba_result) ba_result merged = {0};
	ba_merge_input in[3];
	ba_error err;
	static const char *const uuids[] = {"GPU-1", "GPU-2", "GPU-1"};
	for (unsigned i = 0; i < 3; i++) {
		in[i].name = "r.json";
		run(&in[i].r, 7 + i, uuids[i], 8, 0, 0, i == 1 ? 1.06 : 1);
		in[i].r.run.env.device_ordinal = i == 1;
	}
	if (ba_merge(&merged, in, 3, &rules, &err))
		fail_msg("%s", err.text);
	const ba_comparison *k = merged.series[0].comparisons;
	assert_int_equal(ba_origins_places(merged.run.origins, 3), 2);
	assert_int_equal(k->verdict, BA_VERDICT_REGRESSED);
	assert_int_equal(k->place_count, 2);
	assert_int_equal(k->places[0].invocations, 16);
	/* each place counts alike, however many runs it made */
	assert_true(fabs(log(k->ratio) - (log(k->places[0].ratio) + log(k->places[1].ratio)) / 2) <
		    1e-9);
	assert_has(k->reason, "slower only on GPU 1: ");
	it_verifies(&merged);
	dispose(in, 3);
}

TEST(runs_with_looks_of_their_own_are_combined)
{
	const ba_merge_rules rules = {0};
	const ba_design looks = ba_design_sequential();
	static const unsigned counts[] = {4, 6, 8};
	BA_AUTO(ba_result) ba_result merged = {0};
	ba_merge_input in[3];
	ba_error err;
	double least = 1;
	for (unsigned i = 0; i < 3; i++) {
		in[i].name = "r.json";
		begin(&in[i].r, 7 + i, "GPU-1");
		for (unsigned k = 0; k < counts[i]; k++)
			measure(&in[i].r, k, 1.03);
		ba_text_replace(&in[i].r.decided.stopped, "budget");
		decide(&in[i].r, &looks);
		least = fmin(least, in[i].r.series[0].comparisons[0].p_regressed);
	}
	if (ba_merge(&merged, in, 3, &rules, &err))
		fail_msg("%s", err.text);
	const ba_comparison *k = merged.series[0].comparisons;
	assert_true(ba_measured_is_combined(&merged.run));
	assert_true(k->p_regressed < least);
	assert_int_equal(k->invocations, 18);
	assert_int_equal(merged.run.origins[2].first, 10);
	it_verifies(&merged);
	dispose(in, 3);
}

static void say_other(ba_result *r, size_t field)
{
	char **const texts[] = {&r->run.tool_version, &r->run.variants[1].label, &r->run.env.target,
		&r->run.env.device_name, &r->run.env.driver_version, &r->run.env.cpu_model,
		&r->decided.multiplicity};
	if (field < sizeof(texts) / sizeof(*texts))
		ba_text_replace(texts[field], field == 6 ? "holm" : "other");
	else if (field == 7)
		r->run.variants[1].commit[0] = '9';
	else if (field == 8)
		r->run.variants[0].artefacts[0].sha256[0] = '9';
	else if (field == 9)
		r->run.suite_sha256[0] = '9';
	else if (field == 10)
		r->decided.alpha = 0.01;
	else if (field == 11)
		r->series[0].comparisons[0].threshold_given = 0.03;
	else if (field == 12)
		r->decided.gate_strict = true;
	else
		r->decided.strict = true;
}

TEST(each_difference_is_named)
{
	static const char *const names[] = {"the tool's version: '1' in", "variant 2: 'new' in",
		"the target: ", "the GPU model: 'NVIDIA H200' in 'a.json', 'other' in 'b.json'",
		"the driver: ", "the processor (--different-cpus allows it): ", "--multiplicity: ",
		"the commit of new: '22' in", "launcher.so of old: 'a' in",
		"(suite_sha256): ", "--alpha: '0.05' in 'a.json', '0.01' in 'b.json'",
		"the threshold of launch/args=0, submit for new: '0.02 slower",
		"--gate=strict: 'no' in", "--strict: 'no' in"};
	enum { FIELDS = sizeof(names) / sizeof(*names) };
	const ba_merge_rules strictly = {0}, lenient = {.different_cpus = true};
	for (size_t f = 0; f <= FIELDS; f++) {
		ba_merge_input in[2] = {{.name = "a.json"}, {.name = "b.json"}};
		ba_error err = {0};
		run(&in[0].r, 7, "GPU-1", 4, 0, 0, 1);
		run(&in[1].r, 8, "GPU-1", 4, 0, 0, 1);
		/* one of them, and all at once in one message */
		for (size_t k = 0; k < FIELDS; k++)
			if (k == f || (f == FIELDS && k != 1))
				say_other(&in[1].r, k);
		assert_int_equal(ba_merge_check(in, 2, &strictly, &err), BA_EDATA);
		for (size_t k = 0; k < FIELDS; k++)
			if (k == f || (f == FIELDS && k != 1))
				assert_has(err.text, names[k]);
			else if (f < FIELDS && !(f == 1 && k > 6))
				assert_null(strstr(err.text, names[k]));
		if (f == 5)
			assert_int_equal(ba_merge_check(in, 2, &lenient, &err), 0);
		dispose(in, 2);
	}
}

TEST(nothing_is_counted_twice_and_nothing_is_missing)
{
	static const struct {
		const char *said;
		uint64_t seed;
		unsigned part, parts;
		bool same, interrupted, edited;
	} rows[] = {
		{"are the same document", 8, 0, 0, .same = true},
		{"both have invocation 0 of seed 7", 7, 0, 0, .same = false},
		{"is part 2 of 3 of seed 8, and part 1 is missing", 8, 2, 3, .same = false},
		{"was interrupted", 8, 0, 0, .interrupted = true},
		{"was damaged or edited", 8, 0, 0, .edited = true},
	};
	const ba_merge_rules rules = {0};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ba_merge_input in[2] = {{.name = "a.json"}, {.name = "b.json"}};
		ba_error err = {0};
		run(&in[0].r, 7, "GPU-1", 6, 0, 0, 1);
		run(&in[1].r, rows[i].seed, "GPU-1", 6, rows[i].part, rows[i].parts, 1);
		if (rows[i].same)
			memcpy(in[1].r.document.sha256, in[0].r.document.sha256, 65);
		in[1].r.run.interrupted = rows[i].interrupted;
		if (rows[i].edited)
			in[1].r.document.state = BA_DOCUMENT_DIFFERS;
		assert_int_equal(ba_merge_check(in, 2, &rules, &err), BA_EDATA);
		assert_has(err.text, rows[i].said);
		dispose(in, 2);
	}
}

TEST(a_document_that_contradicts_its_samples_is_refused)
{
	const ba_merge_rules rules = {0};
	ba_merge_input in[2] = {{.name = "a.json"}, {.name = "b.json"}};
	ba_error err = {0};
	run(&in[0].r, 7, "GPU-1", 4, 0, 0, 1);
	run(&in[1].r, 8, "GPU-1", 4, 0, 0, 1);
	in[1].r.series[0].samples[2].order[0] ^= 1;
	assert_int_equal(ba_merge_check(in, 2, &rules, &err), BA_EDATA);
	assert_has(err.text, "'b.json' does not say what its samples say");
	dispose(in, 2);
}

/* A failure in one run is the result's. */
TEST(what_failed_anywhere_failed)
{
	const ba_merge_rules rules = {0};
	BA_AUTO(ba_result) ba_result merged = {0};
	ba_merge_input in[2] = {{.name = "a.json"}, {.name = "b.json"}};
	ba_error err = {0};
	run(&in[0].r, 7, "GPU-1", 4, 0, 0, 1);
	begin(&in[1].r, 8, "GPU-1");
	in[1].r.series[0].variants[1].failure = ba_xstrdup("killed by signal 11");
	const ba_design design = ba_design_fixed(4);
	decide(&in[1].r, &design);
	if (ba_merge(&merged, in, 2, &rules, &err))
		fail_msg("%s", err.text);
	assert_int_equal(merged.series[0].comparisons[0].verdict, BA_VERDICT_FAILED);
	assert_string_equal(merged.series[0].variants[1].failure, "run 2: killed by signal 11");
	assert_int_equal(merged.decided.exit_status, 125);
	it_verifies(&merged);
	dispose(in, 2);
}
