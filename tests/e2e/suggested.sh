#!/bin/sh
# suggested.sh BUILD: each command that a message suggests runs as it is printed, and means the
# same run: target, configuration, thresholds, filters, and names that a shell would change.
set -u
build=$1
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export BENCH_AGAINST_CACHE="$top/cache" BENCH_AGAINST_HISTORY="$top/history.sqlite"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
PATH=$build/bin:$PATH
mkdir "$BENCH_AGAINST_CACHE" && cp "$build/tests/toolchain-hashes" "$BENCH_AGAINST_CACHE" 2>/dev/null
# as awkward as a name may be
repo="$top/it's a repo"
mkdir "$repo" && cd "$repo" || exit 1
git init -q . && git config user.email a@example.com && git config user.name A
failures=0

complain() {
	echo "suggested.sh: $*" >&2
	cat "$top/out" "$top/err" >&2
	failures=$((failures + 1))
}

# STATUS ARGUMENTS...: runs the tool
run() {
	wanted=$1 status=0
	shift
	bench-against "$@" >"$top/out" 2>"$top/err" || status=$?
	[ $status -eq "$wanted" ] || complain "'$*': status $status, wanted $wanted"
}

# PATTERN: the last command in what was printed that matches
suggested() {
	cat "$top/out" "$top/err" | grep -o -e "$1" | tail -n 1 >"$top/command"
	[ -s "$top/command" ] || complain "no '$1' is suggested"
}

# STATUS PATTERN: runs what was suggested, as it stands
follow() {
	wanted=$1 status=0
	sh -c "$(cat "$top/command")" >"$top/out" 2>"$top/err" || status=$?
	if [ $status -ne "$wanted" ] || ! cat "$top/out" "$top/err" | grep -q -e "$2"; then
		complain "'$(cat "$top/command")': status $status, wanted $wanted and '$2'"
	fi
}

says() {
	grep -q -e "$1" "$top/command" || complain "'$(cat "$top/command")' is without '$1'"
}

# the configuration has another name, and one benchmark a name of a glob
cat >other.json <<'END'
{"suites": {"own": {"kind": "command", "command": ["sh", "bench.sh"], "timeout": "20s"}}}
END
version() {
	cat >bench.sh <<END
# $1
sleep 0.02
n=\$((\$\$ % 7))
echo '{"schema": "bench-against.samples/1", "benchmarks": [{"id": "a", "values":'
echo "[$2.\$n, $2.\${n}5, $2.\${n}2]}, {\"id\": \"b/n=1\", \"values\": [2000000]}]}"
END
	git add -A && git commit -q -m "$1" && git tag "$1"
}
version base 1000
version second 1000
version third 1200
version last 1200
echo 'exit 3' >bench.sh && git commit -q -a -m broken && git tag broken
version mended 1200

options='--target host --config other.json --threshold 5%'

# ---- bisect: the two commits alone, with its options ----
run 0 bisect $options --fixed 4 base last
suggested 'bench-against --.*'
says ' --target host' && says ' --config other.json' && says ' --threshold 5%'
says ' --filter own/a '
follow 1 'Regressed: own/a got slower'
run 125 bisect $options --blocks 6 base broken
suggested 'bench-against --.*'
says ' --blocks 6'
follow 125 'exited with status 3'

# ---- a filter that matches nothing: the names ----
run 129 base last $options --filter 'no such*'
suggested 'bench-against list.*'
says ' --config other.json'
status=0
sh -c "$(cat "$top/command")" >"$top/out" 2>"$top/err" || status=$?
case $status in
0 | 125 | 129) ! grep -q 'no such option' "$top/err" || complain "'$(cat "$top/command")'" ;;
*) complain "'$(cat "$top/command")': status $status" ;;
esac

# ---- a file of expected benchmarks that names none, or is not there ----
echo '{"gate": {"expected": ".bench-against.expected"}, "suites": {"own": {"kind": "command",
"command": ["sh", "bench.sh"], "timeout": "20s"}}}' >gated.json
for lacks in absent empty; do
	[ $lacks = absent ] || : >.bench-against.expected
	run 129 --config gated.json --target host --gate base second
	suggested 'bench-against list --expected[^>),]*'
	says ' --config gated.json'
	follow 0 '^own/a$'
done

# ---- from another directory, a journal with an awkward name ----
cd "$top" || exit 1
bench-against -C "$repo" $options --fixed 1000 --output "$top/it's out.json" base last \
	>"$top/out" 2>"$top/err" &
pid=$!
tries=0
until [ "$(cat "$top/it's out.json.journal" 2>/dev/null | wc -l)" -gt 12 ] || [ $tries -gt 600 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
kill -TERM $pid
wait $pid
suggested 'bench-against --resume .*'
cd "$top" || exit 1
sed -i 's/$/ --budget 1ms --fixed 1000/' "$top/command"
follow 129 'leave out one of them'
sed -i 's/ --budget 1ms --fixed 1000//' "$top/command"
journal="$top/it's out.json.journal"
before=$(wc -l <"$journal")
sh -c "exec $(cat "$top/command")" >"$top/out" 2>"$top/err" &
pid=$!
tries=0
until [ "$(wc -l <"$journal")" -gt "$before" ] || [ $tries -gt 600 ] || ! kill -0 $pid 2>/dev/null; do
	tries=$((tries + 1))
	sleep 0.1
done
kill -TERM $pid
wait $pid
[ "$(wc -l <"$journal")" -gt "$before" ] || complain "'$(cat "$top/command")'"

# ---- the history: target, directory and a filter that is no glob ----
for i in 1 2 3 4 5 6 7 8; do
	(cd "$repo" && echo "$i" >file && git add -A && git commit -q -m "$i")
done
commits=$(cd "$repo" && git rev-list --reverse HEAD | tail -n 8)
python3 - "$BENCH_AGAINST_HISTORY" $commits <<'END' || failures=$((failures + 1))
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
run = db.execute("SELECT run.id FROM run").fetchone()[0]
plan = db.execute("SELECT plan_sha256 FROM point WHERE benchmark = 'own/a'").fetchone()[0]
for i, commit in enumerate(sys.argv[2:]):
    v = db.execute("INSERT INTO variant (run, position, label, commit_id, tree_id, dirty, describe, subject) VALUES (?,0,?,?,'',0,'','s')", (run, commit[:9], commit)).lastrowid
    for k in range(3):
        db.execute("INSERT INTO point (variant, benchmark, metric, plan_sha256, ns, invocations) VALUES (?,'own/a','time',?,?,4)", (v, plan, (1000 if i < 4 else 1300) + k))
db.commit()
END
run 0 history -C "$repo" own/a
suggested 'bench-against --directory .*'
# programs have no target to name
says ' --filter own/a '
sed -i "s/\$/ --config other.json --fixed 4/" "$top/command"
follow 0 'No regression: \|Improved: '

[ $failures -eq 0 ] || exit 1
echo "suggested.sh: every suggested command is accepted and means its run"
