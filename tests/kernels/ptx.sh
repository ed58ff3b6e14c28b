#!/bin/sh
# ptx.sh KERNELS: every KERNELS/*.ptx, which the tool carries as text, assembles for its target, or for
# the oldest one that this ptxas still knows.
set -u
command -v ptxas >/dev/null || {
	echo "ptx.sh: no ptxas here"
	exit 77
}
count=0
for file in "$1"/*.ptx; do
	target=$(sed -n 's/^\.target \(sm_[0-9a-z]*\).*/\1/p' "$file")
	case $target in
	sm_[0-7][0-9]) targets="$target sm_75 sm_80" ;;
	*) targets=$target ;;
	esac
	said=
	for try in $targets; do
		said=$(ptxas -arch="$try" -o /dev/null "$file" 2>&1) && {
			count=$((count + 1))
			continue 2
		}
	done
	printf '%s: %s\n' "$file" "$said" >&2
	exit 1
done
echo "$count files assembled"
[ "$count" -gt 0 ]
