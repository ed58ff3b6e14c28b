// A library with FATBIN bytes in the section of device code, between host code and what it refers to:
// with another number all of that moves. CHANGE: one thing that really differs.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#ifndef CHANGE
#define CHANGE 0
#endif
#define TEXT(x) #x
#define WORDS(x) TEXT(x)
__asm__(".section .nv_fatbin, \"a\"\n.balign 8\ndevice_code: .skip " WORDS(FATBIN) "\n.previous\n");
extern "C" const char device_code[] __attribute__((visibility("hidden")));
// as the registration of device code has them
const char *volatile wrapper[] = {device_code, nullptr};

// of pages, so that a constant may differ by as much as an address moves
enum { ITEMS = CHANGE == 1 ? 8192 : 4096 };
static int first[9000], second[9000];
static volatile int initial[] = {1, 2, CHANGE == 2 ? 4 : 3};
static thread_local int mine = 7;

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

extern "C" int work(int n)
{
	shape *s = n > 3 ? new square : new shape;
	int sum = CHANGE == 4 ? s->edges(n) : s->area(n);
	delete s;
	try {
		switch (n) {
		case 0: puts("zero"); break;
		case 1: puts(CHANGE == 5 ? "ono" : "one"); break;
		case 2: sum += initial[mine % 3]; break;
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
