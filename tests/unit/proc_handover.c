/* Descriptors that pass to another process. */
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "proc/handover.h"

static void another_process_reads_what_was_handed_over(void **state)
{
	int ends[2], pipes[2], fd = -1;
	char text[8] = "";
	ba_error err;
	(void)state;
	assert_int_equal(ba_handover_pair(ends, &err), 0);
	assert_int_equal(pipe(pipes), 0);
	pid_t child = fork();
	if (child == 0) {
		close(pipes[0]);
		close(pipes[1]);
		if (ba_handover_receive(&fd, ends[1], 60 * BA_SECOND, &err) ||
			write(fd, "hello", 5) != 5)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(ba_handover_send(ends[0], pipes[1], &err), 0);
	assert_int_equal(read(pipes[0], text, 5), 5);
	assert_string_equal(text, "hello");
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	for (int i = 0; i < 2; i++) {
		close(ends[i]);
		close(pipes[i]);
	}
}

static void nothing_and_something_else_are_told_apart(void **state)
{
	int ends[2], fd = -1;
	ba_error err;
	(void)state;
	assert_int_equal(ba_handover_pair(ends, &err), 0);
	assert_int_equal(ba_handover_receive(&fd, ends[1], BA_MS, &err), BA_ETIMEOUT);
	assert_int_equal(write(ends[0], "x", 1), 1);
	assert_int_equal(
		ba_handover_receive(&fd, ends[1], 60 * BA_SECOND, &err), BA_EWORKER);
	close(ends[0]);
	assert_int_equal(
		ba_handover_receive(&fd, ends[1], 60 * BA_SECOND, &err), BA_EWORKER);
	assert_int_equal(ba_handover_send(ends[1], 0, &err), BA_EWORKER);
	assert_int_equal(fd, -1);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_process_reads_what_was_handed_over),
		cmocka_unit_test(nothing_and_something_else_are_told_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
