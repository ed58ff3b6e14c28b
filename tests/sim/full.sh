#!/bin/sh
# The simulations at full size, as docs/verdicts.md quotes them: about five minutes.
# usage: tests/sim/full.sh [BUILD_DIRECTORY]
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$source/build/simulation}
mkdir -p "$(dirname "$build")"
cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release >"$build.log" 2>&1 ||
	{ cat "$build.log" >&2; exit 1; }
cmake --build "$build" --target test_simulation test_pooled >>"$build.log" 2>&1 ||
	{ cat "$build.log" >&2; exit 1; }
"$build/tests/sim/test_simulation" --full
exec "$build/tests/sim/test_pooled" --full
