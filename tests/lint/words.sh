#!/bin/sh
# words.sh ROOT: does a page, a message or a comment have words of words.txt, which readers
# stumble over, in a line or broken over two? Prints each place, and what to write instead.
set -u
list=$(dirname "$(realpath "$0")")/words.txt
cd "$1" || exit 1
echo x | grep -qP '(?<!y)x' || exit 77 # a grep without Perl's expressions
tab=$(printf '\t')
joint=$(printf '\037')
pairs=$(mktemp)
trap 'rm -f "$pairs"' EXIT
bad=0
# of the present: a changelog quotes the past, and a rule names what it forbids
files=$(for top in README.md CONTRIBUTING.md SECURITY.md docs src include python share examples kernels; do
	[ ! -e "$top" ] || find "$top" -type f \( -name '*.md' -o -name '*.[ch]' -o -name '*.py' \
		-o -name '*.json' -o -name '*.cu' -o -name '*.yml' -o -name '*.sh' \
		-o -name 'CMakeLists.txt' -o -path '*/init/*' -o -name pages.txt \)
done | sort)
# each line with the next one, without indentation and the marks of comments
# shellcheck disable=SC2086 # names without spaces
awk '
	{
		sub(/^[ \t]*((\/?\*|\/\/|#|>) )?[ \t]*/, "")
		if (FNR > 1 && before != "" && $0 != "")
			print FILENAME ":" FNR - 1 ":" before "\037" $0
		before = $0
	}' $files >"$pairs"
while IFS=$tab read -r pattern advice; do
	case $pattern in '' | '#'*) continue ;; esac
	# shellcheck disable=SC2086
	found=$(grep -HnP -- "$pattern" $files)
	# of the pairs, only what goes over the joint
	over=$(grep -noP -- "$(printf "%s\n" "$pattern" | sed 's/ /[ \\x1f]/g')" "$pairs" | grep "$joint" |
		cut -d: -f1 | while read -r row; do sed -n "${row}p" "$pairs"; done | tr '\037' ' ')
	[ -z "$found$over" ] && continue
	printf '%s\n%s\n' "$found" "$over" | grep . | cut -c1-200 | sed "s|^|words.sh: |" >&2
	echo "words.sh: write instead: $advice" >&2
	bad=$((bad + 1))
done <"$list"
[ "$bad" -eq 0 ] && echo "none of the words that readers stumble over"
