#!/bin/sh
# nvcc.sh LOG NVCC ARGUMENTS...: what nvcc and ptxas say goes into LOG; it is shown if it fails.
log=$1
shift
"$@" >"$log" 2>&1 || {
	status=$?
	cat "$log" >&2
	exit "$status"
}
