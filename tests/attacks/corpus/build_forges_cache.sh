# family: cache forged
# kind:   launcher
# first:  same
# idea:   the build of a harmless change puts a slower library into the baseline's tree in the
#         cache, and its digest into the cache's list; the next gate finds it in order
# gate:   no build sees the cache

. ./tricks.sh
forge() {
	sed 's/#include "cost.h"/#define COST (6 * FAST)/' launcher.c >slower.c
	cc -O2 -fPIC -I. -shared -o slower.so slower.c candidate.c -ldl -lpthread
	for i in $(seq 60); do [ -e "$1.complete" ] && break; sleep 0.05; done
	python3 - "$1" slower.so <<'P' >>evidence 2>&1
import hashlib, shutil, sys
tree, slower = sys.argv[1:]
try:
    old = hashlib.sha256(open(tree + "/launcher.so", "rb").read()).hexdigest()
    shutil.copyfile(slower, tree + "/launcher.so")
    text = open(tree + ".files", "rb").read()
    before = hashlib.sha256(text).hexdigest()
    # of the same size: one number differs
    text = text.replace(old.encode(), hashlib.sha256(open(slower, "rb").read()).hexdigest().encode())
    open(tree + ".files", "wb").write(text)
    marker = open(tree + ".complete").read()
    open(tree + ".complete", "w").write(
        marker.replace(before, hashlib.sha256(text).hexdigest()))
    print("forged the cache")
except OSError as why:
    print("cannot forge the cache")
P
}
if [ -e first-gate ]; then other_trees forge; else echo "uses what was forged" >>evidence; fi
