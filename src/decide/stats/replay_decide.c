/* Makes the looks over a trace that was read. */
#include "stats/replay_internal.h"

size_t ba_replay_count(const ba_replay *r)
{
	return r->count == 0 ? 0 : r->count * (r->variants.count - 1);
}

/* of a comparison: its candidate's columns */
typedef struct values {
	const double *y, *z;
	size_t count;
} values;

static values values_of(const ba_replay *r, size_t comparison)
{
	size_t candidates = r->variants.count - 1;
	const ba_replay_benchmark *b = &r->benchmarks[comparison / candidates];
	size_t at = comparison % candidates * b->count;
	return (values){b->y + at, b->z + at, b->count};
}

static void look_at(ba_replay *r, const ba_replay_rule *rule, const ba_design *design, size_t look,
	size_t comparison)
{
	values v = values_of(r, comparison);
	ba_decision *d = &r->decisions[comparison];
	if (v.count < design->at[look])
		return;
	ba_decision_look(d, &rule->policy, design, look, v.y);
	ba_decision_look_mean(d, &rule->policy, design, look, v.z);
}

int ba_replay_decide(ba_replay *r, const ba_replay_rule *rule, ba_error *err)
{
	size_t n = ba_replay_count(r);
	ba_design design =
		rule->fixed ? ba_design_fixed(rule->fixed) : ba_design_of_rule(rule->policy.rule);
	BA_REQUIRE(!r->decisions);
	r->family = rule->family ? rule->family : n;
	if (r->family < n)
		return ba_fail(err, BA_EINVAL,
			"a family of %zu is smaller than the %zu comparisons of the trace; the error rate would not hold",
			r->family, n);
	r->decisions = ba_xreallocarray(NULL, n, sizeof(*r->decisions));
	for (size_t i = 0; i < n; i++) {
		values v = values_of(r, i);
		ba_decision_init(&r->decisions[i], rule->theta_reg, rule->theta_imp);
		if (ba_design_looks_within(&design, v.count) == 0)
			ba_decision_estimate(&r->decisions[i], &rule->policy, v.y, v.count);
	}
	for (size_t look = 0; look < design.looks; look++) {
		for (size_t i = 0; i < n; i++)
			look_at(r, rule, &design, look, i);
		if (ba_family_decide(r->decisions, n, r->family, &rule->policy,
			    look + 1 == design.looks) == 0)
			break;
	}
	return 0;
}

ba_replay_result ba_replay_at(const ba_replay *r, size_t i)
{
	size_t candidates = r->variants.count - 1, candidate = i % candidates;
	const ba_replay_benchmark *b = &r->benchmarks[i / candidates];
	BA_REQUIRE(r->decisions);
	candidate += candidate >= r->variants.baseline;
	return (ba_replay_result){
		.benchmark = b->name,
		.candidate = r->variant_names[candidate],
		.decision = &r->decisions[i],
		.recorded = b->count,
	};
}

size_t ba_replay_family(const ba_replay *r)
{
	return r->family;
}

const ba_trace_variants *ba_replay_variants(const ba_replay *r)
{
	return &r->variants;
}

size_t ba_replay_gaps(const ba_replay *r, const char **first)
{
	size_t gaps = 0;
	*first = NULL;
	BA_EACH (const ba_replay_benchmark, b, r->benchmarks, r->count) {
		if (b->most - b->least + 1 == b->count)
			continue;
		if (gaps++ == 0)
			*first = b->name;
	}
	return gaps;
}
