#!/bin/sh
# cmake/wheel.sh worker|tool BUILD DIR: a wheel in DIR, of what was built in BUILD.
#
#   worker   bench_against_worker, the module for benchmarks in Python, with its counting library
#   tool     bench-against itself with every library that it needs except the C library
#
# The tag of a wheel says how new a C library it needs: cmake/wheel/setup.py finds out. Build in an
# older system for an older tag. Nothing is downloaded. Needs a python3 with pip, setuptools and
# wheel (PYTHON names another), readelf, and for the tool patchelf.
set -eu
umask 022
fail()
{
	echo "wheel.sh: $*" >&2
	exit 1
}

[ $# -eq 3 ] || fail "usage: cmake/wheel.sh worker|tool BUILD DIR"
what=$1 build=$(cd "$2" && pwd)
mkdir -p "$3"
out=$(cd "$3" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
python=
for one in ${PYTHON:-python3 /usr/bin/python3}; do
	# newer setuptools need no wheel
	if "$one" -c 'import setuptools, importlib.util as u, pip
u.find_spec("setuptools.command.bdist_wheel") or u.find_spec("wheel") or exit(1)' 2>/dev/null; then
		python=$one
		break
	fi
done
[ "$python" ] || fail "no python3 with pip, setuptools and wheel; on Debian: python3-pip python3-wheel"
BENCH_AGAINST_VERSION=$(sed -n 's/.*_\(MAJOR\|MINOR\|PATCH\) //p' \
	"$root/include/bench_against/version.h" | paste -sd.)
export BENCH_AGAINST_VERSION

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
trap 'exit 129' HUP INT TERM
case $what in
worker)
	grep -qx "__version__ = \"$BENCH_AGAINST_VERSION\"" "$root/python/bench_against_worker/__init__.py" ||
		fail "the module is not version $BENCH_AGAINST_VERSION, which version.h has"
	cp "$root/python/pyproject.toml" "$root/python/README.md" "$stage"
	mkdir "$stage/bench_against_worker"
	cp "$root"/python/bench_against_worker/*.py "$root/python/bench_against_worker/py.typed" \
		"$stage/bench_against_worker"
	cp "$build/lib/bench-against/count.so" "$stage/bench_against_worker/libcount.so"
	cp "$build/lib/bench-against/hook.so" "$stage/bench_against_worker/libhook.so"
	cp "$build/lib/bench-against/arena.so" "$stage/bench_against_worker/libarena.so"
	;;
tool)
	cp -R "$root/python/tool/." "$stage"
	sh "$root/cmake/bundle.sh" "$build" "$stage/bench_against/tool" || fail "no bundle"
	;;
*) fail "'$what' is neither 'worker' nor 'tool'" ;;
esac
cp "$root/LICENSE" "$root/cmake/wheel/setup.py" "$stage"
find "$stage" -name __pycache__ -prune -exec rm -rf {} +
"$python" -m pip wheel -q --no-deps --no-index --no-build-isolation --disable-pip-version-check \
	--no-cache-dir -w "$out" "$stage" >"$stage.log" 2>&1 || {
	cat "$stage.log" >&2
	rm -f "$stage.log"
	fail "no wheel"
}
rm -f "$stage.log"
