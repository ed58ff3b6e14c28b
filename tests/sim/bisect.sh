#!/bin/sh
# The table of docs/bisect.md: 1000 simulated histories of each kind, about ten minutes.
# usage: tests/sim/bisect.sh [BUILD_DIRECTORY [HISTORIES [DEVIATION]]]
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$source/build/simulation}
mkdir -p "$(dirname "$build")"
cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release >"$build.log" 2>&1 ||
	{ cat "$build.log" >&2; exit 1; }
cmake --build "$build" --target bisect_histories >>"$build.log" 2>&1 ||
	{ cat "$build.log" >&2; exit 1; }
exec "$build/tests/sim/bisect_histories" --full "${2:-1000}" 0/1 "${3:-0}"
