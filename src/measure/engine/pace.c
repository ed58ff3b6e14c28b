#include "engine/row.h"

#include "stats/quantile.h"

/* A visit of one run takes longer than a run among others. This excess may be larger
 * than the baseline's by this share of the baseline's run, and by this time for
 * launches that otherwise overlap with runs. */
#define ALONE_LONGER 0.25
#define ALONE_LONGER_NS 50e3
/* What takes this many times as long as the baseline hides nothing: it is slower. */
#define SLOWER 2.0

void ba_pace_take_alone(ba_pace *p, double *ns, size_t count)
{
	double median = ba_median(ns, count); /* which has sorted them */
	double alone = ba_quantile_sorted(ns, count, 0.25);
	if (!p->known || alone < p->alone)
		p->alone = alone;
	p->spread = median - ns[0];
	p->known = true;
}

void ba_pace_take_together(ba_pace *p, double *ns, size_t count)
{
	ba_median(ns, count);
	p->together = ba_quantile_sorted(ns, count, 0.25);
}

/* A visit of one run takes the overhead and one run. Consecutive runs take equally
 * long. The baseline's visits show the overhead. */
bool ba_pace_overlaps(const ba_pace *first, const ba_pace *p, uint64_t runs)
{
	if (p->together > SLOWER * first->together)
		return false;
	double others = (double)runs - 1;
	double run = fmax(0, (first->together - first->alone) / others);
	double mine = fmax(0, (p->together - p->alone) / others);
	double most = ALONE_LONGER * run + ALONE_LONGER_NS + first->spread;
	return p->alone - mine > first->alone - run + most;
}
