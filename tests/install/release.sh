#!/bin/sh
# release.sh CMAKE SOURCE VERSION [deb]: is the source archive the same from another folder, at
# another time, with another umask and other settings of git? Does it hold every file and configure
# where there is no .git? With `deb` (minutes): does the package that is built from it answer?
# 77 where SOURCE is no checkout.
set -eu
cmake=$1 source=$2 version=$3 part=${4-}
if ! [ -e "$source/.git" ] || ! command -v git >/dev/null; then
	echo "no git checkout here"
	exit 77
fi
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
unset CMAKE_GENERATOR CFLAGS LDFLAGS 2>/dev/null || true
export GIT_CONFIG_GLOBAL="$top/gitconfig" GIT_CONFIG_NOSYSTEM=1
git config --global safe.directory '*'
name=bench-against-$version

fail()
{
	echo "release.sh: $*" >&2
	exit 1
}

if [ "$part" = deb ]; then
	command -v dpkg-shlibdeps >/dev/null || {
		echo "no dpkg here"
		exit 77
	}
	sh "$source/cmake/release.sh" "$top/out"
	(cd "$top/out" && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS is wrong"
	dpkg-deb -x "$top"/out/bench-against_"$version"_*.deb "$top/root"
	said=$("$top/root/usr/bin/bench-against" --version)
	[ "$said" = "bench-against $version" ] || fail "--version says '$said'"
	! grep -rqF "$top" "$top/root/usr" || fail "the package holds a path of this machine"
	for wheel in bench_against bench_against_worker; do
		[ -f "$(echo "$top/out/$wheel-$version"-py3-none-manylinux_*.whl)" ] || fail "no wheel of $wheel"
	done
	exit 0
fi

sh "$source/cmake/release.sh" --source "$top/one" >"$top/sums"
git clone -q --depth 1 "file://$source" "$top/elsewhere"
cp "$source/cmake/release.sh" "$top/elsewhere/cmake/"
echo '* export-ignore' >"$top/attributes"
git config --global core.attributesFile "$top/attributes"
git config --global tar.umask 0077
git config --global core.autocrlf true
sleep 1
(umask 077 && cd / && TZ=Asia/Tokyo LC_ALL=C.UTF-8 sh "$top/elsewhere/cmake/release.sh" --source "$top/two") >/dev/null
cmp "$top/one/$name.tar.gz" "$top/two/$name.tar.gz" || fail "the second archive differs"
cmp "$top/one/SHA256SUMS" "$top/two/SHA256SUMS" || fail "the second SHA256SUMS differs"

tar -xzf "$top/one/$name.tar.gz" -C "$top"
git -C "$source" ls-tree -r --name-only HEAD | sort >"$top/wanted"
(cd "$top/$name" && find . ! -type d | sed 's|^\./||' | sort) >"$top/there"
cmp "$top/wanted" "$top/there" || fail "the archive holds other files: $(diff "$top/wanted" "$top/there" | head -5)"

"$cmake" -S "$top/$name" -B "$top/build" -G Ninja -DBA_BUILD_TESTS=OFF >"$top/log" 2>&1 ||
	fail "the archive does not configure: $(tail -5 "$top/log")"
grep -q "^CMAKE_PROJECT_VERSION:STATIC=$version$" "$top/build/CMakeCache.txt" ||
	fail "the archive is not version $version"

git config --global --unset core.autocrlf
# a version that the changelog does not have is no release
sed -i 's/^\(## \[\)[0-9]/\1x/' "$top/elsewhere/CHANGELOG.md"
git -C "$top/elsewhere" -c user.name=t -c user.email=t@t -c core.attributesFile=/dev/null \
	commit -q -a -m 'no version'
! sh "$top/elsewhere/cmake/release.sh" --source "$top/three" 2>"$top/said" ||
	fail "a version without an entry in CHANGELOG.md was released"
grep -q "has no line '## \[$version\]" "$top/said" || fail "it said: $(cat "$top/said")"
cat "$top/sums"
