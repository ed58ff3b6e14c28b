#!/bin/sh
# cmake/first_launch.sh TOOL DIR [OPTION ...]: what the disk cache of launchcfg saves. Builds
# examples/launchcfg/first_launch.c in a new repository DIR, measures its first launch with an empty
# cache and with a filled one, by `TOOL run HEAD` with these options, and says both in a sentence.
# DIR/first.json has the samples. It needs git, cc and NVRTC, and a GPU; 77: one of them is missing.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
tool=$1 dir=$2
shift 2
mkdir -p "$dir" && cd "$dir"
dir=$(pwd)
git init -q .
sources=$(find "$root/src/launchcfg" -maxdepth 1 -name '*.c' ! -name 'state_*' && echo "$root/src/launchcfg/state_v2.c")
# shellcheck disable=SC2086 # lists of paths and of options
cc -std=gnu11 -D_GNU_SOURCE -O2 ${CFLAGS-} -fPIC -fexceptions -shared -I"$root/include" -I"$root/src/launchcfg" \
	$sources "$root/examples/launchcfg/first_launch.c" -o libfirst.so -lpthread -ldl >cc.txt 2>&1 || {
	echo "first_launch.sh: launchcfg cannot be built: $dir/cc.txt" >&2
	exit 77
}
echo '{"suites": {"lcs": {"kind": "plugin", "library": "libfirst.so"}}}' >.bench-against.json
git add libfirst.so .bench-against.json
git -c user.name=x -c user.email=x@example.org -c commit.gpgsign=false commit -q -m launch
"$tool" run HEAD --fixed 4 --metrics import,first_call,first_call_cached,context,load,device_peak \
	-o "$dir/first.json" "$@" >first.txt 2>&1 || {
	echo "first_launch.sh: not measured, which needs a GPU and NVRTC: $dir/first.txt" >&2
	exit 77
}
"$tool" report "$dir/first.json" --format csv | awk -F, '
{ ms[$2] = sprintf("%.3g ms", $8 / 1e6) }
END {
	printf "A first launch through LC-S takes %s if the disk cache is empty, and %s in a process that finds the kernel there (processor time: %s and %s).\n",
		ms["first_call"], ms["first_call_cached"], ms["first_call_cpu"], ms["first_call_cached_cpu"]
}'
