#!/bin/sh
# explain.sh BUILD SOURCE: planted causes are found by counting. Launchers that differ from the
# baseline in one function each: `explain` names that function first, with the line of its
# definition, its rows add up, and `verify` agrees. Also: what is said where there is nothing to
# explain.
set -u
build=$1 source=$2
tool=$build/bin/bench-against
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export BENCH_AGAINST_CACHE="$top/cache" BENCH_AGAINST_HISTORY="$top/history.sqlite"
mkdir "$BENCH_AGAINST_CACHE" && cp "$build/tests/toolchain-hashes" "$BENCH_AGAINST_CACHE" 2>/dev/null
cd "$top" || exit 1

fail()
{
	echo "explain.sh: $*" >&2
	exit 1
}

cat >.bench-against.json <<'END'
{"suites": {"launch": {"kind": "launcher", "library": "launcher.so", "args": [2]}}}
END

# variant NAME BODY: a launcher that calls planted() before each launch; empty: none
variant()
{
	mkdir "$1"
	if [ -n "$2" ]; then
		cat >planted.c <<END
#include <string.h>
static volatile unsigned values[16], lock;
struct options { int a, b, c, d; const char *name; };
__attribute__((noinline)) static unsigned planted(const ba_launcher_config *c, void **args)
{
	(void)c, (void)args;
$2
}
END
		awk 'FNR == NR { planted = planted $0 "\n"; next }
			/^static int my_launch/ { printf "%s", planted }
			{ print }
			/^static int my_launch/ { body = 1 }
			body && /^{/ { print "\tvalues[1] = planted(c, args);"; body = 0 }' \
			planted.c "$source/examples/launcher/launcher.c" >"$1/launcher.c"
	else
		cp "$source/examples/launcher/launcher.c" "$1"
	fi
	cc -O1 -g -fPIC -shared -I"$source/include" -o "$1/launcher.so" "$PWD/$1/launcher.c" ||
		fail "$1 does not compile"
}

variant baseline ''
variant lock '	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) ; __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); return lock;'
variant lookup '	for (unsigned i = 0; i < 16; i++) if (values[i] == 77) return i; return 16;'
variant copy '	for (unsigned i = 1; i < 16; i++) values[i - 1] = values[i]; return values[3];'
variant hash '	unsigned h = 5381; for (const char *p = "signature"; *p; p++) h = h * 33 + (unsigned char)*p + values[2]; return h;'
variant options '	struct options o; memset(&o, 0, sizeof(o)); o.a = (int)values[3]; o.name = "x"; return (unsigned)o.a + (unsigned)o.d;'
variant chain '	unsigned k = c->block.x; if (k == 1) return 1; if (k == 2) return 3; if (k == 3) return 5; if (k == 4) return 9; return values[4];'
variant one '	return values[5];'

"$tool" path:baseline lock=path:lock lookup=path:lookup copy=path:copy hash=path:hash \
	options=path:options chain=path:chain one=path:one --in-place --target host \
	--config .bench-against.json --metrics instructions -o r.json >out 2>&1
status=$?
if grep -q 'cannot count\|does not support' out; then
	echo "instructions cannot be counted here: $(cat out)"
	exit 77
fi
[ $status -le 1 ] || fail "the run ended with status $status: $(cat out)"

"$tool" explain r.json 'launch*' --format json >why.json || fail "explain --format json"
python3 - why.json "$top" <<'END' || fail "an explanation is not as planned"
import json, sys
doc = json.load(open(sys.argv[1]))
assert doc["schema"] == "bench-against.why/1"
found = {}
for e in doc["explanations"]:
    why = e["why"]
    for side in "baseline", "candidate":
        for scope, total in why[side].items():
            rows = [f[side] for f in why["functions"] if f["scope"] == scope]
            assert sum(rows) == total, (e["candidate"], side, scope, rows, total)
    # its caller saves registers for the call: of the smallest causes that is the larger part
    first, change = sorted(why["functions"][:2], key=lambda f: f["name"], reverse=True)
    found[e["candidate"]] = first["candidate"]
    assert first["name"] == "planted" and first["kind"] == "new", (e["candidate"], first)
    assert first["candidate"] < 15 or first is why["functions"][0], (e["candidate"], first)
    assert first["scope"] == "own" and first["object"] == "launcher.so", first
    text = open("%s/%s/%s" % (sys.argv[2], e["candidate"], first["file"])).read().split("\n")
    assert " planted(" in text[first["line"] - 1], first
    assert "the candidate calls planted()" in why["parting"], why["parting"]
    assert change["name"] == "my_launch" and change["kind"] == "both", change
    called = [text[l["line"] - 1] for l in change["lines"] if not l["gone"]]
    assert any("planted(c, args)" in line for line in called), (called, change)
assert len(found) == 7 and sum(n >= 15 for n in found.values()) >= 3, found
END

"$tool" verify r.json >verify.out 2>&1 || fail "verify: $(cat verify.out)"
"$tool" explain r.json >text || fail "explain"
grep -q '^ *+[0-9]* *0 *[0-9]* *planted *launcher.c:[0-9]* *new$' text || fail "no row: $(cat text)"
"$tool" report r.json >screen || fail "report"
grep -q '^why launch/.*, copy: +[0-9]* instructions (.*), exactly$' screen || fail "no line: $(cat screen)"
"$tool" explain r.json 'no*such' 2>error
[ $? -eq 129 ] || fail "a name that no benchmark has"
grep -q "no benchmark of the file matches 'no\*such'" error || fail "$(cat error)"

# a result without counts
"$tool" path:baseline copy=path:copy --in-place --target host --config .bench-against.json \
	--metrics host --fixed 2 --blocks 4 -q -o without.json >out 2>&1
[ $? -le 1 ] || fail "a run without counts: $(cat out)"
"$tool" explain without.json >text 2>&1 || fail "explain without counts: $(cat text)"
grep -q 'the run did not count instructions' text || fail "$(cat text)"

# Counts that explain one candidate's times are not missing in another, and their processes are no
# invocations of the times.
variant big '	for (volatile unsigned i = 0; i < 150; i++) ; return values[6];'
cp -R baseline again
"$tool" path:baseline big=path:big again=path:again --in-place --target host \
	--config .bench-against.json --explain=changed --fixed 4 --blocks 8 -o times.json >screen 2>&1
[ $? -eq 1 ] || fail "a slower candidate by times: $(cat screen)"
grep -q '^why launch/.*, big: +[0-9]* instructions' screen || fail "not explained: $(cat screen)"
! grep -q 'no samples\|not measured' screen || fail "$(cat screen)"
grep -q ', 4 invocations, ' screen || fail "the invocations: $(cat screen)"

# Benchmarks are counted side by side: each waits in its setup until the other has begun, too. One
# that ends its process takes no other with it, and one that does so beside others only is counted.
[ "$(nproc)" -ge 2 ] || exit 0
mkdir side && cd side || exit 1
cat >bench.py <<'END_OF_FILE'
import os, pathlib, time
from bench_against_worker import benchmark

@benchmark(axes={"n": [1, 2, 3]})
def meet(n):
    here, other = pathlib.Path(os.environ["MEET"]), {1: "begun-2", 2: "begun-1", 3: "begun-3"}[n]
    if os.environ.get("BENCH_AGAINST_COUNT"):
        (here / f"begun-{n}").touch()
        until = time.monotonic() + 20
        while not (here / other).exists() and time.monotonic() < until:
            time.sleep(0.02)
        (here / f"met-{n}-{(here / other).exists()}").touch()
    return lambda: sum(range(n))

@benchmark
def dies():
    if os.environ.get("BENCH_AGAINST_COUNT"):
        os._exit(3)

@benchmark
def shy():
    mark = pathlib.Path(os.environ["MEET"]) / "shy"
    if os.environ.get("BENCH_AGAINST_COUNT") and not mark.exists():
        mark.touch()
        os._exit(3)
    return lambda: None
END_OF_FILE
echo '{"suites": {"s": {"kind": "worker", "command": ["python3", "-m", "bench_against_worker", "bench.py"]}}}' \
	>.bench-against.json
mkdir meet
MEET=$PWD/meet "$tool" run path:. --in-place --target host --metrics instructions -o side.json >out 2>&1
[ $? -eq 125 ] && grep -q 's/dies failed in _: exited with status 3' out || fail "a run of one variant: $(cat out)"
[ "$(cd meet && echo met-*)" = "met-1-True met-2-True met-3-True" ] ||
	fail "not side by side: $(ls meet; cat out)"
python3 - side.json <<'END_OF_FILE' || fail "counts of processes side by side"
import json, sys
series = [s for s in json.load(open(sys.argv[1]))["series"] if s["metric"] == "instructions"]
invocations = [[x["invocation"] for x in s["samples"]] for s in series]
assert sorted(invocations) == [[]] + 4 * [[0, 1]], series
END_OF_FILE
"$tool" verify side.json >verify.out 2>&1 || fail "verify: $(cat verify.out)"
