#!/bin/sh
# cmake/check.sh [BUILD]: is this checkout sound? Installs missing packages, builds everything
# twice, and runs all tests but those of the night (labels slow and nightly):
#  - BUILD (default: build/check), with AddressSanitizer and UndefinedBehaviorSanitizer, has the
#    tests of the modules;
#  - BUILD/release, optimised, has the simulations and the tests that start the tool: they start it
#    some thousand times, and a start with sanitizers takes three times as long. With -O1 it compiles
#    in two thirds of the time of -O2, which is what people install: nightly.yml runs the same tests
#    on that, and the presets `fast`, on each push, have the warnings of -O3.
# Ends with the test runner's summary line and its exit status. CC=clang chooses the compiler of a
# new build folder; JOBS=N the width; SANITIZE=all runs all tests but slow ones with sanitizers,
# as one build; NIGHT=1 runs those of the label nightly, too.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/check}
jobs=${JOBS:-$(nproc)}
. "$root/cmake/packages.sh"
modules='unit;sandbox;fakecuda;suites;integration;layout;golden;fuzz;lint;launchcfg;kernels;code'
tool='sandbox;fakecuda;fakegoogle;suites;python;abi;e2e;faults;install;attacks;slurm;gpu;sim;peers'
release=$build/release
kernels=OFF images=OFF traps=ON pch=ON
[ "${SANITIZE-}" != all ] || modules='' tool='' release='' kernels=AUTO traps=OFF pch=OFF
left='slow|nightly' night=OFF
[ "${NIGHT-}${SANITIZE-}" = "" ] || left=slow night=ON
# nvcc takes a minute for what only a GPU can run; ptxas has its say at night, with SANITIZE=all
[ ! -e /dev/nvidiactl ] || images=AUTO

need_packages test
# some 300 programs are linked, by lld in a third of the time, by gold in half of it
linker=
for name in lld gold; do
	[ -n "$linker" ] || ! command -v ld.$name >/dev/null || linker=-fuse-ld=$name
done
# base.h is read once for all modules: a third of the time of most compilations
CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:+$CCACHE_SLOPPINESS,}pch_defines,time_macros
export CCACHE_SLOPPINESS
# an optimising compiler sees more, and its warnings are errors, too
configure_release()
{
	cmake -S "$root" -B "$release" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBA_WERROR=ON \
		-DCMAKE_C_FLAGS_RELWITHDEBINFO='-O1 -g1 -DNDEBUG' -DBA_TEST_DIRS="$tool" \
		-DBA_PCH=$pch -DBA_NIGHT=$night -DBA_KERNELS=$images
}
mkdir -p "$build"
configuring=
if [ -n "$release" ]; then
	configure_release >"$build/release.log" 2>&1 &
	configuring=$!
fi
# lines in stack traces need no more debug information than -g1, which compiles in 2/3 of the time
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-g1 \
	-DBA_SANITIZE=address,undefined -DBA_SANITIZE_TRAPS=$traps -DBA_WERROR=ON -DBA_PCH=$pch -DBA_NIGHT=$night \
	-DBA_TEST_DIRS="$modules" -DCMAKE_EXE_LINKER_FLAGS="$linker" -DBA_MORE_TESTS="$release" -DBA_KERNELS=$kernels
if [ -n "$configuring" ] && ! wait "$configuring"; then
	cat "$build/release.log" >&2
	exit 1
fi
ninja -C "$build" -j "$jobs"
[ -z "$release" ] || ninja -C "$release" -j "$jobs"

# many tests wait for other processes or for a time limit: their processor time is about a third of
# the time that they take with twice as many tests as processors, so three tests for a processor
status=0
ctest --test-dir "$build" --output-on-failure -j "$((jobs * 3))" -LE "$left" \
	--output-log "$build/check.log" --output-junit "$build/junit.xml" || status=$?
summary=$(grep 'tests passed' "$build/check.log") || {
	echo "check.sh: no summary of the tests in '$build/check.log'" >&2
	exit 1
}
echo "$summary"
exit "$status"
