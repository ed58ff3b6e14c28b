#!/bin/sh
# command.sh BUILD PROGRAM: a suite of kind `command` end to end, its cost written in the
# commits. PROGRAM is `script` (a shell script that prints our own format, and everything
# a program can do wrong), or google-benchmark, hyperfine, pytest: 77 where that tool is
# missing.
set -u
build=$1 program=$2
tool=$build/bin/bench-against
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export BENCH_AGAINST_CACHE="$top/cache" BENCH_AGAINST_HISTORY="$top/history.sqlite"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
mkdir "$top/repo" && cd "$top/repo" || exit 1
git init -q . && git config user.email a@example.com && git config user.name A
failures=0

commit()
{
	git add -A && git commit -q -m "$1" && git tag "$1"
}

# STATUS PATTERN ARGUMENTS...
expect()
{
	wanted=$1 pattern=$2
	shift 2
	status=0
	"$tool" "$@" >"$top/out" 2>"$top/err" || status=$?
	if [ $status -ne "$wanted" ] || ! cat "$top/out" "$top/err" | grep -q -e "$pattern"; then
		echo "command.sh: '$*': status $status, wanted $wanted and '$pattern':" >&2
		cat "$top/out" "$top/err" >&2
		failures=$((failures + 1))
	fi
}

finish()
{
	[ $failures -eq 0 ] || exit 1
	echo "command.sh $program: all as expected"
	exit 0
}

missing()
{
	echo "command.sh: no $1 here ($2)"
	exit 77
}

case $program in
script)
	cat >.bench-against.json <<'END'
{"suites": {"own": {"kind": "command", "command": ["sh", "bench.sh"], "timeout": "20s"}}}
END
	# NAME COST EXTRA...: a version of the program; three values around COST, from its pid
	version()
	{
		name=$1 cost=$2
		shift 2
		cat >bench.sh <<END
n=\$((\$\$ % 7))
$*
echo '{"schema": "bench-against.samples/1", "benchmarks": [{"id": "a", "values":'
echo "[$cost.\$n, $cost.\${n}5, $cost.\${n}2]}, {\"id\": \"b/n=1\", \"values\": [2000000]}]}"
END
		commit "$name"
	}
	version base 1000
	version same 1000 '# nothing of note'
	version slow 1100
	version exits 1000 'echo "no such device" >&2; exit 3'
	version garbage 1000 'echo hello; exit 0'
	version silent 1000 'exit 0'
	version negative 1000 'echo "{\"schema\": \"bench-against.samples/1\",
\"benchmarks\": [{\"id\": \"a\", \"values\": [-1]}]}"; exit 0'
	version killed 1000 'kill -9 $$'
	version hangs 1000 'sleep 60'
	version loud 1000 'head -c 80000000 /dev/zero | tr "\\0" " "; exit 0'
	version pipe 1000 'rm -f "$1"; mkfifo "$1"; exit 0'
	version link 1000 'ln -s /etc/passwd "$1"; exit 0'
	version leaves_out 1000 'f="$BENCH_AGAINST_CACHE/ran"; if [ -e "$f" ]; then
echo "{\"schema\": \"bench-against.samples/1\", \"benchmarks\": [{\"id\": \"a\",
\"values\": [1000]}]}"; exit 0; fi; : >"$f"'
	version one_fails 1000 'echo "{\"schema\": \"bench-against.samples/1\",
\"benchmarks\": [{\"id\": \"a\", \"values\": [1000]}, {\"id\": \"b/n=1\",
\"failure\": \"out of memory\"}]}"; exit 0'
	expect 0 'none of 2 benchmarks got slower' base same -q -o "$top/r.json"
	expect 0 'everything agrees' verify "$top/r.json"
	expect 1 'own/a by +' base slow -q
	expect 1 'Yes for slow' base same slow -q
	expect 0 'own/b/n=1' base slow -f 'own/b*'
	expect 0 'Measured 2 benchmarks' run base -q
	expect 125 'exited with status 3' base exits
	expect 125 'no such device' base exits
	expect 125 'no line of it is a' base garbage
	expect 125 'may be written to' base garbage
	expect 125 'no line of it is a' base silent
	expect 125 'is negative' base negative
	expect 125 'killed by signal 9' base killed
	expect 125 'more than 64 MiB' base loud
	expect 125 'a later run of the program left it out' base leaves_out
	expect 125 'out of memory' base one_fails
	sed -i 's/20s/1s/' .bench-against.json
	expect 125 'ran past its limit' base hangs --config .bench-against.json
	printf '{"suites": {"own": {"kind": "command", "command": ["sh", "bench.sh", "{output}"]}}}' >out.json
	expect 125 'wrote no' run base --config out.json
	expect 125 'is no file, or a link out of' run pipe --config out.json
	expect 125 'is no file, or a link out of' run link --config out.json
	printf '{"suites": {"own": {"kind": "command"}}}' >bad.json
	expect 129 "has no 'command'" base same --config bad.json
	printf '{"suites": {"own": {"kind": "command", "command": "sh bench.sh"}}}' >bad.json
	expect 129 'no shell reads it' base same --config bad.json
	printf '{"suites": {"own": {"kind": "command", "command": ["/nonexistent/x"]}}}' >bad.json
	expect 125 '/nonexistent/x' base same --config bad.json
	;;
google-benchmark)
	echo '#include <benchmark/benchmark.h>' | ${CXX:-c++} -E -x c++ - >/dev/null 2>&1 ||
		missing 'Google Benchmark' 'Debian: libbenchmark-dev'
	cat >bench.cc <<'END'
#include <benchmark/benchmark.h>
static void fold(benchmark::State &state)
{
	for (auto _ : state)
		for (int i = 0; i < WORK * 100; i++)
			benchmark::DoNotOptimize(i);
}
BENCHMARK(fold);
BENCHMARK_MAIN();
END
	cat >.bench-against.json <<'END'
{
  "build": {"commands": [["sh", "build.sh"]]},
  "suites": {"micro": {"kind": "command",
    "command": ["./bench", "--benchmark_format=json", "--benchmark_min_time=0.01"]}}
}
END
	echo 'c++ -O1 -DWORK=10 bench.cc -o bench -lbenchmark -lpthread' >build.sh
	commit base
	echo 'c++ -O1 -DWORK=20 bench.cc -o bench -lbenchmark -lpthread' >build.sh
	commit slow
	expect 1 'micro/fold' base slow -q -o "$top/r.json" --fixed 6
	expect 0 'everything agrees' verify "$top/r.json"
	;;
hyperfine)
	hyperfine --version >/dev/null 2>&1 || missing hyperfine 'Debian: hyperfine'
	cat >.bench-against.json <<'END'
{
  "suites": {"program": {"kind": "command",
    "command": ["hyperfine", "-N", "-r", "3", "--export-json", "{output}", "./work"]}}
}
END
	printf '#!/bin/sh\nsleep 0.01\n' >work && chmod +x work
	commit base
	printf '#!/bin/sh\nsleep 0.05\n' >work
	commit slow
	expect 1 'program/./work' base slow -q -o "$top/r.json"
	expect 0 'everything agrees' verify "$top/r.json"
	;;
pytest)
	for python in python3 /usr/bin/python3 ''; do # the system's may not be the first
		[ -z "$python" ] || ! "$python" -c 'import pytest_benchmark' 2>/dev/null || break
	done
	[ "$python" ] ||
		missing pytest-benchmark 'PyPI: pytest-benchmark; Debian: python3-pytest-benchmark'
	cat >.bench-against.json <<END
{
  "suites": {"py": {"kind": "command", "command": ["$python", "-m", "pytest", "-q",
    "-p", "no:cacheprovider", "--benchmark-json={output}", "test_fold.py"]}}
}
END
	cat >test_fold.py <<'END'
def fold(n):
    total = 0
    for i in range(n):
        total += i
    return total

def test_fold(benchmark):
    benchmark.pedantic(fold, args=(2000,), rounds=20, iterations=5)
END
	commit base
	sed -i 's/2000/4000/' test_fold.py
	commit slow
	expect 1 'py/test_fold.py::test_fold' base slow -q -o "$top/r.json" --fixed 6
	expect 0 'everything agrees' verify "$top/r.json"
	;;
esac
finish
