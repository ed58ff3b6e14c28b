#!/bin/sh
# inherited.sh BUILD: whatever the state in which the tool is started, a run gives the same answer
# and a build that fails is a failure; or the tool says what is wrong, and keeps nothing.
set -u
build=$1
# root may do what the limits and the modes below forbid
if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups \
	test -r "$build/bin/bench-against" -a -r "$0"; then
	exec setpriv --reuid=65534 --regid=65534 --clear-groups sh "$0" "$@"
fi
. "$(dirname "$0")/repo.sh"
export BA_FAKE_CUDA='launch_ns=0;clock_ns=0;call_ns=10' HOME="$top" XDG_CACHE_HOME="$top/xdg"
export ASAN_OPTIONS=handle_segv=0:handle_abort=0:detect_leaks=1:verify_asan_link_order=0
failures=0

cat >.bench-against.json <<'END'
{ "build": { "commands": [["sh", "build.sh"]] },
  "suites": { "launch": { "kind": "launcher", "library": "launcher.so", "args": [0] } } }
END
version() { # NAME LIBRARY BUILD
	cp "$build/tests/suites/$2.so" variant.so
	printf 'cp variant.so launcher.so\n%s\n' "$3" >build.sh
	git add -A && git commit -qm "$1" && git tag "$1"
}
version old cost100 :
version new cost110 :
version broken cost100 'exit 7'
version endless cost100 "touch '$top/building'; sleep 777"

complain() {
	echo "inherited.sh: $state: $*" >&2
	cat "$top/out" "$top/err" >&2
	failures=$((failures + 1))
}

# STATE COMMAND...: starts a command that changes the state and then starts its arguments. The
# caches before it are gone, but for the compilers' hashes.
start() {
	state=$1 status=0
	shift
	rm -rf "$top/xdg" "$top/r.json" "$BENCH_AGAINST_CACHE/trees"
	: >"$top/out" && : >"$top/err"
	timeout -k 1 300 "$@" "$tool" ${directory:+-C "$directory"} \
		--fake-driver "$build/tests/fakecuda/lib/libcuda.so.1" ${metrics---metrics submit} --fixed 4 \
		--blocks 4 --seed 7 --output "$top/r.json" old new broken || status=$?
}

# the answer is the one of an ordinary start
same() {
	start "$@" >"$top/out" 2>"$top/err"
	right
}
right() {
	[ $status -eq 1 ] || complain "status $status"
	python3 - "$top/r.json" <<'END' || complain "another result"
import json, sys
doc = json.load(open(sys.argv[1]))
new, broken = doc["series"][0]["comparisons"]
assert new["verdict"] == "regressed" and abs(new["ratio"] - 1.1) < 1e-9, new
assert broken["verdict"] == "failed", broken
why = doc["series"][0]["variants"][2]["failure"]
assert "'sh build.sh' exited with status 7" in why, why
END
	[ "$(ls "$BENCH_AGAINST_CACHE/trees" | grep -c complete)" = 2 ] || complain "a broken tree is kept"
	! grep -rl -e 'got slower' -e 'warning: ' "$BENCH_AGAINST_CACHE" || complain "a file has output"
}

# SENTENCE: the tool refused with it, and kept nothing
refused() {
	[ $status -eq 125 ] || complain "status $status"
	grep -q -e "$1" "$top/err" || complain "it does not say '$1'"
	! ls "$BENCH_AGAINST_CACHE/trees" 2>&1 | grep complete || complain "a tree is kept"
}

same ordinary env
same 'SIGCHLD ignored' env --ignore-signal=CHLD
same 'all signals ignored' env --ignore-signal
cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
same 'blocked signals, lowest priority, one processor' nice -n 19 taskset -c "$cpu" env --block-signal
umask 0777
same 'umask 0777, no variables of a user' env -u HOME -u USER -u LOGNAME -u SHELL -u XDG_CACHE_HOME
umask 0022

start 'no descriptor 1' env >&- 2>"$top/err"
right
grep -q 'standard output: Bad file descriptor' "$top/err" || complain "nobody says that output is lost"
start 'no descriptors' env <&- >&- 2>&-
right

# a signal that was blocked ends the tool all the same
state='SIGTERM blocked'
timeout -s KILL 120 env --block-signal=TERM "$tool" old endless >"$top/out" 2>"$top/err" &
tries=0
while [ ! -e "$top/building" ] && [ $((tries += 1)) -lt 600 ]; do sleep 0.1; done
kill -TERM $!
wait $!
[ $? -eq 143 ] || complain 'it goes on'

mkdir "$top/gone" && cd "$top/gone" && rmdir "$top/gone"
start 'directory removed' env >"$top/out" 2>"$top/err"
refused 'the working directory was removed'
directory=$top/repo same 'directory removed, -C' env
for order in "-C $top/repo list old" "list -C $top/repo old" "--directory=$top/repo list old"; do
	"$tool" $order 2>"$top/err" | tee "$top/out" | grep -q '^launch/args=0' || complain "'$order'"
done
mkdir "$top/shut" && cd "$top/shut" && chmod 0 "$top/shut"
directory=$top/repo same 'directory unreadable, -C' env
cd "$top/repo" && rmdir "$top/shut"
if [ "$(id -u)" != 0 ]; then
	start 'no more processes' env ASAN_OPTIONS=detect_leaks=0 prlimit --nproc=1 >"$top/out" 2>"$top/err"
	refused 'Resource temporarily unavailable'
fi

# whoever set a limit is to blame, and no variant: in a build, and while something is measured
too_large() {
	start "$1" prlimit --fsize=2000000 >"$top/out" 2>"$top/err"
	[ $status -eq 125 ] && [ ! -e "$top/r.json" ] || complain "status $status"
	grep -q 'at the limit on file sizes that bench-against was started with' "$top/err" ||
		complain 'the limit is not named'
}
git tag -d broken >/dev/null
version broken cost100 'head -c 4000000 /dev/zero >large'
too_large 'file size limit in a build'
printf '{ "suites": { "own": { "kind": "command", "command": ["sh", "build.sh"] } } }' >.bench-against.json
metrics='' too_large 'file size limit in a benchmark'

# a pipe in the place of a file, with nobody who writes into it
mkdir sub && touch sub/file && git add sub/file && rm -f "$top/out"
for pipe in .gitignore sub/.gitignore .git/info/exclude; do
	rm -f "$pipe" && mkfifo "$pipe" && state="a pipe as $pipe" status=0
	timeout -k 1 60 "$tool" old WORKTREE >"$top/out" 2>"$top/err" || status=$?
	[ $status -eq 129 ] && grep -q "$pipe' is a pipe or a device" "$top/err" || complain "status $status"
	rm "$pipe"
done
rm .bench-against.json && mkfifo .bench-against.json
start 'a pipe as configuration' timeout 60 >"$top/out" 2>"$top/err"
[ $status -eq 129 ] && grep -q "is a pipe or a device, not a file" "$top/err" || complain "status $status"
exit $failures
