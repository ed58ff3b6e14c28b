#!/bin/sh
# sh tests/bench/witness.sh BUILD [CPU]: what does the witness of launches cost on the host target?
# BUILD is a build without sanitizers, with the tests; CPU (1) is the processor to run on. Prints, of
# five rounds, nanoseconds a launch: a loop by hand, the worker's loop with arguments that never
# change ("old"), and the worker's loop as it measures ("new"), each visit in turns, in one process.
# The driver counts the launches of all three; "new" also adds up arguments that are drawn for each
# visit. Where a build of an earlier tool is in OLD, its time of the demo's launches beside ours:
# `your code` is the launch without the driver's part, which must not move.
set -eu
build=$(cd "$1" && pwd)
cpu=${2:-1}
taskset -c "$cpu" "$build/tests/gpu/bare_loop" "$build/lib/bench-against/host/libcuda.so.1"
[ "${OLD:-}" ] || exit 0
old=$(cd "$OLD" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1
"$build/bin/bench-against" demo "$work/demo" >/dev/null
cd "$work/demo"
for round in 1 2 3 4 5; do
	for tool in "$old" "$build"; do
		"$tool/bin/bench-against" HEAD~1 HEAD --target host --metrics host --fixed 4 \
			--filter '*args=2*' -o "$work/r.json" >"$work/out" || [ $? = 1 ]
		printf '%s %s: ' "$round" "$([ "$tool" = "$old" ] && echo old || echo new)"
		grep -E '^(host |  your code)' "$work/out" | tr '\n' ' '
		echo
	done
done
