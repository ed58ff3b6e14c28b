#!/bin/sh
# sh tests/bench/starting.sh BUILD [VARIANTS]: how much longer do VARIANTS (5) Python workers take to
# start and to prepare a benchmark than one does? Both are busy all the time, as imports and
# compilers are. Prints the seconds of each by phase and the two ratios; with as many processors
# as variants, and one for the visits, the ratios should be below 1.3.
set -eu
build=$(cd "$1" && pwd)
count=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export XDG_CACHE_HOME="$work/cache" GIT_CONFIG_GLOBAL=/dev/null
git init -q -b main .
git config user.email bench@example.org
git config user.name bench
cat >bench.py <<'PYTHON'
import time


def busy(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


busy(1.0)
from bench_against_worker import benchmark


@benchmark
def add():
    busy(0.5)
    return lambda: sum(range(100))
PYTHON
cat >.bench-against.json <<'JSON'
{ "suites": { "py": { "kind": "worker", "command": ["python3", "-m", "bench_against_worker", "bench.py"] } } }
JSON
git add .
git commit -qm 1
refs=main
for i in $(seq 2 "$count"); do
	git commit -q --allow-empty -m "$i"
	git tag "v$i"
	refs="$refs v$i"
done
run() {
	name=$1
	shift
	"$build/bin/bench-against" "$@" --target host --metrics host --blocks 4 -q -o "$name.json" \
		>/dev/null 2>"$name.err" || cat "$name.err" >&2
}
run one run --fixed 4 main
run all --fixed 4 --measure-identical $refs
python3 - "$count" <<'PYTHON'
import json
import os
import sys

one, many = (json.load(open(f"{name}.json"))["spent"] for name in ("one", "all"))
print(f"{len(os.sched_getaffinity(0))} processors, {sys.argv[1]} variants")
for phase in ("start", "prepare"):
    print(f"{phase}: one {one[phase]:.2f} s, all {many[phase]:.2f} s, ratio {many[phase] / one[phase]:.2f}")
PYTHON
