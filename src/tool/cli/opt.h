/* The command line as a table. Parser, help, completion and manual use the same rows.
 *
 *     struct { bool quiet; const char *output; double threshold; } opts = {0};
 *     ba_opt rows[] = {
 *             OPT_GROUP("Output"),
 *             OPT_FLAG('q', "quiet", &opts.quiet, "only the answer"),
 *             OPT_STRING('o', "output", &opts.output, "write results to <file>"),
 *             OPT_RATIO(0, "threshold", &opts.threshold, "least change, as <ratio>"),
 *             OPT_END,
 *     };
 *     BA_AUTO(ba_strv) ba_strv operands = {0};
 *     int rc = ba_opt_parse(&operands, rows, argc - 1, argv + 1, err);
 *
 * A row points into a struct local to the command; a pointer of the wrong type does not
 * compile. The placeholder shown after the option is the first <word> of its help. If
 * the sentence does not contain it, write "<n>: sentence".
 *
 * Accepted forms:
 *
 *     --name value    --name=value
 *     -x value        -xvalue
 *     -abc            a cluster of short flags
 *     --no-name       for a flag (for a flag called no-name: --name)
 *     --              ends the options
 *
 * Operands may stand before, between and after options. If an option is given twice,
 * the last value counts; a list grows. The command itself checks which options
 * contradict each other, with ba_opt_seen. */
#pragma once

#include "base/base.h"

typedef enum ba_opt_kind {
	BA_OPT_END,
	BA_OPT_GROUP,
	BA_OPT_STRING,	 /* const char **: points into argv */
	BA_OPT_INT,	 /* int * */
	BA_OPT_U64,	 /* uint64_t * */
	BA_OPT_DURATION, /* int64_t *, nanoseconds: 250ms, 10s, 8m */
	BA_OPT_RATIO,	 /* double *: 2% or 0.02 */
	BA_OPT_FLAG,	 /* bool * */
	BA_OPT_CHOICE,	 /* int *: index into the words */
	BA_OPT_LIST,	 /* ba_strv *: copies, one for each use */
} ba_opt_kind;

typedef struct ba_opt {
	ba_opt_kind kind;
	char short_name; /* 0: none */
	const char *long_name;
	const char *help; /* for a group: its title */
	void *value;
	uint64_t min, max;	  /* of integers */
	const char *const *words; /* for a choice, NULL-terminated */
	/* the word that the bare option means; a value then needs '='. NULL: none */
	const char *implied;
	unsigned seen;	   /* how often it was given; set by the parser */
	const char *given; /* its last value, as written; set by the parser */
	bool everyday;	   /* shown on the short page, if the command has one */
} ba_opt;

/* clang-format off */
#define BA_OPT_TYPED(type, pointer) _Generic((pointer), type: (pointer))
#define BA_OPT_ROW(k, s, l, type, p, h, ...)                                              \
	{.kind = (k), .short_name = (s), .long_name = (l), .help = (h),                   \
	 .value = (void *)BA_OPT_TYPED(type, p), __VA_ARGS__}

#define OPT_END {.kind = BA_OPT_END}
#define OPT_GROUP(title) {.kind = BA_OPT_GROUP, .help = (title)}
#define OPT_STRING(s, l, p, h) BA_OPT_ROW(BA_OPT_STRING, s, l, const char **, p, h, .max = 0)
#define OPT_INT_IN(s, l, p, lo, hi, h)                                                    \
	BA_OPT_ROW(BA_OPT_INT, s, l, int *, p, h, .min = (lo), .max = (hi))
#define OPT_U64(s, l, p, h) OPT_U64_IN(s, l, p, 0, UINT64_MAX, h)
#define OPT_U64_IN(s, l, p, lo, hi, h)                                                    \
	BA_OPT_ROW(BA_OPT_U64, s, l, uint64_t *, p, h, .min = (lo), .max = (hi))
#define OPT_DURATION(s, l, p, h) BA_OPT_ROW(BA_OPT_DURATION, s, l, int64_t *, p, h, .max = 0)
#define OPT_RATIO(s, l, p, h) BA_OPT_ROW(BA_OPT_RATIO, s, l, double *, p, h, .max = 0)
#define OPT_FLAG(s, l, p, h) BA_OPT_ROW(BA_OPT_FLAG, s, l, bool *, p, h, .max = 0)
#define OPT_CHOICE(s, l, p, w, h) BA_OPT_ROW(BA_OPT_CHOICE, s, l, int *, p, h, .words = (w))
/* --color means --color=always */
#define OPT_CHOICE_OR(s, l, p, w, bare, h)                                                \
	BA_OPT_ROW(BA_OPT_CHOICE, s, l, int *, p, h, .words = (w), .implied = (bare))
#define OPT_LIST(s, l, p, h) BA_OPT_ROW(BA_OPT_LIST, s, l, ba_strv *, p, h, .max = 0)
/* clang-format on */

/* Fills what the rows point to and appends the operands. argv: without the command's name.
 * BA_EINVAL names the option, and the most similar option or word if there is one. */
int ba_opt_parse(ba_strv *operands, ba_opt *rows, int argc, char *const *argv, ba_error *err);

/* After ba_opt_parse: appends the options that were given, as words for another command: without those that
 * `accepted` (NULL: all) lacks, and those that `but` names, which ends with NULL. */
void ba_opt_again(ba_strv *out, const ba_opt *rows, const ba_opt *accepted, const char *const *but);

/* Was --name, its short or its --no- form on the command line? A row has this name. */
bool ba_opt_seen(const ba_opt *rows, const char *name);

/* "<file>", "auto|always|never"; empty for a flag */
void ba_opt_placeholder(ba_buf *out, const ba_opt *row);
/* the sentence without the "<n>: " that only names the placeholder */
const char *ba_opt_sentence(const ba_opt *row);
