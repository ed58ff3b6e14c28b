#!/bin/sh
# sh tests/gpu/nvbench.sh OUT WHEEL [PART...]: programs of NVBench, unchanged, on a real GPU.
#
# WHEEL is a folder with the unpacked wheel of cuda-bench (PyPI), so that WHEEL/cuda/bench exists.
# Results and screens go to OUT. Parts; without names, all of them:
#
#   python  a program of cuda.bench with four states (elementwise product, 2^22 .. 2^28), at four
#           commits: base, equal, 1 % and 4 % more elements; base against the other three
#   cxx     a program with CUB's reduce, scan and radix sort, built with nvcc against the wheel's
#           libnvbench.so: equal code, and 3 % more elements
#   memory  the product with inputs of which three variants do not fit on the GPU at once
#   hook    the time of NVBench's own samples in a run of its own, to be set against the above
#   cost    does the hook slow a sample down? The program of cxx by itself and under bench-against,
#           alternately, ROUNDS times (5): the ratios of its states with their intervals. Needs cxx
#   cub     programs of others: PROGRAMS is a folder with executables that load libnvbench.so, and a
#           file `states` with patterns of ids, one a line (sum/base/*2^28). Three variants: base,
#           the same, and one in which the axes Elements* are 3 % longer. Runs number FIRST (1) to
#           RUNS (10), each with --budget BUDGET if that is set; none begins after LIMIT (480)
#           seconds, so continue with FIRST=N
#
# Ends with a table of what was expected and what was answered; 1 where they differ.
# Needs bench-against on the PATH, git, python3 (python and memory: with torch), nvcc (cxx), c++ (cub).
# Takes about four minutes without cost (two) and cub (LIMIT, and the last run).
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
wheel=$(cd "$2" && pwd)
shift 2
parts=${*:-python cxx memory hook}
started=$(date +%s)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1
export PYTHONPATH="$wheel${PYTHONPATH:+:$PYTHONPATH}"
# cuda.bench asks cuda-bindings which CUDA this is
if ! python3 -c 'import cuda.bindings' 2>"$out/bindings.txt"; then
	mkdir -p "$work/stub/cuda/bindings"
	echo '__version__ = "13.0.0"' >"$work/stub/cuda/bindings/__init__.py"
	export PYTHONPATH="$PYTHONPATH:$work/stub"
fi
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv >"$out/gpu.txt" 2>&1 || :

start() { # FOLDER: a repository
	mkdir -p "$work/$1" && cd "$work/$1"
	git init -q . && git config user.email nvbench@example.org && git config user.name nvbench
	echo build >.gitignore
}
commit() { # NAME: what is in the folder, as a branch
	git add -A && git commit -q --allow-empty -m "$1" && git branch -q "$1"
}
now() { date +%s.%N; }
run() { # NAME OPTIONS...: a run with its results, screen, exit status and time
	name=$1
	shift
	begin=$(now)
	status=0
	echo "$name" >>"$out/names.txt"
	bench-against "$@" -o "$out/$name.json" >"$out/$name.txt" 2>"$out/$name.err" || status=$?
	echo "$name: status $status, $(python3 -c "print(round($(now) - $begin, 1))") s" | tee -a "$out/times.txt"
	tail -5 "$out/$name.err"
}

# ---- cuda.bench ----

if echo "$parts" | grep -qw python; then
	start python
	cat >bench.py <<'END'
import sys

import cuda.bench as bench
import torch

MORE = 1.0


def product(state):
    n = int(state.get_int64("Elements") * MORE)
    x = torch.rand(n, device="cuda")
    y = torch.rand(n, device="cuda")
    z = torch.empty(n, device="cuda")
    state.add_element_count(n)
    state.add_global_memory_reads(8 * n)
    state.add_global_memory_writes(4 * n)

    def launcher(launch):
        stream = torch.cuda.ExternalStream(launch.get_stream().addressof())
        with torch.cuda.stream(stream):
            torch.mul(x, y, out=z)

    state.exec(launcher, batched=False)


b = bench.register(product)
b.add_int64_power_of_two_axis("Elements", [22, 24, 26, 28])
bench.run_all_benchmarks(sys.argv)
END
	cat >.bench-against.json <<'END'
{ "suites": { "nv": { "kind": "worker",
    "command": ["python3", "-m", "bench_against_worker", "--nvbench", "bench.py"] } } }
END
	commit base
	commit equal
	sed -i 's/^MORE = 1.0/MORE = 1.01/' bench.py && commit one
	sed -i 's/^MORE = 1.01/MORE = 1.04/' bench.py && commit four
	run python base one four
	run python-equal base equal
	bench-against list base >"$out/python-list.txt" 2>&1 || :
fi

# ---- C++ ----

if echo "$parts" | grep -qw cxx; then
	start cxx
	cat >cub.cu <<'END'
#include <cub/cub.cuh>
#include <nvbench/nvbench.cuh>
#include <thrust/device_vector.h>
#include <thrust/sequence.h>
#include "more.h"

template <typename Call>
static void measure(nvbench::state &state, std::size_t n, Call call)
{
  std::size_t bytes = 0;
  call(nullptr, bytes, nullptr);
  thrust::device_vector<char> temporary(bytes);
  state.add_element_count(n);
  state.add_global_memory_reads<int>(n);
  state.exec(nvbench::exec_tag::gpu | nvbench::exec_tag::no_batch, [&](nvbench::launch &launch) {
    call(thrust::raw_pointer_cast(temporary.data()), bytes, launch.get_stream());
  });
}

static std::size_t size_of(nvbench::state &state)
{
  return static_cast<std::size_t>(static_cast<double>(state.get_int64("Elements{io}")) * MORE);
}

template <typename T>
static void sum(nvbench::state &state, nvbench::type_list<T>)
{
  auto n = size_of(state);
  thrust::device_vector<T> in(n, 1), out(1);
  auto *a = thrust::raw_pointer_cast(in.data()), *b = thrust::raw_pointer_cast(out.data());
  measure(state, n, [=](void *t, std::size_t &bytes, cudaStream_t s) {
    cub::DeviceReduce::Sum(t, bytes, a, b, n, s);
  });
}
using types = nvbench::type_list<nvbench::int32_t, nvbench::float64_t>;
NVBENCH_BENCH_TYPES(sum, NVBENCH_TYPE_AXES(types))
  .set_type_axes_names({"T{ct}"})
  .add_int64_power_of_two_axis("Elements{io}", {20, 24, 26});

static void scan(nvbench::state &state)
{
  auto n = size_of(state);
  thrust::device_vector<int> in(n, 1), out(n);
  auto *a = thrust::raw_pointer_cast(in.data()), *b = thrust::raw_pointer_cast(out.data());
  measure(state, n, [=](void *t, std::size_t &bytes, cudaStream_t s) {
    cub::DeviceScan::ExclusiveSum(t, bytes, a, b, n, s);
  });
}
NVBENCH_BENCH(scan).add_int64_power_of_two_axis("Elements{io}", {20, 24, 26});

static void sort(nvbench::state &state)
{
  auto n = size_of(state);
  if (n < 1000) {
    state.skip("too few keys");
    return;
  }
  thrust::device_vector<unsigned> in(n), out(n);
  thrust::sequence(in.begin(), in.end());
  auto *a = thrust::raw_pointer_cast(in.data()), *b = thrust::raw_pointer_cast(out.data());
  measure(state, n, [=](void *t, std::size_t &bytes, cudaStream_t s) {
    cub::DeviceRadixSort::SortKeys(t, bytes, a, b, n, 0, 32, s);
  });
}
NVBENCH_BENCH(sort).add_int64_power_of_two_axis("Elements{io}", {8, 22, 24});
END
	printf '#include <nvbench/main.cuh>\nNVBENCH_MAIN\n' >main.cu
	echo '#define MORE 1.0' >more.h
	nv="$wheel/cuda/bench/cu13/nvbench"
	cat >build.sh <<END
set -e
mkdir -p build
nvcc -O2 -std=c++17 -arch=native -I"$nv/include" -c cub.cu -o build/cub.o &
nvcc -O2 -std=c++17 -arch=native -I"$nv/include" -c main.cu -o build/main.o
wait
nvcc build/cub.o build/main.o -o build/cub.bench -L"$nv/lib" -lnvbench -lcuda -Xlinker -rpath,"$nv/lib" \
	-L/usr/local/cuda/lib64/stubs -Xlinker --allow-shlib-undefined
END
	cat >.bench-against.json <<'END'
{ "build": { "commands": [["sh", "build.sh"]] },
  "suites": { "cub": { "kind": "nvbench", "command": ["build/cub.bench"] } } }
END
	commit base
	echo '// a comment' >>cub.cu && commit equal
	echo '#define MORE 1.03' >more.h && commit three
	bench-against list base >"$out/cxx-list.txt" 2>&1 || :
	run cxx-equal --measure-identical base equal
	run cxx-three base three
fi

# ---- memory ----

if echo "$parts" | grep -qw memory; then
	start memory
	cp "$work/python/bench.py" . 2>/dev/null || { echo "memory needs the part python" >&2; exit 2; }
	free=$(nvidia-smi --query-gpu=memory.free --format=csv,noheader,nounits | head -1)
	# 12 bytes an element; each of three variants takes 40 % of the memory
	exponent=$(python3 -c "import math; print(int(math.log2($free * 2**20 * 0.4 / 12)))")
	scale=$(python3 -c "print($free * 2**20 * 0.4 / 12 / 2**$exponent)")
	sed -i "s/\[22, 24, 26, 28\]/[24, $exponent]/; s/^MORE = .*/MORE = $scale/" bench.py
	cp "$work/python/.bench-against.json" .
	commit base
	echo '# a comment' >>bench.py && commit equal
	echo '# another' >>bench.py && commit also
	run memory base equal also
fi

# ---- NVBench by itself ----

if echo "$parts" | grep -qw hook; then
	[ ! -d "$work/python" ] || (cd "$work/python" && git checkout -q base &&
		python3 bench.py --json "$out/hook-alone.json" >"$out/hook-alone.txt" 2>&1) || :
	[ ! -x "$work/cxx/build/cub.bench" ] || "$work/cxx/build/cub.bench" >"$out/hook-cub.txt" 2>&1 || :
fi

# ---- what the hook costs ----

if echo "$parts" | grep -qw cost; then
	[ -d "$work/cxx" ] || { echo "cost needs the part cxx" >&2; exit 2; }
	cd "$work/cxx"
	sh build.sh
	round=1
	while [ $round -le "${ROUNDS:-5}" ]; do
		mkdir -p "$out/cost/$round"
		build/cub.bench --min-time 0.2 --jsonbin "$out/cost/$round/alone.json" >"$out/cost/alone.txt" 2>&1
		bench-against run --in-place --fixed 4 -o "$out/cost/$round/hooked.json" path:. \
			>"$out/cost/hooked.txt" 2>&1 || :
		round=$((round + 1))
	done
	python3 - "$out/cost" <<'END' | tee "$out/cost.md"
import glob, json, math, os, statistics, struct, sys

T975 = [0, 12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]


def middle(x):
    x = sorted(x)
    return statistics.mean(x[len(x) // 4:len(x) - len(x) // 4])


def words(state):
    def word(v):
        if v["name"].startswith("Elements"):
            return "2^%d" % round(math.log2(int(v["value"])))
        return v.get("input_string") or v["value"]
    return ",".join("%s=%s" % (v["name"], word(v)) for v in state["axis_values"] or [])


def samples(folder, summary):
    name = next(d["value"] for d in summary["data"] if d["name"] == "filename")
    data = open(os.path.join(folder, name), "rb").read()
    return struct.unpack("<%df" % (len(data) // 4), data)


rounds = {}
for folder in glob.glob(sys.argv[1] + "/*/"):
    alone = {}
    for b in json.load(open(folder + "alone.json"))["benchmarks"]:
        for state in b["states"]:
            for s in state.get("summaries") or []:
                if s["tag"] == "nv/json/bin:nv/cold/sample_times":
                    alone[b["name"] + "/" + words(state)] = 1e9 * middle(samples(folder, s))
    document = json.load(open(folder + "hooked.json"))
    for s in document["series"]:
        name = document["benchmarks"][s["benchmark"]]["id"].split("/", 1)[1]
        ns = s["variants"][0].get("mean_ns")
        if s["metric"] == "gpu_cold" and ns and name in alone:
            rounds.setdefault(name, []).append((alone[name], math.log(ns / alone[name])))
print("| state | alone, us | with the hook | 95 % interval |")
print("|---|---:|---:|---:|")
for name, x in sorted(rounds.items()):
    y = [r for _, r in x]
    m = statistics.mean(y)
    half = T975[len(y) - 1] * statistics.stdev(y) / len(y) ** 0.5 if len(y) > 1 else math.inf
    print("| %s | %.2f | %+.2f %% | %+.2f .. %+.2f %% |" % (
        name, statistics.mean(a for a, _ in x) / 1e3, 100 * m, 100 * (m - half), 100 * (m + half)))
END
fi

# ---- programs of others ----

if echo "$parts" | grep -qw cub; then
	programs=$(cd "${PROGRAMS:?PROGRAMS is the folder of the executables}" && pwd)
	mkdir -p "$work/cub" && cd "$work/cub"
	cat >more.cpp <<'END'
#include <cstdint>
#include <dlfcn.h>
#include <string>

namespace nvbench
{
struct state
{
  std::int64_t get_int64(const std::string &axis) const;
};
std::int64_t state::get_int64(const std::string &axis) const
{
  using member   = std::int64_t (*)(const state *, const std::string &);
  static auto of = reinterpret_cast<member>(dlsym(RTLD_NEXT,
    "_ZNK7nvbench5state9get_int64ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"));
  auto value = of(this, axis);
  return axis.rfind("Elements", 0) == 0 ? value + value * 3 / 100 : value;
}
} // namespace nvbench
END
	c++ -O1 -shared -fPIC more.cpp -o more.so -ldl
	for tree in base equal three; do
		mkdir -p $tree/bin
		suites=
		for program in "$programs"/*; do
			name=$(basename "$program")
			cp "$program" $tree/bin/
			case $name in states | *.so*) continue ;; esac
			suites="$suites${suites:+, }\"$name\": {\"kind\": \"nvbench\", \"command\": [\"sh\", \"run.sh\", \"$name\"]}"
		done
		echo "{\"target\": \"${TARGET:-gpu}\", \"suites\": {$suites}}" >$tree/.bench-against.json
		echo 'exec "bin/$1"' >$tree/run.sh
	done
	cp more.so three/
	echo 'LD_PRELOAD="$LD_PRELOAD:$PWD/more.so" exec "bin/$1"' >three/run.sh
	set --
	while read -r pattern; do
		set -- "$@" --filter "$pattern"
	done <"$programs/states"
	export LD_LIBRARY_PATH="$programs:$wheel/cuda/bench/cu13/nvbench/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
	bench-against list path:base >"$out/cub-list.txt" 2>&1 || :
	n=${FIRST:-1}
	while [ "$n" -le "${RUNS:-10}" ] && [ $(($(date +%s) - started)) -lt "${LIMIT:-480}" ]; do
		run "cub-$n" --measure-identical ${BUDGET:+--budget "$BUDGET"} path:base path:equal path:three "$@"
		n=$((n + 1))
	done
	[ "$n" -gt "${RUNS:-10}" ] || echo "not all runs were made: continue with FIRST=$n"
fi

[ ! -f "$out/times.txt" ] || cat "$out/times.txt"
python3 - "$out" <<'END'
import json, os, sys

out, wrong = sys.argv[1], 0
planted = {"one": 0.01, "four": 0.04, "three": 0.03}
print("| run | benchmark | candidate | planted | answer | change |")
of_cub = {}
names = open(os.path.join(out, "names.txt")).read().split() if os.path.exists(
    os.path.join(out, "names.txt")) else []
runs = [n for n in names if n.startswith("cub-")]
for name in names:
    path = os.path.join(out, name + ".json")
    if not os.path.exists(path):
        print("|", name, "| | | | no results WRONG | |")
        wrong += 1
        continue
    d = json.load(open(path))
    labels = [v["label"] for v in d["variants"]]
    for s in d["series"]:
        for c in s["comparisons"]:
            label = labels[c["candidate"]]
            # 1 % is below the default threshold; launches of small states hide a part of 3 %
            found = label == "four" or (label == "three" and c.get("ratio") and c["ratio"] > 1.021)
            ok = c["verdict"] in (("regressed",) if found else
                                  ("unchanged", "identical", "inconclusive", "skipped"))
            wrong += not ok
            if name in runs:
                of_cub.setdefault(label, []).append(c["verdict"])
            if name not in runs or not ok:
                print("|", name, "|", s.get("benchmark", s.get("id")), "|", label, "|",
                      planted.get(label, 0), "|", c["verdict"], "" if ok else "WRONG", "|",
                      c.get("ratio", c.get("change")), "|")
for label, verdicts in of_cub.items():
    print("cub, %d runs, %s:" % (len(runs), label),
          ", ".join("%d %s" % (verdicts.count(v), v) for v in sorted(set(verdicts))))
print(wrong, "wrong")
sys.exit(wrong > 0)
END
