#!/bin/sh
# family: configuration
# kind:   launcher
# in:     commit
# idea:   build.inputs has the folder src, where a link points to data/cost.h; the candidate
#         changes data/cost.h: by their inputs, both have the same tree
# gate:   an input that is a link out of the inputs counts with what it points to
set -e
if [ "$1" = base ]; then
	mkdir src data
	mv launcher.c bench.c candidate.c project.h launcher.h build.sh src
	ln -s ../data/cost.h src/cost.h
	rm cost.h
	echo '#define COST FAST' >data/cost.h
	sed -i 's/-I\./-Isrc/; s/\([a-z]*\)\.c /src\/\1.c /g' src/build.sh
	python3 - <<'P'
import json
c = json.load(open(".bench-against.json"))
c["build"] = {"command": ["sh", "src/build.sh"], "inputs": ["src"]}
json.dump(c, open(".bench-against.json", "w"))
P
	echo 'echo "was built from a link" >>evidence' >>src/build.sh
else
	rm -f cost.h
	echo '#define COST (FAST * 5 / 2)' >data/cost.h
fi
