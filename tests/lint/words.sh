#!/bin/sh
# words.sh ROOT: does a page, a message or a comment have words of words.txt, which readers
# stumble over? Prints each place, and what to write instead.
set -u
list=$(dirname "$(realpath "$0")")/words.txt
cd "$1" || exit 1
echo x | grep -qP '(?<!y)x' || exit 77 # a grep without Perl's expressions
tab=$(printf '\t')
bad=0
# of the present: a changelog quotes the past, and a rule names what it forbids
files=$(find README.md CONTRIBUTING.md SECURITY.md docs src include python share examples kernels \
	-type f \( -name '*.md' -o -name '*.[ch]' -o -name '*.py' -o -name '*.json' -o -name '*.cu' \
	-o -name '*.yml' -o -name '*.sh' -o -name 'CMakeLists.txt' -o -path '*/init/*' \) | sort)
while IFS=$tab read -r pattern advice; do
	case $pattern in '' | '#'*) continue ;; esac
	# shellcheck disable=SC2086 # names without spaces
	found=$(grep -nP -- "$pattern" $files)
	[ -z "$found" ] && continue
	printf '%s\n' "$found" | cut -c1-200 | sed "s|^|words.sh: |" >&2
	echo "words.sh: write instead: $advice" >&2
	bad=$((bad + 1))
done <"$list"
[ "$bad" -eq 0 ] && echo "none of the words that readers stumble over"
