/* Programs that speak the protocol of docs/workers.md, and some that do not. */
#include "test.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "engine/link.h"

#define SH(script) ((const char *const[]){"sh", "-c", script, NULL})
/* a shell's end of the protocol */
#define HELLO                                                                      \
	"read line <&$BENCH_AGAINST_REQUESTS\n"                                    \
	"say() { echo \"$1\" >&$BENCH_AGAINST_REPLIES; }\n"                        \
	"say '{\"t\":\"hello\",\"protocol\":\"bench-against.worker\",\"version\":" \
	"1}'\n"

#define ASKED HELLO "read line <&$BENCH_AGAINST_REQUESTS\n"

static ba_link *start_patient(const char *script, int64_t idle_limit_ns)
{
	ba_link *l = NULL;
	ba_error err = {0};
	const ba_link_spec spec = {
		.name = "v2", .argv = SH(script), .dir = "/", .idle_limit_ns = idle_limit_ns};
	if (ba_link_start_program(&l, &spec, &err))
		fail_msg("%s", err.text);
	return l;
}

static ba_link *start(const char *script)
{
	return start_patient(script, 60 * BA_SECOND);
}

static int ask(ba_message *reply, ba_link *l, const char *request, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	ba_message_begin(&m, request);
	int rc = ba_link_send(l, &m, err);
	return rc ? rc : ba_link_receive(reply, l, err);
}

TEST(requests_are_answered_beside_the_output)
{
	BA_AUTO_PTR(ba_link)
	ba_link *l = start(HELLO "while read line <&$BENCH_AGAINST_REQUESTS\n"
				 "do echo noise; say '{\"t\":\"told\",\"cwd\":\"'$PWD'\"}'; done");
	ba_error err = {0};
	assert_int_equal(ba_link_hail_program(l, &err), 0);
	assert_int_equal(ba_link_hear_hello(l, &err), 0);
	for (int i = 0; i < 3; i++) {
		BA_AUTO(ba_message) ba_message m = {0};
		assert_int_equal(ask(&m, l, "tell", &err), 0);
		assert_string_equal(m.type, "told");
		assert_string_equal(ba_message_text(&m, "cwd"), "/");
	}
	ba_link_close(l);
	BA_AUTO_FREE char *output = ba_link_output(l);
	assert_has(output, "noise");
}

/* What it does when it is asked takes longer than the limit, of its own time little. */
static bool answers(const char *script, int64_t idle_limit_ns)
{
	BA_AUTO_PTR(ba_link) ba_link *l = start_patient(script, idle_limit_ns);
	BA_AUTO(ba_message) ba_message m = {0};
	ba_error err = {0};
	bool good = ba_link_hail_program(l, &err) == 0 && ba_link_hear_hello(l, &err) == 0 &&
		    ask(&m, l, "tell", &err) == 0 && strcmp(m.type, "told") == 0;
	if (!good)
		print_message("%s\n", err.text);
	return good;
}

TEST(one_that_is_stopped_does_not_hang)
{
	assert_true(answers(ASKED "(sleep 1.5; kill -CONT $$) & kill -STOP $$\n"
				  "say '{\"t\":\"told\"}'",
		BA_SECOND / 2));
}

/* in a child of ours, so that no shell takes us for a job that was suspended */
TEST(nobody_hangs_while_we_are_stopped)
{
	int status;
	pid_t host = fork();
	if (host == 0)
		_exit(!answers(ASKED "kill -STOP $PPID; sleep 3; kill -CONT $PPID\n"
				     "sleep 1; say '{\"t\":\"told\"}'",
			2 * BA_SECOND));
	assert_int_equal(waitpid(host, &status, 0), host);
	assert_int_equal(status, 0);
}

TEST(one_that_is_stopped_for_ever_is_found)
{
	BA_AUTO_PTR(ba_link)
	ba_link *l = start_patient(ASKED "kill -STOP $$", BA_SECOND / 10);
	BA_AUTO(ba_message) ba_message m = {0};
	ba_error err = {0};
	assert_int_equal(ba_link_hail_program(l, &err), 0);
	assert_int_equal(ba_link_hear_hello(l, &err), 0);
	assert_int_equal(ask(&m, l, "tell", &err), BA_EWORKER);
	assert_true(ba_link_end_of(l).hung);
}

/* The tool's own worker, in which code that is not trusted says that it gets on. */
TEST(progress_without_end_is_overdue)
{
	static const char script[] =
		"#!/bin/sh\nread a <&3\necho '{\"t\":\"hello\",\"version\":1}' >&4\n"
		"while echo '{\"t\":\"note\",\"text\":\"\"}' >&4; do sleep 0.1; done\n";
	char path[] = "/tmp/worker-XXXXXX";
	int fd = mkstemp(path), rc = 0;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, script, sizeof(script) - 1), sizeof(script) - 1);
	assert_int_equal(fchmod(fd, 0700), 0);
	close(fd);
	BA_AUTO_PTR(ba_link) ba_link *l = NULL;
	BA_AUTO(ba_buf) ba_buf request = BA_BUF_INIT;
	ba_error err = {0};
	const ba_link_spec spec = {
		.name = "v2", .worker = path, .idle_limit_ns = BA_SECOND / 2, .doubted = true};
	assert_int_equal(ba_link_start(&l, &spec, &err), 0);
	unlink(path);
	ba_message_begin(&request, "fresh_run");
	assert_int_equal(ba_link_send(l, &request, &err), 0);
	while (rc == 0) {
		BA_AUTO(ba_message) ba_message m = {0};
		rc = ba_link_receive(&m, l, &err);
	}
	assert_int_equal(rc, BA_EWORKER);
	assert_true(ba_link_end_of(l).hung);
}

typedef struct stranger {
	const char *script;
	const char *said;
} stranger;

static void check(const stranger *s, bool greeted)
{
	/* patience is short where it is to be lost: the others may be slow */
	bool hangs = strstr(s->said, "no progress") != NULL;
	BA_AUTO_PTR(ba_link)
	ba_link *l = start_patient(s->script, (hangs ? 2 : 60) * BA_SECOND);
	BA_AUTO(ba_message) ba_message m = {0};
	ba_error err = {0};
	int rc = ba_link_hail_program(l, &err);
	rc = rc ? rc : ba_link_hear_hello(l, &err);
	if (greeted) {
		assert_int_equal(rc, 0);
		rc = ask(&m, l, "measure", &err);
	}
	assert_int_equal(rc, BA_EWORKER);
	assert_int_equal(ba_link_end_of(l).variant, 0);
	BA_AUTO_FREE char *text = ba_link_end_text(l);
	assert_has(text, s->said);
	assert_null(strchr(text, '\033'));
}

TEST(who_does_not_agree_is_told)
{
	static const stranger table[] = {
		{"exit 0", "exited with status 0 before it answered 'hello'"},
		{"exec 4>&-; sleep 600", "before it answered 'hello'"},
		{"sleep 600", "made no progress for 2 s before it answered 'hello'"},
		{"echo '{\"t\":\"hello\",\"version\":1}' >&4; sleep 600",
			"answered 'hello' to hello and speaks '' 1; this tool speaks "
			"bench-against.worker 1"},
		{"echo '{\"t\":\"hello\",\"protocol\":\"bench-against.worker\","
		 "\"version\":2}' >&4; sleep 600",
			"speaks 'bench-against.worker' 2; this tool"},
		{"echo '{\"t\":\"failed\",\"text\":\"the host speaks "
		 "\\u001b[31mklingon\"}' >&4; sleep 600",
			"the host speaks "},
		{"kill -SEGV $$", "killed by signal 11 (SIGSEGV) before it answered"},
	};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		check(&table[i], false);
}

TEST(what_is_no_message_ends_it)
{
	static const stranger table[] = {
		{ASKED "say garbage; sleep 600", "it wrote a message that cannot be read"},
		{ASKED "say '\033[2J'; sleep 600", "cannot be read"},
		{ASKED "say '[1]'; sleep 600", "cannot be read"},
		{ASKED "printf '{\"t\":\"meas' >&4; exit 0", "in the middle of a line"},
		{ASKED "printf '{\"t\":\"meas' >&4; sleep 600",
			"made no progress for 2 s before it answered 'measure'"},
		{ASKED "exit 3", "exited with status 3 before it answered 'measure'"},
		{HELLO "while say '{\"t\":\"note\",\"text\":\"\"}'; do :; done", "sent more than"},
	};
	for (size_t i = 0; i + 1 < sizeof(table) / sizeof(table[0]); i++)
		check(&table[i], true);
	/* news without end is no progress either */
	const stranger *endless = &table[sizeof(table) / sizeof(table[0]) - 1];
	BA_AUTO_PTR(ba_link) ba_link *l = start(endless->script);
	ba_error err = {0};
	assert_int_equal(ba_link_hail_program(l, &err), 0);
	assert_int_equal(ba_link_hear_hello(l, &err), 0);
	BA_AUTO(ba_buf) ba_buf request = BA_BUF_INIT;
	ba_message_begin(&request, "measure");
	assert_int_equal(ba_link_send(l, &request, &err), 0);
	int rc = 0;
	while (rc == 0) {
		BA_AUTO(ba_message) ba_message m = {0};
		rc = ba_link_receive(&m, l, &err);
	}
	assert_int_equal(rc, BA_EWORKER);
	assert_has(err.text, endless->said);
}

TEST(a_line_without_end_costs_no_memory)
{
	struct rusage use;
	check(&(stranger){HELLO "head -c 1000000000 /dev/zero | tr '\\0' x >&4; sleep 600",
		      "wrote a line of more than 4194304 bytes"},
		true);
	assert_int_equal(getrusage(RUSAGE_SELF, &use), 0);
	assert_true(use.ru_maxrss < 500000); /* KiB: half of that line */
}

/* Fewer lines than the number allowed, none of them too long. */
TEST(what_it_tells_without_an_answer_is_bounded)
{
	BA_AUTO_PTR(ba_link)
	ba_link *l = start(ASKED "long=$(head -c 3000000 /dev/zero | tr '\\0' x)\n"
				 "for i in 1 2 3 4 5 6 7 8 9; do printf "
				 "'{\"t\":\"benchmark\",\"name\":\"%s\"}\\n' $long >&4; done\n"
				 "sleep 600");
	ba_error err = {0};
	assert_int_equal(ba_link_hail_program(l, &err), 0);
	assert_int_equal(ba_link_hear_hello(l, &err), 0);
	BA_AUTO(ba_buf) ba_buf request = BA_BUF_INIT;
	ba_message_begin(&request, "list");
	assert_int_equal(ba_link_send(l, &request, &err), 0);
	int rc = 0, count = 0;
	for (; rc == 0; count++) {
		BA_AUTO(ba_message) ba_message m = {0};
		rc = ba_link_receive(&m, l, &err);
	}
	assert_int_equal(rc, BA_EWORKER);
	assert_has(err.text, "wrote more than 16 MiB before it answered 'list'");
	assert_int_equal(count, 6);
}

TEST(a_program_that_is_not_there_is_an_error)
{
	ba_link *l = NULL;
	ba_error err = {0};
	const ba_link_spec spec = {
		.name = "v2", .argv = (const char *const[]){"./no/such/program", NULL}, .dir = "/"};
	assert_int_equal(ba_link_start_program(&l, &spec, &err), BA_ENOTFOUND);
	assert_null(l);
}
