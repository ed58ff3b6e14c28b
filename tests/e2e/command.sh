#!/bin/sh
# command.sh BUILD PROGRAM: a suite of kind `command` end to end, its cost written in the
# commits. PROGRAM is `script` (a shell script that prints our own format, and everything
# a program can do wrong), `imports` or `links` (programs that load what is not of their
# tree), or google-benchmark, hyperfine, pytest, pip: 77 where that tool is missing. `pip`
# fetches build backends, and is run only where BA_TEST_PIP is set.
set -u
build=$1 program=$2
. "$(dirname "$0")/repo.sh"
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
	version loud 1000 'head -c 80000000 /dev/zero; exit 0'
	version pipe 1000 'rm -f "$1"; mkfifo "$1"; exit 0'
	version link 1000 'ln -s /etc/passwd "$1"; exit 0'
	version leaves_out 1000 'f="$BENCH_AGAINST_CACHE/ran"; if [ -e "$f" ]; then
echo "{\"schema\": \"bench-against.samples/1\", \"benchmarks\": [{\"id\": \"a\",
\"values\": [1000]}]}"; exit 0; fi; : >"$f"'
	version one_fails 1000 'echo "{\"schema\": \"bench-against.samples/1\",
\"benchmarks\": [{\"id\": \"a\", \"values\": [1000]}, {\"id\": \"b/n=1\",
\"failure\": \"out of memory\"}]}"; exit 0'
	version ends_us 1000 'f="$BENCH_AGAINST_CACHE/ended"; if [ -e "$f" ]; then kill -TERM $PPID; fi; : >"$f"
awk "BEGIN { printf \"{\\\"schema\\\": \\\"bench-against.samples/1\\\", \\\"benchmarks\\\": [\"
for (i = 0; i < 5000; i++) printf \"%s{\\\"id\\\": \\\"n=%d\\\", \\\"values\\\": [1000]}\", i ? \",\" : \"\", i
print \"]}\" }"; exit 0'
	expect 0 'none of 2 benchmarks got slower' base same -q -o "$top/r.json"
	expect 0 'everything agrees' verify "$top/r.json"
	expect 1 'got slower: own/a by ' base slow -q
	expect 1 'Regressed in slow: ' base same slow -q
	expect 0 'own/b/n=1' base slow -f 'own/b*'
	# NAME N TIME: N repetitions of 1000 and TIME, awk's term of i and of the process p
	replicates()
	{
		cat >bench.sh <<END
k=\$(cat "$top/runs-$1" 2>/dev/null || echo 0); echo \$((k + 1)) >"$top/runs-$1"
awk -v p=\$\$ -v k=\$k 'BEGIN { at = p * 7919 % 1000 / 1000
printf "{\"schema\": \"bench-against.samples/1\", \"benchmarks\": [{\"id\": \"a\", \"values\": ["
for (i = 0; i < $2; i++) printf "%s%.15f", i ? "," : "", 1000 + at + ($3); print "]}]}" }'
END
		commit "$1"
	}
	replicates calm 20 'i % 3'
	replicates tail 20 'i % 3 + (i % 5 == 3 ? 19000 : 0)'
	replicates tail300 300 'i % 3 + (i % 5 == 3 ? 19000 : 0)'
	replicates fewer 7 'i % 3'
	replicates nothing 20 '-1000 - at + 1e-12'
	expect 125 'the shortest there is' calm nothing --gate=strict -o "$top/r.json"
	expect 0 'everything agrees' verify "$top/r.json"
	# a tail of repetitions is a regression, also where the typical one is not slower
	expect 1 'got slower by 37[0-9]*\.[0-9]* % .* in the mean' calm tail -q -o "$top/r.json"
	expect 0 'everything agrees' verify "$top/r.json"
	expect 1 'in the mean' calm tail300 -q
	expect 0 'got faster by .* in the mean' tail calm -q --gate=strict
	expect 0 '^No regression' calm fewer -q --gate=strict
	expect 0 '^No regression' fewer calm -q --gate=strict -o "$top/r.json"
	expect 0 'everything agrees' verify "$top/r.json"
	expect 0 'Measured 2 benchmarks' run base -q
	expect 129 'its program measures itself' base same --metrics launches,copies_h2d
	expect 125 'exited with status 3' base exits
	expect 125 'no such device' base exits
	expect 125 'no line of it is a' base garbage
	expect 125 "written to '{output}'" base garbage
	expect 125 'no line of it is a' base silent
	expect 125 'is negative' base negative
	expect 125 'killed by signal 9' base killed
	expect 125 'more than 64 MiB' base loud
	expect 125 'a later run of the program left it out' base leaves_out
	expect 125 'out of memory' base one_fails
	expect 143 '' run ends_us
	# what this machine lacks is nobody's failure: wherever descriptors run out, in a
	# build, in a worker or in a program, the candidate is not the one that gets slower
	sed 's/{"suites"/{"build": {"commands": [["true"]]}, "suites"/' .bench-against.json >"$top/few.json"
	for few in 9 12 14 16; do
		rm -rf "$top/cache"
		mkdir "$top/cache" && cp "$build/tests/toolchain-hashes" "$top/cache" 2>/dev/null
		status=0
		(ulimit -n $few && exec "$tool" base same -q --fixed 2 --config "$top/few.json") \
			>"$top/out" 2>&1 || status=$?
		if [ $status -eq 1 ] || grep -q 'failed in' "$top/out"; then
			echo "command.sh: with $few descriptors: status $status" >&2
			cat "$top/out" >&2
			failures=$((failures + 1))
		fi
	done
	# a program that runs when the budget ends is ended, and one that is examined, too
	version naps 1000 'f="$BENCH_AGAINST_CACHE/napped"; if [ -e "$f" ]; then sleep 18; : >"$f.out"; fi; : >"$f"'
	expect 125 'stopped by the budget (--budget) after 1 of' base naps --budget 5s
	expect 125 'was over while' base hangs --budget 2s
	[ ! -e "$BENCH_AGAINST_CACHE/napped.out" ] || failures=$((failures + 1))
	sed -i 's/20s/1s/' .bench-against.json
	expect 125 'ran past its limit' base hangs --config .bench-against.json
	printf '{"suites": {"own": {"kind": "command", "command": ["sh", "bench.sh", "{output}"]}}}' >out.json
	expect 125 'wrote no' run base --config out.json
	expect 125 'is not a file, or is a link that leaves' run pipe --config out.json
	expect 125 'is not a file, or is a link that leaves' run link --config out.json
	# what it prints for people is shown, wherever it prints it
	version says 1000 'echo "this is on standard output"; echo "and this on standard error" >&2; exit 3'
	expect 125 'this is on standard output' run says --config out.json
	expect 125 'and this on standard error' run says --config out.json
	printf '{"suites": {"own": {"kind": "command"}}}' >bad.json
	expect 129 "has no 'command'" base same --config bad.json
	printf '{"suites": {"own": {"kind": "command", "command": "sh bench.sh"}}}' >bad.json
	expect 129 'bench-against uses no shell' base same --config bad.json
	printf '{"suites": {"own": {"kind": "command", "command": ["/nonexistent/x"]}}}' >bad.json
	expect 125 '/nonexistent/x' base same --config bad.json
	;;
clocks)
	cat >.bench-against.json <<'END'
{"suites": {"own": {"kind": "command", "command": ["sh", "bench.sh"]}}}
END
	# TAG CPU ELAPSED [NAME THREADS]: Google Benchmark's output; both times are awk's terms, in
	# which k counts the runs of TAG
	clocks()
	{
		cat >bench.sh <<END
k=\$(cat "$top/runs-$1" 2>/dev/null || echo 0); echo \$((k + 1)) >"$top/runs-$1"
awk -v p=\$\$ -v k=\$k 'BEGIN { srand(p); print "{\"context\": {}, \"benchmarks\": ["
for (i = 0; i < 3; i++) printf "%s{\"name\": \"${4:-fold}\", \"run_type\": \"iteration\", \"cpu_time\": %.4f, \"real_time\": %.4f, \"time_unit\": \"ns\", \"threads\": ${5:-1}}",
i ? "," : "", $2 + rand(), $3 + rand(); print "]}" }'
END
		commit "$1"
	}
	busy='1100 + 20 * rand()'
	clocks base 1000 "$busy"
	clocks slow 1100 "$busy"
	clocks waits 1000 9000
	clocks sleeps 1000 2000000
	expect 0 '^No regression' base base -q --measure-identical --gate=strict -o "$top/r.json"
	expect 0 'everything agrees' verify "$top/r.json"
	expect 0 'own/fold,cpu_time,verdict' report --format csv "$top/r.json"
	expect 0 'own/fold,time,reported' report --format csv "$top/r.json"
	expect 1 'by 9\.9\|by 10\.0' base slow -q
	expect 1 'by 9\.9\|by 10\.0' base slow -q --metrics cpu_time
	expect 0 '^No regression' base slow -q --metrics time
	# what waits for longer is not called the same, and what mostly waits has its time judged
	expect 125 'it waits for longer' base waits --gate=strict --fixed 6 -o "$top/r.json"
	expect 0 'everything agrees' verify "$top/r.json"
	expect 1 'got slower' base sleeps -q --fixed 6
	# the elapsed time of a busy machine, on request: the other clock is named where it helps
	sed 's|\["sh", "bench.sh"\]|&, "metric": "time"|' .bench-against.json >elapsed.json
	clocks noisy 1000 '(k % 2 ? 900 : 1700)'
	expect 0 'by the elapsed time' base noisy --config elapsed.json --fixed 3 -o "$top/r.json"
	expect 0 'own/fold is inconclusive by the elapsed time.*metric.*cpu_time.*in the suite' \
		report --format json "$top/r.json"
	expect 0 'own/fold is inconclusive by the elapsed time' base noisy --metrics time --fixed 3
	# one tree, so both count the same runs: in any order, at least one of three pairs is equal
	clocks several 1000 '(k % 4 < 3 ? 900 : 1700)' fold 2
	expect 0 'inconclusive' several several --measure-identical --fixed 3
	! grep -q 'by the elapsed time' "$top/out" "$top/err" || expect 0 'no advice' --help
	n=0
	for name in fold fold/real_time fold/manual_time fold/process_time/real_time; do
		n=$((n + 1))
		clocks "other$n" 1000 "$busy" "$name" $((n == 1 ? 2 : 1))
		expect 0 'Measured 1 benchmark' run "other$n" --fixed 2 -o "$top/r.json"
		expect 0 'own/fold[a-z_/]*,time,verdict' report --format csv "$top/r.json"
		! grep -q cpu_time "$top/out" || expect 0 'no cpu_time' report "$top/r.json"
	done
	;;
google-benchmark)
	echo '#include <benchmark/benchmark.h>' | ${CXX:-c++} -E -x c++ - >/dev/null 2>&1 ||
		missing 'Google Benchmark' 'Debian: libbenchmark-dev'
	cat >bench.cc <<'END'
#include <benchmark/benchmark.h>
/* says itself what it took, so that a busy machine changes nothing */
static void fold(benchmark::State &state)
{
	int i = 0;
	for (auto _ : state)
		state.SetIterationTime((WORK + i++ % 3 * 0.01) * 1e-6);
}
BENCHMARK(fold)->UseManualTime()->Iterations(100);
BENCHMARK_MAIN();
END
	cat >.bench-against.json <<'END'
{
  "build": {"commands": [["sh", "build.sh"]]},
  "suites": {"micro": {"kind": "command",
    "command": ["./bench", "--benchmark_format=json", "--benchmark_repetitions=3"]}}
}
END
	echo 'c++ -O1 -DWORK=10 bench.cc -o bench -lbenchmark -lpthread' >build.sh
	commit base
	echo 'c++ -O1 -DWORK=20 bench.cc -o bench -lbenchmark -lpthread' >build.sh
	commit slow
	expect 1 'by 99.90 %' base slow -q -o "$top/r.json" --fixed 6
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
	# a program that waits so much longer is slower on any machine
	printf '#!/bin/sh\nsleep 0.4\n' >work
	commit slow
	expect 1 'program/./work' base slow -q -o "$top/r.json" --fixed 6
	expect 0 'everything agrees' verify "$top/r.json"
	;;
pytest)
	python_with pytest_benchmark ||
		missing pytest-benchmark 'PyPI: pytest-benchmark; Debian: python3-pytest-benchmark'
	cat >.bench-against.json <<END
{
  "suites": {"py": {"kind": "command", "command": ["python3", "-m", "pytest", "-q",
    "-p", "no:cacheprovider", "--benchmark-timer=clock.now",
    "--benchmark-json={output}", "test_fold.py"]}}
}
END
	# a clock of its own, so that a busy machine changes nothing
	cat >clock.py <<'END'
seconds = 0.0

def now():
    return seconds
END
	cat >test_fold.py <<'END'
import clock

def fold(n):
    clock.seconds += n * 1e-9

def test_fold(benchmark):
    benchmark.pedantic(fold, args=(2000,), rounds=20, iterations=5)
END
	commit base
	sed -i 's/2000/4000/' test_fold.py
	commit slow
	expect 1 'py/test_fold.py::test_fold' base slow -q -o "$top/r.json" --fixed 4
	expect 0 'everything agrees' verify "$top/r.json"
	;;
imports)
	python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null ||
		missing python3 'Debian: python3'
	# PYTHON FOLDER: the configuration
	suite()
	{
		printf '{"suites": {"py": {"kind": "command", "command": ["%s", "bench.py"]%s}}}\n' \
			"$1" "${2:+, \"pythonpath\": [\"$2\"]}" >"$top/$3.json"
	}
	# in FOLDER, as `pip` would: an empty environment
	environment()
	{
		rm -rf "$1" && python3 -m venv --without-pip "$1" || missing venv 'Debian: python3-venv'
		site=$(echo "$1"/lib/python3*/site-packages)
	}
	printf '/.venv/\n/build/\n__pycache__/\n' >.gitignore
	mkdir -p src/shapes
	cat >bench.py <<'END'
import json
from shapes.area import COST
print(json.dumps({"schema": "bench-against.samples/1",
                  "benchmarks": [{"id": "area", "values": [COST, COST + 1, COST + 2]}]}))
END
	: >src/shapes/__init__.py
	echo 'COST = 1000' >src/shapes/area.py
	commit base
	echo 'COST = 2000' >src/shapes/area.py
	commit slow
	environment "$top/venv"
	suite "$top/venv/bin/python" '' plain
	suite "$top/venv/bin/python" src own

	# what `pip install -e` leaves: a line in a .pth file (flit, hatchling, setuptools)
	echo "$top/repo/src" >"$site/__editable__.shapes.pth"
	expect 125 "repo/src/shapes/__init__.py' was loaded from your checkout" \
		base slow -q --config "$top/plain.json"
	expect 125 "'pythonpath'" base slow -q --config "$top/plain.json"
	expect 1 'py/area .*got slower by ' base slow -q --config "$top/own.json"
	# a folder that no variant has is named
	suite "$top/venv/bin/python" 'src", "scr' wrong
	expect 1 "pythonpath of suite 'py': no variant has the folder 'scr'" \
		base slow --config "$top/wrong.json"
	if grep -q "has the folder 'src'" "$top/out"; then
		echo "command.sh: the folder 'src' is there" >&2
		failures=$((failures + 1))
	fi
	expect 0 '^No regression' base base -q --measure-identical --config "$top/own.json"
	# links to the files (strict), in a folder of the checkout
	mkdir -p build/__editable__.shapes/shapes
	ln -s ../../../src/shapes/__init__.py ../../../src/shapes/area.py build/__editable__.shapes/shapes
	echo "$top/repo/build/__editable__.shapes" >"$site/__editable__.shapes.pth"
	expect 125 'was loaded from your checkout' base slow -q --config "$top/plain.json"
	expect 1 'py/area .*got slower by ' base slow -q --config "$top/own.json"
	rm -rf build

	# a finder, asked last (setuptools) or first (meson-python, scikit-build-core)
	for place in 'append(F)' 'insert(0, F)'; do
		cat >"$site/__editable___shapes_finder.py" <<END
import importlib.util, sys
class F:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name == "shapes":
            return importlib.util.spec_from_file_location(name,
                "$top/repo/src/shapes/__init__.py",
                submodule_search_locations=["$top/repo/src/shapes"])
        return None
sys.meta_path.$place
END
		echo 'import __editable___shapes_finder' >"$site/__editable__.shapes.pth"
		expect 125 "shapes/__init__.py' was loaded from your checkout" \
			base slow -q --config "$top/plain.json"
		case $place in
		append*) expect 1 'py/area .*got slower by ' base slow -q --config "$top/own.json" ;;
		*) expect 125 'pip uninstall' base slow -q --config "$top/own.json" ;;
		esac
	done
	rm "$site"/__editable__*

	# a copy, as `pip install .` leaves it
	cp -r src/shapes "$site"
	expect 125 "site-packages/shapes/__init__.py' was loaded, although this tree has a 'shapes'" \
		base slow -q --config "$top/plain.json"
	expect 1 'py/area .*got slower by ' base slow -q --config "$top/own.json"

	# an environment in the checkout, with what others wrote, is in order
	environment .venv
	mkdir "$site/others" && echo 'from numbers import Number' >"$site/others/__init__.py"
	suite "$top/repo/.venv/bin/python" src own
	printf 'import others\n' | cat - bench.py >bench.new && mv bench.new bench.py
	commit others
	expect 0 '^No regression' others others -q --measure-identical --config "$top/own.json"

	# what a child imports, one that is forked, and one that leaves without ceremony
	environment "$top/venv"
	echo "$top/repo/src" >"$site/shapes.pth"
	suite "$top/venv/bin/python" '' plain
	sed -i 's/^import others//; s/^from shapes.*/from costs import COST/' bench.py
	cat >costs.py <<'END'
import subprocess, sys
code = "import shapes.area; print(shapes.area.COST)"
COST = int(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE).stdout)
END
	commit child
	expect 125 'was loaded from your checkout' child slow -q --config "$top/plain.json"
	cat >costs.py <<'END'
import os, sys
pid = os.fork()
if pid == 0:
    import shapes.area
    os._exit(0)
os.waitpid(pid, 0)
COST = 1000
END
	commit forked
	expect 125 'was loaded from your checkout' forked slow -q --config "$top/plain.json"
	# its own sitecustomize is run, and the tool's is not to be seen
	environment "$top/venv"
	echo 'import builtins; builtins.COST = 1000' >"$site/sitecustomize.py"
	printf 'import sitecustomize, sys\nassert "venv" in sitecustomize.__file__\n' >costs.py
	printf 'assert not [p for p in sys.path if "bench_against" in p]\nCOST = COST\n' >>costs.py
	commit custom
	expect 0 '^No regression' custom custom -q --measure-identical --config "$top/plain.json"
	rm "$site/sitecustomize.py"
	# an installed module that is one file
	echo 'COST = 1000' >src/single.py && cp src/single.py "$site"
	echo 'from single import COST' >costs.py
	commit single
	expect 125 "site-packages/single.py' was loaded, although this tree has a 'single'" \
		single single -q --measure-identical --config "$top/plain.json"
	# which one cannot be told of a Python that reads no environment
	printf '{"suites": {"py": {"kind": "command", "command": ["%s", "-I", "plain.py"]}}}\n' \
		"$top/venv/bin/python" >"$top/isolated.json"
	sed 's/^from .*/COST = 1000/' bench.py >plain.py
	commit isolated
	expect 0 'the modules that it imports are unknown' isolated isolated --measure-identical \
		--config "$top/isolated.json"
	expect 125 'a strict gate cannot tell whether it measures its own tree' isolated isolated \
		--measure-identical --config "$top/isolated.json" --gate=strict

	# of another variant: folders, measured where they are
	mkdir "$top/a" "$top/b" && git archive base | tar x -C "$top/a" && cp -r "$top/a/." "$top/b"
	printf 'import sys\nsys.path.insert(0, "%s/src")\n' "$top/a" | cat - bench.py >"$top/b/bench.py"
	sed -i 's/costs import/shapes.area import/' "$top/b/bench.py"
	suite "$top/venv/bin/python" src own
	expect 125 'from another variant' "path:$top/a" "path:$top/b" --in-place --config "$top/own.json"
	;;
links)
	cc=${CC:-cc}
	echo 'int main(void) { return 0; }' | $cc -x c - -o "$top/x" 2>/dev/null ||
		missing 'C compiler' 'Debian: gcc'
	cat >bench.c <<'END'
#include <stdio.h>
int cost(void);
int main(void)
{
	printf("{\"schema\": \"bench-against.samples/1\", \"benchmarks\": [{\"id\": \"sum\", "
	       "\"values\": [%d, %d, %d]}]}\n", cost(), cost() + 1, cost() + 2);
	return 0;
}
END
	printf '/build/\n' >.gitignore
	# RPATH: where the program looks for its library
	cat >build.sh <<END
set -e
mkdir -p build
$cc -shared -fPIC cost.c -o build/libcost.so
$cc bench.c -o build/bench -Lbuild -lcost -Wl,-rpath,"\$1"
END
	printf '{"build": {"commands": [["sh", "build.sh", "%s"]]}, "suites": {"c": {"kind": "command", "command": [%s]}}}\n' \
		"$top/repo/build" '"build/bench"' >"$top/checkout.json"
	printf '{"build": {"commands": [["sh", "build.sh", "%s"]]}, "suites": {"c": {"kind": "command", "command": [%s]}}}\n' \
		'$ORIGIN' '"sh", "-c", "build/bench"' >"$top/origin.json"
	printf '{"build": {"commands": [["sh", "build.sh", "%s"]]}, "suites": {"c": {"kind": "command", "command": ["%s"]}}}\n' \
		'$ORIGIN' "$top/repo/build/bench" >"$top/absolute.json"
	echo 'int cost(void) { return 1000; }' >cost.c
	commit base
	echo 'int cost(void) { return 2000; }' >cost.c
	commit slow
	sh build.sh "$top/repo/build"
	expect 125 "repo/build/libcost.so' was loaded from your checkout" \
		base slow -q --config "$top/checkout.json"
	expect 125 'ORIGIN' base slow -q --config "$top/checkout.json"
	expect 125 "repo/build/bench' was run from your checkout" \
		base slow -q --config "$top/absolute.json"
	expect 1 'c/sum .*got slower by ' base slow -q --config "$top/origin.json"
	# a library that is opened by the program, in a process of its own
	cat >bench.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	void *library = dlopen(argc > 1 ? argv[1] : "build/libcost.so", RTLD_NOW);
	int (*cost)(void) = library ? (int (*)(void))dlsym(library, "cost") : NULL;
	if (!cost)
		return 1;
	printf("{\"schema\": \"bench-against.samples/1\", \"benchmarks\": [{\"id\": \"sum\", "
	       "\"values\": [%d, %d, %d]}]}\n", cost(), cost() + 1, cost() + 2);
	return 0;
}
END
	commit opens
	printf '{"build": {"commands": [["sh", "build.sh", "x"]]}, "suites": {"c": {"kind": "command", "command": ["sh", "-c", "build/bench %s; exit $?"]}}}\n' \
		"$top/repo/build/libcost.so" >"$top/opens.json"
	expect 125 "repo/build/libcost.so' was loaded from your checkout" \
		opens opens -q --measure-identical --config "$top/opens.json"
	;;
pip)
	[ "${BA_TEST_PIP-}" ] || missing pip 'set BA_TEST_PIP to let it fetch build backends'
	printf '__pycache__/\n*.egg-info/\n/build/\n' >.gitignore
	mkdir -p src/shapes && cat >bench.py <<'END'
import json
from shapes import COST
print(json.dumps({"schema": "bench-against.samples/1",
                  "benchmarks": [{"id": "area", "values": [COST, COST + 1, COST + 2]}]}))
END
	project()
	{
		printf '[build-system]\nrequires = [%s]\nbuild-backend = "%s"\n' "$1" "$2"
		printf '[project]\nname = "shapes"\nversion = "1"\ndescription = "x"\n'
	} >pyproject.toml
	cat >meson.build <<'END'
project('shapes', version: '1')
import('python').find_installation(pure: true).install_sources('src/shapes/__init__.py',
	subdir: 'shapes')
END
	project '"setuptools>=64"' setuptools.build_meta
	echo '"""Shapes."""
__version__ = "1"
COST = 1000' >src/shapes/__init__.py
	commit base
	sed -i 's/1000/2000/' src/shapes/__init__.py
	commit slow
	for how in setuptools-default setuptools-strict setuptools-compat hatchling flit meson scikit; do
		case $how in
		setuptools*) project '"setuptools>=64"' setuptools.build_meta ;;
		hatchling) project '"hatchling"' hatchling.build ;;
		flit) project '"flit_core>=3.4"' flit_core.buildapi ;;
		meson) project '"meson-python", "ninja"' mesonpy ;;
		scikit) project '"scikit-build-core"' scikit_build_core.build
			echo 'cmake_minimum_required(VERSION 3.15)
project(shapes LANGUAGES NONE)' >CMakeLists.txt ;;
		esac
		mode=
		case $how in *-strict | *-compat)
			mode="--config-settings editable_mode=${how#*-}" ;;
		esac
		python3 -m venv "$top/$how" || missing venv 'Debian: python3-venv'
		# shellcheck disable=SC2086
		"$top/$how/bin/pip" -q install $mode -e . || missing "$how" 'PyPI cannot be reached'
		for folder in '' src; do
			printf '{"suites": {"py": {"kind": "command", "command": ["%s", "bench.py"]%s}}}\n' \
				"$top/$how/bin/python" "${folder:+, \"pythonpath\": [\"src\"]}" >"$top/pip.json"
			"$tool" base slow -q --config "$top/pip.json" >"$top/out" 2>&1
			status=$?
			echo "$how, pythonpath '$folder': status $status; $(ls "$top/$how"/lib/python3*/site-packages | grep -i -e shapes | tr '\n' ' ')"
			# the trees are measured, or the run says that it cannot
			[ $status -eq 125 ] || [ "$folder$status" = src1 ] || {
				cat "$top/out"
				failures=$((failures + 1))
			}
		done
	done
	;;
*)
	echo "command.sh: '$program' is none of its programs" >&2
	exit 1
	;;
esac
finish
