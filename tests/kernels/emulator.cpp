/* emulator.cpp -- the coroutines of a block, its shared memory, its copies under way */
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#include <csetjmp>
#include <ucontext.h>
#include <unistd.h>
#include "device/port.cuh"
#include "emulator_state.h"

namespace
{

/* shared addresses start here, so that an offset taken for an address is found */
const uint32_t shared_start = 0x400;
const size_t stack_bytes = 256 * 1024;

struct copy {
	uint32_t target;
	const void *source; /* NULL: zeros */
};

struct thread {
	std::unique_ptr<char[]> stack;
	jmp_buf at; /* where it goes on; its stack is alive from the first turn on */
	bool started = false, done = false;
	std::vector<copy> copies;	       /* not committed */
	std::vector<std::vector<copy>> groups; /* committed, oldest first */
};

struct warp {
	int arrived = 0;
	uint64_t generation = 0;
	const char *what = nullptr;
	void *slots[32];
};

struct block {
	unsigned threads = 0;
	std::vector<warp> warps;
	std::vector<unsigned> order;
	unsigned arrived = 0;
	uint64_t barriers = 0;
	uint64_t idle = 0; /* resumptions since something moved */
	bool moved = false;
	/* threads that run only when nobody else can: what others may do before they
	 * have done their part, others will have done */
	unsigned slow_first = 0, slow_count = 0;
	const std::function<void()> *kernel;
	jmp_buf scheduler;
	thread *current = nullptr;
};

block *running;
thread pool[1024]; /* stacks live on from block to block */
std::vector<char> shared_bytes_held;
char *shared_base; /* 1024 aligned, within shared_bytes_held */
size_t shared_size;

/* _setjmp and _longjmp: swapcontext() would ask the kernel about signals each time */
void yield()
{
	if (_setjmp(running->current->at) == 0)
		_longjmp(running->scheduler, 1);
}

/* what each thread runs, block after block */
void live()
{
	for (;;) {
		(*running->kernel)();
		running->current->done = true;
		emulator_moved();
		yield();
	}
}

/* lets a thread go on until it waits or ends */
void resume(thread &t)
{
	ucontext_t first;

	running->current = &t;
	if (_setjmp(running->scheduler) != 0)
		return;
	if (t.started)
		_longjmp(t.at, 1);
	t.started = true;
	t.stack.reset(new char[stack_bytes]);
	getcontext(&first);
	first.uc_stack.ss_sp = t.stack.get();
	first.uc_stack.ss_size = stack_bytes;
	first.uc_link = nullptr;
	makecontext(&first, live, 0);
	setcontext(&first);
}

void land(const copy &c)
{
	char *target = emulator_shared(c.target, 16, 16);

	if (c.source)
		memcpy(target, c.source, 16);
	else
		memset(target, 0, 16);
}

} // namespace

emulator_dim threadIdx, blockIdx, blockDim, gridDim;
emulator_counts emulator_seen;

void emulator_fail(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "block %u,%u thread %u: ", blockIdx.x, blockIdx.y, threadIdx.x);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n");
	fflush(nullptr);
	_exit(1); /* not exit(): the stack is a coroutine's */
}

char *emulator_shared(uint32_t address, size_t bytes, size_t alignment)
{
	if (address % alignment != 0)
		emulator_fail(
			"shared address 0x%x is not at a multiple of %zu", address, alignment);
	if (address < shared_start || address - shared_start + bytes > shared_size)
		emulator_fail(
			"shared address 0x%x is outside of the %zu bytes", address, shared_size);
	return shared_base + (address - shared_start);
}

uint32_t emulator_shared_address(const void *pointer)
{
	return shared_start + (uint32_t)((const char *)pointer - shared_base);
}

char *shared_memory()
{
	return shared_base;
}

void emulator_moved()
{
	running->idle = 0;
	running->moved = true;
}

void emulator_await(const char *what, const std::function<bool()> &ready)
{
	while (!ready()) {
		if (running->idle++ > 8 * running->threads + 64)
			emulator_fail("deadlock: waits for %s", what);
		yield();
	}
	emulator_moved();
}

void emulator_together(const char *what, void *argument, const std::function<void(void **)> &work)
{
	warp &w = running->warps[threadIdx.x / 32];
	uint64_t generation = w.generation;

	if (w.arrived == 0)
		w.what = what;
	else if (strcmp(w.what, what) != 0)
		emulator_fail("the warp has diverged: %s here, %s in another lane", what, w.what);
	w.slots[threadIdx.x % 32] = argument;
	if (++w.arrived == 32) {
		emulator_seen.collectives++;
		work(w.slots);
		w.arrived = 0;
		w.generation++;
		emulator_moved();
		return;
	}
	emulator_await(what, [&w, generation] { return w.generation != generation; });
}

void __syncwarp()
{
	emulator_together("syncwarp", nullptr, [](void **) {});
}

void __syncthreads()
{
	uint64_t barrier = running->barriers;

	if (++running->arrived == running->threads) {
		running->arrived = 0;
		running->barriers++;
		emulator_moved();
		return;
	}
	emulator_await("syncthreads", [barrier] { return running->barriers != barrier; });
}

void emulator_copy(uint32_t target, const void *source, bool valid)
{
	if ((uintptr_t)source % 16 != 0)
		emulator_fail("cp.async from an address that is no multiple of 16");
	memset(emulator_shared(target, 16, 16), 0xff, 16);
	running->current->copies.push_back(copy{target, valid ? source : nullptr});
}

void emulator_copy_commit()
{
	thread *t = running->current;

	t->groups.push_back(std::move(t->copies));
	t->copies.clear();
}

void emulator_copy_wait(size_t pending)
{
	thread *t = running->current;

	while (t->groups.size() > pending) {
		std::for_each(t->groups.front().begin(), t->groups.front().end(), land);
		t->groups.erase(t->groups.begin());
	}
}

void emulator_banks(const uint32_t *addresses, int lanes, int bytes)
{
	uint32_t words[32];
	int count = 0;

	for (int i = 0; i < lanes; i++)
		for (int b = 0; b < bytes; b += 4) {
			uint32_t word = (addresses[i] + b) / 4;
			bool collides = false, same = false;

			for (int j = 0; j < count; j++) {
				same |= words[j] == word;
				collides |= words[j] % 32 == word % 32;
			}
			if (same)
				continue;
			emulator_seen.bank_conflicts += collides;
			words[count++] = word;
		}
}

/* lets each thread that is to run go on until it waits; are there any left? */
static bool run_round(block &b, bool slow)
{
	bool left = false;

	for (unsigned i : b.order) {
		if (pool[i].done || (i - b.slow_first < b.slow_count) != slow)
			continue;
		left = true;
		threadIdx = emulator_dim{i, 0, 0};
		resume(pool[i]);
	}
	return left;
}

static void run_block(block &b)
{
	bool left = true;

	while (left) {
		b.moved = false;
		left = run_round(b, false);
		if (!b.moved)
			left |= run_round(b, true);
		else
			left = true;
	}
}

/* another order with another seed; 0: all alike, in their order */
static void choose_order(block &b, unsigned seed)
{
	const unsigned threads = b.threads;

	b.order.clear();
	for (unsigned i = 0; i < threads; i++)
		b.order.push_back(i);
	b.slow_count = 0;
	if (seed == 0)
		return;
	for (unsigned i = 0; i < threads; i++)
		std::swap(b.order[i], b.order[i + rand() % (threads - i)]);
	/* a warp or a warpgroup falls behind */
	b.slow_count = seed % 2 ? 128 : 32;
	b.slow_first = rand() % ((threads + b.slow_count - 1) / b.slow_count) * b.slow_count;
}

void emulate(emulator_dim grid, unsigned threads, size_t shared_bytes, unsigned seed,
	const std::function<void()> &kernel)
{
	block b;

	if (threads == 0 || threads % 32 != 0 || threads > 1024)
		emulator_fail("a block of %u threads", threads);
	if (shared_bytes > 232448)
		emulator_fail("a block with %zu bytes of shared memory", shared_bytes);
	shared_bytes_held.resize(shared_bytes + 1024);
	shared_base = (char *)(((uintptr_t)shared_bytes_held.data() + 1023) & ~(uintptr_t)1023);
	shared_size = shared_bytes;
	gridDim = grid;
	blockDim = emulator_dim{threads, 1, 1};
	running = &b;
	b.kernel = &kernel;
	b.threads = threads;
	b.warps.resize(threads / 32);
	srand(seed);
	for (unsigned i = 0; i < grid.x * grid.y * grid.z; i++) {
		blockIdx = emulator_dim{i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y};
		memset(shared_base, 0xff, shared_bytes);
		for (unsigned t = 0; t < threads; t++) {
			pool[t].done = false;
			pool[t].copies.clear();
			pool[t].groups.clear();
		}
		b.idle = 0;
		choose_order(b, seed);
		emulator_hopper_begin();
		run_block(b);
		emulator_hopper_end();
	}
	running = nullptr;
}
