/* `bench-against history`: a benchmark over commits, and where its level changed. */
#include "cli/cmd.h"
#include "git/commit.h"
#include "report/timeline/timeline.h"

#define LINE_MOST 1000000 /* most commits of the line */
#define TABLES_MOST 8	  /* with more benchmarks, one line for each */

static const char *const targets[] = {"any", "gpu", "host", "code", "fake", NULL};
static const char *const formats[] = {"term", "csv", "json", NULL};

static struct {
	const char *metric, *device, *branch, *plot, *directory;
	int target, format, last;
	double alpha;
	bool by_date;
} here = {.last = 200, .alpha = 0.01};
static const ba_opt rows[] = {
	OPT_GROUP("What is shown"),
	OPT_STRING(0, "metric", &here.metric, NULL),
	OPT_CHOICE(0, "target", &here.target, targets, NULL),
	OPT_STRING(0, "device", &here.device, NULL),
	OPT_STRING(0, "branch", &here.branch, NULL),
	OPT_FLAG(0, "by-date", &here.by_date, NULL),
	OPT_INT_IN(0, "last", &here.last, 1, 2000, NULL),
	OPT_RATIO(0, "alpha", &here.alpha, NULL),
	OPT_STRING('C', "directory", &here.directory, NULL),
	OPT_GROUP("Output"),
	OPT_CHOICE(0, "format", &here.format, formats, NULL),
	OPT_STRING(0, "plot", &here.plot, NULL),
	OPT_END,
};
const ba_own_options ba_history_options = {"history", rows, &here, sizeof(here), NULL};

static int check(ba_error *err)
{
	if (here.by_date && here.branch)
		return ba_fail(err, BA_EINVAL, "--by-date and --branch contradict each other");
	if (here.alpha < 0.001 || here.alpha > 0.5)
		return ba_fail(err, BA_EINVAL, "--alpha must be between 0.1 and 50 %%");
	return 0;
}

/* The first-parent line, or nothing without a repository. */
static int find_line(ba_strv *line, bool *found, ba_error *err)
{
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_commit) ba_commit tip = {0};
	*found = false;
	if (here.by_date)
		return 0;
	int rc = ba_repo_open(&repo, ".", err);
	if (rc == BA_EREPO && !here.branch)
		return 0;
	rc = rc ? rc : ba_commit_resolve(&tip, repo, here.branch ? here.branch : "HEAD", err);
	rc = rc ? rc : ba_git_line(line, repo, tip.commit, NULL, LINE_MOST, err);
	*found = rc == 0;
	return rc;
}

static int nothing(const char *glob, size_t off_line, ba_error *err)
{
	bool narrowed = here.metric || here.target || here.device;
	if (off_line)
		return ba_fail(err, BA_ENOTFOUND,
			"%zu series %s, and none of their commits is among the first parents of this branch (--branch REV, --by-date)",
			off_line, ba_plural(off_line, "matches", "match"));
	return ba_fail(err, BA_ENOTFOUND,
		"the history has no results%s%s%s%s; 'bench-against history' lists what it has",
		glob ? " of '" : "", glob ? glob : "", glob ? "'" : "",
		narrowed ? " with that --metric, --target or --device" : "");
}

static int write_plot(const ba_timelines *t, const char *path, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf svg = BA_BUF_INIT;
	if (t->count != 1)
		return ba_fail(err, BA_EINVAL,
			"--plot is for one benchmark and metric, and %zu match: name one, and --metric",
			t->count);
	ba_timeline_svg(&svg, &t->items[0]);
	return ba_fs_write_atomic(path, svg.data, svg.len, err);
}

static void print(const ba_timelines *t, bool named)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	const ba_options automatic = {0};
	ba_format_options look = ba_context_format(&automatic);
	if (here.format == 1)
		ba_timelines_csv(&out, t->items, t->count);
	else if (here.format == 2)
		ba_timelines_json(&out, t->items, t->count);
	else if (!named || t->count > TABLES_MOST)
		ba_timelines_term(&out, t->items, t->count, &look);
	else
		for (size_t i = 0; i < t->count; i++) {
			ba_buf_puts(&out, i ? "\n" : "");
			ba_timeline_term(&out, &t->items[i], &look);
		}
	ba_context_put(&out);
}

static int show(const char *glob, ba_error *err)
{
	BA_AUTO_PTR(ba_history) ba_history *h = NULL;
	BA_AUTO(ba_strv) ba_strv line = {0};
	BA_AUTO(ba_timelines) ba_timelines t = {0};
	BA_AUTO_FREE char *path = ba_history_file();
	bool ordered;
	size_t off_line;
	if (!path)
		return ba_fail(err, BA_EIO,
			"there is no place for a history: HOME is not set; name a file with BENCH_AGAINST_HISTORY");
	BA_TRY(ba_history_open(&h, path, false, err));
	BA_TRY(find_line(&line, &ordered, err));
	ba_timeline_query query = {.benchmark = glob,
		.metric = here.metric,
		.target = here.target ? targets[here.target] : NULL,
		.device = here.device,
		.directory = here.directory,
		.line = ordered ? &line : NULL,
		.last = (size_t)here.last,
		.rule = ba_change_rule_default()};
	query.rule.alpha = here.alpha;
	/* enough permutations that their share can be as small as the rate */
	if (here.alpha < 0.004)
		query.rule.permutations = 1999;
	int rc = ba_timelines_build(&t, &off_line, h, &query, err);
	if (rc == 0 && t.count == 0)
		rc = nothing(glob, off_line, err);
	if (rc == 0 && here.plot)
		rc = write_plot(&t, here.plot, err);
	if (rc == 0)
		print(&t, glob != NULL);
	return rc;
}

int ba_cmd_history(ba_call *call, ba_error *err)
{
	const ba_strv *operands = &call->operands;
	BA_TRY(check(err));
	BA_TRY(ba_context_enter(here.directory, err));
	return show(operands->count ? operands->items[0] : NULL, err);
}
