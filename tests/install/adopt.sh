#!/bin/sh
# adopt.sh CMAKE BUILD SOURCE NEEDS SECTION...: sections of docs/adopt.md, done literally with the
# installed tool. NEEDS is a command that fails where a program is missing that they use: 77.
set -eu
cmake=$1 build=$2 source=$3 needs=$4
shift 4
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
trap 'exit 129' HUP INT TERM
sh -c "$needs" >/dev/null 2>&1 || {
	# the system's python3 may have what the first one of PATH lacks
	PATH=$build/tests/python3/system/bin:$PATH
}
sh -c "$needs" >/dev/null 2>&1 || {
	echo "adopt.sh: '$needs' fails"
	exit 77
}
"$cmake" --install "$build" --prefix "$prefix" >/dev/null
PATH=$prefix/bin:$PATH CMAKE_PREFIX_PATH=$prefix BA_TOOLCHAIN_HASHES=$build/tests/toolchain-hashes \
	python3 "$source/tests/install/walk.py" "$source/docs/adopt.md" "$@"
