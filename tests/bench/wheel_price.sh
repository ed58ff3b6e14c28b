#!/bin/sh
# wheel_price.sh GCC_TOOL WHEEL_TOOL [ROUNDS]: what clang and static libraries cost in the hot loops.
# Both programs measure the demo's baseline, interleaved, on the host target; the table has the medians of
# the floor (the bare driver call) and of a launch, in ns.
set -eu
gcc=$(realpath "$1") wheel=$(realpath "$2") rounds=${3:-5}
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export BENCH_AGAINST_CACHE="$top/cache" XDG_STATE_HOME="$top/state"
"$gcc" demo "$top/demo" >/dev/null
cd "$top/demo"
round=0
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	"$gcc" run --target host --args 0 --fixed 4 baseline -o "$top/gcc.$round.json" >/dev/null 2>&1
	"$wheel" run --target host --args 0 --fixed 4 baseline -o "$top/wheel.$round.json" >/dev/null 2>&1
done
python3 - "$top" <<'END'
import glob
import json
import statistics
import sys

rows = {}
for name in ("gcc", "wheel"):
    for path in glob.glob(f"{sys.argv[1]}/{name}.*.json"):
        with open(path) as file:
            series = json.load(file)["series"][0]
        for what, side in (("floor", series["floor"]), ("launch", series["variants"][0])):
            rows.setdefault(what, {}).setdefault(name, []).append(side["median_ns"])
for what, sides in rows.items():
    gcc, wheel = (statistics.median(sides[name]) for name in ("gcc", "wheel"))
    print(f"{what:8} gcc {gcc:7.2f}  wheel {wheel:7.2f}  {100 * (wheel / gcc - 1):+.1f} %")
END
