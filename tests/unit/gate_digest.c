/* A few series of many give the answer of all of them. */
#include "test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "example_result.h"
#include "gate/policy.h"
#include "gate/status.h"
#include "series_of.h"

enum { MANY = 60 };

/* any verdict that files can have, of any size */
static void fill(ba_series *s, size_t candidate, uint64_t *rng)
{
	static const ba_verdict verdicts[] = {BA_VERDICT_REGRESSED, BA_VERDICT_IMPROVED,
		BA_VERDICT_UNCHANGED, BA_VERDICT_INCONCLUSIVE, BA_VERDICT_PROVISIONAL,
		BA_VERDICT_ADDED, BA_VERDICT_REMOVED, BA_VERDICT_FAILED, BA_VERDICT_SKIPPED};
	ba_summary *a = &s->variants[0], *b = &s->variants[candidate];
	ba_verdict v = verdicts[ba_splitmix64(rng) % 9];
	double up = 1.03 + 0.001 * (double)(ba_splitmix64(rng) % 500);
	double ratio = v == BA_VERDICT_REGRESSED ? up : v == BA_VERDICT_IMPROVED ? 1 / up : 1.001;
	if (!a->launches && v != BA_VERDICT_ADDED)
		example_summary(a, 2500, 12);
	if (v != BA_VERDICT_REMOVED && v != BA_VERDICT_FAILED)
		example_summary(b, 2500 * ratio, 12);
	if (v == BA_VERDICT_FAILED)
		b->failure = ba_xstrdup("it crashed");
	if (v == BA_VERDICT_SKIPPED) {
		b->skipped = ba_xstrdup("too old");
		b->launches = 0;
	}
	example_compare(s, candidate, v, 0.004 + 0.01 * (double)(*rng % 7));
}

static void build(ba_result *r, size_t candidates, size_t count, uint64_t *rng)
{
	example_begin(r, candidates + 1);
	for (unsigned i = 0; i < count; i++) {
		char id[32];
		snprintf(id, sizeof(id), "launch/args=%u", i);
		ba_series *s = series_of(
			r, example_benchmark(r, id, i), i % 5 ? BA_METRIC_SUBMIT : BA_METRIC_HOST);
		for (size_t c = 1; c <= candidates; c++)
			fill(s, c, rng);
	}
}

/* r with some of its series: shares all else */
static ba_result part_of(const ba_result *r, ba_series *series, const bool *stays)
{
	ba_result part = *r;
	part.series = series;
	part.series_count = 0;
	part.decided.answer = NULL;
	for (size_t i = 0; i < r->series_count; i++)
		if (stays[i])
			series[part.series_count++] = r->series[i];
	return part;
}

TEST(the_answer_is_that_of_all)
{
	uint64_t rng = 5;
	for (size_t round = 0; round < 400; round++) {
		size_t candidates = 1 + round % 3, count = 1 + round % MANY, kept = 0;
		BA_AUTO(ba_result) ba_result r;
		build(&r, candidates, count, &rng);
		BA_AUTO_PTR(ba_digest)
		ba_digest *d = ba_digest_new(candidates + 1, 1 + round % 2);
		bool stays[MANY] = {false}, alone[MANY] = {false};
		ba_series series[MANY];
		for (size_t i = 0; i < count; i++) {
			alone[i] = true;
			ba_result one = part_of(&r, series, alone);
			ba_digest_add(d, &one, one.series, i);
			alone[i] = false;
		}
		ba_digest_choose(d, stays);
		for (size_t i = 0; i < count; i++)
			kept += stays[i];
		ba_result part = part_of(&r, series, stays);
		const ba_gate_policy all = {.strict = round % 2 == 1};
		const ba_gate_policy few = {.strict = round % 2 == 1, .digest = d};
		assert_int_equal(ba_gate_set_status(&part, &few), ba_gate_set_status(&r, &all));
		assert_string_equal(part.decided.answer, r.decided.answer);
		assert_int_equal(part.decided.verdict, r.decided.verdict);
		const ba_left_out *l = &part.document.left_out;
		assert_int_equal(kept + l->calm + l->doubts + l->others, count);
		free(part.decided.answer);
	}
}

TEST(the_largest_changes_stay)
{
	static const double ratios[] = {1.1, 1.7, 1.2, 1.9, 1.3, 1.7};
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO_PTR(ba_digest) ba_digest *d = ba_digest_new(1, 3);
	example_begin(&r, 2);
	for (unsigned i = 0; i < 6; i++) {
		ba_series *s = series_of(&r, example_benchmark(&r, "x", i), BA_METRIC_SUBMIT);
		example_summary(&s->variants[0], 2500, 12);
		example_summary(&s->variants[1], 2500 * ratios[i], 12);
		example_compare(s, 1, BA_VERDICT_REGRESSED, 0.004);
	}
	bool stays[6] = {false}, alone[6] = {false};
	ba_series series[6];
	for (size_t i = 0; i < 6; i++) {
		alone[i] = true;
		ba_result one = part_of(&r, series, alone);
		ba_digest_add(d, &one, one.series, i);
		alone[i] = false;
	}
	ba_digest_choose(d, stays);
	/* and the first, which stands for its metric */
	static const bool wanted[] = {true, true, false, true, false, true};
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(stays[i], wanted[i]);
}
