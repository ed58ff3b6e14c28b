#!/bin/sh
# sh cmake/bundle.sh BUILD DIR: the tool with every library it needs, in DIR, for a machine
# that has none of them (same processor, glibc not older). Needs patchelf.
#
#   DIR/bin/bench-against  DIR/libexec/bench-against/  DIR/lib/bench-against/host/  DIR/lib/
#   DIR/share/bench-against/python/
set -eu
build=$1 dir=$2
mkdir -p "$dir/bin" "$dir/lib/bench-against/host" "$dir/libexec/bench-against" \
	"$dir/share/bench-against"
cp -RL "$build/share/bench-against/python" "$dir/share/bench-against/"
cp "$build/bin/bench-against" "$dir/bin/"
cp "$build/libexec/bench-against/bench-against-worker" "$dir/libexec/bench-against/"
cp -L "$build/lib/bench-against/host/libcuda.so.1" "$dir/lib/bench-against/host/"
ldd "$dir/bin/bench-against" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' |
	grep -vE '/(libc|libm|libpthread|libdl|librt|libresolv|libgcc_s|ld-linux[^/]*)\.so' |
	while read -r library; do
		cp -L "$library" "$dir/lib/"
		patchelf --set-rpath '$ORIGIN' "$dir/lib/$(basename "$library")"
	done
patchelf --set-rpath '$ORIGIN/../lib' "$dir/bin/bench-against"
