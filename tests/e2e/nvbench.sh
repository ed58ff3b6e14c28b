#!/bin/sh
# nvbench.sh BUILD: programs with NVBench's names (tests/nvbench), unchanged, as a shared library and
# within the program: what is planted is found, equal code is not called changed, skips and failures
# have NVBench's reasons, and a program in which nothing can be replaced says why.
set -u
build=$1
source=$(cd "$(dirname "$0")/../nvbench" && pwd)
. "$(dirname "$0")/repo.sh"
fail()
{
	echo "nvbench.sh: $*" >&2
	cat "$top/out" >&2
	exit 1
}
command -v c++ >/dev/null || { echo "there is no C++ compiler" >&2; exit 77; }
cp "$source"/* . && echo build >.gitignore
suite() # SUITE
{
	printf '{"target": "host", "build": {"commands": [["sh", "build.sh"]]}, "suites": {"nv": %s}}\n' "$1" \
		>.bench-against.json
}
commit() # TAG EXTRA
{
	echo "EXTRA=$2 # $1" >extra
	git add -A && git commit -q -m "$1" && git tag "$1"
}
# what a compiler takes long for is made once; a commit only links
mkdir "$top/objects"
c++ -std=c++17 -O1 -fPIC -c nvbench.cpp -o "$top/objects/nvbench.o" &&
	c++ -shared "$top/objects/nvbench.o" -o "$top/objects/libnvbench.so" || exit 1
for extra in 1.0 4.0 8.0; do
	c++ -std=c++17 -O2 -g -fPIC -DEXTRA=$extra -c bench.cpp -o "$top/objects/bench-$extra.o" || exit 1
done
cat >build.sh <<END
set -e
. ./extra
mkdir -p build
cp "$top/objects/libnvbench.so" build
bench=$top/objects/bench-\$EXTRA.o
c++ \$bench -o build/shared -Lbuild -lnvbench -ldl -Wl,-rpath,'\$ORIGIN'
c++ \$bench "$top/objects/nvbench.o" -ldl -o build/static
cp build/static build/stripped && strip build/stripped
c++ -shared \$bench -o build/libbench.so -Lbuild -lnvbench -ldl -Wl,-rpath,'\$ORIGIN'
END
# a program of cuda.bench, whose extension loads the driver as soon as it is imported
mkdir cuda
cat >cuda/bench.py <<'END'
import ctypes, os
ctypes.CDLL("libcuda.so.1")
library = ctypes.CDLL(os.path.abspath("build/libbench.so"), mode=ctypes.RTLD_GLOBAL)
def run_all_benchmarks():
    library.main(1, (ctypes.c_char_p * 2)(b"bench.py", None))
END
printf 'import cuda.bench\ncuda.bench.run_all_benchmarks()\n' >bench.py
suite '{"kind": "nvbench", "command": ["build/shared"]}'
commit base 1.0
commit same 1.0
commit slow 4.0

run_tool() # STATUS ARGUMENT...
{
	want=$1
	shift
	"$build/bin/bench-against" "$@" >"$top/out" 2>&1
	status=$?
	[ $status -eq "$want" ] || fail "status $status, not $want: $*"
}
has() # TEXT
{
	grep -qF -- "$1" "$top/out" || fail "no '$1'"
}
run_tool 0 list base
has 'nv/sum/Elements{io}=2^14'
run_tool 1 base slow --fixed 4 --blocks 8 --filter '*2^1[024]' --filter '*2^11' -o "$top/r.json"
has Regressed
has 'it broke'
python3 - "$top/r.json" <<'END' || fail "the results are not what was planted"
import json, sys
d = json.load(open(sys.argv[1]))
text = json.dumps(d)
assert "two thousand is no number" in text
assert "it broke" in text
END
# the observer stands before the driver, in a process that times nothing
run_tool 1 base slow --metrics census --filter '*2^14'
has 'synchronisations +2 per call'
has 'cuStreamSynchronize from wait_often'
has 'bench.cpp:'
run_tool 0 base same --metrics census --filter '*2^14' --measure-identical
suite '{"kind": "worker", "command": ["python3", "-m", "bench_against_worker", "--nvbench", "bench.py"]}'
commit python 1.0
commit python-slow 4.0
run_tool 1 python python-slow --metrics census --filter '*2^14'
has 'synchronisations +2 per call'
has 'cuStreamSynchronize from wait_often'
run_tool 0 base same --fixed 4 --blocks 8 --filter '*2^14' --measure-identical -o "$top/same.json"
# a file of the program itself has the names of a run (here as if it had run on a GPU)
python3 - "$top/same.json" "$top/gpu.json" "$top/old.json" <<'END' || fail "no files to compare"
import json, sys
d = json.load(open(sys.argv[1]))
del d["document_sha256"]
for s in d["series"]:
    s["metric"] = "gpu_cold"
mean = d["series"][0]["variants"][1]["mean_ns"] / 1e9  # of same; a twentieth, since means of a busy machine vary
json.dump(d, open(sys.argv[2], "w"))
state = {"name": "Device=0 Elements{io}=2^14", "device": 0, "is_skipped": False,
         "axis_values": [{"name": "Elements{io}", "type": "int64", "value": "16384"}],
         "summaries": [{"tag": "nv/cold/time/gpu/mean", "data": [
             {"name": "value", "type": "float64", "value": str(mean / 20)}]}]}
json.dump({"meta": {"version": {"json": {"major": 1, "minor": 0, "patch": 0}}},
           "devices": [{"id": 0, "name": "none"}],
           "benchmarks": [{"name": "sum", "axes": [{"name": "Elements{io}", "type": "int64", "flags": "pow2",
               "values": [{"input_string": "14", "value": 16384}]}], "states": [state]}]},
          open(sys.argv[3], "w"))
END
run_tool 1 compare "$top/old.json" "$top/gpu.json#same" --allow-summaries --force
has 'sum/Elements{io}=2^14'
has 'regressed'
run_tool 1 compare "$top/old.json" "$top/gpu.json#same" --allow-summaries --force --metric gpu_time
has 'regressed'
suite '{"kind": "nvbench", "command": ["build/shared"]}'
commit shared 1.0
# three inputs of 2^26 bytes do not fit into 150 million: they are measured one after another
mkdir "$top/memory"
GPU_MEMORY="$top/memory"
export GPU_MEMORY
run_tool 1 base same slow --fixed 4 --blocks 4 --filter 'nv/big/*' --measure-identical -o "$top/big.json"
has 'nv/big/Elements=2^26: its variants do not fit into the GPU'
python3 - "$top/big.json" <<'END' || fail "not measured by turns"
import json, sys
d = json.load(open(sys.argv[1]))
for s in d["series"]:
    verdicts = [c["verdict"] for c in s["comparisons"]]
    assert verdicts[1] == "regressed" and verdicts[0] != "failed", (s["id"], verdicts)
assert len(d["series"]) == 2
assert sum("one after another" in n for n in d["notes"]) == 1, d["notes"]
END
"$build/bin/bench-against" verify "$top/big.json" >"$top/out" 2>&1 || fail "verify"
# a candidate with twice the inputs does not fit beside the baseline, which would hold two of its own
commit large 8.0
run_tool 1 shared large --fixed 4 --blocks 4 --filter 'nv/big/Elements=2^26'
has 'nv/big/Elements=2^26: its variants do not fit into the GPU'
has 'nv/big/Elements=2^26 got slower by'
unset GPU_MEMORY
suite '{"kind": "nvbench", "command": ["build/static"]}'
commit static 1.0
commit static-slow 4.0
run_tool 1 static static-slow --fixed 4 --filter '*2^14'
has Regressed
suite '{"kind": "nvbench", "command": ["build/stripped"]}'
commit stripped 1.0
run_tool 125 list stripped
has 'stripped'
suite '{"kind": "nvbench", "command": ["build/shared", "--own-loop"]}'
commit loop 1.0
run_tool 125 list loop
has 'before NVBench read its options'
suite '{"kind": "nvbench", "command": ["build/shared", "-b", "sum"]}'
commit option 1.0
run_tool 125 list option
has "the option '-b'"
