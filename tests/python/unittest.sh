#!/bin/sh
# unittest.sh PYTHON_DIR FAKE_DRIVER TESTS: the tests of the Python module that lies in PYTHON_DIR.
set -eu
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null; then
	echo "no python3 here, or one before 3.8"
	exit 77
fi
tests=${3:-$1/tests}
cd "$1"
# its own processes compile nothing
python3 -m compileall -q "$1/bench_against_worker"
export PYTHONPATH="$1" PYTHONDONTWRITEBYTECODE=1 BA_FAKE_DRIVER="$2"
exec python3 -W error::ResourceWarning -m unittest discover -s "$tests"
