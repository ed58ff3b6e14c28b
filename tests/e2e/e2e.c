#include "e2e.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/base.h"
#include "base/strv.h"

#define TOOL BA_BINARY_DIR "/bin/bench-against"
#define FAKE BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1"
#define STOP BA_BINARY_DIR "/tests/faults/libstop.so"
#define SUITES BA_BINARY_DIR "/tests/suites"
/* a launch costs what the library says and nothing else */
#define SCRIPT "launch_ns=0;clock_ns=0;call_ns=10"
/* The hashes of the compilers, which take seconds under a sanitizer, for all tests of a
 * build. The tool checks each against the file's inode and times. */
#define TOOL_HASHES BA_BINARY_DIR "/tests/toolchain-hashes"
#define MARK "BENCH_AGAINST_E2E"

static ba_strv edits; /* "NAME=value", or "NAME" to unset */
static char *stop;    /* of the next child: see tests/faults/stop.c */

void e2e_env(const char *name, const char *value)
{
	ba_strv_push_take(&edits, value ? ba_xprintf("%s=%s", name, value) : ba_xstrdup(name));
}

static void apply_environment(const e2e *t)
{
	BA_AUTO_FREE char *history = at("%s/history.sqlite", t->dir);
	setenv("BENCH_AGAINST_CACHE", t->cache, 1);
	setenv("BENCH_AGAINST_HISTORY", history, 1);
	setenv("BA_FAKE_CUDA", SCRIPT, 1);
	setenv("NO_COLOR", "1", 1);
	setenv("COLUMNS", "200", 1);
	setenv(MARK, t->dir, 1);
	/* a crash is to be the crash that a user sees */
	setenv("ASAN_OPTIONS",
		"handle_segv=0:handle_abort=0:detect_leaks=1:verify_asan_link_order=0", 1);
	if (stop) {
		setenv("BA_TEST_STOP", stop, 1);
		setenv("LD_PRELOAD", STOP, 1);
	}
	for (size_t i = 0; i < edits.count; i++) {
		char *copy = ba_xstrdup(edits.items[i]), *equals = strchr(copy, '=');
		if (equals) {
			*equals = '\0';
			setenv(copy, equals + 1, 1);
		} else {
			unsetenv(copy);
		}
		free(copy);
	}
}

/* between two looks at something that nobody tells us about */
static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 5 * BA_MS}, NULL);
}

/* ---- a repository ---- */

e2e e2e_begin(void)
{
	e2e t = {.dir = tmp_make()};
	t.repo = at("%s/repo", t.dir);
	t.cache = at("%s/cache", t.dir);
	t.json = at("%s/results.json", t.dir);
	ba_strv_dispose(&edits);
	assert_int_equal(ba_fs_mkdirs(t.repo, NULL), 0);
	assert_int_equal(ba_fs_mkdirs(t.cache, NULL), 0);
	BA_AUTO_FREE char *hashes = at("%s/toolchain-hashes", t.cache);
	if (ba_fs_exists(TOOL_HASHES))
		assert_int_equal(ba_fs_copy(hashes, TOOL_HASHES, NULL), 0);
	git(t.repo, "init", "-q");
	e2e_configure(&t, E2E_BUILD, "[0]");
	put(t.repo, ".gitignore", "ignored\n");
	return t;
}

static void forget_child(e2e *t)
{
	free(t->out);
	free(t->err);
	ba_json_free(t->doc);
	t->out = t->err = NULL;
	t->doc = NULL;
}

/* For the next test, whichever program it is in; it may do the same at this moment. */
static void keep_hashes(const e2e *t)
{
	BA_AUTO_FREE char *hashes = at("%s/toolchain-hashes", t->cache);
	BA_AUTO_FREE char *mine = at(TOOL_HASHES "-%ld", (long)getpid());
	if (!ba_fs_exists(hashes))
		return;
	if (ba_fs_copy(mine, hashes, NULL) || rename(mine, TOOL_HASHES))
		unlink(mine);
}

size_t e2e_left(const e2e *t)
{
	BA_AUTO_FREE char *mark = at(MARK "=%s", t->dir);
	return e2e_processes(mark);
}

void e2e_end(e2e *t)
{
	size_t left = 0;
	/* what was killed takes a moment to be gone */
	for (int i = 0; i < 400; i++) {
		left = e2e_left(t);
		if (left == 0)
			break;
		nap();
	}
	assert_int_equal(left, 0);
	keep_hashes(t);
	forget_child(t);
	tmp_remove(t->dir);
	free(t->repo);
	free(t->cache);
	free(t->json);
	*t = (e2e){0};
}

char *e2e_library(const char *name)
{
	return at(SUITES "/%s.so", name);
}

void e2e_configure(e2e *t, const char *build, const char *args)
{
	BA_AUTO_FREE char *text = at("{\n  \"build\": { %s },\n  \"suites\": { \"launch\": {\n"
				     "    \"kind\": \"launcher\", \"library\": \"launcher.so\",\n"
				     "    \"args\": %s } }\n}\n",
		build, args);
	put(t->repo, ".bench-against.json", text);
}

void e2e_put_library(e2e *t, const char *library)
{
	BA_AUTO_FREE char *from = e2e_library(library);
	BA_AUTO_FREE char *to = at("%s/variant.so", t->repo);
	ba_error err = {0};
	if (ba_fs_copy(to, from, &err))
		print_message("%s\n", err.text);
	assert_int_equal(err.code, 0);
}

void e2e_commit(e2e *t, const char *name, const char *library)
{
	e2e_put_library(t, library);
	commit_tagged(t->repo, name);
}

/* ---- children ---- */

static void push_measuring(ba_strv *argv, const e2e *t)
{
	const char *const words[] = {"--fake-driver", FAKE, "--metrics", "submit", "--fixed", "4",
		"--blocks", "8", "--seed", "7", "--output", t->json};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		ba_strv_push(argv, words[i]);
}

static void redirect(const char *dir, const char *name, int fd)
{
	BA_AUTO_FREE char *path = at("%s/%s", dir, name);
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (file < 0 || dup2(file, fd) < 0)
		_exit(126);
	close(file);
}

/* what comes from it until nobody has its other side, to the file */
static void read_terminal(const e2e *t)
{
	char data[4096];
	BA_AUTO_FREE char *path = at("%s/stderr", t->dir);
	FILE *file = fopen(path, "w");
	for (ssize_t n; (n = read(t->terminal, data, sizeof(data))) > 0;)
		fwrite(data, 1, (size_t)n, file);
	fclose(file);
	close(t->terminal);
}

static void start(e2e *t, ba_strv *argv)
{
	forget_child(t);
	unlink(t->json);
	if (t->on_terminal) {
		t->terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
		assert_true(t->terminal >= 0 && !grantpt(t->terminal) && !unlockpt(t->terminal));
	}
	t->seconds = (double)ba_now_ns() / 1e9;
	t->pid = fork();
	assert_true(t->pid >= 0);
	if (t->pid) {
		free(stop);
		stop = NULL;
		return;
	}
	/* a terminal's Ctrl-C goes to the whole group: here to the tool alone, so that
	 * it is the tool that ends its children */
	setpgid(0, 0);
	/* a shell starts its background jobs with these ignored */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	apply_environment(t);
	redirect(t->dir, "stdout", STDOUT_FILENO);
	redirect(t->dir, "stderr", STDERR_FILENO);
	if (t->on_terminal &&
		dup2(open(ptsname(t->terminal), O_RDWR | O_NOCTTY), STDERR_FILENO) < 0)
		_exit(126);
	int nothing = open("/dev/null", O_RDONLY);
	if (chdir(t->repo) || dup2(nothing, STDIN_FILENO) < 0)
		_exit(126);
	execv(TOOL, argv->items);
	_exit(127);
}

static void start_list(e2e *t, bool measure, va_list ap)
{
	BA_AUTO(ba_strv) ba_strv argv = {0};
	const char *word = va_arg(ap, const char *);
	ba_strv_push(&argv, TOOL);
	/* a command's name comes first */
	if (measure && (strcmp(word, "run") == 0 || strcmp(word, "list") == 0)) {
		ba_strv_push(&argv, word);
		word = va_arg(ap, const char *);
	}
	if (measure)
		push_measuring(&argv, t);
	for (; word; word = va_arg(ap, const char *))
		ba_strv_push(&argv, word);
	start(t, &argv);
}

void e2e_start(e2e *t, int measure, ...)
{
	va_list ap;
	va_start(ap, measure);
	start_list(t, measure, ap);
	va_end(ap);
}

void e2e_wait(e2e *t)
{
	int status;
	if (t->on_terminal)
		read_terminal(t);
	while (waitpid(t->pid, &status, 0) < 0)
		assert_int_equal(errno, EINTR);
	t->seconds = (double)ba_now_ns() / 1e9 - t->seconds;
	t->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	t->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	t->out = slurp(t->dir, "stdout");
	t->err = slurp(t->dir, "stderr");
	ba_error err = {0};
	if (ba_fs_exists(t->json) && ba_json_read(&t->doc, t->json, NULL, &err)) {
		print_message("%s\n", err.text);
		fail();
	}
	if (strstr(t->err, "Sanitizer") || strstr(t->err, "runtime error")) {
		print_message("%s\n", t->err);
		fail();
	}
}

void e2e_run(e2e *t, int measure, ...)
{
	va_list ap;
	va_start(ap, measure);
	start_list(t, measure, ap);
	va_end(ap);
	e2e_wait(t);
}

char *e2e_text_of(const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_error err = {0};
	if (ba_fs_read(&text, path, (size_t)1 << 28, &err))
		fail_msg("%s", err.text);
	return ba_buf_detach(&text);
}

size_t e2e_occurrences(const char *text, const char *what)
{
	size_t n = 0;
	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

void e2e_check_verifies(e2e *t)
{
	BA_AUTO_FREE char *copy = at("%s/to-verify.json", t->dir);
	assert_int_equal(ba_fs_copy(copy, t->json, NULL), 0);
	e2e_tool(t, "verify", copy);
	assert_status(t, 0);
	assert_has(t->out, "everything agrees");
}

void e2e_stop_at(size_t invocations, int number)
{
	free(stop);
	stop = at("%zu %d", invocations, number);
}

char *e2e_stopped(e2e *t, int number)
{
	e2e_wait(t);
	assert_status(t, 128 + number);
	char *journal = at("%s.journal", t->json);
	assert_true(ba_fs_exists(journal));
	return journal;
}

void e2e_wait_for(const char *path)
{
	int64_t start_ns = ba_now_ns();
	while (!ba_fs_exists(path)) {
		if (ba_now_ns() - start_ns > 600 * BA_SECOND) {
			print_message("'%s' did not appear\n", path);
			fail();
		}
		nap();
	}
}

/* ---- processes ---- */

static bool file_holds(const char *pid, const char *name, const char *text)
{
	char data[1 << 16];
	BA_AUTO_FREE char *path = at("/proc/%s/%s", pid, name);
	BA_AUTO_FD int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, data, sizeof(data));
	return n > 0 && memmem(data, (size_t)n, text, strlen(text));
}

const char *e2e_ages(void)
{
	static char text[32];
	snprintf(text, sizeof(text), "7%09ld", (long)getpid());
	return text;
}

size_t e2e_processes(const char *text)
{
	size_t count = 0;
	struct dirent *entry;
	DIR *proc = opendir("/proc");
	assert_non_null(proc);
	while ((entry = readdir(proc))) {
		char *end;
		long pid = strtol(entry->d_name, &end, 10);
		if (pid <= 0 || *end || pid == (long)getpid())
			continue;
		count += file_holds(entry->d_name, "environ", text) ||
			 file_holds(entry->d_name, "cmdline", text);
	}
	closedir(proc);
	return count;
}

/* ---- results ---- */

static ba_json_value value_at(const e2e *t, const char *path)
{
	if (!t->doc) {
		print_message(
			"no results document; status %d, standard error:\n%s\n", t->status, t->err);
		fail();
	}
	ba_json_value v = ba_json_root(t->doc);
	BA_AUTO(ba_strv) ba_strv parts = {0};
	ba_strv_split(&parts, path, '.');
	for (size_t i = 0; i < parts.count; i++) {
		char *end;
		unsigned long index = strtoul(parts.items[i], &end, 10);
		v = *end ? ba_json_find(v, parts.items[i]) : ba_json_at(v, index);
	}
	if (!ba_json_is(v)) {
		print_message("the results have no '%s'\n", path);
		fail();
	}
	return v;
}

const char *e2e_text(const e2e *t, const char *path)
{
	const char *text = "";
	ba_json_value v = value_at(t, path);
	if (ba_json_type_of(v) == BA_JSON_NULL)
		return "";
	assert_int_equal(ba_json_as_string(&text, v, NULL), 0);
	return text;
}

double e2e_number(const e2e *t, const char *path)
{
	double number = 0;
	assert_int_equal(ba_json_as_f64(&number, value_at(t, path), NULL), 0);
	return number;
}

size_t e2e_count(const e2e *t, const char *path)
{
	return ba_json_count(value_at(t, path));
}

const char *e2e_verdict(const e2e *t, unsigned candidate)
{
	BA_AUTO_FREE char *path = at("series.0.comparisons.%u.verdict", candidate - 1);
	return e2e_text(t, path);
}

double e2e_ratio(const e2e *t, unsigned candidate)
{
	BA_AUTO_FREE char *path = at("series.0.comparisons.%u.ratio", candidate - 1);
	return e2e_number(t, path);
}

const char *e2e_failure(const e2e *t, unsigned variant)
{
	BA_AUTO_FREE char *path = at("series.0.variants.%u.failure", variant);
	return e2e_text(t, path);
}

/* ---- the user's own ---- */

char *e2e_users_view(const e2e *t)
{
	BA_AUTO_FREE char *files = manifest(t->repo, true);
	BA_AUTO_FREE char *refs = git_says(t->repo, "for-each-ref");
	BA_AUTO_FREE char *trees = git_says(t->repo, "worktree", "list");
	return at("%s\n--\n%s\n--\n%s\n", files, refs, trees);
}

void e2e_check_misdeed(const e2e *t, const e2e_misdeed *m)
{
	assert_status(t, 1);
	assert_string_equal(e2e_verdict(t, 1), "failed");
	assert_string_equal(e2e_verdict(t, 2), "regressed");
	assert_close(e2e_ratio(t, 2), 1.1, 1e-3);
	assert_has(e2e_failure(t, 1), m->sentence);
	assert_string_equal(e2e_failure(t, 0), "");
	assert_string_equal(e2e_failure(t, 2), "");
	/* it fails alone as well: no reason to part the others */
	assert_string_equal(e2e_text(t, "engine"), "duet");
	assert_has(t->out, "bad");
	if (m->output) {
		assert_has(e2e_text(t, "series.0.variants.1.output"), m->output);
		assert_has(t->out, m->output);
	}
	assert_null(strchr(t->out, '\033'));
	assert_null(strchr(t->err, '\033'));
}

void assert_status_at(const e2e *t, int expected, const char *file, int line)
{
	if (t->status == expected)
		return;
	fprintf(stderr,
		"%s:%d: exit status %d instead of %d\n--- stdout\n%s\n--- "
		"stderr\n%s\n",
		file, line, t->status, expected, t->out, t->err);
	_fail(file, line);
}

static void forget_edits(void)
{
	ba_strv_dispose(&edits);
}

int e2e_set_up(void **state)
{
	signal(SIGPIPE, SIG_IGN);
	atexit(forget_edits);
	return tmprepo_isolate(state);
}
