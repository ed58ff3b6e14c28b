#include "hook/serve.h"

#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>

/* ---- a census: the observer before the driver ---- */

static ba_census census;
static bool watches;

/* In a child, because loading it may do anything: a namespace of its own, where the observer does
 * not answer to the driver's name. */
static void send_driver(int to)
{
	void *driver = dlmopen(LM_ID_NEWLM, "libcuda.so.1", RTLD_LAZY);
	struct link_map *map = NULL;
	if (driver && !dlinfo(driver, RTLD_DI_LINKMAP, &map) && map)
		dprintf(to, "%s", map->l_name);
	_exit(0);
}

static void find_driver(char path[PATH_MAX])
{
	int ends[2];
	memset(path, 0, PATH_MAX);
	if (pipe(ends))
		return;
	pid_t child = fork();
	if (child == 0)
		send_driver(ends[1]);
	close(ends[1]);
	if (child > 0) {
		ba_fs_read_some(ends[0], path, PATH_MAX - 1);
		waitpid(child, NULL, 0);
	}
	close(ends[0]);
}

void ba_hook_watch(void)
{
	const char *path = getenv("BENCH_AGAINST_CENSUS");
	void *observer = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
	static const ba_observer_hooks none;
	ba_observer_start_fn *start = NULL;
	void *first = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	char driver[PATH_MAX];
	if (!observer || watches || (first && first != observer) ||
		!ba_census_open(&census, observer))
		return;
	*(void **)&start = dlsym(observer, BA_OBSERVER_START);
	find_driver(driver);
	if (start)
		start(*driver ? dlopen(driver, RTLD_NOW | RTLD_GLOBAL) : NULL, &none);
	watches = start != NULL;
}

ba_census *ba_hook_census(void)
{
	return watches ? &census : NULL;
}

void ba_hook_counted(void)
{
	ba_say fields[BA_CENSUS_SAYS];
	ba_hook_reply("counted", fields, ba_census_say(fields, &census));
	/* the functions of the observer stay */
	BA_DISPOSE(ba_strv, &census.names, &census.files, &census.launched);
	memset(census.counts, 0, sizeof(census.counts));
	census.calls = 0;
}

void ba_hook_uncounted(const char *why)
{
	BA_HOOK_REPLY("counted", BA_SAY_U64S("instructions", NULL, 0), BA_SAY_TEXT("text", why));
}

/* ---- the state ---- */

#define DESCRIPTORS_FROM 200 /* out of the way of programs that close low ones */
#define READINGS_MOST 100000u
#define LINE_MOST ((size_t)4 << 20)

static struct {
	const ba_hook_ops *ops;
	int requests, replies;
	ba_buf in; /* what was read and not yet taken */
	ba_message message;
	bool pending; /* the message waits for the outer loop */
	bool failed;  /* the current answer has ended */
	char *target, *tree;
	int device, cpu, start_cpu, sits_on;
} its = {.requests = -1,
	.replies = -1,
	.in = BA_BUF_INIT,
	.cpu = -1,
	.start_cpu = -1,
	.sits_on = -1};

/* ---- the channel ---- */

static int take_descriptor(const char *variable)
{
	const char *text = getenv(variable);
	uint64_t number;
	if (!text || ba_parse_u64(&number, text, 0, 1 << 20, "", NULL))
		return -1;
	int fd = fcntl((int)number, F_DUPFD_CLOEXEC, DESCRIPTORS_FROM);
	if (fd >= 0)
		close((int)number);
	return fd;
}

bool ba_hook_connect(const ba_hook_ops *ops)
{
	its.ops = ops;
	its.requests = take_descriptor("BENCH_AGAINST_REQUESTS");
	its.replies = take_descriptor("BENCH_AGAINST_REPLIES");
	unsetenv("BENCH_AGAINST_REQUESTS");
	unsetenv("BENCH_AGAINST_REPLIES");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return its.requests >= 0 && its.replies >= 0;
}

/* The host is gone, or it has said close: nothing of the program has to be done. */
static _Noreturn void end(int status)
{
	fflush(NULL);
	_exit(status);
}

void ba_hook_reply(const char *type, const ba_say *fields, size_t count)
{
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	ba_message_begin(&m, type);
	ba_message_add(&m, fields, count);
	ba_message_end(&m);
	if (ba_fs_write_all(its.replies, m.data, m.len))
		end(1);
}

/* A line is complete in its.in; returns its size with the end of line. A signal of the
 * program may interrupt the wait. */
static size_t wait_for_line(void)
{
	for (;;) {
		const char *end_of_line = memchr(its.in.data, '\n', its.in.len);
		if (end_of_line)
			return (size_t)(end_of_line - its.in.data) + 1;
		char part[4096];
		ssize_t n = read(its.requests, part, sizeof(part));
		if (n == 0 || (n < 0 && errno != EINTR) || its.in.len > LINE_MOST)
			end(n == 0 ? 0 : 1);
		if (n > 0)
			ba_buf_put(&its.in, part, (size_t)n);
	}
}

static void receive(void)
{
	ba_error err;
	if (its.pending) {
		its.pending = false;
		return;
	}
	ba_message_dispose(&its.message);
	size_t size = wait_for_line();
	int rc = ba_message_parse(&its.message, its.in.data, size, &err);
	memmove(its.in.data, its.in.data + size, its.in.len - size);
	ba_buf_truncate(&its.in, its.in.len - size);
	if (rc == 0)
		return;
	ba_hook_fail("the host sent %s", err.text);
	end(1);
}

/* ---- answers ---- */

void ba_hook_fail(const char *fmt, ...)
{
	va_list ap;
	if (its.failed)
		return;
	va_start(ap, fmt);
	BA_AUTO_FREE char *text = ba_xvprintf(fmt, ap);
	va_end(ap);
	BA_HOOK_REPLY("failed", BA_SAY_TEXT("text", text));
	its.failed = true;
}

void ba_hook_refuse(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	BA_AUTO_FREE char *text = ba_xvprintf(fmt, ap);
	va_end(ap);
	receive();
	ba_hook_fail("%s", text);
	end(1);
}

void ba_hook_skip(const char *reason)
{
	BA_HOOK_REPLY("skipped", BA_SAY_TEXT("text", *reason ? reason : "no reason given"));
	BA_HOOK_REPLY("prepared", BA_SAY_U64S("present", &(uint64_t){0}, 1));
}

void ba_hook_prepared(double bytes_read, double bytes_written, double items, uint64_t runs)
{
	BA_HOOK_REPLY("case", BA_SAY_F64("bytes_read", bytes_read),
		BA_SAY_F64("bytes_written", bytes_written), BA_SAY_F64("items", items),
		BA_SAY_U64("runs", runs));
	BA_HOOK_REPLY("prepared", BA_SAY_U64S("present", &(uint64_t){1}, 1));
}

const char *ba_hook_target(void)
{
	return its.target ? its.target : "";
}

const char *ba_hook_tree(void)
{
	return its.tree ? its.tree : "";
}

int ba_hook_device(void)
{
	return its.device;
}

bool ba_hook_sizes_of(ba_hook_sizes *out, const ba_message *m)
{
	ba_error err;
	out->mode = ba_message_text(m, "mode");
	if (ba_message_u64(&out->batch, m, "batch", &err) ||
		ba_message_u64(&out->readings, m, "readings", &err) ||
		ba_message_u64(&out->discard, m, "discard", &err))
		ba_hook_fail("%s", err.text);
	else if (!out->batch || !out->readings || out->readings > READINGS_MOST)
		ba_hook_fail("a visit of %" PRIu64 " readings of %" PRIu64 " runs", out->readings,
			out->batch);
	else
		return true;
	return false;
}

/* ---- requests that are the same for all libraries ---- */

/* Set-up has a processor of its own; what is measured shares one with the others. */
static void sit_on(int cpu)
{
	cpu_set_t set;
	if (cpu < 0 || cpu >= CPU_SETSIZE || cpu == its.sits_on)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	its.sits_on = cpu;
}

static void answer_hello(void)
{
	uint64_t version = 0;
	if (strcmp(ba_message_text(&its.message, "protocol"), BA_WIRE_PROGRAMS) != 0 ||
		ba_message_u64(&version, &its.message, "version", NULL) ||
		version != BA_WIRE_PROGRAMS_VERSION) {
		ba_hook_fail("the host speaks another version of the worker protocol");
		return;
	}
	BA_HOOK_REPLY("hello", BA_SAY_TEXT("protocol", BA_WIRE_PROGRAMS),
		BA_SAY_U64("version", BA_WIRE_PROGRAMS_VERSION),
		BA_SAY_TEXT("name", its.ops->library));
}

static int number(const char *key, int otherwise)
{
	int64_t value;
	return ba_message_i64(&value, &its.message, key, NULL) ? otherwise : (int)value;
}

static void answer_open(void)
{
	ba_text_replace(&its.target, ba_message_text(&its.message, "target"));
	ba_text_replace(&its.tree, ba_message_text(&its.message, "tree"));
	its.device = number("device", 0);
	its.cpu = number("cpu", -1);
	its.start_cpu = number("start_cpu", its.cpu);
	sit_on(its.start_cpu);
	ba_hook_reply("opened", NULL, 0);
}

/* A file of the tree that is mapped as code; the first one is the program. */
static int add_object(struct dl_phdr_info *info, size_t size, void *paths)
{
	BA_AUTO_FREE char *real =
		realpath(*info->dlpi_name ? info->dlpi_name : "/proc/self/exe", NULL);
	BA_AUTO_FREE char *tree = realpath(its.tree, NULL);
	if (real && tree && ba_path_is_below(real, tree) && !ba_strv_has(paths, real))
		ba_strv_push(paths, real);
	return 0;
}

static void answer_list(void)
{
	BA_AUTO(ba_strv) ba_strv paths = {0}, sums = {0};
	its.ops->list();
	if (its.failed)
		return;
	dl_iterate_phdr(add_object, &paths);
	for (size_t i = 0; i < paths.count; i++) {
		char sum[65] = "";
		ba_sha256_file(sum, paths.items[i], NULL);
		ba_strv_push(&sums, sum);
	}
	BA_HOOK_REPLY("listed", BA_SAY_TEXTS("objects", paths), BA_SAY_TEXTS("sha256", sums));
}

static void answer(const char *type)
{
	its.failed = false;
	if (strcmp(type, "hello") == 0) {
		answer_hello();
	} else if (strcmp(type, "open") == 0) {
		answer_open();
	} else if (strcmp(type, "list") == 0) {
		answer_list();
	} else if (strcmp(type, "prepare") == 0) {
		sit_on(its.start_cpu);
		its.ops->prepare(&its.message);
	} else if (strcmp(type, "measure") == 0) {
		sit_on(its.cpu);
		its.ops->measure(&its.message);
	} else if (strcmp(type, "count") == 0 && its.ops->count) {
		its.ops->count(&its.message);
	} else if (strcmp(type, "release") == 0) {
		ba_hook_reply("released", NULL, 0);
	} else if (strcmp(type, "close") == 0) {
		ba_hook_reply("closed", NULL, 0);
		end(0);
	} else {
		ba_hook_fail("no such request '%s'", type);
	}
}

void ba_hook_serve(void)
{
	for (;;) {
		receive();
		answer(its.message.type);
	}
}

const ba_message *ba_hook_next_held(void)
{
	static const char *const ends[] = {"prepare", "release", "close"};
	receive();
	its.failed = false;
	its.pending = BA_ANY(ends, BA_COUNT(ends), end, strcmp(its.message.type, *end) == 0);
	if (!its.pending && strcmp(its.message.type, "measure") == 0)
		sit_on(its.cpu);
	return its.pending ? NULL : &its.message;
}
