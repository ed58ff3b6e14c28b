#!/bin/sh
# cmake/demo.sh [DIR]: see it work. Installs what is missing, builds the tool in build/demo,
# makes the demo repository in DIR (default: a temporary directory, removed at the end) and
# compares its three branches: on the GPU where there is a fit one, else on the host target. On a GPU
# it also shows what the disk cache of launchcfg saves.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/demo
. "$root/cmake/packages.sh"

need_packages
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	-DBA_BUILD_TESTS=OFF >/dev/null
ninja -C "$build" -j "${JOBS:-$(nproc)}"
tool=$build/bin/bench-against

if [ $# -gt 0 ]; then
	dir=$1
else
	temporary=$(mktemp -d)
	trap 'rm -rf "$temporary"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	dir=$temporary/demo
fi
"$tool" demo "$dir"

target=gpu
"$tool" doctor >/dev/null 2>&1 || target=host
[ "$target" = gpu ] ||
	echo "No GPU fit for measuring ('bench-against doctor' says why): the host target it is."
echo
echo "\$ bench-against --target $target baseline contextvar v2"
status=0
(cd "$dir" && "$tool" --target "$target" baseline contextvar v2) || status=$?
echo
case $status in
0) echo "Exit status 0: no branch is slower than 'baseline'." ;;
1) echo "Exit status 1: a regression was found; 'contextvar' is built to be slower." ;;
*)
	echo "demo.sh: bench-against ended with status $status" >&2
	exit "$status"
	;;
esac
if [ "$target" = gpu ]; then
	echo
	echo "\$ cmake/first_launch.sh $tool $dir-first"
	sh "$root/cmake/first_launch.sh" "$tool" "$dir-first" || [ $? -eq 77 ]
fi
