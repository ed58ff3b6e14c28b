/*
 * Launcher libraries for the end-to-end tests, all made from this file. Each launches
 * as it should, at a cost per launch that is known because it is charged to the fake
 * driver's virtual clock, or misbehaves in one way.
 *
 *     COST=ns      what a launch costs besides the driver's call
 *     COST_IN_COMPANY=ns  the same where another build of the library is loaded too
 *     TAIL=ns      what a fifth of the launches cost besides, TAIL_RUN of them together
 *     COST_OF_PLACE=bytes  20 ns more in every other half of a line of 64 bytes
 *     COST_FROM_TREE  it and TAIL depend on files beside it: cost_of_tree(), tail_now()
 *     ONE_PLACE  its data is aligned to a page
 *     ONLY_DIRECT  it lacks the launch path "second"
 *     SLEEPS_IN_CENSUS  for three seconds, in the first process that is observed (BA_TEST_SLEPT)
 *     DEED=name    what it does wrong: one of enum deed
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench_against/launcher.h"
#include "process_check.h"

#ifndef COST
#define COST 0
#endif
#ifndef DEED
#define DEED NOTHING
#endif
/* far beyond the checking launch and the warm-up: it happens while it is measured */
#define MEASURED_LAUNCHES 2500

enum deed {
	NOTHING,
	CRASH_LOAD,
	ABORT_LOAD,
	HANG_LOAD,
	CRASH_OPEN,
	FAIL_OPEN,
	START_RUNTIME,
	CRASH_PREPARE,
	HANG_PREPARE,
	FAIL_PREPARE,
	CRASH_LAUNCH,
	ABORT_LAUNCH,
	EXIT_LAUNCH,
	HANG_LAUNCH,
	FAIL_LAUNCH,
	LOSE_CONTEXT, /* the script of the fake driver fails cuMemGetInfo for good */
	CRASH_RELEASE,
	CRASH_ONE_ARGUMENT, /* fine but for kernels of one argument */
	WRONG_ARGUMENT,
	WRONG_GRID,
	LAUNCH_TWICE,
	LAUNCH_NONE,
	CHANGE_CONTEXT,
	BE_LOUD,
	NEWER_ABI,
	NULL_TABLE,
	SHORT_TABLE,
	NO_PATHS,
	CRASH_IN_COMPANY,	/* where another build of this library is loaded too */
	CRASH_IN_COMPANY_LATER, /* the same, with kernels of one argument */
	LEAVE_A_CHILD,
	LEAVE_A_DAEMON,
	CLOSE_DESCRIPTORS,
	CLOSE_REQUESTS,
	TAKE_DESCRIPTORS,
	/* fine but where instructions are counted */
	START_THREAD,
	START_PROCESS,
	TAKE_SIGTRAP,
	LAUNCH_LONG,
	SKIP_COUNTED, /* while the processor traps after each instruction */
	LOSE_MEMORY,  /* in processes after the first that counted: see lose_memory() */
	/* after the warm-up */
	SKIP_HALF,
	REPEAT_ONE,
	KEEP_ARGUMENTS,
	LAUNCH_LATE,
	/* to the process: process_check.h */
	PATCH_OTHER,
	PATCH_OTHER_LATER,
	PATCH_BY_RIGHTS,
	PATCH_ITSELF,
	PATCH_TOOL,
	CHANGE_AFFINITY,
	CHANGE_PRIORITY,
	TAKE_SIGSEGV,
	START_TIMER,
	LEAVE_SPINNING,
	LEAVE_WAITING,
};

#if defined(UNDEFINED_SYMBOL)
void bench_against_test_nobody_defines_this(void);
#endif

#if defined(COST_FROM_SHARED)
/* of libshared.so.1, which lies beside this library in the same build */
int64_t shared_cost(void);
#define cost_now() shared_cost()
#elif defined(COST_UNIQUE)
/* What an inline variable of a C++ header becomes: one for the whole process. */
__asm__(".pushsection .data\n"
	".globl bench_against_test_unique\n"
	".type bench_against_test_unique, %gnu_unique_object\n"
	".size bench_against_test_unique, 8\n"
	".balign 8\n"
	"bench_against_test_unique: .quad " COST_UNIQUE "\n"
	".popsection\n");
extern int64_t bench_against_test_unique;
#define cost_now() bench_against_test_unique
#elif defined(COST_GLOBAL)
BA_LAUNCHER_EXPORT int64_t bench_against_test_cost(void);
int64_t bench_against_test_cost(void)
{
	return COST;
}
#define cost_now() bench_against_test_cost()

/* Its symbols answer for those of every library that is loaded later. */
static __attribute__((constructor)) void become_global(void)
{
	Dl_info self;
	if (dladdr((void *)&become_global, &self))
		dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}
#elif defined(COST_FROM_TREE)
static char *beside(const char *name)
{
	Dl_info self;
	char *path = NULL;
	if (!dladdr((void *)&beside, &self) ||
		asprintf(&path, "%.*s/%s", (int)(strrchr(self.dli_fname, '/') - self.dli_fname),
			self.dli_fname, name) < 0)
		abort();
	return path;
}

static bool has(const char *name)
{
	char *path = beside(name);
	bool there = access(path, F_OK) == 0;
	free(path);
	return there;
}

/* The number in the file `tuned`, else in `table`; ten times that where there is a file
 * `slow`, which is not opened. */
static int64_t cost_of_tree(void)
{
	char *tuned = beside("tuned"), *table = beside("table");
	long cost = 0;
	FILE *f = fopen(tuned, "re");
	f = f ? f : fopen(table, "re");
	if (!f || fscanf(f, "%ld", &cost) != 1)
		abort();
	fclose(f);
	free(tuned);
	free(table);
	return has("slow") ? 10 * cost : cost;
}

/* Not before the first launch: what is loaded does not tell what will be opened. */
static int64_t cost_now(void)
{
	static int64_t cost;
	cost = cost ? cost : cost_of_tree();
	return cost;
}

/* Is this process an odd one of those that asked? They count by the length of a file.
 */
static bool is_odd_process(const char *counter)
{
	struct stat s;
	int fd = open(counter, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, ".", 1) != 1 || fstat(fd, &s))
		abort();
	close(fd);
	return s.st_size % 2 == 1;
}

/* Where there is a file `tail`, which is not opened. With BA_TEST_TURNS, the path of a
 * counter, in every other process. */
static int64_t tail_now(void)
{
	static int tail = -1;
	const char *counter = getenv("BA_TEST_TURNS");
	if (tail < 0)
		tail = has("tail") && (!counter || is_odd_process(counter));
	return tail ? TAIL : 0;
}
#elif defined(COST_IN_COMPANY)
static int company; /* when a kernel was prepared last */
#define cost_now() ((int64_t)(company ? COST_IN_COMPANY : COST))
#elif defined(COST_OF_PLACE)
/* as if the code began COST_OF_PLACE bytes later than it does */
static __attribute__((aligned(32))) char place[32];
#define cost_now() ((int64_t)COST + (((uintptr_t)place + (COST_OF_PLACE)) % 64 < 32 ? 0 : 20))
#else
#define cost_now() ((int64_t)COST)
#endif
#if defined(TAIL) && !defined(COST_FROM_TREE)
#define tail_now() ((int64_t)TAIL)
#endif

struct ba_launcher_session {
	int unused;
};
struct ba_launcher_kernel {
	void *module, *function;
	uint32_t param_count;
	unsigned long launches;
};

static int (*cu_load)(void **module, const void *image);
static int (*cu_get)(void **function, void *module, const char *entry);
static int (*cu_unload)(void *module);
static int (*cu_launch)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
	unsigned by, unsigned bz, unsigned shared_bytes, void *stream, void **args, void **extra);
static int (*cu_set_context)(void *context);
static int (*cu_mem_info)(size_t *free_bytes, size_t *total_bytes);
static void (*advance)(int64_t ns);
static const char *sentence = "";

static void crash(void)
{
	fprintf(stderr, "the variant is about to crash\n");
	raise(SIGSEGV);
}

static void hang(void)
{
	for (;;)
		pause();
}

static __attribute__((constructor)) void on_load(void)
{
	if (DEED == CRASH_LOAD)
		crash();
	if (DEED == ABORT_LOAD)
		abort();
	if (DEED == HANG_LOAD)
		hang();
}

/* Is a library of this name mapped that is not this one? */
static int in_company(void)
{
	Dl_info self;
	char line[4096];
	int found = 0;
	FILE *maps = fopen("/proc/self/maps", "re");
	if (!maps || !dladdr((void *)&in_company, &self))
		return 0;
	const char *base = strrchr(self.dli_fname, '/') + 1;
	while (fgets(line, sizeof(line), maps)) {
		char *path = strchr(line, '/');
		char *name = path ? strrchr(path, '/') + 1 : NULL;
		line[strcspn(line, "\n")] = '\0';
		if (name && strcmp(name, base) == 0 && strcmp(path, self.dli_fname) != 0)
			found = 1;
	}
	fclose(maps);
	return found;
}

static void leave_a_child(void)
{
	if (fork() == 0) {
		setsid();
		execlp("sleep", "sleep", "7654321", (char *)NULL);
		_exit(127);
	}
}

/* a session of its own, no environment, none of our descriptors */
static void leave_a_daemon(void)
{
	const char *const argv[] = {"sleep", getenv("BA_TEST_AGES"), NULL};
	const char *const env[] = {NULL};
	if (fork() == 0) {
		setsid();
		for (int fd = 0; fd < 64; fd++)
			close(fd);
		execve("/bin/sleep", (char *const *)argv, (char *const *)env);
		_exit(127);
	}
}

/* A file that is this library's gets the numbers that were others'. */
static void take_descriptors(void)
{
	const char *path = getenv("BA_TEST_TAKEN");
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	for (int i = 0; path && i < 4; i++)
		if (open(path, O_RDWR | O_CREAT | O_APPEND, 0600) < 0)
			abort();
}

#ifdef ASKS_MORE
static int (*cu_wait)(void *), (*cu_free)(unsigned long long);
static int (*cu_copy)(unsigned long long, const void *, size_t);
static int (*cu_alloc)(unsigned long long *, size_t);

__attribute__((noinline)) static void *wait_elsewhere(void *data)
{
	if (cu_wait(NULL))
		abort();
	return data;
}

/* What a census finds in each launch: a wait, with BA_ASKS_ELSEWHERE in another thread, a copy
 * of 4 KiB, 64 KiB for a while. */
__attribute__((noinline)) static void ask_for_more(void)
{
	static char bytes[4096];
	unsigned long long memory = 0;
	pthread_t waiter;
	if (!getenv("BA_ASKS_ELSEWHERE"))
		wait_elsewhere(NULL);
	else if (pthread_create(&waiter, NULL, wait_elsewhere, NULL) || pthread_join(waiter, NULL))
		abort();
	cu_alloc(&memory, 65536);
	cu_copy(memory, bytes, sizeof(bytes));
	cu_free(memory);
}
#endif

static int find_driver(const ba_launcher_host *host)
{
	*(void **)&cu_load = host->driver_symbol("cuModuleLoadData");
	*(void **)&cu_get = host->driver_symbol("cuModuleGetFunction");
	*(void **)&cu_unload = host->driver_symbol("cuModuleUnload");
	*(void **)&cu_launch = host->driver_symbol("cuLaunchKernel");
#ifdef ASKS_MORE
	*(void **)&cu_wait = host->driver_symbol("cuStreamSynchronize");
	*(void **)&cu_copy = host->driver_symbol("cuMemcpyHtoD");
	*(void **)&cu_alloc = host->driver_symbol("cuMemAlloc");
	*(void **)&cu_free = host->driver_symbol("cuMemFree");
#endif
	*(void **)&cu_set_context = host->driver_symbol("cuCtxSetCurrent");
	*(void **)&cu_mem_info = host->driver_symbol("cuMemGetInfo");
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	if (driver)
		*(void **)&advance = dlsym(driver, "ba_fake_advance_ns");
	return cu_load && cu_get && cu_unload && cu_launch && cu_set_context && cu_mem_info;
}

/* as the CUDA runtime begins */
static int start_runtime(const ba_launcher_host *host)
{
	static const unsigned char table_id[16] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
		0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};
	int (*get_table)(const void **table, const unsigned char *id);
	const void *table;
	*(void **)&get_table = host->driver_symbol("cuGetExportTable");
	return get_table ? get_table(&table, table_id) : 1;
}

static void behave_in_open(void)
{
	switch ((int)DEED) {
	case CHANGE_AFFINITY:
		change_affinity();
		break;
	case CHANGE_PRIORITY:
		setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 1);
		break;
	case TAKE_SIGSEGV:
		signal(SIGSEGV, on_fault);
		break;
	case START_TIMER:
		start_timer();
		break;
	case LEAVE_SPINNING:
		leave_thread(spin);
		break;
	case LEAVE_WAITING:
		leave_thread(wait_for_ever);
		break;
	default:
		break;
	}
}

static int my_open(ba_launcher_session **out, const ba_launcher_host *host)
{
	static ba_launcher_session session;
	if (DEED == CRASH_OPEN)
		crash();
	if (DEED == CLOSE_DESCRIPTORS)
		for (int fd = 3; fd < 64; fd++)
			close(fd);
	if (DEED == CLOSE_REQUESTS)
		close(3);
	if (DEED == TAKE_DESCRIPTORS)
		take_descriptors();
	if (DEED == LEAVE_A_CHILD)
		leave_a_child();
	if (DEED == LEAVE_A_DAEMON)
		leave_a_daemon();
	behave_in_open();
	sentence = "no license for this \033[31mmachine";
	if (DEED == FAIL_OPEN)
		return 7;
	if (DEED == START_RUNTIME)
		return start_runtime(host);
	*out = &session;
	return find_driver(host) ? 0 : 1;
}

static int my_prepare(
	ba_launcher_kernel **out, ba_launcher_session *s, const ba_launcher_kernel_desc *d)
{
	(void)s;
	sentence = "the image is not to our taste";
#ifdef COST_IN_COMPANY
	company = in_company();
#endif
#ifdef SLEEPS_IN_CENSUS
	Dl_info driver;
	if (dladdr(*(void **)&cu_launch, &driver) && strstr(driver.dli_fname, "/observer/") &&
		open(getenv("BA_TEST_SLEPT"), O_CREAT | O_EXCL, 0600) >= 0)
		sleep(3);
#endif
	if (DEED == CRASH_PREPARE || (DEED == CRASH_IN_COMPANY && in_company()) ||
		(DEED == CRASH_ONE_ARGUMENT && d->param_count == 1) ||
		(DEED == CRASH_IN_COMPANY_LATER && d->param_count == 1 && in_company()))
		crash();
	if (DEED == PATCH_OTHER || DEED == PATCH_ITSELF || DEED == PATCH_TOOL)
		patch(DEED == PATCH_OTHER ? OTHER_BUILD : DEED == PATCH_TOOL ? TOOL : THIS_BUILD);
	if (DEED == PATCH_BY_RIGHTS)
		patch_by_rights();
	if (DEED == HANG_PREPARE)
		hang();
	if (DEED == FAIL_PREPARE)
		return 3;
	if (DEED == BE_LOUD)
		for (int i = 0; i < 40000; i++)
			printf("line %d of something that nobody asked for: "
			       "\033[2Jxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
				i);
	ba_launcher_kernel *k = calloc(1, sizeof(*k));
	if (!k)
		return 2;
	k->param_count = d->param_count;
	int rc = cu_load(&k->module, d->image);
	if (rc == 0)
		rc = cu_get(&k->function, k->module, d->entry);
	*out = k;
	return rc;
}

static int submit(ba_launcher_kernel *k, const ba_launcher_config *c, void **args, unsigned grid_x)
{
	return cu_launch(k->function, grid_x, c->grid.y, c->grid.z, c->block.x, c->block.y,
		c->block.z, c->shared_bytes, c->stream, args, NULL);
}

static void *return_at_once(void *argument)
{
	return argument;
}

/* What a launch that is timed may do, and one that is counted may not. */
static void harm_the_count(void)
{
	pthread_t thread;
	switch ((int)DEED) {
	case START_THREAD:
		if (pthread_create(&thread, NULL, return_at_once, NULL) == 0)
			pthread_join(thread, NULL);
		break;
	case START_PROCESS: {
		pid_t child = fork();
		if (child == 0)
			_exit(0);
		waitpid(child, NULL, 0);
		break;
	}
	case TAKE_SIGTRAP:
		signal(SIGTRAP, SIG_IGN);
		break;
	case LAUNCH_LONG:
		for (volatile int i = 0; i < 4000; i++)
			;
		break;
	default:
		break;
	}
}

/* The deeds that show only after many launches; 0: go on. */
static int misbehave_while_measured(void)
{
	size_t a, b;
	sentence = "the launch was not to our taste";
	switch ((int)DEED) {
	case CRASH_LAUNCH:
		crash();
		return 0;
	case ABORT_LAUNCH:
		fprintf(stderr, "assertion failed: cache != NULL\n");
		abort();
	case EXIT_LAUNCH:
		exit(0);
	case HANG_LAUNCH:
		hang();
		return 0;
	case FAIL_LAUNCH:
		return 701;
	case PATCH_OTHER_LATER:
		patch(OTHER_BUILD);
		return 0;
	case LOSE_CONTEXT:
		return cu_mem_info(&a, &b);
	default:
		return 0;
	}
}

typedef struct late {
	void *function, *stream;
	void **args;
} late;

static void *launch_later(void *argument)
{
	late l = *(late *)argument;
	free(argument);
	usleep(3000);
	cu_launch(l.function, 1, 1, 1, 1, 1, 1, 0, l.stream, l.args, NULL);
	return NULL;
}

static int launch_late(ba_launcher_kernel *k, const ba_launcher_config *c, void **args)
{
	pthread_t thread;
	late *l = malloc(sizeof(*l));
	if (!l)
		return 2;
	*l = (late){k->function, c->stream, args};
	int rc = pthread_create(&thread, NULL, launch_later, l);
	return rc ? rc : pthread_detach(thread);
}

/* The launches that are measured, and those before them as they should be. */
/* Does the processor stop after each instruction? */
static bool is_traced(void)
{
#ifdef __x86_64__
	uint64_t flags;
	__asm__ volatile("pushfq\n\tpopq %0" : "=r"(flags));
	return flags & 0x100;
#else
	return false;
#endif
}

/* Once a process of this cost was counted, later ones have no memory to count in: the
 * file of $BA_TEST_COUNTED and the cost says so. */
static void lose_memory(void)
{
	static bool asked;
	char path[4096];
	unsigned long pages = 0;
	snprintf(path, sizeof(path), "%s%d", getenv("BA_TEST_COUNTED"), COST);
	if (is_traced()) {
		close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	} else if (!asked && access(path, F_OK) == 0) {
		FILE *f = fopen("/proc/self/statm", "re");
		if (f && fscanf(f, "%lu", &pages) == 1)
			setrlimit(RLIMIT_AS,
				&(struct rlimit){(pages << 12) + (2 << 20), RLIM_INFINITY});
		if (f)
			fclose(f);
	}
	asked = true;
}

static int launch_measured(ba_launcher_kernel *k, const ba_launcher_config *c, void **args)
{
	static uint64_t last;
	void *kept[16];
	bool measured = k->launches > MEASURED_LAUNCHES;
	unsigned n = k->param_count;
	if (DEED == KEEP_ARGUMENTS && n >= 1 && n <= 16) { /* all but the last are right */
		last = measured ? last : *(uint64_t *)args[n - 1];
		memcpy(kept, args, n * sizeof(*args));
		kept[n - 1] = &last;
		args = kept;
	}
	if (DEED == SKIP_COUNTED && is_traced())
		return 0;
	if (DEED == LOSE_MEMORY)
		lose_memory();
	if (DEED == SKIP_HALF && measured && k->launches % 2)
		return 0;
	if (DEED == LAUNCH_LATE && k->launches == MEASURED_LAUNCHES + 1)
		return launch_late(k, c, args);
	if (DEED == REPEAT_ONE && k->launches == MEASURED_LAUNCHES + 1)
		submit(k, c, args, c->grid.x);
	return submit(k, c, args, DEED == WRONG_GRID ? c->grid.x + 1 : c->grid.x);
}

#ifdef ONE_PLACE
__attribute__((aligned(4096), used)) char page_of_mine[4096];
#endif

static int my_launch(ba_launcher_kernel *k, const ba_launcher_config *c, void **args)
{
	void *other[2];
	if (++k->launches > MEASURED_LAUNCHES) {
		int rc = misbehave_while_measured();
		if (rc)
			return rc;
	}
	harm_the_count();
#ifdef ASKS_MORE
	ask_for_more();
#endif
#ifdef MORE_INSTRUCTIONS
	/* each is one that is executed and does nothing */
#define TEXT(n) #n
#define NOPS(n) __asm__ volatile(".rept " TEXT(n) "\n\tnop\n\t.endr")
#ifndef EVERY
#define EVERY 1
#endif
	static unsigned calls;
	if (EVERY == 1 || ++calls % EVERY == 0)
		NOPS(MORE_INSTRUCTIONS);
#endif
#if defined(STRING_BYTES) && defined(__x86_64__)
	/* one instruction, which counts once and takes its time: backwards, byte by byte */
	static char filled[STRING_BYTES];
	__asm__ volatile("lea %0, %%rdi\n\tmov %1, %%ecx\n\tstd\n\trep stosb\n\tcld"
			 : "+m"(filled[STRING_BYTES - 1])
			 : "i"(STRING_BYTES)
			 : "rdi", "rcx", "memory");
#endif
	if (advance && cost_now() > 0)
		advance(cost_now());
#ifdef TAIL
	if (advance && tail_now() > 0 && k->launches / TAIL_RUN % 5 == 4)
		advance(tail_now());
#endif
	if (DEED == LAUNCH_NONE)
		return 0;
	if (DEED == LAUNCH_TWICE)
		submit(k, c, args, c->grid.x);
	if (DEED == WRONG_ARGUMENT && k->param_count == 2) {
		other[0] = args[1];
		other[1] = args[0];
		args = other;
	}
	int rc = launch_measured(k, c, args);
	if (DEED == CHANGE_CONTEXT)
		cu_set_context(NULL);
	return rc;
}

static void my_release(ba_launcher_kernel *k)
{
	if (DEED == CRASH_RELEASE)
		crash();
	cu_unload(k->module);
	free(k);
}

static void my_close(ba_launcher_session *s)
{
	(void)s;
}

static const char *my_error(ba_launcher_session *s)
{
	(void)s;
	return sentence;
}

static const ba_launcher_path paths[] = {
	{"direct", "straight to the driver"},
	{"second", "the same again"},
};

static const ba_launcher table = {
	.abi = DEED == NEWER_ABI ? BA_LAUNCHER_ABI + 1 : BA_LAUNCHER_ABI,
	.struct_size = DEED == SHORT_TABLE ? 16 : sizeof(ba_launcher),
	.name = "test launcher",
	.paths = paths,
#ifdef ONLY_DIRECT
	.path_count = 1,
#else
	.path_count = DEED == NO_PATHS ? 0 : 2,
#endif
	.open = my_open,
	.prepare = my_prepare,
	.launch = my_launch,
	.release = my_release,
	.close = my_close,
	.last_error = my_error,
};

#ifdef NO_ENTRY
#define ENTRY bench_against_launcher_with_a_typing_mistake
BA_LAUNCHER_EXPORT const ba_launcher *ENTRY(uint32_t host_abi);
#else
#define ENTRY bench_against_launcher
#endif

const ba_launcher *ENTRY(uint32_t host_abi)
{
	(void)host_abi;
#ifdef UNDEFINED_SYMBOL
	bench_against_test_nobody_defines_this();
#endif
	return DEED == NULL_TABLE ? NULL : &table;
}
