/* The options of the measuring commands (the main job, run, list, doctor). One struct,
 * one table of rows; each command shows the groups that it needs. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/opt.h"
#include "run/run.h"

typedef enum ba_opt_groups {
	BA_OPTS_WHAT = 1 << 0,	  /* which benchmarks */
	BA_OPTS_DECIDE = 1 << 1,  /* thresholds, error rate, gate */
	BA_OPTS_SAMPLE = 1 << 2,  /* how it is measured */
	BA_OPTS_BUILD = 1 << 3,	  /* configuration, building, cache */
	BA_OPTS_MACHINE = 1 << 4, /* target, device */
	BA_OPTS_OUTPUT = 1 << 5,
	BA_OPTS_SCREEN = 1 << 7,    /* instead of OUTPUT: no file, no formats */
	BA_OPTS_CALIBRATE = 1 << 6, /* instead of DECIDE, SAMPLE and OUTPUT */
	BA_OPTS_LIST = 1 << 8,	    /* only for `list` */
	BA_OPTS_LOOK = 1 << 9,	    /* how it looks; a part of OUTPUT */
	BA_OPTS_COMPARE = 1 << 10,  /* instead of WHAT, DECIDE and BUILD */
} ba_opt_groups;

typedef struct ba_options {
	ba_job_request job; /* what to measure, and how (run/run.h) */
	const char *resume;
	bool thorough; /* calibrate */
	const char *cache_dir, *directory;
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
/* rows[BA_OPTION_ROWS_MOST], pointing into *o; the table is option_rows.c */
void ba_options_rows(ba_opt *rows, ba_options *o, unsigned groups);

/* Parses; with --help prints the page and sets o->help. BA_EINVAL also for options that
 * contradict each other. */
int ba_options_parse(ba_options *o, ba_strv *operands, const char *page,
	unsigned groups, int argc, char **argv, ba_error *err);

#endif
