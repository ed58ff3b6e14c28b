#!/bin/sh
# sh tests/gpu/suites.sh OUT [PART...]: what docs/suites.md claims, measured on this GPU.
# Needs bench-against and a C compiler on the PATH, git and python3; writes tables and
# result files into OUT. Parts (all by default): facts aa planted modes flush identical misbehave
#
#   facts    event tick, empty pair, GPU timer, flush proof, queue depth, ceilings
#   aa       the same commit as two refs, forced to run, AA_RUNS (10) times: verdicts counted
#   aa-kernels  the same for every kernel of kernels/ (KERNELS=kernels.so), one size of each
#   planted  one kernel that loops 2 % longer must be found, in PLANTED_RUNS (3) runs
#   modes    cold, hot and rotating, on the GPU's clock and the host's, over sizes: a sweep
#   flush    what --flush write adds to a cold run: with KERNELS=kernels.so (of kernels/, built
#            elsewhere) attention at B=32,H=8,S=256,d=64, copy, saxpy and reduction at three
#            sizes, else the kernels of the proofs; FLUSH_RUNS (4) runs of each flush,
#            alternating, and beside the difference what writing back as much of the L2 cache
#            as the kernel touches takes; reduction only reads
#   identical  which changes leave the device code as it was, and which do not: of the plugin of
#            the proofs (PTX), of one that uses the CUDA runtime (needs nvcc), and, with
#            KERNELS=kernels.so, of kernels/ in another file. Ends with status 1 where one
#            of them is not told right
#   misbehave  what only a GPU can show: stores out of bounds, traps, leaks, endless kernels; the
#            sentence and the exit status of each, and the others go on: exit 1 where not
#
# SUITE=DIR measures another repository for facts, aa and modes: one whose .bench-against.json
# has a plugin suite. ncu's durations and compute-sanitizer are in kernels.sh.
# With FAKE=FILE (the tests' driver, which executes nothing, so that nothing is checked) the script
# itself is tried, and its figures mean nothing.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
parts=${*:-facts aa planted modes flush identical misbehave}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1

wants() { case " $parts " in *" $1 "*) true ;; *) false ;; esac; }
say() { printf '\n== %s\n' "$*"; }
measure() { # a verdict of any kind is a measurement; what could not be measured ends this
	status=0
	bench-against "$@" ${FAKE:+--fake-driver "$FAKE"} || status=$?
	[ "$status" -le 1 ] || {
		echo "suites.sh: bench-against $* ended with status $status" >&2
		exit 1
	}
}

# the plugin of the proofs: kernels whose time is a loop's, and one that moves memory
make_repository() {
	mkdir -p "$work/repo"
	cp "$root/tests/gpu/suite_misdeeds.h" "$work/repo/"
	sed "${FAKE:+s/my_check, my_teardown/NULL, my_teardown/}" "$root/tests/gpu/suite_proof.c" \
		>"$work/repo/suite.c"
	cd "$work/repo"
	git init -q
	git config user.name proof
	git config user.email proof@example.invalid
	cat >.bench-against.json <<-END
		{ "build": { "commands": [["cc", "-O2", "-fPIC", "-shared", "-I$root/include",
		  "-o", "libsuite.so", "suite.c", "-lm"]] },
		  "suites": { "proof": { "kind": "plugin", "library": "libsuite.so" } } }
	END
	git add -A
	git commit -qm base
	git tag base
	sed 's/^#define ROUNDS .*/#define ROUNDS 10200/' suite.c >changed && mv changed suite.c
	git commit -qam 'two per cent more rounds'
	git tag slower
	sed -i 's/^#define ROUNDS .*/#define ROUNDS 11000/' suite.c
	git commit -qam 'ten per cent more rounds'
	git tag much-slower
	for deed in FAR_AWAY NEARBY TRAP WRONG LEAK ENDLESS CONTEXT TOO_WIDE; do
		{ echo "#define MISDEED $deed" && git show base:suite.c; } >suite.c
		git commit -qam "$deed"
		git tag "$deed"
	done
}

show() { # of a result: facts of the environment
	python3 - "$1" <<'END'
import json, sys
e = json.load(open(sys.argv[1]))["environment"]
for k in ("device_name", "driver_version", "event_tick_ns", "event_pair_ns", "gpu_timer_ns",
          "l2_bytes", "flush_ratio", "queue_depth", "copy_gb_per_s", "matrix_gflop_per_s"):
    print("%-20s %s" % (k, e.get(k)))
print("warnings", e["warnings"])
END
}

verdicts() { # of results: how often each verdict, by metric, and the largest change
	python3 - "$@" <<'END'
import collections, json, sys
n, worst = collections.Counter(), (0, "")
for path in sys.argv[1:]:
    for s in json.load(open(path))["series"]:
        for c in s["comparisons"] if s["role"] == "verdict" else []:
            n[s["metric"] + " " + c["verdict"]] += 1
            worst = max(worst, (abs((c["ratio"] or 1) - 1), s["metric"] + " " + s["id"]))
for k in sorted(n):
    print("%-28s %d" % (k, n[k]))
print("largest |ratio - 1|: %.4f, %s" % worst)
END
}

# a repository whose build takes the kernels as they are
make_kernels() {
	mkdir -p "$work/plugin"
	cd "$work/plugin"
	git init -q
	git config user.name proof
	git config user.email proof@example.invalid
	cp "$KERNELS" kernels.so
	echo '{ "suites": { "kernels": { "kind": "plugin", "library": "kernels.so" } } }' \
		>.bench-against.json
	git add -A
	git commit -qm kernels
	git tag base
}

# flush_table COMPARED READ WRITE: of each benchmark both times, their ratio with its interval, and
# how much of the difference is the writing back of the lines that the kernel drives out: as
# many bytes as it touches, the whole cache at most, at the rate of a copy
flush_table() {
	python3 - "$@" <<'END'
import json, sys
compared, read, write = (json.load(open(path)) for path in sys.argv[1:])
e = read["environment"]
l2, copy = e["l2_bytes"], e["copy_gb_per_s"] or float("nan")
work = {b["id"]: (b.get("bytes_read") or 0, b.get("bytes_written") or 0) for b in read["benchmarks"]}
print("L2 cache %.1f MiB, copies %.0f GB/s: writing all of it back takes %.1f us" % (
    l2 / 2**20, copy, l2 / copy / 1e3))
print("probe after a flush / at first touch: read %.3f, write %.3f" % (
    e["flush_ratio"], write["environment"]["flush_ratio"]))
print("%-62s %9s %9s %6s  %-15s %9s %9s" % ("gpu_cold", "read, us", "write, us", "ratio",
      "95 % interval", "more, us", "dirty, us"))
for s in compared["series"]:
    a, b = (v.get("trimmed_ns") or v.get("mean_ns") or 0 for v in s["variants"])
    c = s["comparisons"][0]
    if not a or not b or not c["ratio"]:
        print("%-62s %s" % (s["id"], c.get("reason") or c["verdict"]))
        continue
    dirty = min(sum(work[s["id"]]), l2) / copy
    print("%-62s %9.2f %9.2f %6.3f  %.3f .. %.3f  %9.2f %9.2f" % (s["id"], a / 1e3, b / 1e3,
          c["ratio"], c["low"], c["high"], (b - a) / 1e3, dirty / 1e3))
END
}

failed=0
make_repository
repo=${SUITE:-$work/repo}
base=base
[ -z "${SUITE:-}" ] || base=HEAD
cd "$repo"

if wants facts; then
	say facts
	measure run "$base" --metrics gpu_cold --iterations 40 --fixed 2 \
		-o "$out/facts.json" >"$out/facts.txt"
	show "$out/facts.json" | tee "$out/facts-table.txt"
fi

if wants aa; then
	say "aa: the same code twice, ${AA_RUNS:-10} runs"
	for i in $(seq "${AA_RUNS:-10}"); do
		measure a="$base" b="$base" --measure-identical --metrics gpu_cold,gpu_hot \
			--verdict-on gpu_cold,gpu_hot -o "$out/aa-$i.json" >"$out/aa-$i.txt"
	done
	verdicts "$out"/aa-*.json | tee "$out/aa.txt"
fi

if wants modes; then
	say modes
	measure run "$base" --metrics gpu_cold,gpu_hot,gpu_rotate,wall_cold,wall_hot --fixed 4 \
		--format sweep -o "$out/modes.json" | tee "$out/modes.md"
	bench-against report "$out/modes.json" --sweep-csv "$out/modes.csv"
fi

if wants aa-kernels; then
	say "aa-kernels: the same kernels twice, ${AA_RUNS:-10} runs"
	make_kernels
	set --
	for one in 'copy/n=1048576' 'saxpy/n=1048576' 'reduction/n=1048576' 'transpose/n=1024' \
		'histogram/n=4194304' 'sgemm/m=1024*' 'softmax/*columns=1024' \
		'layer_norm/*columns=1024' 'attention/B=32,H=8,S=256,d=64*' \
		'attention_naive/B=8,H=4,S=128,d=64*'; do
		set -- "$@" --filter "kernels/$one"
	done
	for i in $(seq "${AA_RUNS:-10}"); do
		measure a=base b=base --measure-identical --metrics gpu_cold,gpu_hot "$@" \
			--verdict-on gpu_cold,gpu_hot -o "$out/aa-kernels-$i.json" \
			>"$out/aa-kernels-$i.txt"
	done
	verdicts "$out"/aa-kernels-*.json | tee "$out/aa-kernels.txt"
fi

cd "$work/repo"
if wants planted; then
	say "planted: two per cent more rounds"
	for i in $(seq "${PLANTED_RUNS:-3}"); do
		measure base slower --filter 'proof/loop*' --threshold 1% \
			--metrics gpu_cold,gpu_hot --verdict-on gpu_cold,gpu_hot \
			-o "$out/planted-$i.json" >"$out/planted-$i.txt"
	done
	verdicts "$out"/planted-*.json | tee "$out/planted.txt"
fi

if wants flush; then
	say "flush: by reading, and by writing"
	set --
	if [ -n "${KERNELS:-}" ]; then
		make_kernels
		set -- --filter 'kernels/copy/*' --filter 'kernels/saxpy/*' --filter 'kernels/reduction/*' \
			--filter 'kernels/attention/*' --axis n=1048576,8388608,33554432 --axis B=32 \
			--axis H=8 --axis S=256 --axis d=64 --axis dtype=f16 --axis causal=no \
			--axis kernel=0
	fi
	compared=
	for i in $(seq "${FLUSH_RUNS:-4}"); do
		order="read write"
		[ $((i % 2)) = 1 ] || order="write read"
		for how in $order; do
			measure run base --flush $how --metrics gpu_cold --fixed 2 "$@" \
				-o "$out/flush-$how-$i.json" >"$out/flush-$how-$i.txt"
			compared="$compared $how=$out/flush-$how-$i.json"
		done
	done
	status=0
	# shellcheck disable=SC2086
	bench-against compare --force $compared --format json >"$out/flush.json" || status=$?
	[ "$status" -le 1 ] || exit 1
	flush_table "$out/flush.json" "$out/flush-read-1.json" "$out/flush-write-1.json" |
		tee "$out/flush.txt"
fi

# told BASE CANDIDATE NAME EXPECTED [OPTION...]: what is said of the device code
told() {
	name=$3 expected=$4 from=$1 to=$2
	shift 4
	measure "$from" "$to" --metrics gpu_hot --verdict-on gpu_hot --fixed 2 --iterations 40 \
		--verbose "$@" -o "$out/identical-$name.json" >"$out/identical-$name.txt" 2>&1
	python3 - "$out/identical-$name.json" "$name" "$expected" <<'END'
import json, sys
r, wrong = json.load(open(sys.argv[1])), 0
names = ["baseline"] + [v["label"] for v in r["variants"][1:]]
for s in r["series"]:
    b, c = r["benchmarks"][s["benchmark"]], s["comparisons"][0]
    codes = b.get("device_code", [])
    same = [k for k in ("code", "work", "memory") if codes and codes[0][k + "_sha256"]
            and len({x[k + "_sha256"] for x in codes}) == 1]
    right = (c["verdict"] == "identical") == (sys.argv[3] == "identical")
    wrong += not right
    print("%-22s %-40s %-10s %-6s same: %s" % (sys.argv[2], b["id"], c["verdict"],
          "" if right else "WRONG", " ".join(same) or "-"))
    for i, x in enumerate(codes):
        if x["reason"]:
            print("    %s: %s" % (names[i], x["reason"]))
        for k in x["kernels"]:
            print("    %s: %.60s %.8s %dx grid %d,%d,%d block %d,%d,%d registers %d shared %d+%d "
                  "local %d constant %d binary %d PTX %d" % (names[i], k["name"], k["sha256"],
                  k["launches"], k["grid_x"], k["grid_y"], k["grid_z"], k["block_x"], k["block_y"],
                  k["block_z"], k["registers"], k["shared_bytes"], k["dynamic_shared_bytes"],
                  k["local_bytes"], k["constant_bytes"], k["binary_version"], k["ptx_version"]))
            # the driver compiles PTX; a section of machine code ends at a multiple of 128 bytes
            size, ptx = k["code_bytes"], sys.argv[2].startswith("ptx")
            if size != 0 if ptx else size == 0 or size % 128:
                wrong += 1
                print("    %s: WRONG: %s has %d bytes of machine code" % (names[i], k["name"], size))
sys.exit(wrong > 0)
END
}

# variant TAG FILE EXPRESSION: a commit on top of `base` with one line edited
variant() {
	git checkout -q "$base"
	sed "$3" "$2" >changed && mv changed "$2"
	git commit -qam "$1"
	git tag "$1"
}

if wants identical; then
	cd "$work/repo"
	say "identical: PTX"
	base=base
	variant comment suite.c 's/^#include <math.h>/#include <math.h>\nconst char *my_words(void);\nconst char *my_words(void) { return "of the host"; }/'
	variant text suite.c 's/ld.param.u64 %in, \[in\];/ld.param.u64 %in, [in]; \/\/ one\\n/'
	variant rounds suite.c 's/^#define ROUNDS .*/#define ROUNDS 10001/'
	told base comment ptx-host identical || true
	told base text ptx-text measured || true
	told base rounds ptx-parameter measured --filter 'proof/loop*' || true

	if command -v nvcc >/dev/null && [ -z "${FAKE:-}" ]; then
		arch=sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
		say "identical: the CUDA runtime"
		mkdir -p "$work/runtime"
		cp "$root/tests/gpu/identical.cu" "$work/runtime/suite.cu"
		cd "$work/runtime"
		git init -q
		git config user.name proof
		git config user.email proof@example.invalid
		cat >.bench-against.json <<-END
			{ "build": { "commands": [["nvcc", "-O3", "-arch=$arch", "-cudart", "static", "-shared",
			  "-Xcompiler", "-fPIC", "-I$root/include", "-o", "libsuite.so", "suite.cu"]] },
			  "suites": { "runtime": { "kind": "plugin", "library": "libsuite.so" } } }
		END
		git add -A
		git commit -qm base
		git tag base
		variant host suite.cu 's/"of the host"/"of another host"/'
		variant other suite.cu 's/^#define OTHER .*/#define OTHER 2.0f/'
		variant code suite.cu 's/^#define ROUNDS .*/#define ROUNDS 65/'
		variant launches suite.cu 's/^#define COUNT .*/#define COUNT (1 << 19)/'
		variant data suite.cu 's/^#define TABLE .*/#define TABLE 0.625f/'
		told base host runtime-host identical || true
		told base other runtime-other-kernel identical || true
		told base code runtime-code measured || true
		told base launches runtime-launches measured || true
		told base data runtime-data measured || true
	else
		echo "suites.sh: no nvcc or no GPU here: the CUDA runtime is not tried"
	fi

	if [ -n "${KERNELS:-}" ]; then
		say "identical: kernels/"
		[ -d "$work/plugin" ] || make_kernels
		cd "$work/plugin"
		git checkout -q base
		# what stands behind the end of a library is loaded by nobody
		echo 'another file' >>kernels.so
		git commit -qam 'the same code in another file'
		git tag file
		told base file kernels identical --filter 'kernels/copy/*' --filter 'kernels/saxpy/*' \
			--filter 'kernels/reduction/*' --filter 'kernels/histogram/*' \
			--filter 'kernels/softmax/*' --filter 'kernels/attention/*' \
			--filter 'kernels/attention_naive/*' --axis n=1048576 --axis rows=1024 \
			--axis columns=1024 --axis B=8 --axis H=4 --axis S=256,512 \
			--axis d=64,128 --axis dtype=f16 --axis causal=no --axis kernel=0 || true
	fi
	say "identical: all told"
fi 2>&1 | tee "$out/identical.txt"
if wants identical; then
	grep -q 'all told' "$out/identical.txt" || {
		tail -n 3 "$out"/identical-*.txt
		failed=1
	}
	! grep -q WRONG "$out/identical.txt" || failed=1
fi

# expected DEED PATTERN: between a good variant and one that is slower, it fails with a sentence
# that has the (extended) pattern, the slower one is found, and the exit status is 1; alone with
# the good one it is 125
expected() {
	status=0 deed=$1 pattern=$2
	set -- --filter proof/loop/n=67584 --metrics gpu_cold --warm-up 20 --iterations 80 \
		--measure-identical --hang-after 8s --no-history ${FAKE:+--fake-driver "$FAKE"}
	bench-against base "$deed" much-slower --fixed 4 -o "$out/misbehave-$deed.json" "$@" \
		>"$out/misbehave-$deed.txt" 2>&1 || status=$?
	alone=0
	bench-against base "$deed" --fixed 2 "$@" >>"$out/misbehave-$deed.txt" 2>&1 || alone=$?
	python3 - "$out/misbehave-$deed.json" "$deed" "$pattern" "$status" "$alone" <<'END'
import json, re, sys
path, deed, pattern, status, alone = sys.argv[1:]
(s,) = json.load(open(path))["series"]
verdicts = [c["verdict"] for c in s["comparisons"]]
said = [v.get("failure") or "" for v in s["variants"]]
right = (re.search(pattern, said[1]) and not said[0] and not said[2] and (status, alone) == ("1", "125")
         and verdicts == ["failed", "regressed"])
print("%-9s %s: %s; statuses %s and %s, %s" % (deed, "as expected" if right else "NOT AS EXPECTED",
      said[1], status, alone, ", ".join(verdicts)))
sys.exit(not right)
END
}

if wants misbehave; then
	say "misbehave: one variant of three does something wrong"
	{
		expected FAR_AWAY 'CUDA_ERROR_ILLEGAL_ADDRESS' || failed=1
		expected NEARBY "^wrong answer: something was written beyond the end of 'out'" || failed=1
		expected TRAP 'CUDA_ERROR_(LAUNCH_FAILED|ILLEGAL_INSTRUCTION)' || failed=1
		expected WRONG '^wrong answer: 1 of 67584 elements of out' || failed=1
		expected LEAK '^run\(\) returned 2 \(CUDA_ERROR_OUT_OF_MEMORY' || failed=1
		expected ENDLESS 'made no progress for 8 s' || failed=1
		expected CONTEXT '^run\(\) left another CUDA context current' || failed=1
		expected TOO_WIDE '^run\(\) returned 1 \(CUDA_ERROR_INVALID_VALUE' || failed=1
		echo "$failed" >"$work/failed"
	} | tee "$out/misbehave.txt"
	failed=$(cat "$work/failed")
fi
exit "$failed"
