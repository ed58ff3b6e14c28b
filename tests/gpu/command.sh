#!/bin/sh
# sh tests/gpu/command.sh BUILD [DIR]: a suite of kind `command` with NVBench's Python
# package (PyPI: cuda-bench) and PyTorch on a real GPU: two commits that are the same, and
# one whose kernel does ten per cent more, in one run. Tables, result files and NVBench's own
# files with their samples are left in DIR (./command-results). 77 where a package is missing.
# BUDGET (20m) ends it: an invocation of three commits takes about a minute, most of it PyTorch's start.
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
    "command": ["python3", "bench.py", "--jsonbin", "{output}", "--min-time", "0.1", "--timeout", "2"]}}
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
"$tool" base same slow --budget "${BUDGET:-20m}" -o "$out/command.json" >"$out/command.txt" 2>&1 ||
	status=$?
cat "$out/command.txt"
python3 - "$out/command.json" <<'END'
import collections, json, sys
d = json.load(open(sys.argv[1]))
n = collections.Counter((d["variants"][c["candidate"]]["label"], c["verdict"])
                        for s in d["series"] for c in s["comparisons"])
print(dict(n))
wrong = [k for k in n if k == ("same", "regressed") or k == ("same", "improved")]
sys.exit(1 if wrong or not n["slow", "regressed"] else 0)
END
[ $status -eq 1 ] || { echo "status $status, 1 is right"; exit 1; }
"$tool" verify "$out/command.json"
# NVBench's own files, as compare reads them: samples of one process a side
for name in base slow; do
	git checkout -q "$name" && python3 bench.py --jsonbin "$out/nvbench-$name.json" \
		--min-time 0.1 --timeout 2 >/dev/null
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
