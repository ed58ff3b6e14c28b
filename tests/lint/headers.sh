#!/bin/sh
# headers.sh SOURCE CC CXX FLAGS...: does each header compile by itself, twice in a row?
# Those of src/ as C17; those of include/, which strangers compile, also as C99 and C++11.
# What the build shows is not shown again: a source file begins with the header, which is read once.
# The examples must be good C99 and C++11, too, and short enough to copy.
set -u
source=$1 cc=$2 cxx=$3
shift 3
bad=0 count=0

# compile LANGUAGE STANDARD FILE COMPILER FLAGS...
compile()
{
	language=$1 standard=$2 file=$3
	shift 3
	count=$((count + 1))
	if ! printf '#include "%s"\n#include "%s"\ntypedef int not_empty;\n' "$file" "$file" |
		"$@" -x "$language" -std="$standard" -Wall -Wextra -Wundef -Werror \
			-fsyntax-only -; then
		echo "headers.sh: '$file' does not stand alone as $standard" >&2
		bad=$((bad + 1))
	fi
}

folders=$(printf -- "-I%s " "$source"/src/*/)
begins='FNR == 1 { found = 0 } /^#/ && !found++'
shown=$(
	cd "$source/src" && {
		find . -name '*.c' -exec awk "$begins"' && /^#include "/ { print $2 }' {} + | tr -d '"' | sort -u
		find . -name '*.h' -exec awk "$begins"' && /^#pragma once$/ { print FILENAME }' {} + |
			sed 's|^\./[a-z]*/||'
	} | sort | uniq -d
)
for file in $(cd "$source/src" && find . -name '*.h' | sed 's|^\./||' | sort); do
	case "
$shown
" in *"
${file#*/}
"*) continue ;; esac
	# shellcheck disable=SC2086 # a word for each folder
	compile c gnu17 "$source/src/$file" "$cc" -D_GNU_SOURCE $folders -I"$source/include" "$@"
done
for file in $(cd "$source/include" && find . -name '*.h' | sed 's|^\./||' | sort); do
	compile c c99 "$file" "$cc" -pedantic -I"$source/include"
	compile c c17 "$file" "$cc" -pedantic -I"$source/include"
	compile c++ c++11 "$file" "$cxx" -pedantic -I"$source/include"
done

# example FILE LINES: what a newcomer copies
example()
{
	for how in "$cc -x c -std=c99" "$cxx -x c++ -std=c++11"; do
		count=$((count + 1))
		# shellcheck disable=SC2086 # words are what is wanted
		if ! $how -pedantic -Wall -Wextra -Werror -I"$source/include" -fsyntax-only "$1"; then
			echo "headers.sh: '$1' does not compile with $how" >&2
			bad=$((bad + 1))
		fi
	done
	lines=$(wc -l <"$1")
	if [ "$lines" -gt "$2" ]; then
		echo "headers.sh: '$1' has $lines lines, more than $2" >&2
		bad=$((bad + 1))
	fi
}
example "$source/examples/launcher/launcher.c" 60
example "$source/examples/suite/suite.c" 110
example "$source/examples/core/core.c" 60

echo "$count compilations, $bad of them bad"
[ "$count" -gt 20 ] && [ "$bad" -eq 0 ]
