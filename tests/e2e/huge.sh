#!/bin/sh
# huge.sh BUILD: files of 2 GiB that are nothing, wherever a file can come in: a sentence that
# names the file, the status of bad input, and neither all the memory nor minutes. The files
# are sparse and take no room.
set -eu
tool=$1/bin/bench-against
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export HOME="$top" BENCH_AGAINST_CACHE="$top/cache"
cd "$top"
fail()
{
	echo "huge.sh: $*" >&2
	exit 1
}

# zeros; and what begins as each format does and goes on with zeros
make() # NAME TEXT
{
	printf '%s' "$2" >"$1"
	truncate -s 2G "$1" 2>/dev/null || {
		echo "no sparse files of 2 GiB here"
		exit 77
	}
}
make zeros ''
make document '{"schema": "bench-against.results/1", "verdict": "'
make google '{"context": {"date": "x"}, "benchmarks": [{"name": "'
make journal '{"t":"header","schema":"bench-against.journal/2","argv":["'
make trace 'benchmark,invocation,block,position,variant,sample,ns
a,0,0,0,A,0,'
make go 'goos: linux
BenchmarkX '
make base 'SQLite format 3'

refused() # FILE COMMAND...
{
	file=$1
	shift
	status=0
	timeout 100 "$@" >out 2>err </dev/null || status=$?
	case $status in
	125 | 129) ;;
	*) fail "'$*' ended with status $status: $(head -c 500 out err)" ;;
	esac
	[ "$(wc -c <err)" -lt 2000 ] || fail "'$*' says too much: $(head -c 300 err)"
	grep -q "^bench-against: .*$file" err || fail "'$*' does not name '$file': $(head -c 500 err)"
	tr -d '\n\t' <err | LC_ALL=C grep -q '[[:cntrl:]]' && fail "'$*' prints control characters"
	[ ! -s out ] || fail "'$*' prints an answer: $(head -c 200 out)"
}

for file in zeros document google trace go journal; do
	refused "$file" "$tool" compare "$file" "$file"
	refused "$file" "$tool" convert "$file"
done
for file in zeros document; do
	refused "$file" "$tool" report "$file"
	refused "$file" "$tool" verify "$file"
	refused "$file" "$tool" plot "$file"
	refused "$file" "$tool" run --config "$file" path:.
done
refused zeros "$tool" replay zeros
refused trace "$tool" replay trace
refused zeros "$tool" --resume zeros
refused journal "$tool" --resume journal
for file in zeros base; do
	BENCH_AGAINST_HISTORY=$top/$file refused "$file" "$tool" history
done
