#!/bin/sh
# Does words.sh find a phrase in a line, and broken over two, but nothing where there is none?
set -u
lint=$(cd "$(dirname "$0")" && pwd)/words.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
bad=0

# says STATUS TEXT: words.sh ends so, and says TEXT
says()
{
	sh "$lint" "$top" >"$top/said" 2>&1
	status=$?
	[ "$status" -eq 77 ] && exit 77
	[ "$status" -eq "$1" ] && grep -qF -e "$2" "$top/said" && return
	echo "status $status instead of $1, or not said: $2"
	cat "$top/said"
	bad=1
}

mkdir -p "$top/docs" "$top/src"
printf 'The error is\n\ntold apart.\n' >"$top/docs/page.md"
says 0 'none of the words'
printf 'One line.\nThe error is told to people.\n' >"$top/docs/page.md"
says 1 'docs/page.md:2:The error is told'
printf 'One line.\nThe error is\ntold to people.\n' >"$top/docs/page.md"
says 1 'docs/page.md:2:The error is told to people.'
printf 'A page.\n' >"$top/docs/page.md"
printf '/*\n * The error is\n * told to people.\n */\n' >"$top/src/a.c"
says 1 'src/a.c:2:The error is told to people.'
printf '/* Nothing: there is\n * no variant of that name. */\n' >"$top/src/a.c"
says 0 'none of the words'
[ "$bad" -eq 0 ] && echo "words.sh finds what it looks for"
