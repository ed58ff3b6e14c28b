#!/bin/sh
# literals.sh SOURCE: is every message whole in one literal, so that grep finds it? A literal may
# go on in the next line after "\n" or the end of a sentence, and around a macro (PRIu64). Tables
# are no messages: their files are named below.
# The formatter must neither break literals nor reflow comments, or tables in comments are lost.
set -u
cd "$1" || exit 1
for key in ReflowComments BreakStringLiterals; do
	grep -q "^$key: false" .clang-format || {
		echo "literals.sh: .clang-format must say '$key: false'" >&2
		exit 1
	}
done

files=$(find src include -name '*.[ch]' ! -path src/files/report/text/csv.c | sort)
# shellcheck disable=SC2016,SC2086 # awk's dollars; a file name a word
check='FNR == 1 { open = 0 }
open && /^[ \t]*"/ { print FILENAME ":" FNR ": go on in the literal of the line before"; bad = 1 }
{ open = /"[ \t]*$/ && !/\\n"[ \t]*$/ && !/[.:] ?"[ \t]*$/ && !/^[ \t]*#/ }
END { exit bad }'
# a check that cannot fail checks nothing
if printf '\tputs("one "\n\t\t"two");\n' | awk "$check" >/dev/null; then
	echo "literals.sh: does not see a literal that is broken" >&2
	exit 1
fi
# shellcheck disable=SC2086
awk "$check" $files >&2 || exit 1
echo "$(echo "$files" | wc -l) files have whole messages"
