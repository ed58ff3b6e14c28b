#!/usr/bin/env bash
# The exit status of the measurement as the outcome of the job.
set -euo pipefail
case ${STATUS:-} in
0) echo "no regression" ;;
1)
	echo "::error::it got slower; the summary of this job says by how much"
	exit 1
	;;
125)
	if [ "$INPUT_UNMEASURED" = pass ]; then
		echo "::warning::it could not be measured, or not be decided"
		exit 0
	fi
	echo "::error::it could not be measured, or not be decided (unmeasured: pass lets that pass)"
	exit 1
	;;
129)
	echo "::error::the command line or the configuration is wrong; see the step before"
	exit 1
	;;
*)
	echo "::error::bench-against did not come to an end (status ${STATUS:-none})"
	exit 1
	;;
esac
