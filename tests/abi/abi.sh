#!/bin/sh
# abi.sh BUILD: libraries built with the first headers, today's and later ones, on today's
# tool and on one built with later headers. Each pair measures, and sees what is slower. The
# libraries of the first version are built from sources of that time, in 1/.
set -u
build=$1
(cd "$(dirname "$0")/1" && sha256sum --quiet -c ../1.sha256) || {
	echo "abi.sh: version 1 is as it was: take back what was edited in tests/abi/1" >&2
	exit 1
}
fake=$build/tests/fakecuda/lib/libcuda.so.1
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export BENCH_AGAINST_CACHE="$top/cache" BENCH_AGAINST_HISTORY="$top/history.sqlite"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export BA_FAKE_CUDA='launch_ns=0;clock_ns=0;call_ns=10'
# so that the compilers are not hashed in each test
mkdir "$BENCH_AGAINST_CACHE" && cp "$build/tests/toolchain-hashes" "$BENCH_AGAINST_CACHE" 2>/dev/null
mkdir "$top/repo" && cd "$top/repo" || exit 1
git init -q . && git config user.email a@example.com && git config user.name A
failures=0

# TAG LIBRARY
commit()
{
	cp "$build/tests/suites/$2.so" variant.so
	git add -A && git commit -q -m "$1" && git tag "$1"
}

# TOOL METRICS TAGS...: the last one is slower
check()
{
	tool=$1 metrics=$2
	shift 2
	status=0
	"$tool/bin/bench-against" --fake-driver "$fake" --metrics "$metrics" --fixed 4 \
		--blocks 8 --seed 7 -q "$@" >"$top/out" 2>&1 || status=$?
	if [ $status -ne 1 ] || ! grep -q "^Regressed in \(p\|\)slow" "$top/out" ||
		grep -q "failed" "$top/out"; then
		echo "abi.sh: $tool, $*: status $status, wanted 1 and nothing failed:" >&2
		cat "$top/out" >&2
		failures=$((failures + 1))
	fi
}

cat >.bench-against.json <<'END'
{"build": {"commands": [["cp", "variant.so", "launcher.so"]]},
 "suites": {"launch": {"kind": "launcher", "library": "launcher.so", "args": [0, 1]}}}
END
commit first cost100_first
commit today cost100
commit later cost100_later
commit slow cost110_first
for tool in "$build" "$build/tests/abi/later"; do
	check "$tool" submit first today later slow
done

BA_FAKE_CUDA='launch_ns=1500;clock_ns=25;call_ns=10'
cat >.bench-against.json <<'END'
{"build": {"commands": [["cp", "variant.so", "launcher.so"]]},
 "suites": {"gpu": {"kind": "plugin", "library": "launcher.so", "warm_up": 20, "iterations": 80}}}
END
commit pfirst plugin20000_first
commit ptoday plugin20000
commit plater plugin20000_later
commit pslow plugin22000_first
for tool in "$build" "$build/tests/abi/later"; do
	check "$tool" gpu_cold,wall_hot pfirst ptoday plater pslow
done
[ $failures -eq 0 ] || exit 1
echo "abi.sh: three versions of libraries, two of tools: all as expected"
