#include "stats/multiple.h"

#include "stats/student.h"

static const char *const names[] = {
	[BA_MULTIPLICITY_BH] = "bh",
	[BA_MULTIPLICITY_HOLM] = "holm",
	[BA_MULTIPLICITY_BY] = "by",
	[BA_MULTIPLICITY_NONE] = "none",
};

const char *ba_multiplicity_name(ba_multiplicity how)
{
	return names[how];
}

bool ba_multiplicity_parse(ba_multiplicity *out, const char *name)
{
	const char *const *word = BA_FIND(names, BA_COUNT(names), x, strcmp(*x, name) == 0);
	if (word)
		*out = (ba_multiplicity)(word - names);
	return word;
}

typedef struct ranked_p {
	double p;
	size_t index;
} ranked_p;

BA_DEFINE_ORDER(compare_p, ranked_p, BA_ORDER(a->p, b->p) ?: BA_ORDER(a->index, b->index))

/* The p-values up to `most`, ascending. The caller frees them. */
static ranked_p *ranked_of(size_t *count, const double *p, size_t n, double most)
{
	ranked_p *ranked = ba_xreallocarray(NULL, n, sizeof(*ranked));
	*count = 0;
	for (size_t i = 0; i < n; i++)
		if (p[i] <= most)
			ranked[(*count)++] = (ranked_p){.p = p[i], .index = i};
	qsort(ranked, *count, sizeof(*ranked), compare_p);
	return ranked;
}

/* 1 + 1/2 + ... + 1/m: Benjamini and Yekutieli's factor for arbitrary dependence */
static double harmonic(size_t m)
{
	double sum = 0;
	for (size_t i = m; i > 0; i--)
		sum += 1 / (double)i;
	return sum;
}

double ba_multiple_level(size_t rejected, size_t m, double q, ba_multiplicity how)
{
	double rank = (double)rejected + 1;
	switch (how) {
	case BA_MULTIPLICITY_BH:
		return q * rank / (double)m;
	case BA_MULTIPLICITY_BY:
		return q / harmonic(m) * rank / (double)m;
	case BA_MULTIPLICITY_HOLM:
		return q / (double)(m - rejected);
	case BA_MULTIPLICITY_NONE:
		break;
	}
	return q;
}

/* How many of the ascending p-values are rejected: up to the largest rank that fits; for Holm, up to
 * the first that does not. */
static size_t rejected_prefix(
	const ranked_p *ranked, size_t n, size_t m, double q, ba_multiplicity how)
{
	size_t last = 0;
	if (how == BA_MULTIPLICITY_BY) {
		q /= harmonic(m);
		how = BA_MULTIPLICITY_BH;
	}
	for (size_t i = 0; i < n; i++)
		if (ranked[i].p <= ba_multiple_level(i, m, q, how))
			last = i + 1;
		else if (how == BA_MULTIPLICITY_HOLM)
			break;
	return last;
}

size_t ba_multiple_reject(
	bool *rejected, const double *p, size_t n, size_t m, double q, ba_multiplicity how)
{
	BA_REQUIRE(m >= n);
	/* no rule rejects a p above q, and most p-values are above it */
	size_t small, count;
	BA_AUTO_FREE ranked_p *ranked = ranked_of(&small, p, n, q);

	count = rejected_prefix(ranked, small, m, q, how);
	for (size_t i = 0; i < n; i++)
		rejected[i] = false;
	for (size_t i = 0; i < count; i++)
		rejected[ranked[i].index] = true;
	return count;
}

double ba_multiple_cut(const double *p, size_t n, size_t m, double q, ba_multiplicity how)
{
	BA_REQUIRE(m >= n);
	size_t small, count;
	BA_AUTO_FREE ranked_p *ranked = ranked_of(&small, p, n, q);

	count = rejected_prefix(ranked, small, m, q, how);
	return count ? ba_multiple_level(count - 1, m, q, how) : -1;
}

/* ---- one after the other ---- */

/* the sum over all t of log(max(t, 2)) / (t exp(sqrt(log t))), rounded up */
#define ONLINE_SUM 12.6452
enum { INVOCATIONS_LEAST = 16, INVOCATIONS_MOST = 32 };
#define QUANTILE_MOST 6.0

double ba_online_level(double alpha, bool strict, size_t t, size_t accepted)
{
	double n = (double)t;
	double g = log(fmax(n, 2)) / (n * exp(sqrt(log(n)))) / ONLINE_SUM;
	return fmin(alpha, alpha * g * (strict ? 1 : 1 + (double)accepted));
}

size_t ba_online_invocations(double level)
{
	size_t n = INVOCATIONS_LEAST;
	while (n < INVOCATIONS_MOST && ba_t_isf(level / 2, (double)(n - 1)) > QUANTILE_MOST)
		n++;
	return n;
}
