// Names functions of Google Benchmark for bench-against, in a program whose symbols are stripped or that
// is optimised as a whole. Adds no code. CMake: bench_against::benchmark.
//
// The functions have no declarations here, because these differ from version to version, and one that
// this version does not have is null.

#define NAMED(id, symbol)                                           \
	extern "C" void id(void) __asm__(symbol) __attribute__((weak)); \
	static constexpr const char *const id##_name = symbol;

NAMED(run_all, "_ZN9benchmark22RunSpecifiedBenchmarksEv")
NAMED(run_with, "_ZN9benchmark22RunSpecifiedBenchmarksEPNS_17BenchmarkReporterES1_")
NAMED(run_shown, "_ZN9benchmark22RunSpecifiedBenchmarksEPNS_17BenchmarkReporterE")
NAMED(run_spec, "_ZN9benchmark22RunSpecifiedBenchmarksENSt7__cxx1112basic_stringIcSt11char_traits"
		"IcESaIcEEE")
NAMED(run_both_spec, "_ZN9benchmark22RunSpecifiedBenchmarksEPNS_17BenchmarkReporterES1_NSt7__cxx1112"
		     "basic_stringIcSt11char_traitsIcESaIcEEE")
NAMED(initialize, "_ZN9benchmark10InitializeEPiPPcPFvvE")
NAMED(initialize_old, "_ZN9benchmark10InitializeEPiPPc")
NAMED(randomise, "_ZN9benchmark23MaybeReenterWithoutASLREiPPc")
NAMED(reporter, "_ZN9benchmark17BenchmarkReporterC2Ev")
NAMED(old_state, "_ZN9benchmark5StateC2ElRKSt6vectorIlSaIlEEiiPNS_8internal11ThreadTimerEPNS6_13"
		 "ThreadManagerEPNS6_23PerfCountersMeasurementE")
NAMED(start, "_ZN9benchmark5State16StartKeepRunningEv")
NAMED(finish, "_ZN9benchmark5State17FinishKeepRunningEv")
NAMED(pause_timing, "_ZN9benchmark5State11PauseTimingEv")
NAMED(resume_timing, "_ZN9benchmark5State12ResumeTimingEv")

#define JSON_REPORTER "_ZTVN9benchmark12JSONReporterE"
extern "C" const char json_reporter __asm__(JSON_REPORTER) __attribute__((weak));

struct bench_against_function {
	const char *name;
	const void *address;
};

#define ROW(id) {id##_name, reinterpret_cast<const void *>(id)}
extern "C" __attribute__((visibility("default"), used)) const bench_against_function
	bench_against_functions[] = {ROW(run_all), ROW(run_with), ROW(run_shown), ROW(run_spec),
		ROW(run_both_spec),
		ROW(initialize), ROW(initialize_old), ROW(randomise), ROW(reporter),
		{JSON_REPORTER, &json_reporter}, ROW(old_state), ROW(start), ROW(finish), ROW(pause_timing),
		ROW(resume_timing), {nullptr, nullptr}};
