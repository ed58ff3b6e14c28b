#!/bin/sh
# Builds launchcfg with nothing but a C compiler and runs what needs a GPU: the checks, the
# example, and what launches cost. Prints counts; fails if any check broke.
#
#     tests/launchcfg/gpu.sh [BUILD_DIR]
set -eu
# a driver's devices, or those of WSL: without one nothing is built
[ -e /dev/nvidiactl ] || [ -e /dev/dxg ] || {
        echo "no GPU here"
        exit 77
}
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$(mktemp -d)}
cc=${CC:-cc}
mkdir -p "$build"

for state in baseline contextvar v2; do
        sources=$(ls "$root"/src/launchcfg/*.c | grep -v '/state_')
        # shellcheck disable=SC2086
        $cc -std=gnu17 -O2 -fPIC -fvisibility=hidden -D_GNU_SOURCE -I"$root/include" \
                -I"$root/src/launchcfg" -shared -o "$build/liblaunchcfg_bench_$state.so" $sources \
                "$root/src/launchcfg/state_$state.c" "$root/src/launchcfg/bench/adapter.c" \
                -Wl,--version-script="$root/src/launchcfg/bench/adapter.map" -lpthread -ldl
done
# shellcheck disable=SC2086
$cc -std=gnu17 -O2 -fPIC -fvisibility=hidden -D_GNU_SOURCE -I"$root/include" \
        -I"$root/src/launchcfg" -shared -o "$build/liblaunchcfg.so" $sources \
        "$root/src/launchcfg/state_v2.c" -Wl,-Bsymbolic-functions -lpthread -ldl
link="-L$build -llaunchcfg -Wl,-rpath,$build -ldl"
for program in gpu scale; do
        # shellcheck disable=SC2086
        $cc -std=gnu17 -O2 -D_GNU_SOURCE -I"$root/include" -o "$build/$program" \
                "$root/tests/launchcfg/$program.c" $link
done
# shellcheck disable=SC2086
$cc -std=gnu17 -O2 -I"$root/include" -o "$build/block_reduce" \
        "$root/examples/launchcfg/block_reduce.c" $link
$cc -std=gnu17 -O2 -D_GNU_SOURCE -I"$root/include" -o "$build/hotpath" \
        "$root/tests/launchcfg/hotpath.c" -ldl

# NVRTC of a toolkit, or of a Python package
if [ -z "${LAUNCHCFG_NVRTC:-}" ] && ! ldconfig -p | grep -q 'libnvrtc\.so'; then
        found=$(find / -name 'libnvrtc.so.1[0-9]*' -not -path '/proc/*' 2>/dev/null | sort -r | head -n 1)
        [ -n "$found" ] && export LAUNCHCFG_NVRTC="$found"
fi
echo "NVRTC: ${LAUNCHCFG_NVRTC:-of the loader}"

LAUNCHCFG_CACHE_DIR=$(mktemp -d)
export LAUNCHCFG_CACHE_DIR
trap 'rm -rf "$LAUNCHCFG_CACHE_DIR"' EXIT
failed=0
skip=0
"$build/block_reduce" >/dev/null || skip=$?
if [ "$skip" -eq 77 ]; then
        exit 77
fi
rm -rf "$LAUNCHCFG_CACHE_DIR"
for run in cold warm; do
        echo "== checks, $run"
        "$build/gpu" "$run" || failed=1
done
for run in first second; do
        echo "== example, $run run"
        "$build/block_reduce" || failed=1
done
echo "== cost against the number of configurations, this driver"
"$build/scale" || failed=1
echo "== launch code alone (a driver that returns at once)"
"$build/hotpath" "$build"/liblaunchcfg_bench_baseline.so \
        "$build"/liblaunchcfg_bench_contextvar.so "$build"/liblaunchcfg_bench_v2.so || failed=1
[ "$failed" -eq 0 ] && echo "all held" || echo "SOMETHING BROKE"
exit "$failed"
