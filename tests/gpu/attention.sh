#!/bin/sh
# sh tests/gpu/attention.sh OUT: attention, our kernels and PyTorch's backends on the same inputs, in
# one run (examples/attention): tables, a CSV and the result file in OUT. Needs bench-against on the
# PATH, git, a python3 with PyTorch, and nvcc with CMake, or KERNELS=kernels.so built elsewhere.
# Minutes for all shapes; in the environment, to have less:
#
#   SHAPES      globs of shapes: SHAPES='B=32,H=8,* *S=4096,d=128*' (*)
#   BACKENDS    of PyTorch, and `ours` (default flash cudnn efficient ours)
#   NAIVE       globs of the shapes that the naive kernels do, too (SHAPES, or up to S=1024: beyond,
#               they take as long as all others together)
#   FIXED       processes (3)      BLOCKS  blocks of each metric in a process (2)
#   WARM_UP     runs (20)
#
# Exit status: 0; 1 if a result is wrong, failed or missing, or the file exceeds 16 MiB; 77 without a
# GPU.
set -eu
[ $# -ge 1 ] || { echo "usage: attention.sh OUT" >&2; exit 2; }
out=$(mkdir -p "$1" && cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
python3 -c 'import sys, torch; sys.exit(0 if torch.cuda.is_available() else 1)' 2>/dev/null || {
	echo "attention.sh: no GPU here, or no PyTorch"
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1 COLUMNS=160
sh "$root/examples/attention/make.sh" "$work/repo" ${KERNELS:+"$KERNELS"}
cd "$work/repo"

# ---- what is measured, as filters: all globs, none of them for the shell ----
set -f
metrics=gpu_cold,gpu_hot,wall_cold,wall_hot
set -- --metrics $metrics --fixed "${FIXED:-3}" --blocks "${BLOCKS:-2}" --warm-up "${WARM_UP:-20}" \
	--hang-after 150s
for shape in ${SHAPES:-*}; do
	set -- "$@" --filter "kernels/attention/$shape"
	for backend in ${BACKENDS:-default flash cudnn efficient ours}; do
		set -- "$@" --filter "torch/attention/${shape}backend=$backend"
	done
done
for shape in ${NAIVE:-${SHAPES:-*S=128,* *S=256,* *S=512,* *S=1024,*}}; do
	set -- "$@" --filter "kernels/attention_naive/$shape"
done
set +f

start=$(date +%s)
status=0
bench-against run HEAD "$@" -o "$out/attention.json" >"$out/attention.txt" 2>"$out/attention.err" ||
	status=$?
echo "attention: exit status $status after $(($(date +%s) - start)) s"
tail -5 "$out/attention.err"
[ -f "$out/attention.json" ] || exit 1

for format in markdown csv json; do
	bench-against report "$out/attention.json" --$format "$out/across.$format" \
		--across suite,benchmark,kernel,backend=default ||
		echo "attention.sh: no table of sides as $format" >&2
done

# ---- in short: what is missing, and ours beside the best of PyTorch ----
status=0
python3 - "$out/attention.json" >"$out/summary.txt" <<'END' || status=1
import json, os, sys
document = json.load(open(sys.argv[1]))
size = os.path.getsize(sys.argv[1])
print("%d series, %.1f MB" % (len(document["series"]), size / 1e6))
times, wrong, skipped = {}, [], []
for s in document["series"]:
    v = s["variants"][0]
    suite, name, axes = s["id"].split("/")
    cells = dict(a.split("=") for a in axes.split(","))
    who = {"attention_naive": "naive"}.get(name, cells.get("backend", "plugin"))
    row = ",".join("%s=%s" % (a, cells[a]) for a in ("B", "H", "S", "d", "dtype", "causal"))
    if v.get("failure"):
        wrong.append("%s %s: %s" % (s["id"], s["metric"], v["failure"]))
    elif v.get("skipped"):
        skipped.append("%s: %s" % (s["id"], v["skipped"]))
    elif v.get("trimmed_ns"):
        times.setdefault(s["metric"], {}).setdefault(row, {})[who] = v["trimmed_ns"] / 1e3
for line in wrong + sorted(set(skipped)):
    print(line)
OURS = ("plugin", "ours", "naive")
for metric, rows in times.items():
    names = sorted({w for cells in rows.values() for w in cells})
    print("\n%s, us; ratio: plugin / best of PyTorch" % metric)
    print("%-46s" % "" + "".join("%10s" % n for n in names) + "%8s" % "ratio")
    fast = 0
    for row, cells in rows.items():
        theirs = [t for w, t in cells.items() if w not in OURS]
        ratio = cells["plugin"] / min(theirs) if theirs and "plugin" in cells else 0
        fast += 0 < ratio <= 1
        line = "%-46s" % row
        for n in names:
            line += "%10.2f" % cells[n] if n in cells else "%10s" % ""
        print(line + ("%8.3f" % ratio if ratio else ""))
    print("at least as fast as the best of PyTorch: %d of %d rows" % (fast, len(rows)))
sys.exit(1 if wrong or not times or size > 16 << 20 else 0)
END
cat "$out/summary.txt"
[ $status -eq 0 ] || echo "attention.sh: something is wrong; see $out/summary.txt" >&2
exit $status
