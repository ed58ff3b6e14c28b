#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <iterator>

static void back_inserter(benchmark::State &state)
{
	const int number = 42;
	for (auto _ : state) {
		std::string s = "Some pretty long string where we append id ";
		fmt::format_to(std::back_inserter(s), "{} and some trailing string", number);
		benchmark::DoNotOptimize(s);
	}
}
BENCHMARK(back_inserter);
BENCHMARK_MAIN();
