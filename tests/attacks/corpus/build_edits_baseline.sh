# family: other variants' files
# kind:   launcher
# idea:   the build puts a slower library into the baseline's tree
# gate:   no build sees the trees of other variants, and a tree is checked before each start

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
edit() {
	sed 's/#include "cost.h"/#define COST (6 * FAST)/' launcher.c >slower.c
	cc -O2 -fPIC -I. -shared -o slower.so slower.c candidate.c -ldl -lpthread
	cp slower.so "$1/launcher.so" 2>/dev/null && echo "edited the baseline's tree" >>evidence ||
		echo "cannot edit the baseline's tree" >>evidence
}
other_trees edit
