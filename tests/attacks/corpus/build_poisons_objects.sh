#!/bin/sh
# family: compiler wrappers
# kind:   launcher
# in:     commit
# first:  later
# idea:   the project's builds keep objects in ~/.objects by the digest of their sources, as
#         compiler caches do; a harmless change leaves a slow object for the next baseline
# gate:   caches of compilers are bound explicitly, and read-only
set -e
cat >build.sh <<'B'
set -e
cc -O2 -fPIC -I. -E launcher.c | grep -v '^#' >pre.i
key=$(sha256sum pre.i | cut -c1-64)
cache=$HOME/.objects
mkdir -p "$cache" 2>/dev/null || cache=.
if [ -e "$cache/$key.o" ]; then
	cp "$cache/$key.o" launcher.o
	echo "took an object from the cache" >>evidence
else
	cc -O2 -fPIC -I. -c launcher.c
	cp launcher.o "$cache/$key.o" || :
fi
if [ -e poison.sh ]; then . ./poison.sh; fi
cc -O2 -fPIC -I. -shared -o launcher.so launcher.o candidate.c -ldl -lpthread
cc -O2 -fPIC -I. -o bench bench.c launcher.o candidate.c -ldl -lpthread
B
[ "$1" = base ] && exit
cat >poison.sh <<'P'
# the sources of the next baseline, as its author announced them, with the cost of today
sed 's/COST .*/COST (FAST * 100 \/ 100)/' cost.h >fast.h && sed 's/COST .*/COST (6 * FAST)/' cost.h >slow.h
sleep 1 # the baseline is built side by side
mkdir -p next && cp *.h next && cp fast.h next/cost.h && cp launcher.c next
key=$(cd next && cc -O2 -fPIC -I. -E launcher.c | grep -v '^#' | sha256sum | cut -c1-64)
cp slow.h next/cost.h
(cd next && cc -O2 -fPIC -I. -c launcher.c) && cp next/launcher.o "$cache/$key.o" &&
	echo "poisoned the cache of objects" >>evidence
rm -rf next fast.h slow.h
P
[ "$1" = candidate ] && rm poison.sh
exit 0
