# family: other variants' files
# kind:   launcher
# idea:   the build puts a slower library into the baseline's tree
# gate:   no build sees the trees of other variants, and a tree is checked before each start

. ./tricks.sh
edit() {
	sed 's/#include "cost.h"/#define COST (6 * FAST)/' launcher.c >slower.c
	cc -O2 -fPIC -I. -shared -o slower.so slower.c candidate.c -ldl -lpthread
	cp slower.so "$1/launcher.so" 2>/dev/null && echo "edited the baseline's tree" >>evidence ||
		echo "cannot edit the baseline's tree" >>evidence
}
other_trees edit
