#!/bin/sh
# install.sh CMAKE BUILD SOURCE CC BINDIR VERSION: install into a directory of its own, move
# it, build the example launcher with find_package and with pkg-config, and measure both
# with the installed tool.
set -eu
cmake=$1 build=$2 source=$3 cc=$4 bindir=$5 version=$6
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export CC="$cc" CMAKE_GENERATOR="Unix Makefiles"
export XDG_STATE_HOME="$top/state"
unset CMAKE_PREFIX_PATH PKG_CONFIG_PATH CFLAGS LDFLAGS 2>/dev/null || true

fail()
{
	echo "install.sh: $*" >&2
	exit 1
}

# DESTDIR as packagers use it; then moved, so that nothing can know where it was
DESTDIR=$top/stage "$cmake" --install "$build" --prefix /opt/ba >"$top/install.log" ||
	fail "cmake --install: $(cat "$top/install.log")"
mv "$top/stage/opt/ba" "$top/moved"
prefix=$top/moved
tool=$prefix/$bindir/bench-against

for part in share/bench-against/config.schema.json share/bench-against/results.schema.json \
	share/bench-against/verdict.schema.json share/bench-against/code.schema.json share/doc/bench-against/docs/skill/bench-against/SKILL.md \
	share/doc/bench-against/README.md share/doc/bench-against/docs/verdicts.md \
	share/man/man1/bench-against.1 share/bash-completion/completions/bench-against \
	share/fish/vendor_completions.d/bench-against.fish \
	share/zsh/site-functions/_bench-against \
	include/bench_against/launcher.h include/launchcfg/launchcfg.h; do
	[ -f "$prefix/$part" ] || fail "'$part' is not installed"
done
if grep -rIlF -e "$source" -e "$build" "$prefix" | grep .; then
	fail "these name the source or the build tree"
fi

sh "$source/tests/lint/links.sh" "$prefix/share/doc/bench-against" >"$top/links" 2>&1 ||
	fail "links of installed pages: $(cat "$top/links")"

said=$("$tool" --version)
[ "$said" = "bench-against $version" ] || fail "--version says '$said'"

# the kernels, where there was an nvcc: a directory that is a variant as it is
if [ -f "$build/lib/bench-against/kernels.so" ]; then
	kernels=$(dirname "$(find "$prefix" -name kernels.so)")
	"$tool" list "path:$kernels" >"$top/kernels" || fail "list of '$kernels' ended with status $?"
	grep -qx 'kernels/copy/n=1048576' "$top/kernels" ||
		fail "the installed kernels have no copy: $(head -3 "$top/kernels")"
fi

# a project with find_package, as README.md shows it
mkdir "$top/one" "$top/two"
cp "$source/examples/launcher/launcher.c" "$top/one"
cp "$source/examples/launcher/launcher.c" "$top/two"
cat >"$top/one/CMakeLists.txt" <<-END
	cmake_minimum_required(VERSION 3.22)
	project(example C)
	find_package(bench_against $version REQUIRED)
	add_library(launcher MODULE launcher.c)
	target_link_libraries(launcher PRIVATE bench_against::launcher)
END
{
	"$cmake" -S "$top/one" -B "$top/one/build" -DCMAKE_PREFIX_PATH="$prefix" &&
		"$cmake" --build "$top/one/build"
} >"$top/log" 2>&1 || fail "find_package: $(cat "$top/log")"

# and one with pkg-config
PKG_CONFIG_PATH=$prefix/share/pkgconfig
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion bench_against)" = "$version" ] ||
	fail "pkg-config: another version than $version"
mkdir "$top/two/build"
# shellcheck disable=SC2046 # words are what is wanted
"$cc" -O2 -fPIC -shared $(pkg-config --cflags bench_against) \
	-o "$top/two/build/liblauncher.so" "$top/two/launcher.c"

# the library beside them has a package of its own
mkdir "$top/three"
cp "$source/examples/launchcfg/block_reduce.c" "$top/three"
cat >"$top/three/CMakeLists.txt" <<-END
	cmake_minimum_required(VERSION 3.22)
	project(example C)
	find_package(launchcfg REQUIRED)
	add_executable(example block_reduce.c)
	target_link_libraries(example PRIVATE launchcfg::launchcfg)
END
{
	"$cmake" -S "$top/three" -B "$top/three/build" -DCMAKE_PREFIX_PATH="$prefix" &&
		"$cmake" --build "$top/three/build"
} >"$top/log" 2>&1 || fail "find_package(launchcfg): $(cat "$top/log")"

# and by pkg-config; the library is the one that was installed
pc=$(find "$prefix" -name launchcfg.pc)
[ -f "$pc" ] || fail "launchcfg.pc is not installed"
PKG_CONFIG_PATH=$(dirname "$pc")
pc_version=$(pkg-config --modversion launchcfg) || fail "pkg-config does not know launchcfg"
grep -q "define LCFG_VERSION \"$pc_version\"" "$prefix/include/launchcfg/launchcfg.h" ||
	fail "launchcfg.pc says $pc_version, the header another version"
# a sanitized library needs its run-time in the program, too
flags=$(sed -n 's/^CMAKE_C_FLAGS:.*=//p;s/^BA_SANITIZE:[A-Z]*=\(..*\)/-fsanitize=\1/p' "$build/CMakeCache.txt")
# shellcheck disable=SC2046,SC2086 # words are what is wanted
"$cc" $flags -o "$top/three/by_pkg_config" "$top/three/block_reduce.c" \
	$(pkg-config --cflags --libs launchcfg) >"$top/log" 2>&1 ||
	fail "pkg-config launchcfg: $(cat "$top/log")"

# the measuring core: a program of a stranger, by CMake and by pkg-config
mkdir "$top/four"
cp "$source/examples/core/core.c" "$top/four"
cat >"$top/four/CMakeLists.txt" <<-END
	cmake_minimum_required(VERSION 3.22)
	project(example C)
	find_package(bench_against $version REQUIRED)
	add_executable(example core.c)
	target_link_libraries(example PRIVATE bench_against::core)
END
{
	"$cmake" -S "$top/four" -B "$top/four/build" -DCMAKE_PREFIX_PATH="$prefix" \
		-DCMAKE_C_FLAGS="$flags" &&
		"$cmake" --build "$top/four/build" && "$top/four/build/example"
} >"$top/log" 2>&1 || fail "find_package, core: $(cat "$top/log")"
grep -Eq '^new: (regressed|inconclusive|unchanged|improved|tail-regressed|tail-improved), ' "$top/log" ||
	fail "the example of the core says: $(tail -1 "$top/log")"
PKG_CONFIG_PATH=$prefix/share/pkgconfig
# shellcheck disable=SC2046,SC2086 # words are what is wanted
"$cc" $flags -o "$top/four/by_pkg_config" "$top/four/core.c" \
	$(pkg-config --cflags bench_against-core) $(pkg-config --libs bench_against-core) \
	>"$top/log" 2>&1 || fail "pkg-config bench_against-core: $(cat "$top/log")"

# the tool finds its worker and the host target's driver, and does its job
for project in one two; do
	cat >"$top/$project/.bench-against.json" <<-END
		{"suites": {"launch": {"kind": "launcher", "library": "build/liblauncher.so"}}}
	END
	(cd "$top/$project" && "$tool" run --target host --args 0,4 --fixed 2 --blocks 4 --batch 64 \
		--cache-dir "$top/cache" --in-place --format csv "path:." >"$top/$project.csv") ||
		fail "run --target host of '$project' ended with status $?"
	rows=$(grep -c '^"launch/args=[04],path=direct",host,verdict,.*,measured,' "$top/$project.csv") || rows=0
	[ "$rows" -ge 2 ] || fail "'$project': $rows rows instead of 2: $(cat "$top/$project.csv")"
done
