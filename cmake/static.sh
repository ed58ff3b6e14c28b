#!/bin/sh
# cmake/static.sh ARCH DIR: the compiler and the libraries of the wheels that are published, for
# x86_64 or aarch64 and a C library from 2.28 on. Runs on Debian 12; a second call builds nothing.
#
#   DIR/ARCH/toolchain.cmake    cmake -DCMAKE_TOOLCHAIN_FILE=: zig cc, and these libraries alone
#   DIR/ARCH/lib/*.a            zlib, SQLite, cJSON, expat, http-parser, libgit2
#   DIR/ARCH/lib/lib{elf,dw}.so elfutils: its licence asks that users can replace it
#   DIR/ARCH/licenses/          what Debian says of each source
#   DIR/sources/                what was fetched; may be copied to a machine without network
#
# Sources come from the archive that this machine's apt reads, with Debian's security fixes, and
# the compiler comes by pip. Each is checked against a checksum below.
set -eu
umask 022
fail()
{
	echo "static.sh: $*" >&2
	exit 1
}

# package, version, sha256 of its .dsc, which has the checksums of its other files
SOURCES='
zlib 1:1.2.13.dfsg-1 3fa1e6b2fc525062aa88207dda52fed8e045373c809d362fe8a2bfbf7cf515a8
cjson 1.7.15-1+deb12u4 764c2de141d680f4fb4cada30c526dacaa30ead061b9b9c34f2b81e2df0f8439
expat 2.5.0-1+deb12u2 6fc87dbd01f49999ed368cfb37c08d35e41348dda2281d60642f3aa14cb77e32
http-parser 2.9.4-5 3ef34ef3eb1889482a790b5f1db2ed1aa5736da3bd3a04954fe5dfce4c0035f8
sqlite3 3.40.1-2+deb12u2 ee3459ae9d00939741c7708fc1b8ce1bde12d8c3fb1dfa005bbbc8651d884e23
libgit2 1.5.1+ds-1+deb12u1 b4de836d38cb2aca2687420754c5fa955f719934b92a4213d787d0b7dc2abebf
elfutils 0.188-2.1 2e73c5bfe9d0ddbf837742d638c43b049590ae1de8f6e3d9c2740c28e2550760
'
ZIG='ziglang==0.17.1 --hash=sha256:ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54'
GLIBC=2.28

[ $# -eq 2 ] || fail "usage: cmake/static.sh x86_64|aarch64 DIR"
arch=$1
case $arch in
x86_64 | aarch64) ;;
*) fail "'$arch' is neither x86_64 nor aarch64" ;;
esac
for program in dpkg-source cmake ninja make m4 tclsh cc pkg-config python3; do
	command -v $program >/dev/null ||
		fail "no '$program'; on Debian: dpkg-dev cmake ninja-build make m4 tcl gcc pkg-config python3-venv"
done
mkdir -p "$2/sources" "$2/$arch"
dir=$(cd "$2" && pwd)
prefix=$dir/$arch
sources=$dir/sources
jobs=${JOBS:-$(nproc)}
export ZIG_GLOBAL_CACHE_DIR="$dir/zig-cache" ZIG_LOCAL_CACHE_DIR="$dir/zig-cache" LC_ALL=C

# apt_get ARGUMENT...: with the machine's archives as sources, and its lists in DIR
apt_get()
{
	lists=$dir/apt
	mkdir -p "$lists/state/partial" "$lists/parts"
	for file in /etc/apt/sources.list.d/*.sources; do
		[ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$lists/parts/${file##*/}"
	done
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ ! -f "$file" ] || sed 's/^deb /deb-src /' "$file" >"$lists/parts/${file##*/}.list"
	done
	apt-get -q -o Dir::State::lists="$lists/state" -o Dir::Etc::sourcelist=/dev/null \
		-o Dir::Etc::sourceparts="$lists/parts" -o Dir::Cache="$lists" \
		-o APT::Sandbox::User=root "$@" >"$lists/log" 2>&1 || fail "apt-get: $(tail -3 "$lists/log")"
}

# fetch PACKAGE VERSION SHA256: its unpacked source, patched, is $dir/src/PACKAGE
fetch()
{
	dsc=$sources/$1_${2#*:}.dsc
	if [ ! -f "$dsc" ]; then
		[ -f "$dir/apt/log" ] || apt_get update
		(cd "$sources" && apt_get source --download-only "$1=$2")
	fi
	echo "$3  $dsc" | sha256sum -c --status ||
		fail "$dsc is not the file whose checksum this script has"
	if [ ! -d "$dir/src/$1" ]; then
		mkdir -p "$dir/src"
		rm -rf "$dir/src/$1.part"
		dpkg-source --no-check -x "$dsc" "$dir/src/$1.part" >"$dir/src/log" 2>&1 ||
			fail "dpkg-source: $(tail -3 "$dir/src/log")"
		mv "$dir/src/$1.part" "$dir/src/$1"
	fi
}

# The compiler, by the name of what it builds for.
toolchain()
{
	zig=$dir/zig
	if [ ! -x "$zig/done" ]; then
		python3 -m venv "$zig"
		echo "$ZIG" >"$zig/requirement"
		"$zig/bin/pip" install -q --disable-pip-version-check --only-binary :all: --require-hashes \
			-r "$zig/requirement" || fail "pip cannot install ziglang"
		install -m 755 /dev/null "$zig/done"
	fi
	program=$(echo "$zig"/lib/python3*/site-packages/ziglang/zig)
	for tool in ar ranlib; do
		printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$program" $tool >"$prefix/$tool"
	done
	for tool in cc c++; do
		printf '#!/bin/sh\nexec "%s" %s -target %s-linux-gnu.%s -fno-sanitize=undefined "$@"\n' \
			"$program" $tool "$arch" $GLIBC >"$prefix/$tool"
	done
	chmod 755 "$prefix/ar" "$prefix/ranlib" "$prefix/cc" "$prefix/c++"
	cp "${program%/*}/LICENSE" "$prefix/licenses/zig"
	flags="-O2 -g0 -fPIC -w -ffile-prefix-map=$dir=."
	cat >"$prefix/toolchain.cmake" <<-END
		set(CMAKE_SYSTEM_NAME Linux)
		set(CMAKE_SYSTEM_PROCESSOR $arch)
		set(CMAKE_C_COMPILER $prefix/cc)
		set(CMAKE_CXX_COMPILER $prefix/c++)
		set(CMAKE_AR $prefix/ar)
		set(CMAKE_RANLIB $prefix/ranlib)
		set(CMAKE_C_STANDARD_LIBRARIES "-L$prefix/stub -Wl,--as-needed -lgcc_s")
		set(ENV{PKG_CONFIG_LIBDIR} $prefix/lib/pkgconfig)
	END
}

# Code compiled with -fexceptions needs the system's libgcc_s, which every Linux has (PEP 600) and zig
# has not: something to link against.
stub()
{
	mkdir -p "$prefix/stub"
	echo 'void _Unwind_Resume(void) {} void __gcc_personality_v0(void) {}' >"$prefix/stub/gcc_s.c"
	"$prefix/cc" -shared -fPIC -Wl,-soname,libgcc_s.so.1 -o "$prefix/stub/libgcc_s.so" "$prefix/stub/gcc_s.c"
}

# pc NAME VERSION LIBS: what pkg-config says of an archive
pc()
{
	printf 'prefix=%s\nlibdir=${prefix}/lib\nName: %s\nDescription: static\nVersion: %s\nLibs: -L${libdir} %s\nCflags: -I${prefix}/include -I${prefix}/include/cjson\n' \
		"$prefix" "$1" "$2" "$3" >"$prefix/lib/pkgconfig/$1.pc"
}

# archive NAME SOURCE...: lib/libNAME.a of files that need no configuration; $defines
archive()
{
	name=$1
	shift
	mkdir -p "$work/$name"
	for source; do
		# shellcheck disable=SC2086 # options
		"$prefix/cc" $flags ${defines-} -c "$source" -o "$work/$name/$(basename "$source" .c).o"
	done
	"$prefix/ar" rcs "$prefix/lib/lib$name.a" "$work/$name"/*.o
}

build_zlib()
{
	defines='-DHAVE_UNISTD_H -DHAVE_STDARG_H -D_LARGEFILE64_SOURCE=1' archive z "$1"/*.c
	cp "$1/zlib.h" "$1/zconf.h" "$prefix/include/"
	pc zlib 1.2.13 -lz
}

build_cjson()
{
	archive cjson "$1/cJSON.c"
	install -D -m 644 -t "$prefix/include/cjson" "$1/cJSON.h"
	pc libcjson 1.7.15 -lcjson
}

build_expat()
{
	: >"$work/expat_config.h"
	defines="-I$work"' -DHAVE_GETRANDOM -DXML_NS -DXML_DTD -DXML_CONTEXT_BYTES=1024 -DBYTEORDER=1234' \
		archive expat "$1/expat/lib/xmlparse.c" "$1/expat/lib/xmlrole.c" "$1/expat/lib/xmltok.c"
	cp "$1/expat/lib/expat.h" "$1/expat/lib/expat_external.h" "$prefix/include/"
	pc expat 2.5.0 -lexpat
}

build_http_parser()
{
	archive http_parser "$1/http_parser.c"
	cp "$1/http_parser.h" "$prefix/include/"
}

build_sqlite3()
{
	# made once: its generators are built with this machine's compiler
	[ -f "$1/sqlite3.h" ] || (cd "$1" && ./configure --disable-tcl && make sqlite3.c)
	defines='-DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION' \
		archive sqlite3 "$1/sqlite3.c"
	cp "$1/sqlite3.h" "$prefix/include/"
	pc sqlite3 3.40.1 '-lsqlite3 -lm -lpthread'
}

# No transport and no credential of libgit2 is used: no TLS, SSH, NTLM or Kerberos.
build_libgit2()
{
	cmake -S "$1" -B "$work/libgit2" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$prefix/toolchain.cmake" \
		-DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="$flags" -DCMAKE_INSTALL_PREFIX="$prefix" \
		-DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_FIND_ROOT_PATH="$prefix" -DBUILD_SHARED_LIBS=OFF \
		-DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
		-DBUILD_TESTS=OFF -DBUILD_CLI=OFF -DUSE_SSH=OFF -DUSE_HTTPS=OFF -DUSE_GSSAPI=OFF \
		-DUSE_NTLMCLIENT=OFF -DUSE_SHA1=CollisionDetection -DUSE_SHA256=Builtin \
		-DREGEX_BACKEND=regcomp -DUSE_HTTP_PARSER=system
	ninja -C "$work/libgit2" -j "$jobs" install
	pc libgit2 1.5.1 '-lgit2 -lhttp_parser -lz -lrt -lpthread'
}

# shared NAME LIBRARY... -- ARCHIVE...: libNAME.so.1 of all objects of the archives
shared()
{
	name=$1
	shift
	libraries=
	while [ "$1" != -- ]; do
		libraries="$libraries $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # options
	# -s: no debug information, which would name DIR
	"$prefix/cc" -shared -s -Wl,-soname,"lib$name.so.1" -o "$prefix/lib/lib$name.so.1" \
		-Wl,--whole-archive "$@" -Wl,--no-whole-archive -L"$prefix/lib" $libraries
	ln -sf "lib$name.so.1" "$prefix/lib/lib$name.so"
	pc "lib$name" 0.188 "-l$name"
}

# The rules for its shared libraries need GNU ld: only the archives are made by them.
build_elfutils()
{
	mkdir "$work/elfutils"
	cd "$work/elfutils"
	# the machine's own libraries must not be found
	CC="$prefix/cc" CXX="$prefix/c++" AR="$prefix/ar" RANLIB="$prefix/ranlib" \
		CFLAGS="$flags -I$prefix/include" CXXFLAGS="$flags" LDFLAGS="-L$prefix/lib" \
		PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig" "$1/configure" \
		--host="$arch-linux-gnu" --disable-debuginfod --disable-libdebuginfod \
		--disable-symbol-versioning --disable-demangler --disable-nls \
		--without-bzlib --without-lzma --without-zstd
	for one in lib/libeu.a libelf/libelf_pic.a libcpu/libcpu_pic.a libebl/libebl_pic.a \
		backends/libebl_backends_pic.a libdwelf/libdwelf_pic.a libdwfl/libdwfl_pic.a \
		libdw/known-dwarf.h libdw/libdw_pic.a; do
		make -j "$jobs" -C "${one%/*}" "${one#*/}"
	done
	shared elf lib/libeu.a -lz -- libelf/libelf_pic.a
	shared dw lib/libeu.a -lelf -lz -ldl -lpthread -- libebl/libebl_pic.a \
		backends/libebl_backends_pic.a libcpu/libcpu_pic.a libdw/libdw_pic.a \
		libdwelf/libdwelf_pic.a libdwfl/libdwfl_pic.a
	cp "$1/libelf/libelf.h" "$1/libelf/gelf.h" "$prefix/include/"
	mkdir -p "$prefix/include/elfutils"
	cp "$1/libdw/dwarf.h" "$prefix/include/"
	cp version.h "$1/libdw/libdw.h" "$1/libdwfl/libdwfl.h" "$1/libdwelf/libdwelf.h" \
		"$1/libebl/libebl.h" "$1/libelf/elf-knowledge.h" "$prefix/include/elfutils/"
}

# Not in a condition: there the shell would go on after an error.
build()
{
	work=$(mktemp -d "$dir/build.XXXXXX")
	set +e
	(
		set -e
		"build_$(echo "$1" | tr - _)" "$dir/src/$1"
	) >"$dir/log" 2>&1
	status=$?
	set -e
	[ $status -eq 0 ] || fail "$1 for $arch: $(tail -20 "$dir/log")"
	install -m 644 "$dir/src/$1/debian/copyright" "$prefix/licenses/$1"
	rm -rf "$work"
}

mkdir -p "$prefix/lib/pkgconfig" "$prefix/include" "$prefix/licenses"
toolchain
stub
echo "$SOURCES" | while read -r package version checksum; do
	[ "$package" ] || continue
	[ ! -f "$prefix/licenses/$package" ] || continue
	fetch "$package" "$version" "$checksum"
	build "$package"
	echo "$package $version for $arch" >&2
done
