#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/base.h"
#include "proc/handover.h"
#include "proc/proc.h"

#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})
#define SH(script) ARGV("sh", "-c", script)

static char *how(const ba_proc_result *r)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_proc_result_text(&text, r);
	return ba_buf_detach(&text);
}

static void assert_how(const ba_proc_result *r, const char *expected)
{
	BA_AUTO_FREE char *text = how(r);
	assert_string_equal(text, expected);
}

static char *temp_dir(void)
{
	char *dir = ba_xstrdup("/tmp/ba-proc-XXXXXX");
	assert_non_null(mkdtemp(dir));
	return dir;
}

static bool is_alive(pid_t pid)
{
	return !kill(pid, 0) || errno != ESRCH;
}

static void run(ba_proc_result *r, ba_proc_spec spec)
{
	ba_error err = {0};
	if (!spec.out.mode)
		spec.out.mode = BA_OUTPUT_TAIL;
	if (!spec.err.mode)
		spec.err.mode = BA_OUTPUT_TAIL;
	if (ba_proc_run(r, &spec, &err))
		fail_msg("%s", err.text);
}

TEST(output_of_both_streams_is_captured)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	run(&r, (ba_proc_spec){.argv = SH("echo one; echo two >&2")});
	assert_true(ba_proc_result_ok(&r));
	assert_string_equal(r.out.data, "one\n");
	assert_string_equal(r.err.data, "two\n");
	assert_true(r.wall_ns > 0);
}

TEST(joined_streams_keep_their_order)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	run(&r, (ba_proc_spec){.argv = SH("echo 1; echo 2 >&2; echo 3"), .err = {BA_OUTPUT_JOIN}});
	assert_string_equal(r.out.data, "1\n2\n3\n");
}

TEST(ends_are_told_apart_in_words)
{
	static const struct {
		const char *script, *words;
	} rows[] = {
		{"exit 0", "exited with status 0"},
		{"exit 3", "exited with status 3"},
		{"kill -SEGV $$", "killed by signal 11 (SIGSEGV)"},
		{"kill -KILL $$", "killed by signal 9 (SIGKILL), perhaps because memory ran out"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		BA_AUTO(ba_proc_result) ba_proc_result r = {0};
		run(&r, (ba_proc_spec){.argv = SH(rows[i].script)});
		assert_how(&r, rows[i].words);
	}
}

TEST(limits_are_told_in_the_unit_they_are_given)
{
	static const struct {
		int64_t ns;
		const char *words;
	} rows[] = {{250 * BA_MS, "ran past its limit of 250ms"},
		{1500 * BA_MS, "ran past its limit of 1.5s"},
		{90 * BA_SECOND, "ran past its limit of 90s"},
		{600 * BA_SECOND, "ran past its limit of 10m"},
		{5400 * BA_SECOND, "ran past its limit of 90m"},
		{7200 * BA_SECOND, "ran past its limit of 2h"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ba_proc_result r = {.end = BA_PROC_TIMEOUT, .limit_ns = rows[i].ns};
		assert_how(&r, rows[i].words);
	}
}

TEST(a_missing_program_is_named)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	ba_error err = {0};
	ba_proc_spec spec = {
		.argv = ARGV("no-such-program-here"), .env = ARGV("PATH=/usr/bin:/bin")};
	assert_int_equal(ba_proc_run(&r, &spec, &err), BA_ENOTFOUND);
	assert_string_equal(
		err.text, "no program 'no-such-program-here' in PATH ('/usr/bin:/bin')");
	spec = (ba_proc_spec){.argv = ARGV("./configure"), .dir = "/usr"};
	assert_int_equal(ba_proc_run(&r, &spec, &err), BA_ENOTFOUND);
	assert_has(err.text, "'./configure' in '/usr'");
	spec = (ba_proc_spec){.argv = ARGV("true"), .dir = "/no/such/dir"};
	assert_int_equal(ba_proc_run(&r, &spec, &err), BA_ENOTFOUND);
	assert_string_equal(err.text, "no such directory '/no/such/dir'");
}

TEST(what_cannot_be_executed_is_told_apart)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	BA_AUTO_FREE char *dir = temp_dir();
	BA_AUTO_FREE char *plain = ba_path_join(dir, "plain");
	BA_AUTO_FREE char *orphan = ba_path_join(dir, "orphan");
	BA_AUTO_FREE char *noise = ba_path_join(dir, "noise");
	ba_error err = {0};
	ba_fs_write(plain, "#!/bin/sh\n", 10, 0644, NULL);
	ba_fs_write(orphan, "#!/no/interpreter\n", 18, 0755, NULL);
	ba_fs_write(noise, "\1\2\3\4", 4, 0755, NULL);
	ba_proc_spec spec = {.argv = ARGV("./plain"), .dir = dir};
	assert_int_equal(ba_proc_run(&r, &spec, &err), BA_ENOTFOUND);
	assert_has(err.text, "is not an executable file");
	spec.argv = ARGV("./orphan");
	assert_int_equal(ba_proc_run(&r, &spec, &err), BA_ENOTFOUND);
	assert_has(err.text, "names an interpreter that does not exist");
	spec.argv = ARGV("./noise");
	assert_int_equal(ba_proc_run(&r, &spec, &err), BA_ENOTFOUND);
	assert_has(err.text, "is not a program this machine can run");
	ba_fs_remove_tree(dir, NULL);
}

TEST(a_relative_program_is_that_of_the_directory)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	BA_AUTO_FREE char *dir = temp_dir();
	BA_AUTO_FREE char *tool = ba_path_join(dir, "tool");
	ba_fs_write(tool, "#!/bin/sh\npwd -P\n", 17, 0755, NULL);
	run(&r, (ba_proc_spec){.argv = ARGV("./tool"), .dir = dir});
	BA_AUTO_FREE char *expected = ba_xprintf("%s\n", dir);
	assert_string_equal(r.out.data, expected);
	ba_fs_remove_tree(dir, NULL);
}

TEST(the_environment_is_the_one_given_and_a_tag)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	run(&r, (ba_proc_spec){.argv = ARGV("env"),
			.env = ARGV("PATH=/usr/bin:/bin", "A=1",
				"BENCH_AGAINST_CHILD=of-an-outer-run")});
	assert_int_equal(
		strncmp(r.out.data, "PATH=/usr/bin:/bin\nA=1\nBENCH_AGAINST_CHILD=", 43), 0);
	assert_int_equal(r.out.len, 43 + 16 + 1);
	assert_null(strstr(r.out.data, "outer"));
}

TEST(standard_input_is_the_data_given_or_empty)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	size_t size = 3 << 20;
	BA_AUTO_FREE char *data = ba_xmalloc(size);
	memset(data, 'x', size);
	run(&r, (ba_proc_spec){.argv = ARGV("wc", "-c"), .stdin_data = data, .stdin_size = size});
	assert_string_equal(r.out.data, "3145728\n");
	run(&r, (ba_proc_spec){.argv = ARGV("wc", "-c")});
	assert_string_equal(r.out.data, "0\n");
}

TEST(a_child_that_ignores_its_input_is_no_error)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	size_t size = 1 << 20;
	BA_AUTO_FREE char *data = ba_xcalloc(1, size);
	run(&r, (ba_proc_spec){.argv = ARGV("true"), .stdin_data = data, .stdin_size = size});
	assert_true(ba_proc_result_ok(&r));
}

TEST(descriptors_not_named_do_not_reach_the_child)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	/* on purpose without O_CLOEXEC, as another library may open one */
	BA_AUTO_FD int leaky = open("/dev/null", O_RDONLY);
	BA_AUTO_FD int high = fcntl(leaky, F_DUPFD, 200);
	ba_proc_fd rows[] = {{leaky, 7}};
	assert_true(leaky >= 0 && high >= 200);
	run(&r, (ba_proc_spec){.argv = SH("for i in 0 1 2 3 4 5 6 7 8 9 200 201; do "
					  "[ -e /proc/$$/fd/$i ] && echo $i; done; true"),
			.fds = rows,
			.fd_count = 1});
	assert_string_equal(r.out.data, "0\n1\n2\n7\n");
	assert_true(fcntl(leaky, F_GETFD) >= 0);
}

TEST(crossed_descriptors_do_not_overwrite_each_other)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	int a[2], b[2];
	assert_false(pipe2(a, O_CLOEXEC) || pipe2(b, O_CLOEXEC));
	assert_int_equal(write(a[1], "A\n", 2), 2);
	assert_int_equal(write(b[1], "B\n", 2), 2);
	/* each wants the other's number */
	ba_proc_fd rows[] = {{a[0], b[0]}, {b[0], a[0]}};
	BA_AUTO_FREE char *script = ba_xprintf("read x <&%d; read y <&%d; echo $x$y", b[0], a[0]);
	run(&r, (ba_proc_spec){.argv = SH(script), .fds = rows, .fd_count = 2});
	assert_string_equal(r.out.data, "AB\n");
	for (int i = 0; i < 2; i++) {
		close(a[i]);
		close(b[i]);
	}
}

TEST(blocked_and_ignored_signals_are_not_inherited)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	sigset_t block, old;
	sigemptyset(&block);
	sigaddset(&block, SIGTERM);
	sigprocmask(SIG_BLOCK, &block, &old);
	signal(SIGINT, SIG_IGN);
	run(&r, (ba_proc_spec){.argv = ARGV("sed", "-n", "s/^Sig\\(Blk\\|Ign\\):.//p",
				       "/proc/self/status")});
	sigprocmask(SIG_SETMASK, &old, NULL);
	signal(SIGINT, SIG_DFL);
	char *rest;
	assert_int_equal(strtoull(r.out.data, &rest, 16), 0);
	/* 32 and 33 are the C library's own */
	assert_int_equal(strtoull(rest, NULL, 16) & ~UINT64_C(0x180000000), 0);
}

/* exit status 0, or the number of the line that is not as it should be */
static int settled(void)
{
	sigset_t blocked;
	struct sigaction kept, reset;
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	umask(0777);
	signal(SIGCHLD, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	sigfillset(&blocked);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	ba_inherited_settle();
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	sigaction(SIGINT, NULL, &kept);
	sigaction(SIGCHLD, NULL, &reset);
	if (!sigisemptyset(&blocked) || kept.sa_handler != SIG_IGN || reset.sa_handler != SIG_DFL)
		return __LINE__ & 127;
	if (read(0, &kept, 1) >= 0 || errno != EBADF || write(1, "x", 1) >= 0 || errno != EBADF)
		return __LINE__ & 127;
	if (write(2, "x", 1) != 1 || open("/dev/null", O_RDONLY) != 3 || umask(0) != 0077)
		return __LINE__ & 127;
	return 0;
}

TEST(what_is_inherited_is_set_right)
{
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		close(3);
		_exit(settled());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* where a library has it ignored, the kernel throws the status away */
TEST(a_status_that_is_lost_is_no_success)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	signal(SIGCHLD, SIG_IGN);
	run(&r, (ba_proc_spec){.argv = SH("exit 7")});
	signal(SIGCHLD, SIG_DFL);
	assert_false(ba_proc_result_ok(&r));
	ba_proc_result_text(&text, &r);
	assert_has(text.data, "its exit status is unknown");
}

TEST(a_tail_keeps_the_last_whole_lines)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	run(&r, (ba_proc_spec){.argv = ARGV("seq", "1", "100000"), .out = {BA_OUTPUT_TAIL, 1000}});
	assert_true(r.out.len <= 1000 && r.out.len > 980);
	assert_int_equal(r.out.len + r.out_dropped, 588895);
	assert_true(r.out.data[0] == '9' && strchr(r.out.data, '\n') - r.out.data == 5);
	assert_string_equal(r.out.data + r.out.len - 7, "100000\n");
}

TEST(a_head_keeps_the_first_bytes)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	run(&r, (ba_proc_spec){.argv = ARGV("seq", "1", "100000"), .out = {BA_OUTPUT_HEAD, 6}});
	assert_string_equal(r.out.data, "1\n2\n3\n");
	assert_int_equal(r.out_dropped, 588889);
}

TEST(a_full_log_counts_what_it_drops_and_shows_the_end)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	BA_AUTO(ba_buf) ba_buf log = BA_BUF_INIT;
	BA_AUTO_FREE char *dir = temp_dir();
	BA_AUTO_FREE char *path = ba_path_join(dir, "log");
	run(&r, (ba_proc_spec){.argv = ARGV("seq", "1", "100000"),
			.out = {BA_OUTPUT_TAIL, 100},
			.log_path = path,
			.log_ceiling = 4000});
	assert_true(ba_proc_result_ok(&r));
	assert_int_equal(r.log_dropped, 584895);
	assert_false(ba_fs_read(&log, path, 1 << 20, NULL));
	assert_has(log.data, "the log is full at 4000 bytes; 584895 more were not kept");
	assert_has(log.data, "\n99999\n100000\n");
	ba_fs_remove_tree(dir, NULL);
}

TEST(a_full_disk_is_reported_and_the_child_goes_on)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	run(&r, (ba_proc_spec){.argv = ARGV("echo", "hello"), .log_path = "/dev/full"});
	assert_true(ba_proc_result_ok(&r));
	assert_int_equal(r.log_errno, ENOSPC);
}

TEST(a_child_past_its_limit_is_stopped)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	run(&r, (ba_proc_spec){.argv = ARGV("sleep", "3600"), .limit_ns = 100 * BA_MS});
	assert_int_equal(r.end, BA_PROC_TIMEOUT);
	assert_int_equal(r.signal, SIGTERM);
	assert_how(&r, "ran past its limit of 100ms");
}

TEST(one_that_ignores_sigterm_is_killed_after_the_grace)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	run(&r, (ba_proc_spec){.argv = SH("trap '' TERM; while :; do sleep 0.05; done"),
			.limit_ns = 100 * BA_MS,
			.grace_ns = 100 * BA_MS});
	assert_int_equal(r.end, BA_PROC_TIMEOUT);
	assert_int_equal(r.signal, SIGKILL);
}

/* each script prints the pid of what it leaves */
TEST(what_a_child_leaves_running_is_killed_and_named)
{
	static const char *const scripts[] = {
		"sleep 61 >/dev/null 2>&1 & echo $!",			/* in the group */
		"setsid sleep 62 >/dev/null 2>&1 & sleep 0.1; echo $!", /* escaped */
		"sleep 63 & echo $!",					/* holds stdout */
		"setsid sh -c 'sleep 64 & wait' & sleep 0.1; echo $!",	/* and a child */
	};
	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
		BA_AUTO(ba_proc_result) ba_proc_result r = {0};
		run(&r, (ba_proc_spec){.argv = SH(scripts[i])});
		assert_true(ba_proc_result_ok(&r));
		assert_true(r.left_running >= 1);
		assert_true(*r.left_names);
		pid_t pid = (pid_t)atoi(r.out.data);
		assert_true(pid > 0);
		assert_false(is_alive(pid));
	}
}

/* No environment, no group, no session of ours: nothing says whose it is but that we
 * are its parent now. The shell waits until it has become that program. */
TEST(one_without_environment_in_its_own_session_is_ended_too)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	run(&r, (ba_proc_spec){.argv = SH("env -i setsid sleep 69 >/dev/null 2>&1 & "
					  "until grep -q sleep /proc/$!/cmdline; do :; done; "
					  "echo $!"),
			.limit_ns = 60 * BA_SECOND});
	assert_int_equal(r.left_running, 1);
	assert_string_equal(r.left_names, "sleep");
	pid_t pid = (pid_t)atoi(r.out.data);
	assert_true(pid > 0);
	assert_false(is_alive(pid));
}

/* Twenty of them cost no time (each was once waited for, 300 ms long), are not taken
 * for another child's, and go with the child that left them. */
TEST(those_of_a_child_that_lives_are_left_alone_until_it_ends)
{
	BA_AUTO_PTR(ba_proc) ba_proc *slow = NULL;
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	pid_t left[20];
	ba_error err;
	/* below a shell that ends, so that they become our children at once */
	ba_proc_spec spec = {.argv = SH("(for i in $(seq 20); do env -i setsid sleep 70 </dev/null "
					">/dev/null 2>&1 3<&- 4>&- & "
					"until grep -q sleep /proc/$!/cmdline; do :; done; "
					"echo $! >&4; done); read x <&3"),
		.request_fd = 3,
		.reply_fd = 4};
	assert_false(ba_proc_start(&slow, &spec, &err));
	for (size_t i = 0; i < 20; i++) {
		assert_false(ba_proc_read_line(slow, 60 * BA_SECOND, &line, &err));
		left[i] = (pid_t)atoi(line.data);
	}
	int64_t start = ba_now_ns();
	run(&r, (ba_proc_spec){.argv = ARGV("true")});
	assert_true(ba_now_ns() - start < 10 * BA_SECOND);
	assert_int_equal(r.left_running, 0);
	for (size_t i = 0; i < 20; i++)
		assert_true(is_alive(left[i]));
	ba_proc_close_request(slow);
	assert_false(ba_proc_wait(slow, 60 * BA_SECOND, &err));
	assert_int_equal(ba_proc_result_of(slow)->left_running, 20);
	for (size_t i = 0; i < 20; i++)
		assert_false(is_alive(left[i]));
}

/* Two could have left it: it goes when the last of them has ended. */
TEST(one_that_either_of_two_may_have_left_ends_with_the_last)
{
	BA_AUTO_PTR(ba_proc) ba_proc *slow = NULL;
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	ba_error err;
	ba_proc_spec spec = {.argv = SH("read x <&3"), .request_fd = 3};
	assert_false(ba_proc_start(&slow, &spec, &err));
	run(&r, (ba_proc_spec){.argv = SH("env -i setsid sleep 71 >/dev/null 2>&1 & "
					  "until grep -q sleep /proc/$!/cmdline; do :; done; "
					  "echo $!")});
	pid_t pid = (pid_t)atoi(r.out.data);
	assert_true(pid > 0);
	assert_true(is_alive(pid));
	ba_proc_close_request(slow);
	assert_false(ba_proc_wait(slow, 60 * BA_SECOND, &err));
	assert_false(is_alive(pid));
}

TEST(what_ends_by_itself_soon_after_is_not_mentioned)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	run(&r, (ba_proc_spec){.argv = SH("(sleep 0.05; echo late) & echo early")});
	assert_int_equal(r.left_running, 0);
	assert_string_equal(r.out.data, "early\nlate\n");
}

/* Stopped stands for any process that gets no processor. */
TEST(what_had_no_processor_to_end_by_itself_gets_more_time)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	run(&r, (ba_proc_spec){.argv = SH("sh -c 'kill -STOP $$; echo late' & pid=$!; "
					  "until grep -q 'T (stopped)' /proc/$pid/status; "
					  "do :; done; "
					  "(sleep 1; kill -CONT $pid) & echo early")});
	assert_string_equal(r.out.data, "early\nlate\n");
	assert_int_equal(r.left_running, 0);
}

/* It does not sleep, so that its processor time has to count. */
TEST(what_runs_on_is_ended)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	run(&r, (ba_proc_spec){.argv = SH("while :; do :; done & echo $!")});
	assert_int_equal(r.left_running, 1);
	assert_false(is_alive((pid_t)atoi(r.out.data)));
}

TEST(other_children_of_ours_are_left_alone)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	pid_t other = fork();
	if (!other) {
		pause();
		_exit(0);
	}
	run(&r, (ba_proc_spec){.argv = SH("sleep 65 & true")});
	assert_int_equal(r.left_running, 1);
	assert_int_equal(waitpid(other, NULL, WNOHANG), 0);
	kill(other, SIGKILL);
	assert_int_equal(waitpid(other, NULL, 0), other);
}

TEST(concurrent_children_keep_their_own_leftovers)
{
	BA_AUTO_PTR(ba_proc) ba_proc *slow = NULL;
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	ba_error err;
	char over[] = "/tmp/ba-proc-XXXXXX"; /* gone: the other child is over */
	int file = mkstemp(over);
	assert_true(file >= 0);
	close(file);
	setenv("BA_TEST_OVER", over, 1);
	/* its escapee must survive the end of the other child */
	ba_proc_spec spec = {.argv = SH("setsid sleep 66 & while [ -e $BA_TEST_OVER ]; do sleep "
					"0.05; done; kill -0 $! && echo lives"),
		.out = {BA_OUTPUT_TAIL, 0}};
	assert_false(ba_proc_start(&slow, &spec, &err));
	run(&r, (ba_proc_spec){.argv = SH("setsid sleep 67 & sleep 0.1")});
	assert_int_equal(r.left_running, 1);
	unlink(over);
	assert_false(ba_proc_wait(slow, -1, &err));
	assert_string_equal(ba_proc_result_of(slow)->out.data, "lives\n");
	assert_int_equal(ba_proc_result_of(slow)->left_running, 1);
}

TEST(several_children_end_in_the_order_they_end)
{
	static const size_t order[] = {1, 2, 0};
	ba_proc *procs[3] = {0};
	ba_error err;
	for (size_t i = 0; i < 3; i++) {
		ba_proc_spec spec = {.argv = ARGV("sleep", "3600")};
		assert_false(ba_proc_start(&procs[i], &spec, &err));
	}
	size_t ended = 99;
	assert_int_equal(ba_proc_poll(&ended, procs, 3, 0, &err), BA_ETIMEOUT);
	assert_int_equal(ended, 99);
	for (size_t i = 0; i < 3; i++) {
		kill(ba_proc_pid(procs[order[i]]), SIGKILL);
		assert_false(ba_proc_poll(&ended, procs, 3, -1, &err));
		assert_int_equal(ended, order[i]);
	}
	for (size_t i = 0; i < 3; i++)
		ba_proc_free(procs[i]);
}

TEST(a_freed_handle_leaves_no_process)
{
	ba_proc *p = NULL;
	ba_error err;
	ba_proc_spec spec = {.argv = ARGV("sleep", "68")};
	assert_false(ba_proc_start(&p, &spec, &err));
	pid_t pid = ba_proc_pid(p);
	assert_true(is_alive(pid));
	ba_proc_free(p);
	assert_false(is_alive(pid));
}

TEST(a_kill_does_not_hide_an_earlier_crash)
{
	BA_AUTO_PTR(ba_proc) ba_proc *p = NULL;
	ba_error err;
	ba_proc_spec spec = {.argv = SH("kill -ABRT $$")};
	assert_false(ba_proc_start(&p, &spec, &err));
	/* until it is a zombie, without reaping it */
	siginfo_t info;
	assert_false(waitid(P_PID, (id_t)ba_proc_pid(p), &info, WEXITED | WNOWAIT));
	ba_proc_kill(p, BA_SECOND);
	assert_false(ba_proc_wait(p, BA_SECOND, &err));
	assert_how(ba_proc_result_of(p), "killed by signal 6 (SIGABRT)");
}

static volatile sig_atomic_t stop;

static void on_alarm(int number)
{
	(void)number;
	stop = 1;
}

TEST(a_stop_request_interrupts_and_kills)
{
	BA_AUTO(ba_proc_result) ba_proc_result r = {0};
	ba_error err;
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	sigaction(SIGALRM, &action, NULL);
	ualarm(100000, 0);
	ba_proc_spec spec = {.argv = ARGV("sleep", "3600"), .stop = &stop};
	assert_int_equal(ba_proc_run(&r, &spec, &err), BA_EINTERRUPTED);
	stop = 0;
}

/* That system call fails from here on; where its second argument counts, only with that
 * one. */
static void forbid(uint32_t call, int64_t second, uint32_t code)
{
	uint32_t value = (uint32_t)second, skip = second < 0 ? 0 : 1;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, (unsigned char)skip),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | code),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(77);
}

/* a kernel or sandbox without pidfd_open */
static void forbid_pidfd(void)
{
	forbid(SYS_pidfd_open, -1, ENOSYS);
}

/* What this machine cannot give is an error of this machine, at once. */
TEST(resources_that_run_out_are_no_fault_of_the_program)
{
	static const struct {
		uint32_t calls[3];
		int64_t second;
		uint32_t code;
		const char *words;
	} rows[] = {
		{{SYS_pipe2}, -1, EMFILE, "cannot open a pipe for a child process"},
		{{SYS_fcntl}, F_SETFL, EPERM, "cannot set up a pipe for a child"},
		{{SYS_fcntl}, F_DUPFD_CLOEXEC, EMFILE, "cannot open a descriptor"},
		{{SYS_openat}, -1, ENFILE, "cannot open a descriptor"},
		{{SYS_clone, SYS_clone3, SYS_vfork}, -1, EAGAIN, "cannot start '"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		pid_t pid = fork();
		assert_true(pid >= 0);
		if (!pid) {
			ba_proc_result r = {0};
			ba_error err = {0};
			ba_proc_spec spec = {.argv = ARGV("/bin/true"),
				.out = {BA_OUTPUT_TAIL, 0},
				.limit_ns = 20 * BA_SECOND};
			for (size_t k = 0; k < 3 && rows[i].calls[k]; k++)
				forbid(rows[i].calls[k], rows[i].second, rows[i].code);
			int rc = ba_proc_run(&r, &spec, &err);
			fprintf(stderr, "           %s\n", err.text);
			_exit(rc == BA_EIO && strstr(err.text, rows[i].words) ? 0 : 1);
		}
		int status;
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
			skip();
		assert_int_equal(status, 0);
	}
}

/* a kernel before 5.9: descriptors, also hundreds, are closed one by one */
TEST(descriptors_are_closed_without_close_range_too)
{
	pid_t pid = fork();
	if (!pid) {
		ba_proc_result r = {0};
		ba_error err;
		ba_proc_spec spec = {
			.argv = SH("ls /proc/self/fd"), .dir = "/", .out = {BA_OUTPUT_TAIL, 0}};
		forbid(SYS_close_range, -1, ENOSYS);
		for (int i = 0; i < 300; i++)
			if (open("/dev/null", O_RDONLY) < 0)
				_exit(78);
		bool good = !ba_proc_run(&r, &spec, &err) && ba_proc_result_ok(&r);
		/* 3 is ls's own */
		_exit(good && !strcmp(r.out.data, "0\n1\n2\n3\n") ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
}

TEST(signals_have_the_names_of_this_system)
{
	static const struct {
		int number;
		const char *name;
	} rows[] = {{SIGHUP, "HUP"}, {SIGABRT, "ABRT"}, {SIGBUS, "BUS"}, {SIGKILL, "KILL"},
		{SIGSEGV, "SEGV"}, {SIGTERM, "TERM"}, {SIGCHLD, "CHLD"}, {SIGXFSZ, "XFSZ"},
		{SIGPROF, "PROF"}, {SIGSYS, "SYS"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(ba_signal_name(rows[i].number), rows[i].name);
	assert_null(ba_signal_name(32));
	assert_null(ba_signal_name(-1));
}

TEST(children_end_without_a_pidfd_too)
{
	pid_t pid = fork();
	if (!pid) {
		ba_proc_result r = {0};
		ba_error err;
		ba_proc_spec spec = {.argv = SH("sleep 0.1; exit 5")};
		forbid_pidfd();
		if (syscall(SYS_pidfd_open, getpid(), 0) != -1 || errno != ENOSYS)
			_exit(78);
		bool good = !ba_proc_run(&r, &spec, &err) && r.status == 5;
		spec = (ba_proc_spec){.argv = ARGV("sleep", "9"), .limit_ns = 50 * BA_MS};
		good = good && !ba_proc_run(&r, &spec, &err) && r.end == BA_PROC_TIMEOUT;
		_exit(good ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
}
