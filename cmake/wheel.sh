#!/bin/sh
# cmake/wheel.sh worker|tool BUILD DIR: a wheel in DIR, of what was built in BUILD.
# cmake/wheel.sh x86_64|aarch64 WORK DIR: both wheels as they are published, for a C library from
# 2.28 on. Their compiler and libraries are made in WORK by static.sh, which needs a network once.
#
#   worker   bench_against_worker, the module for benchmarks in Python, with its counting library
#   tool     bench-against itself with every library that it needs except the C library
#
# The tag of a wheel says how new a C library it needs: cmake/wheel/setup.py finds out. Needs a python3 with pip, setuptools and
# wheel (PYTHON names another), readelf, and for the tool patchelf.
set -eu
umask 022
fail()
{
	echo "wheel.sh: $*" >&2
	exit 1
}

[ $# -eq 3 ] || fail "usage: cmake/wheel.sh worker|tool|x86_64|aarch64 FOLDER DIR"
mkdir -p "$2"
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

# Published wheels: the same sources give the same bytes, wherever WORK and this tree are.
case $what in x86_64 | aarch64)
	sh "$root/cmake/static.sh" "$what" "$build" || exit
	tree=$build/$what/build
	rm -rf "$tree"
	# stripped by the linker: strip knows one processor
	cmake -S "$root" -B "$tree" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$build/$what/toolchain.cmake" \
		-DBA_BUILD_TESTS=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_SKIP_RPATH=ON \
		-DCMAKE_C_FLAGS_RELWITHDEBINFO="-O2 -DNDEBUG" -DCMAKE_STRIP=/bin/true \
		-DCMAKE_C_FLAGS="-ffile-prefix-map=$build=. -ffile-prefix-map=$root=." \
		-DCMAKE_EXE_LINKER_FLAGS=-s -DCMAKE_SHARED_LINKER_FLAGS=-s -DCMAKE_MODULE_LINKER_FLAGS=-s \
		>"$build/log" 2>&1 && ninja -C "$tree" -j "${JOBS:-$(nproc)}" >>"$build/log" 2>&1 ||
		fail "$(tail -20 "$build/log")"
	for part in worker tool; do
		SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-315532800} _PYTHON_HOST_PLATFORM=linux-$what \
			sh "$0" $part "$tree" "$out"
	done
	exit
	;;
esac

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
