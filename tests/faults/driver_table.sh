#!/bin/sh
# driver_table.sh BUILD [KIND [CALL]]: makes every function of the driver fail in the worker,
# in runs of launchers and plugins, in one process and in several. Each call fails with an
# error that passes (1) and with one that loses the context (700).
#
#   KIND                "launcher duet", "launcher split", "plugin duet" or "plugin split"
#   CALL                this function alone, such as cuMemAlloc
#   BA_DRIVER_AT=1,2    which calls of each function fail, up to 8 numbers; 0 is all calls
#                       (default: 0,1,2,3,7,40,300,2500)
#
# Everything takes an hour and more. The driver is tests/fakecuda; the libcuda.so.1 of the
# host target has no functions that can be made to fail.
set -eu
cd "$1"
BA_DRIVER_FAULTS=all
export BA_DRIVER_FAULTS
if [ $# -gt 1 ]; then
	BA_DRIVER_KIND=$2
	export BA_DRIVER_KIND
fi
if [ $# -gt 2 ]; then
	BA_DRIVER_CALL=$3
	export BA_DRIVER_CALL
fi
exec tests/e2e/test_e2e_driver
