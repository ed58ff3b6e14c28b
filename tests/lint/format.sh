#!/bin/sh
# format.sh SOURCE: is every C file as clang-format 14 would write it? Other versions differ
# in details, so only that one is asked; 77 (skipped) where it is not installed.
# The example launcher is left out: it must fit on a screen and a half.
set -u
cd "$1" || exit 1
for tool in clang-format-14 clang-format; do
	case $("$tool" --version 2>/dev/null) in
	*"version 14."*) break ;;
	*) tool= ;;
	esac
done
if [ -z "$tool" ]; then
	echo "format.sh: no clang-format 14 here (apt-get install clang-format-14)"
	exit 77
fi

# a name a line; no file of ours has a space in its name
files=$(find src include tests examples kernels -name '*.[ch]' ! -path examples/launcher/launcher.c \
	! -path examples/suite/suite.c ! -path "tests/abi/1/*" | sort)
# shellcheck disable=SC2086 # words are what is wanted
bad=$("$tool" --dry-run -Werror $files 2>&1 | sed -n 's/^\([^:]*\):[0-9].*/\1/p' | sort -u)
if [ -n "$bad" ]; then
	echo "run $tool -i on these: $bad" >&2
	exit 1
fi
echo "$(echo "$files" | wc -l) files are as $tool writes them"
