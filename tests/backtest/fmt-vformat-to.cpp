#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <iterator>

static void vformat_to(benchmark::State &state)
{
	fmt::string_view text = "Hello, {}. The answer is {} and {}.";
	int a = 1, b = 2345, c = 6789;
	auto args = fmt::make_format_args(a, b, c);
	for (auto _ : state) {
		fmt::basic_memory_buffer<char> buffer;
		fmt::vformat_to(std::back_inserter(buffer), text, args);
		benchmark::DoNotOptimize(buffer.data());
	}
}
BENCHMARK(vformat_to);
BENCHMARK_MAIN();
