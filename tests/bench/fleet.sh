#!/bin/sh
# sh tests/bench/fleet.sh BUILD [BENCHMARKS:MEMBERS:INVOCATIONS...]: what a coordinator costs, by
# the numbers of benchmarks and members, which are simulated (fleet.c). Use a release build.
set -eu
build=$1
shift
[ $# -gt 0 ] || set -- 1000:64:128 3000:64:128 10000:64:128 10000:8:128 10000:32:128
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 129' HUP INT TERM
echo "benchmarks,members,invocations,seconds,us_each,peak_mb,regressed"
for sizes; do
	n=${sizes%%:*} rest=${sizes#*:}
	line=$("$build/tests/integration/bench_fleet" "$n" "${rest%%:*}" "${rest#*:}" "$work/desk")
	echo "$line"
	# every tenth benchmark is slower by 10 %
	[ "${line##*,}" -eq $(((n + 9) / 10)) ] || {
		echo "fleet.sh: ${line##*,} of $n are regressed" >&2
		exit 1
	}
done
