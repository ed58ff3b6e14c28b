#include "counter/counter.h"

#include <sys/mman.h>

#include "counter/row.h"

#ifdef __x86_64__
/* Is there a `syscall` instruction at that address of this process? */
__attribute__((no_sanitize("address", "undefined"))) static bool is_syscall(uint64_t at)
{
	const volatile unsigned char *code = (const unsigned char *)(uintptr_t)at;
	return code[0] == 0x0f && code[1] == 0x05;
}
#define SYSCALL_BYTES 2u
#endif

size_t ba_counter_normalise(uint64_t *addresses, size_t n)
{
	size_t missing = 0;
#ifdef __x86_64__
	/* The kernel returns with the flag set, and the trap comes after the next
	 * instruction. */
	for (size_t i = 0; i + 1 < n; i++)
		missing += is_syscall(addresses[i]) &&
			   addresses[i + 1] != addresses[i] + SYSCALL_BYTES;
	if (missing == 0)
		return n;
	size_t to = n + missing;
	for (size_t i = n; i-- > 0;) {
		bool adds = i + 1 < n && is_syscall(addresses[i]) &&
			    addresses[to] != addresses[i] + SYSCALL_BYTES;
		uint64_t here = addresses[i];
		if (adds)
			addresses[--to] = here + SYSCALL_BYTES;
		addresses[--to] = here;
	}
#else
#endif
	return n + missing;
}

/* the most counted instructions that do not belong to the call */
#define BESIDE_THE_CALL 8u
#define STEPS_MOST ((uint64_t)1 << 32)

static const ba_counter_row *const rows[BA_COUNTER_WAYS] = {
	[BA_COUNTER_FLAG] = &ba_counter_flag,
	[BA_COUNTER_PTRACE] = &ba_counter_ptrace,
	[BA_COUNTER_HARDWARE] = &ba_counter_hardware,
};

const char *ba_counter_way_name(ba_counter_way way)
{
	return rows[way]->name;
}

int ba_counter_way_from_name(const char *name)
{
	for (int i = 0; i < BA_COUNTER_WAYS; i++)
		if (strcmp(rows[i]->name, name) == 0)
			return i;
	if (strcmp(name, "auto") != 0)
		return -1;
#ifdef __x86_64__
	return BA_COUNTER_FLAG;
#else
	return BA_COUNTER_PTRACE;
#endif
}

static void *map(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

static int map_room(ba_counter *c, ba_error *err)
{
	c->room = 2 * (size_t)(c->most + BESIDE_THE_CALL);
	c->shared = map(sizeof(*c->shared));
	c->addresses = map(c->room * sizeof(*c->addresses));
	if (!c->shared || !c->addresses)
		return ba_fail_errno(err, BA_EIO,
			"no memory for the addresses of %llu instructions",
			(unsigned long long)c->most);
	return 0;
}

static void unmap_room(ba_counter *c)
{
	if (c->shared)
		munmap(c->shared, sizeof(*c->shared));
	if (c->addresses)
		munmap(c->addresses, c->room * sizeof(*c->addresses));
}

/* One instruction. It is in assembly so that no compiler makes it two. */
void ba_counter_nothing(void);
#ifdef __x86_64__
__asm__(".text\n"
	".type ba_counter_nothing, @function\n"
	"ba_counter_nothing:\n\tret\n"
	".size ba_counter_nothing, .-ba_counter_nothing\n");
#elif defined(__aarch64__)
__asm__(".text\n"
	".type ba_counter_nothing, %function\n"
	"ba_counter_nothing:\n\tret\n"
	".size ba_counter_nothing, .-ba_counter_nothing\n");
#else
void ba_counter_nothing(void) {}
#endif

static int fail_stopped(const ba_counter *c, ba_error *err)
{
	static const char *const why[] = {
		[BA_STOP_STARTS] = "starts a process or a thread",
		[BA_STOP_HANDLER] =
			"sets a handler for SIGTRAP, the signal that counts instructions",
		[BA_STOP_RAISES] = "raises SIGTRAP, the signal that counts instructions",
		[BA_STOP_LOST] = "ends the counting of its instructions",
	};
	switch (c->shared->stop) {
	case BA_STOP_DENIED:
		return ba_fail(err, BA_EUNSUPPORTED,
			"a process may not trace its parent here (ptrace: %s)",
			strerror(c->shared->error));
	case BA_STOP_MOST:
		return ba_fail(err, BA_EVARIANT, "executes more than %llu instructions",
			(unsigned long long)c->most);
	default:
		return ba_fail(err, BA_EVARIANT, "%s", why[c->shared->stop]);
	}
}

int ba_counter_run(ba_counted *out, ba_counter *c, const ba_counter_call *call, ba_error *err)
{
	*out = (ba_counted){0};
	ba_counter_shared *s = c->shared;
	s->used = 0;
	s->repeats = 0;
	s->most = c->most + BESIDE_THE_CALL;
	s->stop = BA_STOP_NONE;
	out->result = c->row->run(c, call);
	if (s->stop == BA_STOP_MOST)
		out->instructions = c->most + 1;
	if (s->stop)
		return fail_stopped(c, err);
	uint64_t counted = s->used;
	if (c->row->has_addresses) {
		counted = ba_counter_normalise(c->addresses, (size_t)s->used);
		out->addresses = c->addresses;
	}
	if (counted + 1 < c->empty)
		return ba_fail(err, BA_EVARIANT, "ends the counting of its instructions");
	out->instructions = counted + 1 - c->empty;
	if (out->instructions <= c->most)
		return 0;
	s->stop = BA_STOP_MOST;
	return fail_stopped(c, err);
}

/* Measures what this way counts for an empty call. If the number varies, it cannot
 * count. */
static int measure_empty(ba_counter *c, ba_error *err)
{
	const ba_counter_call call = {.function = ba_counter_nothing};
	ba_counted counted;
	c->empty = 1;
	int rc = ba_counter_run(&counted, c, &call, err);
	uint64_t first = counted.instructions;
	rc = rc ? rc : ba_counter_run(&counted, c, &call, err);
	if (rc == BA_EUNSUPPORTED)
		return rc;
	if (rc || first == 0 || counted.instructions != first ||
		(c->row->has_addresses &&
			c->addresses[0] != (uint64_t)(uintptr_t)ba_counter_nothing))
		return ba_fail(err, BA_EUNSUPPORTED,
			"this machine does not step through instructions (%s)", c->row->name);
	c->empty = first;
	return 0;
}

static void walk(void)
{
	for (volatile int i = 0; i < 200; i++)
		;
}

/* Does single-stepping on this machine give the same count? */
static int check_by_steps(ba_counter *c, ba_error *err)
{
	const ba_counter_call call = {.function = walk};
	ba_counted own, stepped;
	ba_counter *steps = NULL;
	if (ba_counter_open(&steps, BA_COUNTER_FLAG, c->most, NULL) &&
		ba_counter_open(&steps, BA_COUNTER_PTRACE, c->most, NULL))
		return 0;
	int rc = ba_counter_run(&own, c, &call, err);
	rc = rc ? rc : ba_counter_run(&stepped, steps, &call, err);
	if (rc == 0 && own.instructions != stepped.instructions)
		rc = ba_fail(err, BA_EUNSUPPORTED,
			"the processor's counter counts %llu instructions where single steps count %llu",
			(unsigned long long)own.instructions,
			(unsigned long long)stepped.instructions);
	ba_counter_free(steps);
	return rc;
}

int ba_counter_open(ba_counter **out, ba_counter_way way, uint64_t most, ba_error *err)
{
	ba_counter *c = calloc(1, sizeof(*c));
	if (!c)
		return ba_fail_errno(err, BA_EIO, "memory for a counter");
	c->row = rows[way];
	c->most = most < STEPS_MOST ? most : STEPS_MOST;
	c->fd = -1;
	int rc = map_room(c, err);
	rc = rc ? rc : c->row->open(c, err);
	rc = rc ? rc : measure_empty(c, err);
	if (rc == 0 && way == BA_COUNTER_HARDWARE)
		rc = check_by_steps(c, err);
	if (rc)
		ba_counter_free(c);
	else
		*out = c;
	return rc;
}

void ba_counter_free(ba_counter *c)
{
	if (!c)
		return;
	ba_counter_free(c->quick);
	c->row->close(c);
	unmap_room(c);
	free(c);
}

ba_counter *ba_counter_quick(ba_counter *c)
{
	if (!c->asked && c->row->has_addresses)
		ba_counter_open(&c->quick, BA_COUNTER_HARDWARE, c->most, NULL);
	c->asked = true;
	return c->quick;
}

double ba_counter_step_ns(ba_counter_way way)
{
	const ba_counter_call call = {.function = walk};
	ba_counted counted = {0};
	ba_counter *c = NULL;
	if (ba_counter_open(&c, way, 1u << 16, NULL))
		return 0;
	int64_t start = ba_now_ns();
	int rc = ba_counter_run(&counted, c, &call, NULL);
	double took = (double)(ba_now_ns() - start);
	ba_counter_free(c);
	return rc || !counted.instructions ? 0 : took / (double)counted.instructions;
}
