#!/bin/sh
# sh tests/gpu/census.sh BUILD OUT: does a GPU's driver count what the host target's counts? Both
# targets take the census of the demo's launch paths and of each CUDA package that python3 has, with
# three planted extras (tests/bench/census.py). Leaves census-{host,gpu}.{json,md} and summary.txt in
# OUT; at most 5 minutes.
set -eu
build=$(cd "$1" && pwd)
out=$(mkdir -p "$2" && cd "$2" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
status=0
: >"$out/summary.txt"
for target in host gpu; do
	timeout 140 python3 "$root/tests/bench/census.py" "$build" "$out" $target 1 \
		>"$out/$target.txt" 2>&1 || { status=1; echo "$target: NOT as expected" >>"$out/summary.txt"; }
	tail -3 "$out/$target.txt" >>"$out/summary.txt"
done
python3 - "$out" >>"$out/summary.txt" <<'END' || status=1
import json, sys
host, gpu = (json.load(open(f"{sys.argv[1]}/census-{t}.json")) for t in ("host", "gpu"))
differ = 0
for name in sorted(set(host) & set(gpu)):
    if host[name]["counts"] != gpu[name]["counts"]:
        differ += 1
        print(name, "host", host[name]["counts"], "gpu", gpu[name]["counts"])
print(f"{len(set(host) & set(gpu))} benchmarks on both targets, {differ} counts differ; "
      f"on the GPU alone: {sorted(set(gpu) - set(host))}")
sys.exit(differ > 0)
END
cat "$out/summary.txt"
exit $status
