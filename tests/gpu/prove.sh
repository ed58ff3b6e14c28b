#!/bin/sh
# sh tests/gpu/prove.sh OUT [PART...]: what the README claims, measured again on this GPU.
# Needs bench-against on the PATH, git, cmake and a C compiler; writes tables and result
# files into OUT. Parts (all by default): aa planted engines wall loop
#
#   aa       the same commit as two refs, AA_RUNS (20) times
#   planted  delays of about 5, 25 and 100 ns in a copy of the launcher, their true size
#            by the host target
#   engines  duet, split and sequential on one benchmark, ENGINE_RUNS (10) times each
#   wall     time of a default run of two refs
#   loop     the tool's figure beside a hand-written loop (needs bare_loop on the PATH)
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
parts=${*:-aa planted engines wall loop}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1

wants() { case " $parts " in *" $1 "*) true ;; *) false ;; esac; }

# ratios RESULT: metric, benchmark, verdict and ratio of every comparison
ratios() {
	python3 - "$1" <<'EOF'
import json, sys
d = json.load(open(sys.argv[1]))
for s in d["series"]:
    for c in s["comparisons"]:
        if c["ratio"]:
            print(s["metric"], s["id"].split(",")[0], c["verdict"], "%.6f" % c["ratio"],
                  "%.6f" % (c["low"] or 0), "%.6f" % (c["high"] or 0), c["candidate"])
EOF
}

summary() { # of "key value" lines: count, mean, standard deviation, extremes
	python3 - <<'EOF'
import sys, collections, statistics as st
rows = collections.OrderedDict()
for line in open("/dev/fd/3"):
    key, value = line.split()
    rows.setdefault(key, []).append(float(value))
for key, v in rows.items():
    sd = st.stdev(v) if len(v) > 1 else 0
    print("%-34s n %3d  mean %+.4f %%  sd %.4f %%  %+.4f .. %+.4f %%" % (key, len(v),
          100 * (st.mean(v) - 1), 100 * sd, 100 * (min(v) - 1), 100 * (max(v) - 1)))
EOF
}

bench-against demo "$work/demo" >/dev/null
cd "$work/demo"

if wants wall; then
	bench-against run v2 --no-build >/dev/null 2>&1 || true
	bench-against baseline v2 --fixed 2 --metrics submit >/dev/null 2>&1 || true # builds
	start=$(date +%s.%N)
	bench-against baseline v2 -o "$out/wall.json" >"$out/wall.txt" || true
	echo "wall: $(echo "$(date +%s.%N) - $start" | bc 2>/dev/null ||
		python3 -c "import time;print(time.time()-$start)") s for the default run of two refs"
	cat "$out/wall.txt"
fi

if wants aa; then
	: >"$work/aa"
	for i in $(seq "${AA_RUNS:-20}"); do
		bench-against a=v2 b=v2 --measure-identical --loops 10000 \
			-o "$work/aa.json" >/dev/null || echo "status $?"
		ratios "$work/aa.json" >>"$work/aa"
	done
	cp "$work/aa" "$out/aa.ratios"
	cp "$work/aa.json" "$out/aa-last.json"
	echo "aa: verdicts of ${AA_RUNS:-20} runs"
	awk '{n[$1 " " $3]++} END {for (k in n) print "  " k ": " n[k]}' "$work/aa" | sort
	awk '{print $1 "/" $2, $4}' "$work/aa" | sort -s -k1,1 >"$work/aa.keys"
	summary 3<"$work/aa.keys"
	awk '{print $1, $4}' "$work/aa" | sort -s -k1,1 >"$work/aa.keys"
	summary 3<"$work/aa.keys"
fi

if wants planted; then
	sh "$root/tests/gpu/planted.sh" "$work/planted" base:1 d5:6 d25:28 d100:112
	cd "$work/planted"
	echo "planted: the delays by the host target"
	bench-against base d5 d25 d100 --target host --filter '*args=2*' || true
	echo "planted: on the GPU, default threshold"
	bench-against base d5 d25 d100 --metrics submit -o "$out/planted.json" || true
	echo "planted: on the GPU, threshold 0.1 %"
	bench-against base d5 d25 d100 --metrics submit --threshold 0.1% --filter '*args=2*' \
		-o "$out/planted-fine.json" || true
	cd "$work/demo"
fi

if wants engines; then
	: >"$work/engines"
	for i in $(seq "${ENGINE_RUNS:-10}"); do
		for engine in duet split sequential; do
			start=$(date +%s%N)
			bench-against a=v2 b=v2 --measure-identical --metrics submit --fixed 4 \
				--filter '*args=4*' --engine $engine -o "$work/e.json" \
				>/dev/null || true
			ratios "$work/e.json" | awk -v e=$engine '{print e, $4}' >>"$work/engines"
			echo "$engine $((($(date +%s%N) - start) / 1000000)) ms" >>"$out/engines.times"
		done
	done
	sort -s -k1,1 "$work/engines" >"$work/engines.keys"
	echo "engines: ratio of identical code, ${ENGINE_RUNS:-10} runs each"
	summary 3<"$work/engines.keys"
	awk '{s[$1] += $2; n[$1]++} END {for (k in s) print "  " k ": " s[k] / n[k] / 1000 " s a run"}' \
		"$out/engines.times"
	cp "$work/engines" "$out/engines.ratios"
fi

if wants loop && command -v bare_loop >/dev/null; then
	bare_loop || echo "bare_loop: status $?"
fi
