#!/bin/sh
# sandbox.sh BUILD SOURCE: builds, launchers and commands in sandboxes. A hostile build gets what
# tests/sandbox/outcomes.txt says, and so does a hostile benchmark; honest ones get their verdict. Without
# bubblewrap this fails; 77 where the kernel forbids namespaces.
set -u
build=$1 source=$2
tool=$build/bin/bench-against
probe=$build/tests/sandbox/probe
top=$(mktemp -d "$build/tests/sandbox-e2e-XXXXXX")
listener=
trap 'kill $listener 2>/dev/null; rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export BENCH_AGAINST_CACHE="$top/cache" BENCH_AGAINST_HISTORY="$top/history.sqlite"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export HOME="$top/home" LANG=C GITHUB_TOKEN=secret
mkdir -p "$top/home/.ssh" "$top/home/.cache/wheels" "$top/home/out" "$top/repo" "$top/cache"
cp "$build/tests/toolchain-hashes" "$BENCH_AGAINST_CACHE" 2>/dev/null
echo secret | tee "$top/home/.ssh/id" "$top/cache/other" /tmp/ba-sandbox-e2e-$$ >/dev/null
echo wheel >"$top/home/.cache/wheels/w"
failures=0

if ! command -v bwrap >/dev/null; then
	echo "sandbox.sh: bubblewrap is not installed; the test cannot be left out"
	exit 1
fi
if ! bwrap --unshare-user --unshare-pid --ro-bind / / --proc /proc true 2>"$top/err"; then
	echo "sandbox.sh: the kernel forbids namespaces: $(cat "$top/err")"
	exit 77
fi

# what a probe may reach outside: a port, an abstract socket, this shell
cat >"$top/listen.py" <<'END'
import socket, sys, time
port = socket.create_server(("127.0.0.1", 0))
other = socket.socket(socket.AF_UNIX)
other.bind("\0" + sys.argv[1])
other.listen()
with open(sys.argv[2] + ".new", "w") as f:
    f.write(str(port.getsockname()[1]))
import os
os.rename(sys.argv[2] + ".new", sys.argv[2])
time.sleep(1800)
END
python3 "$top/listen.py" "ba-e2e-$$" "$top/port" &
listener=$!
until [ -s "$top/port" ]; do sleep 0.05; done
outside="port=$(cat "$top/port") abstract=ba-e2e-$$ pid=$$ comm=sandbox.sh own=own other=$top/cache/other"
outside="$outside secret=$HOME/.ssh/id tmpfile=/tmp/ba-sandbox-e2e-$$"

fail()
{
	echo "sandbox.sh: $*" >&2
	cat "$top/out" "$top/err" >&2
	failures=$((failures + 1))
}

# STATUS PATTERN ARGUMENTS...
expect()
{
	wanted=$1 pattern=$2
	shift 2
	status=0
	"$tool" "$@" >"$top/out" 2>"$top/err" || status=$?
	[ $status -eq "$wanted" ] && cat "$top/out" "$top/err" | grep -q -e "$pattern" ||
		fail "'$*': status $status, wanted $wanted and '$pattern':"
}

commit()
{
	git add -A && git commit -q -m "$1" && git tag "$1"
}

cd "$top/repo" && git init -q . && git config user.email a@example.com && git config user.name A || exit 1
cp "$probe" probe && echo mine >own

# ---- a hostile build ----

cat >.bench-against.json <<'END'
{"sandbox": true,
 "build": {"command": ["sh", "build.sh"], "env": ["GITHUB_TOKEN"]},
 "suites": {"launch": {"kind": "launcher", "library": "launcher.so", "args": [0]}}}
END
cat >build.sh <<END
./probe $outside >outcomes.txt
: >lock
env -i setsid flock lock sh -c ': >held; exec sleep 1000' >/dev/null 2>&1 &
until test -e held; do sleep 0.01; done
cp planted.so launcher.so
END
cp "$build/tests/suites/cost100.so" planted.so && commit old
cp "$build/tests/suites/cost110.so" planted.so && commit new
fake="--fake-driver $build/tests/fakecuda/lib/libcuda.so.1 --metrics submit --fixed 4 --blocks 16 --threshold 0.2%"
# shellcheck disable=SC2086 # words, here and below
expect 1 "regressed" $fake --gate old new
grep -q "'GITHUB_TOKEN' is not passed to builds in a sandbox" "$top/err" ||
	fail "a secret that build.env names is not reported"
trees=0
for tree in "$top"/cache/trees/*-a; do
	trees=$((trees + 1))
	while read -r what outcomes; do
		case $what in '#'* | '') continue ;; esac
		got=$(sed -n "s/^$what //p" "$tree/outcomes.txt")
		case ,$outcomes, in
		*,"$got",*) ;;
		*) fail "hostile build: $what: '$got', expected $outcomes" ;;
		esac
	done <"$source/tests/sandbox/outcomes.txt"
	lines=$(wc -l <"$tree/outcomes.txt") rows=$(grep -c '^[a-z]' "$source/tests/sandbox/outcomes.txt")
	[ "$lines" -eq "$rows" ] || fail "hostile build: $lines outcomes, $rows rows"
	flock -n "$tree/lock" true || fail "a daemon of a build lives on"
done
[ $trees -eq 2 ] || fail "$trees trees instead of 2"

# docs/security.md has the same table
while read -r what outcomes; do
	case $what in '#'* | '') continue ;; esac
	row=$(grep "^| \`$what\` |" "$source/docs/security.md" | tr -d '`' | sed 's/.*| \(.*\) |$/\1/; s/ or /,/g')
	[ "$row" = "$outcomes" ] || fail "docs/security.md: $what is '$row', not $outcomes"
done <"$source/tests/sandbox/outcomes.txt"

# the same verdict, from trees that are built already
# shellcheck disable=SC2086
expect 1 "split engine" $fake --gate --no-build --engine split old new
# what a build can reach decides where it lies
sed 's/"sandbox": true,/"sandbox": {"network": true},/' .bench-against.json >"$top/network.json"
expect 125 'is not in the cache' --target host --no-build --config "$top/network.json" old new

# ---- a hostile benchmark ----

cat >.bench-against.json <<'END'
{"suites": {"own": {"kind": "command", "command": ["sh", "bench.sh"]}}}
END
cat >bench.sh <<END
./probe $outside | sed -n 's/ yes\$//p' | tr '\n' ' ' >&2
exit 1
END
commit hostile
expect 125 'files.own_tree_read files.home_write files.tmp_write devices.null given.LANG *$' \
	run --target host --sandbox hostile

# ---- a program that measures itself on request ----

mkdir -p marks && : >marks/__init__.py
cat >marks/all.py <<'END'
from thing import work

def time_work():
    work()
END
cat >.bench-against.json <<'END'
{"target": "host", "suites": {"s": {"kind": "worker",
 "command": ["python3", "-m", "bench_against_worker", "--asv", "marks"]}}}
END
echo 'def work(): return sum(range(1000))' >thing.py && commit sums
echo 'def work(): return sum(range(2000))' >thing.py && commit sums_twice
expect 1 's/all.time_work.*regressed\|Regressed' --sandbox --gate --explain=off --fixed 3 sums sums_twice
echo 'def work(): return sum(range(12))' >thing.py && commit sums_few
expect 0 's/all.time_work *[0-9]' run --sandbox --metrics instructions --fixed 2 sums_few

# ---- a tree that is changed while the run uses it ----

cat >"$top/shared.json" <<END
{"sandbox": {"writable": ["$top/cache/trees"]},
 "suites": {"own": {"kind": "command", "command": ["sh", "bench.sh"]}}}
END
cat >bench.sh <<'END'
echo '{"benchmarks": [{"name": "one", "run_type": "iteration", "iterations": 1, "real_time": 5, "cpu_time": 5, "time_unit": "ns"}], "context": {}}'
END
commit honest
cat >>bench.sh <<END
for other in $top/cache/trees/*/bench.sh; do
	echo '# slower' >>"\$other"
done
true
END
commit meddling
expect 125 "the tree of honest is not as it was built: in '.*', 'bench.sh' was changed" \
	--target host --config "$top/shared.json" --fixed 3 honest meddling

# ---- what a build may be given ----

cat >build.sh <<'END'
tar xf owned.tar && test -s owned && cat ~/.cache/wheels/w && ! touch ~/.cache/wheels/new && touch ~/out/made && cp planted.so launcher.so
END
# as somebody else packed it
echo content >owned && tar --owner=4711 --group=4711 -cf owned.tar owned && rm owned
cat >.bench-against.json <<'END'
{"sandbox": {"readable": ["~/.cache/wheels"], "writable": ["~/out"]},
 "build": {"command": ["sh", "build.sh"]},
 "suites": {"launch": {"kind": "launcher", "library": "launcher.so", "args": [0]}}}
END
commit caches
expect 0 'launch/args=0' run --target host --fixed 2 --blocks 8 caches
[ -e "$HOME/out/made" ] && [ ! -e "$HOME/.cache/wheels/new" ] || fail "caches"

# the library of another tree, which the host could read and copy
cat >build.sh <<END
ln -sf $top/other.so planted.so; cp -P planted.so launcher.so
END
cp "$build/tests/suites/cost100.so" "$top/other.so"
commit link
expect 125 "made 'launcher.so', a link that leaves the tree" run --target host link

# ---- what is said ----

cat >build.sh <<'END'
python3 -c 'import urllib.request; urllib.request.urlopen("http://pypi.example.org/")'
END
commit fetches
expect 125 'the build ran in a sandbox without network; fetch what it needs' \
	run --target host fetches
echo 'touch /usr/lib/x' >build.sh
commit writes
expect 125 'can write only its tree, /tmp and its home' run --target host writes
cat >.bench-against.json <<'END'
{"sandbox": true, "build": {"command": ["no-such-program"]},
 "suites": {"launch": {"kind": "launcher", "library": "launcher.so", "args": [0]}}}
END
commit nothing
expect 125 "in the sandbox: no program 'no-such-program' in PATH" run --target host nothing

# a machine without bubblewrap: the run is refused, and nothing is built
status=0
bwrap --bind / / --dev /dev --ro-bind /dev/null "$(command -v bwrap)" \
	"$tool" run --target host --sandbox nothing >"$top/out" 2>"$top/err" || status=$?
[ $status -eq 125 ] && grep -q "'sandbox' (.*): the sandbox needs bubblewrap, which is not installed" "$top/err" ||
	fail "without bubblewrap: status $status"

rm -f /tmp/ba-sandbox-e2e-$$
[ $failures -eq 0 ] || exit 1
echo "sandbox.sh: all as expected"
