// A library with two fatbins in the section of device code, the first followed by FATBIN bytes, between
// host code and what it refers to: with another number all of that moves. CHANGE: one thing that
// really differs. MANY: only what is the same in all of them, and takes the compiler longest.
#ifdef MANY
// enough for tables whose numbers could be distances to anything
template <int n> __attribute__((noinline)) int many(int x) { return many<n - 1>(x * n) + 1; }
template <> int many<0>(int x) { return x; }
extern "C" int all_of_many(int x) { return many<240>(x); }
#else
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#ifndef CHANGE
#define CHANGE 0
#endif
#define TEXT(x) #x
#define WORDS(x) TEXT(x)
#define HEAD ".balign 8\n.long 0xba55ed50\n.short 1, 16\n.quad 0\n"
__asm__(".section .nv_fatbin, \"a\"\n.balign 8\ndevice_code:\n" HEAD ".skip " WORDS(
	FATBIN) "\n.balign 8\nmore_code:\n" HEAD ".skip 100\n.previous\n");
extern "C" const char device_code[] __attribute__((visibility("hidden")));
extern "C" const char more_code[] __attribute__((visibility("hidden")));
// as the registration of device code has them
const char *volatile wrapper[] = {device_code, CHANGE == 8 ? device_code : more_code};

// of pages, so that a constant may differ by as much as an address moves
enum { ITEMS = CHANGE == 1 ? 8192 : 4096 };
static int first[9000], second[9000];
static volatile int initial[] = {1, 2, CHANGE == 2 ? 4 : 3};
static thread_local int mine __attribute__((aligned(CHANGE == 9 ? 64 : 16))) = 7;
#define GLOBAL __attribute__((tls_model("global-dynamic")))
static thread_local int yours GLOBAL = 8, theirs GLOBAL = 9;

struct shape {
	virtual int area(int n) { return n; }
	virtual int edges(int n) { return n + 1; }
	virtual ~shape() {}
};
struct square : shape {
	int area(int n) override { return n * n; }
};

static int one(int n) { return n + 1; }
static int two(int n) { return n + 2; }
int (*volatile steps[])(int) = {one, CHANGE == 3 ? one : two};

extern "C" int yours_or_theirs(int n)
{
	return n ? (CHANGE == 10 ? theirs : yours)++ : (CHANGE == 10 ? yours : theirs)++;
}

// which of them ends the process if work() throws is only in the tables for unwinding
extern "C" int work(int n);
extern "C" int careful(int n) noexcept(CHANGE != 11) { return work(n) + 1; }
extern "C" int careless(int n) noexcept(CHANGE == 11) { return work(n) + 1; }

int work(int n)
{
	shape *s = n > 3 ? new square : new shape;
	int sum = CHANGE == 4 ? s->edges(n) : s->area(n);
	delete s;
	try {
		switch (n) {
		case 0: puts("zero"); break;
		case 1: puts(CHANGE == 5 ? "ono" : "one"); break;
		case 2: sum += initial[mine++ % 3]; break;
		case 3: throw std::runtime_error("three");
		case 4: sum += second[n + rand()]; break;
		case 5: sum += steps[n & 1](n); break;
		case 6: printf("%d\n", n); break;
		}
#if CHANGE == 6
	} catch (const std::logic_error &e) {
#else
	} catch (const std::runtime_error &e) {
#endif
		puts(e.what());
	}
	for (int i = 0; i < n && i < ITEMS; i++)
		(CHANGE == 7 ? second : first)[i] += sum;
	return wrapper[0][0] + sum + first[n];
}
#endif
