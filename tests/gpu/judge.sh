#!/bin/sh
# sh tests/gpu/judge.sh BUILD OUT [PART...]: Python tasks with --untrusted on this machine's GPU. Needs
# torch; Triton, Numba and CuPy where they are there; lanes and cheats need git and bubblewrap. Parts
# (all by default), each about five minutes; a part may name what it is about (lanes:matmul,graph).
# Writes a table (judge.txt) and result files into OUT.
#
#   views    what each library does on memory of another process, and what persisting lines in the L2
#            cache survive: half a minute, without the tool
#   judge    seconds until the command judge answers about one file
#   lanes    honest kernels with equal, 10 % more and less work: the same verdicts as a run that
#            trusts. All are two calls' work: lanes:matmul,softmax,graph,streams,thread and
#            lanes:triton_sum,triton_norm,triton_matmul,numba_sum,cupy_raw,module; lanes:compiled
#            is apart, because each process compiles
#   cheats   cheats that only a GPU allows: none may be faster or the same
set -eu
exec python3 "$(dirname "$0")/judge.py" "$@"
