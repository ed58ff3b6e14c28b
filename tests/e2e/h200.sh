#!/bin/sh
# h200.sh BUILD SOURCE: what was measured on a real GPU says the same today: a result file
# verifies, and the trace of identical code has no change in it.
set -u
tool=$1/bin/bench-against data=$2/tests/data/h200
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
failures=0
fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

"$tool" verify "$data/run.json" >"$top/out" 2>&1 || fail "verify: status $?"
grep -q 'everything agrees: .* from 960 readings in 4 invocations' "$top/out" || {
	fail "verify says"
	cat "$top/out"
}
for file in nvbench.json fresh-steps.json trace.csv identical.csv; do
	xz -dc "$data/$file.xz" >"$top/$file" || fail "there is no $file"
done
"$tool" verify "$top/nvbench.json" >"$top/out" 2>&1 || fail "verify of a command suite: status $?"
grep -q 'everything agrees: .* from 36 readings in 6 invocations' "$top/out" || fail "verify says $(cat "$top/out")"
sed 's/"ratio": 1\.0/"ratio": 1.1/' "$data/run.json" >"$top/edited.json"
"$tool" verify "$top/edited.json" >"$top/out" 2>&1 && fail "an edited ratio agrees"

# what was checked in the untrusted lane
"$tool" verify --lane untrusted "$top/fresh-steps.json" >"$top/out" 2>&1 || fail "verify of fresh-steps: $(cat "$top/out")"

# counts of instructions, and the functions that add up to them
for name in launch numba; do
	gunzip -c "$data/$name-counts.json.gz" >"$top/counts.json"
	"$tool" verify "$top/counts.json" >"$top/out" 2>&1 || fail "verify of $name: $(tail -3 "$top/out")"
	"$tool" explain "$top/counts.json" >"$top/out" 2>&1 || fail "explain of $name: $(tail -3 "$top/out")"
done
grep -q 'numba_cuda/.*atcher.py' "$top/out" || fail "explain does not name the dispatcher"
sed '0,/"runtime": [0-9]*/s//"runtime": 99999/' "$top/counts.json" >"$top/edited.json"
cmp -s "$top/counts.json" "$top/edited.json" && fail "there is no count to edit"
"$tool" verify "$top/edited.json" >"$top/out" 2>&1 && fail "an edited count agrees"

# throughput is derived, and checked like what it is derived from
gunzip -c "$data/attention.json.gz" >"$top/attention.json"
"$tool" verify "$top/attention.json" >"$top/out" 2>&1 || fail "verify of attention: $(tail -3 "$top/out")"
sed '0,/"of_matrix_ceiling": 0\./s//"of_matrix_ceiling": 1./' "$top/attention.json" >"$top/edited.json"
"$tool" verify "$top/edited.json" >"$top/out" 2>&1 && fail "an edited part of a ceiling agrees"
grep -q 'of_matrix_ceiling is 1\.[0-9]* in the file, 0\.' "$top/out" || fail "verify says $(cat "$top/out")"

# by the rule under which it was recorded, which stopped each run when that was conclusive
"$tool" replay "$top/trace.csv" --threshold 2% --rule 1 --format csv >"$top/out" 2>&1 ||
	fail "replay: status $?"
[ "$(cut -d, -f2 "$top/out" | sort | uniq -c | tr -s ' \n' ' ')" = " 30 unchanged 1 verdict " ] || {
	fail "replay says"
	cat "$top/out"
}
"$tool" replay "$top/trace.csv" --threshold 2% --format csv >"$top/out" 2>&1 || fail "replay: status $?"
cut -d, -f2 "$top/out" | grep -Eq 'regressed|improved' && fail "identical code changed: $(cat "$top/out")"

# the runs' own verdicts: none is a change, and the intervals cover no change nearly always
awk -F, 'NR > 1 { n++; wrong += $7 == "regressed" || $7 == "improved"; hit += $9 <= 1 && $10 >= 1 }
	END { print n, wrong, hit; exit !(n == 920 && wrong == 0 && hit / n >= 0.95) }' \
	"$top/identical.csv" || fail "identical code"
exit "$failures"
