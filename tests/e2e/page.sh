#!/bin/sh
# page.sh PAGE: opens the HTML report in Chromium, without a network. Its script must run
# under its own policy, sort and filter, and leave no word on the console; nothing may be
# wider than a telephone. 77 (skipped) where there is no Chromium.
set -u
page=$1
for tool in chromium chromium-browser google-chrome; do
	command -v "$tool" >/dev/null 2>&1 && break
	tool=
done
if [ -z "$tool" ]; then
	echo "page.sh: no Chromium here (apt-get install chromium)"
	exit 77
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# dom FILE [WIDTH]: the page after its scripts ran, on stdout; the console in $dir/log
dom()
{
	timeout 60 "$tool" --headless=new --no-sandbox --disable-gpu \
		--disable-background-networking --no-first-run --disable-sync \
		--host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$dir/profile" \
		--window-size="${2:-390}",844 --enable-logging=stderr --virtual-time-budget=4000 \
		--dump-dom "file://$1" 2>"$dir/log"
}
die()
{
	echo "page.sh: $*" >&2
	grep CONSOLE "$dir/log" >&2
	exit 1
}

dom "$page" >"$dir/dom" || die "the browser ended with status $?"
[ -s "$dir/dom" ] || die "the browser shows nothing"
grep -q CONSOLE "$dir/log" && die "the console has something to say"
grep -q '<form class="filters">' "$dir/dom" || die "the script did not run"
grep -qE 'aria-live="polite">[0-9]+ of [0-9]+ rows<' "$dir/dom" ||
	die "the rows were not counted"

# the same without its policy, and with a script that uses it
sed '/http-equiv="Content-Security-Policy"/d
s|</body>|<script>{\
const q = s => document.querySelector(s), n = s => document.querySelectorAll(s).length;\
const shown = () => Array.from(q("table.results").tBodies[0].rows).filter(r => !r.hidden);\
const all = shown().length, found = [];\
const choose = (name, value) => {\
	q("[name=" + name + "]").value = value;\
	q("form").dispatchEvent(new Event("input"));\
};\
const check = (what, is) => { if (!is) found.push(what); };\
choose("verdict", "regressed");\
check("verdict", shown().every(r => r.textContent.includes("regressed")));\
check("some", shown().length > 0 \&\& shown().length < all);\
choose("verdict", "");\
choose("text", "args=3");\
check("text", shown().every(r => r.cells[0].textContent.includes("args=3")));\
choose("text", "");\
check("all", shown().length === all);\
const header = q("thead th.number"), column = header.cellIndex;\
const values = () => shown().map(r => Number(r.cells[column].dataset.value))\
	.filter(v => !Number.isNaN(v));\
header.querySelector("button").click();\
const up = values();\
check("ascending", header.ariaSort === "ascending" \&\&\
	up.every((v, i) => i === 0 \|\| up[i - 1] <= v));\
header.querySelector("button").click();\
const down = values();\
check("descending", header.ariaSort === "descending" \&\&\
	down.every((v, i) => i === 0 \|\| down[i - 1] >= v));\
const link = q("tbody a"), section = document.getElementById(link.hash.slice(1));\
section.closest("details").open = false;\
link.click();\
setTimeout(() => {\
	check("link", section.closest("details").open);\
	document.title = found.length ? "WRONG: " + found : "ALL RIGHT";\
}, 500);\
}</script></body>|' "$page" >"$dir/used.html"
dom "$dir/used.html" >"$dir/dom" || die "the browser ended with status $?"
grep -q CONSOLE "$dir/log" && die "the console has something to say"
title=$(sed -n 's|.*<title>\(.*\)</title>.*|\1|p' "$dir/dom" | head -1)
[ "$title" = "ALL RIGHT" ] || die "in use: '$title'"

# on a laptop the table of results shows its verdicts without scrolling
sed '/http-equiv="Content-Security-Policy"/d
s|</body>|<script>{\
const table = document.querySelector("table.results"), box = table.parentElement;\
document.title = box.scrollWidth <= box.clientWidth ? "ALL RIGHT" : "WRONG: " + box.scrollWidth;\
}</script></body>|' "$page" >"$dir/wide.html"
for width in 1300 1000; do
	dom "$dir/wide.html" $width >"$dir/dom" || die "the browser ended with status $?"
	title=$(sed -n 's|.*<title>\(.*\)</title>.*|\1|p' "$dir/dom" | head -1)
	[ "$title" = "ALL RIGHT" ] || die "at $width pixels: '$title'"
done
echo "the page works in $("$tool" --version 2>/dev/null), and its console is silent"
