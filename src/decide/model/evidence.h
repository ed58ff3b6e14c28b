/* What a run that does not trust its candidates (--untrusted) observed, for reports and
 * for users who judge the verdict. All 0 for other runs. */
#pragma once

#include "base/base.h"

typedef struct ba_evidence {
	bool untrusted;
	/* visits that the host timed, and launches in them that its witness saw arrive with
	 * the right arguments; 0 launches: no witness */
	uint64_t visits, launches;
	/* The largest overhead of a visit of the baseline, in ns and as a share of the
	 * visit. It is subtracted from the visits of every variant. */
	double overhead_ns, overhead_share;
	/* the largest share of a visit by which a worker's clock read less than the host's,
	 * beyond the overhead (medians of visits, over all variants and measurements) */
	double short_share;
	/* the processor time that a worker used between its visits, as a share of their time:
	 * the largest over all variants and measurements (sums of visits) */
	double aside_share;
	/* GPU benchmarks: visits on inputs that the variant had not seen before, and
	 * how many of them were followed by the baseline's check() of the results */
	uint64_t fresh, checks;
} ba_evidence;
