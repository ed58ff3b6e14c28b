/* `.bench-against.json`: what a project builds and measures. docs/configuration.md
 * documents it for users, share/bench-against/config.schema.json for editors. The rows
 * of schema.c, that page and that schema have the same keys (a test compares them).
 *
 *     BA_AUTO(ba_config) ba_config config;
 *     ba_config_init(&config);                      -- the defaults
 *     if (ba_config_load(&config, path, err) < 0) ...
 *     ba_threshold t = ba_config_threshold(&config, "launch/args=2", BA_METRIC_SUBMIT);
 *
 * What messages quote knows its origin: the default, a line of the file, or the command line.
 * Use the functions below for the command line, after loading: it overrides the file. */
#pragma once

#include "base/base.h"
#include "model/benchmark.h"
#include "model/code_document.h"

#define BA_CONFIG_FILE ".bench-against.json"
#define BA_CONFIG_CEILING (1u << 20) /* the largest size of a configuration, in bytes */

typedef enum ba_origin_kind {
	BA_ORIGIN_DEFAULT,
	BA_ORIGIN_FILE,
	BA_ORIGIN_COMMAND_LINE
} ba_origin_kind;

typedef struct ba_value_origin {
	ba_origin_kind kind;
	unsigned line; /* of the file */
} ba_value_origin;

/* How much slower or faster a candidate may be. A change counts if it exceeds both the
 * ratio and the time. One of them may be missing. */
typedef struct ba_threshold {
	double slower, faster; /* 0.02: two per cent; 0: none, only the time applies */
	double floor_ns;       /* the time per launch; 0: none, only the ratio applies */
	double floor_count;    /* the same as a number of instructions; 0: none */
	ba_value_origin origin;
} ba_threshold;

/* a threshold for some benchmarks and some metrics */
typedef struct ba_threshold_rule {
	char *match; /* glob over benchmark ids; NULL: all */
	int metric;  /* ba_metric; -1: all */
	ba_threshold threshold;
} ba_threshold_rule;

typedef struct ba_thresholds {
	ba_threshold fallback;	  /* "default" */
	bool overridden;	  /* --threshold: `fallback` applies to everything */
	ba_threshold_rule *rules; /* the last one that matches applies */
	size_t count, capacity;
} ba_thresholds;

typedef struct ba_build_config {
	ba_strv *commands; /* [command_count], each an argv; none: nothing is built */
	size_t command_count, command_capacity;
	ba_strv env;	    /* names of variables that reach the build and its key */
	ba_strv inputs;	    /* paths or globs that key the cache; none: the whole tree */
	ba_strv artefacts;  /* files that must exist afterwards, besides the libraries */
	ba_strv irrelevant; /* globs of files that measured programs never read */
	int64_t timeout_ns; /* for the whole build of one variant */
	uint64_t jobs;	    /* variants built side by side; 0: the tool chooses */
} ba_build_config;

BA_LIST(ba_numbers, uint64_t);

typedef struct ba_suite_config {
	char *name; /* first part of its benchmarks' ids */
	ba_suite_kind kind;
	const char *hook; /* one of ba_suite_hooks, then kind is worker; else NULL */
	/* kind python-task, a worker suite: how it is written, its file and the candidate's */
	bool is_task;
	const char *format;
	char *task, *candidate;
	ba_strv regimes; /* of its inputs, beside its own */
	bool repeatable; /* the same inputs must give the same bits */
	/* kinds worker and command */
	ba_strv command; /* argv, run in the tree */
	/* suites with a hook: globs of programs in the built tree. A word "{program}" of
	 * command stands for one of them; without a command it is run by itself */
	ba_strv programs;
	ba_strv pythonpath; /* folders of the tree for PYTHONPATH; empty: its top */
	/* kind command */
	int64_t timeout_ns; /* for one run of the program */
	char *metric;	    /* NULL: the format's default */
	char *library;	    /* the library of a launcher or plugin, relative to the tree */
	/* kind plugin: axes "n=1024,4096"; warm_up: the warm-up runs of a process;
	 * iterations: the measured runs of a variant until the first look */
	ba_strv axes;
	uint64_t warm_up, iterations;
	ba_strv size; /* globs of files of the built tree, for the metric `size` */
	/* kind launcher */
	ba_strv paths;	  /* launch paths by name; empty: the first path of the library */
	bool all_paths;	  /* "paths": "all" */
	ba_numbers args;  /* numbers of pointer arguments to measure */
	ba_numbers bytes; /* sizes of a single by-value argument to measure */
	/* loops of `sustained`, one for each of args, then of bytes; the last one is
	 * for all others. None: 100000 for 0..3 arguments, else 10000 */
	ba_numbers loops;
	uint64_t repeats;
} ba_suite_config;

/* the suites to measure, in the order of the file */
typedef struct ba_suite_list {
	const ba_suite_config **items; /* borrowed from the configuration */
	size_t count;
} ba_suite_list;

void ba_suite_list_dispose(ba_suite_list *l);

typedef enum ba_overlay_from {
	BA_OVERLAY_BASELINE,
	BA_OVERLAY_CANDIDATE,
	BA_OVERLAY_WORKTREE /* the user's working tree, even if it is not a variant */
} ba_overlay_from;

/* Builds and measured programs run in sandboxes (sandbox/sandbox.h). */
typedef struct ba_sandbox_config {
	bool on, network;
	/* absolute paths, or "~/" below the home; the same inside the sandbox */
	ba_strv readable, writable;
	ba_strv env; /* names of further variables that measured programs get */
} ba_sandbox_config;

/* How machine code is compared without a GPU (`bench-against code`). */
typedef struct ba_code_config {
	/* of the built tree, with device code; none: all that the build made */
	ba_strv paths;
	ba_strv fail_on; /* verdicts that fail: words of ba_config_check_fail_on() */
	ba_strv allow;	 /* globs of kernels that may differ */
	uint64_t block;	 /* threads of a block, for occupancy; 0: as launch bounds say */
	ba_code_limit limits[BA_CODE_METRIC_COUNT];
} ba_code_config;

typedef struct ba_config {
	char *name, *text; /* name for messages, and the file; NULL until something is loaded */
	ba_build_config build;
	ba_suite_config *suites; /* in the order of the file */
	size_t suite_count, suite_capacity;
	ba_thresholds thresholds;
	/* paths that all variants take from one source; empty: no overlay */
	ba_strv overlay;
	ba_overlay_from overlay_from;
	bool gate_strict;
	ba_lane lane; /* a gate rejects runs in a weaker lane */
	ba_value_origin lane_origin;
	/* what candidates of a gate may name as environment: globs of "env:..." and "var:..." */
	ba_strv environments;
	/* benchmarks that a gate expects: globs, or the file that lists them */
	ba_strv expected;
	char *expected_file; /* inside the tree; NULL: none */
	/* the deciding metrics, separated by commas; NULL: the default */
	char *verdict_on;
	bool host_target; /* "target": "host"; else a GPU */
	ba_sandbox_config sandbox;
	ba_value_origin sandbox_origin;
	ba_code_config code;
} ba_config;

void ba_config_init(ba_config *c);
BA_DECLARE_DISPOSE(ba_config)

/* Loads into an initialised configuration; dispose of it after an error. BA_ENOTFOUND:
 * no such file. BA_ECONFIG: what is wrong, with file, line and path of the value. */
int ba_config_load(ba_config *c, const char *path, ba_error *err);
/* From memory, e.g. the baseline's tree, with the name "main:.bench-against.json". */
int ba_config_load_text(
	ba_config *c, const char *name, const char *text, size_t size, ba_error *err);

/* "c.json:12", "the command line" or "the default" */
void ba_config_origin_text(ba_buf *out, const ba_config *c, ba_value_origin origin);

/* --threshold: for every benchmark and metric. BA_EINVAL. */
int ba_config_set_threshold(ba_config *c, const char *text, ba_error *err);
/* --overlay: adds paths; all overlay paths then come from the working tree. BA_EINVAL. */
int ba_config_add_overlay(ba_config *c, const ba_strv *paths, ba_error *err);

ba_threshold ba_config_threshold(const ba_config *c, const char *benchmark_id, ba_metric metric);
/* "2%", "25ns", "2 %+25 ns"; above 0. `what` as for ba_parse_*; out->origin stays. */
int ba_threshold_parse(ba_threshold *out, const char *text, const char *what, ba_error *err);

/* "changed", "renamed", "added", "removed" or "any"? BA_EINVAL. */
int ba_config_check_fail_on(const char *word, ba_error *err);

/* --sandbox */
void ba_config_set_sandbox(ba_config *c);

/* The names of a section's keys, ending with NULL; never freed. Sections: "", "build",
 * "suite" (a launcher's), "plugin", "task", "thresholds", "threshold", "rule", "overlay",
 * "gate", "sandbox", "code". */
const char *const *ba_config_keys(const char *section);

/* Lists differences between two configurations by path, whatever their keys mean. A
 * gate applies one of them and reports what the other would change. */

/* Appends sentences: "$.thresholds.default is "5%", not "2%"", "$.gate is gone",
 * "$.build.jobs is new: 4". Ignores comments, order of keys, white space and `$schema`.
 * It fails if `theirs` is not JSON; `ours` must have been loaded before. */
int ba_config_differences(ba_strv *out, const char *ours, size_t our_size, const char *theirs,
	size_t their_size, const char *their_name, ba_error *err);

/* ---- the expected set ---- */

/* A file in the repository with the benchmarks that must be measured, one a line.
 * `bench-against list --expected` writes it; a gate reads the baseline's.
 *
 *     # made by: bench-against list --expected
 *     launch/args=0,path=direct
 *     launch/args=*,path=signature        a glob: at least one benchmark must match
 */
#define BA_EXPECTED_FILE ".bench-against.expected" /* where `init` writes it */
/* limit in bytes: about a million names */
#define BA_EXPECTED_CEILING ((size_t)64 << 20)

/* Appends the patterns. `command` writes such a file, for a message. BA_ECONFIG, with file and
 * line: the set is empty, has a name twice, or has control characters. */
int ba_expected_parse(ba_strv *out, const char *text, size_t size, const char *name,
	const char *command, ba_error *err);

/* A file that expects exactly these names; what globs give a meaning is escaped. */
void ba_expected_write(ba_buf *out, const char *const *names, size_t count, const char *command);
