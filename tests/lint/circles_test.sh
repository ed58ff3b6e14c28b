#!/bin/sh
# Does circles.sh find a circle of files, and only those?
set -u
lint=$(cd "$(dirname "$0")" && pwd)/circles.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
bad=0

# ends STATUS TEXT: circles.sh ends so, and says TEXT
ends()
{
	sh "$lint" "$top" >"$top/said" 2>&1
	status=$?
	[ "$status" -eq "$1" ] && grep -qF -e "$2" "$top/said" && return
	echo "status $status instead of $1, or not said: $2"
	cat "$top/said"
	bad=1
}

ends 1 'no modules'
mkdir -p "$top/src/lib/one/part" "$top/src/lib/two"
printf 'lib/one: | \nlib/two: one | \n' >"$top/src/layers.txt"
# a .c with its .h, an internal header, and files of one name in two modules are no circle
echo '#include "one/b.h"' | tee "$top/src/lib/one/a.c" >"$top/src/lib/one/a.h"
printf '#include "b_internal.h"\n#include "one/b.h"\n' >"$top/src/lib/one/b.c"
echo '#include "one/b.h"' >"$top/src/lib/one/b_internal.h"
echo '#include "one/a.h"' >"$top/src/lib/two/b.h"
ends 0 'no files'
echo '#include "one/part/c.h"' >"$top/src/lib/one/b.h"
ends 0 'no files'
echo '#include "one/a.h"' >"$top/src/lib/one/part/c.c"
ends 1 'lib/one: these include each other in a circle'
[ "$bad" -eq 0 ] && echo "circles.sh finds what it looks for"
