#include <benchmark/benchmark.h>
#include <fmt/os.h>

static void output_file(benchmark::State &state)
{
	std::string text(10000, '1');
	for (auto _ : state) {
		auto out = fmt::output_file("/dev/null");
		out.print("{}", text);
	}
}
BENCHMARK(output_file);
BENCHMARK_MAIN();
