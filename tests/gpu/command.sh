#!/bin/sh
# sh tests/gpu/command.sh BUILD [DIR]: a suite of kind `command` with NVBench's Python
# package (PyPI: cuda-bench) and PyTorch on a real GPU: two commits that are the same, and
# one whose kernel does ten per cent more. Tables, result files and NVBench's own file with
# its samples are left in DIR (./command-results). 77 where a package is missing.
set -eu
build=$(cd "$1" && pwd)
out=${2:-command-results}
mkdir -p "$out" && out=$(cd "$out" && pwd)
tool=$build/bin/bench-against
python3 -c 'import cuda.bench, torch; assert torch.cuda.is_available()' 2>/dev/null || {
	echo "needs cuda-bench (PyPI), PyTorch and a GPU"
	exit 77
}
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
mkdir "$top/repo" && cd "$top/repo"
git init -q . && git config user.email command@example.org && git config user.name command
cat >.bench-against.json <<'END'
{
  "suites": {"nvbench": {"kind": "command",
    "command": ["python3", "bench.py", "--jsonbin", "{output}", "--timeout", "5"]}}
}
END
commit()
{
	cat >bench.py <<END
import sys

import cuda.bench as bench
import torch


def scale(state):
    n = int(state.get_int64("Elements") * $2)
    stream = torch.cuda.ExternalStream(state.get_stream().addressof())
    with torch.cuda.stream(stream):
        x = torch.ones(n, device="cuda")

    def launcher(launch):
        with torch.cuda.stream(torch.cuda.ExternalStream(launch.get_stream().addressof())):
            torch.mul(x, 2.0, out=x)

    state.exec(launcher)


b = bench.register(scale)
b.add_int64_axis("Elements", [1 << 22, 1 << 25])
bench.run_all_benchmarks(sys.argv)
# $1
END
	git add -A && git commit -qm "$1" && git tag "$1"
}
commit base 1.0
commit same 1.0
commit slow 1.1
status=0
"$tool" base same -o "$out/same.json" >"$out/same.txt" 2>&1 || status=$?
cat "$out/same.txt"
echo "same: status $status, 0 is right"
[ $status -eq 0 ] || exit 1
"$tool" base slow -o "$out/slow.json" >"$out/slow.txt" 2>&1 || status=$?
cat "$out/slow.txt"
echo "slow: status $status, 1 is right"
[ $status -eq 1 ] || exit 1
"$tool" verify "$out/same.json"
"$tool" verify "$out/slow.json"
# NVBench's own files, as compare reads them: samples of one process a side
for name in base slow; do
	git checkout -q "$name" && python3 bench.py --jsonbin "$out/nvbench-$name.json" \
		--timeout 5 >/dev/null
done
"$tool" compare "$out/nvbench-base.json" "$out/nvbench-slow.json" | tee "$out/compare.txt" || true
python3 - "$out/nvbench-base.json" <<'END'
import json, sys
for b in json.load(open(sys.argv[1]))["benchmarks"]:
    for s in b["states"]:
        means = [d["value"] for m in s["summaries"] if m["tag"] == "nv/cold/time/gpu/mean"
                 for d in m["data"]]
        print("NVBench itself says", s["name"], means)
END
