# Builds the project; a candidate's attack.sh runs first.
set -e
flags="-O2 -fPIC -fno-strict-aliasing -I."
if [ -e attack.sh ]; then . ./attack.sh; fi
cc $flags -shared -o launcher.so launcher.c candidate.c -ldl -lpthread
cc $flags -rdynamic -o bench bench.c launcher.c candidate.c -ldl -lpthread
