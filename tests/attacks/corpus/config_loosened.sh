#!/bin/sh
# family: configuration
# kind:   launcher
# in:     commit
# idea:   the candidate's configuration has a threshold of 90 %, and builds another way
# gate:   the baseline's configuration rules
set -e
[ "$1" = base ] && echo 'echo "was built by the rules" >>evidence' >attack.sh && exit
sed -i 's/^{/{ "thresholds": "90%", "gate": {"mode": "default"},/' .bench-against.json
