/* The options that commands share: a struct, and a table whose rows name their commands. */
#pragma once

#include "cli/opt.h"
#include "job/job.h"

typedef enum ba_options_for {
	BA_FOR_AGAINST = 1 << 0, /* the main command, which compares variants */
	BA_FOR_RUN = 1 << 1,
	BA_FOR_BISECT = 1 << 2,
	BA_FOR_CALIBRATE = 1 << 3,
	BA_FOR_LIST = 1 << 4,
	BA_FOR_DOCTOR = 1 << 5,
	BA_FOR_COMPARE = 1 << 6,
	BA_FOR_REPORT = 1 << 7,
	BA_FOR_HELP = 1 << 8, /* nothing but --help */
	BA_FOR_EXPLAIN = 1 << 9,
	/* commands that may measure on several devices */
	BA_FOR_DEVICES = BA_FOR_AGAINST | BA_FOR_RUN | BA_FOR_CALIBRATE,
	BA_FOR_MERGE = 1 << 10,
	BA_FOR_CODE = 1 << 11,
	BA_FOR_JUDGE = 1 << 12,
} ba_options_for;

typedef struct ba_options {
	ba_job_request job; /* what to measure, and how (job/job.h) */
	ba_strv suggested;  /* strings for job.suggest */
	const char *resume;
	bool thorough; /* calibrate */
	const char *cache_dir, *directory;
	const char *filter_from; /* a file, whose lines are in job.filters, too */
	/* output */
	const char *output, *report, *attest;
	int format, colour, progress, unicode;
	bool quiet, verbose, help;
	bool help_all; /* sets help, too */
	bool no_history;
	bool expected; /* list: as a file of expected benchmarks */
	/* bisect */
	bool no_build_ahead;
	int bisect_format; /* 0: text, 1: JSON, 2: one line of JSON */
	bool into_merges, faster;
	const char *versions, *among;
	/* compare */
	const char *metric;
	const char *csv_columns;
	ba_strv higher, lower; /* globs of metrics that are not times, or of benchmarks */
	int require;	       /* ba_level */
	bool allow_summaries, force;
	bool different_cpus; /* merge */
} ba_options;

void ba_options_init(ba_options *o);
BA_DECLARE_DISPOSE(ba_options)

enum { BA_OPTION_ROWS_MOST = 96 };
/* rows[BA_OPTION_ROWS_MOST], pointing into *o; the table is option_rows.c */
void ba_options_rows(ba_opt *rows, ba_options *o, ba_options_for command);

/* What --help says of an option: the line "OPTION<TAB>TEXT" of options.txt, or with a command
 * "COMMAND OPTION<TAB>TEXT"; "" if there is none. */
const char *ba_option_text(const char *command, const char *option);

/* Call after ba_opt_parse() of these rows. With --help or --help-all, only sets o->help. Fills
 * o->job.suggest. BA_EINVAL: a contradiction. */
int ba_options_settle(ba_options *o, const ba_opt *rows, const ba_strv *operands,
	ba_options_for command, ba_error *err);

/* Does --device name this GPU? */
bool ba_options_name_device(const ba_options *o, int device);
