#!/bin/sh
# sh tests/gpu/code.sh BUILD OUT: does the driver of a GPU report of each kernel what
# `bench-against code` says without one? Kernels at two commits, with planted registers, spills,
# local arrays, shared and constant memory and launch bounds; then those of kernels/, with 32 registers
# for each thread and a wider tile. The tables are OUT/code-table.md and OUT/kernels-table.md. With the
# variants of `why.sh BUILD prepare`, also a run with --only-changed beside one without. At last the
# rule by benchmark: of five benchmarks of one library, two launch the kernel that differs.
#
# sh tests/gpu/code.sh BUILD prepare compiles the kernels in BUILD/gpu-code, where there is an nvcc;
# the other machine needs none. ARCH=90 (the GPU's).
#
# Exit status: 0, 1 if something disagrees, 77 if there is no GPU.
set -eu
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
made=$build/gpu-code arch=${ARCH:-90}
tool=$build/bin/bench-against

if [ "$2" = prepare ] || [ ! -e "$made/kernels-after.cubin" ]; then
	mkdir -p "$made"
	cubin="nvcc -std=c++17 -O3 -arch=sm_$arch -cubin -o"
	$cubin "$made/code-before.cubin" "$root/tests/gpu/code.cu"
	$cubin "$made/code-after.cubin" -DAFTER "$root/tests/gpu/code.cu"
	$cubin "$made/kernels-before.cubin" "$root/kernels/device/plain.cu"
	rm -rf "$made/kernels" && cp -r "$root/kernels" "$made"
	sed -i 's/\(__launch_bounds__(threads, \)blocks)/\12048 \/ (threads))/' "$made/kernels/device/port.cuh"
	sed -i 's/\(tile\[TRANSPOSE_TILE\]\[TRANSPOSE_TILE + \)1\]/\19]/' "$made/kernels/device/stream.cuh"
	$cubin "$made/kernels-after.cubin" "$made/kernels/device/plain.cu"
	library="nvcc -std=c++17 -O3 -arch=sm_$arch -shared -Xcompiler -fPIC -I$root/include"
	$library -o "$made/rule-before.so" "$root/tests/gpu/rule.cu"
	$library -o "$made/rule-after.so" -DAFTER "$root/tests/gpu/rule.cu"
	[ "$2" != prepare ] || exit 0
fi
out=$(mkdir -p "$2" && cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1
mkdir "$work/cache"

# ---- two commits ----
git init -q "$work/repo"
cd "$work/repo"
git config user.email a@b
git config user.name a
echo '{"build": {"command": ["sh", "./make"], "env": ["MADE"]}}' >.bench-against.json
export MADE="$made"
worst=0
for of in code kernels; do
	for which in before after; do
		echo "cp \"\$MADE/$of-$which.cubin\" k.cubin" >make
		git add .
		git commit -qm "$of $which"
	done
	status=0
	"$tool" code HEAD~ HEAD --format json >"$out/$of.json" || status=$?
	[ $status -eq 1 ] || { echo "code.sh: code ended with status $status, not 1 (local stores)"; exit 1; }
	"$tool" explain "$out/$of.json" --format term >"$out/$of.txt" || true
	# ---- the driver ----
	status=0
	python3 "$root/tests/gpu/code_attributes.py" "$out/$of.json" "$made/$of-before.cubin" \
		"$made/$of-after.cubin" >"$out/$of-table.md" || status=$?
	cat "$out/$of.txt" "$out/$of-table.md"
	[ $status -eq 0 ] || worst=$status
done
[ $worst -eq 0 ] || exit $worst

# ---- a run ----
why=$build/why
commit()
{
	echo "$2" >make
	git add .
	git commit -qm "$1"
	git tag "$1"
}
run()
{
	name=$1
	shift
	begin=$(date +%s)
	status=0
	"$tool" --no-device-code -o "$out/$name.json" "$@" >"$out/$name.txt" 2>&1 || status=$?
	echo "$name: status $status, $(($(date +%s) - begin)) s" | tee -a "$out/runs.txt"
}
# the rule by benchmark: `shift` and `both` launch another kernel; host code has moved
cat >.bench-against.json <<'END'
{"build": {"command": ["sh", "./make"], "env": ["MADE"]},
 "suites": {"rule": {"kind": "plugin", "library": "rule.so"}}}
END
commit rule1 'cp "$MADE/rule-before.so" rule.so'
commit rule2 'cp "$MADE/rule-after.so" rule.so'
run rule --only-changed --controls 1000 --metrics submit,gpu_hot rule1 rule2
run rule-all --metrics submit,gpu_hot rule1 rule2
"$tool" verify "$out/rule.json"
python3 - "$out" <<'END' || worst=1
import json, sys

r = json.load(open(sys.argv[1] + "/rule.json"))
rows = {}
for s in r["series"]:
    if s["role"] == "verdict":
        b = r["benchmarks"][s["benchmark"]]
        row = rows.setdefault(b["name"], [b.get("executes"), False, set()])
        row[1] |= bool(s["samples"])
        row[2].add(s["comparisons"][0]["verdict"])
measured = sorted(name for name, row in rows.items() if row[1])
for name, row in sorted(rows.items()):
    known = row[0] and all(row[0])
    print("rule: %s: %s, %s, %s" % (name, "measured" if row[1] else "not measured", sorted(row[2]),
          "kernels unknown" if not known else "equal" if row[0][0] == row[0][1] else "different"))
# what a graph launches is not known; one of `scale` and `twice` is a control
good = len(measured) == 4 and {"both", "shift", "graph"} <= set(measured)
good = good and not any(rows["graph"][0] or [])
sys.exit(0 if good else "code.sh: wrong: measured are %s" % measured)
END

[ -e "$why/candidate/kernels.so" ] || { echo "code.sh: $why has no variants"; exit $worst; }
cat >.bench-against.json <<'END'
{"build": {"command": ["sh", "./make"], "env": ["WHY"]},
 "suites": {"kernels": {"kind": "plugin", "library": "kernels.so"}}}
END
export WHY="$why"
# the same library with other bytes at its end, then one with another `transpose`
commit same1 'cp "$WHY/baseline/kernels.so" . && chmod u+w kernels.so && echo 1 >>kernels.so'
commit same2 'cp "$WHY/baseline/kernels.so" . && chmod u+w kernels.so && echo 2 >>kernels.so'
commit other 'cp "$WHY/candidate/kernels.so" .'
few="--filter kernels/transpose/* --filter kernels/copy/* --filter kernels/scale/*"
set -f
run only-changed $few --only-changed --controls 4 same1 same2
run all $few same1 same2
run changed $few --only-changed --controls 4 same1 other
python3 - "$out" <<'END'
import json, sys

wrong = []
for name, what in (("only-changed", "identical"), ("changed", None)):
    r = json.load(open("%s/%s.json" % (sys.argv[1], name)))
    gpu = [s for s in r["series"] if s["role"] == "verdict"]
    measured = sum(1 for s in gpu if s["samples"])
    verdicts = sorted({s["comparisons"][0]["verdict"] for s in gpu})
    print("%s: %d of %d measured, %s" % (name, measured, len(gpu), verdicts))
    if what and (verdicts != [what] or not 0 < measured < len(gpu)):
        wrong.append(name)
    if not what and measured != len(gpu):
        wrong.append(name)
sys.exit("code.sh: wrong: %s" % wrong if wrong else 0)
END
exit $worst
