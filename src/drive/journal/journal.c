#include "journal/journal.h"

#include <dirent.h>
#include <sys/file.h>

#define DIFFERENCES_SHOWN 3u

void ba_job_journal_init(ba_job_journal *j, int argc, char **argv)
{
	*j = (ba_job_journal){.directory = ba_path_absolute(".")};
	ba_strv_push_each(&j->argv, (const char *const *)argv, (size_t)argc);
}

BA_OWNS(ba_job_journal, j, ba_journal_free(j->journal), BA_FREE(j->path, j->directory),
	ba_strv_dispose(&j->argv), ba_journal_content_dispose(&j->then))

/* ---- taken up again ---- */

/* Is it the command line of `bench-against run`? */
static bool is_run(const ba_strv *argv)
{
	return argv->count && strcmp(argv->items[0], "run") == 0;
}

int ba_job_journal_resume(ba_job_journal *j, const char *path, ba_error *err)
{
	ba_journal_content *then = &j->then;
	j->path = ba_path_absolute(path);
	int rc = ba_journal_open(&j->journal, then, path, err);
	if (rc)
		return ba_fail_context(err, "--resume");
	j->resumed = true;
	BA_AUTO(ba_buf) ba_buf quoted = BA_BUF_INIT, directory = BA_BUF_INIT;
	ba_shell_put(&quoted, j->path);
	ba_shell_put(&directory, then->directory);
	if (is_run(&then->argv) != is_run(&j->argv))
		return ba_fail(err, BA_EINVAL,
			"--resume: '%s' is the journal of 'bench-against%s'; resume it: bench-against%s --resume %s",
			path, is_run(&then->argv) ? " run" : "", is_run(&then->argv) ? " run" : "",
			quoted.data);
	if (strcmp(then->directory, j->directory) != 0)
		return ba_fail(err, BA_EINVAL,
			"--resume: '%s' is the journal of a run that was started in another directory; resume it there: cd %s && bench-against%s --resume %s",
			path, directory.data, is_run(&then->argv) ? " run" : "", quoted.data);
	j->whole = then->resumed.count;
	ba_strv_dispose(&j->argv);
	ba_strv_copy(&j->argv, &then->argv);
	return 0;
}

int ba_job_journal_check(
	const ba_job_journal *j, const ba_fingerprint *now, bool all, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv differences = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_fingerprint_differences(&differences, &j->then.fingerprint, now, all);
	if (differences.count == 0)
		return 0;
	for (size_t i = 0; i < differences.count && i < DIFFERENCES_SHOWN; i++)
		ba_buf_printf(&text, "%s%s", i ? "; " : "", differences.items[i]);
	if (differences.count > DIFFERENCES_SHOWN)
		ba_buf_printf(&text, "; and %zu more", differences.count - DIFFERENCES_SHOWN);
	return ba_fail(err, BA_EINVAL,
		"--resume: '%s' belongs to another run, and samples of two runs must not be mixed: %s",
		j->path, text.data);
}

/* Reports that a part of the journal was damaged and will be measured again. */
static void tell_damage(ba_result *r, const ba_job_journal *j)
{
	if (!j->then.damaged_line)
		return;
	char *text = ba_xprintf(
		"line %zu of the journal '%s' is damaged: the %zu %s before it %s kept, and all others are measured again",
		j->then.damaged_line, j->path, j->whole,
		ba_plural(j->whole, "invocation", "invocations"), ba_plural(j->whole, "is", "are"));
	ba_log_printf(j->log, BA_LOG_WARNING, "%s", text);
	ba_strv_push_take(&r->run.notes, text);
}

static int take_up(ba_job_journal *j, ba_result *r, const ba_fingerprint *now, ba_error *err)
{
	ba_journal_content *then = &j->then;
	BA_TRY(ba_job_journal_check(j, now, true, err));
	BA_TRY(ba_journal_go_on(j->journal, err));
	/* decisions depend on clocks' resolution: the first part's environment is kept */
	ba_environment_dispose(&r->run.env);
	r->run.env = then->env;
	then->env = (ba_environment){0};
	tell_damage(r, j);
	for (size_t i = 0; i < then->resumed.origin_count; i++)
		ba_measured_add_origin(&r->run, &then->resumed.origins[i]);
	then->resumed.origin_count = 0;
	if (j->whole == 0)
		return 0;
	ba_strv_printf(&r->run.notes,
		"resumed after an interruption: the first %zu %s measured from %s on, the others from %s on",
		j->whole, ba_plural(j->whole, "invocation was", "invocations were"), then->started,
		r->run.started);
	ba_text_replace(&r->run.started, then->started);
	return 0;
}

/* ---- written ---- */

static void gave_up(ba_job_journal *j, const ba_error *err)
{
	j->stopped = true;
	ba_log_printf(j->log, BA_LOG_WARNING,
		"the journal cannot be continued, so --resume could not use what follows: %s",
		err->text);
}

static bool is_kept(const ba_job_journal *j)
{
	return j->journal && !j->stopped;
}

void ba_job_journal_samples(
	void *data, const ba_result *r, const ba_series *series, const ba_samples *samples)
{
	ba_job_journal *j = data;
	ba_error err;
	if (is_kept(j) && ba_journal_samples(j->journal, r->run.benchmarks[series->benchmark].id,
				  series->metric, samples, &err))
		gave_up(j, &err);
}

void ba_job_journal_invocation(void *data, unsigned invocation, const ba_checkpoint *c)
{
	ba_job_journal *j = data;
	ba_error err;
	if (!is_kept(j))
		return;
	if (ba_journal_invocation(j->journal, invocation, c, &err))
		gave_up(j, &err);
	else
		j->whole = invocation + 1;
}

void ba_job_journal_restart(void *data)
{
	ba_job_journal *j = data;
	ba_error err;
	j->whole = 0;
	if (is_kept(j) && ba_journal_restart(j->journal, &err))
		gave_up(j, &err);
}

void ba_job_journal_origin(ba_job_journal *j, const ba_origin *origin)
{
	ba_error err;
	if (is_kept(j) && ba_journal_origin(j->journal, origin, &err))
		gave_up(j, &err);
}

/* Opens a new journal at `named`, or in the cache. */
static int open_new(ba_job_journal *j, const char *cache_root, const char *named,
	const ba_result *r, const ba_fingerprint *fingerprint, ba_error *why)
{
	ba_error err;
	BA_AUTO_FREE char *dir = ba_path_join(cache_root, "journals");
	BA_AUTO_FREE char *path = named ? ba_xstrdup(named)
					: ba_xprintf("%s/%ld-%016" PRIx64 ".jsonl", dir,
						  (long)time(NULL), ba_rng_entropy());
	bool replaced = false;
	j->path = ba_path_absolute(path);
	int rc = named ? 0 : ba_fs_mkdirs(dir, &err);
	rc = rc ? rc : ba_journal_create(&j->journal, &replaced, j->path, &err);
	if (rc == BA_EINVAL)
		return ba_fail(why, rc, "%s", err.text);
	if (rc == 0 && replaced)
		ba_log_printf(j->log, BA_LOG_WARNING,
			"the journal '%s' of an interrupted run is replaced; --resume would have resumed that run",
			path);
	rc = rc ? rc : ba_journal_header(j->journal, r, &j->argv, j->directory, fingerprint, &err);
	if (rc)
		gave_up(j, &err);
	else
		ba_log_printf(j->log, BA_LOG_DEBUG, "the journal is '%s', for --resume", j->path);
	return 0;
}

int ba_job_journal_begin(ba_job_journal *j, const ba_job_services *services, const char *named,
	const ba_fingerprint *now, ba_result *r, ba_error *err)
{
	j->log = services->log;
	return j->resumed ? take_up(j, r, now, err)
			  : open_new(j, services->cache_root, named, r, now, err);
}

void ba_job_journal_discard(ba_job_journal *j)
{
	if (!j->resumed)
		ba_journal_remove(BA_TAKE(j->journal));
}

void ba_job_journal_end(ba_job_journal *j, const ba_result *r)
{
	bool kept = r->run.interrupted && j->journal && j->whole > 0;
	BA_AUTO(ba_buf) ba_buf quoted = BA_BUF_INIT;
	ba_shell_put(&quoted, j->path ? j->path : "");
	if (kept)
		ba_log_printf(j->log, BA_LOG_INFO,
			"stopped after %zu %s; to resume: bench-against%s --resume %s", j->whole,
			ba_plural(j->whole, "invocation", "invocations"),
			is_run(&j->argv) ? " run" : "", quoted.data);
	else
		ba_journal_remove(BA_TAKE(j->journal));
}

/* ---- what killed runs left in the cache ---- */

/* trees/NAME belongs to logs/NAME.log: the tree is kept, or being built */
static bool log_is_needed(const char *root, const char *name)
{
	if (!ba_text_ends(name, ".log"))
		return true;
	BA_AUTO_FREE char *stem = ba_xstrndup(name, strlen(name) - strlen(".log"));
	BA_AUTO_FREE char *tree = ba_xprintf("%s/trees/%s", root, stem);
	return ba_fs_exists(tree);
}

/* A run keeps its file locked, which is visible from other containers, too. */
static bool is_held(const char *root, const char *folder, const char *name)
{
	BA_AUTO_FREE char *path = ba_xprintf("%s/%s/%s", root, folder, name);
	BA_AUTO_FD int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0;
}

static bool journal_is_needed(const char *root, const char *name)
{
	return !ba_text_ends(name, ".jsonl") || is_held(root, "journals", name);
}

/* Removes steps of killed searches; states stay, because a search can be resumed. */
static bool step_is_needed(const char *root, const char *name)
{
	return !ba_text_starts(name, "step-") || is_held(root, "bisect", name);
}

void ba_leftovers_remove(const char *root, time_t before)
{
	static const struct {
		const char *folder;
		bool (*needed)(const char *root, const char *name);
	} kinds[] = {{"logs", log_is_needed}, {"journals", journal_is_needed},
		{"bisect", step_is_needed}};
	for (size_t i = 0; i < BA_COUNT(kinds); i++) {
		BA_AUTO_FREE char *path = ba_path_join(root, kinds[i].folder);
		DIR *dir = opendir(path);
		if (!dir)
			continue;
		for (struct dirent *e; (e = readdir(dir));) {
			struct stat st;
			if (fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
				!S_ISREG(st.st_mode) || st.st_mtime > before ||
				kinds[i].needed(root, e->d_name))
				continue;
			unlinkat(dirfd(dir), e->d_name, 0);
		}
		closedir(dir);
	}
}
