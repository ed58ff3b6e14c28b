#!/bin/sh
# sh tests/gpu/study.sh OUT [DEVICES]: error rates on this machine's GPUs, several at once.
# AA_RUNS (50) runs a device of the same commit as two refs, and PLANTED_RUNS (10) runs a
# device of planted delays, in turn with each of PLANTED_THRESHOLDS ("0.5% 2%"); no more than
# fit in AA_SECONDS and PLANTED_SECONDS. BLOCKS (60) blocks an invocation keep the runs short.
# Every verdict and decision time is kept in OUT:
#
#   aa.csv, planted.csv    device,run,seconds,candidate,benchmark,verdict,ratio,low,high,R,
#                          threshold
#   trace.csv              readings of some A/A runs, for `bench-against replay` and
#                          tests/peers (TRACE_RUNS, 2 a device)
#   planted-*.csv          the same of as many planted runs, the baseline and one delay
# and prints the summary. Needs bench-against on the PATH, git, cc, cmake, python3.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
devices=${2:-0}
blocks=${BLOCKS:-60}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1

cat >"$work/rows.py" <<'EOF'
import json, sys
device, run, path, threshold = sys.argv[1:5]
d = json.load(open(path))
for s in d["series"]:
    for c in s["comparisons"]:
        print(",".join(map(str, [device, run, "%.2f" % d["measure_seconds"],
              d["variants"][c["candidate"]]["label"], s["id"].split("/")[1].split(",")[0],
              c["verdict"], c["ratio"], c["low"], c["high"], c["invocations"],
              threshold])))
EOF
cat >"$work/trace.py" <<'EOF'
import json, sys
device, run, path, candidate = *sys.argv[1:4], int(sys.argv[4])
names = {0: "A", candidate: "B"}
d = json.load(open(path))
for s in d["series"]:
    name = "%s;gpu=%s;run=%s" % (s["id"].replace(",", ";"), device, run)
    for sm in s["samples"]:
        P, R, B = sm["positions"], sm["readings"], sm["blocks"]
        flat = lambda v: [x for y in v for x in (y if isinstance(y, list) else [y])]
        order, ns = flat(sm["order"]), flat(sm["ns"])
        for b in range(B):
            at = 0
            for p in range(P):
                v = order[b * P + p]
                if v not in names:
                    continue
                for r in range(R):
                    print("%s,%d,%d,%d,%s,%d,%.3f" % (name, sm["invocation"], b, at,
                          names[v], r, ns[(b * P + p) * R + r] / sm["batch"]))
                at += 1
EOF

study() { # of one device
	device=$1
	cpu=$((4 * device + 3))
	result=$work/$device.json
	touch "$out/planted.$device" "$work/trace.$device"
	for label in d5ns d1pc d2pc d5pc; do touch "$work/planted-$label.$device"; done
	cd "$work/demo"
	end=$(($(date +%s) + ${AA_SECONDS:-100000}))
	for run in $(seq "${AA_RUNS:-50}"); do
		[ "$(date +%s)" -lt $end ] || break
		bench-against a=v2 b=v2 --measure-identical --metrics submit --blocks "$blocks" \
			--device "$device" --cpu $cpu -o "$result" >/dev/null || true
		python3 "$work/rows.py" "$device" "$run" "$result" 2% >>"$out/aa.$device"
		[ "$run" -gt "${TRACE_RUNS:-2}" ] ||
			python3 "$work/trace.py" "$device" "$run" "$result" 1 \
				>>"$work/trace.$device"
	done
	cd "$work/planted"
	end=$(($(date +%s) + ${PLANTED_SECONDS:-100000}))
	for run in $(seq "${PLANTED_RUNS:-10}"); do
		for threshold in ${PLANTED_THRESHOLDS:-0.5% 2%}; do
			[ "$(date +%s)" -lt $end ] || break
			bench-against base d5ns d1pc d2pc d5pc --metrics submit --blocks "$blocks" \
				--threshold "$threshold" --filter '*args=[024]*' --device "$device" \
				--cpu $cpu -o "$result" >/dev/null || true
			python3 "$work/rows.py" "$device" "$run" "$result" "$threshold" \
				>>"$out/planted.$device"
			candidate=0
			[ "$run" -gt "${TRACE_RUNS:-2}" ] ||
				for label in d5ns d1pc d2pc d5pc; do
					candidate=$((candidate + 1))
					python3 "$work/trace.py" "$device" "$run$threshold" "$result" \
						$candidate >>"$work/planted-$label.$device"
				done
		done
	done
}

bench-against demo "$work/demo" >/dev/null
sh "$root/tests/gpu/planted.sh" "$work/planted" base:1 d5ns:6 d1pc:28 d2pc:56 d5pc:140
(cd "$work/demo" && bench-against a=v2 b=v2 --measure-identical --target host --fixed 2 \
	>/dev/null || true) # builds once for all
cd "$work/planted"
echo "the planted delays, by the host target:"
bench-against base d5ns d1pc d2pc d5pc --target host --filter '*args=2*' --cpu 3 \
	--format csv -o "$work/host.json" >/dev/null || true
python3 "$work/rows.py" host 0 "$work/host.json" 2% | tee "$out/planted-host.csv"
python3 - "$work/host.json" <<'EOF'
import json, sys
s = json.load(open(sys.argv[1]))["series"][0]
for c in s["comparisons"]:
    print("  candidate %d: %+.2f ns per launch" % (c["candidate"], c["delta_ns"]))
EOF
for device in $devices; do
	study "$device" &
done
wait
cat "$out"/aa.[0-9]* >"$out/aa.csv"
cat "$out"/planted.[0-9]* >"$out/planted.csv"
rm "$out"/aa.[0-9]* "$out"/planted.[0-9]*
for name in trace planted-d5ns planted-d1pc planted-d2pc planted-d5pc; do
	{
		echo "benchmark,invocation,block,position,variant,sample,ns"
		cat "$work/$name".[0-9]*
	} | gzip >"$out/$name.csv.gz"
done

python3 - "$out/aa.csv" "$out/planted.csv" <<'EOF'
import collections, math, statistics as st, sys
rows = [l.strip().split(",") for l in open(sys.argv[1])]
runs = collections.OrderedDict()
for r in rows:
    runs.setdefault((r[0], r[1]), []).append(r)
false = [k for k, v in runs.items() if any(x[5] in ("regressed", "improved") for x in v)]
count = collections.Counter(r[5] for r in rows)
covered = [float(r[7]) <= 1 <= float(r[8]) for r in rows]
y = [math.log(float(r[6])) for r in rows]
seconds = sorted(float(v[0][2]) for v in runs.values())
print("A/A: %d runs, %d comparisons: %s" % (len(runs), len(rows), dict(count)))
print("  runs with a false verdict: %d; interval covers 1.0 in %d of %d (%.2f %%)" % (
      len(false), sum(covered), len(covered), 100 * sum(covered) / len(covered)))
print("  ratio: mean %+.4f %%, sd %.4f %%; invocations %s" % (100 * st.mean(y),
      100 * st.stdev(y), sorted(collections.Counter(r[9] for r in rows).items())))
print("  seconds of measuring: median %.1f, 10 %% %.1f, 90 %% %.1f, most %.1f" % (
      st.median(seconds), seconds[len(seconds) // 10], seconds[len(seconds) * 9 // 10],
      seconds[-1]))
rows = [l.strip().split(",") for l in open(sys.argv[2])]
for threshold in sorted({r[10] for r in rows}):
    for label in ("d5ns", "d1pc", "d2pc", "d5pc"):
        mine = [r for r in rows if r[3] == label and r[10] == threshold]
        count = collections.Counter(r[5] for r in mine)
        y = [math.log(float(r[6])) for r in mine]
        print("planted %s, threshold %s: %d comparisons: %s; estimate mean %+.3f %%, sd %.3f %%; "
              "R median %g" % (label, threshold, len(mine), dict(count), 100 * st.mean(y),
              100 * st.stdev(y) if len(y) > 1 else 0, st.median(int(r[9]) for r in mine)))
EOF
