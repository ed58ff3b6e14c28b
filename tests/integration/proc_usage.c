/* What a program in a sandbox uses with all that it started. The first process of the
 * sandbox is one of this test's, to which orphans go. */
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "proc/usage.h"

static int orders[2], news[2];

static char wait_for(int fd)
{
	char c = 0;
	while (read(fd, &c, 1) < 0 && errno == EINTR)
		;
	return c;
}

static void say(int fd, char c)
{
	if (write(fd, &c, 1) != 1)
		_exit(1);
}

static void spin(void)
{
	for (;;)
		;
}

/* The program: with an order it leaves a process that is nobody's child, or waits for one
 * that uses a tenth of a second. */
static void program(void)
{
	say(news[1], 'a');
	char order = wait_for(orders[0]);
	if (order == 'w') {
		pid_t child = fork();
		while (child == 0)
			if (clock() > CLOCKS_PER_SEC / 10)
				_exit(0);
		waitpid(child, NULL, 0);
		say(news[1], 'b');
	}
	if (order == 'o') {
		pid_t child = fork();
		if (child == 0) {
			if (fork() == 0)
				spin();
			_exit(0);
		}
		waitpid(child, NULL, 0);
		say(news[1], 'b');
	}
	pause();
}

typedef struct box {
	pid_t first, program;
} box;

static box begin(void)
{
	box b = {0};
	int pids[2];
	assert_int_equal(pipe(orders) | pipe(news) | pipe(pids), 0);
	b.first = fork();
	if (b.first == 0) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_CHILD_SUBREAPER, 1);
		pid_t p = fork();
		if (p == 0)
			program();
		if (write(pids[1], &p, sizeof(p)) != sizeof(p))
			_exit(1);
		for (;;)
			pause();
	}
	assert_int_equal(read(pids[0], &b.program, sizeof(b.program)), sizeof(b.program));
	assert_int_equal(wait_for(news[0]), 'a');
	return b;
}

static void end(const box *b)
{
	kill(-b->first, SIGKILL);
	waitpid(b->first, NULL, 0);
}

TEST(a_program_alone_has_no_company)
{
	box b = begin();
	assert_false(ba_usage_has_company(b.program));
	assert_true(ba_usage_box_cpu_ns(b.program) >= 0);
	end(&b);
}

TEST(what_has_lost_its_parent_is_company_and_its_time_counts)
{
	box b = begin();
	say(orders[1], 'o');
	assert_int_equal(wait_for(news[0]), 'b');
	assert_true(ba_usage_has_company(b.program));
	/* however busy the machine is: it gets a tenth of a second, or 100 pass */
	for (int i = 0; i < 10000; i++) {
		if (ba_usage_box_cpu_ns(b.program) > BA_SECOND / 10)
			break;
		usleep(10000);
	}
	assert_true(ba_usage_box_cpu_ns(b.program) > BA_SECOND / 10);
	end(&b);
}

TEST(the_time_of_a_child_that_was_waited_for_counts)
{
	box b = begin();
	say(orders[1], 'w');
	assert_int_equal(wait_for(news[0]), 'b');
	assert_true(ba_usage_has_company(b.program));
	assert_true(ba_usage_box_cpu_ns(b.program) > BA_SECOND / 20);
	end(&b);
}

TEST(of_a_process_that_is_gone_nothing_is_known)
{
	box b = begin();
	end(&b);
	assert_int_equal(ba_usage_box_cpu_ns(b.first), -1);
}
