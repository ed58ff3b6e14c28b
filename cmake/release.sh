#!/bin/sh
# cmake/release.sh [--source | --wheels WORK] DIR [REVISION]: what a release consists of, in DIR (docs/release.md):
#
#   bench-against-VERSION.tar.gz     the files of REVISION (default: HEAD), of no working tree
#   bench-against_VERSION_ARCH.deb   built from that archive on Debian or Ubuntu; not with --source
#   bench_against-VERSION-*.whl, bench_against_worker-VERSION-*.whl   of the same build (wheel.sh);
#                                    with --wheels those to publish, for x86_64 and aarch64, made in WORK
#   SHA256SUMS
#
# The archive depends on the commit alone: whoever makes it, wherever and whenever, gets the same
# bytes. The others also depend on compiler and libraries, and on nothing else. VERSION is what
# include/bench_against/version.h says; CHANGELOG.md must have it, with a date.
set -eu
umask 022
fail()
{
	echo "release.sh: $*" >&2
	exit 1
}

source_only='' wheels=''
case ${1-} in
--source)
	source_only=yes
	shift
	;;
--wheels)
	mkdir -p "${2:?--wheels needs a folder}"
	wheels=$(cd "$2" && pwd)
	shift 2
	;;
esac
[ $# -ge 1 ] || fail "where to? cmake/release.sh [--source] DIR [REVISION]"
mkdir -p "$1"
out=$(cd "$1" && pwd)
revision=${2:-HEAD}
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 129' HUP INT TERM

commit=$(git rev-parse --verify --quiet "$revision^{commit}") || fail "'$revision' is no commit"
show()
{
	git show "$commit:$1"
}
version=$(show include/bench_against/version.h |
	sed -n 's/.*_\(MAJOR\|MINOR\|PATCH\) //p' | paste -sd. -)
show CHANGELOG.md | grep -qE "^## \[$version\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" ||
	fail "CHANGELOG.md has no line '## [$version] - YEAR-MONTH-DAY'"
SOURCE_DATE_EPOCH=$(git show -s --format=%ct "$commit")
export SOURCE_DATE_EPOCH LC_ALL=C

name=bench-against-$version
# no attributes and no settings but the commit's own
git -c tar.umask=0022 -c core.attributesFile=/dev/null -c core.autocrlf=false \
	archive --format=tar --prefix="$name/" "$commit" >"$work/source.tar"
gzip -9n <"$work/source.tar" >"$out/$name.tar.gz"
made=$name.tar.gz

if [ -z "$source_only" ]; then
	command -v dpkg-shlibdeps >/dev/null || fail "no dpkg here: cmake/release.sh --source makes the archive alone"
	tar -xf "$work/source.tar" -C "$work"
	# no path of this machine in what is packed, and no answer from its git
	map="-ffile-prefix-map=$work/$name=."
	CFLAGS="${CFLAGS-} $map" cmake -S "$work/$name" -B "$work/build" -G Ninja \
		-DCMAKE_BUILD_TYPE=RelWithDebInfo -DBA_BUILD_TESTS=OFF >"$work/log"
	ninja -C "$work/build" -j "${JOBS:-$(nproc)}" >>"$work/log" || fail "$(tail -20 "$work/log")"
	(cd "$work/build" && cpack -G DEB -B "$work/packed" >>"$work/log" 2>&1) ||
		fail "cpack: $(tail -20 "$work/log")"
	deb=$(cd "$work/packed" && ls bench-against_"$version"*.deb)
	cp "$work/packed/$deb" "$out/"
	# the tree of the archive, and what is built in it or in WORK
	make_wheel()
	{
		sh "$work/$name/cmake/wheel.sh" "$1" "$2" "$work/wheels"
	}
	if [ "$wheels" ]; then
		make_wheel x86_64 "$wheels"
		make_wheel aarch64 "$wheels"
	else
		make_wheel worker "$work/build"
		make_wheel tool "$work/build"
	fi
	cp "$work"/wheels/*.whl "$out/"
	made="$made $deb $(cd "$work/wheels" && echo *.whl)"
fi
# shellcheck disable=SC2086 # a file name a word
(cd "$out" && sha256sum $made >SHA256SUMS && cat SHA256SUMS)
