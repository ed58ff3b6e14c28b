#!/bin/sh
# cmake/analyse.sh [FILE...]: what do clang-tidy 14 (.clang-tidy) and cppcheck (cmake/cppcheck.txt)
# find in src, or in these files of it? The baseline is zero: ends with 1 if they find anything.
# BUILD is build/analyse, or $BUILD; JOBS=N the width. Other versions find other things, so that
# clang-tidy must be version 14.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build/analyse}
jobs=${JOBS:-$(nproc)}
tidy=
for program in clang-tidy-14 clang-tidy; do
	case $("$program" --version 2>/dev/null) in
	*"version 14."*) tidy=$program && break ;;
	esac
done
if [ -z "$tidy" ] || ! command -v cppcheck >/dev/null; then
	echo "analyse.sh: clang-tidy 14 and cppcheck are needed (apt-get install clang-tidy-14 cppcheck)" >&2
	exit 1
fi

# how each file is compiled, and the files that a build makes
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DBA_BUILD_TESTS=OFF -DBA_KERNELS=OFF >/dev/null
ninja -C "$build" -j "$jobs" src/tool/demo/demo_files.c >"$build/build.log" || {
	cat "$build/build.log" >&2
	exit 1
}

files=$*
[ -n "$files" ] || files=$(find src -name '*.c' | sort)
status=0
# a file a process: a second file in one process has findings that it does not have alone
echo "$files" | tr ' ' '\n' |
	xargs -P "$jobs" -n 1 "$tidy" -p "$build" --quiet >"$build/clang-tidy.log" 2>"$build/clang-tidy.err" || status=$?
grep -E '(warning|error):' "$build/clang-tidy.log" | sed "s|$PWD/||" | sort -u >"$build/clang-tidy.txt" || true
cat "$build/clang-tidy.txt"
echo "clang-tidy: $(wc -l <"$build/clang-tidy.txt") findings in $(echo "$files" | wc -w) files"

# _Generic is what cppcheck cannot read; it chooses by type what is the same expression here
mkdir -p "$build/cppcheck"
# shellcheck disable=SC2086 # a file name a word
cppcheck --enable=warning,performance,portability --inline-suppr --std=c11 --error-exitcode=1 \
	--suppressions-list=cmake/cppcheck.txt --cppcheck-build-dir="$build/cppcheck" -j "$jobs" --quiet \
	--template='{file}:{line}: {severity}: {message} [{id}]' $(printf -- '-I %s ' src/*/) -I include -I "$build/generated" \
	-D_GNU_SOURCE -D__linux__ -D__x86_64__ '-DElfW(name)=Elf64_##name' '-D_Generic(value, ...)=value' \
	$files 2>"$build/cppcheck.txt" || status=$?
cat "$build/cppcheck.txt"
echo "cppcheck: $(wc -l <"$build/cppcheck.txt") findings"
exit "$((status != 0))"
