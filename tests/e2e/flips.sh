#!/bin/sh
# flips.sh BUILD DOCUMENTS JOURNALS [SEED]: flip one bit at a random place, so many times, in
# a results document and in the journal of a killed run. `verify` must name each flip in the
# document. A journal must be refused, or --resume must end with the data of a run that was
# never interrupted. The seed fixes the places. Ends with 1 if anything was missed.
set -u
build=$1 documents=$2 journals=$3 seed=${4:-12}
tool=$build/bin/bench-against
driver=${FAKE:-$build}/tests/fakecuda/lib/libcuda.so.1
suites=${FAKE:-$build}/tests/suites
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export BENCH_AGAINST_CACHE="$top/cache" BENCH_AGAINST_HISTORY="$top/history.sqlite"
export BA_FAKE_CUDA='launch_ns=0;clock_ns=0;call_ns=10'
cd "$top" || exit 1
echo '{"suites": {"launch": {"kind": "launcher", "library": "launcher.so", "args": [0]}}}' \
	>.bench-against.json
for name in cost100 cost110; do
	mkdir $name && cp "$suites/$name.so" $name/launcher.so || exit 1
done

measure()
{
	"$tool" path:cost100 path:cost110 --in-place --fake-driver "$driver" --metrics submit \
		--fixed 8 --blocks 8 --seed 7 --config .bench-against.json --no-history -q "$@"
}

# FILE NUMBER: the file with one bit of one byte flipped, as `flipped`; the place in $place
flip()
{
	size=$(wc -c <"$1")
	set -- "$1" "$(awk -v s="$seed" -v n="$2" -v size="$size" 'BEGIN {
		srand(s * 100003 + n); printf "%d %d", int(rand() * size), int(rand() * 8) }')"
	at=${2% *} bit=${2#* }
	byte=$(od -An -tu1 -j "$at" -N 1 "$1" | tr -d ' ')
	mask=$(awk -v b="$bit" 'BEGIN { print 2 ^ b }')
	flipped=$(awk -v x="$byte" -v m="$mask" 'BEGIN {
		print int(x / m) % 2 ? x - m : x + m }')
	cp "$1" flipped
	# shellcheck disable=SC2059  # the octal number is the format
	printf "$(printf '\\%03o' "$flipped")" |
		dd of=flipped bs=1 seek="$at" conv=notrunc 2>/dev/null
	place="bit $bit of byte $at"
}

# what the answer comes from, without times
data()
{
	grep -E '"(ns|order|y|ratio|low|high|verdict|invocations|looks_done|answer)":' "$1"
}

missed=0
measure -o document.json >/dev/null 2>&1
"$tool" verify -q document.json || {
	echo "flips.sh: the document does not verify: $("$tool" verify document.json 2>&1)" >&2
	exit 1
}
n=0
while [ $n -lt "$documents" ]; do
	n=$((n + 1))
	flip document.json $n
	status=0
	"$tool" verify -q flipped >/dev/null 2>&1 || status=$?
	case $status in
	1 | 129) ;;
	*)
		missed=$((missed + 1))
		echo "document: $place: status $status"
		;;
	esac
done
echo "$documents flips in a document of $(wc -c <document.json) bytes: $missed missed"

# A run that is killed once its journal has some invocations; whole lines of it.
data document.json >wanted
tries=0
until [ "$(grep -c '"t":"invocation"' whole 2>/dev/null)" = 4 ]; do
	tries=$((tries + 1))
	[ $tries -le 20 ] || {
		echo "flips.sh: no journal of a killed run came of 20 tries" >&2
		exit 1
	}
	rm -f run.json run.json.journal whole
	measure -o run.json >/dev/null 2>&1 &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		[ "$(grep -c '"t":"invocation"' run.json.journal 2>/dev/null)" -ge 4 ] 2>/dev/null &&
			break
	done
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	[ -f run.json.journal ] || continue
	# the fifth line of samples begins what was not whole
	awk '{ print } /"t":"invocation"/ && ++n == 4 { exit }' run.json.journal >whole
done
lost=0 refused=0 kept=0 n=0
while [ $n -lt "$journals" ]; do
	n=$((n + 1))
	flip whole $n
	mv flipped run.json.journal
	rm -f run.json
	status=0
	"$tool" --resume run.json.journal >out 2>&1 || status=$?
	if [ $status -eq 129 ] && [ ! -f run.json ]; then
		refused=$((refused + 1))
	elif [ $status -eq 1 ] && data run.json >found && cmp -s wanted found; then
		kept=$((kept + 1))
	else
		lost=$((lost + 1))
		echo "journal: $place: status $status: $(tail -n 3 out)"
	fi
done
echo "$journals flips in a journal of $(wc -c <whole) bytes: $refused refused," \
	"$kept ended with the same data, $lost with another answer"
[ $((missed + lost)) -eq 0 ]
