/* Real programs in real sandboxes: what tests/sandbox/probe.c gets there, and how they
 * end. Where bubblewrap is missing this fails; where the kernel forbids namespaces it is
 * skipped, with the reason. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/base.h"
#include "base/text.h"
#include "proc/affinity.h"
#include "sandbox/sandbox.h"

#define PROBE BA_BINARY_DIR "/tests/sandbox/probe"
#define OUTCOMES BA_SOURCE_DIR "/tests/sandbox/outcomes.txt"

/* Below the home of a user: no system folder, and not /tmp. */
typedef struct place {
	char *root, *tree, *other, *home, *scratch, *tmpfile;
	char *own_file, *other_file, *secret;
} place;

static void put_file(const char *path)
{
	assert_int_equal(ba_fs_write(path, "secret\n", 7, 0644, NULL), 0);
}

static int set_up(void **state)
{
	ba_error err;
	if (ba_sandbox_available(&err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(strstr(err.text, "not installed") ? 1 : 77);
	}
	place *p = ba_xcalloc(1, sizeof(*p));
	p->root = ba_xstrdup(BA_BINARY_DIR "/tests/sandbox-XXXXXX");
	if (!mkdtemp(p->root))
		return -1;
	p->tree = ba_path_join(p->root, "trees/a");
	p->other = ba_path_join(p->root, "trees/b");
	p->home = ba_path_join(p->root, "home");
	p->scratch = ba_path_join(p->root, "scratch");
	const char *const dirs[] = {p->tree, p->other, p->home, p->scratch};
	for (size_t i = 0; i < 4; i++)
		if (ba_fs_mkdirs(dirs[i], NULL))
			return -1;
	p->own_file = ba_path_join(p->tree, "file");
	p->other_file = ba_path_join(p->other, "file");
	p->secret = ba_path_join(p->home, "id_rsa");
	p->tmpfile = ba_xprintf("/tmp/ba-sandbox-test-%d", (int)getpid());
	put_file(p->own_file);
	put_file(p->other_file);
	put_file(p->secret);
	put_file(p->tmpfile);
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	place *p = *state;
	ba_fs_remove_tree(p->root, NULL);
	unlink(p->tmpfile);
	char *all[] = {p->root, p->tree, p->other, p->home, p->scratch, p->tmpfile, p->own_file,
		p->other_file, p->secret};
	for (size_t i = 0; i < BA_COUNT(all); i++)
		free(all[i]);
	free(p);
	return 0;
}
TEST_GROUP(set_up, tear_down);

/* a program in a sandbox whose tree is writable; *out is what it printed */
typedef struct request {
	const char *const *argv;
	const char *const *env;
	bool network, readable_only, fixed;
	ba_sandbox box; /* the rest of it */
} request;

static void run(ba_proc_result *out, const place *p, request q)
{
	BA_AUTO_FREE char *home = ba_xprintf("HOME=%s", p->home);
	const char *const env[] = {
		home, "PATH=/usr/bin:/bin", "LANG=C", "GITHUB_TOKEN=secret", NULL};
	const char *const tree[] = {p->tree, NULL}, *const none[] = {NULL};
	const char *const with_probe[] = {PROBE, q.readable_only ? p->tree : NULL, NULL};
	const ba_proc_spec spec = {.argv = q.argv,
		.env = q.env ? q.env : env,
		.dir = p->tree,
		.out = {BA_OUTPUT_HEAD, 1 << 20},
		.err = {BA_OUTPUT_JOIN, 0},
		.fixed_addresses = q.fixed,
		.limit_ns = 60 * BA_SECOND};
	ba_sandbox box = q.box;
	ba_error err;
	box.readable = with_probe;
	box.writable = q.readable_only ? none : tree;
	box.network = q.network;
	if (ba_sandbox_run(out, &spec, &box, &err))
		fail_msg("%s", err.text);
}

static void shell(ba_proc_result *out, const place *p, const char *command, request q)
{
	const char *const argv[] = {"sh", "-c", command, NULL};
	q.argv = argv;
	run(out, p, q);
}

/* ---- what it gets ---- */

typedef struct outside {
	int port_fd, abstract_fd;
	char *port, *abstract, *pid;
} outside;

static outside open_outside(void)
{
	outside o = {.port_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
		.abstract_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_un u = {.sun_family = AF_UNIX};
	socklen_t size = sizeof(a);
	assert_int_equal(bind(o.port_fd, (struct sockaddr *)&a, size), 0);
	assert_int_equal(listen(o.port_fd, 8), 0);
	assert_int_equal(getsockname(o.port_fd, (struct sockaddr *)&a, &size), 0);
	char *name = ba_xprintf("ba-sandbox-test-%d", (int)getpid());
	memcpy(u.sun_path + 1, name, strlen(name));
	size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
	assert_int_equal(bind(o.abstract_fd, (struct sockaddr *)&u, size), 0);
	assert_int_equal(listen(o.abstract_fd, 8), 0);
	o.port = ba_xprintf("port=%d", ntohs(a.sin_port));
	o.abstract = ba_xprintf("abstract=%s", name);
	o.pid = ba_xprintf("pid=%d", (int)getpid());
	free(name);
	return o;
}

static void close_outside(outside *o)
{
	close(o->port_fd);
	close(o->abstract_fd);
	free(o->port);
	free(o->abstract);
	free(o->pid);
}

/* "WHAT OUTCOME" of the probe, in a place; caller frees */
static char *probe(const place *p, request q)
{
	outside o = open_outside();
	BA_AUTO_FREE char *own = ba_xprintf("own=%s", p->own_file);
	BA_AUTO_FREE char *other = ba_xprintf("other=%s", p->other_file);
	BA_AUTO_FREE char *secret = ba_xprintf("secret=%s", p->secret);
	BA_AUTO_FREE char *tmpfile = ba_xprintf("tmpfile=%s", p->tmpfile);
	const char *const argv[] = {PROBE, o.port, o.abstract, o.pid, own, other, secret, tmpfile,
		"comm=test_sandbox_in", NULL};
	BA_AUTO(ba_proc_result) ba_proc_result result = {0};
	q.argv = argv;
	run(&result, p, q);
	close_outside(&o);
	if (!ba_proc_result_ok(&result))
		fail_msg("%s", result.out.data);
	return ba_buf_detach(&result.out);
}

/* The outcome of one line: "EROFS"; "" if it was not tried. */
static void outcome_of(char out[32], const char *report, const char *what)
{
	size_t n = strlen(what);
	*out = '\0';
	for (const char *line = report; *line; line += strcspn(line, "\n") + 1)
		if (strncmp(line, what, n) == 0 && line[n] == ' ')
			sscanf(line + n + 1, "%31s", out);
}

/* Every line of outcomes.txt, and none more. With a GPU /proc can be written, and pid 1 is
 * not there. */
static void check_outcomes(const place *p, bool gpu)
{
	BA_AUTO(ba_buf) ba_buf table = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv lines = {0};
	BA_AUTO_FREE char *report = probe(p, (request){.box = {.gpu = gpu}});
	size_t wrong = 0, rows = 0, tried = 0;
	assert_int_equal(ba_fs_read(&table, OUTCOMES, 1 << 20, NULL), 0);
	ba_strv_split(&lines, table.data, '\n');
	for (size_t i = 0; i < lines.count; i++) {
		char what[64], expected[64], got[32];
		if (sscanf(lines.items[i], "%63[^# ] %63s", what, expected) != 2)
			continue;
		rows++;
		outcome_of(got, report, what);
		if (gpu && strcmp(what, "processes.write_init_memory") == 0)
			snprintf(expected, sizeof(expected), "ENOENT");
		if (gpu && strcmp(what, "devices.gpu") == 0)
			continue; /* where there is one */
		/* "EROFS,EACCES": the first for root, the second for others */
		const char *at = strstr(expected, got);
		size_t n = strlen(got);
		if (!n || !at || (at[n] && at[n] != ',')) {
			fprintf(stderr, "%s: %s, expected %s\n", what, got, expected);
			wrong++;
		}
	}
	for (const char *c = report; *c; c++)
		tried += *c == '\n';
	assert_int_equal(wrong, 0);
	assert_int_equal(tried, rows);
}

TEST(hostile_program_gets_what_the_table_says)
{
	check_outcomes(*state, false);
}

TEST(nor_does_it_get_more_beside_a_gpu)
{
	check_outcomes(*state, true);
}

/* The same probes find a way where there is one: they can fail. */
TEST(probe_outside_of_a_sandbox_gets_more)
{
	const place *p = *state;
	outside o = open_outside();
	BA_AUTO_FREE char *other = ba_xprintf("other=%s", p->other_file);
	BA_AUTO_FREE char *secret = ba_xprintf("secret=%s", p->secret);
	static const char *const open[] = {"network.host_port", "network.abstract_socket",
		"files.other_tree_read", "files.other_tree_write", "files.link_to_other_tree",
		"files.home_secret", "files.var_log", "processes.trace_me", "processes.other_cpu",
		"given.GITHUB_TOKEN"};
	BA_AUTO(ba_buf) ba_buf only = BA_BUF_INIT;
	ba_buf_puts(&only, "only=");
	for (size_t i = 0; i < BA_COUNT(open); i++)
		ba_buf_printf(&only, "%s,", open[i]);
	const char *const argv[] = {PROBE, o.port, o.abstract, other, secret, only.data, NULL};
	const char *const env[] = {"PATH=/bin", "GITHUB_TOKEN=1", NULL};
	const ba_proc_spec spec = {.argv = argv, .env = env, .out = {BA_OUTPUT_HEAD, 1 << 20}};
	BA_AUTO(ba_proc_result) ba_proc_result result = {0};
	assert_int_equal(ba_proc_run(&result, &spec, NULL), 0);
	close_outside(&o);
	for (size_t i = 0; i < BA_COUNT(open); i++) {
		char got[32];
		outcome_of(got, result.out.data, open[i]);
		if (strcmp(got, "yes") != 0)
			fail_msg("%s: %s", open[i], got);
	}
}

TEST(readable_tree_cannot_be_written)
{
	const place *p = *state;
	char got[32];
	BA_AUTO_FREE char *report = probe(p, (request){.readable_only = true});
	outcome_of(got, report, "files.own_tree_read");
	assert_string_equal(got, "yes");
	outcome_of(got, report, "files.own_tree_write");
	assert_string_equal(got, "EROFS");
}

TEST(network_is_there_when_it_is_allowed)
{
	const place *p = *state;
	char got[32];
	BA_AUTO_FREE char *report = probe(p, (request){.network = true});
	outcome_of(got, report, "network.host_port");
	assert_string_equal(got, "yes");
	outcome_of(got, report, "processes.signal_tool");
	assert_string_equal(got, "ESRCH");
}

TEST(writes_reach_the_tree_and_the_named_tmp_alone)
{
	const place *p = *state;
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	shell(&r, p, "echo 1 >made && echo 2 >/tmp/made && echo 3 >~/made && pwd && ls ~",
		(request){.box.tmp = p->scratch});
	BA_AUTO_FREE char *pwd_ls = ba_xprintf("%s\nmade\n", p->tree);
	assert_string_equal(r.out.data, pwd_ls);
	BA_AUTO_FREE char *tree = ba_path_join(p->tree, "made");
	BA_AUTO_FREE char *tmp = ba_path_join(p->scratch, "made");
	BA_AUTO_FREE char *home = ba_path_join(p->home, "made");
	assert_true(ba_fs_exists(tree) && ba_fs_exists(tmp));
	assert_false(ba_fs_exists(home));
}

TEST(hidden_folder_is_empty)
{
	const place *p = *state;
	const char *const hidden[] = {"/usr/include", NULL};
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	shell(&r, p, "ls /usr/include; test -e /usr/bin/env && echo there",
		(request){.box.hidden = hidden});
	assert_string_equal(r.out.data, "there\n");
}

TEST(only_processors_that_the_host_chose)
{
	const place *p = *state;
	int cpu = ba_affinity_nth(0, -1);
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	ba_cpus before, after;
	assert_int_equal(ba_affinity_allowed(&before, NULL), 0);
	shell(&r, p, "grep Cpus_allowed_list /proc/self/status",
		(request){.box.pinned = true, .box.cpu = cpu});
	BA_AUTO_FREE char *expected = ba_xprintf("Cpus_allowed_list:\t%d\n", cpu);
	assert_string_equal(r.out.data, expected);
	assert_int_equal(ba_affinity_allowed(&after, NULL), 0);
	assert_memory_equal(&before, &after, sizeof(before));
}

/* ---- how it ends ---- */

TEST(ends_are_the_programs_own)
{
	const place *p = *state;
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	shell(&r, p, "exit 7", (request){0});
	assert_int_equal(r.end, BA_PROC_EXITED);
	assert_int_equal(r.status, 7);
	shell(&r, p, "kill -SEGV $$", (request){0});
	assert_int_equal(r.end, BA_PROC_SIGNALED);
	assert_int_equal(r.signal, SIGSEGV);
}

static int start(ba_proc **out, const place *p, const char *command)
{
	const char *const argv[] = {"sh", "-c", command, NULL};
	const char *const tree[] = {p->tree, NULL};
	const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
	const ba_sandbox box = {.writable = tree};
	const ba_proc_spec spec = {
		.argv = argv, .env = env, .dir = p->tree, .request_fd = 3, .reply_fd = 4};
	return ba_sandbox_start(out, &spec, &box, NULL);
}

TEST(it_hears_answers_and_has_a_number)
{
	const place *p = *state;
	BA_AUTO_PTR(ba_proc) ba_proc *proc = NULL;
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT;
	assert_int_equal(
		start(&proc, p, "read -r word <&3; echo \"heard $word\" >&4; exec sleep 100"), 0);
	assert_int_equal(ba_proc_write(proc, "this\n", 5, 20 * BA_SECOND, NULL), 0);
	assert_int_equal(ba_proc_read_line(proc, 20 * BA_SECOND, &line, NULL), 0);
	assert_string_equal(line.data, "heard this");
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%d/comm", (int)ba_proc_pid(proc));
	for (int i = 0; i < 1000 && strcmp(name.data, "sleep\n") != 0; i++) {
		ba_buf_clear(&name);
		ba_fs_read(&name, path, 100, NULL);
		usleep(10000);
	}
	assert_string_equal(name.data, "sleep\n");
}

/* Does the file become free within some seconds? Whoever holds it is then dead. */
static bool becomes_free(const char *path)
{
	BA_AUTO_FD int fd = open(path, O_RDWR | O_CLOEXEC);
	for (int i = 0; fd >= 0 && i < 2000; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return true;
		usleep(10000);
	}
	return false;
}

#define DAEMON                                                          \
	"env -i setsid flock lock sh -c 'touch held; exec sleep 1000' " \
	">/dev/null 2>&1 & until test -e held; do sleep 0.01; done"

TEST(daemons_die_with_it)
{
	const place *p = *state;
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	BA_AUTO_FREE char *lock = ba_path_join(p->tree, "lock");
	put_file(lock);
	shell(&r, p, DAEMON, (request){0});
	assert_true(ba_proc_result_ok(&r));
	assert_true(becomes_free(lock));
}

TEST(all_of_it_dies_with_us)
{
	const place *p = *state;
	BA_AUTO_FREE char *lock = ba_path_join(p->tree, "lock");
	BA_AUTO_FREE char *held = ba_path_join(p->tree, "held");
	put_file(lock);
	unlink(held);
	pid_t us = fork();
	if (us == 0) {
		ba_proc *proc = NULL;
		start(&proc, p, DAEMON "; exec sleep 1000");
		for (int i = 0; i < 2000 && !ba_fs_exists(held); i++)
			usleep(10000);
		_exit(ba_fs_exists(held) ? (kill(getpid(), SIGKILL), 1) : 1);
	}
	int status;
	assert_int_equal(waitpid(us, &status, 0), us);
	assert_true(WIFSIGNALED(status));
	assert_true(becomes_free(lock));
}

TEST(memory_can_be_where_it_was)
{
	const place *p = *state;
	BA_AUTO(ba_proc_result) ba_proc_result a = {0};
	BA_AUTO(ba_proc_result) ba_proc_result b = {0};
	const char *const maps[] = {"/bin/cat", "/proc/self/maps", NULL};
	const ba_proc_spec plain = {
		.argv = maps, .out = {BA_OUTPUT_HEAD, 1 << 16}, .fixed_addresses = true};
	assert_int_equal(ba_proc_run(&a, &plain, NULL), 0);
	assert_int_equal(ba_proc_run(&b, &plain, NULL), 0);
	if (strncmp(a.out.data, b.out.data, 12) != 0)
		skip(); /* this system forbids it */
	run(&a, p, (request){.argv = maps, .fixed = true});
	run(&b, p, (request){.argv = maps, .fixed = true});
	assert_int_equal(strncmp(a.out.data, b.out.data, 12), 0);
}

/* ---- what cannot be started ---- */

TEST(missing_programs_are_named)
{
	const place *p = *state;
	const char *const tree[] = {p->tree, NULL};
	const ba_sandbox box = {.readable = tree};
	const char *const nowhere[] = {"no-such-program", NULL};
	const char *const unseen[] = {p->secret, NULL};
	ba_proc_spec spec = {.argv = nowhere, .dir = p->tree};
	ba_proc *proc = NULL;
	ba_error err;
	assert_int_equal(ba_sandbox_start(&proc, &spec, &box, &err), BA_ENOTFOUND);
	assert_has(err.text, "in the sandbox: no program 'no-such-program' in PATH");
	assert_int_equal(chmod(p->secret, 0755), 0);
	spec.argv = unseen;
	assert_int_equal(ba_sandbox_start(&proc, &spec, &box, &err), BA_ENOTFOUND);
	assert_has(err.text, "the sandbox does not have '");
	assert_has(err.text, "'readable'");
}

TEST(tree_may_be_named_through_a_link)
{
	const place *p = *state;
	BA_AUTO_FREE char *link = ba_path_join(p->root, "link");
	BA_AUTO_FREE char *script = ba_path_join(p->tree, "script");
	assert_int_equal(symlink(p->tree, link), 0);
	assert_int_equal(ba_fs_write(script, "#!/bin/sh\npwd\n", 14, 0755, NULL), 0);
	const char *const tree[] = {link, NULL};
	const char *const argv[] = {"./script", NULL};
	const ba_sandbox box = {.readable = tree};
	const ba_proc_spec spec = {.argv = argv, .dir = link, .out = {BA_OUTPUT_HEAD, 4096}};
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	ba_error err;
	if (ba_sandbox_run(&r, &spec, &box, &err))
		fail_msg("%s", err.text);
	BA_AUTO_FREE char *expected = ba_xprintf("%s\n", link);
	assert_string_equal(r.out.data, expected);
}

TEST(without_a_box_it_is_an_ordinary_program)
{
	const place *p = *state;
	const char *const argv[] = {"/bin/cat", p->secret, NULL};
	const ba_proc_spec spec = {.argv = argv, .out = {BA_OUTPUT_HEAD, 100}};
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	assert_int_equal(ba_sandbox_run(&r, &spec, NULL, NULL), 0);
	assert_string_equal(r.out.data, "secret\n");
}
