#!/bin/sh
# cuda.sh BUILD VENV: cuda.bindings, cuda.core and numba-cuda on the host target's driver:
# import, compile with NVRTC, load, launch; then as benchmarks of the tool. 77 unless
# BENCH_AGAINST_TEST_PYTHON names an interpreter that has them, or BENCH_AGAINST_TEST_PIP=1
# allows to install them into VENV from PyPI.
set -u
here=$(cd "$(dirname "$0")" && pwd)
python=${BENCH_AGAINST_TEST_PYTHON:-}
if [ -z "$python" ]; then
	if [ "${BENCH_AGAINST_TEST_PIP:-}" != 1 ]; then
		echo "cuda.sh: not asked to install packages (BENCH_AGAINST_TEST_PIP=1," \
			"or BENCH_AGAINST_TEST_PYTHON=/path/to/python)"
		exit 77
	fi
	python=$2/bin/python
	[ -x "$python" ] || python3 -m venv "$2" || exit 77
	if ! "$python" -m pip -q install numpy 'numba-cuda[cu13]' 'cuda-core[cu13]' \
		cuda-bindings; then
		echo "cuda.sh: the packages could not be installed"
		exit 77
	fi
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
	echo "cuda.sh: $*" >&2
	failures=$((failures + 1))
}

for client in bindings core numba; do
	# a directory of its own: none of this machine's caches has the kernels
	XDG_CACHE_HOME=$work/cache-$client \
		LD_LIBRARY_PATH=$1/lib/bench-against/host${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
		"$python" -X faulthandler -W ignore "$here/cuda_client.py" $client ||
		fail "$client failed"
done

# one launch a run, and four
export XDG_CACHE_HOME="$work/cache" ASAN_OPTIONS=detect_leaks=0
mkdir "$work/repo" && cd "$work/repo" && git init -q . || exit 1
commit() {
	sed "s/^LAUNCHES = 1/LAUNCHES = $2/" "$here/cuda_bench.py" >bench.py
	cp "$here/cuda_launches.py" .
	git add -A
	git -c user.name=a -c user.email=a@b commit -q -m "$1"
	git tag "$1"
}
cat >.bench-against.json <<EOF
{ "suites": { "py": { "kind": "worker",
  "command": ["$python", "-m", "bench_against_worker", "bench.py"] } } }
EOF
commit once 1
commit often 4
"$1/bin/bench-against" --target host --fixed 2 --blocks 4 --output "$work/result.json" \
	once often >"$work/out" 2>&1
"$python" - "$work/result.json" <<'EOF' || { cat "$work/out"; fail "not compared as they should be"; }
import json, sys

result = json.load(open(sys.argv[1]))
ratios = {}
for series in result["series"]:
    name = result["benchmarks"][series["benchmark"]]["name"]
    assert series["metric"] in ("host", "instructions"), series["metric"]
    if name == "runtime":
        failure = series["variants"][0]["failure"]
        assert "the CUDA runtime" in failure and "--target gpu" in failure, failure
    elif series["metric"] == "host":
        ratios.setdefault(name, []).append(series["comparisons"][0]["ratio"])
print({name: [round(r, 2) for r in some] for name, some in ratios.items()})
assert sorted(ratios) == ["bindings", "core", "numba"], ratios
assert all(r > 1.5 for some in ratios.values() for r in some), ratios
EOF
grep -q 'GPU benchmarks were not checked' "$work/out" || fail "no word about checks"
[ $failures -eq 0 ]
