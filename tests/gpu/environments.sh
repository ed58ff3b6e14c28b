#!/bin/sh
# environments.sh BUILD OUT [WHEELS]: two versions of numba-cuda as environments, on a GPU and without a
# network. WHEELS is a folder with the wheels of both and of what they require (pip download -d WHEELS
# 'numba-cuda[cu12]==0.28.0' 'numba-cuda[cu12]==0.30.0'); OLD and NEW choose other versions, and BESIDE
# is a part that both get (env:numba==0.65.0, which both can load). Writes the answers and results into
# OUT. About 4 minutes.
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
wheels=$(cd "${3:-wheels}" && pwd)
old=env:numba-cuda==${OLD:-0.28.0}${BESIDE:++$BESIDE} new=env:numba-cuda==${NEW:-0.30.0}${BESIDE:++$BESIDE}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PIP_NO_INDEX=1 PIP_FIND_LINKS="$wheels"
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history.sqlite"
tool=$build/bin/bench-against
mkdir "$work/repo"
cd "$work/repo"
cat >bench.py <<'END'
from numba import cuda

from bench_against_worker import benchmark


@cuda.jit
def nothing():
    pass


@benchmark(gpu=True, metrics=["submit", "roundtrip"])
def launch():
    return nothing[1, 1]
END
cat >.bench-against.json <<'END'
{"suites": {"py": {"kind": "worker", "command": ["python3", "-m", "bench_against_worker", "bench.py"]}}}
END
git init -q
git add -A
git -c user.name=test -c user.email=test@example.org commit -qm "a launch"
run()
{
	name=$1
	shift
	status=0
	timeout 140 "$tool" "$@" -o "$out/$name.json" >"$out/$name.txt" 2>&1 || status=$?
	echo "$name: exit status $status" | tee -a "$out/summary.txt"
	tail -n 12 "$out/$name.txt"
}
run launch "old=HEAD+$old" "new=HEAD+$new" --budget 60s
run first_call "old=HEAD+$old" "new=HEAD+$new" --metrics import,first_call --fixed 6
run same "old=HEAD+$new" "new=HEAD+$new" --budget 30s
