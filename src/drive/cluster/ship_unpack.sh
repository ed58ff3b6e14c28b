# On a node: unpacks what the submitting host packed, under the same names, one task after the
# other. What the node has stays, unless another tool is there or an earlier unpacking broke off.
# unpack TAR TOOL
unpack()
{
	# others can write to /tmp, and not to this
	ours=/tmp/ba-ship-$(id -u)
	mkdir -m 700 "$ours" 2>/dev/null
	if [ -L "$ours" ] || [ ! -d "$ours" ] || [ ! -O "$ours" ]; then
		echo "$ours is not a directory of this user: remove it" >&2
		return 1
	fi
	(
		flock 9 || exit 1
		keep=--skip-old-files
		[ ! -e "$ours/broken" ] &&
			tar --extract --to-stdout --occurrence=1 --absolute-names --file "$1" "$2" | cmp -s - "$2" ||
			keep=
		: >"$ours/broken"
		tar --extract --absolute-names $keep --file "$1" && rm -f "$ours/broken"
	) 9>"$ours/lock" || return 1
	rm -f "$1"
}
