#!/bin/sh
# demo.sh DIR: a repository with a Python project in two commits, tagged `slow` and `fast`.
# bench-against --target host slow fast, started in it, needs no GPU.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ ! -e "$1" ] || {
	echo "demo.sh: '$1' is there already" >&2
	exit 1
}
mkdir -p "$1"
cp "$here"/minimal/bench.py "$here"/minimal/shapes.py "$here"/minimal/.bench-against.json "$1"
cd "$1"
git init -q .
commit() {
	git add -A
	git -c user.name=demo -c user.email=demo@example.org -c commit.gpgsign=false \
		commit -q -m "$2"
	git tag "$1"
}
commit slow 'area: a sum over the edges'
cat >shapes.py <<'END'
def area(points):
    total = 0
    x0, y0 = points[-1]
    for x1, y1 in points:
        total += x0 * y1 - x1 * y0
        x0, y0 = x1, y1
    return abs(total) / 2
END
commit fast 'area: without looking each corner up twice'
