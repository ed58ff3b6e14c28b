#!/bin/sh
# family: configuration
# kind:   launcher
# in:     commit
# first:  same
# idea:   the baseline's configuration is a symbolic link to a file in the home; the build of a
#         harmless change writes another threshold into that file
# gate:   a configuration lies in the repository
set -e
cat >attack.sh <<'B'
echo "was built by the rules" >>evidence
if [ -e first-gate ]; then
	sed -i 's/^{/{ "thresholds": {"default": {"slower": "9us", "faster": "2%"}},/' "$HOME/rules.json" &&
		echo "changed the rules" >>evidence
fi
B
if [ "$1" = base ]; then
	mv .bench-against.json "$HOME/rules.json"
	ln -s "$HOME/rules.json" .bench-against.json
fi
