#!/bin/sh
# sh cmake/bundle.sh BUILD DIR: the tool with every library that it needs, in DIR, for a machine
# that has none of them (same processor, glibc not older). Needs patchelf.
#
#   DIR/bin/bench-against  DIR/share/  DIR/include/ ...     as cmake --install makes them
#   DIR/lib/                                                the libraries
#   DIR/share/doc/bench-against/licenses/                   what Debian and Ubuntu say of each, also of those inside
set -eu
build=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
cmake --install "$build" --prefix "$dir" --strip >/dev/null
tool=$dir/bin/bench-against
licenses=$dir/share/doc/bench-against/licenses
mkdir -p "$licenses"

# libraries of static.sh: most are inside the tool
toolchain=$(sed -n 's/^CMAKE_TOOLCHAIN_FILE:[A-Z]*=//p' "$build/CMakeCache.txt")
if [ "$toolchain" ]; then
	prefix=$(dirname "$toolchain")
	cp "$prefix"/lib/*.so.[0-9]* "$dir/lib/"
	cp "$prefix"/licenses/* "$licenses/"
else
	ldd "$tool" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' |
		grep -vE '/(libc|libm|libpthread|libdl|librt|libresolv|libgcc_s|ld-linux[^/]*)\.so' |
		while read -r library; do
			cp -L "$library" "$dir/lib/"
			package=$(dpkg-query --search "*/$(basename "$(realpath "$library")")" 2>/dev/null |
				sed -n '1s/:.*//p')
			[ -z "$package" ] || install -m 644 -T "/usr/share/doc/$package/copyright" "$licenses/$package"
		done
fi
for library in "$dir"/lib/*.so.[0-9]*; do
	case ${library##*/} in liblaunchcfg.*) ;; *) patchelf --set-rpath '$ORIGIN' "$library" ;; esac
done
patchelf --set-rpath '$ORIGIN/../lib' "$tool"
