#!/bin/sh
# wheel.sh worker|tool SOURCE BUILD VERSION CMAKE: makes a wheel, installs it in an environment of
# its own without a package index, and uses it far from the source tree. 77 where there is no
# Python that can make wheels. BENCH_AGAINST_TEST_PIP=1 allows to install mypy, auditwheel and pipx
# from PyPI, and then they have their say.
set -eu
what=$1 source=$2 build=$3 version=$4 cmake=$5
can_make='import venv, setuptools, importlib.util as u, pip
u.find_spec("setuptools.command.bdist_wheel") or u.find_spec("wheel") or exit(1)'
python=$(command -v python3 || echo python3)
if ! "$python" -c "$can_make" 2>/dev/null && python=/usr/bin/python3 && ! $python -c "$can_make" 2>/dev/null; then
	echo "no python3 with pip, setuptools, wheel and venv here"
	exit 77
fi
for program in readelf $([ "$what" = worker ] || echo patchelf ninja git); do
	command -v "$program" >/dev/null || {
		echo "no $program here"
		exit 77
	}
done
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV 2>/dev/null || true
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INDEX=1
here=$(cd "$(dirname "$0")" && pwd)
pip="$python -m pip --python $top/venv/bin/python"

fail()
{
	echo "wheel.sh: $*" >&2
	exit 1
}

from_pypi()
{
	# shellcheck disable=SC2086 # a word for each argument
	[ "${BENCH_AGAINST_TEST_PIP:-}" = 1 ] && env -u PIP_NO_INDEX $pip install -q "$@"
}

# the tag is true: no file needs a newer C library than it says, and one needs that
check_tag()
{
	says=$(basename "$wheel" | sed -n 's/.*-py3-none-manylinux_2_\([0-9]*\)_.*/\1/p')
	needs=$(find "$top/venv" -path "*/site-packages/$1/*" \( -name '*.so*' -o -perm -100 \) -type f \
		-exec objdump -T {} + 2>/dev/null | grep -o 'GLIBC_2\.[0-9]*' | cut -d. -f2 | sort -n | tail -1)
	[ -n "$says" ] || fail "the tag of $(basename "$wheel") names no C library"
	[ "$says" = "$needs" ] || fail "the tag says glibc 2.$says, and the files need 2.$needs"
	if from_pypi auditwheel; then
		"$top/venv/bin/auditwheel" show "$wheel" >"$top/audit" || fail "auditwheel: $(cat "$top/audit")"
		tr '\n' ' ' <"$top/audit" | grep -Eq "manylinux_2_$says" ||
			fail "auditwheel does not agree with glibc 2.$says: $(cat "$top/audit")"
	fi
}

# PART BUILD
install_wheel()
{
	sh "$source/cmake/wheel.sh" "$1" "$2" "$top/$1" || fail "no wheel was made"
	wheel=$(find "$top/$1" -name "*-$version-py3-none-manylinux_*.whl")
	[ -f "$wheel" ] || fail "no wheel of version $version: $(ls "$top/$1")"
	# its own pip would take ten seconds, and python3 has one
	[ -d "$top/venv" ] || "$python" -m venv --without-pip "$top/venv" || fail "no environment"
	$pip install -q "$wheel" || fail "pip does not install $(basename "$wheel")"
}

check_worker()
{
	install_wheel worker "$build"
	check_tag bench_against_worker
	cd "$top"
	"$top/venv/bin/python" "$here/wheel_worker.py" "$version" || fail "the module does not work"
	# it rejects what would not work elsewhere
	mkdir -p "$top/bad/lib/bench-against"
	cp "$build/bin/bench-against" "$top/bad/lib/bench-against/count.so"
	cp "$build/lib/bench-against/hook.so" "$build/lib/bench-against/arena.so" "$top/bad/lib/bench-against/"
	! sh "$source/cmake/wheel.sh" worker "$top/bad" "$top/rejected" 2>"$top/said" ||
		fail "a wheel without a library that it needs was made"
	grep -q 'libcount.so needs lib.*, which the wheel lacks' "$top/said" || fail "it said: $(cat "$top/said")"
	if from_pypi mypy pytest; then
		"$top/venv/bin/mypy" --strict -p bench_against_worker || fail "mypy, of the module"
		"$top/venv/bin/mypy" --strict "$source/examples/python/compare/compare.py" ||
			fail "mypy, of a user of the module"
	fi
}

# what a tree with sanitizers or without optimisation has is no wheel for others
built_for_others()
{
	"$cmake" -S "$source" -B "$top/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
		-DBA_BUILD_TESTS=OFF >"$top/log" 2>&1 &&
		ninja -C "$top/build" >>"$top/log" 2>&1 || fail "$(tail -20 "$top/log")"
}

check_tool()
{
	built_for_others
	install_wheel worker "$top/build"
	install_wheel tool "$top/build"
	rm -rf "$top/build"
	check_tag bench_against
	tool=$top/venv/bin/bench-against
	ldd "$(find "$top/venv" -path '*/tool/bin/bench-against')" >"$top/ldd"
	for library in libgit2 libsqlite3 libcjson libexpat libdw; do
		grep "$library" "$top/ldd" | grep -qF "$top/venv" || fail "$library is not the wheel's: $(cat "$top/ldd")"
	done
	cd "$top"
	[ "$("$tool" --version)" = "bench-against $version" ] || fail "--version says '$("$tool" --version)'"
	"$tool" doctor >"$top/doctor" 2>&1 || true # whatever this machine is fit for
	grep -qi 'host' "$top/doctor" || fail "doctor says: $(cat "$top/doctor")"
	# the tour, whose last branch is slower: from building to the answer
	"$tool" demo "$top/demo" >/dev/null || fail "demo ended with status $?"
	cd "$top/demo"
	status=0
	"$tool" --target host baseline contextvar --args 0 -o "$top/demo.json" >"$top/shown" 2>&1 || status=$?
	[ $status -eq 1 ] || fail "the demo ended with status $status: $(cat "$top/shown")"
	"$tool" verify -q "$top/demo.json" || fail "the demo's results do not verify"
	# beside each other, the module finds the program in its wheel
	found=$("$top/venv/bin/python" -c 'from bench_against_worker import comparison as c; print(c.find_tool())')
	case $found in
	"$top"/venv/lib/*/bench_against/tool/bin/bench-against) ;;
	*) fail "compare() finds '$found'" ;;
	esac
	(cd "$top" && "$top/venv/bin/python" "$source/examples/python/compare/compare.py") >"$top/shown" ||
		fail "compare() ended with status $?"
	grep -q '^join against plus: ' "$top/shown" || fail "compare() says: $(cat "$top/shown")"
	grep -q '</svg>' "$top/compare.svg" || fail "compare() drew nothing"
	if from_pypi pipx; then
		export PIPX_HOME="$top/pipx" PIPX_BIN_DIR="$top/pipx/bin"
		env -u PIP_NO_INDEX "$top/venv/bin/pipx" install "$wheel" >"$top/log" 2>&1 || fail "pipx: $(cat "$top/log")"
		[ "$("$top/pipx/bin/bench-against" --version)" = "bench-against $version" ] || fail "pipx: no tool"
	fi
}

export HOME="$top" PATH="$top/venv/bin:$PATH"
check_"$what"
echo "$(basename "$wheel"): $(stat -c %s "$wheel") bytes"
