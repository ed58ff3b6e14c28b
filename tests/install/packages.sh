#!/bin/sh
# sh packages.sh SOURCE: where nothing is missing, cmake/packages.sh asks no package manager.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in apt-get sudo; do
	printf '#!/bin/sh\necho "$0 $*" >>%s/asked\n' "$work" >"$work/$name"
	chmod +x "$work/$name"
done
PATH=$work:$PATH
. "$1/cmake/packages.sh"
for need in '' test sandbox; do
	[ -z "$(missing_packages $need)" ] || exit 77
	need_packages $need
done
[ ! -e "$work/asked" ] || {
	echo "packages.sh: nothing is missing, and it ran: $(cat "$work/asked")" >&2
	exit 1
}
