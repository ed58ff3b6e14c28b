/* libgit2 1.5 crashes where it does not get memory: it always does, or nothing goes on.
 */
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

#include <git2.h>

#include "git/internal.h"

enum { SAID = 8192 }; /* a sanitizer has its say, too */

/* malloc of too much is NULL here, as it is without sanitizers */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}
/* called before ThreadSanitizer is ready for its own calls */
__attribute__((visibility("default"), no_sanitize("thread"))) const char *__tsan_default_options(
	void);
const char *__tsan_default_options(void)
{
	return "allocator_may_return_null=1";
}

/* before leaks are looked for, which a tool that ends in the middle has */
static void leave(int status, void *data)
{
	(void)data;
	_exit(status);
}

/* In a child: libgit2 is asked to hold more than there is. Its exit status; what it
 * said is in `said`. */
static int out_of_memory(char said[SAID])
{
	int out[2], status;
	assert_int_equal(pipe(out), 0);
	pid_t pid = fork();
	if (pid == 0) {
		git_buf buf = {0};
		dup2(out[1], STDERR_FILENO);
		on_exit(leave, NULL);
		ba_git_start();
		git_buf_grow(&buf, SIZE_MAX / 4);
		_exit(0);
	}
	close(out[1]);
	size_t size = 0;
	ssize_t n;
	while ((n = read(out[0], said + size, SAID - 1 - size)) > 0)
		size += (size_t)n;
	said[size] = '\0';
	close(out[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(what_libgit2_cannot_get_ends_the_tool_with_a_sentence)
{
	char said[SAID];
	assert_int_equal(out_of_memory(said), 125);
	assert_has(said, "bench-against: out of memory: cannot allocate ");
}
