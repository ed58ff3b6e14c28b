#!/bin/sh
# build.sh: kernels.so of the sources in kernels/, unless it came ready-made
set -eu
[ ! -f kernels.so ] || exit 0
cmake -S kernels -B build
cmake --build build
cp build/kernels.so .
