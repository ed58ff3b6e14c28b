# what attacks in builds share; a copy is beside them

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
