#!/bin/sh
# Does links.sh find what it is there for? A page in a folder of its own is broken in each way.
set -u
lint=$(cd "$(dirname "$0")" && pwd)/links.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
bad=0

# finds TEXT: links.sh fails and says TEXT
finds()
{
	sh "$lint" "$top" >"$top/said" 2>&1 && {
		echo "not found: $1"
		bad=1
	}
	grep -qF -e "$1" "$top/said" || {
		echo "not said: $1"
		cat "$top/said"
		bad=1
	}
}

mkdir "$top/docs"
{
	printf '# A page\n\nIt teaches.\n\n## First: the `code` of it\n\n'
	seq 200
	printf '\n### Second\n\n[there](#second) [here](../README.md#top)\n'
} >"$top/docs/page.md"
printf '# Top\n\n[page](docs/page.md#first-the-code-of-it)\n' >"$top/README.md"
finds 'docs/page.md: its list of contents is not up to date'
sh "$lint" "$top" update || bad=1
sh "$lint" "$top" || bad=1
grep -qxF -e '- [First: the `code` of it](#first-the-code-of-it)' "$top/docs/page.md" || bad=1
grep -qxF -e '  - [Second](#second)' "$top/docs/page.md" || bad=1

sed -i 's/^### Second/### Third/' "$top/docs/page.md"
finds 'its list of contents is not up to date'
sh "$lint" "$top" update 2>/dev/null
finds "docs/page.md: there is no such heading: '#second'"
sed -i 's/(#second)/(#third)/' "$top/docs/page.md"
sh "$lint" "$top" || bad=1
echo '[lost](docs/lost.md)' >>"$top/README.md"
finds "README.md: the link leads nowhere: 'docs/lost.md'"
exit $bad
