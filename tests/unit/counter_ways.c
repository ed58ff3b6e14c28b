/* The ways to count agree to the instruction, on code whose length is known. */
#include "test.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counter/trace.h"

#define MOST 30000

static ba_counter *counter_of(ba_counter_way way)
{
	ba_counter *c = NULL;
	ba_error err;
	int rc = ba_counter_open(&c, way, MOST, &err);
	if (rc == BA_EUNSUPPORTED) {
		print_message("%s: %s\n", ba_counter_way_name(way), err.text);
		return NULL;
	}
	assert_int_equal(rc, 0);
	return c;
}

/* of a second call: the first one also binds symbols */
static uint64_t count(ba_counter_way way, void (*fn)(void), void *a, void *b)
{
	ba_counter *c = counter_of(way);
	ba_counted counted;
	ba_error err;
	if (!c)
		return 0;
	for (int i = 0; i < 2; i++)
		if (ba_counter_run(&counted, c, &(ba_counter_call){fn, {a, b}}, &err))
			fail_msg("%s", err.text);
	ba_counter_free(c);
	return counted.instructions;
}

#ifdef __x86_64__
/* 3 instructions, a loop of 2 for each unit of rdi */
void loop_of(void);
__asm__(".text\nloop_of:\n\txor %eax, %eax\n"
	"1:\tdec %rdi\n\tjnz 1b\n\tmov $7, %eax\n\tret\n");
/* 3 instructions: a string instruction is one, however long */
void fill(void);
__asm__(".text\nfill:\n\tmov %rsi, %rcx\n\txor %eax, %eax\n\trep stosb\n\tret\n");
/* 3 instructions and a system call */
void ask_kernel(void);
__asm__(".text\nask_kernel:\n\tmov $39, %eax\n\tsyscall\n\tnop\n\tret\n");

TEST(known_lengths_are_counted_exactly)
{
	static const ba_counter_way ways[] = {
		BA_COUNTER_FLAG, BA_COUNTER_PTRACE, BA_COUNTER_HARDWARE};
	char buffer[4096];
	for (size_t i = 0; i < 3; i++) {
		uint64_t n = count(ways[i], loop_of, (void *)1000, NULL);
		if (n == 0)
			continue; /* not on this machine */
		assert_int_equal(n, 2003);
		assert_int_equal(count(ways[i], loop_of, (void *)1, NULL), 5);
		assert_int_equal(count(ways[i], fill, buffer, (void *)4096), 4);
		assert_int_equal(count(ways[i], fill, buffer, (void *)0), 4);
		assert_int_equal(count(ways[i], ask_kernel, NULL, NULL), 4);
	}
}
#else
TEST(known_lengths_are_counted_exactly)
{
	skip();
}
#endif

/* Library code that no sanitizer intercepts: theirs does not do the same twice. */
__attribute__((no_sanitize("address", "undefined"))) static long work(char *text, size_t n)
{
	unsigned short seed[3] = {1, 2, 3};
	long sum = syscall(SYS_getppid) ? 1 : 2;
	for (size_t i = 0; i < n; i++)
		sum += nrand48(seed) % (text[i % 8] + 1);
	text[20] = (char)('a' + sum % 7);
	return sum;
}

TEST(the_ways_agree_on_library_code)
{
	char text[100] = "some text";
	void (*fn)(void) = (void (*)(void))work;
	uint64_t flag = count(BA_COUNTER_FLAG, fn, text, (void *)30);
	uint64_t traced = count(BA_COUNTER_PTRACE, fn, text, (void *)30);
	uint64_t hardware = count(BA_COUNTER_HARDWARE, fn, text, (void *)30);
	if (flag && traced)
		assert_int_equal(flag, traced);
	if (flag && hardware)
		assert_int_equal(flag, hardware);
	if (flag)
		assert_true(flag > 100);
}

TEST(result_and_arguments_pass)
{
	char text[100] = "twelve bytes";
	for (int w = 0; w < BA_COUNTER_WAYS; w++) {
		ba_counter *c = counter_of((ba_counter_way)w);
		ba_counted counted;
		if (!c)
			continue;
		const ba_counter_call call = {(void (*)(void))strlen, {text}};
		assert_int_equal(ba_counter_run(&counted, c, &call, NULL), 0);
		assert_int_equal(counted.result, 12);
		ba_counter_free(c);
	}
}

static void *nothing(void *arg)
{
	return arg;
}

static void start_thread(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, nothing, NULL) == 0)
		pthread_join(thread, NULL);
}

static void start_process(void)
{
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
}

static void take_signal(void)
{
	signal(SIGTRAP, SIG_IGN);
	signal(SIGTRAP, SIG_DFL);
}

static void raise_signal(void)
{
	raise(SIGTRAP);
}

static void run_long(void)
{
	for (volatile int i = 0; i < MOST; i++)
		;
}

TEST(what_cannot_be_counted_is_said)
{
	static const struct {
		void (*fn)(void);
		const char *text;
	} rows[] = {
		{start_thread, "starts a process or a thread"},
		{start_process, "starts a process or a thread"},
		{take_signal, "sets a handler for SIGTRAP"},
		{raise_signal, "raises SIGTRAP"},
		{run_long, "executes more than 30000 instructions"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ba_counter *c = counter_of(BA_COUNTER_FLAG);
		ba_counted counted;
		ba_error err;
		if (!c)
			skip();
		const ba_counter_call call = {rows[i].fn, {0}};
		assert_int_equal(ba_counter_run(&counted, c, &call, &err), BA_EVARIANT);
		assert_non_null(strstr(err.text, rows[i].text));
		/* and the next call counts as before */
		const ba_counter_call other = {(void (*)(void))getppid, {0}};
		assert_int_equal(ba_counter_run(&counted, c, &other, &err), 0);
		ba_counter_free(c);
	}
}

__attribute__((no_sanitize("address", "undefined"))) static void block_signals(void)
{
	uint64_t all = UINT64_MAX, before;
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(all));
	syscall(SYS_getppid);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(all));
}

TEST(a_call_may_block_all_signals)
{
	sigset_t before, after;
	sigprocmask(SIG_SETMASK, NULL, &before);
	uint64_t flag = count(BA_COUNTER_FLAG, block_signals, NULL, NULL);
	uint64_t traced = count(BA_COUNTER_PTRACE, block_signals, NULL, NULL);
	sigprocmask(SIG_SETMASK, NULL, &after);
	/* what the kernel has of it */
	assert_memory_equal(&before, &after, sizeof(uint64_t));
	if (flag && traced)
		assert_int_equal(flag, traced);
}

/* whom the process kills when it allows its tracer to trace it: -1 itself, 1 the tracer */
static int killed;
int __real_prctl(int option, ...);
int __wrap_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d);

int __wrap_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	if (option == PR_SET_PTRACER && a && killed)
		kill(killed < 0 ? getpid() : (pid_t)a, SIGKILL);
	return __real_prctl(option, a, b, c, d);
}

static void count_and_kill(int who)
{
	ba_counter *c = counter_of(BA_COUNTER_PTRACE);
	const ba_counter_call call = {(void (*)(void))getppid, {0}};
	ba_counted counted;
	ba_error err;
	setpgid(0, 0);
	alarm(20);
	killed = who;
	_exit(ba_counter_run(&counted, c, &call, &err) == 0);
}

TEST(neither_side_waits_for_one_that_died)
{
	for (int who = -1; who <= 1; who += 2) {
		int ends[2], status;
		assert_int_equal(pipe(ends), 0);
		pid_t pid = fork();
		if (pid == 0)
			count_and_kill(who);
		close(ends[1]);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, who < 0 ? SIGKILL : 0);
		/* the tracer has the other end as long as it is there */
		struct pollfd closed = {.fd = ends[0]};
		int ended = poll(&closed, 1, 20000);
		kill(-pid, SIGKILL);
		assert_int_equal(ended, 1);
		close(ends[0]);
	}
}

TEST(a_trace_is_read_as_it_was_written)
{
	char path[] = "/tmp/ba-trace-XXXXXX", text[100] = "some text";
	ba_counter *c = counter_of(BA_COUNTER_FLAG);
	ba_trace t = {0};
	ba_counted counted;
	uint64_t n[2];
	if (!c)
		skip();
	close(mkstemp(path));
	BA_AUTO_PTR(ba_trace_file) ba_trace_file *f = ba_trace_create(path);
	for (int i = 0; i < 2; i++) {
		const ba_counter_call call = {(void (*)(void))work, {text, (void *)50}};
		assert_int_equal(ba_counter_run(&counted, c, &call, NULL), 0);
		ba_trace_add(f, &counted);
		n[i] = counted.instructions;
	}
	assert_int_equal(ba_trace_write(f, NULL), 0);
	assert_int_equal(ba_trace_read(&t, path, NULL), 0);
	assert_int_equal(t.calls, 2);
	assert_int_equal(t.counts[1], n[1]);
	assert_int_equal(t.address_count, n[0] + n[1]);
	assert_int_equal(ba_trace_call(&t, 1)[0], (uint64_t)(uintptr_t)work);
	const ba_trace_object *own = ba_trace_find(&t, (uint64_t)(uintptr_t)work);
	assert_non_null(own);
	assert_non_null(strstr(own->path, "counter_ways"));
	assert_null(ba_trace_find(&t, 16));
	ba_trace_dispose(&t);
	/* cut off, it is rejected */
	assert_int_equal(truncate(path, 40), 0);
	assert_int_equal(ba_trace_read(&t, path, NULL), BA_EDATA);
	unlink(path);
	ba_counter_free(c);
}
