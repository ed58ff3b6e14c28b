#include "job/unused_thresholds.h"

static bool any_matches(const ba_unused_thresholds *q, const ba_result *r, const char *glob)
{
	for (size_t i = 0; i < r->run.benchmark_count; i++) {
		const bool *has = q->has ? q->has + i * r->run.variant_count : NULL;
		if ((!has || has[0] || has[q->rules]) &&
			ba_text_glob(glob, r->run.benchmarks[i].id))
			return true;
	}
	return false;
}

static int refuse(const ba_unused_thresholds *q, const ba_result *r, const ba_threshold_rule *rule,
	ba_error *err)
{
	return ba_fail(err, BA_ECONFIG,
		"%s: the threshold for '%s' (line %u) matches no benchmark of %s; if a change corrects the rule, --config-from names the variant whose configuration applies%s%s",
		q->config->name ? q->config->name : BA_CONFIG_FILE, rule->match,
		rule->threshold.origin.line, r->run.variants[q->rules].label,
		q->list ? "; the names: " : "", q->list ? q->list : "");
}

/* Names expected benchmarks that do not exist. A gate reports them itself. */
static void note_expected(ba_result *r, const ba_unused_thresholds *q)
{
	const ba_strv *expected = &q->config->expected;
	for (size_t i = 0; i < expected->count; i++)
		if (!any_matches(q, r, expected->items[i]))
			ba_strv_printf(&r->run.notes,
				"'%s' of gate.expected matches no benchmark; a gate reports it as missing",
				expected->items[i]);
}

int ba_unused_thresholds_check(ba_result *r, const ba_unused_thresholds *q, ba_error *err)
{
	const ba_thresholds *t = &q->config->thresholds;
	if (!q->partial && !q->gate && q->has)
		note_expected(r, q);
	if (t->overridden || q->partial)
		return 0;
	BA_EACH (const ba_threshold_rule, rule, t->rules, t->count) {
		if (!rule->match || any_matches(q, r, rule->match))
			continue;
		if (q->gate && q->complete)
			return refuse(q, r, rule, err);
		ba_strv_printf(&r->run.notes,
			"the threshold for '%s' (line %u of the configuration) matches no benchmark",
			rule->match, rule->threshold.origin.line);
	}
	return 0;
}
