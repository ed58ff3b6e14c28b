#!/bin/sh
# Write the golden screens anew from what the tool prints now: update.sh BUILD_DIR
# Then read `git diff tests/golden`: every change there is one that users will see.
set -eu
build=${1:?usage: update.sh BUILD_DIR}
for test in "$build"/tests/test_report_*; do
	[ -x "$test" ] && BA_UPDATE_GOLDEN=1 "$test" >/dev/null
done
