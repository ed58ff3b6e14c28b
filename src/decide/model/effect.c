#include "model/effect.h"

const char *const ba_effect_names[BA_EFFECTS_OF] = {
	"code", "environment", "interaction", "code in environment"};

/* ---- the grid ---- */

/* What two variants with the same code or environment have in common. A file of the tree may
 * ask for other packages in another code. */
static char *key_of(const ba_variant *v, bool code)
{
	if (code)
		return v->kind == BA_VARIANT_REV ? ba_xstrdup(v->commit) : ba_variant_tree_spec(v);
	BA_AUTO_FREE char *parts = ba_strv_join(&v->environment.parts, "+");
	return ba_xprintf("%s %s", v->environment.resolved_sha256, parts);
}

/* The level of variant v. If it is a new one, v is added to the first variants of each. */
static size_t level_of(uint8_t *first, size_t *count, const ba_measured *m, size_t v, bool code)
{
	BA_AUTO_FREE char *mine = key_of(&m->variants[v], code);
	for (size_t i = 0; i < *count; i++) {
		BA_AUTO_FREE char *key = key_of(&m->variants[first[i]], code);
		if (strcmp(key, mine) == 0)
			return i;
	}
	first[*count] = (uint8_t)v;
	return (*count)++;
}

ba_grid ba_grid_of(const ba_measured *m)
{
	ba_grid g = {0};
	size_t code[BA_VARIANTS_MOST], environment[BA_VARIANTS_MOST], n = m->variant_count;
	if (!ba_measured_has_environments(m) || n > BA_VARIANTS_MOST)
		return g;
	for (size_t v = 0; v < n; v++) {
		code[v] = level_of(g.code, &g.codes, m, v, true);
		environment[v] = level_of(g.environment, &g.environments, m, v, false);
	}
	bool full = g.codes > 1 && g.environments > 1 && g.codes * g.environments == n;
	for (size_t v = 0; full && v < n; v++)
		g.cell[code[v] * g.environments + environment[v]] = (uint8_t)v;
	/* two variants in one cell leave another one empty */
	return full && !memchr(g.cell + 1, 0, n - 1) ? g : (ba_grid){0};
}

/* ---- an effect ---- */

bool ba_effect_is_shown(const ba_effect *e)
{
	return ba_verdict_is_slower(e->comparison.verdict) ||
	       ba_verdict_is_faster(e->comparison.verdict);
}

double ba_effect_weight(const ba_effect *e)
{
	double open = e->comparison.verdict == BA_VERDICT_UNCHANGED ? 0 : 1e3;
	return (ba_effect_is_shown(e) ? 1e6 : open) + fabs(log(e->comparison.ratio));
}

const ba_effect *ba_effect_first(const ba_series *s, ba_effect_of of)
{
	const ba_effect *first = NULL;
	BA_EACH (const ba_effect, e, s->effects, s->effect_count)
		if (e->of == of && (!first || ba_effect_weight(e) > ba_effect_weight(first)))
			first = e;
	return first;
}

void ba_effect_put_name(ba_buf *out, const ba_measured *m, const ba_effect *e)
{
	BA_AUTO_FREE char *old = ba_variant_tree_spec(&m->variants[0]),
			  *new = ba_variant_tree_spec(&m->variants[e->code]),
			  *from = ba_variant_environment_name(&m->variants[0]),
			  *to = ba_variant_environment_name(&m->variants[e->environment]);
	const char *present = "the present environment", *in = *to ? to : present;
	if (e->of == BA_EFFECT_OF_ENVIRONMENT)
		ba_buf_printf(out, "environment %s to %s", *from ? from : present, in);
	else if (e->of == BA_EFFECT_OF_BOTH)
		ba_buf_printf(out, "interaction of %s and %s", new, in);
	else if (e->of == BA_EFFECT_OF_CODE)
		ba_buf_printf(out, "code %s to %s", old, new);
	else
		ba_buf_printf(out, "code %s to %s in %s", old, new, in);
}

void ba_effect_put(ba_buf *size, ba_buf *interval, const ba_series *s, const ba_effect *e)
{
	const ba_comparison *c = &e->comparison;
	bool rate = s->more_is_better;
	double low = c->exact ? NAN : rate ? 1 / c->high : c->low;
	double high = c->exact ? NAN : rate ? 1 / c->low : c->high;
	ba_buf_puts(size, ba_percent_of(rate ? 1 / c->ratio : c->ratio, low, high).text);
	ba_buf_puts(interval, c->exact ? "exactly" : ba_interval_of(low, high).text);
}
