#!/bin/sh
# circles.sh ROOT: within a module of src/layers.txt no files include each other in a circle. A .c and its .h
# are one file here, and X_internal.h belongs to X.
set -u
cd "$1" || exit 1
bad=0
modules=$(sed -n 's|^\([a-z]*/[a-z]*\):.*|\1|p' src/layers.txt)
[ -n "$modules" ] || {
	echo "circles.sh: no modules in src/layers.txt" >&2
	exit 1
}
for module in $modules; do
	# "who whom" for each include; tsort names the files of a circle
	circle=$(grep -rHo '^#[ ]*include "[^"]*"' --include='*.[ch]' "src/$module" |
		awk -F '"' -v dir="src/$module/" -v name="${module#*/}/" '
			function file(path) { sub(/\.[ch].*/, "", path); sub(/_internal$/, "", path); return path }
			{
				from = file(substr($1, length(dir) + 1))
				if (index($2, name) == 1)
					to = file(substr($2, length(name) + 1))
				else if ($2 !~ /\//)
					to = file($2)
				else
					next
				if (from != to)
					print from, to
			}' | tsort 2>&1 >/dev/null | sed -n 's/^tsort: //p' | grep -v 'contains a loop' | tr '\n' ' ')
	[ -z "$circle" ] && continue
	echo "$module: these include each other in a circle: $circle" >&2
	bad=1
done
[ $bad -eq 0 ] && echo "no files of a module include each other in a circle"
exit $bad
