#!/bin/sh
# sh cmake/bundle.sh BUILD DIR: the tool with every library it needs, in DIR, for a machine
# that has none of them (same processor, glibc not older). Needs patchelf.
#
#   DIR/bin/bench-against  DIR/libexec/bench-against/  DIR/lib/bench-against/{host,observer}/  DIR/lib/
#   DIR/share/bench-against/python/
set -eu
build=$1 dir=$2
mkdir -p "$dir/bin" "$dir/lib/bench-against/host" "$dir/lib/bench-against/observer" \
	"$dir/libexec/bench-against" \
	"$dir/share/bench-against"
cp -RL "$build/share/bench-against/python" "$dir/share/bench-against/"
cp "$build/bin/bench-against" "$dir/bin/"
cp "$build/libexec/bench-against/bench-against-worker" "$dir/libexec/bench-against/"
for part in host observer; do
	cp -L "$build/lib/bench-against/$part/libcuda.so.1" "$dir/lib/bench-against/$part/"
done
cp -L "$build/lib/bench-against/loads.so" "$build/lib/bench-against/count.so" \
	"$dir/lib/bench-against/"
ldd "$dir/bin/bench-against" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' |
	grep -vE '/(libc|libm|libpthread|libdl|librt|libresolv|libgcc_s|ld-linux[^/]*)\.so' |
	while read -r library; do
		cp -L "$library" "$dir/lib/"
		patchelf --set-rpath '$ORIGIN' "$dir/lib/$(basename "$library")"
	done
patchelf --set-rpath '$ORIGIN/../lib' "$dir/bin/bench-against"
