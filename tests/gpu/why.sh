#!/bin/sh
# sh tests/gpu/why.sh BUILD: why a kernel got slower, seen on a real GPU: two variants of kernels/,
# the second with bank conflicts in `transpose`. Shows what nvdisasm says (classes of instructions,
# basic blocks) and what ncu counts; exit 1 if one of them is not shown, with the reason.
#
# sh tests/gpu/why.sh BUILD prepare makes the two variants in BUILD/why, where there is an nvcc; the
# other machine needs none. It also keeps an nvdisasm there (NVDISASM=FILE, or the one on the PATH),
# for a machine without a toolkit.
set -eu
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
why=$build/why

if [ "${2:-}" = prepare ] || [ ! -e "$why/candidate/kernels.so" ]; then
	rm -rf "$why"
	mkdir -p "$why/source" "$why/bin"
	cp -r "$root/kernels" "$root/include" "$why/source"
	for variant in baseline candidate; do
		if [ $variant = candidate ]; then
			# a column of the tile is in one bank
			sed 's/tile\[TRANSPOSE_TILE\]\[TRANSPOSE_TILE + 1\]/tile[TRANSPOSE_TILE][TRANSPOSE_TILE]/' \
				"$root/kernels/device/stream.cuh" >"$why/source/kernels/device/stream.cuh"
			if cmp -s "$root/kernels/device/stream.cuh" "$why/source/kernels/device/stream.cuh"; then
				echo "why.sh: transpose has no such tile any more" >&2
				exit 1
			fi
		fi
		cmake -S "$why/source/kernels" -B "$why/made" >"$why/log" && cmake --build "$why/made" >>"$why/log"
		mkdir -p "$why/$variant"
		mv "$why/made/kernels.so" "$why/$variant/"
		echo '{ "suites": { "kernels": { "kind": "plugin", "library": "kernels.so" } } }' \
			>"$why/$variant/.bench-against.json"
	done
	rm -rf "$why/source" "$why/made"
	tool=${NVDISASM:-$(command -v nvdisasm || true)}
	[ -z "$tool" ] || cp "$tool" "$why/bin/nvdisasm"
	[ "${2:-}" != prepare ] || exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1
PATH=$PATH:$why/bin
cd "$why"
status=0
"$build/bin/bench-against" --in-place path:baseline path:candidate --ncu --metrics gpu_hot \
	--verdict-on gpu_hot --filter 'kernels/transpose/n=5120' -o "$work/result.json" \
	>"$work/out" 2>&1 || status=$?
[ $status -le 1 ] || {
	cat "$work/out"
	echo "why.sh: bench-against ended with status $status" >&2
	exit 1
}
cat "$work/out"
"$build/bin/bench-against" explain "$work/result.json"
"$build/bin/bench-against" verify "$work/result.json"
python3 - "$work/result.json" <<'END'
import json, sys

result, wrong = json.load(open(sys.argv[1])), []
codes = result["benchmarks"][0]["device_code"]
base, mine = (code["kernels"][0] for code in codes)
verdict = result["series"][0]["comparisons"][0]
print("why.sh: transpose is %s, ratio %s" % (verdict["verdict"], verdict["ratio"]))


def need(right, what):
    if not right:
        wrong.append(what)


for side, kernel, code in zip(("baseline", "candidate"), (base, mine), codes):
    classes = kernel.get("instructions")
    need(classes, "%s has no classes of instructions: %s" % (side, code.get("listing_reason")))
    if classes:
        need(classes.get("shared_store") and classes.get("global_load"),
             "%s has no shared stores or global loads: %s" % (side, classes))
        need(16 * sum(classes.values()) <= kernel["code_bytes"], "%s has too many" % side)
    counters = {c["name"]: c["value"] for c in kernel.get("counters", [])}
    need(counters, "%s has no counters: %s" % (side, code.get("counters_reason")))
    if counters:
        need(counters.get("sm__cycles_elapsed.avg", 0) > 0, "%s has no cycles" % side)
blocks = mine.get("blocks")
need(blocks and blocks["number"] > 0, "no basic block differs: %s" % blocks)
if base.get("counters") and mine.get("counters"):
    name = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"
    before, after = (next((c["value"] for c in k["counters"] if c["name"] == name), None) for k in (base, mine))
    need(before is not None and after is not None and after > 2 * before + 1000,
         "bank conflicts are %s and %s" % (before, after))
for sentence in wrong:
    print("why.sh: WRONG: " + sentence)
sys.exit(bool(wrong))
END
