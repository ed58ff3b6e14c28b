#!/bin/sh
# google_library.sh BUILD: the real library, if it is installed: fixtures, PauseTiming, threads, manual
# time, SkipWithError and counters are measured, timed and named as the program means them.
set -u
build=$1
. "$(dirname "$0")/repo.sh"
fail()
{
	echo "google_library.sh: $*" >&2
	cat "$top/out" >&2
	exit 1
}
cat >bench.cc <<'END_OF_SOURCE'
#include <benchmark/benchmark.h>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>
static void wait_us(int us)
{
  auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(us);
  while (std::chrono::steady_clock::now() < end) {}
}
struct Numbers : benchmark::Fixture
{
  std::vector<int> all;
  void SetUp(const benchmark::State &state) override { all.assign(state.range(0), 1); }
  void TearDown(const benchmark::State &) override { all.clear(); }
};
BENCHMARK_DEFINE_F(Numbers, BM_fixture)(benchmark::State &state)
{
  for (auto _ : state) wait_us(static_cast<int>(all.size()));
  state.counters["size"] = static_cast<double>(all.size()) + MORE;
}
BENCHMARK_REGISTER_F(Numbers, BM_fixture)->Arg(50);
static void BM_pause(benchmark::State &state)
{
  for (auto _ : state)
  {
    state.PauseTiming();
    wait_us(500);
    state.ResumeTiming();
    wait_us(50);
  }
}
BENCHMARK(BM_pause);
static void BM_threads(benchmark::State &state)
{
  for (auto _ : state) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
BENCHMARK(BM_threads)->Threads(2)->UseRealTime();
static void BM_manual(benchmark::State &state)
{
  for (auto _ : state) state.SetIterationTime(0.001);
}
BENCHMARK(BM_manual)->UseManualTime();
static void BM_error(benchmark::State &state)
{
  state.SkipWithError("it cannot be opened");
  for (auto _ : state) {}
}
BENCHMARK(BM_error);
BENCHMARK_MAIN();
END_OF_SOURCE
for more in 0 1; do
	c++ -O1 -std=c++17 -DMORE=$more bench.cc -o "$top/bench-$more" -lbenchmark -lpthread 2>"$top/out" || {
		echo "Google Benchmark is not installed, or there is no C++ compiler" >&2
		exit 77
	}
done
echo bench >.gitignore
printf '{"target": "host", "build": {"commands": [["sh", "build.sh"]]}, "suites": {"g": {"kind": "google-benchmark", "command": ["./bench"]}}}\n' \
	>.bench-against.json
for more in 0 1; do
	echo "cp $top/bench-$more bench" >build.sh
	git add -A && git commit -q -m "$more" && git tag "more-$more"
done
"$build/bin/bench-against" more-0 more-1 --metrics host --fixed 4 --blocks 4 -o "$top/r.json" >"$top/out" 2>&1
[ -f "$top/r.json" ] || fail "no results"
python3 - "$top/r.json" <<'END_OF_SCRIPT' || fail "not as the program means it"
import json, sys
d = json.load(open(sys.argv[1]))
text = json.dumps(d)
ns = {}
for s in d["series"]:
    name = d["benchmarks"][s["benchmark"]]["id"]
    ns[name] = s["variants"][0].get("mean_ns")
    verdict = s["comparisons"][0]["verdict"]
    assert (verdict == "failed") == (name == "g/BM_error"), (name, verdict)
assert set(ns) == {"g/Numbers/BM_fixture/50", "g/BM_pause", "g/BM_error", "g/BM_manual/manual_time",
                   "g/BM_threads/real_time/threads:2"}, ns
assert "it cannot be opened" in text
assert any("size 51, not 50 (+2 %)" in n for n in d["notes"]), d["notes"]
# it waits for 50 us at least; what is paused takes 500
assert 49e3 < ns["g/Numbers/BM_fixture/50"], ns
assert 49e3 < ns["g/BM_pause"], ns
assert abs(ns["g/BM_manual/manual_time"] / 1e6 - 1) < 1e-6, ns
assert ns["g/BM_threads/real_time/threads:2"] > 0.45e6, ns
END_OF_SCRIPT
