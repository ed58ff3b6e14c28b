// A plugin in C++ whose setup() throws through the tool, which is C.
#include <stdexcept>

#include "bench_against/suite.h"

struct ba_suite_session {
	int unused;
};

static int my_open(ba_suite_session **out, const ba_suite_host *)
{
	static ba_suite_session session;
	*out = &session;
	return 0;
}

static int my_setup(ba_suite_case **, ba_suite_session *, const ba_suite_setup *)
{
	throw std::runtime_error("no such kernel");
}

static int my_run(ba_suite_case *, const ba_suite_run *) { return 0; }
static void my_teardown(ba_suite_case *) {}
static void my_close(ba_suite_session *) {}
static const char *my_error(ba_suite_session *) { return ""; }

static const ba_suite_benchmark benchmarks[] = {
	{"work", nullptr, nullptr, 0, 0, nullptr, my_setup, my_run, nullptr, my_teardown}};
static const ba_suite table = {BA_SUITE_ABI, sizeof(ba_suite), "throws", benchmarks, 1,
	sizeof(ba_suite_benchmark), my_open, my_close, my_error};

const ba_suite *bench_against_suite(uint32_t)
{
	return &table;
}
