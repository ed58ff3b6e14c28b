/* The scheduler: at most `parallel` jobs at a time, each with one command after the other. */

#include "base/manifest.h"
#include "build/build.h"

#define TAIL_BYTES (64u << 10) /* more than twenty lines of output of any compiler */
#define LOG_CEILING (UINT64_C(64) << 20)
#define MOUNTS_MOST 2000 /* bubblewrap accepts at most 9000 arguments */

/* ---- files that a build must not change ---- */

/* Files of an overlay, the same for all variants. A build may add files beside them. It chooses
 * what it compiles, so a gate needs the build's script in the overlay, too. */
typedef struct frozen {
	ba_strv files;	 /* absolute; links, too */
	ba_strv digests; /* of each */
} frozen;

BA_OWNS_HERE(frozen, f, BA_DISPOSE(ba_strv, &f->files, &f->digests))

/* digest of a file's content or a link's target; "" if it is missing or something else */
static void digest_of(char out[65], const char *path)
{
	struct stat s;
	char target[PATH_MAX];
	out[0] = '\0';
	if (lstat(path, &s))
		return;
	ssize_t n = S_ISLNK(s.st_mode) ? readlink(path, target, sizeof(target)) : -1;
	if (n >= 0)
		ba_sha256_of(out, target, (size_t)n);
	else if (S_ISREG(s.st_mode) && ba_sha256_file(out, path, NULL))
		out[0] = '\0';
}

static void add(frozen *f, char *path)
{
	char digest[65];
	digest_of(digest, path);
	ba_strv_push_take(&f->files, path);
	ba_strv_push(&f->digests, digest);
}

static int add_folder(frozen *f, const char *path, ba_error *err)
{
	BA_AUTO(ba_manifest) ba_manifest m = {0};
	int rc = ba_manifest_scan(&m, path, NULL, NULL, err);
	for (size_t i = 0; rc == 0 && i < m.count; i++)
		if (m.entries[i].kind != BA_MANIFEST_FOLDER)
			add(f, ba_path_join(path, m.entries[i].path));
	return rc;
}

/* All files at and below `paths`, which are relative to dir and need not exist. */
static int frozen_take(frozen *out, const char *dir, const ba_strv *paths, ba_error *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < paths->count; i++) {
		struct stat s;
		char *path = ba_path_join(dir, paths->items[i]);
		bool there = lstat(path, &s) == 0;
		if (there && S_ISDIR(s.st_mode))
			rc = add_folder(out, path, err);
		if (there && !S_ISDIR(s.st_mode))
			add(out, path);
		else
			free(path);
	}
	return rc;
}

/* What a sandbox shows read-only: the files, not links. */
static void frozen_mounts(ba_strv *readable, const frozen *f)
{
	struct stat s;
	for (size_t i = 0; i < f->files.count && i < MOUNTS_MOST; i++)
		if (lstat(f->files.items[i], &s) == 0 && S_ISREG(s.st_mode))
			ba_strv_push(readable, f->files.items[i]);
}

/* BA_EBUILD: one was changed or removed; the sentence names it. */
static int frozen_check(const frozen *f, ba_error *err)
{
	for (size_t i = 0; i < f->files.count; i++) {
		char digest[65];
		digest_of(digest, f->files.items[i]);
		if (strcmp(digest, f->digests.items[i]) == 0)
			continue;
		BA_AUTO_FREE char *safe = ba_text_safe(f->files.items[i]);
		return ba_fail(err, BA_EBUILD,
			"the build changed '%s', which 'overlay' gives to all variants alike; let it write elsewhere, or take the file out of the overlay",
			safe);
	}
	return 0;
}

/* ---- the schedule ---- */

typedef struct running {
	ba_build_job *job; /* NULL: free */
	size_t command;
	int64_t started_ns;
	char *tmp_dir;
	ba_strv env;
	frozen frozen;
} running;

typedef struct scheduler {
	const ba_build_options *options;
	size_t lanes;
	running *rows;	 /* [lanes] */
	ba_proc **procs; /* [lanes], as ba_proc_poll wants them */
} scheduler;

static void notify(const scheduler *s, const ba_build_job *job, bool ended)
{
	if (s->options->changed)
		s->options->changed(s->options->data, job, ended);
}

static void running_clear(running *r)
{
	if (r->tmp_dir)
		ba_fs_remove_tree(r->tmp_dir, NULL);
	free(r->tmp_dir);
	ba_strv_dispose(&r->env);
	frozen_dispose(&r->frozen);
	*r = (running){0};
}

static void scheduler_dispose(scheduler *s)
{
	for (size_t i = 0; i < s->lanes; i++) {
		ba_proc_free(s->procs[i]); /* kills processes that still run */
		running_clear(&s->rows[i]);
	}
	BA_FREE(s->procs, s->rows);
}
BA_DEFINE_AUTO(scheduler, scheduler_dispose)

/* logs the command before its output */
static int log_command(const running *r, ba_error *err)
{
	BA_AUTO_FREE char *words = ba_shell_command(&r->job->recipe->commands[r->command]);
	BA_AUTO_FREE char *typed = ba_text_safe(words);
	BA_AUTO_FREE char *line = ba_xprintf("%s$ %s\n", r->command ? "\n" : "", typed);
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (r->command ? O_APPEND : O_TRUNC);
	BA_AUTO_FD int fd = open(r->job->log_path, flags, 0600);
	if (fd < 0 || ba_fs_write_all(fd, line, strlen(line)))
		return ba_fail_errno(err, BA_EIO, "cannot write the log '%s'", r->job->log_path);
	return 0;
}

/* In a sandbox, the build can write its tree and its temporary folder. The git files of a
 * user's directory stay read-only, because a hook would run outside. */
static int start_confined(ba_proc **out, const ba_proc_spec *spec, const running *r, ba_error *err)
{
	const ba_build_recipe *recipe = r->job->recipe;
	BA_AUTO(ba_strv) ba_strv readable = {0}, writable = {0}, names = {0};
	if (!recipe->sandbox)
		return ba_proc_start(out, spec, err);
	ba_sandbox box = *recipe->sandbox;
	for (const char *const *p = box.readable; p && *p; p++)
		ba_strv_push(&readable, *p);
	for (const char *const *p = box.writable; p && *p; p++)
		ba_strv_push(&writable, *p);
	ba_strv_push(&writable, r->job->dir);
	ba_strv_push_take(&readable, ba_path_join(r->job->dir, ".git"));
	if (r->job->environment && r->job->environment->dir)
		ba_strv_push(&readable, r->job->environment->dir);
	frozen_mounts(&readable, &r->frozen);
	ba_build_recipe_names(&names, recipe);
	box.readable = (const char *const *)readable.items;
	box.writable = (const char *const *)writable.items;
	box.env = (const char *const *)names.items;
	box.tmp = r->tmp_dir;
	return ba_sandbox_start(out, spec, &box, err);
}

static int start_command(scheduler *s, size_t lane, ba_error *err)
{
	running *r = &s->rows[lane];
	const ba_build_recipe *recipe = r->job->recipe;
	int64_t left = recipe->timeout_ns ? recipe->timeout_ns - (ba_now_ns() - r->started_ns) : 0;
	BA_AUTO_FREE char *name = ba_xprintf("the build of '%s'", r->job->label);
	ba_proc_spec spec = {.name = name,
		.argv = (const char *const *)recipe->commands[r->command].items,
		.env = (const char *const *)r->env.items,
		.dir = r->job->dir,
		.out = {BA_OUTPUT_TAIL, TAIL_BYTES},
		.err = {BA_OUTPUT_JOIN},
		.log_path = r->job->log_path,
		.log_append = true,
		.log_ceiling = recipe->log_ceiling ? recipe->log_ceiling : LOG_CEILING,
		/* a limit that is already over must stay a limit */
		.limit_ns = !recipe->timeout_ns || left > 0 ? left : 1,
		.stop = s->options->stop};
	int rc = log_command(r, err);
	return rc < 0 ? rc : start_confined(&s->procs[lane], &spec, r, err);
}

static int prepare(running *r, const char *tmp_root, ba_error *err)
{
	BA_AUTO_FREE char *log_dir = ba_path_dir(r->job->log_path);
	BA_TRY(ba_fs_mkdirs(log_dir, err));
	r->tmp_dir = ba_path_join(tmp_root ? tmp_root : "/tmp", "ba-build-XXXXXX");
	if (!mkdtemp(r->tmp_dir)) {
		int rc = ba_fail_errno(err, BA_EIO, "cannot make a temporary directory in '%s'",
			tmp_root ? tmp_root : "/tmp");
		free(r->tmp_dir);
		r->tmp_dir = NULL;
		return rc;
	}
	BA_AUTO(ba_strv) ba_strv env = {0};
	ba_build_environment(&env, r->job->recipe, r->job->dir, r->tmp_dir);
	ba_variant_environment_put(
		&r->env, r->job->environment, (const char *const *)env.items, false);
	return r->job->frozen ? frozen_take(&r->frozen, r->job->dir, r->job->frozen, err) : 0;
}

static void finish(scheduler *s, size_t lane)
{
	running *r = &s->rows[lane];
	r->job->seconds = (double)(ba_now_ns() - r->started_ns) / 1e9;
	r->job->built = !r->job->failure;
	notify(s, r->job, true);
	running_clear(r);
}

/* all commands have succeeded */
static void conclude(const running *r)
{
	ba_error err = {0};
	ba_build_job *job = r->job;
	int rc = frozen_check(&r->frozen, &err);
	if (rc) {
		ba_story_sentence(job, rc, err.text);
		return;
	}
	rc = ba_build_check_artefacts(job->dir, job->artefacts, &err);
	if (rc == 0 && job->recipe->sandbox)
		rc = ba_build_check_inside(job->dir, job->artefacts, &err);
	if (rc < 0) {
		BA_AUTO_FREE char *sentence =
			ba_xprintf("the build succeeded but made %s\n  the whole log: %s", err.text,
				job->log_path);
		ba_story_sentence(job, rc, sentence);
	} else if (job->complete && (rc = job->complete(job, &err)) < 0) {
		ba_story_sentence(job, rc, err.text);
	}
}

/* Starts the lane's next command; if that fails, the job has ended. */
static void advance(scheduler *s, size_t lane)
{
	running *r = &s->rows[lane];
	ba_error err = {0};
	int rc;
	if (r->command == r->job->recipe->command_count) {
		conclude(r);
		finish(s, lane);
		return;
	}
	if ((rc = start_command(s, lane, &err)) < 0) {
		BA_AUTO_FREE char *sentence = ba_xprintf("the build cannot start: %s", err.text);
		ba_story_sentence(r->job, rc == BA_ENOTFOUND ? BA_EBUILD : rc, sentence);
		finish(s, lane);
	}
}

static void begin(scheduler *s, size_t lane, ba_build_job *job)
{
	running *r = &s->rows[lane];
	ba_error err = {0};
	int rc;
	*r = (running){.job = job, .started_ns = ba_now_ns()};
	notify(s, job, false);
	if ((rc = prepare(r, s->options->tmp_root, &err)) < 0) {
		ba_story_sentence(job, rc, err.text);
		finish(s, lane);
		return;
	}
	advance(s, lane);
}

static void ended(scheduler *s, size_t lane)
{
	running *r = &s->rows[lane];
	const ba_proc_result *result = ba_proc_result_of(s->procs[lane]);
	r->job->left_running += result->left_running;
	r->job->log_dropped += result->log_dropped;
	ba_story_remarks(r->job, result, s->options->log);
	bool good = ba_proc_result_ok(result);
	if (!good)
		ba_story_command(r->job, r->command, result);
	ba_proc_free(s->procs[lane]);
	s->procs[lane] = NULL;
	if (good) {
		r->command++;
		advance(s, lane);
	} else {
		finish(s, lane);
	}
}

static int run_all(scheduler *s, ba_build_job *jobs, size_t n, ba_error *err)
{
	size_t next = 0, lane;
	int rc;
	for (;;) {
		for (lane = 0; lane < s->lanes && next < n; lane++)
			/* a job may end at once, which frees its lane */
			while (!s->rows[lane].job && next < n)
				begin(s, lane, &jobs[next++]);
		if (!BA_ANY(s->rows, s->lanes, one, one->job))
			return 0;
		rc = ba_proc_poll(&lane, s->procs, s->lanes, -1, err);
		if (rc < 0)
			return rc;
		ended(s, lane);
	}
}

static int first_failure(const ba_build_job *jobs, size_t n, ba_error *err)
{
	for (size_t i = 0; i < n; i++) {
		if (!jobs[i].failure)
			continue;
		int line = (int)strcspn(jobs[i].failure, "\n");
		return ba_fail(err, jobs[i].code, "%.*s", line, jobs[i].failure);
	}
	return 0;
}

int ba_build_all(ba_build_job *jobs, size_t n, const ba_build_options *options, ba_error *err)
{
	static const ba_build_options defaults;
	options = options ? options : &defaults;
	size_t lanes = options->parallel ? options->parallel : 1;
	BA_AUTO(scheduler)
	scheduler s = {.options = options, .lanes = lanes < n ? lanes : n};
	s.rows = ba_xcalloc(s.lanes + 1, sizeof(*s.rows));
	s.procs = ba_xcalloc(s.lanes + 1, sizeof(*s.procs));
	int rc = run_all(&s, jobs, n, err);
	return rc < 0 ? rc : first_failure(jobs, n, err);
}

void ba_build_job_dispose(ba_build_job *job)
{
	free(job->failure);
	job->failure = NULL;
}

unsigned ba_build_usual_parallel(void)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	/* builds use several cores themselves; a few at a time hide their serial parts */
	return cores > 4 ? 4 : cores > 1 ? 2 : 1;
}
