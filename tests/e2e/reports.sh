#!/bin/sh
# reports.sh BUILD SOURCE [update]: result files in every form (but JSON, which grows members)
# have the bytes on record, tests/data/reports.sha256, read from a file and from a pipe; with
# `update` the record is written anew, after a change of a report that was looked at.
set -u
tool=$1/bin/bench-against source=$2 mode=${3:-check}
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
record=$source/tests/data/reports.sha256
formats='term markdown summary html csv sweep sweep-csv junit github'

fail() {
	echo "FAILED: $*" >&2
	: >>bad
}

cp "$source/tests/data/h200/run.json" "$top"
xz -dc "$source/tests/data/h200/nvbench.json.xz" >"$top/nvbench.json"
gunzip -c "$source/tests/data/h200/attention.json.gz" >"$top/attention.json"
cd "$top" || exit 1

sum() # NAME COMMAND...
{
	name=$1
	shift
	"$@" >out 2>err || fail "$name: status $?: $(head -c 300 err)"
	echo "$(sha256sum <out | cut -d' ' -f1)  $name"
}

for file in run nvbench attention; do
	for format in $formats; do
		sum "$file $format" "$tool" report --format "$format" "$file.json"
	done
done >sums
sum "attention across" "$tool" report --across suite,benchmark,kernel,backend attention.json >>sums
# the same of what cannot be read twice
for format in csv json html; do
	"$tool" report --format "$format" nvbench.json >whole
	"$tool" report --format "$format" /dev/stdin <nvbench.json >file
	cat nvbench.json | "$tool" report --format "$format" /dev/stdin >pipe
	cmp whole file || fail "$format from standard input"
	cmp whole pipe || fail "$format from a pipe"
done

[ "$mode" = update ] && cp sums "$record"
diff "$record" sums >changed || fail "these forms changed (reports.sh BUILD SOURCE update):
$(sed -n 's/^> [0-9a-f]*  //p' changed)"
[ ! -e bad ]
