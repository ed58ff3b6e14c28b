#!/bin/sh
# cmake/check.sh [BUILD]: is this checkout sound? Installs what is missing, builds everything
# with AddressSanitizer and UndefinedBehaviorSanitizer in BUILD (default: build/check), runs
# the tests, and ends with the test runner's summary line and its exit status.
# CC=clang chooses the compiler of a new build folder; JOBS=N the width. Tests that take
# minutes (label slow) are left out; those that need a GPU skip themselves where there is none.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/check}
jobs=${JOBS:-$(nproc)}
. "$root/cmake/packages.sh"

need_packages test
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
	-DBA_SANITIZE=address,undefined -DBA_WERROR=ON
ninja -C "$build" -j "$jobs"
# what people install: an optimising compiler sees more, and its warnings are errors, too
cmake -S "$root" -B "$build/release" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	-DBA_BUILD_TESTS=OFF -DBA_KERNELS=OFF -DBA_WERROR=ON
ninja -C "$build/release" -j "$jobs"

# many tests wait for other processes most of the time: one more than there are processors
status=0
ctest --test-dir "$build" --output-on-failure -j "$((jobs + 1))" -LE slow \
	--output-log "$build/check.log" --output-junit "$build/junit.xml" || status=$?
summary=$(grep 'tests passed' "$build/check.log") || {
	echo "check.sh: no summary of the tests in '$build/check.log'" >&2
	exit 1
}
echo "$summary"
exit "$status"
