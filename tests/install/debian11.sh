#!/bin/sh
# debian11.sh WHEEL [ROOT]: the README's demo by the wheel, on Debian 11: glibc 2.31, CMake 3.18,
# pip 20.3, bubblewrap 0.4. ROOT is kept from one call to the next (113 s to make). Needs root,
# debootstrap, bwrap and a mirror. 77 where one of them is missing.
set -eu
wheel=$(realpath "$1") root=${2:-}
for program in debootstrap bwrap; do
	command -v $program >/dev/null || {
		echo "no $program here"
		exit 77
	}
done
[ "$(id -u)" -eq 0 ] || {
	echo "only root can make a system"
	exit 77
}
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
root=${root:-$top/root}
[ -x "$root/usr/bin/cmake" ] || debootstrap --variant=minbase \
	--include=python3,python3-venv,python3-pip,git,gcc,libc6-dev,cmake,make,pkg-config \
	bullseye "$root" >"$top/log" 2>&1 || {
	tail -5 "$top/log"
	echo "no system was made"
	exit 77
}
mkdir -p "$root/wheel"
rm -rf "$root"/wheel/* "$root/tmp/demo"
cp "$wheel" "$root/wheel/"
cat >"$root/wheel/test.sh" <<'END'
set -eu
export HOME=/root
[ "$(ldd --version | sed -n '1s/.* //p')" = 2.31 ]
rm -rf /opt/venv /root/.cache
python3 -m venv /opt/venv
/opt/venv/bin/pip install -q --no-index /wheel/*.whl
PATH=/opt/venv/bin:$PATH
bench-against --version
bench-against demo /tmp/demo >/dev/null
cd /tmp/demo
status=0
bench-against --target host baseline contextvar v2 -o /tmp/demo.json >/tmp/shown 2>&1 || status=$?
tail -4 /tmp/shown
[ $status -eq 1 ]
grep -q '^Regressed in contextvar: 5 of 5' /tmp/shown
grep -q 'no$\|regression in v2' /tmp/shown
bench-against verify -q /tmp/demo.json
END
bwrap --bind "$root" / --dev /dev --proc /proc --ro-bind /sys /sys --unshare-pid sh /wheel/test.sh
# without /proc the reason is named
said=$(bwrap --bind "$root" / --dev /dev --unshare-pid /opt/venv/bin/bench-against --version 2>&1 || :)
case $said in
*"/proc is not mounted"*) ;;
*)
	echo "without /proc it said: $said"
	exit 1
	;;
esac
echo "the demo runs on Debian 11"
