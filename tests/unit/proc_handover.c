/* Descriptors that pass to another process. */
#include "test.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "proc/handover.h"

TEST(another_process_reads_what_was_handed_over)
{
	int ends[2], pipes[2], fd = -1;
	char text[8] = "";
	ba_error err;
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

TEST(nothing_and_something_else_are_told_apart)
{
	int ends[2], fd = -1;
	ba_error err;
	assert_int_equal(ba_handover_pair(ends, &err), 0);
	assert_int_equal(ba_handover_receive(&fd, ends[1], BA_MS, &err), BA_ETIMEOUT);
	assert_int_equal(write(ends[0], "x", 1), 1);
	assert_int_equal(ba_handover_receive(&fd, ends[1], 60 * BA_SECOND, &err), BA_EWORKER);
	close(ends[0]);
	assert_int_equal(ba_handover_receive(&fd, ends[1], 60 * BA_SECOND, &err), BA_EWORKER);
	assert_int_equal(ba_handover_send(ends[1], 0, &err), BA_EWORKER);
	assert_int_equal(fd, -1);
	close(ends[1]);
}

/* Two, where one was agreed on: none of them may stay open. */
TEST(too_many_are_closed)
{
	int ends[2], pipes[2], fd = -1;
	char byte = 0;
	ba_error err;
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} c = {.bytes = {0}};
	struct iovec data = {&byte, 1};
	struct msghdr m = {.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = c.bytes,
		.msg_controllen = sizeof(c.bytes)};
	assert_int_equal(ba_handover_pair(ends, &err), 0);
	assert_int_equal(pipe(pipes), 0);
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);
	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(2 * sizeof(int));
	memcpy(CMSG_DATA(h), (int[]){pipes[1], pipes[1]}, 2 * sizeof(int));
	assert_int_equal(sendmsg(ends[0], &m, 0), 1);
	close(pipes[1]);
	assert_int_equal(ba_handover_receive(&fd, ends[1], 60 * BA_SECOND, &err), BA_EWORKER);
	assert_int_equal(fd, -1);
	/* the end of the pipe: nobody can write */
	assert_int_equal(read(pipes[0], &byte, 1), 0);
	close(pipes[0]);
	close(ends[0]);
	close(ends[1]);
}
