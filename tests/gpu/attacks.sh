#!/bin/sh
# sh tests/gpu/attacks.sh BUILD [OPTIONS OF attacks.py]: the attacks of tests/attacks on
# launchers, against a real GPU, in each lane that this build has; the last lines say how many
# passed. 1: an attack passed in the untrusted lane that the table does not list.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:?usage: attacks.sh BUILD [OPTIONS]}
shift
status=0
for lane in duet untrusted; do
	"$build/bin/bench-against" --help-all 2>/dev/null | grep -q -- "--untrusted" || [ $lane = duet ] || {
		echo "attacks.sh: this build has no --untrusted"
		continue
	}
	echo "== $lane"
	expect=
	[ $lane = duet ] || expect="--expect $root/tests/attacks/README.md"
	# shellcheck disable=SC2086 # words are what is wanted
	python3 "$root/tests/attacks/attacks.py" "$build" --target gpu --lane $lane $expect "$@" || status=1
done
exit $status
