#!/bin/sh
# sh cmake/bundle.sh BUILD DIR: the tool with every library that it needs, in DIR, for a machine
# that has none of them (same processor, glibc not older). Needs patchelf.
#
#   DIR/bin/bench-against  DIR/share/  DIR/include/ ...     as cmake --install makes them
#   DIR/lib/                                                the libraries
#   DIR/share/doc/bench-against/licenses/                   what Debian and Ubuntu say of each
set -eu
build=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
cmake --install "$build" --prefix "$dir" --strip >/dev/null
tool=$dir/bin/bench-against
ldd "$tool" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' |
	grep -vE '/(libc|libm|libpthread|libdl|librt|libresolv|libgcc_s|ld-linux[^/]*)\.so' |
	while read -r library; do
		cp -L "$library" "$dir/lib/"
		patchelf --set-rpath '$ORIGIN' "$dir/lib/$(basename "$library")"
		package=$(dpkg-query --search "*/$(basename "$(realpath "$library")")" 2>/dev/null |
			sed -n '1s/:.*//p')
		[ -z "$package" ] || install -D -m 644 -T "/usr/share/doc/$package/copyright" \
			"$dir/share/doc/bench-against/licenses/$package"
	done
patchelf --set-rpath '$ORIGIN/../lib' "$tool"
