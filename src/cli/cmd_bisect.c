/* `bench-against bisect GOOD BAD`: which commit made it slower? Each step is a run
 * with the good commit and one in between, so that times of different runs are never
 * compared. */
#include <limits.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/path.h"
#include "base/rng.h"
#include "base/shell.h"
#include "base/text.h"
#include "cli/cmd.h"
#include "cli/context.h"
#include "git/commit.h"
#include "git/line.h"
#include "proc/proc.h"
#include "store/results.h"

#define LINE_MOST 100000

typedef enum verdict { UNKNOWN, GOOD, BAD, SKIPPED } verdict;

typedef struct bisection {
	ba_context *context;
	ba_repo *repo;
	const char *exe;   /* ourselves */
	char *start_dir;   /* where we were started: -C is the steps' option, too */
	ba_strv options;   /* of each step, as they were given */
	ba_strv line;	   /* newest first: BAD is 0, GOOD the last */
	verdict *verdicts; /* [line.count] */
	char *results;	   /* where a step writes its result */
	char *worst;   /* the benchmark that got slower most, in the last bad step */
	double ratio;  /* of it, to GOOD */
	bool filtered; /* the person said which benchmarks: all of them count */
	size_t steps;
} bisection;

static void bisection_dispose(bisection *b)
{
	if (b->results)
		unlink(b->results);
	ba_repo_free(b->repo);
	ba_strv_dispose(&b->options);
	ba_strv_dispose(&b->line);
	free(b->verdicts);
	free(b->results);
	free(b->worst);
	free(b->start_dir);
}
BA_DEFINE_AUTO(bisection, bisection_dispose)

/* ---- one step ---- */

static void push_step(ba_strv *argv, const bisection *b, const char *commit)
{
	ba_strv_push(argv, b->exe);
	for (size_t i = 0; i < b->options.count; i++)
		ba_strv_push(argv, b->options.items[i]);
	if (b->worst && !b->filtered) {
		ba_strv_push(argv, "--filter");
		ba_strv_push_take(argv, ba_text_glob_of(b->worst));
	}
	const char *const words[] = {
		"--quiet", "--progress=never", "--output", b->results, "--"};
	for (size_t i = 0; i < BA_COUNT(words); i++)
		ba_strv_push(argv, words[i]);
	ba_strv_push_take(
		argv, ba_xprintf("good=%s", b->line.items[b->line.count - 1]));
	ba_strv_push_take(argv, ba_xprintf("bad=%s", commit));
}

/* the series that got slower most, or NULL */
static const ba_series *worst_of(const ba_result *r)
{
	const ba_series *worst = NULL;
	for (size_t i = 0; r->variant_count == 2 && i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		if (s->role != BA_ROLE_VERDICT ||
			!ba_verdict_is_slower(s->comparisons[0].verdict))
			continue;
		if (!worst || s->comparisons[0].ratio > worst->comparisons[0].ratio)
			worst = s;
	}
	return worst;
}

/* "own/parse +20.0 %" */
static void put_worst(ba_buf *out, const bisection *b)
{
	BA_AUTO_FREE char *worst = ba_text_safe(b->worst);
	ba_buf_printf(out, "%s ", worst);
	ba_percent_put(out, b->ratio, 1);
}

static void say_step(const bisection *b, const char *commit, verdict v)
{
	BA_AUTO(ba_commit) ba_commit c = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text, "step %zu: %.9s %s", b->steps, commit,
		v == BAD    ? "is slower"
		: v == GOOD ? "is not slower"
			    : "could not be measured, or was inconclusive");
	if (v == BAD && b->worst) {
		ba_buf_puts(&text, " (");
		put_worst(&text, b);
		ba_buf_putc(&text, ')');
	}
	if (ba_commit_resolve(&c, b->repo, commit, NULL) == 0)
		ba_buf_printf(&text, ": %s", c.subject);
	ba_log_printf(&b->context->log, BA_LOG_INFO, "%s", text.data);
}

static void remember_worst(bisection *b, const ba_result *r)
{
	const ba_series *worst = worst_of(r);
	if (!worst)
		return;
	free(b->worst);
	b->worst = ba_xstrdup(r->benchmarks[worst->benchmark].id);
	b->ratio = worst->comparisons[0].ratio;
}

/* How it ended, as a word. An error is what would go wrong with every commit. */
static int test(verdict *out, bisection *b, size_t index, ba_error *err)
{
	BA_AUTO(ba_result) ba_result r = {0};
	const char *commit = b->line.items[index];
	BA_AUTO(ba_strv) ba_strv argv = {0};
	BA_AUTO(ba_proc_result) ba_proc_result ended = {0};
	push_step(&argv, b, commit);
	unlink(b->results);
	const ba_proc_spec spec = {.name = "a step",
		.argv = (const char *const *)argv.items,
		.dir = b->start_dir,
		.out = {BA_OUTPUT_TAIL, 4096},
		.err = {BA_OUTPUT_TAIL, 4096},
		.stop = &ba_stop_signal};
	b->steps++;
	int rc = ba_proc_run(&ended, &spec, err);
	if (rc)
		return rc;
	if (ended.end != BA_PROC_EXITED ||
		(ended.status != 0 && ended.status != 1 && ended.status != 125)) {
		BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
		ba_proc_result_text(&how, &ended);
		return ba_fail(err, ended.status == 129 ? BA_EINVAL : BA_EWORKER,
			"the step at %.9s %s:\n%s", commit, how.data, ended.err.data);
	}
	*out = ended.status == 1 ? BAD : ended.status == 0 ? GOOD : SKIPPED;
	b->verdicts[index] = *out;
	rc = *out == BAD ? ba_results_read(&r, b->results, err) : 0;
	if (rc)
		return rc;
	if (*out == BAD)
		remember_worst(b, &r);
	say_step(b, commit, *out);
	return 0;
}

/* ---- the search ---- */

/* The untested commit nearest to the middle of bad < i < good; 0: none. */
static size_t next_of(const bisection *b, size_t bad, size_t good)
{
	size_t middle = bad + (good - bad) / 2;
	for (size_t away = 0; away < good - bad; away++) {
		if (middle + away < good && middle + away > bad &&
			b->verdicts[middle + away] == UNKNOWN)
			return middle + away;
		if (middle > away && middle - away > bad && middle - away < good &&
			b->verdicts[middle - away] == UNKNOWN)
			return middle - away;
	}
	return 0;
}

static void print_commit(const bisection *b, size_t index, const char *what)
{
	BA_AUTO(ba_commit) ba_commit c = {0};
	const char *commit = b->line.items[index];
	bool known = ba_commit_resolve(&c, b->repo, commit, NULL) == 0;
	printf("%s%s\n    %s\n", commit, what, known ? c.subject : "");
}

/* What compares the two as a step did: with the options of the bisection. */
static char *command_of(const bisection *b, const char *good, const char *bad)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_strv_push(&words, "bench-against");
	for (size_t i = 0; i < b->options.count; i++)
		ba_strv_push(&words, b->options.items[i]);
	if (b->worst && !b->filtered) {
		ba_strv_push(&words, "--filter");
		ba_strv_push_take(&words, ba_text_glob_of(b->worst));
	}
	ba_strv_push_take(&words, ba_xprintf("%.9s", good));
	ba_strv_push_take(&words, ba_xprintf("%.9s", bad));
	return ba_shell_command(&words);
}

/* There is nothing to search for: the ends are not what they were said to be. */
static int not_bad(const bisection *b, verdict v, ba_error *err)
{
	const char *bad = b->line.items[0], *good = b->line.items[b->line.count - 1];
	BA_AUTO_FREE char *why = command_of(b, good, bad);
	if (v == GOOD)
		return ba_fail(err, BA_EUNSUPPORTED,
			"no benchmark of %.9s is slower than in %.9s by more than its threshold, so there is no commit to find. To compare the two:\n    %s",
			bad, good, why);
	return ba_fail(err, BA_EUNSUPPORTED,
		"%.9s could not be compared with %.9s. To see why:\n    %s", bad, good,
		why);
}

static void print_found(const bisection *b, size_t bad, size_t good)
{
	if (good - bad == 1) {
		print_commit(b, bad, " is the first bad commit");
	} else {
		puts("The first bad commit is one of these; those between could not be measured:");
		for (size_t i = good - 1;; i--) {
			print_commit(b, i, "");
			if (i == bad)
				break;
		}
	}
	BA_AUTO(ba_buf) ba_buf change = BA_BUF_INIT;
	BA_AUTO_FREE char *alone =
		command_of(b, b->line.items[good], b->line.items[bad]);
	if (b->worst) {
		put_worst(&change, b);
		ba_buf_printf(&change, " from %.9s to %.9s, found in ",
			b->line.items[b->line.count - 1], b->line.items[bad]);
	}
	printf("%s%zu %s. To compare %s:\n    %s\n", b->worst ? change.data : "",
		b->steps, ba_plural(b->steps, "step", "steps"),
		good - bad == 1 ? "it with the commit before"
				: "the ends of this range",
		alone);
}

static int search(bisection *b, ba_error *err)
{
	size_t good = b->line.count - 1, bad = 0;
	verdict v = UNKNOWN;
	for (size_t at = 0;; at = next_of(b, bad, good)) {
		if (at == 0 && b->steps)
			break;
		int rc = test(&v, b, at, err);
		if (rc)
			return rc;
		if (at == 0 && v != BAD)
			return not_bad(b, v, err);
		bad = v == BAD ? at : bad;
		good = v == GOOD ? at : good;
	}
	print_found(b, bad, good);
	return good - bad == 1 ? 0 : 1;
}

static int prepare(bisection *b, ba_context *c, const ba_strv *operands, ba_error *err)
{
	BA_AUTO(ba_commit) ba_commit good = {0};
	BA_AUTO(ba_commit) ba_commit bad = {0};
	b->context = c;
	int rc = ba_repo_open(&b->repo, ".", err);
	rc = rc ? rc : ba_commit_resolve(&good, b->repo, operands->items[0], err);
	rc = rc ? rc : ba_commit_resolve(&bad, b->repo, operands->items[1], err);
	rc = rc ? rc
		: ba_git_line(
			  &b->line, b->repo, bad.commit, good.commit, LINE_MOST, err);
	rc = rc ? rc : ba_fs_mkdirs(c->cache_root, err);
	if (rc)
		return rc;
	if (b->line.count < 2)
		return ba_fail(err, BA_EINVAL, "'%s' and '%s' are the same commit",
			operands->items[0], operands->items[1]);
	b->verdicts = ba_xcalloc(b->line.count, sizeof(*b->verdicts));
	b->results = ba_xprintf(
		"%s/bisect-%016" PRIx64 ".json", c->cache_root, ba_rng_entropy());
	ba_log_printf(&c->log, BA_LOG_INFO, "%zu %s between %s (%.9s) and %s (%.9s)",
		b->line.count - 2, ba_plural(b->line.count - 2, "commit", "commits"),
		operands->items[0], good.commit, operands->items[1], bad.commit);
	return 0;
}

/* The command line again, for its options alone: those that a step has, too. */
static int take_options(bisection *b, int argc, char **argv, ba_error *err)
{
	BA_AUTO(ba_options) ba_options again;
	BA_AUTO(ba_options) ba_options other;
	BA_AUTO(ba_strv) ba_strv operands = {0};
	ba_opt rows[BA_OPTION_ROWS_MOST], step[BA_OPTION_ROWS_MOST];
	ba_options_init(&again);
	ba_options_init(&other);
	ba_options_rows(rows, &again, BA_FOR_BISECT);
	ba_options_rows(step, &other, BA_FOR_AGAINST);
	int rc = ba_opt_parse(&operands, rows, argc - 1, argv + 1, err);
	ba_opt_again(&b->options, rows, step);
	b->filtered = again.job.filters.count > 0;
	return rc;
}

int ba_cmd_bisect(int argc, char **argv)
{
	ba_error err = {0};
	char exe[PATH_MAX];
	BA_AUTO(ba_options) ba_options o;
	BA_AUTO(ba_context) ba_context c = {0};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	BA_AUTO(bisection) bisection b = {0};
	ba_options_init(&o);
	b.start_dir = ba_path_absolute(".");
	int rc = ba_options_parse(
		&o, &operands, "bisect", BA_FOR_BISECT, argc, argv, &err);
	if (rc == 0 && o.help)
		return ba_context_end(0);
	if (rc == 0 && operands.count != 2)
		rc = ba_fail(&err, BA_EINVAL,
			"bisect needs a commit that is fast enough and one that is not: bench-against bisect GOOD BAD");
	rc = rc ? rc : ba_context_init(&c, &o, &err);
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	if (rc == 0 && n <= 0)
		rc = ba_fail_errno(&err, BA_EIO, "/proc/self/exe");
	exe[n > 0 ? n : 0] = '\0';
	b.exe = exe;
	rc = rc ? rc : take_options(&b, argc, argv, &err);
	rc = rc ? rc : prepare(&b, &c, &operands, &err);
	rc = rc ? rc : search(&b, &err);
	if (rc < 0)
		return ba_context_complain(&c, &err);
	return ba_context_end(rc ? 125 : 0);
}
