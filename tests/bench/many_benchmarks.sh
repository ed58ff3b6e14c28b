#!/bin/sh
# many_benchmarks.sh BUILD [COUNT]: what a command suite of COUNT benchmarks (10000) costs,
# and one of twice as many: seconds of the tool's processor time, and their ratio. 2 is
# linear, 4 quadratic. The program prints a file that is made beforehand; it and its
# children are counted as well, and are alike in both.
set -eu
build=$(cd "$1" && pwd) count=${2-10000}
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export BENCH_AGAINST_CACHE="$top/cache" BENCH_AGAINST_HISTORY="$top/history.sqlite"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
mkdir "$top/repo" && cd "$top/repo"
git init -q . && git config user.email a@example.com && git config user.name A
echo '{"suites": {"many": {"kind": "command", "command": ["cat", "out.json"]}}}' >.bench-against.json

# N TAG SALT
commit()
{
	awk -v n="$1" -v salt="$3" 'BEGIN {
		printf "{\"schema\": \"bench-against.samples/1\", \"benchmarks\": ["
		for (i = 0; i < n; i++)
			printf "%s{\"id\": \"group/n=%d\", \"values\": [%d, %d, %d]}", i ? ",\n" : "", i,
				1000 + salt, 1001 + salt, 1002
		print "]}"
	}' >out.json
	git add -A && git commit -q -m "$2" && git tag "$2"
}

last=
# the first is for what is done once, such as looking at the machine
for n in 10 "$count" $((2 * count)); do
	commit "$n" "base$n" 0
	commit "$n" "same$n" 1
	begin=$(date +%s.%N)
	status=0
	(
		"$build/bin/bench-against" "base$n" "same$n" -q --fixed 4 -o "$top/r.json" >"$top/out" 2>&1 || echo $? >"$top/status"
		times
	) | tail -1 >"$top/times"
	[ ! -e "$top/status" ] || { cat "$top/out"; exit 1; }
	seconds=$(sed 's/s\([^ ]*\)s*$/ \1/; s/m/ /g; s/s//g' "$top/times" | awk '{ print $1 * 60 + $2 }')
	echo "$n benchmarks: $seconds s user, $(echo "$begin $(date +%s.%N)" | awk '{ print $2 - $1 }') s wall"
	[ "$n" -ne $((2 * count)) ] || echo "$last $seconds" | awk '{ printf "ratio %.2f\n", $2 / $1 }'
	last=$seconds
done
