#!/bin/sh
# init.sh BUILD PROJECT: what `init` writes for a project with two commits, the second of which
# is slower, gives a verdict at once: python (nothing to find, in bench/ of its own), counted (for
# a machine without a GPU), pytest, asv, install (what must be built first), google, cmake, meson,
# autotools, make. 77 where a tool that the project needs is missing.
set -u
build=$1 project=$2
. "$(dirname "$0")/repo.sh"

fail()
{
	echo "init.sh $project: $*" >&2
	[ ! -s "$top/out" ] || cat "$top/out" "$top/err" >&2
	exit 1
}
missing()
{
	echo "init.sh: no $1 here"
	exit 77
}
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
	[ $status -eq "$wanted" ] || fail "'$*' ended with status $status, not $wanted"
	cat "$top/out" "$top/err" | grep -q -e "$pattern" || fail "'$*' does not say '$pattern'"
}
config_has()
{
	grep -qF -e "$1" .bench-against.json || fail "no $1 in $(cat .bench-against.json)"
}
# The configuration is not in any commit, nor are the benchmarks that init wrote. The cost of the
# second commit is many times that of the first; two invocations on a busy machine show as much.
# Of programs that cannot be counted, one project has all metrics of a run without options.
case $project in
asv | autotools | cmake | meson | python) metrics='--metrics host' ;;
*) metrics= ;;
esac
compared() # BENCHMARK RATIO, above which every ratio is
{
	status=0
	# shellcheck disable=SC2086 # words
	"$tool" --target host fast slow -q --fixed 2 --blocks 4 $metrics -f "$1*" -o "$top/r.json" \
		>"$top/out" 2>"$top/err" || status=$?
	[ $status -le 1 ] || fail "the comparison ended with status $status"
	python3 - "$top/r.json" "$1" "$2" <<'END' || fail "$1 is not measured, or not as slower"
import json, sys
# a program that is started cannot be counted, only timed
series = [s for s in json.load(open(sys.argv[1]))["series"]
          if s["id"].startswith(sys.argv[2]) and s["metric"] != "instructions"]
ratios = [s["comparisons"][0]["ratio"] for s in series]
print("ratios", ratios)
sys.exit(not ratios or min(ratios) <= float(sys.argv[3]))
END
	expect 0 'everything agrees' verify "$top/r.json"
}
# No claim about its time: a first call of microseconds takes 200 times longer on a busy machine.
measured()
{
	compared "$1" 0
}
slower()
{
	compared "$1" 1.2
}
package() # FOLDER SECONDS [TEXT]
{
	mkdir -p "$1" && cat >"$1/__init__.py" <<END
import time
${3-}
def work(seconds=$2):
    time.sleep(seconds)
END
}
program() # FILE SECONDS
{
	printf '#include <unistd.h>\nint main(void)\n{\n\tusleep(%s);\n\treturn 3;\n}\n' "$2" >"$1"
}
two_programs() # FILE
{
	program "$1" 2000
	commit fast
	program "$1" 30000
	commit slow
}

case $project in
python)
	# a folder bench/ that is somebody's
	mkdir bench && echo mine >bench/bench.py
	printf '[project]\nname = "some-thing"\n' >pyproject.toml
	: >test_thing.py && : >other.py
	package some_thing 0.001
	commit fast
	package some_thing 0.02
	commit slow
	expect 0 'wrote bench-against/bench.py' init --ci none
	[ "$(cat bench/bench.py)" = mine ] || fail "bench/bench.py was changed"
	grep -qF 'import some_thing' bench-against/bench.py || fail "another package is imported"
	config_has '"overlay": { "from": "worktree", "paths": ["bench-against"] }'
	measured py/import_package
	grep -q -- '--metrics import,first_call,host_peak' bench-against/bench.py || fail "no metrics of starts"
	metrics='--metrics import,first_call,host_peak'
	measured py/example
	;;
counted)
	# its own benchmarks cannot be counted
	mkdir tests thing && : >setup.cfg
	echo 'def test_work(benchmark): benchmark(int)' >tests/test_speed.py
	count_to() # STEPS, so many that two calls are enough (count.py)
	{
		printf 'def work():\n    n = 0\n    while n < %s:\n        n += 1\n    return n\n' "$1" >thing/__init__.py
	}
	count_to 11
	mkdir "$top/no-gpu" && : >"$top/no-gpu/libcuda.so.1"
	LD_LIBRARY_PATH=$top/no-gpu expect 0 'This machine has no GPU. The commands above need none. ' init --ci none
	LD_LIBRARY_PATH=$build/tests/fakecuda/lib expect 0 'Next' init --ci none
	grep -q 'no GPU\. ' "$top/out" && fail "a GPU is not found"
	expect 0 'Add to .bench-against.json:  "target": "host"' init --ci none --without-gpu
	rm -r .bench-against.json bench
	expect 0 'wrote bench/bench.py' init --ci github --without-gpu
	grep -q 'no GPU\. ' "$top/out" && fail "what was chosen is offered"
	config_has '"target": "host"'
	config_has '"verdict_on": "instructions"'
	grep -q '^    runs-on: ubuntu' .github/workflows/bench-against.yml || fail "no ordinary runner"
	grep -q '^ *INPUT_TARGET: host' .github/workflows/bench-against.yml || fail "the workflow needs a GPU"
	sed -i 's/^# from thing import my_function/from thing import work/; s/lambda: sum(values)/work/' \
		bench/bench.py
	commit fast
	echo '# a comment' >>thing/__init__.py
	commit same
	count_to 14
	commit slow
	expect 0 '' list
	gate='--gate --blocks 4 --batch 64'
	# shellcheck disable=SC2086 # options are words
	"$tool" $gate fast same -o "$top/r.json" >"$top/out" 2>&1
	status=$?
	grep -q 'does not step through\|counted on x86-64' "$top/out" && missing "way to count"
	[ $status -eq 0 ] || fail "a comment costs instructions"
	# shellcheck disable=SC2086
	expect 1 'instructions, exactly' $gate fast slow -o "$top/r.json"
	expect 0 'everything agrees' verify "$top/r.json"
	;;
pytest)
	# nothing but the tests says that this is Python
	package thing 0.001
	mkdir benches tests tests/data
	echo 'def test_other(): pass' >tests/test_other.py
	cat >tests/test_speed.py <<'END'
from thing import work
def helper(benchmark_like): pass
def test_work(
    benchmark
):
    benchmark(work)
END
	echo 'def test_more(a, benchmark): pass' >benches/test_more.py
	touch tests/conftest.py tests/data/conftest.py
	commit fast
	package thing 0.02
	commit slow
	expect 0 'benches, tests/test_speed.py: tests with the fixture of pytest-benchmark' init --ci none
	config_has '"--pytest", "benches", "tests/test_speed.py"]'
	config_has '"paths": ["benches", "tests/test_speed.py", "tests/conftest.py"]'
	[ ! -e bench ] || fail "a benchmark was written beside those that there are"
	python_with pytest || missing pytest
	echo 'def test_more(benchmark): benchmark(sum, [1])' >benches/test_more.py
	slower pytest/tests/test_speed.py
	;;
asv)
	package thing 0.001
	: >setup.py
	mkdir -p perf/marks/inner
	cat >perf/asv.conf.json <<'END'
{
    // "benchmark_dir": "elsewhere",
    "benchmark_dir": "marks",
    "version": 1
}
END
	: >perf/marks/__init__.py && : >perf/marks/inner/__init__.py
	cat >perf/marks/inner/deep.py <<'END'
from thing import work
class Suite:
    params = [[0.001, 0.002], ["a b", None]]
    param_names = ["seconds", "what kind"]
    def setup(self, seconds, kind):
        if kind is None and seconds == 0.002:
            raise NotImplementedError("not both")
    def time_more(self, seconds, kind):
        work(seconds)
def time_work():
    work()
def track_size():
    return 3
END
	echo 'import no_such_module' >perf/marks/lacks.py
	commit fast
	package thing 0.02
	commit slow
	expect 0 'perf/marks: benchmarks of asv' init --ci none
	config_has '"--asv", "perf/marks"'
	expect 0 'asv/inner.deep.Suite.time_more/seconds=0.001,what_kind=a-b' list HEAD
	grep -q asv/inner.deep.track_size "$top/out" || fail "what is no time is not listed"
	slower asv/inner.deep.time_work
	expect 0 "lacks cannot be imported: No module named 'no_such_module'" run HEAD --target host \
		--fixed 2 --format json
	grep -q 'not both' "$top/out" || fail "what a setup refuses is not skipped"
	;;
install)
	printf '[project]\nname = "thing"\nversion = "1"\n[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n' >pyproject.toml
	package src/thing 0.001 'from importlib.metadata import version
version("thing")'
	commit fast
	expect 0 'wrote bench/bench.py' init --ci none
	config_has '"--no-deps", "--upgrade", "--target", "src", "."]'
	config_has '"pythonpath": ["src"]'
	rm -rf .bench-against.json bench
	package src/thing 0.02 'from importlib.metadata import version
version("thing")'
	commit slow
	expect 0 'wrote bench/bench.py' init --ci none
	# the build backend comes from a package index
	[ "${BA_TEST_PIP-}" ] || missing 'BA_TEST_PIP'
	measured py/import_package
	;;
google)
	cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(thing CXX)
option(THING_BENCHMARKS "build them" OFF)
add_executable(other other.cc)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/out")
if(THING_BENCHMARKS)
  add_subdirectory(bench)
endif()
END
	mkdir bench
	cat >bench/CMakeLists.txt <<'END'
find_package(benchmark REQUIRED)
set(name thing_bench)
add_executable(${name} b.cc)
target_link_libraries(${name} PRIVATE
  benchmark::benchmark_main)
add_executable(more_bench b.cc)
target_link_libraries(more_bench PRIVATE benchmark::benchmark_main)
END
	mkdir zapart
	cat >zapart/CMakeLists.txt <<'END'
project(apart CXX)
add_executable(apart_bench ../bench/b.cc)
target_link_libraries(apart_bench PRIVATE benchmark::benchmark_main)
END
	echo 'int main() {}' >other.cc
	cat >bench/b.cc <<'END'
#include <benchmark/benchmark.h>
#include <unistd.h>
#include "../cost.h"
static void work(benchmark::State &state)
{
	for (auto _ : state)
		usleep(COST);
}
BENCHMARK(work)->UseRealTime();
END
	echo '#define COST 1000' >cost.h
	commit fast
	echo '#define COST 20000' >cost.h
	commit slow
	expect 0 "'thing_bench' of bench/CMakeLists.txt, 'more_bench' of .*, programs of .*; not chosen: 'apart_bench' of zapart/CMakeLists.txt" init --ci none
	config_has '"-DTHING_BENCHMARKS=ON"'
	config_has '"programs": ["build-bench/out/thing_bench", "build-bench/out/more_bench"]'
	config_has '"--target", "thing_bench", "more_bench"]'
	config_has '"paths": ["bench"]'
	git status --short | grep -q bench/ && fail "init wrote into a folder of benchmarks"
	echo '#include <benchmark/benchmark.h>' | ${CXX:-c++} -E -x c++ - >/dev/null 2>&1 ||
		missing 'Google Benchmark'
	slower micro/thing_bench/work
	;;
cmake)
	mkdir tools tests
	cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(thing C)
add_subdirectory(tests)
add_subdirectory(tools)
END
	echo 'add_executable(first ../tools/main.c)' >tests/CMakeLists.txt
	mkdir fuzzing && echo 'add_executable(afl main.c)' >fuzzing/CMakeLists.txt
	printf 'set(APP thing-tool)\nadd_executable("${APP}" main.c)\n' >tools/CMakeLists.txt
	two_programs tools/main.c
	expect 0 "the program 'thing-tool', from start to end" init --ci none
	slower program/thing-tool
	;;
meson)
	printf "project('thing', 'c')\nexecutable('thing-tool', 'main.c')\n" >meson.build
	two_programs main.c
	expect 0 "A Meson project: it has 'meson.build'" init --ci none
	config_has '["meson", "compile", "-C", "build-bench"]'
	meson --version >/dev/null 2>&1 || missing meson
	slower program/thing-tool
	;;
autotools)
	printf 'AC_INIT([thing], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n' >configure.ac
	printf 'check_PROGRAMS = t\nt_SOURCES = main.c\nbin_PROGRAMS = thing-tool\nthing_tool_SOURCES = main.c\n' >Makefile.am
	two_programs main.c
	expect 0 "An autotools project: it has 'configure.ac'" init --ci none
	config_has '["autoreconf", "-fi"]'
	automake --version >/dev/null 2>&1 || missing automake
	slower program/thing-tool
	;;
make)
	printf 'all: sub/thing-tool\nsub/thing-tool: main.c\n\tmkdir -p sub\n\tcc -o $@ main.c\n' >Makefile
	two_programs main.c
	expect 0 'a program that make builds, from start to end' init --ci none
	slower program/thing-tool
	# a library alone
	git checkout -q -b library && git rm -q Makefile && rm -rf .bench-against.json bench
	printf "project('thing', 'c')\nlibrary('thing', 'main.c')\n" >meson.build
	expect 129 'no program was found' init --ci none
	[ ! -e .bench-against.json ] || fail "a configuration that cannot work was written"
	;;
*) fail "no such project" ;;
esac
echo "init.sh $project: what init wrote works"
