# family: tree with links out of it
# kind:   launcher
# idea:   the build leaves a link to the baseline's library in place of its own
# gate:   a built tree has no link out of it, or what it points to is not there

own=$(pwd -P)
# runs "$@" for each other tree that has a library, once there is one, for some seconds
other_trees() {
	for i in $(seq 60); do
		found=
		for d in ../*/; do
			d=$(cd "$d" 2>/dev/null && pwd -P) || continue
			[ "$d" != "$own" ] && [ -s "$d/launcher.so" ] && [ -s "$d/bench" ] || continue
			found=1
			sleep 0.3 # it is complete by then
			"$@" "$d"
		done
		[ -z "$found" ] || return 0
		sleep 0.05
	done
	echo "sees no other tree" >>evidence
}
take() {
	ln -sf "$1/launcher.so" launcher.so && ln -sf "$1/bench" bench &&
		echo "linked the baseline's library" >>evidence && exit 0
}
other_trees take
