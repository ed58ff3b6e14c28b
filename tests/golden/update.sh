#!/bin/sh
# Write the golden screens anew from what the tool prints now: update.sh BUILD_DIR
# Then read `git diff tests/golden`: every change there is one that users will see.
set -eu
build=${1:?usage: update.sh BUILD_DIR}
# a fresh clone may have built one of them only
for source in "$(dirname "$0")"/../unit/report_*.c; do
	name=${source##*/}
	set -- "$@" "test_${name%.c}"
done
shift
cmake --build "$build" --target "$@" >/dev/null
for test in "$build"/tests/test_report_*; do
	[ -x "$test" ] && BA_UPDATE_GOLDEN=1 "$test" >/dev/null
done
