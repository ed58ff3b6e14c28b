#!/bin/sh
# python_demo.sh TOOL SOURCE: the Python example's two commits, measured by the clock of this
# machine: what is a third faster must be found on any.
set -eu
command -v python3 >/dev/null || {
	echo "no python3 here"
	exit 77
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export BENCH_AGAINST_CACHE="$dir/cache"
# so that the compilers are not hashed in each test
mkdir "$dir/cache" && cp "${1%/bin/*}/tests/toolchain-hashes" "$dir/cache" 2>/dev/null || :
sh "$2/examples/python/demo.sh" "$dir/demo"
cd "$dir/demo"
"$1" --target host --metrics host --blocks 8 --filter '*n=1000' --output "$dir/r.json" slow fast >"$dir/out"
# a function is run, and launches nothing
grep -qE '^(ns|µs)/run ' "$dir/out" && ! grep -q launch "$dir/out" || {
	cat "$dir/out"
	exit 1
}
python3 - "$dir/r.json" <<'END'
import json, sys
timed = [s for s in json.load(open(sys.argv[1]))["series"] if s["metric"] == "host"]
assert timed
for s in timed:
    (c,) = s["comparisons"]
    assert c["verdict"] == "improved" and c["ratio"] < 0.95, (s["id"], c)
END
"$1" verify "$dir/r.json"
