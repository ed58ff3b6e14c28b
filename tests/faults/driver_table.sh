#!/bin/sh
# driver_table.sh BUILD [KIND [CALL]]: every function of the driver fails at its first calls, at
# later ones and always, with an error that passes and with one that loses the context,
# in runs of launchers and plugins, in one process and in several. KIND is one of
# "launcher duet", "launcher split", "plugin duet", "plugin split"; CALL is one function alone. All take an hour and more.
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
