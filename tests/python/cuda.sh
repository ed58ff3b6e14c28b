#!/bin/sh
# cuda.sh DRIVER_DIR VENV: cuda.bindings, cuda.core and numba-cuda on the host target's
# driver: import, compile with NVRTC, load, launch. 77 unless BENCH_AGAINST_TEST_PYTHON
# names an interpreter that has them, or BENCH_AGAINST_TEST_PIP=1 allows to install them
# into VENV from PyPI.
set -u
here=$(dirname "$0")
python=${BENCH_AGAINST_TEST_PYTHON:-}
if [ -z "$python" ]; then
	if [ "${BENCH_AGAINST_TEST_PIP:-}" != 1 ]; then
		echo "cuda.sh: not asked to install packages (BENCH_AGAINST_TEST_PIP=1," \
			"or BENCH_AGAINST_TEST_PYTHON=/path/to/python)"
		exit 77
	fi
	python=$2/bin/python
	[ -x "$python" ] || python3 -m venv "$2" || exit 77
	if ! "$python" -m pip -q install numpy numba-cuda cuda-core 'cuda-bindings==13.*' \
		nvidia-cuda-nvrtc; then
		echo "cuda.sh: the packages could not be installed"
		exit 77
	fi
fi
failures=0
for client in bindings core numba; do
	# a directory of its own: none of this machine's caches has the kernels
	cache=$(mktemp -d)
	if ! XDG_CACHE_HOME=$cache \
		LD_LIBRARY_PATH=$1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
		"$python" -X faulthandler -W ignore "$here/cuda_client.py" $client; then
		echo "cuda.sh: $client failed" >&2
		failures=$((failures + 1))
	fi
	rm -rf "$cache"
done
[ $failures -eq 0 ]
