#!/bin/sh
# cmake/coverage.sh: which part of the lines of src do the unit tests run? Prints a row for each
# module and the figure, and ends with 1 if it is below the floor (cmake/coverage-floor.txt). The
# floor only rises: whoever raises the figure writes the new one there. Needs clang and llvm.
# Reports: build/coverage/report.txt (a row for each file), build/coverage/html with HTML=1.
set -eu
cd "$(dirname "$0")/.."
build=build/coverage
jobs=${JOBS:-$(nproc)}
suffix=$(clang --version | sed -n 's/.*version \([0-9]*\)\..*/-\1/p')
cov=llvm-cov$suffix profdata=llvm-profdata$suffix
command -v "$cov" >/dev/null || cov=llvm-cov profdata=llvm-profdata

cmake --preset coverage >/dev/null
cmake --build --preset coverage -j "$jobs"
# processes that end at the same time add to one of four files of their program
rm -rf "$build/raw"
LLVM_PROFILE_FILE="$PWD/$build/raw/%4m.profraw" ctest --preset coverage -j "$jobs"
"$profdata" merge -sparse -o "$build/merged.profdata" "$build"/raw/*.profraw

# tool and worker, too: a file that no test links has no line that runs
set -- "$build/bin/bench-against"
for program in "$build"/tests/test_*; do
	[ ! -x "$program" ] || set -- "$@" -object "$program"
done
set -- "$@" -object "$build/libexec/bench-against/bench-against-worker" -instr-profile="$build/merged.profdata"
"$cov" report "$@" >"$build/report.txt"
[ -z "${HTML-}" ] || "$cov" show "$@" -format=html -output-dir="$build/html"
"$cov" export "$@" -summary-only >"$build/summary.json"

figure=$(python3 - "$build/summary.json" <<'END'
import collections, json, os, re, sys

modules = collections.defaultdict(lambda: [0, 0])
for file in json.load(open(sys.argv[1]))["data"][0]["files"]:
    at = re.match(r"src/(?:[^/]+/)?([^/]+)/", os.path.relpath(file["filename"]))
    if not at or not file["summary"]["lines"]["count"]:
        continue
    lines = file["summary"]["lines"]
    for name in (at.group(1), "all of src"):
        modules[name][0] += lines["count"]
        modules[name][1] += lines["covered"]
every = modules.pop("all of src")
for name in sorted(modules):
    count, covered = modules[name]
    print(f"{name:12} {count:6} lines  {100 * covered / count:5.1f} %", file=sys.stderr)
print(f"{100 * every[1] / every[0]:.1f}")
END
)
floor=$(cat cmake/coverage-floor.txt)
echo "coverage by unit tests: $figure % of the lines of src (floor $floor %)"
awk -v figure="$figure" -v floor="$floor" 'BEGIN {
	if (figure + 0 < floor + 0) { print "coverage.sh: below the floor" > "/dev/stderr"; exit 1 }
	if (figure >= floor + 1) print "raise it: echo " figure " >cmake/coverage-floor.txt"
}'
