/* The fake driver's time, queue and mishaps. One lock: tests may use threads; and few instructions
 * a launch: tests count them, by traps. */
#include "fake_cuda.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/rng.h"
#include "nulldriver/api.h"
#include "nulldriver/parts.h"
#include "script.h"

static bool locked;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static script plan;
static int64_t now_ns = INT64_C(1000000000);
static uint64_t launches;
static uint64_t jitter_state;
static cu_result lost;	/* the error that lost the context */
static int64_t busy_ns; /* device time so far: the clock ramps up with it */
static object default_stream;

/* when the launches in flight will be done, oldest first */
static struct {
	int64_t done_ns[65536];
	size_t first, count;
} queue;

static void read_script(const char *text)
{
	char problem[256];
	if (!script_parse(&plan, text, problem, sizeof(problem))) {
		fprintf(stderr, "%s\n", problem);
		_exit(70);
	}
}

static void start(void)
{
	read_script(getenv(BA_FAKE_ENV));
	jitter_state = (uint64_t)plan.seed;
}

static void enter(void)
{
	pthread_once(&once, start);
	while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void leave(void)
{
	__atomic_clear(&locked, __ATOMIC_RELEASE);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

EXPORT int64_t ba_fake_now_ns(void)
{
	enter();
	now_ns += plan.clock_ns;
	int64_t t = now_ns;
	leave();
	return t;
}

EXPORT void ba_fake_advance_ns(int64_t ns)
{
	enter();
	now_ns += ns > 0 ? ns : 0;
	leave();
}

EXPORT uint64_t ba_fake_launches(void)
{
	enter();
	uint64_t n = launches;
	leave();
	return n;
}

static void do_deed(const script_event *e)
{
	if (e->deed == DEED_CRASH) {
		/* past the sanitizers, which would make an exit status of it */
		const unsigned long all_default[8] = {0};
		syscall(SYS_rt_sigaction, SIGSEGV, all_default, NULL, 8);
		raise(SIGSEGV);
	}
	while (e->deed == DEED_HANG)
		pause();
}

/* what the script has in store for this call, or NULL */
static const script_event *due(const char *call)
{
	const script_event *found = NULL;
	for (size_t i = 0; i < plan.event_count; i++) {
		script_event *e = &plan.events[i];
		if (strcmp(e->call, call) != 0)
			continue;
		e->calls++;
		if (!found && (!e->at || e->at == e->calls))
			found = e;
	}
	return found;
}

static bool loses_context(cu_result r)
{
	return r == BA_CU_ILLEGAL_ADDRESS || r == BA_CU_LAUNCH_TIMEOUT ||
	       r == BA_CU_LAUNCH_FAILED || (r >= 714 && r <= 718);
}

/* CUDA_ERROR_NOT_PERMITTED for a launch where a driver's threads may run, too */
static cu_result stays_apart(const char *call)
{
	static cpu_set_t init;
	cpu_set_t now;

	if (!strcmp(call, "cuInit"))
		sched_getaffinity(0, sizeof(init), &init);
	if (strncmp(call, "cuLaunch", 8) != 0)
		return 0;
	sched_getaffinity(0, sizeof(now), &now);
	CPU_AND(&now, &now, &init);
	return CPU_COUNT(&now) ? 800 : 0;
}

cu_result fake_enter(const char *call)
{
	bool launch = call[2] == 'L' && !strncmp(call, "cuLaunch", 8);
	if (!launch && !strncmp(call, "cuGetError", 10))
		return 0;
	enter();
	const script_event *e = due(call);
	if (*plan.lost && !lost && access(plan.lost, F_OK) == 0)
		lost = BA_CU_LAUNCH_FAILED;
	cu_result result = lost;
	if (plan.apart && !result)
		result = stays_apart(call);
	if (e && e->deed == DEED_FAIL) {
		result = e->result;
		if (loses_context(result))
			lost = result;
	}
	if (!launch)
		now_ns += plan.call_ns;
	leave();
	if (e && e->deed != DEED_FAIL)
		do_deed(e);
	return result;
}

static object *stream_of(cu_stream stream)
{
	object *o = (uintptr_t)stream > 2 ? object_of(stream, OBJECT_STREAM) : NULL;
	return o ? o : &default_stream;
}

static double current_mhz(void)
{
	double share = plan.ramp_ms ? (double)busy_ns / ((double)plan.ramp_ms * 1e6) : 1;
	if (share > 1)
		share = 1;
	return (double)plan.idle_mhz + share * (double)(plan.mhz - plan.idle_mhz);
}

/* the spin kernel is known by name: its time is its parameter, its report goes to the
 * host memory it was given */
static int64_t kernel_ns(cu_function function, void **params, int64_t begin)
{
	object *f = object_of(function, OBJECT_FUNCTION);
	if (!f || strcmp(f->text, "ba_null") == 0)
		return plan.drain_ns;
	if (!strncmp(f->text, "ba_test_ns_", 11))
		return strtoll(f->text + 11, NULL, 10);
	if (!strcmp(f->text, "ba_read") && params)
		return fake_read_ns(*(const uint64_t *)params[0], 16 * *(const uint64_t *)params[1],
			(int)plan.l2_sticky);
	if (strcmp(f->text, "ba_spin") != 0 || !params)
		return plan.drain_ns;
	uint64_t ns, out;
	memcpy(&ns, params[0], sizeof(ns));
	memcpy(&out, params[2], sizeof(out));
	uint64_t *report = (uint64_t *)(uintptr_t)out;
	if (object_of_memory(report)) {
		report[0] = (uint64_t)begin;
		report[1] = (uint64_t)begin + ns;
		report[2] = 0;
		report[3] = (uint64_t)((double)ns * current_mhz() / 1e3);
		report[4] = ns / 32;
		report[5] = 32;
	}
	return (int64_t)ns;
}

static void drop_done(void)
{
	while (queue.count && queue.done_ns[queue.first] <= now_ns) {
		queue.first = (queue.first + 1) % 65536;
		queue.count--;
	}
}

cu_result fake_submit(cu_function function, cu_stream stream, void **params)
{
	enter();
	now_ns += plan.launch_ns;
	if (plan.jitter_ns)
		now_ns += (int64_t)(ba_splitmix64(&jitter_state) % (uint64_t)(plan.jitter_ns + 1));
	drop_done();
	if (queue.count >= (size_t)plan.depth) {
		/* no slot: wait for the oldest to finish */
		now_ns = later(now_ns, queue.done_ns[queue.first]);
		drop_done();
	}
	object *s = stream_of(stream);
	int64_t begin = later(now_ns, s->at_ns);
	int64_t ns = kernel_ns(function, params, begin);
	busy_ns += ns;
	s->at_ns = begin + ns;
	queue.done_ns[(queue.first + queue.count++) % 65536] = s->at_ns;
	launches++;
	leave();
	return 0;
}

void fake_fill_queued(cu_deviceptr to, size_t bytes, cu_stream stream)
{
	enter();
	object *s = stream_of(stream);
	s->at_ns = later(now_ns, s->at_ns) + fake_write_ns(to, bytes, (int)plan.l2_sticky);
	leave();
}

/* NULL: when every stream will be done */
static int64_t end_of(cu_stream stream)
{
	if (stream)
		return stream_of(stream)->at_ns;
	int64_t end = default_stream.at_ns;
	for (const object *o = NULL; (o = object_next(OBJECT_STREAM, o));)
		end = later(end, o->at_ns);
	return end;
}

cu_result fake_drain(cu_stream stream)
{
	enter();
	now_ns = later(now_ns, end_of(stream)) + plan.sync_ns;
	leave();
	return 0;
}

cu_result fake_idle(cu_stream stream)
{
	enter();
	cu_result r = end_of(stream) <= now_ns ? BA_CU_SUCCESS : BA_CU_NOT_READY;
	leave();
	return r;
}

void fake_event_record(cu_event event, cu_stream stream)
{
	enter();
	object *e = object_of(event, OBJECT_EVENT);
	if (e)
		e->at_ns = later(now_ns, stream_of(stream)->at_ns);
	leave();
}

cu_result fake_event_idle(cu_event event)
{
	enter();
	object *e = object_of(event, OBJECT_EVENT);
	cu_result r = !e		   ? BA_CU_INVALID_HANDLE
		      : e->at_ns <= now_ns ? BA_CU_SUCCESS
					   : BA_CU_NOT_READY;
	leave();
	return r;
}

void fake_event_drain(cu_event event)
{
	enter();
	object *e = object_of(event, OBJECT_EVENT);
	if (e)
		now_ns = later(now_ns, e->at_ns);
	leave();
}

float fake_elapsed_ms(cu_event start_event, cu_event end_event)
{
	enter();
	object *a = object_of(start_event, OBJECT_EVENT);
	object *b = object_of(end_event, OBJECT_EVENT);
	int64_t tick = plan.event_tick_ns;
	int64_t ns = a && b ? (b->at_ns / tick - a->at_ns / tick) * tick : 0;
	leave();
	return (float)((double)ns / 1e6);
}

const char *fake_device_name(void)
{
	pthread_once(&once, start);
	return plan.name[0] ? plan.name : HOOK_MARK_TEXT;
}

size_t fake_memory_bytes(void)
{
	pthread_once(&once, start);
	return (size_t)plan.memory;
}

/* ---- which of several ---- */

static int chosen;

int fake_device_count(void)
{
	pthread_once(&once, start);
	return (int)plan.devices;
}

void fake_choose_device(int ordinal)
{
	char name[32], text[2048];
	const char *common = getenv(BA_FAKE_ENV);
	snprintf(name, sizeof(name), BA_FAKE_ENV "_%d", ordinal);
	const char *own = getenv(name);
	pthread_once(&once, start);
	chosen = ordinal;
	if (!own)
		return;
	snprintf(text, sizeof(text), "%s;%s", common ? common : "", own);
	read_script(text);
}

const char *fake_uuid(void)
{
	static char uuid[17];
	snprintf(uuid, sizeof(uuid), "FAKE-FAKE-FAKE-%d", chosen);
	return uuid;
}

const char *fake_pci_bus_id(void)
{
	static char id[16];
	snprintf(id, sizeof(id), "FAKE:0%d:00.0", chosen);
	return id;
}

int fake_mps(void)
{
	pthread_once(&once, start);
	return (int)plan.mps;
}
