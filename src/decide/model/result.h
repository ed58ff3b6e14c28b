/* The result of a run, which report, store and gate read: what was measured, what was
 * decided, the document it was read from, and the series. It is filled while the run
 * proceeds and complete at its end. Nothing here computes; see stats/ and verdict/estimate.h. */
#pragma once

#include "model/limits.h"
#include "model/series.h"

/* The document's digest against damage (store/results.h). */
typedef enum ba_document_state {
	BA_DOCUMENT_NEW, /* not read from a file */
	BA_DOCUMENT_WITHOUT_DIGEST,
	BA_DOCUMENT_AGREES,
	BA_DOCUMENT_DIFFERS,
} ba_document_state;

/* Since this revision verdicts use the means, too, and levels agree with the ratios. */
#define BA_REVISION_MEANS 4
/* Since this schema_revision a comparison says its shift (within_threshold). */
#define BA_REVISION_SHIFT 6
/* Since this schema_revision answer, reason and hint have the words of today. */
#define BA_REVISION_WORDS 9
/* Since this schema_revision the launched kernels leave marks. */
#define BA_REVISION_MARKS 7
/* Since this schema_revision a result may have origins. */
#define BA_REVISION_ORIGINS 8
/* Since this schema_revision the decision names its rule. */
#define BA_REVISION_RULE 9
/* Since this schema_revision a value that a command suite prints is a reading. */
#define BA_REVISION_REPLICATES 9

/* The benchmarks of a large comparison that the result does not have (gate/policy.h). */
typedef struct ba_left_out {
	/* unchanged for all candidates; inconclusive for some and else unchanged; the rest */
	size_t calm, doubts, others;
} ba_left_out;

typedef struct ba_result ba_result;
typedef struct ba_stored_readings ba_stored_readings;

/* Where readings are kept that are not in memory. */
struct ba_stored_readings {
	/* appends the samples of r->series[index] to *out */
	int (*load)(ba_stored_readings *from, ba_series *out, const ba_result *r, size_t index,
		ba_error *err);
	void (*free)(ba_stored_readings *from);
	/* the first error of load; check it after a report, like ferror() */
	ba_error error;
};

/* What was decided, and by which rule and policy. */
typedef struct ba_decided {
	/* decided by `decide` or `merge` from files: such a result claims no lane */
	bool decided_apart;
	double alpha;
	char *multiplicity; /* "bh" ... */
	bool strict;	    /* `regressed` means certainly more than the threshold */
	unsigned rule;	    /* BA_RULE_... (stats/sequential.h); 0: the first rule */
	ba_design design;   /* its looks are made after so many invocations */
	size_t looks_done;
	/* why the run ended before the last look: "budget", "fail-fast", "signal"; or "" */
	char *stopped;
	size_t family_size; /* m: the number of hypotheses in the family of verdicts */
	/* the gate's policy */
	bool gate_strict, undecided_fails, likely_fails;
	ba_strv expected; /* globs of benchmarks that were required */
	/* REGRESSED, IMPROVED, UNCHANGED, INCONCLUSIVE, FAILED, SKIPPED */
	ba_verdict verdict;
	char *answer; /* the one sentence */
	int exit_status;
} ba_decided;

/* The document that a result was read from, and which parts of it are not in memory. */
typedef struct ba_document {
	unsigned schema_revision; /* the revision says which fields it always has */
	ba_document_state state;  /* is it unchanged since it was written? */
	char sha256[65];	  /* computed */
	char said[65];		  /* the digest stated in the document; "" if none */
	/* all 0, except when a huge comparison is shown on a terminal */
	ba_left_out left_out;
	ba_stored_readings *stored; /* NULL: all readings are in memory */
} ba_document;

/* The parts of a result. Functions take only the part that they need. */
struct ba_result {
	ba_measured run;
	ba_decided decided;
	ba_document document;
	/* One series for each benchmark and metric: the readings, and what was decided
	 * from them. The series of one benchmark are adjacent. */
	ba_series *series;
	size_t series_count;
};

/* The series of the same benchmark and that metric, or NULL. */
const ba_series *ba_result_beside(const ba_result *r, const ba_series *s, ba_metric metric);
/* Why the candidate executes other instructions than the baseline in the benchmark of
 * this series (of any metric); NULL: instructions were not counted. */
const ba_explanation *ba_result_explanation(
	const ba_result *r, const ba_series *s, size_t candidate);
/* Is this a time that changed although both variants executed the same instructions?
 * Then the layout of code and data in memory differs: alignment, pages, the order of
 * objects. False for times that are averages over layouts. */
bool ba_result_is_layout(const ba_result *r, const ba_series *s, size_t candidate);
/* The thresholds of a candidate's verdicts in one metric (-1: in all): "2 %", "2 to 9 %
 * (at least 1 ns)"; nothing if none was measured. */
void ba_result_put_thresholds(ba_buf *out, const ba_result *r, int metric, size_t candidate);
/* Are all deciding metrics counts or quantities, under a rule that supports counts? */
bool ba_result_decides_by_counts(const ba_result *r);
/* Do its samples come from files, rather than from the run that gave the verdicts? */
static inline bool ba_result_is_decided_apart(const ba_result *r)
{
	return r->decided.decided_apart || r->run.merged_count > 0;
}
/* The metric's row for a heading above all of its series, in the first one's words. */
const ba_metric_info *ba_result_metric(const ba_result *r, ba_metric metric);

/* Adds a series of this benchmark and metric, which r must not have, for all variants.
 * Invalidates pointers into r->series. */
ba_series *ba_result_add_series(ba_result *r, size_t benchmark, ba_metric metric);
/* A series of r with its readings: s itself if they are in memory, else *own, a copy
 * with the readings, until the caller releases it. If they cannot be read again, it has
 * no samples, and r->document.stored->error says why. */
const ba_series *ba_series_whole(ba_series *own, const ba_result *r, const ba_series *s);
/* Could all requested readings be read? Check this before you rely on a report. */
int ba_result_check_stored(const ba_result *r, ba_error *err);

/* The throughput by a variant's trimmed mean, and its share of this GPU's measured ceilings.
 * The benchmark's author states the work; launches have no throughput. */
ba_throughput ba_throughput_of(const ba_result *r, const ba_series *s, size_t variant);

/* Frees benchmarks and series, not the memory of the two lists. */
void ba_result_drop_series(ba_result *r);
BA_DECLARE_DISPOSE(ba_result)
