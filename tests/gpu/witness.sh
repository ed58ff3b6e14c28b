#!/bin/sh
# sh tests/gpu/witness.sh BUILD: what does the witness of launches cost on this GPU, and does it
# see what it should? BUILD is a build without sanitizers, with the tests. Prints the tables of
# bare_loop (a hand-written loop, the worker's loop without and with the witness, in turns), then
# what the tool says of launchers that skip, repeat or delay launches or keep old arguments, and of
# an honest one. Exit status 1 where `submit` of the two loops differs by more than 0.5 % in one of
# five rounds, or a launcher gets another answer than it should; 77 where there is no GPU. 1 minute.
set -eu
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1
status=0
"$build/tests/gpu/bare_loop" || status=$?
[ $status != 77 ] || exit 77
[ $status = 0 ] || echo "bare_loop: status $status"

mkdir "$work/repo"
cd "$work/repo"
git init -q -b main .
git config user.email gpu@example.org
git config user.name gpu
cat >.bench-against.json <<'JSON'
{ "build": { "commands": [["cp", "variant.so", "launcher.so"]] },
  "suites": { "launch": { "kind": "launcher", "library": "launcher.so", "args": [0, 1, 16],
                          "bytes": [3, 77, 256, 8200] } } }
JSON
for name in place0 skip_half repeat_one launch_late keep_arguments; do
	cp "$build/tests/suites/$name.so" variant.so
	git add -f . && git commit -qm "$name" --allow-empty && git tag "$name"
done
check() { # NAME, STATUS, SENTENCE, FILTER
	code=0
	"$build/bin/bench-against" place0 "$1" --metrics submit --fixed 4 --measure-identical \
		--filter "$4" >"$work/out" 2>&1 || code=$?
	if [ $code = "$2" ] && grep -q "$3" "$work/out"; then
		printf '%-16s status %3d  %s\n' "$1" $code "$(grep -m1 "$3" "$work/out")"
	else
		echo "$1: status $code, expected $2 and '$3'"
		cat "$work/out"
		status=1
	fi
}
# all sizes of arguments: what the kernel adds up is what the tool expects
for size in args=0 args=1, args=16 bytes=3 bytes=77 bytes=256 bytes=8200; do
	check place0 0 "$size" "*$size*"
done
lost='launched [0-9]* times, [0-9]* arrived'
check skip_half 125 "$lost" '*args=1,*'
check repeat_one 125 "$lost" '*args=1,*'
check launch_late 125 "$lost" '*args=1,*'
for size in args=1, args=16; do # of 16 arguments, only the last is an old one
	check keep_arguments 125 'with other arguments than were given' "*$size*"
done
exit $status
