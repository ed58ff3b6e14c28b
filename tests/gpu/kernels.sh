#!/bin/sh
# sh tests/gpu/kernels.sh OUT [PART...]: the kernels of kernels/ on this GPU. Needs nvcc, CMake and
# a C compiler (or KERNELS=plugin and CHECK=kernels_check, built elsewhere); tables go into
# OUT. Parts (all but tune by default): check sanitize ncu agree time tune
#
#   check     every case: right, twice the same bits, all outputs written, guards whole
#   sanitize  compute-sanitizer, its four tools, over small cases of every kernel
#   ncu       durations as Nsight Compute has them (--clock-control none)
#   agree     bench-against's gpu_cold and gpu_hot beside ncu's durations: within 3 % of each
#             other? (needs bench-against, git and python3)
#   time      mean of RUNS (200) runs of every case, behind one another; and the median of a
#             run and its synchronisation by the host's clock
#   tune      every tiled attention kernel on every shape; which was the fastest, and which
#             one is chosen
#
# PyTorch's backends beside these kernels: attention.sh.
#
# Exit status: 0, 1 if a part found something wrong, 77 if there is no GPU.
set -u
[ $# -ge 1 ] || { echo "usage: kernels.sh OUT [PART...]" >&2; exit 2; }
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
parts=${*:-check sanitize ncu agree time}
root=$(cd "$(dirname "$0")/../.." && pwd)
runs=${RUNS:-200}
failed=0

wants() { case " $parts " in *" $1 "*) true ;; *) false ;; esac; }

fail() {
	echo "kernels.sh: $1" >&2
	failed=1
}

# ---- what is run ----
kernels=${KERNELS:-$out/build/kernels.so}
check=${CHECK:-$out/kernels_check}
if [ -z "${KERNELS:-}" ]; then
	{ cmake -S "$root/kernels" -B "$out/build" && cmake --build "$out/build" -j; } \
		>"$out/build.log" 2>&1 || {
		tail -20 "$out/build.log"
		exit 1
	}
fi
if [ -z "${CHECK:-}" ]; then
	${CC:-cc} -std=gnu17 -O2 -I"$root/include" -I"$root/kernels" -I"$root/tests/kernels" \
		-o "$check" "$root/tests/gpu/kernels_check.c" \
		"$root/tests/kernels/mini_host.c" -ldl -lm || exit 1
fi
"$check" "$kernels" --once --point n=1024 copy >/dev/null
case $? in
0) ;;
77) echo "kernels.sh: no GPU here"; exit 77 ;;
*) echo "kernels.sh: copy cannot be run" >&2; exit 1 ;;
esac

count=$(grep -c '^	X(' "$root/kernels/attention_shapes.h") # of tiled kernels
shapes="B=1,H=1,S=128,d=64 B=8,H=4,S=128,d=64 B=32,H=8,S=128,d=64 B=32,H=8,S=256,d=64
B=32,H=8,S=256,d=128 B=32,H=16,S=512,d=64 B=16,H=16,S=1024,d=64 B=16,H=16,S=1024,d=128
B=8,H=16,S=2048,d=128 B=4,H=16,S=4096,d=64 B=4,H=16,S=4096,d=128"

# small sizes for every kernel, tiles that are full and tiles that are not
small_points() {
	echo n=4096 n=5001 rows=3,columns=1000 rows=3,columns=4096 m=136,n=132,k=36
	echo B=1,H=2,S=128,d=64 B=1,H=2,S=200,d=128
	for kernel in $(seq 1 "$count"); do
		echo "B=1,H=2,S=256,d=64,kernel=$kernel B=1,H=2,S=256,d=128,kernel=$kernel" \
			"B=1,H=2,S=401,d=64,kernel=$kernel B=1,H=2,S=401,d=128,kernel=$kernel"
	done
}

# points POINT...: as options
points() { for point in "$@"; do printf -- '--point %s ' "$point"; done; }

# ---- parts; words of $(points ...) are split on purpose ----
# shellcheck disable=SC2046,SC2086
if wants check; then
	"$check" "$kernels" >"$out/check.txt" 2>&1 || fail "check: see $out/check.txt"
	"$check" "$kernels" --sets 2 --seed 7 $(points $(small_points)) >"$out/check-small.txt" 2>&1 ||
		fail "check: see $out/check-small.txt"
	grep -h WRONG "$out"/check*.txt
	tail -qn 1 "$out/check.txt" "$out/check-small.txt"
fi

# shellcheck disable=SC2046,SC2086
if wants sanitize; then
	for tool in memcheck racecheck synccheck initcheck; do
		compute-sanitizer --tool $tool --error-exitcode 9 "$check" "$kernels" --once \
			$(points $(small_points)) >"$out/$tool.txt" 2>&1 ||
			fail "$tool: see $out/$tool.txt"
		echo "$tool: $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$out/$tool.txt" | tail -1)"
	done
fi

names='^(copy|saxpy|reduction|transpose|histogram|softmax|layer_norm|sgemm|attention)'

# profile CSV TIMES CACHES WORD...: every case with one of these words, under ncu
profile() {
	csv=$1 times=$2 caches=$3
	shift 3
	ncu --clock-control none --cache-control "$caches" --print-units base --csv \
		--metrics gpu__time_duration.sum --kernel-name "regex:$names" \
		"$check" "$kernels" --once --time "$times" "$@" >"$csv" 2>&1
}

if wants ncu; then
	profile "$out/ncu.csv" 0 all copy/n=33554432 saxpy/n=33554432 reduction/n=33554432 \
		transpose/n=5120 histogram/n=134217728 softmax/rows=8192,columns=4096 \
		layer_norm/rows=8192,columns=4096 sgemm/m=4096 attention/B=32,H=8,S=256,d=64 \
		attention/B=32,H=16,S=512 attention/B=4,H=16,S=4096,d=128 ||
		fail "ncu: see $out/ncu.csv"
	echo "ncu: $(grep -c gpu__time_duration "$out/ncu.csv") launches in $out/ncu.csv"
fi

# a repository with the plugin in it, measured by the tool; FAKE as in suites.sh
agree_run() {
	repository=$(mktemp -d)
	export BENCH_AGAINST_CACHE="$repository/cache" BENCH_AGAINST_HISTORY="$repository/history"
	cp "$kernels" "$repository/kernels.so"
	(
		cd "$repository" || exit 2
		git init -q
		git config user.name proof
		git config user.email proof@example.invalid
		cat >.bench-against.json <<-END
			{ "build": { "commands": [["cp", "kernels.so", "libkernels.so"]] },
			  "suites": { "kernels": { "kind": "plugin", "library": "libkernels.so" } } }
		END
		git add .bench-against.json kernels.so
		git commit -qm base
		bench-against run HEAD --metrics gpu_cold,gpu_hot --iterations 100 --fixed 2 \
			-o "$out/agree.json" ${FAKE:+--fake-driver "$FAKE"} "$@"
	) >"$out/agree-run.txt" 2>&1
	status=$?
	rm -rf "$repository"
	return "$status"
}

if wants agree; then
	f16="dtype=f16,causal=no,kernel=0"
	set -- copy/n=33554432 saxpy/n=33554432 softmax/rows=8192,columns=4096 \
		sgemm/m=4096,n=4096,k=4096 "attention/B=32,H=16,S=512,d=64,$f16" \
		"attention/B=4,H=16,S=4096,d=128,$f16"
	profile "$out/agree-cold.csv" 8 all "$@" || fail "agree: see $out/agree-cold.csv"
	profile "$out/agree-hot.csv" 8 none "$@" || fail "agree: see $out/agree-hot.csv"
	for word in "$@"; do
		set -- "$@" --filter "kernels/$word"
		shift
	done
	if agree_run "$@"; then
		python3 "$root/tests/gpu/agree.py" "$out/agree.json" "$out/agree-cold.csv" \
			"$out/agree-hot.csv" >"$out/agree.txt" 2>&1 || fail "agree: see $out/agree.txt"
		cat "$out/agree.txt"
	else
		fail "agree: see $out/agree-run.txt"
	fi
fi

if wants time; then
	"$check" "$kernels" --time "$runs" >"$out/time.txt" 2>&1 || fail "time: see $out/time.txt"
	cat "$out/time.txt"
fi

# shellcheck disable=SC2046,SC2086
if wants tune; then
	all=
	for shape in $shapes; do
		for kernel in $(seq 0 "$count"); do all="$all $shape,kernel=$kernel"; done
	done
	"$check" "$kernels" --time "$runs" $(points $all) attention/ >"$out/tune.txt" 2>&1 ||
		fail "tune: see $out/tune.txt"
	# id without kernel, the fastest of 1.., and what 0 took
	awk '$1 == "right" && / us / {
		for (i = 1; i <= NF; i++) if ($i == "gpu") us = $(i + 1)
		id = $2; sub(/,kernel=[0-9]+$/, "", id); n = $2; sub(/.*,kernel=/, "", n)
		if (n == 0) chosen[id] = us
		else if (!(id in best) || us < best[id]) { best[id] = us; which[id] = n }
	}
	END { for (id in best) printf "%-58s best kernel %2d %9.2f us, chosen one %9.2f us, %.2f\n",
		id, which[id], best[id], chosen[id], chosen[id] / best[id] }' \
		"$out/tune.txt" | sort
fi

exit "$failed"
