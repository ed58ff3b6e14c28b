#!/bin/sh
# attention.sh SOURCE INPUTS SUITE: the attention example's own parts, without a GPU; INPUTS and
# SUITE are what was built of attention/inputs.c and attention/small_suite.c.
set -eu
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null; then
	echo "no python3 here, or one before 3.8"
	exit 77
fi
export BA_ATTENTION="$1/examples/python/attention" BA_INPUTS="$2" BA_SMALL_SUITE="$3"
export PYTHONDONTWRITEBYTECODE=1
exec python3 -W error::ResourceWarning "$1/tests/python/attention/test_attention.py"
