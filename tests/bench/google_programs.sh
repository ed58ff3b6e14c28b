#!/bin/sh
# google_programs.sh BUILD ABSEIL BENCHMARK OUT [RUNS]: three programs of abseil (a checkout of it)
# as suites of kind google-benchmark, 20 of their benchmarks, two variants. BENCHMARK is the folder of
# an installed Google Benchmark (empty: the system's). In OUT:
#
#     equal-N.txt   N = 1 .. RUNS (30): the same code, linked with a function that nobody calls; how
#                   many were called changed
#     planted.txt   with 64 instructions more that do nothing, some 5 ns an iteration
#     counts.txt    the same by instructions; callgrind's counts of two benchmarks beside them
#     alone.txt     the times that the programs themselves print, beside those of a run
#
# Wants two idle processors for each of LANES runs at a time (1): LANES=8 on sixteen. No run begins
# after LIMIT seconds. Building takes ten minutes, which a second call with the same OUT does not
# repeat; a run takes up to one.
set -eu
started=$(date +%s)
tool=$(cd "$1" && pwd)/bin/bench-against abseil=$(cd "$2" && pwd) library=$3 out=$4 runs=${5:-30}
mkdir -p "$out" && cd "$out"
export BENCH_AGAINST_CACHE="$PWD/cache" BENCH_AGAINST_HISTORY="$PWD/history.sqlite"

make_tree() # NAME: the programs of this variant, built in its tree
{
	mkdir -p "$1/src"
	for file in strings/str_split hash/hash container/btree; do
		cp "$abseil/absl/${file}_benchmark.cc" "$1/src/"
	done
	cat >"$1/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(real CXX)
set(CMAKE_CXX_STANDARD 17)
set(ABSL_PROPAGATE_CXX_STD ON)
add_subdirectory($abseil abseil)
find_package(benchmark REQUIRED)
function(real name)
	add_executable(\${name} src/\${name}_benchmark.cc)
	target_include_directories(\${name} PRIVATE $abseil)
	target_link_libraries(\${name} PRIVATE \${ARGN} benchmark::benchmark_main)
endfunction()
real(str_split absl::strings)
real(hash absl::hash absl::flat_hash_set absl::random_random absl::strings absl::cord
	absl::absl_check)
real(btree absl::btree absl::flat_hash_map absl::flat_hash_set absl::hashtable_debug absl::hash
	absl::raw_logging_internal absl::random_random absl::strings absl::str_format absl::log
	absl::time)
END
	cat >"$1/.bench-against.json" <<END
{ "target": "host", "suites": {
  "str_split": {"kind": "google-benchmark", "command": ["build/str_split"]},
  "hash": {"kind": "google-benchmark", "command": ["build/hash"]},
  "btree": {"kind": "google-benchmark", "command": ["build/btree"]} } }
END
}
build() # NAME
{
	cmake -S "$1" -B "$1/build" -DCMAKE_BUILD_TYPE=Release ${library:+"-Dbenchmark_ROOT=$library"} \
		>"$1.log" 2>&1
	cmake --build "$1/build" -j2 --target str_split hash btree >>"$1.log" 2>&1
}
each_source() # NAME SCRIPT
{
	for file in "$1"/src/*.cc; do
		sed -i "$2" "$file"
	done
}

if [ ! -x planted/build/btree ]; then
	for tree in base equal planted; do
		make_tree $tree
	done
	each_source equal '$a __attribute__((used)) static int nobody(int x) { return x * 7 + 1; }'
	each_source planted 's/for (auto [_s] : state) {/& __asm__ volatile(".rept 64\\n nop\\n .endr");/'
	for tree in base equal planted; do
		build $tree
	done
fi

# 7 + 7 + 6 benchmarks of 20 ns to 20 us
set -- -f 'str_split/BM_Split2String/8' -f 'str_split/BM_Split2String/512' \
	-f 'str_split/BM_Split2StringView/64' -f 'str_split/BM_Split2StringViewByAnyChar/512' \
	-f 'str_split/BM_SplitStringToUnorderedSet/64' -f 'str_split/BM_SplitStringAllowEmpty/512' \
	-f 'str_split/BM_SplitStringToUnorderedMap/64' \
	-f 'hash/BM_AbslHash_String_200' -f 'hash/BM_AbslHash_String_5000' \
	-f 'hash/BM_AbslHash_VectorInt64_100' -f 'hash/BM_AbslHash_VectorDouble_100' \
	-f 'hash/BM_AbslHash_Cord_Flat_200' -f 'hash/BM_AbslHash_Cord_Fragmented_200' \
	-f 'hash/BM_AbslHash_PairInt64Int64' \
	-f 'btree/BM_btree_256_set_int32_t_Lookup' -f 'btree/BM_btree_256_set_int64_t_Lookup' \
	-f 'btree/BM_btree_256_map_int32_t_Lookup' -f 'btree/BM_btree_256_set_int32_t_FullLookup' \
	-f 'btree/BM_btree_256_set_int32_t_FwdIter' -f 'btree/BM_btree_256_set_int32_t_Fifo'

run() # NAME CANDIDATE ARGUMENT...: prints its seconds and verdicts
{
	name=$1 candidate=$2 from=$(date +%s)
	shift 2
	[ $((from - started)) -lt "${LIMIT:-7200}" ] || return 0
	"$tool" path:base path:$candidate --budget 1m "$@" --output $name.json >$name.txt 2>&1 || true
	python3 - $name.json $(($(date +%s) - from)) <<'END'
import json, sys
verdicts = [s["comparisons"][0]["verdict"] for s in json.load(open(sys.argv[1]))["series"]
            if s["metric"] == "host"]
print(sys.argv[1], sys.argv[2], "s", {v: verdicts.count(v) for v in sorted(set(verdicts))})
END
}
lane() # NUMBER ARGUMENT...: each LANES-th run, on two processors of its own
{
	n=$1
	shift
	export BENCH_AGAINST_CACHE="$PWD/cache-$n" BENCH_AGAINST_HISTORY="$PWD/history-$n.sqlite"
	[ $n -ne 1 ] || run planted planted "$@"
	while [ $n -le "$runs" ]; do
		run equal-$n equal "$@"
		n=$((n + lanes))
	done
}
lanes=${LANES:-1} l=1
while [ $l -le $lanes ]; do
	(
		two=$(python3 -c "import os; print(*sorted(os.sched_getaffinity(0))[2 * $l - 2:2 * $l], sep=',')")
		[ $lanes -eq 1 ] || taskset -pc "$two" "$(sh -c 'echo $PPID')" >/dev/null
		lane $l "$@"
	) &
	l=$((l + 1))
done
wait
python3 - <<'END' >alone.txt
import json, subprocess
run = json.load(open("planted.json"))
print("ns: the program alone (the middle of 5), the run's baseline")
for s in run["series"]:
    suite, name = run["benchmarks"][s["benchmark"]]["id"].split("/", 1)
    ns = s["variants"][0].get("mean_ns")
    out = subprocess.run(["base/build/" + suite, "--benchmark_filter=^%s$" % name,
                          "--benchmark_min_time=0.02s", "--benchmark_repetitions=5",
                          "--benchmark_format=json"], capture_output=True, text=True).stdout
    for b in json.loads(out)["benchmarks"]:
        if ns and s["metric"] == "host" and b.get("aggregate_name") == "median":
            own = b["real_time"]
            print("%-45s %10.2f %10.2f %+6.1f %%" % (name, own, ns, 100 * (ns / own - 1)))
END
"$tool" path:base path:planted --metrics instructions "$@" --output counts.json >counts.txt 2>&1 || true
if command -v valgrind >/dev/null; then
	for tree in base planted; do
		for name in hash/BM_AbslHash_PairInt64Int64 str_split/BM_Split2String/8; do
			# two lengths: the difference is 10,000 iterations
			for n in 10000 20000; do
				setarch -R valgrind --tool=callgrind --callgrind-out-file=/dev/null \
					"$tree/build/${name%%/*}" "--benchmark_filter=^${name#*/}\$" \
					"--benchmark_min_time=${n}x" 2>&1 |
					sed -n "s|.*Collected : |$tree $name $n |p" >>counts.txt
			done
		done
	done
fi
