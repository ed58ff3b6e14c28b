#!/bin/sh
# make.sh DIR [KERNELS.so]: a repository in DIR that measures this project's attention kernels and
# PyTorch's on the same inputs, in one run: see README.md. KERNELS.so is the library of kernels/,
# already built; without it the repository has the sources, and builds them with nvcc.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || {
	echo "usage: make.sh DIR [KERNELS.so]" >&2
	exit 2
}
[ ! -e "$1" ] || {
	echo "make.sh: '$1' is there already" >&2
	exit 1
}
if [ $# -ge 2 ] && [ ! -f "$2" ]; then
	echo "make.sh: there is no file '$2'" >&2
	exit 1
fi
if [ $# -lt 2 ] && [ ! -f "$here/../../kernels/CMakeLists.txt" ]; then
	echo "make.sh: the sources of the kernels are not here: name a kernels.so" >&2
	exit 1
fi
mkdir -p "$1"
cp "$here"/../python/attention/*.py "$here/build.sh" "$1"
cp "$here/bench-against.json" "$1/.bench-against.json"
if [ $# -ge 2 ]; then
	cp "$2" "$1/kernels.so"
else
	mkdir -p "$1/include/bench_against"
	cp -R "$here/../../kernels" "$1/kernels"
	cp "$here/../../include/bench_against/suite.h" "$1/include/bench_against"
fi
cd "$1"
git init -q .
git add -A -f # also where libraries are ignored
git -c user.name=example -c user.email=example@example.org -c commit.gpgsign=false \
	commit -q -m 'attention, ours and PyTorch'"'"'s'
