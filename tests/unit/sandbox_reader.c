/* Work in a child process that only reads: what it answers, how it may end, what it may do. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "proc/aside.h"
#include "sandbox/sandbox.h"

static void answer(ba_buf *out, void *data)
{
	ba_buf_puts(out, data);
}

static void crash(ba_buf *out, void *data)
{
	ba_buf_puts(out, data);
	raise(SIGABRT);
}

static void leave(ba_buf *out, void *data)
{
	ba_buf_puts(out, data);
	_exit(1);
}

static void hang(ba_buf *out, void *data)
{
	(void)out, (void)data;
	for (;;)
		pause();
}

static void flood(ba_buf *out, void *data)
{
	for (int i = 0; i < 1000; i++)
		ba_buf_puts(out, data);
}

/* none beyond the limit */
static void take_memory(ba_buf *out, void *data)
{
	(void)data;
	void *p = mmap(NULL, (size_t)4 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ba_buf_puts(out, p == MAP_FAILED ? "has none" : "has it");
}

TEST(each_end_has_its_sentence)
{
	static const struct {
		void (*work)(ba_buf *, void *);
		int rc;
		const char *text; /* of the answer or the error */
	} rows[] = {
		{answer, 0, "an answer"},
		{crash, BA_EWORKER, "its process was killed by signal 6 (SIGABRT)"},
		{leave, BA_EWORKER, "its process exited with status 1"},
		{hang, BA_ETIMEOUT, "it took longer than 1 s"},
		{flood, BA_EWORKER, "its answer is too long"},
		{take_memory, 0, "has none"},
	};
	static char text[] = "an answer";
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ba_error err = {0};
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		const ba_aside a = {.work = rows[i].work,
			.data = text,
			.limit_ns = BA_SECOND,
			.more_memory = (uint64_t)1 << 30,
			.ceiling = 1000};
		ba_buf_puts(&out, "before ");
		assert_int_equal(ba_aside_run(&out, &a, &err), rows[i].rc);
		assert_string_equal(rows[i].rc ? err.text : out.data + 7, rows[i].text);
		assert_true(rows[i].rc == 0 || out.len == 7);
	}
}

TEST(a_stop_ends_it)
{
	static const volatile sig_atomic_t stop = 1;
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	const ba_aside a = {
		.work = hang, .limit_ns = 60 * BA_SECOND, .ceiling = 1000, .stop = &stop};
	assert_int_equal(ba_aside_run(&out, &a, NULL), BA_EINTERRUPTED);
}

/* a letter for each deed that worked */
static void try_all(ba_buf *out, void *data)
{
	char path[200];
	int fd = open("/proc/self/exe", O_RDONLY);
	if (fd >= 0 && read(fd, path, 4) == 4)
		ba_buf_puts(out, "r");
	snprintf(path, sizeof(path), "%s/made", (const char *)data);
	if (open(path, O_WRONLY | O_CREAT, 0600) >= 0)
		ba_buf_puts(out, "w");
	if (open(data, O_TMPFILE | O_RDWR, 0600) >= 0)
		ba_buf_puts(out, "t");
	if (unlink(path) == 0 || mkdir(path, 0700) == 0)
		ba_buf_puts(out, "u");
	if (socket(AF_INET, SOCK_STREAM, 0) >= 0)
		ba_buf_puts(out, "s");
	if (kill(getppid(), 0) == 0)
		ba_buf_puts(out, "k");
	for (fd = 4; fd < 100; fd++)
		if (write(fd, "x", 1) == 1)
			ba_buf_puts(out, "d");
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	if (pid > 0)
		ba_buf_puts(out, "f");
}

TEST(a_reader_only_reads)
{
	ba_error err = {0};
	char dir[] = "/tmp/ba-reader-XXXXXX";
	assert_non_null(mkdtemp(dir));
	int mine = open(dir, O_TMPFILE | O_RDWR, 0600);
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	const ba_aside a = {.work = try_all,
		.data = dir,
		.confine = ba_sandbox_become_reader,
		.limit_ns = 20 * BA_SECOND,
		.more_memory = (uint64_t)1 << 30,
		.ceiling = 1000};
	if (ba_aside_run(&out, &a, &err))
		fail_msg("%s", err.text);
	close(mine);
	assert_int_equal(rmdir(dir), 0);
	assert_string_equal(out.data, "r");
}
