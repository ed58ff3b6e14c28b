#!/bin/sh
# sh tests/gpu/cold.sh BUILD OUT [PART ...]: metrics of starts on this GPU. Needs git, a python3 and
# a cc. Parts (all of them where none is named), each with a file in OUT:
#
#   planted  a second commit imports 50 ms longer, calls 100 ms longer at first, takes 4 KiB more of
#            the device and 1 MB more of a file: found, named and exact, with the kernel that the
#            first call compiles
#   heavy    the 50 ms beside an import of PyTorch or Numba: named
#   small    a first call that takes 5 % longer is found within 16 processes a side
#   equal    the same commit as two variants, RUNS times (100) or for LIMIT seconds (400), JOBS of them
#            at once (1), each on a GPU of its own, of at most MOST invocations (8): no run may call
#            anything changed
#   launch   a first launch through LC-S of launchcfg, with and without its disk cache
#
# Ends with 1 where one of these is not so; summary.txt has the values.
set -u
build=$(cd "$1" && pwd)
out=$(mkdir -p "$2" && cd "$2" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1 COLUMNS=160
tool=$build/bin/bench-against
status=0
started=$(date +%s)
: >"$out/summary.txt"
shift 2
parts=${*:-planted heavy small equal launch}

say() { echo "$*" | tee -a "$out/summary.txt"; }
wrong() {
	say "WRONG: $*"
	status=1
}
repository() { # NAME
	mkdir -p "$work/$1" && cd "$work/$1" && git init -q .
}
commit() {
	git add -A && git -c user.name=x -c user.email=x@example.org -c commit.gpgsign=false commit -q -m "$1"
}

repository project
cat >bench.py <<'END'
import ctypes
import importlib.util
import os
import time

from bench_against_worker import benchmark

import thing

for name in ("torch", "numba.cuda"):
    try:
        if "HEAVY" in os.environ and importlib.util.find_spec(name):
            importlib.import_module(name)
            break
    except ImportError:
        pass

# 2000 steps, so that the driver compiles for a while
STEPS = "".join(f"mad.lo.u32 %a, %a, %b, {n}; xor.b32 %b, %b, %a;\n" for n in range(2000))
PTX = f""".version 7.0
.target sm_70
.address_size 64
.visible .entry steps(.param .u64 out) {{
.reg .u64 %o; .reg .u32 %a, %b;
ld.param.u64 %o, [out]; mov.u32 %a, %tid.x; mov.u32 %b, %ctaid.x;
{STEPS}
st.global.u32 [%o], %a; ret;
}}
"""


@benchmark(gpu=True)
def compiled():
    cuda = ctypes.CDLL("libcuda.so.1")
    def call(name, *arguments):
        code = getattr(cuda, name)(*arguments)
        assert code == 0, f"{name} returned {code}"
    made = []
    def first():
        module, function, memory = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
        call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(thing.MEMORY))
        call("cuModuleLoadData", ctypes.byref(module), PTX.encode())
        call("cuModuleGetFunction", ctypes.byref(function), module, b"steps")
        end = time.perf_counter() + thing.WAIT
        while time.perf_counter() < end:
            pass
        made.append((function, memory))
    def run():
        if not made:
            first()
        function, memory = made[0]
        arguments = (ctypes.c_void_p * 1)(ctypes.addressof(memory))
        call("cuLaunchKernel", function, 1, 1, 1, 32, 1, 1, 0, None, arguments, None)
    return run
END
cat >.bench-against.json <<END
{"target": "${TARGET:-gpu}", "suites": {"s": {"kind": "worker", "size": ["*.bin"],
 "command": ["python3", "-m", "bench_against_worker", "bench.py"]}}}
END
printf 'MEMORY, WAIT = 1 << 20, 0\n' >thing.py
head -c 5000000 /dev/zero >data.bin
commit old
printf 'import time\ntime.sleep(0.05)\nMEMORY, WAIT = (1 << 20) + 4096, 0.1\n' >thing.py
head -c 6000000 /dev/zero >data.bin
commit new

planted() {
	timeout 110 "$tool" HEAD~ HEAD --budget 90s -o "$out/planted.json" \
		--metrics start,import,first_call,first_call_cached,host_peak,size,context,load,device_peak \
		>"$out/planted.txt" 2>&1
	say "planted: exit status $? after $(($(date +%s) - started)) s"
	"$tool" explain "$out/planted.json" >"$out/explain.txt" 2>&1
	grep -q '^ *+[0-9]* .* thing  *thing.py' "$out/explain.txt" || wrong "the import is not named by its module"
	# by the driver's own list of a module's functions
	grep -q ' [1-9][0-9]*  *[1-9][0-9]*  steps  *PTX, [0-9]* bytes' "$out/explain.txt" ||
		wrong "the kernel of the first call is not named, or not compiled by both: explain.txt"
	python3 - "$out/planted.json" >>"$out/summary.txt" <<'END' || wrong "planted is not found, or not exactly"
import json, sys
found = {s["metric"]: s for s in json.load(open(sys.argv[1]))["series"]}
for metric, s in found.items():
    c, levels = s["comparisons"][0], [v.get("trimmed_ns") for v in s["variants"]]
    print(f"  {metric}: {levels[0]:.6g} to {levels[1]:.6g}, {c['verdict']}, {c.get('invocations')} processes a side")
def more(metric):
    return found[metric]["variants"][1]["min_ns"] - found[metric]["variants"][0]["min_ns"]
assert more("size") == 1000000 and more("device_peak") == 4096, (more("size"), more("device_peak"))
for metric in ("size", "device_peak"):
    assert found[metric]["comparisons"][0]["exact"], metric
assert found["first_call"]["comparisons"][0]["verdict"] == "regressed"
END
}

heavy() {
	HEAVY=1 timeout 80 "$tool" HEAD~ HEAD --budget 60s --metrics import >"$out/heavy.txt" 2>&1
	grep -A4 '^import' "$out/heavy.txt" | tee -a "$out/summary.txt"
	grep '^ *+[0-9]* .* thing  *thing.py' "$out/heavy.txt" | tee -a "$out/summary.txt" | grep -q . ||
		wrong "the import is not named by its module beside PyTorch: heavy.txt"
}

# the first call of HEAD~ in seconds, then a commit whose first call takes 5 % longer
small() {
	level=$(timeout 60 "$tool" run HEAD~ --fixed 4 --metrics first_call -q -o "$out/level.json" >"$out/level.txt" 2>&1 &&
		python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["series"][0]["variants"][0]["trimmed_ns"] / 1e9)' "$out/level.json") || {
		wrong "no first call: level.txt"
		return
	}
	git checkout -q -b small HEAD~
	python3 -c 'print("MEMORY, WAIT = 1 << 20,", 0.05 * float(input()))' <<-END >thing.py
		$level
	END
	commit small
	timeout 140 "$tool" HEAD~ HEAD --max-invocations 16 --metrics first_call -o "$out/small.json" >"$out/small.txt" 2>&1
	say "small: +5 % of $level s, exit status $?"
	grep -A4 '^first_call' "$out/small.txt" | tee -a "$out/summary.txt"
	grep -q regressed "$out/small.txt" || wrong "+5 % of a first call is not found: small.txt"
	git checkout -q -
}

# NUMBER of the jobs: equal-NUMBER.csv has a row for each comparison of its runs
equal_job() {
	count=0
	while [ "$count" -lt $((${RUNS:-100} / ${JOBS:-1})) ] && [ $(($(date +%s) - started)) -lt "${LIMIT:-400}" ]; do
		timeout 100 "$tool" --measure-identical a=HEAD~ b=HEAD~ --max-invocations "${MOST:-8}" \
			--metrics import,first_call,first_call_cached,host_peak -q -o "$out/equal-$1.json" >"$out/equal-$1.txt" 2>&1
		[ $? -le 1 ] || break
		count=$((count + 1))
		python3 - "$out/equal-$1.json" >>"$out/equal-$1.csv" <<-'END' || break
			import json, sys
			found = [(s["metric"], s["comparisons"][0]["verdict"]) for s in json.load(open(sys.argv[1]))["series"]]
			print(*(f"{metric},{verdict}" for metric, verdict in found), sep="\n")
			sys.exit(any(verdict in ("regressed", "improved") for _, verdict in found))
		END
	done
}

equal() {
	started=$(date +%s)
	for job in $(seq "${JOBS:-1}"); do
		(
			[ "${JOBS:-1}" -eq 1 ] || export CUDA_VISIBLE_DEVICES=$((job - 1))
			equal_job "$job"
		) &
	done
	wait
	grep -q ^first_call, "$out"/equal-*.csv || wrong "nothing was measured: equal-1.txt"
	say "equal: $(cat "$out"/equal-*.csv | grep -c ^first_call,) runs"
	sort "$out"/equal-*.csv | uniq -c | tee -a "$out/summary.txt"
	! grep -qE 'regressed|improved' "$out"/equal-*.csv || wrong "equal code is called changed: equal-*.txt"
}

launch() {
	timeout 60 sh "$root/cmake/first_launch.sh" "$tool" "$work/launch" >"$out/launch.txt" 2>&1
	code=$?
	tee -a "$out/summary.txt" <"$out/launch.txt"
	grep -A3 -E '^(first_call|context|load|device_peak)' "$work/launch/first.txt" | tee -a "$out/summary.txt"
	grep -q 'A first launch through LC-S takes [0-9.]* ms' "$out/launch.txt" && [ $code -eq 0 ] ||
		wrong "no first launch through LC-S: launch.txt"
}

for part in $parts; do
	cd "$work/project" && case $part in
	planted) planted ;;
	heavy) heavy ;;
	small) small ;;
	equal) equal ;;
	launch) launch ;;
	*) wrong "there is no part '$part'" ;;
	esac
done
say "$(($(date +%s) - started)) s"
exit $status
