# family: baseline's build taken
# kind:   launcher
# quick:  yes
# idea:   the build copies the library that the baseline's build made, from the tree beside its own
# gate:   no build sees the trees of other variants

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
	cp "$1/launcher.so" "$1/bench" . && echo "took the baseline's library" >>evidence && exit 0
}
other_trees take
