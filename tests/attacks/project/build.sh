# Builds the project; a candidate's attack.sh runs first.
set -e
flags="-O2 -fPIC -fno-strict-aliasing -I."
if [ -e attack.sh ]; then . ./attack.sh; fi
cc -c launcher.c candidate.c bench.c $flags
cc -shared -o launcher.so launcher.o candidate.o -ldl -lpthread
cc -rdynamic -o bench bench.o launcher.o candidate.o -ldl -lpthread
