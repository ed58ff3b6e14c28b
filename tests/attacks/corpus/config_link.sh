#!/bin/sh
# family: configuration
# kind:   launcher
# in:     commit
# idea:   the baseline's configuration is a symbolic link into ci/; the candidate changes what it
#         points to: a threshold of 500 %
# gate:   the baseline's configuration rules, with what it points to
set -e
echo 'echo "was built by the rules" >>evidence' >attack.sh
if [ "$1" = base ]; then
	mkdir ci
	mv .bench-against.json ci/rules.json
	ln -s ci/rules.json .bench-against.json
else
	sed -i 's/^{/{ "thresholds": {"default": {"slower": "9us", "faster": "2%"}},/' ci/rules.json
fi
