/*
 * What a run that does not trust its candidates (--untrusted) saw: for reports, and for
 * whoever decides whether the verdict counts. All 0: another run.
 */
#ifndef MODEL_EVIDENCE_H
#define MODEL_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ba_evidence {
	bool untrusted;
	/* visits that the host timed, and launches in them that its witness saw arrive with
	 * the right arguments; 0 launches: no witness */
	uint64_t visits, launches;
	/* What a visit of the baseline takes besides its runs, and as a part of the visit: the
	 * most over all measurements. It is subtracted from the visits of every variant. */
	double overhead_ns, overhead_share;
	/* By what part of a visit a worker's own clock fell short of the host's, beyond the
	 * overhead: the most over all variants and measurements, medians of visits. */
	double short_share;
	/* Processor time of a worker between its visits, as a part of them: the most over all
	 * variants and measurements, sums of visits. */
	double aside_share;
	/* of GPU benchmarks: visits on inputs that the variant had not seen before, and those
	 * among them after which the baseline's check() looked at the results */
	uint64_t fresh, checks;
} ba_evidence;

#endif
