/* The results document: all of it comes back, and nothing hostile gets in. */
#include "test.h"

#include "base/mem.h"
#include "example_result.h"
#include "example_why.h"
#include "json/json.h"
#include "memfile.h"
#include "store/results.h"

#define VERDICTS(...) ((const ba_verdict[]){__VA_ARGS__})

/* two processes at one place, and one elsewhere; of runs that were merged */
static void add_origins(ba_result *r)
{
	static const char *const names[] = {"run 1", "run 2", "run 3"};
	r->run.merged = ba_xcalloc(3, sizeof(*r->run.merged));
	r->run.merged_count = 3;
	for (unsigned i = 0; i < 3; i++) {
		ba_origin o;
		ba_origin_init(&o, names[i], &r->run.env, UINT64_MAX - i);
		if (i == 2)
			o.device_uuid[4] = 'f';
		o.run = i;
		o.left = ba_xstrdup(i ? "its GPU was throttled" : NULL);
		ba_measured_add_origin(&r->run, &o);
		r->run.merged[i] = (ba_merged_run){.design = ba_design_sequential(),
			.looks_done = i + 1,
			.stopped = ba_xstrdup("budget")};
	}
	ba_comparison *c = &r->series[0].comparisons[0];
	c->p_agree = 0.001;
	c->places_differ = true;
	c->place_count = 2;
	c->places = ba_xcalloc(2, sizeof(*c->places));
	for (unsigned p = 0; p < 2; p++)
		c->places[p] = (ba_place_estimate){.place = p,
			.ratio = 1 + 0.03 * p,
			.low = 0.9,
			.high = p ? INFINITY : 1.1,
			.invocations = 4,
			.verdict = p ? BA_VERDICT_REGRESSED : BA_VERDICT_UNCHANGED};
	r->run.part = 2;
	r->run.parts = 3;
	r->run.origins[1].first = 1;
	r->series[0].samples[1].origin = 1;
}

/* of two codes and two environments */
static void add_effects(ba_series *s)
{
	s->effects = ba_xcalloc(BA_EFFECTS_OF, sizeof(*s->effects));
	for (unsigned of = 0; of < BA_EFFECTS_OF; of++)
		s->effects[s->effect_count++] = (ba_effect){.of = (ba_effect_of)of,
			.code = of != BA_EFFECT_OF_ENVIRONMENT,
			.environment = of == BA_EFFECT_OF_CODE ? 0 : 2,
			.comparison = {.verdict = BA_VERDICT_UNCHANGED, .ratio = 1.1, .high = 1.2}};
}

static void fill(ba_result *r)
{
	const double ratios[] = {1.041, 0.999};
	example_begin(r, 3);
	example_launch_suite(r, ratios, VERDICTS(BA_VERDICT_REGRESSED, BA_VERDICT_UNCHANGED));
	const double classic[] = {2510, 2512, 2490};
	example_series(r, 1, BA_METRIC_SUSTAINED, classic,
		VERDICTS(BA_VERDICT_REPORTED, BA_VERDICT_REPORTED));
	r->run.variants[1].kind = BA_VARIANT_PATH;
	r->run.variants[1].commit[0] = r->run.variants[1].tree_id[0] = '\0';
	r->run.variants[2].kind = BA_VARIANT_WORKTREE;
	r->run.variants[2].dirty = true;
	memset(r->run.variants[2].diff_sha256, '7', 64);
	r->run.variants[2].build_cached = true;
	ba_summary *failed = &r->series[4].variants[2];
	failed->launches = 0;
	failed->failure = ba_xstrdup("killed by signal 11 (SIGSEGV)");
	failed->output = ba_xstrdup("line\n\x1b[31m\"quoted\" \\ and \xff\n");
	r->series[4].comparisons[1].verdict = BA_VERDICT_FAILED;
	r->series[3].comparisons[0].reason = ba_xstrdup("invocations differ");
	r->series[3].comparisons[0].hint = ba_xstrdup("6 more");
	r->series[3].comparisons[0].unstable = true;
	r->series[2].comparisons[0].shape_changed = true;
	r->series[2].comparisons[0].p_regressed = 1e-300;
	ba_strv_push(&r->run.notes, "a note");
	ba_strv_push(&r->run.env.warnings, "a warning");
	r->decided.family_size = 10;
	r->run.interrupted = true;
	r->decided.strict = true;
	r->decided.verdict = BA_VERDICT_REGRESSED;
	r->decided.answer = ba_xstrdup("Yes.");
	r->decided.exit_status = 1;
	add_origins(r);
	add_effects(&r->series[0]);
}

TEST(everything_comes_back)
{
	BA_AUTO(ba_result) ba_result r;
	fill(&r);
	BA_AUTO(ba_buf) ba_buf first = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf second = BA_BUF_INIT;
	ba_results_format(&first, &r);
	BA_AUTO(ba_result) ba_result back = {0};
	ba_error err;
	if (ba_results_parse(&back, first.data, first.len, "t.json", &err))
		fail_msg("%s", err.text);
	ba_results_format(&second, &back);
	assert_string_equal(first.data, second.data);
	/* the same bytes twice could both be wrong: look at some of what they stand for
	 */
	assert_true(back.run.seed == r.run.seed);
	assert_int_equal(back.series_count, r.series_count);
	assert_int_equal(back.run.variants[2].kind, BA_VARIANT_WORKTREE);
	assert_string_equal(back.run.variants[2].diff_sha256, r.run.variants[2].diff_sha256);
	assert_string_equal(back.run.variants[1].artefacts[0].path, "build/liblaunch.so");
	assert_string_equal(back.run.benchmarks[3].axes[0].value, "3");
	assert_true(back.series[2].comparisons[0].p_regressed == 1e-300);
	assert_true(back.series[2].comparisons[0].ratio == r.series[2].comparisons[0].ratio);
	assert_memory_equal(
		back.series[2].comparisons[0].y, r.series[2].comparisons[0].y, 4 * sizeof(double));
	assert_int_equal(back.decided.design.at[3], 12);
	assert_true(back.decided.design.weight[3] == 0.1);
	assert_true(back.run.interrupted && back.decided.strict);
	assert_true(back.run.env.timer_read_ns == 30.5);
	assert_string_equal(back.run.env.warnings.items[0], "a warning");
	assert_null(back.series[0].variants[0].failure);
	/* what is no UTF-8 cannot be JSON: replaced, not dropped */
	assert_string_equal(back.series[4].variants[2].output,
		"line\n\x1b[31m\"quoted\" \\ and \xef\xbf\xbd\n");
	const ba_samples *x = &r.series[0].samples[1], *y = &back.series[0].samples[1];
	assert_true(y->seed == UINT64_MAX - 1);
	assert_int_equal(y->batch, 16);
	assert_memory_equal(x->order, y->order, x->blocks * x->positions);
	assert_memory_equal(
		x->ns, y->ns, (size_t)x->blocks * x->positions * x->readings * sizeof(*x->ns));
	assert_memory_equal(x->block_at_ns, y->block_at_ns, x->blocks * sizeof(*x->block_at_ns));
	assert_int_equal(back.run.origin_count, 3);
	assert_string_equal(back.run.origins[1].name, "run 2");
	assert_true(back.run.origins[1].seed == UINT64_MAX - 1);
	assert_null(back.run.origins[0].left);
	assert_int_equal(back.run.origins[1].place, 0);
	assert_int_equal(back.run.origins[2].place, 1);
	assert_int_equal(y->origin, 1);
	assert_int_equal(ba_measured_drawn_as(&back.run, y), y->invocation - 1);
	assert_int_equal(back.run.merged[1].looks_done, 2);
	assert_true(back.run.part == 2 && back.run.parts == 3);
	const ba_comparison *c = &back.series[0].comparisons[0];
	assert_int_equal(c->place_count, 2);
	assert_int_equal(c->places[1].verdict, BA_VERDICT_REGRESSED);
	assert_true(c->places_differ && c->p_agree == 0.001);
	assert_int_equal(back.run.merged[2].design.at[7], 32);
}

TEST(explanations_come_back)
{
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_result) ba_result back = {0};
	BA_AUTO(ba_buf) ba_buf first = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf second = BA_BUF_INIT;
	ba_error err;
	example_why_result(&r);
	ba_results_format(&first, &r);
	if (ba_results_parse(&back, first.data, first.len, "t.json", &err))
		fail_msg("%s", err.text);
	ba_results_format(&second, &back);
	assert_string_equal(first.data, second.data);
	/* beside the time, it is found by the benchmark */
	assert_int_equal(back.series[0].metric, BA_METRIC_SUBMIT);
	const ba_explanation *e = ba_result_explanation(&back, &back.series[0], 1);
	assert_non_null(e);
	assert_int_equal(ba_explanation_candidate(e), 151);
	assert_int_equal(e->functions[0].kind, BA_ROW_NEW);
	assert_string_equal(e->functions[2].was, "hash");
	assert_null(e->functions[1].was);
	assert_int_equal(e->functions[1].lines[0].line, 44);
	assert_int_equal(e->functions[3].count, 6);
	assert_int_equal(e->code_count, 3);
	assert_false(ba_result_is_layout(&back, &back.series[0], 1));
	assert_true(ba_result_is_layout(&back, &back.series[2], 1));
	/* the instructions themselves are no time */
	assert_false(ba_result_is_layout(&back, &back.series[3], 1));
}

/* of a document from anywhere */
TEST(explanations_are_checked)
{
	static const char *const damage[][3] = {
		{"\"kind\": \"new\"", "\"kind\": \"old\"", "does not know"},
		{"\"scope\": \"own\"", "\"scope\": \"mine\"", "does not know"},
		{"\"candidate\": 16,", "\"candidate\": -1,", "$.series[1].comparisons[0].why"},
		{"\"driver\": 0", "\"drivel\": 0", "driver"},
	};
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	example_why_result(&r);
	ba_results_format(&text, &r);
	for (size_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
		const char *at = strstr(text.data, damage[i][0]);
		assert_non_null(at);
		BA_AUTO_FREE char *bad = ba_xprintf("%.*s%s%s", (int)(at - text.data), text.data,
			damage[i][1], at + strlen(damage[i][0]));
		BA_AUTO(ba_result) ba_result back = {0};
		ba_error err;
		assert_int_equal(ba_results_parse(&back, bad, strlen(bad), NULL, &err), BA_EDATA);
		assert_has(err.text, damage[i][2]);
	}
}

TEST(what_is_not_known_is_null)
{
	BA_AUTO(ba_result) ba_result r;
	fill(&r);
	r.series[0].comparisons[0].high = INFINITY;
	r.run.env.power_watts = NAN;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_results_format(&text, &r);
	assert_has(text.data, "\"power_watts\": null");
	BA_AUTO(ba_result) ba_result back = {0};
	ba_error err;
	assert_int_equal(ba_results_parse(&back, text.data, text.len, NULL, &err), 0);
	assert_true(isnan(back.series[0].comparisons[0].high));
	assert_true(isnan(back.run.env.power_watts));
}

TEST(raw_samples_stand_on_a_line_an_invocation)
{
	BA_AUTO(ba_result) ba_result r;
	fill(&r);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_results_format(&text, &r);
	assert_has(text.data, "\"order\": [0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0],\n");
	assert_has(text.data, "\"ns\": [38000, 38007, 38014, 38100, ");
	size_t lines = 0;
	for (const char *p = text.data; (p = strstr(p, "\"ns\": [")); p++)
		lines++;
	assert_int_equal(lines, 10); /* five series, two invocations */
}

/* the document with the first `find` after `after` replaced */
static char *edited(const char *text, const char *after, const char *find, const char *put)
{
	const char *from = strstr(text, after);
	const char *at = from ? strstr(from, find) : NULL;
	if (!at)
		fail_msg("'%s' then '%s' is not in the document", after, find);
	return ba_xprintf("%.*s%s%s", (int)(at - text), text, put, at + strlen(find));
}

/* Readings that are not held are read again by who needs them. */
TEST(readings_may_stay_in_the_file)
{
	BA_AUTO(ba_result) ba_result r;
	fill(&r);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_results_format(&text, &r);
	BA_AUTO(memfile) memfile m = memfile_of(text.data, text.len);
	size_t one = 0;
	for (size_t i = 0; i < r.series[0].sample_count; i++)
		one += ba_samples_bytes(&r.series[0].samples[i]);
	const size_t rooms[] = {0, one, SIZE_MAX}, stored[] = {5, 4, 0};
	for (size_t k = 0; k < 3; k++) {
		BA_AUTO(ba_result) ba_result back = {0};
		BA_AUTO(ba_buf) ba_buf again = BA_BUF_INIT;
		size_t count = 0;
		assert_int_equal(ba_results_read_some(&back, m.path, rooms[k], NULL), 0);
		for (size_t i = 0; i < back.series_count; i++) {
			const ba_series *s = &back.series[i];
			if (!s->sample_count)
				continue;
			count += s->stored;
			assert_true(!s->samples[0].ns == s->stored);
			assert_int_equal(s->samples[0].wall_ns, r.series[i].samples[0].wall_ns);
		}
		assert_int_equal(count, stored[k]);
		ba_results_format(&again, &back);
		assert_string_equal(again.data, text.data);
		assert_int_equal(ba_result_check_stored(&back, NULL), 0);
	}
}

TEST(readings_that_are_gone_are_told)
{
	BA_AUTO(ba_result) ba_result r, back = {0};
	fill(&r);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_results_format(&text, &r);
	/* the first and the others are further from each other than is read at once */
	BA_AUTO_FREE char *gap = ba_xprintf("%*s\"benchmark\": 1", 600 * 1000, "");
	BA_AUTO_FREE char *large = edited(text.data, "\"series\"", "\"benchmark\": 1", gap);
	BA_AUTO(memfile) memfile m = memfile_of(large, strlen(large));
	assert_int_equal(ba_results_read_some(&back, m.path, 0, NULL), 0);
	assert_int_equal(ftruncate(m.fd, 100), 0);
	BA_AUTO(ba_series) ba_series own = {0};
	ba_error err = {0};
	const ba_series *s = ba_series_whole(&own, &back, &back.series[0]);
	assert_int_equal(s->sample_count, 0);
	assert_int_equal(ba_result_check_stored(&back, &err), BA_EIO);
	assert_has(err.text, m.path);
	assert_has(err.text, "it changed while it was read");
}

TEST(unknown_members_are_ignored)
{
	BA_AUTO(ba_result) ba_result r;
	fill(&r);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_results_format(&text, &r);
	BA_AUTO_FREE char *more = ba_xprintf("{\"x-new\": {\"a\": [1]},%s", text.data + 1);
	BA_AUTO(ba_result) ba_result back = {0};
	ba_error err;
	assert_int_equal(ba_results_parse(&back, more, strlen(more), NULL, &err), 0);
}

TEST(bad_documents_are_refused_in_words)
{
	static const struct {
		const char *after, *find, *put, *sentence;
	} rows[] = {
		{"", "results/1", "results/2", "another version of bench-against wrote"},
		{"", "bench-against.results/1", "x\\u001b[2J", "'x\\x1b[2J', not "},
		{"", "\"schema\"", "\"schemata\"", "$ has no 'schema'"},
		{"", "\"regressed\"", "\"sunny\"", "$.verdict is not a verdict"},
		{"\"decision\"", "[4, 6, 8, 12]", "[4, 6, 8]", "3 looks and 4 weights"},
		{"\"decision\"", "[4, 6, 8, 12]", "[4, 6, \"x\", 12]", "$.decision.looks[2]"},
		{"\"decision\"", "\"alpha\": 0.05", "\"alpha\": \"5%\"", "$.decision.alpha"},
		{"\"decision\"", "\"alpha\": 0.05", "\"alpha\": 2",
			"$.decision.alpha must be between 0 and 1, is 2"},
		{"\"decision\"", "\"look_weights\": [", "\"look_weights\": [-1, ",
			"4 looks and 5 weights"},
		{"\"decision\"", "\"looks_done\": ", "\"looks_done\": 9, \"was\": ",
			"$.decision.looks_done"},
		{"\"origins\"", "\"name\": \"run 1\"", "\"name\": \"\"",
			"$.origins[0] has no name"},
		{"\"origins\"", "\"place\": 1", "\"place\": 2",
			"$.origins[2] is at place 2, and those before it are at 1"},
		{"\"origins\"", "\"run\": 2", "\"run\": 3",
			"$.origins[2] is of run 3, and there are 3"},
		{"\"origins\"", "\"first\": 1", "\"first\": 1000",
			"$.origins[1] begins at invocation 1000"},
		{"\"origins\"", "\"first\": 1", "\"first\": 2",
			"is of invocation 1, and its origin begins at 2"},
		{"\"effects\"", "\"environment\": 2", "\"environment\": 3",
			"has an effect of variants 0 and 3 of 3"},
		{"\"effects\"", "\"of\": \"code\"", "\"of\": \"environment\"",
			"has effects, and none of code"},
		{"\"effects\"", "\"of\": \"code\"", "\"of\": \"weather\"",
			"is not an effect that this version knows"},
		{"\"series\"", "\"place\": 1", "\"place\": 2",
			"places[1] is of place 2, and there are 2"},
		{"\"series\"", "\"p_agree\": 0.001", "\"p_agree\": 1.5",
			".p_agree must be between 0 and 1"},
		{"\"series\"", "\"origin\": 1", "\"origin\": 3", "is of origin 3, and there are 3"},
		{"\"decision\"", "\"part\": 2", "\"part\": 4", "$.decision is of part 4 of 3"},
		{"\"decision\"", "\"part\": 2", "\"part\": 0", "$.decision is of part 0 of 3"},
		{"\"merged\"", "\"looks_done\": 1", "\"looks_done\": 9",
			"$.decision.merged[0].looks_done"},
		{"\"environment\"", "\"timer_tick_ns\": ", "\"timer_tick_ns\": -1, \"was\": ",
			"timer_tick_ns must not be negative, is -1"},
		{"\"series\"", "\"mean_ns\": ", "\"mean_ns\": -1, \"was\": ",
			".mean_ns must not be negative, is -1"},
		{"\"series\"", "\"ratio\": ", "\"ratio\": -2, \"was\": ",
			".ratio must not be negative, is -2"},
		{"\"series\"", "\"p_regressed\": ", "\"p_regressed\": 1.5, \"was\": ",
			".p_regressed must be between 0 and 1, is 1.5"},
		{"\"series\"", "\"threshold_slower\": ", "\"threshold_slower\": -0.5, \"was\": ",
			".threshold_slower must not be negative, is -0.5"},
		{"", "\"variants\": [", "\"variants\": [{}, ", "$.variants[0] has no 'kind'"},
		{"\"variants\"", "\"rev\"", "\"tag\"", "\"rev\", \"path\" or \"worktree\""},
		{"\"variants\"", "\"commit\": \"333", "\"commit\": \"3g3", "hexadecimal"},
		{"\"artefacts\"", "\"sha256\": \"a", "\"sha256\": \"aa", "at most 64"},
		{"\"series\"", "\"benchmark\": 0", "\"benchmark\": 5", "$.series[0].benchmark"},
		{"\"series\"", "\"benchmark\": 1", "\"benchmark\": 0", "$.series[1] appears twice"},
		{"\"series\"", "\"submit\"", "\"vibes\"", "$.series[0].metric is not a metric"},
		{"\"series\"", "\"role\": \"verdict\"", "\"role\": \"judge\"", "\"reported\""},
		{"\"series\"", "\"candidate\": 1", "\"candidate\": 2", ".candidate"},
		{"\"series\"", "\"launches\": 40960", "\"launches\": -1", ".launches"},
		{"\"samples\"", "\"participants\": 3", "\"participants\": 200",
			"200 participants where there are 3 variants"},
		{"\"samples\"", "\"invocation\": 0", "\"invocation\": 1000",
			"is of invocation 1000: it must be less than 1000"},
		{"\"samples\"", "\"batch\": 16", "\"batch\": 0", "above 0"},
		{"\"samples\"", "\"blocks\": 2", "\"blocks\": 3",
			"12 numbers where 18 are expected"},
		{"\"samples\"", "\"blocks\": 2", "\"blocks\": 4000000000",
			"more samples than are possible"},
		{"\"samples\"", "[0, 1, 2, 2", "[0, 1, 7, 2", "participant 7 of 3"},
		{"\"samples\"", "38000", "0", "has a time of 0 at [0]"},
		{"\"samples\"", "38000", "-5", ".ns[0]"},
		{"\"samples\"", "38000", "1.5", ".ns[0]"},
		{"\"samples\"", "38000", "NaN", "line "},
		{"\"samples\"", "38000, ", "", "35 numbers where 36 are expected"},
		{"", "\"seed\": ", "\"seed\": 1, \"seed\": ", "seed"},
	};
	BA_AUTO(ba_result) ba_result r;
	fill(&r);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_results_format(&text, &r);
	size_t wrong = 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO_FREE char *bad =
			edited(text.data, rows[i].after, rows[i].find, rows[i].put);
		ba_result back = {0};
		ba_error err = {0};
		int rc = ba_results_parse(&back, bad, strlen(bad), "old.json", &err);
		/* from a file that keeps its readings the same is said */
		BA_AUTO(memfile) memfile m = memfile_of(bad, strlen(bad));
		ba_error again = {0};
		int rc_of_file = ba_results_read_some(&back, m.path, 0, &again);
		const char *of_file = strchr(again.text, ':');
		if (rc == BA_EDATA && strstr(err.text, rows[i].sentence) &&
			strstr(err.text, "old.json") && !back.run.variants && rc_of_file == rc &&
			of_file && strcmp(of_file, strchr(err.text, ':')) == 0 &&
			strstr(again.text, m.path))
			continue;
		fprintf(stderr, "%s for %s: %d '%s'\n", rows[i].put, rows[i].find, rc, err.text);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

/* The structs hold BA_RESULT_LOOKS_MOST; once 16 were read into less. */
TEST(more_looks_than_there_can_be_are_refused)
{
	BA_AUTO(ba_result) ba_result r;
	fill(&r);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_results_format(&text, &r);
	static const struct {
		const char *looks, *weights, *sentence;
	} rows[] = {
		{"[2, 3, 4, 5, 6, 7, 8, 9", "[.1, .1, .1, .1, .1, .1, .1, .1", NULL},
		{"[2, 3, 4, 5, 6, 7, 8, 9, 10", "[.1, .1, .1, .1, .1, .1, .1, .1, .1",
			"$.decision.looks has 9 looks and 9 weights: as many of each, "
			"at most 8"},
		{"[1001", "[.1",
			"$.decision.looks has a look after 1001 invocations at [0]: at "
			"most 1000 are allowed"},
		{"[2", "[7", "$.decision.look_weights has a weight of 7 at [0]"},
		{"[2", "[null", "$.decision.look_weights has a weight of nan at [0]"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO_FREE char *looks = ba_xprintf("\"looks\": %s], \"had\": [4", rows[i].looks);
		BA_AUTO(ba_buf) ba_buf weights = BA_BUF_INIT;
		ba_buf_puts(&weights, "\"look_weights\": ");
		for (const char *c = rows[i].weights; *c; c++) {
			if (*c == '.')
				ba_buf_putc(&weights, '0');
			ba_buf_putc(&weights, *c);
		}
		ba_buf_puts(&weights, "], \"had_weights\": [");
		BA_AUTO_FREE char *one = edited(text.data, "", "\"looks\": [4", looks);
		BA_AUTO_FREE char *both = edited(one, "", "\"look_weights\": [", weights.data);
		BA_AUTO(ba_result) ba_result back = {0};
		ba_error err = {0};
		int rc = ba_results_parse(&back, both, strlen(both), "old.json", &err);
		assert_int_equal(rc, rows[i].sentence ? BA_EDATA : 0);
		if (rows[i].sentence)
			assert_non_null(strstr(err.text, rows[i].sentence));
	}
}

/* Estimates take memory with the square of the invocations: a file of 20 MB asked for
 * 14 GB. */
TEST(more_invocations_than_there_can_be_are_refused)
{
	BA_AUTO(ba_result) ba_result r;
	fill(&r);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_results_format(&text, &r);
	for (int n = 999; n <= 1000; n++) {
		BA_AUTO(ba_buf) ba_buf y = BA_BUF_INIT;
		ba_buf_puts(&y, "\"y\": [0.5");
		for (int i = 0; i < n; i++)
			ba_buf_puts(&y, ", 0.5");
		ba_buf_puts(&y, "], \"had\": [");
		BA_AUTO_FREE char *many = edited(text.data, "\"comparisons\"", "\"y\": [", y.data);
		BA_AUTO(ba_result) ba_result back = {0};
		ba_error err = {0};
		int rc = ba_results_parse(&back, many, strlen(many), "old.json", &err);
		assert_int_equal(rc, n == 999 ? 0 : BA_EDATA);
		if (rc)
			assert_has(err.text, ".y has 1001 entries: at most 1000 are allowed");
	}
}

TEST(no_prefix_of_a_document_is_one)
{
	BA_AUTO(ba_result) ba_result r;
	fill(&r);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_results_format(&text, &r);
	for (size_t n = 0; n + 2 < text.len; n += n < 200 ? 1 : 97) {
		ba_result back = {0};
		ba_error err;
		assert_int_equal(ba_results_parse(&back, text.data, n, "cut.json", &err), BA_EDATA);
	}
}

TEST(deep_nesting_is_refused)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_puts(&text, "{\"schema\": ");
	ba_buf_pad(&text, '[', 100000);
	ba_result back = {0};
	ba_error err;
	assert_int_equal(ba_results_parse(&back, text.data, text.len, "deep.json", &err), BA_EDATA);
}

/* follow "$ref": "#/$defs/NAME" */
static ba_json_value resolved(ba_json_value root, ba_json_value schema)
{
	ba_json_value ref = ba_json_find(schema, "$ref");
	if (!ba_json_is(ref))
		return schema;
	const char *text;
	assert_int_equal(ba_json_as_string(&text, ref, NULL), 0);
	ba_json_value target = ba_json_find(ba_json_find(root, "$defs"), text + 8);
	assert_true(ba_json_is(target));
	return target;
}

/* Every member the document has is stated, and every required one is there. */
static void check_stated(ba_json_value root, ba_json_value schema, ba_json_value v)
{
	schema = resolved(root, schema);
	if (ba_json_type_of(v) == BA_JSON_ARRAY) {
		ba_json_value items = ba_json_find(schema, "items");
		ba_json_value item = ba_json_first(v);
		for (; ba_json_is(item); item = ba_json_next(item))
			check_stated(root, items, item);
		return;
	}
	ba_json_value properties = ba_json_find(schema, "properties");
	if (ba_json_type_of(v) != BA_JSON_OBJECT || !ba_json_is(properties))
		return;
	ba_json_value m = ba_json_first(v);
	for (; ba_json_is(m); m = ba_json_next(m)) {
		ba_json_value property = ba_json_find(properties, ba_json_key(m));
		if (!ba_json_is(property))
			fail_msg("the schema does not state '%s'", ba_json_key(m));
		check_stated(root, property, m);
	}
	ba_json_value required = ba_json_first(ba_json_find(schema, "required"));
	for (; ba_json_is(required); required = ba_json_next(required)) {
		const char *key;
		assert_int_equal(ba_json_as_string(&key, required, NULL), 0);
		if (!ba_json_is(ba_json_find(v, key)))
			fail_msg("the document lacks '%s'", key);
	}
}

/* parses a document in which `from` is replaced once; 0 or an error */
static int parse_edited(
	ba_result *out, const ba_result *r, const char *from, const char *to, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_results_format(&text, r);
	char *at = strstr(text.data, from);
	assert_non_null(at);
	BA_AUTO_FREE char *edited =
		ba_xprintf("%.*s%s%s", (int)(at - text.data), text.data, to, at + strlen(from));
	return ba_results_parse(out, edited, strlen(edited), "t.json", err);
}

TEST(a_shift_within_the_threshold_is_a_field_of_its_own)
{
	BA_AUTO(ba_result) ba_result r;
	ba_error err;
	fill(&r);
	ba_comparison *c = &r.series[0].comparisons[0];
	c->verdict = BA_VERDICT_UNCHANGED;
	c->ratio = 1.012;
	c->low = 1.005;
	c->high = 1.018;
	static const char said[] = "\"within_threshold\": \"slower\"";
	BA_AUTO(ba_result) ba_result same = {0};
	assert_int_equal(parse_edited(&same, &r, said, said, &err), 0);
	assert_int_equal(same.series[0].comparisons[0].verdict, BA_VERDICT_UNCHANGED);
	assert_int_equal(same.series[0].comparisons[0].shift, BA_SHIFT_SLOWER);
	BA_AUTO(ba_result) ba_result older = {0};
	assert_int_equal(parse_edited(&older, &r, said, "\"other\": 1", &err), 0);
	assert_int_equal(older.series[0].comparisons[0].shift, BA_SHIFT_NONE);
	assert_int_equal(ba_comparison_shift(&older.series[0].comparisons[0]), BA_SHIFT_SLOWER);
	BA_AUTO(ba_result) ba_result bad = {0};
	assert_int_equal(
		parse_edited(&bad, &r, said, "\"within_threshold\": \"up\"", &err), BA_EDATA);
	assert_has(err.text, "comparisons[0].within_threshold");
	assert_has(err.text, "must be \"slower\", \"faster\" or null");
}

TEST(the_schema_states_every_member)
{
	BA_AUTO(ba_result) ba_result r;
	fill(&r);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_results_format(&text, &r);
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	BA_AUTO_PTR(ba_json) ba_json *schema = NULL;
	ba_error err;
	assert_int_equal(ba_json_parse(&doc, text.data, text.len, NULL, &err), 0);
	if (ba_json_read(&schema, BA_SOURCE_DIR "/share/schema/results.schema.json", NULL, &err))
		fail_msg("%s", err.text);
	check_stated(ba_json_root(schema), ba_json_root(schema), ba_json_root(doc));
}
