#!/bin/sh
# package.sh CPACK BUILD CC VERSION: make the Debian package, unpack it into a root of
# its own, and measure with the tool that was in it. 77 where there is no dpkg.
set -eu
cpack=$1 build=$2 cc=$3 version=$4
for program in dpkg-deb dpkg-shlibdeps; do
	command -v $program >/dev/null 2>&1 || {
		echo "no $program here"
		exit 77
	}
done
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export XDG_STATE_HOME="$top/state"

fail()
{
	echo "package.sh: $*" >&2
	exit 1
}

(cd "$build" && "$cpack" -G DEB -B "$top/out" >"$top/log" 2>&1) ||
	fail "cpack: $(tail -20 "$top/log")"
deb=$(find "$top/out" -maxdepth 1 -name "bench-against_${version}_*.deb")
[ -f "$deb" ] || fail "no package of version $version: $(ls "$top/out")"

# what it needs was found in the programs, not written down
for library in libc6 libcjson1 libdw1 libexpat1 libelf1 libgit2 libsqlite3; do
	dpkg-deb -f "$deb" Depends | grep -q "$library" ||
		fail "no dependency on $library: $(dpkg-deb -f "$deb" Depends)"
done

# what other packages may find in it: no driver
dpkg-deb -e "$deb" "$top/control"
grep -qx "liblaunchcfg 1 bench-against (>= $version)" "$top/control/shlibs" || fail "liblaunchcfg is not offered"
[ "$(wc -l <"$top/control/shlibs")" -eq 1 ] || fail "more than liblaunchcfg is offered: $(cat "$top/control/shlibs")"

dpkg-deb -x "$deb" "$top/root"
usr=$top/root/usr
for part in share/man/man1/bench-against.1.gz share/doc/bench-against/copyright \
	share/doc/bench-against/changelog.gz share/bench-against/config.schema.json \
	share/bash-completion/completions/bench-against \
	share/fish/vendor_completions.d/bench-against.fish \
	share/zsh/site-functions/_bench-against; do
	[ -s "$usr/$part" ] || fail "'$part' is not in the package"
done
gzip -dc "$usr/share/man/man1/bench-against.1.gz" | grep -q '^\.TH BENCH' ||
	fail "the manual page is none"
if command -v lintian >/dev/null 2>&1 && ! grep -q '^BA_SANITIZE:.*=.' "$build/CMakeCache.txt"; then
	# who answers for a package is for the one who builds it to say
	lintian --allow-root --suppress-tags bogus-mail-host "$deb" >"$top/lintian" 2>&1 || true
	grep '^E:' "$top/lintian" >&2 && fail "lintian does not like the package"
fi

# the kernels, where there was an nvcc: a directory that is a variant as it is
if [ -f "$build/lib/bench-against/kernels.so" ]; then
	kernels=$(dirname "$(find "$usr" -name kernels.so)")
	"$usr/bin/bench-against" list "path:$kernels" >"$top/kernels" || fail "list of '$kernels' ended with status $?"
	grep -qx 'kernels/copy/n=1048576' "$top/kernels" ||
		fail "the installed kernels have no copy: $(head -3 "$top/kernels")"
fi

# the tool in it, in a directory that nothing was built for
mkdir -p "$top/project/build"
"$cc" -O2 -fPIC -shared -I"$usr/include" -o "$top/project/build/liblauncher.so" \
	"$usr/share/doc/bench-against/examples/launcher/launcher.c"
cat >"$top/project/.bench-against.json" <<-END
	{"suites": {"launch": {"kind": "launcher", "library": "build/liblauncher.so"}}}
END
cd "$top/project"
said=$("$usr/bin/bench-against" --version)
[ "$said" = "bench-against $version" ] || fail "--version says '$said'"
"$usr/bin/bench-against" run --target host --args 0 --fixed 2 --blocks 4 --batch 64 \
	--cache-dir "$top/cache" --in-place --format csv "path:." >"$top/rows.csv" ||
	fail "run --target host ended with status $?"
grep -q '^"launch/args=0,path=direct",host,verdict,.*,measured,' "$top/rows.csv" ||
	fail "nothing was measured: $(cat "$top/rows.csv")"
echo "$(basename "$deb"): $(stat -c %s "$deb") bytes"
