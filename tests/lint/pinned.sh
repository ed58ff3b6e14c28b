#!/bin/sh
# pinned.sh SOURCE: does every workflow, ours and those that `init` writes, name the actions of
# other repositories by the digest of a commit? A tag can be moved to other code by whoever owns
# it. The version stands behind it as a comment. Placeholders of this project (@REF) are comments.
set -u
cd "$1" || exit 1
check='/^[ \t]*#/ { next }
/uses:[ \t]/ {
	sub(/^.*uses:[ \t]*/, "")
	if ($0 !~ /^\.\// && $0 !~ /^[^@ ]+@[0-9a-f]+ # v[0-9.]+$/) bad = bad FILENAME ": " $0 "\n"
	else if ($0 !~ /^\.\//) { sub(/^[^@]*@/, ""); if (length($1) != 40) bad = bad FILENAME ": " $1 "\n" }
	count++
}
END { if (bad) { printf "%s", bad; exit 1 } print count " uses of actions" }'
# a check that cannot fail checks nothing
for wrong in 'actions/checkout@v4' 'actions/checkout@11bd719 # v4.2.2' \
	'a/b@11bd71901bbe5b1630ceea73d27597364c9af683'; do
	if echo "      - uses: $wrong" | awk "$check" >/dev/null; then
		echo "pinned.sh: does not see that '$wrong' is not pinned" >&2
		exit 1
	fi
done
files=$(find .github share/bench-against/init -name '*.yml' | sort)
# shellcheck disable=SC2086 # a file name a word
awk "$check" $files || {
	echo "pinned.sh: write OWNER/NAME@<40 hex digits> # vVERSION" >&2
	exit 1
}
