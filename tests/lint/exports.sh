#!/bin/sh
# exports.sh NM OBJECT...: does each function and table that an object of src/ exports have a user
# in another object? What one file alone uses is static; what nobody uses goes. tests/lint/exports.txt
# names the few that tests ask directly, with the reason; a name that needs none is no longer there.
set -u
nm=$1
shift
list=$(dirname "$0")/exports.txt
[ $# -gt 20 ] || {
	echo "exports.sh: $# objects are not all of src/" >&2
	exit 1
}

# "FILE: T NAME" of nm -A to names that only one object has, less those of the list
# shellcheck disable=SC2016 # awk's dollars
check='
FILENAME != "-" { if ($0 !~ /^#/ && NF) { sub(":", "", $1); listed[$1] = 1; if (sub(/\*$/, "", $1)) family = family "|" $1 } next }
{ name = $NF; kind = $(NF - 1) }
name !~ /^ba_/ { next }
kind == "U" { used[name] = 1; next }
kind ~ /^[TDBRVW]$/ { where[name] = $1 }
END {
	for (name in where) {
		if (name in used || name in listed || (family && name ~ "^(" substr(family, 2) ")"))
			continue
		print where[name] " " name ": no other object uses it: static, or gone?"
		bad = 1
	}
	for (name in listed)
		if (name !~ /\*$/ && (!(name in where) || name in used)) {
			print "exports.txt: " name " needs no exception"
			bad = 1
		}
	exit bad
}'

names=$("$nm" -A "$@" 2>/dev/null) || {
	echo "exports.sh: $nm cannot read the objects" >&2
	exit 77
}
case $names in
*" T ba_"*) ;;
*)
	echo "exports.sh: $nm sees no function in the objects"
	exit 77
	;;
esac
# a check that cannot fail checks nothing
if { echo "$names" && echo "x.o:0 T ba_that_nobody_uses"; } | awk "$check" "$list" - >/dev/null; then
	echo "exports.sh: does not see an export without a user" >&2
	exit 1
fi
echo "$names" | awk "$check" "$list" - | sort >&2
echo "$names" | awk "$check" "$list" - >/dev/null || exit 1
echo "$# objects export what others use"
