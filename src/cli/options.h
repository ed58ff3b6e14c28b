/* What the measuring commands (the main job, run, list, doctor) can be told. One
 * struct, one table of rows; each command shows the groups it has a use for. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strv.h"
#include "cli/opt.h"

typedef enum ba_opt_groups {
	BA_OPTS_WHAT = 1 << 0,	  /* which benchmarks */
	BA_OPTS_DECIDE = 1 << 1,  /* thresholds, error rate, gate */
	BA_OPTS_SAMPLE = 1 << 2,  /* how it is measured */
	BA_OPTS_BUILD = 1 << 3,	  /* configuration, building, cache */
	BA_OPTS_MACHINE = 1 << 4, /* target, device */
	BA_OPTS_OUTPUT = 1 << 5,
	BA_OPTS_SCREEN = 1 << 7,    /* in the place of OUTPUT: no file, no formats */
	BA_OPTS_CALIBRATE = 1 << 6, /* in the place of DECIDE, SAMPLE and OUTPUT */
	BA_OPTS_LIST = 1 << 8,	    /* of `list` alone */
	BA_OPTS_LOOK = 1 << 9,	    /* of what is printed; a part of OUTPUT */
	BA_OPTS_COMPARE = 1 << 10,  /* in the place of WHAT, DECIDE and BUILD */
} ba_opt_groups;

typedef struct ba_options {
	/* what */
	const char *suite, *metrics, *verdict_on, *args, *bytes, *loops;
	ba_strv filters, paths, axes;
	int warm_up, iterations;
	int repeats;
	bool measure_identical, no_device_code;
	/* decide */
	const char *threshold;
	double alpha;
	bool strict, fail_fast, allow_below_floor;
	int gate, multiplicity, on_inconclusive;
	/* sample */
	uint64_t seed;
	int fixed, min_invocations, max_invocations, batch, blocks, engine, flush;
	int64_t budget_ns, hang_ns;
	const char *resume;
	bool thorough;
	/* build */
	const char *config, *config_from, *cache_dir, *directory;
	int jobs;
	bool no_build, in_place, keep, allow_lfs_pointers;
	/* machine */
	int target, device, cpu;
	const char *fake_driver;
	/* output */
	const char *output, *report;
	int format, colour, progress, unicode;
	bool quiet, verbose, help;
	bool no_history;
	bool expected; /* list: as a file of expected benchmarks */
	/* compare */
	const char *metric;
	int require; /* ba_level */
	bool allow_summaries, force;
} ba_options;

void ba_options_init(ba_options *o);
void ba_options_dispose(ba_options *o);
BA_DEFINE_AUTO(ba_options, ba_options_dispose)

enum { BA_OPTION_ROWS_MOST = 80 };
/* rows[BA_OPTION_ROWS_MOST], pointing into *o */
void ba_options_rows(ba_opt *rows, ba_options *o, unsigned groups);

/* Parse; with --help print the page and set o->help. What contradicts is BA_EINVAL. */
int ba_options_parse(ba_options *o, ba_strv *operands, const char *page,
	unsigned groups, int argc, char **argv, ba_error *err);

/* "0,1,8" into numbers from min to max; caller frees *out */
int ba_options_numbers(uint64_t **out, size_t *count, const char *text, uint64_t min,
	uint64_t max, const char *what, ba_error *err);

typedef enum ba_gate_choice { BA_GATE_OFF, BA_GATE_ON, BA_GATE_STRICT } ba_gate_choice;
typedef enum ba_target_choice { BA_ON_GPU, BA_ON_HOST, BA_ON_FAKE } ba_target_choice;
extern const char *const ba_target_words[]; /* "gpu", "host", "fake" */
extern const char *const ba_gate_words[];   /* "off", "on", "strict" */
extern const char *const ba_engine_words[]; /* "auto", "duet", ... */
extern const char *const ba_flush_words[];  /* "read", "write" */

#endif
