#!/bin/sh
# links.sh ROOT [update]: does every link between the pages below ROOT lead to a file and a
# heading, and has every long page of docs/ a list of its headings that is up to date? With
# `update`, the lists are written. ROOT is a source tree, or the folder of installed pages.
set -u
cd "$1" || exit 1
mode=${2-check} bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

complain()
{
	echo "$*" >&2
	bad=$((bad + 1))
}

# The headings of a page: level, anchor as GitHub makes it, text.
headings()
{
	LC_ALL=C awk '
	/^```/ { code = !code }
	!code && /^#+ / {
		level = index($0, " ") - 1
		text = anchor = substr($0, level + 2)
		# links show their text
		while (match(anchor, /\]\([^)]*\)/))
			anchor = substr(anchor, 1, RSTART - 1) substr(anchor, RSTART + RLENGTH)
		# of what is not ASCII, punctuation: em and en dash, minus, middle dot, plus-minus, quotes
		gsub(/\342\200[\220-\277]|\342\210\222|\302\267|\302\261/, "", anchor)
		gsub(/[^-_ a-zA-Z0-9\200-\377]/, "", anchor)
		anchor = tolower(anchor)
		gsub(/ /, "-", anchor)
		if (seen[anchor]++)
			anchor = anchor "-" (seen[anchor] - 1)
		print level "\t" anchor "\t" text
	}' "$1"
}

# The page with a list of its headings, before the first of them.
with_contents()
{
	headings "$1" | awk -F '\t' '$1 == 2 || $1 == 3 {
		printf "%s- [%s](#%s)\n", $1 == 3 ? "  " : "", $3, $2
	}' >"$work/list"
	awk -v list="$work/list" '
	function put_list() {
		print "<!-- contents, written by tests/lint/links.sh -->"
		while ((getline line <list) > 0)
			print line
		print "<!-- end of contents -->\n"
		done = 1
	}
	/^<!-- contents/ { skip = 1 }
	skip { skip = !/^<!-- end of contents/; if (!skip) getline; next }
	/^```/ { code = !code }
	!code && !done && /^## / { put_list() }
	{ print }' "$1"
}

find . -name .git -prune -o -path ./build -prune -o -path ./out -prune -o -name '*.md' -print |
	grep -v '^./tests/golden/' | sed 's|^\./||' | sort >"$work/pages"
[ -s "$work/pages" ] || complain "no pages below $1"

while read -r page; do
	case $page in
	docs/*)
		[ "$(grep -vc '^ *- \[.*](#' "$page")" -gt 150 ] || continue
		with_contents "$page" >"$work/page"
		cmp -s "$work/page" "$page" && continue
		if [ "$mode" = update ]; then
			cat "$work/page" >"$page"
		else
			complain "$page: its list of contents is not up to date: sh tests/lint/links.sh . update"
		fi
		;;
	esac
done <"$work/pages"

: >"$work/anchors"
while read -r page; do
	folder=.
	case $page in */*) folder=${page%/*} ;; esac
	awk '/^```/ { code = !code } !code && !/^    /' "$page" |
		grep -oE '\]\([^) ]+' | sed 's/^](//' | grep -vE '^[a-z]+:' >"$work/links"
	while read -r link; do
		file=${link%%#*} anchor=
		case $link in *'#'*) anchor=${link#*#} ;; esac
		target=$page
		[ -z "$file" ] || target=$folder/$file
		if [ ! -e "$target" ]; then
			complain "$page: the link leads nowhere: '$link'"
		elif [ -n "$anchor" ]; then
			printf '%s\t%s\t%s\t%s\n' "$target" "$anchor" "$page" "$link"
		fi
	done <"$work/links" >>"$work/anchors"
done <"$work/pages"
cut -f1 "$work/anchors" | sort -u | while read -r target; do
	headings "$target" | awk -v target="$target" -F '\t' '{ print target "\t" $2 }'
done >"$work/headings"
awk -F '\t' 'NR == FNR { known[$0]; next }
	!($1 "\t" $2 in known) { print $3 ": there is no such heading: \047" $4 "\047" }' \
	"$work/headings" "$work/anchors" >"$work/missing"
while read -r line; do
	complain "$line"
done <"$work/missing"

[ "$bad" -eq 0 ] && echo "every link of $(wc -l <"$work/pages") pages leads somewhere"
