#include "judge/judge.h"

#include "gate/status.h"
#include "git/lock.h"
#include "job/job.h"
#include "store/results.h"
#include "verdict/decide.h"
#include "json/fields.h"

/* ---- the file of a session ---- */

#define SCHEMA "bench-against.judge/1"
#define CEILING ((size_t)64 << 20)

BA_DEFINE_WORDS(static, word_names, BA_BRIEF_CHEATED + 1, ba_brief_words[value],
	"is not a verdict of a candidate");

static const ba_json_field try_rows[] = {
	BA_FIELD(ba_judge_try, digest, DIGEST, .required = true),
	BA_FIELD(ba_judge_try, spec, TEXT, .required = true),
	BA_FIELD_WORD("verdict", ba_judge_try, word, word_names, .required = true),
	BA_FIELD(ba_judge_try, level, F64),
	BA_FIELD(ba_judge_try, answer, TEXT),
};

static const ba_json_field session_rows[] = {
	BA_FIELD_SCHEMA("schema", SCHEMA),
	BA_FIELD(ba_judge_session, directory, TEXT, .required = true),
	BA_FIELD(ba_judge_session, base, TEXT, .required = true),
	BA_FIELD(ba_judge_session, alpha, PART, .required = true),
	BA_FIELD(ba_judge_session, strict, BOOL),
	BA_FIELD(ba_judge_session, tested, U64, .required = true),
	BA_FIELD(ba_judge_session, accepted, U64, .required = true),
	BA_FIELD(ba_judge_session, best, U64, .required = true),
	BA_FIELD_LIST("tries", ba_judge_session, tries, count, BA_FIELDS(try_rows)),
};

BA_OWNS(ba_judge_try, t, BA_FREE(t->spec, t->answer))

BA_OWNS(ba_judge_session, s, BA_FREE_ARRAY(ba_judge_try_dispose, s->tries, s->count),
	BA_FREE(s->directory, s->base))

/* The latest try with this digest, from 1 on; 0: none. */
static size_t find_try(const ba_judge_session *s, const char *digest)
{
	for (size_t i = s->count; i > 0; i--)
		if (strcmp(s->tries[i - 1].digest, digest) == 0)
			return i;
	return 0;
}

/* Reads `dir`/session.json, if there is one. BA_EDATA for what no session wrote. */
static int load_session(ba_judge_session *s, const char *dir, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, "session.json");
	const ba_json_options options = {.ceiling = CEILING};
	if (!ba_fs_exists(path))
		return 0;
	BA_TRY(ba_fields_load(s, BA_FIELDS(session_rows), path, &options, err));
	s->capacity = s->count;
	if (s->best > s->count || !(s->alpha > 0) || s->accepted > s->tested ||
		(s->best > 0) != (s->accepted > 0))
		return ba_fail(
			err, BA_EDATA, "'%s' contradicts itself: begin another session", path);
	return 0;
}

static int save_session(const ba_judge_session *s, const char *dir, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, "session.json");
	return ba_fields_save(path, 1, BA_FIELDS(session_rows), s, err);
}

enum { FIRST_RUNG = 4, FIRST_BLOCKS = 4, OFF = 1 /* of ba_explain_words */ };

/* ---- measuring ---- */

static int run(ba_judge *j, ba_job *job, const ba_strv *variants, ba_error *err)
{
	BA_TRY(ba_job_resolve(job, variants, err));
	BA_TRY(ba_job_build(job, err));
	BA_TRY(ba_job_survey(job, err));
	BA_TRY(ba_job_plan(job, err));
	BA_TRY(ba_job_measure(job, err));
	if (ba_job_is_stopped(j->services))
		return ba_fail(err, BA_EINTERRUPTED, "interrupted");
	ba_job_answer(job);
	return j->output ? ba_results_write(j->output, &j->r, err) : 0;
}

/* Measures task, champion (or NULL) and candidate (or NULL), and decides between the last two. */
static int measure(
	ba_judge *j, const char *candidate, size_t invocations, double level, ba_error *err)
{
	const ba_judge_session *s = &j->session;
	BA_AUTO(ba_strv) ba_strv variants = {0};
	ba_job_request q = *j->job;
	q.least = 2;
	q.most = 3;
	q.directory = s->directory;
	q.gate = BA_GATE_STRICT;
	q.measure_identical = q.no_device_code = true;
	q.explain = OFF;
	q.alpha = level;
	q.fixed = (int)invocations;
	if (q.untrusted && !q.blocks && candidate && invocations == FIRST_RUNG)
		q.blocks = FIRST_BLOCKS;
	ba_strv_printf(&variants, "task=%s", s->base);
	if (s->best)
		ba_strv_printf(&variants, "best=%s", s->tries[s->best - 1].spec);
	if (candidate)
		ba_strv_printf(&variants, "candidate=%s", candidate);
	ba_result_dispose(&j->r);
	j->r = (ba_result){0};
	ba_job_describe(&j->r, q.command_line);
	BA_AUTO_PTR(ba_job) ba_job *job = ba_job_new(&q, j->services, NULL, &j->r);
	BA_TRY(run(j, job, &variants, err));
	if (variants.count == 3) {
		ba_champion_decide(&j->r);
		ba_gate_set_status(&j->r,
			&(ba_gate_policy){.strict = true, .expected = &j->r.decided.expected});
	}
	BA_AUTO(ba_brief) ba_brief b = ba_brief_of(&j->r);
	j->now.word = b.word;
	ba_text_replace(&j->now.answer, b.answer ? b.answer : "");
	return 0;
}

static bool looks_faster(const ba_series *s)
{
	const ba_comparison *k = &s->comparisons[0];
	return s->role == BA_ROLE_VERDICT && k->ratio > 0 && k->ratio < 1 - k->threshold_faster / 2;
}

/* Does a benchmark look faster by half of its threshold? */
static bool is_promising(const ba_judge *j)
{
	return BA_ANY(j->r.series, j->r.series_count, s, looks_faster(s));
}

static bool is_open(const ba_judge *j)
{
	return j->now.word == BA_BRIEF_FASTER || j->now.word == BA_BRIEF_UNDECIDED;
}

/* ---- the rungs ---- */

/* Only this can accept. A try spends its level before it measures, in case it is killed. */
static int second_rung(ba_judge *j, ba_error *err)
{
	ba_judge_session *s = &j->session;
	j->now.level = s->alpha;
	s->tested++;
	if (j->dir) {
		j->now.level = ba_online_level(s->alpha, s->strict, s->tested, s->accepted);
		BA_TRY(save_session(s, j->dir, err));
	}
	size_t invocations = ba_online_invocations(j->now.level);
	BA_TRY(measure(j, j->now.spec, invocations, j->now.level, err));
	if (j->now.word == BA_BRIEF_UNDECIDED && is_promising(j))
		j->next = ba_xprintf(
			"improve it further: it looks faster, but %zu invocations do not show it at the level %.2g; judged once more, it is measured anew at another level",
			invocations, j->now.level);
	return 0;
}

static int climb(ba_judge *j, ba_error *err)
{
	int64_t start = ba_now_ns();
	size_t first = j->job->fixed ? (size_t)j->job->fixed : FIRST_RUNG;
	BA_TRY(measure(j, j->now.spec, first, j->session.alpha, err));
	if (is_open(j) && is_promising(j))
		BA_TRY(second_rung(j, err));
	else if (is_open(j))
		j->now.word = BA_BRIEF_UNDECIDED;
	if (j->now.word == BA_BRIEF_UNDECIDED && !j->next)
		j->next = ba_xstrdup(
			"try another change: nothing looks faster by half the threshold; a larger --fixed measures longer");
	/* commits of the session mean nothing to its user */
	if (j->now.word == BA_BRIEF_SLOWER)
		j->next = ba_xprintf("try another change: this one is slower than %s",
			j->session.best ? "the best so far" : "the task's own code");
	j->r.run.wall_seconds = ba_seconds_since(start);
	return 0;
}

/* ---- the session ---- */

static int record(ba_judge *j, ba_error *err)
{
	ba_judge_session *s = &j->session;
	*BA_PUSH(s->tries, s->count, s->capacity) = j->now;
	j->number = s->count;
	if (j->now.word == BA_BRIEF_FASTER) {
		s->accepted++;
		s->best = s->count;
	}
	j->now = (ba_judge_try){0};
	return j->dir ? save_session(s, j->dir, err) : 0;
}

/* An undecided try is measured anew, at a level of its own. */
static int judge(ba_judge *j, ba_error *err)
{
	j->now.level = NAN;
	BA_TRY(ba_judge_commit(&j->now, j->session.directory, j->task, j->candidate, err));
	j->number = find_try(&j->session, j->now.digest);
	j->recorded = j->number && j->session.tries[j->number - 1].word != BA_BRIEF_UNDECIDED;
	if (j->recorded) {
		j->next =
			ba_xprintf("try another change: these files were judged before, as try %zu",
				j->number);
		return 0;
	}
	BA_TRY(climb(j, err));
	return record(j, err);
}

static int measure_best(ba_judge *j, ba_error *err)
{
	int64_t start = ba_now_ns();
	j->number = j->session.best;
	if (!j->number)
		return ba_fail(err, BA_ENOTFOUND,
			"no candidate of '%s' was accepted yet, so there is nothing to measure",
			j->dir);
	j->now.level = j->session.alpha;
	BA_TRY(measure(j, NULL, ba_online_invocations(1), j->now.level, err));
	j->next = ba_xstrdup("report this ratio, and not that of the try that was accepted");
	j->r.run.wall_seconds = ba_seconds_since(start);
	return 0;
}

/* Begins the session with this task, or finds that it was begun with it. */
static int enter(ba_judge *j, const char *code, ba_error *err)
{
	ba_judge_session *s = &j->session;
	ba_judge_try task = {0};
	bool folder = ba_fs_is_dir(j->task);
	BA_AUTO_FREE char *directory = ba_path_absolute(folder ? code : ".");
	BA_AUTO_FREE char *place = ba_path_absolute(j->task);
	if (folder && ba_path_is_below(directory, place))
		return ba_fail(err, BA_EINVAL,
			"the session '%s' lies in the task '%s': name a folder elsewhere", j->dir,
			j->task);
	BA_TRY(ba_judge_commit(&task, directory, j->task, NULL, err));
	BA_AUTO_FREE char *base = BA_TAKE(task.spec);
	if (s->base && s->alpha == j->job->alpha && s->strict == j->strict &&
		strcmp(s->base, base) == 0 && strcmp(s->directory, directory) == 0)
		return 0;
	if (s->base)
		return ba_fail(err, BA_EINVAL,
			"the session '%s' was begun with another task, --alpha or --strict: its tries cannot be compared with this one; begin another session",
			j->dir);
	s->directory = BA_TAKE(directory);
	s->base = BA_TAKE(base);
	s->alpha = j->job->alpha;
	s->strict = j->strict;
	return 0;
}

static int work(ba_judge *j, const char *code, ba_error *err)
{
	if (j->dir)
		BA_TRY(load_session(&j->session, j->dir, err));
	if (!j->task && !j->session.base)
		return ba_fail(err, BA_ENOTFOUND, "'%s' is not a session: name a task", j->dir);
	if (j->task)
		BA_TRY(enter(j, code, err));
	return j->candidate->count ? judge(j, err) : measure_best(j, err);
}

/* Waits for another process of this session. */
static int hold(ba_lock *lock, const ba_judge *j, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(j->dir, "lock");
	bool busy = true;
	BA_TRY(ba_fs_mkdirs(j->dir, err));
	while (busy && !ba_job_is_stopped(j->services)) {
		BA_TRY(ba_lock_try(lock, &busy, path, false, err));
		if (busy)
			nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	}
	return busy ? ba_fail(err, BA_EINTERRUPTED, "interrupted") : 0;
}

int ba_judge_run(ba_judge *j, ba_error *err)
{
	BA_AUTO(ba_lock) ba_lock lock = BA_LOCK_NONE;
	const char *root = j->dir ? j->dir : j->services->cache_root;
	BA_AUTO_FREE char *code = ba_path_join(root, j->dir ? "code" : "judge-XXXXXX");
	BA_TRY(j->dir ? hold(&lock, j, err) : ba_fs_mkdirs(root, err));
	if (!j->dir && !mkdtemp(code))
		return ba_fail_errno(err, BA_EIO, "'%s'", code);
	int rc = work(j, code, err);
	if (!j->dir)
		(void)ba_fs_remove_tree(code, NULL);
	return rc;
}

/* ---- the answer ---- */

static const ba_judge_try *shown(const ba_judge *j)
{
	return j->now.answer ? &j->now : &j->session.tries[j->number - 1];
}

static void write_session(ba_json_writer *w, const void *data)
{
	const ba_judge *j = data;
	const ba_judge_session *s = &j->session;
	ba_json_put(w, "session: {try: %zu, tries: %zu, tested: %zu, accepted: %zu, level: %g",
		j->number, s->count, s->tested, s->accepted, shown(j)->level);
	ba_json_put(w, "rule: %s, best: %zu, recorded: %d}", s->strict ? "strict" : "lond", s->best,
		j->recorded);
}

ba_brief ba_judge_brief(const ba_judge *j)
{
	ba_brief b = {0};
	if (!j->recorded)
		b = ba_brief_of(&j->r);
	b.word = shown(j)->word;
	b.exit_status = b.word == BA_BRIEF_FASTER ? 0 : b.word == BA_BRIEF_UNDECIDED ? 125 : 1;
	b.answer = shown(j)->answer;
	if (j->next)
		ba_text_replace(&b.next, j->next);
	b.members = j->dir ? write_session : NULL;
	b.data = j;
	return b;
}

BA_OWNS(ba_judge, j, ba_judge_session_dispose(&j->session), ba_judge_try_dispose(&j->now),
	ba_result_dispose(&j->r), free(j->next))
