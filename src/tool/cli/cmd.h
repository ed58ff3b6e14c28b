/* The commands. Each is a row of the table in commands.c, from which the command line is parsed,
 * and help, completions and the manual are made. ba_cmd_call() is what all commands have in
 * common. To add one: a row, a page in pages.txt, and a function here. */
#pragma once

#include "cli/options.h"
#include "cli/progress.h"
#include "compare/compare.h"
#include "report/format.h"

/* The context of a command that builds or measures: the paths of the tool's parts and
 * of the cache, the style of output, and whether a signal has requested a stop. */
typedef struct ba_context {
	const ba_options *options;
	ba_job_parts parts; /* strings owned */
	char *cache_root;
	ba_progress progress;
	ba_log log;
	ba_format_options format;
	ba_job_services services; /* all of the above, for a job */
} ba_context;

/* how to write to stdout: width, colour, characters */
ba_format_options ba_context_format(const ba_options *o);

/* Handlers for SIGINT, SIGTERM and SIGHUP only set a flag. SIGPIPE and SIGXFSZ (RLIMIT_FSIZE)
 * are ignored, but not in children: write() fails with EPIPE or EFBIG. */
int ba_context_init(ba_context *c, const ba_options *o, ba_error *err);
/* Changes into a directory (NULL: stays), to which all relative names refer. BA_EIO:
 * the directory was removed. ba_context_init() includes it. */
int ba_context_enter(const char *directory, ba_error *err);
BA_DECLARE_DISPOSE(ba_context)

/* A part of share/bench-against, in the build tree or installed; caller frees. NULL: missing. */
char *ba_context_share(const char *name);

/* The signal that requested a stop, or 0. */
extern volatile sig_atomic_t ba_stop_signal;

/* Writes "bench-against: " and the sentence to stderr, made safe for a terminal.
 * Returns the error's exit status, or 128 + N after a signal. */
int ba_context_complain(ba_context *c, const ba_error *err); /* c may be NULL */
/* Writes complete lines to stdout, made safe (base/text.h); clears the buffer. */
void ba_context_put(ba_buf *lines);
/* The last thing that main does. If a signal asked us to stop, the process ends by that
 * signal, so that its parent can see it: as an exit status, 128 + SIGHUP is 129, the
 * same as for a wrong command line. Otherwise returns status. */
int ba_context_leave(int status);
/* Flushes and checks stdout: a full disk is an error. Returns status, or 125. */
int ba_context_end(int status);

/* the group in which help lists it */
typedef enum ba_command_group {
	BA_COMMAND_EVERYDAY,
	BA_COMMAND_RESULTS,
	BA_COMMAND_SYSTEM,
	BA_COMMAND_SCRIPTS,
	BA_COMMAND_HIDDEN, /* started by the tool and by shell completion, not by users */
} ba_command_group;

/* for completions: the kind of a command's operands */
typedef enum ba_operands {
	BA_OPERANDS_NONE,
	BA_OPERANDS_VARIANTS, /* revisions, WORKTREE, path:DIR */
	BA_OPERANDS_FILES,
	BA_OPERANDS_DIRS,
	BA_OPERANDS_WORDS /* the words in `words` */
} ba_operands;

/* Options that only one command has. */
typedef struct ba_own_options {
	const char *command; /* options.txt has their texts under "COMMAND OPTION" */
	const ba_opt *rows;  /* point into *values; help NULL: see there */
	void *values;	     /* initially the defaults, which ba_cmd_call() restores */
	size_t size;
	/* appends more rows and returns their number; or NULL */
	size_t (*more)(ba_opt *rows);
} ba_own_options;

typedef struct ba_call ba_call;
typedef struct ba_command ba_command;

struct ba_command {
	const char *name;
	ba_command_group group;
	/* The operands as help shows them: "FILE FILE"; or "". ba_cmd_call() counts them: those from
	 * a '[' on may be missing, "..." stands for any number. Variants are not counted. */
	const char *shown;
	ba_operands operands;
	const char *words;	   /* "list prune clear"; NULL unless BA_OPERANDS_WORDS */
	ba_options_for shared;	   /* which of the shared options it accepts */
	const ba_own_options *own; /* NULL: none */
	/* Returns the exit status, or an error. The command line has been parsed. */
	int (*run)(ba_call *call, ba_error *err);
	/* replaces `run`: parses the command line itself, and returns the exit status */
	int (*start)(const ba_command *c, int argc, char **argv);
};

/* One command line. argv begins with the command's name. */
struct ba_call {
	const ba_command *command;
	int argc;
	char **argv;
	ba_opt rows[BA_OPTION_ROWS_MOST]; /* the parsed options */
	ba_options o;
	ba_strv operands;
};

extern const ba_command ba_commands[];		      /* ends with a NULL name */
extern const ba_command ba_command_tool;	      /* the main command: compares variants */
const ba_command *ba_command_named(const char *name); /* NULL: none */
/* The most similar name of a command; NULL: none is similar. */
const char *ba_command_nearest(const char *word);

/* All rows of a command: its own and the shared ones, which point into *o. */
void ba_cmd_rows(ba_opt rows[BA_OPTION_ROWS_MOST], ba_options *o, const ba_command *c);

/* Parses the command line, then shows help or runs the command. Returns the exit status. */
int ba_cmd_call(const ba_command *c, int argc, char **argv);

/* The same for the arguments of the program; argv begins with its name. */
int ba_cmd_dispatch(int argc, char **argv);

/* For commands that build or measure: work(), with a context and an empty result whose command
 * line is set. Returns the result's exit status, or an error. */
typedef int ba_work(ba_context *c, const ba_strv *operands, ba_result *r, ba_error *err);
int ba_cmd_work(ba_call *call, ba_work *work, ba_error *err);

/* "bench-against run HEAD", for results; argv[0]: the program or the command. Caller frees. */
char *ba_cmd_line(int argc, char *const *argv);

int ba_cmd_against(const ba_command *c, int argc, char **argv);
int ba_cmd_bisect(ba_call *call, ba_error *err);
int ba_cmd_builder(const ba_command *c, int argc, char **argv);
int ba_cmd_cache(ba_call *call, ba_error *err);
int ba_cmd_calibrate(ba_call *call, ba_error *err);
int ba_cmd_child_of(const ba_command *c, int argc, char **argv);
int ba_cmd_code(ba_call *call, ba_error *err);
int ba_cmd_compare(ba_call *call, ba_error *err);
int ba_cmd_complete(const ba_command *c, int argc, char **argv);
int ba_cmd_completion(ba_call *call, ba_error *err);
int ba_cmd_convert(ba_call *call, ba_error *err);
int ba_cmd_decide(ba_call *call, ba_error *err);
int ba_cmd_demo(ba_call *call, ba_error *err);
int ba_cmd_doctor(ba_call *call, ba_error *err);
int ba_cmd_explain(ba_call *call, ba_error *err);
int ba_cmd_history(ba_call *call, ba_error *err);
int ba_cmd_init(ba_call *call, ba_error *err);
int ba_cmd_judge(ba_call *call, ba_error *err);
int ba_cmd_list(ba_call *call, ba_error *err);
int ba_cmd_manual(ba_call *call, ba_error *err);
int ba_cmd_member(const ba_command *c, int argc, char **argv);
int ba_cmd_merge(ba_call *call, ba_error *err);
int ba_cmd_plot(ba_call *call, ba_error *err);
int ba_cmd_prebuild(const ba_command *c, int argc, char **argv);
int ba_cmd_report(ba_call *call, ba_error *err);
int ba_cmd_verify(ba_call *call, ba_error *err);

extern const ba_own_options ba_cache_options, ba_code_options, ba_convert_options,
	ba_decide_options, ba_explain_options, ba_history_options, ba_init_options,
	ba_judge_options, ba_plot_options, ba_report_options, ba_verify_options;

/* Compares files, "[LABEL=]FILE[#PART]", as `compare` does with these options; all
 * benchmarks stay in memory. r is empty before; the caller disposes of it. */
int ba_compare_files(ba_result *r, const ba_options *o, const ba_strv *operands, ba_error *err);

/* The arguments of a run, as a journal or exchange stores them; they outlive the options. */
int ba_cmd_parse_journal(ba_options *o, ba_strv *operands, const ba_strv *argv, ba_error *err);

/* ---- a result is written: --output, --report, --format, and files in any format ---- */

/* Each file is written completely or not at all. */

/* Checks, before minutes of measuring, that everything requested can be written. */
int ba_outputs_check(const ba_options *o, ba_error *err);
/* The same for one file; option is "--junit", for the error. BA_EINVAL, BA_EIO. */
int ba_outputs_check_file(const char *option, const char *path, ba_error *err);

/* Writes the requested files, all that can be written, and the answer to standard output. */
int ba_outputs_answer(const ba_result *r, const ba_context *c, ba_error *err);

/* Writes to the caller's file; the caller checks that file for errors. With `across`,
 * side by side. Returns an error only if r's readings cannot be read again. */
int ba_outputs_put(FILE *out, const ba_format *format, const ba_result *r, const ba_across *across,
	const ba_format_options *options, ba_error *err);
/* replaces the file atomically: it is the old or the new one */
int ba_outputs_write(const char *path, const ba_format *format, const ba_result *r,
	const ba_across *across, ba_error *err);

/* Writes every format into the directory, under the names in ba_formats. Creates the
 * directory if it is missing; keeps other files in it. */
int ba_outputs_write_all(const char *dir, const ba_result *r, ba_error *err);

/* ---- the history ---- */

/* The path, from the environment. NULL: there is no home directory. Caller frees. */
char *ba_history_file(void);

/* Can a file that BENCH_AGAINST_HISTORY names be written? Call before anything is built. The user
 * did not ask for the default file: for that one, ba_history_remember() only warns. */
int ba_history_check(const ba_context *c, ba_error *err);

/* Adds the result, unless --no-history. An error is only a warning. */
void ba_history_remember(const ba_result *r, ba_context *c);
/* The same of a comparison of machine code between r's variants. */
void ba_history_remember_code(const ba_result *r, const ba_code_document *code, ba_context *c);

/* ---- files as operands ---- */

/* "[LABEL=]FILE[#PART]": which file belongs to which variant */
BA_LIST(ba_sources, ba_compare_source); /* strings are owned */

BA_DECLARE_DISPOSE(ba_sources)

/* Parses one source from each operand; the name of an existing file is that file, even if it
 * contains '=' or '#'. Without a label, a file's label is its name without the extension,
 * numbered where two would be equal. Equal explicit labels are one variant. */
void ba_sources_parse(ba_sources *out, const ba_strv *operands);

/* If r comes from a document that was damaged or edited: warns on standard error, and adds a
 * note to r, so that every report made from it says so, too. */
void ba_document_warn(ba_result *r, const char *path);

/* Reads a document for a report or a plot, and warns like ba_document_warn. For a file
 * of another tool, which has no verdicts, the sentence says how to compare it. */
int ba_document_read(ba_result *r, const char *path, ba_error *err);
