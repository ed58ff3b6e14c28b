#include "test.h"

#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "proc/proc.h"

#define SH(script) ((const char *const[]){"sh", "-c", script, NULL})

static ba_proc *start(const char *script, size_t line_ceiling)
{
	ba_proc *p = NULL;
	ba_error err = {0};
	ba_proc_spec spec = {.name = "the worker",
		.argv = SH(script),
		.request_fd = 3,
		.reply_fd = 4,
		.out = {BA_OUTPUT_TAIL, 0},
		.err = {BA_OUTPUT_JOIN},
		.line_ceiling = line_ceiling};
	if (ba_proc_start(&p, &spec, &err))
		fail_msg("%s", err.text);
	return p;
}

TEST(requests_and_lines_pass_beside_the_output)
{
	BA_AUTO_PTR(ba_proc)
	ba_proc *p = start("while read x <&3; do echo noise; echo \"got $x\" >&4; done", 0);
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_error err = {0};
	for (int i = 0; i < 3; i++) {
		assert_false(ba_proc_write(p, "ping\n", 5, BA_SECOND, &err));
		assert_false(ba_proc_read_line(p, 5 * BA_SECOND, &line, &err));
		assert_string_equal(line.data, "got ping");
	}
	ba_proc_close_request(p);
	assert_false(ba_proc_wait(p, 5 * BA_SECOND, &err));
	/* the loop's end is a failed read */
	assert_true(ba_proc_result_ok(ba_proc_result_of(p)));
	assert_string_equal(ba_proc_result_of(p)->out.data, "noise\nnoise\nnoise\n");
}

TEST(lines_written_at_once_are_returned_one_by_one)
{
	BA_AUTO_PTR(ba_proc) ba_proc *p = start("printf 'a\\n\\nbc\\n' >&4", 0);
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_error err;
	static const char *const expected[] = {"a", "", "bc"};
	for (size_t i = 0; i < 3; i++) {
		assert_false(ba_proc_read_line(p, 5 * BA_SECOND, &line, &err));
		assert_string_equal(line.data, expected[i]);
	}
	assert_int_equal(ba_proc_read_line(p, BA_SECOND, &line, &err), BA_EWORKER);
	assert_string_equal(err.text, "the worker exited with status 0");
	assert_string_equal(line.data, "bc"); /* untouched on failure */
}

TEST(silence_is_a_timeout_and_the_child_lives)
{
	BA_AUTO_PTR(ba_proc) ba_proc *p = start("read x <&3; echo done >&4", 0);
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_error err;
	assert_int_equal(ba_proc_read_line(p, 50 * BA_MS, &line, &err), BA_ETIMEOUT);
	assert_string_equal(err.text, "the worker did not answer in time");
	assert_false(ba_proc_ended(p));
	assert_false(ba_proc_write(p, "go\n", 3, BA_SECOND, &err));
	assert_false(ba_proc_read_line(p, 5 * BA_SECOND, &line, &err));
	assert_string_equal(line.data, "done");
}

TEST(a_crash_is_told_with_its_signal_and_last_output)
{
	BA_AUTO_PTR(ba_proc)
	ba_proc *p = start("echo about to crash; printf half >&4; kill -SEGV $$", 0);
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_error err;
	assert_int_equal(ba_proc_read_line(p, 5 * BA_SECOND, &line, &err), BA_EWORKER);
	assert_string_equal(err.text, "the worker killed by signal 11 (SIGSEGV)");
	assert_string_equal(ba_proc_result_of(p)->out.data, "about to crash\n");
}

TEST(a_last_line_without_its_end_is_refused)
{
	BA_AUTO_PTR(ba_proc) ba_proc *p = start("printf half >&4", 0);
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_error err;
	assert_false(ba_proc_wait(p, 5 * BA_SECOND, &err));
	assert_int_equal(ba_proc_read_line(p, BA_SECOND, &line, &err), BA_EPROTOCOL);
	assert_string_equal(err.text, "the worker ended in the middle of a line");
}

TEST(a_line_beyond_the_ceiling_is_refused)
{
	BA_AUTO_PTR(ba_proc) ba_proc *p = start("yes | tr -d '\\n' >&4", 100000);
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_error err;
	assert_int_equal(ba_proc_read_line(p, 5 * BA_SECOND, &line, &err), BA_EPROTOCOL);
	assert_string_equal(err.text, "the worker wrote a line of more than 100000 bytes");
}

TEST(lines_written_before_a_crash_are_not_lost)
{
	BA_AUTO_PTR(ba_proc)
	ba_proc *p = start("seq 1 5000 >&4; kill -KILL $$", 0);
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_error err;
	assert_false(ba_proc_wait(p, 5 * BA_SECOND, &err));
	for (int i = 1; i <= 5000; i++) {
		assert_false(ba_proc_read_line(p, BA_SECOND, &line, &err));
		assert_int_equal(atoi(line.data), i);
	}
	assert_int_equal(ba_proc_read_line(p, BA_SECOND, &line, &err), BA_EWORKER);
}

TEST(a_write_to_a_dead_child_is_an_error_without_sigpipe)
{
	BA_AUTO_PTR(ba_proc) ba_proc *p = start("exec 3<&-; exit 4", 0);
	ba_error err;
	int rc;
	size_t size = 1 << 20;
	BA_AUTO_FREE char *data = ba_xcalloc(1, size);
	signal(SIGPIPE, SIG_DFL);
	rc = ba_proc_write(p, data, size, 5 * BA_SECOND, &err);
	assert_int_equal(rc, BA_EWORKER);
	assert_string_equal(err.text, "the worker exited with status 4");
}

TEST(a_request_nobody_reads_times_out)
{
	BA_AUTO_PTR(ba_proc) ba_proc *p = start("exec sleep 60", 0);
	ba_error err;
	size_t size = 1 << 20;
	BA_AUTO_FREE char *data = ba_xcalloc(1, size);
	assert_int_equal(ba_proc_write(p, data, size, 100 * BA_MS, &err), BA_ETIMEOUT);
	assert_string_equal(err.text, "the worker does not read its requests");
}

TEST(a_flood_of_output_does_not_block_the_answer)
{
	BA_AUTO_PTR(ba_proc)
	ba_proc *p = start("head -c 3000000 /dev/zero; echo ready >&4", 0);
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_error err;
	assert_false(ba_proc_read_line(p, 10 * BA_SECOND, &line, &err));
	assert_string_equal(line.data, "ready");
	assert_false(ba_proc_wait(p, 5 * BA_SECOND, &err));
	const ba_proc_result *r = ba_proc_result_of(p);
	assert_int_equal(r->out.len + r->out_dropped, 3000000);
	assert_true(r->out.len <= 65536);
}
