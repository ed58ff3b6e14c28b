#!/bin/sh
# many_benchmarks.sh BUILD [COUNT [KIND]]: what a suite of COUNT benchmarks (10000) costs,
# and one of twice as many: seconds of the tool's processor time, and their ratio. 2 is
# linear, 4 quadratic. KIND is `command`, where two variants are measured, or `worker`,
# where the benchmarks are listed (at most 10000 messages: COUNT 4900). The program prints a file
# that is made beforehand; it and its children are counted as well, and are alike in both.
set -eu
build=$(cd "$1" && pwd) count=${2-10000} kind=${3-command}
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export BENCH_AGAINST_CACHE="$top/cache" BENCH_AGAINST_HISTORY="$top/history.sqlite"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
mkdir "$top/repo" && cd "$top/repo"
git init -q . && git config user.email a@example.com && git config user.name A
if [ "$kind" = worker ]; then
	cat >worker.sh <<'END'
exec <&"$BENCH_AGAINST_REQUESTS" >&"$BENCH_AGAINST_REPLIES"
read line && echo '{"t":"hello","protocol":"bench-against.worker","version":1}'
read line && echo '{"t":"opened"}'
read line && cat out.json
cat >/dev/null
END
fi
echo '{"suites": {"many": {"kind": "'"$kind"'", "command": '"$(
	[ "$kind" = worker ] && echo '["sh", "worker.sh"]' || echo '["cat", "out.json"]'
)"'}}}' >.bench-against.json

# N TAG SALT
commit()
{
	awk -v n="$1" -v salt="$3" -v kind="$kind" 'BEGIN {
		for (i = 0; kind == "worker" && i < n; i++)
			printf "{\"t\":\"benchmark\",\"name\":\"n%d\",\"axes\":[],\"kinds\":[],\"value_counts\":[],\"values\":[],\"modes\":[\"submit\"]}\n", i
		if (kind == "worker") {
			print "{\"t\":\"listed\"}"
			exit
		}
		printf "{\"schema\": \"bench-against.samples/1\", \"benchmarks\": ["
		for (i = 0; i < n; i++)
			printf "%s{\"id\": \"group/n=%d\", \"values\": [%d, %d, %d]}", i ? ",\n" : "", i,
				1000 + salt, 1001 + salt, 1002
		print "]}"
	}' >out.json
	git add -A && git commit -q --allow-empty -m "$2" && git tag "$2"
}

last=
# the first is for what is done once, such as looking at the machine
for n in 10 "$count" $((2 * count)); do
	commit "$n" "base$n" 0
	commit "$n" "same$n" 1
	begin=$(date +%s.%N)
	status=0
	if [ "$kind" = worker ]; then set -- list "base$n"; else
		set -- "base$n" "same$n" -q --fixed 4 -o "$top/r.json"
	fi
	(
		"$build/bin/bench-against" "$@" >"$top/out" 2>&1 || echo $? >"$top/status"
		times
	) | tail -1 >"$top/times"
	[ ! -e "$top/status" ] || { cat "$top/out"; exit 1; }
	seconds=$(sed 's/s\([^ ]*\)s*$/ \1/; s/m/ /g; s/s//g' "$top/times" | awk '{ print $1 * 60 + $2 }')
	echo "$n benchmarks: $seconds s user, $(echo "$begin $(date +%s.%N)" | awk '{ print $2 - $1 }') s wall"
	[ "$n" -ne $((2 * count)) ] || echo "$last $seconds" | awk '{ printf "ratio %.2f\n", $2 / $1 }'
	last=$seconds
done
