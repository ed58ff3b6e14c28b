// A library with everything in it that has an address; moved_check() uses all of it.
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <unwind.h>

#define EXPORT __attribute__((visibility("default")))

namespace {

struct Shape {
	virtual ~Shape() = default;
	virtual int sides() const = 0;
};
struct Triangle : Shape {
	int sides() const override { return 3; }
};
struct Square : Shape {
	int sides() const override { return 4; }
};

int constructed;
struct Constructor {
	Constructor() { constructed += 7; }
} constructor;

__attribute__((constructor)) void construct() { constructed += 11; }

int one() { return 1; }
int two() { return 2; }
int (*const table[])() = {one, two};
int (*volatile changing[])() = {two, one};
const char *const words[] = {"first", "second"};

thread_local int counted = 5;
thread_local std::string text = "a word of this thread";
#ifdef PAGE
alignas(4096)
#else
alignas(16)
#endif
double aligned[4] = {1, 2, 3, 4};
int zeros[3000];
#ifdef WIDE
alignas(32) double wide[4] = {5, 6, 7, 8};
#endif

int depth;
_Unwind_Reason_Code frame(_Unwind_Context *, void *)
{
	depth++;
	return _URC_NO_REASON;
}

__attribute__((noinline)) int thrower(int x)
{
	std::string owner = "destroyed on the way";
	if (x > 2)
		throw std::out_of_range(owner);
	return x;
}

__attribute__((noinline)) int jump(int x)
{
	switch (x) {
	case 0: return 10;
	case 1: return zeros[7] + 21;
	case 2: return static_cast<int>(aligned[1]) + 30;
	case 3: return 43 * constructed;
	case 4: return 54 + counted;
	case 5: return -65;
	default: return 0;
	}
}

} // namespace

extern "C" {

static int chosen() { return 42; }
__attribute__((visibility("hidden"))) int (*moved_choose())() { return chosen; }
EXPORT int moved_chosen() __attribute__((ifunc("moved_choose")));
/* one that no symbol stands for outside */
__attribute__((visibility("hidden"))) int moved_chosen_here()
	__attribute__((ifunc("moved_choose")));
#ifdef INITIAL_EXEC
EXPORT __attribute__((tls_model("initial-exec"))) thread_local int moved_static = 9;
#else
EXPORT thread_local int moved_static = 9;
#endif
EXPORT int moved_data = 3;
EXPORT int *moved_pointer = &moved_data;
EXPORT __attribute__((weak)) void moved_nobody();

// The number of the first thing that is wrong, or 0.
EXPORT int moved_check()
{
	Triangle triangle;
	Square square;
	const Shape *shapes[] = {&triangle, &square};
	volatile int second = 1;
	if (constructed != 18)
		return 1;
	if (table[second]() != 2 || changing[second]() != 1)
		return 2;
	if (std::strcmp(words[second], "second") != 0)
		return 3;
	if (shapes[second]->sides() != 4 || !dynamic_cast<const Square *>(shapes[second]))
		return 4;
	if (std::strcmp(typeid(*shapes[0]).name(), typeid(Triangle).name()) != 0)
		return 5;
	if (++counted != 6 || text != "a word of this thread" || ++moved_static != 10)
		return 6;
	counted--;
	moved_static--;
	if (reinterpret_cast<std::uintptr_t>(aligned) % 16 || aligned[second] != 2)
		return 7;
	for (int zero : zeros)
		if (zero)
			return 8;
	if (moved_chosen() != 42 || moved_chosen_here() != 42 || moved_pointer != &moved_data || moved_nobody)
		return 9;
	try {
		thrower(second + 2);
		return 10;
	} catch (const std::out_of_range &e) {
		if (std::string(e.what()) != "destroyed on the way")
			return 11;
	}
#ifdef WIDE
	double copy[4] = {};
	if (__builtin_cpu_supports("avx"))
		__asm__ volatile("vmovapd %1, %%ymm0\n\tvmovupd %%ymm0, %0"
				 : "=m"(copy)
				 : "m"(wide)
				 : "xmm0");
	if (__builtin_cpu_supports("avx") && copy[3] != 8)
		return 14;
#endif
	_Unwind_Backtrace(frame, nullptr);
	if (depth < 3)
		return 12;
	depth = 0;
	if (jump(second) != 21 || jump(2) != 32 || jump(3) != 774 || jump(4) != 59)
		return 13;
	return 0;
}

} // extern "C"
