/* `bench-against bisect GOOD BAD`: which commit made it slower, or faster? (bisect/bisect.h) */

#include "ba_build.h"
#include "bisect/bisect.h"
#include "cli/cmd.h"
#include "git/commit.h"

typedef struct search {
	const ba_call *call;
	ba_options *o;	  /* of the call */
	ba_options steps; /* options of the child runs */
	ba_context c;
	char exe[PATH_MAX];
	/* the original directory, because -C is an option of the steps, too */
	char *start_dir, *good, *bad, *resume;
	ba_strv options, first; /* options of the child runs; of the first run only */
	char *again;		/* options that a resumed search needs on its command line */
} search;

BA_OWNS_HERE(search, s, ba_options_dispose(&s->steps), ba_context_dispose(&s->c),
	BA_FREE(s->start_dir, s->good, s->bad, s->resume, s->again),
	BA_DISPOSE(ba_strv, &s->options, &s->first))

/* Options of the search itself. The first run takes some; its length depends on its verdicts. */
static const char *const of_search[] = {
	"budget", "filter", "fixed", "format", "resume", "quiet", NULL};
static const ba_opt of_first[] = {{.kind = BA_OPT_DURATION, .long_name = "budget"},
	{.kind = BA_OPT_LIST, .long_name = "filter"}, OPT_END};
static const char *const nothing[] = {NULL};

/* The options that a run has, too. */
static void take_options(search *s)
{
	BA_AUTO(ba_options) ba_options other;
	ba_opt run[BA_OPTION_ROWS_MOST];
	ba_options_init(&other);
	ba_options_rows(run, &other, BA_FOR_AGAINST);
	ba_opt_again(&s->options, s->call->rows, run, of_search);
	ba_opt_again(&s->first, s->call->rows, of_first, nothing);
}

/* The options of the steps, maybe a state file's. The search shares their folder and cache. */
static int read_steps(search *s, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv operands = {0};
	ba_opt rows[BA_OPTION_ROWS_MOST];
	ba_options_rows(rows, &s->steps, BA_FOR_BISECT);
	int rc = ba_opt_parse(&operands, rows, (int)s->options.count, s->options.items, err);
	if (rc)
		return s->o->resume ? ba_fail_context(err, "%s", s->o->resume) : rc;
	s->o->directory = s->o->directory ? s->o->directory : s->steps.directory;
	s->o->cache_dir = s->o->cache_dir ? s->o->cache_dir : s->steps.cache_dir;
	return 0;
}

/* Options that a state file may set: what is measured and how, but no file, program or host.
 * Others count only if the command line repeats them. */
static const char *const harmless[] = {"suite", "filter", "path", "args", "bytes", "axis",
	"metrics", "verdict-on", "count-with", "count-most", "loops", "repeats", "warm-up",
	"iterations", "measure-identical", "no-device-code", "threshold", "alpha", "strict",
	"multiplicity", "gate", "on-inconclusive", "allow-below-floor", "into-merges", "seed",
	"engine", "flush", "batch", "blocks", "layouts", "hang-after", "jobs", "no-build-ahead",
	"no-build", "keep", "lfs-pointers", "target", "device", "cpu", NULL};

/* The options that are not harmless, as one text for a shell. Caller frees. */
static char *repeated(const ba_strv *options)
{
	BA_AUTO(ba_options) ba_options o;
	BA_AUTO(ba_strv) ba_strv operands = {0}, words = {0};
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_opt rows[BA_OPTION_ROWS_MOST];
	ba_options_init(&o);
	ba_options_rows(rows, &o, BA_FOR_BISECT);
	/* read_steps() reports errors */
	if (ba_opt_parse(&operands, rows, (int)options->count, options->items, NULL) == 0)
		ba_opt_again(&words, rows, NULL, harmless);
	for (size_t i = 0; i < words.count; i++) {
		ba_buf_putc(&out, ' ');
		ba_shell_put(&out, words.items[i]);
	}
	ba_buf_puts(&out, "");
	return ba_buf_detach(&out);
}

static int take_state(search *s, ba_error *err)
{
	BA_AUTO_FREE char *mine = repeated(&s->options);
	ba_strv_dispose(&s->options);
	int rc = ba_bisect_load_request(&s->good, &s->bad, &s->options, s->o->resume, err);
	BA_AUTO_FREE char *theirs = repeated(&s->options);
	if (rc || !*theirs || strcmp(mine, theirs) == 0)
		return rc;
	return ba_fail(err, BA_EINVAL,
		"'%s' has options that count only if you repeat them: bench-against bisect --resume %s%s",
		s->o->resume, s->o->resume, theirs);
}

/* Sets GOOD and BAD from the command line, or from the state file that it names. */
static int take_ends(search *s, const ba_strv *operands, ba_error *err)
{
	if (s->o->resume && operands->count == 0)
		return take_state(s, err);
	if (operands->count == 1 && strstr(operands->items[0], ".."))
		return ba_fail(err, BA_EINVAL,
			"'%s' is a range; name the two ends instead: bench-against bisect GOOD BAD",
			operands->items[0]);
	if (operands->count != 2)
		return ba_fail(err, BA_EINVAL,
			"bisect needs a commit that is fast enough and one that is not: bench-against bisect GOOD BAD");
	const char *package = s->o->versions ? s->o->versions : "";
	const char *equal = *package ? "==" : "";
	s->good = ba_xprintf("%s%s%s", package, equal, operands->items[0]);
	s->bad = ba_xprintf("%s%s%s", package, equal, operands->items[1]);
	return 0;
}

static ba_bisect_request request_of(const search *s)
{
	return (ba_bisect_request){.exe = s->exe,
		.start_dir = s->start_dir,
		.cache_root = s->c.cache_root,
		.version = BA_VERSION,
		.good = s->good,
		.bad = s->bad,
		.among = s->o->among,
		.options = s->options,
		.again = s->again,
		.first_options = s->first,
		.faster = s->o->faster,
		.fixed = s->o->job.fixed,
		.builders = (size_t)s->steps.job.jobs,
		.no_build = s->steps.job.no_build,
		/* each build on its own would wait for a job */
		.no_build_ahead = s->o->no_build_ahead || s->steps.job.build_on,
		.budget_ns = s->o->job.budget_ns,
		.resume = s->resume,
		.log = &s->c.log,
		.stop = &ba_stop_signal};
}

static int find(ba_bisect *b, ba_error *err)
{
	BA_TRY(ba_bisect_begin(b, err));
	return ba_bisect_search(b, err);
}

static int search_merged(ba_bisect *b, const search *s, ba_error *err);

/* The commit was found among those that the merge brought: makes it the answer. */
static int take_inner(ba_bisect *b, ba_bisect *inner, const search *s, bool last, ba_error *err)
{
	int rc = search_merged(inner, s, err);
	if (!inner->note)
		inner->note =
			ba_xprintf("It came with the merge %s.%s", b->commits[b->places[0].to].name,
				last ? "" : " Further parents of that merge were not searched.");
	inner->runs += b->runs;
	inner->invocations += b->invocations;
	inner->measure_seconds += b->measure_seconds;
	inner->seconds += b->seconds;
	ba_bisect_end(b);
	ba_bisect swap = *b;
	*b = *inner;
	*inner = swap;
	return rc;
}

/* Searches the commits that a parent of the merge brought. *none: the answer is not
 * among them; `why` then has a text if they could not be searched. */
static int search_parent(bool *none, ba_error *why, ba_bisect *b, const search *s, size_t parent,
	bool last, ba_error *err)
{
	BA_AUTO_FREE char *good = NULL, *bad = NULL;
	BA_AUTO(ba_bisect) ba_bisect inner = {.request = request_of(s)};
	ba_error said = {0};
	int rc = ba_git_merged(&good, &bad, b->repo, b->commits[b->places[0].to].id, parent, err);
	*none = true;
	if (rc || !good)
		return rc;
	inner.request.good = good;
	inner.request.bad = bad;
	inner.request.resume = NULL;
	if (inner.request.budget_ns)
		inner.request.budget_ns = (int64_t)fmax(
			1, (double)inner.request.budget_ns - b->measure_seconds * 1e9);
	rc = find(&inner, &said);
	if (rc == BA_EINTERRUPTED) {
		*err = said;
		return rc;
	}
	if (rc && rc != BA_EUNSUPPORTED)
		*why = said;
	if (rc || inner.outcome == BA_BISECT_NONE || inner.outcome == BA_BISECT_MANY)
		return 0;
	*none = false;
	return take_inner(b, &inner, s, last, err);
}

/* If the answer is a merge, --into-merges searches the commits that it brought. If none
 * of them made the change, the merge stays the answer. */
static int search_merged(ba_bisect *b, const search *s, ba_error *err)
{
	size_t parents = ba_bisect_parents(b);
	ba_error why = {0};
	bool none = true;
	int rc = 0;
	if (parents > 1 && !s->o->into_merges)
		b->note = ba_xstrdup(
			"It is a merge: --into-merges searches the commits that it brought.");
	if (parents < 2 || !s->o->into_merges)
		return 0;
	for (size_t n = 2; rc == 0 && none && n <= parents; n++)
		rc = search_parent(&none, &why, b, s, n, n == parents, err);
	if (rc || !none)
		return rc;
	/* the first line of the reason; more may follow a colon */
	size_t length = strcspn(why.text, "\n");
	while (length && why.text[length - 1] == ':')
		length--;
	b->note =
		length ? ba_xprintf(
				 "It is a merge, and the commits that it brought could not be searched: %.*s.",
				 (int)length, why.text)
		       : ba_xprintf(
				 "It is a merge, and the commits that it brought were not found %s by themselves.",
				 s->o->faster ? "faster" : "slower");
	return 0;
}

static int answer(search *s, ba_error *err)
{
	BA_AUTO(ba_bisect) ba_bisect b = {.request = request_of(s)};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int rc = find(&b, err);
	rc = rc ? rc : search_merged(&b, s, err);
	if (rc && rc != BA_EUNSUPPORTED && rc != BA_EINVAL && b.benchmark &&
		ba_fs_exists(b.state_path))
		ba_log_printf(&s->c.log, BA_LOG_INFO,
			"the same command continues from here; so does: bench-against bisect --resume %s%s",
			b.state_path, s->again);
	if (rc)
		return rc;
	bool named = b.outcome == BA_BISECT_ONE || b.outcome == BA_BISECT_TWO;
	named = named && BA_ALL(b.places, b.place_count, x, x->from == x->to);
	if (s->o->bisect_format == 2)
		ba_bisect_brief(&text, &b, named ? 0 : 1);
	else if (s->o->bisect_format)
		ba_bisect_json(&text, &b);
	else
		ba_bisect_text(&text, &b);
	ba_context_put(&text);
	ba_bisect_end(&b);
	return named ? 0 : 1;
}

int ba_cmd_bisect(ba_call *call, ba_error *err)
{
	BA_AUTO(search) search s = {.call = call, .o = &call->o};
	ba_options_init(&s.steps);
	s.start_dir = ba_path_absolute(".");
	take_options(&s);
	int rc = take_ends(&s, &call->operands, err);
	rc = rc ? rc : read_steps(&s, err);
	BA_AUTO_FREE char *again = repeated(&s.options);
	s.again = ba_xprintf("%s%s", again, s.o->faster ? " --faster" : "");
	s.resume = s.o->resume ? ba_path_absolute(s.o->resume) : NULL;
	rc = rc ? rc : ba_context_init(&s.c, s.o, err);
	ssize_t n = readlink("/proc/self/exe", s.exe, sizeof(s.exe) - 1);
	if (rc == 0 && n <= 0)
		rc = ba_fail_errno(err, BA_EIO, "/proc/self/exe");
	rc = rc ? rc : answer(&s, err);
	return rc > 0 ? 125 : rc;
}
