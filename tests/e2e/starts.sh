#!/bin/sh
# starts.sh BUILD: metrics of starts. The second of two commits takes 400 ms more to import, 200 ms
# more to compile, 64 MiB more and a file of 1 MiB more; what is compiled is kept in a cache, which
# is empty at each first call and filled at each cached one. It loads one more kernel, and a longer one.
set -u
build=$1
. "$(dirname "$0")/repo.sh"

fail()
{
	echo "starts.sh: $*" >&2
	cat "$top/out" >&2
	exit 1
}
cat >bench.py <<'END'
import os, time
from bench_against_worker import Case, benchmark
import thing

@benchmark
def compiled():
    def run():
        path = os.environ["NUMBA_CACHE_DIR"] + "/compiled"
        if not made and not os.path.exists(path):
            time.sleep(thing.COMPILE)
            open(path, "w").close()
        made.append(thing.memory())
        del made[1:]
    made = []
    return run

@benchmark(gpu=True, metrics=["submit"])
def device():
    import ctypes
    cuda = ctypes.CDLL("libcuda.so.1")
    def run():
        for name in thing.KERNELS if not made else []:
            text = f".version 7.0\n{thing.PAD}.target sm_70\n.entry {name}() {{ ret; }}\n".encode()
            assert cuda.cuModuleLoadData(ctypes.byref(module), text) == 0
            assert cuda.cuModuleGetFunction(ctypes.byref(function), module, name.encode()) == 0
            made.append(time.sleep(thing.COMPILE))
        pointer = ctypes.c_uint64()
        for size in (1 << 20, thing.MEMORY):
            assert cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(size)) == 0
        assert cuda.cuMemFree_v2(pointer) == 0
    made, module, function = [], ctypes.c_void_p(), ctypes.c_void_p()
    return run

@benchmark(gpu=True, metrics=["submit"])
def bare():
    return lambda: None

@benchmark
def checked():
    return Case(lambda: None, check=lambda: len(b"x" * (150 << 20)) > 0)

@benchmark
def clean():
    def run():
        path = os.environ["TRITON_CACHE_DIR"] + "/left"
        assert made or not os.path.exists(path), "an earlier process left something"
        open(path, "w").close()
        made.append(1)
    made = []
    return run
END
cat >.bench-against.json <<'END'
{"target": "host", "suites": {"s": {"kind": "worker", "size": ["*.bin", "lib"],
 "command": ["python3", "-m", "bench_against_worker", "bench.py"]}}}
END
commit() # TAG IMPORT COMPILE MIB BYTES KERNELS PAD
{
	printf 'import time\ntime.sleep(%s)\nCOMPILE = %s\nMEMORY = (2 << 20) + 64 * %s\ndef memory():\n    return b"x" * (%s << 20)\n' \
		"$2" "$3" "$4" "$4" >thing.py
	printf 'KERNELS = ["alike", %s]\nPAD = "%s"\n' "$6" "$7" >>thing.py
	head -c "$5" /dev/zero >data.bin
	echo 1234567 >lib
	git add -A && git commit -q -m "$1" && git tag "$1"
}
commit small 0.001 0.1 1 3000000 '' ''
commit large 0.401 0.3 65 4048576 '"_Z5otherPfi"' '// longer\n'

"$tool" small large -q --fixed 6 -f s/process -f s/compiled \
	--metrics start,import,first_call,first_call_cached,host_peak,size -o "$top/r.json" >"$top/out" 2>&1
[ $? -eq 1 ] || fail "ended with another status than 1"
"$tool" verify "$top/r.json" >"$top/out" 2>&1 || fail "does not verify"
python3 - "$top/r.json" <<'END' || fail "not measured as it should be"
import json, sys

found = {(s["id"], s["metric"]): s for s in json.load(open(sys.argv[1]))["series"]}
def level(id, metric, variant):
    return found[id, metric]["variants"][variant]["min_ns"]
def verdict(id, metric):
    return found[id, metric]["comparisons"][0]["verdict"]
def more(id, metric):
    return level(id, metric, 1) - level(id, metric, 0)
print({key: [v.get("min_ns") for v in s["variants"]] for key, s in found.items()})
process, call = "s/process", "s/compiled"
assert level(process, "import", 1) > 4e8 and verdict(process, "import") == "regressed"
# it sleeps, so the processor time is the same
assert more(process, "import_cpu") < 2e8 and found[process, "import_cpu"]["role"] == "reported"
assert 0 < level(process, "start_cpu", 0) and level(process, "start", 0) > 1e6
assert level(call, "first_call", 0) > 1e8 and level(call, "first_call", 1) > 3e8
assert level(call, "first_call_cached", 1) < level(call, "first_call", 1) - 1.5e8
assert 0 < level(call, "first_call_cached_cpu", 1) < 1e8
assert more(call, "host_peak") > 40 << 20 and verdict(call, "host_peak") == "regressed"
assert abs(more(process, "host_peak")) < 20 << 20
size = found[process, "size"]
assert more(process, "size") == 1048576 and size["comparisons"][0]["exact"]
assert level(process, "size", 0) == 3000008 and verdict(process, "size") == "regressed"
assert (call, "size") not in found and (process, "first_call") not in found
END
"$tool" explain "$top/r.json" >"$top/out" 2>&1
grep -q '^+[34][0-9]\{5\} .* thing  *thing.py' "$top/out" || fail "the module is not named"
"$tool" small large --fixed 2 --explain=off --metrics first_call -f '*clean' >"$top/out" 2>&1 ||
	fail "a first call found files of an earlier process"
grep -q 'judged from 6 invocations' "$top/out" || fail "two processes are not too few"
# which kernels the first call loads, and how long their text is, A beside B, while the verdict is open
"$tool" small large --fixed 2 --metrics first_call -f s/device -o "$top/r.json" >"$top/out" 2>&1
grep -q 'why s/device: first_call +[0-9.]* m\?s, of which loading device code +' "$top/out" ||
	fail "a first call is not explained"
grep -q 's/device .*inconclusive' "$top/out" || fail "two first calls are enough"
"$tool" explain "$top/r.json" >"$top/out" 2>&1
grep -q ' 0  *[0-9]*  other  *PTX, 67 bytes  *new' "$top/out" &&
	grep -q ' [1-9][0-9]*  *[1-9][0-9]*  alike  *PTX, 51 to 61 bytes' "$top/out" ||
	fail "the kernels are not named"
# a budget that is over leaves time for fewer processes, whose mean is the same
"$tool" small large --budget 2s --metrics import -o "$top/r.json" >"$top/out" 2>&1
"$tool" explain "$top/r.json" >"$top/out" 2>&1
! grep 'thing.py' "$top/out" | grep -v '^+[34][0-9]\{5\} ' || fail "the mean is of other processes"
# what no first call does is no metric; the memory of a check is not that of the first call
"$tool" small large -q --fixed 2 --explain=off --metrics context,load,device_peak,host_peak -f s/bare -f s/checked \
	-o "$top/r.json" >"$top/out" 2>&1
python3 - "$top/r.json" <<'END' || fail "what is not there is measured"
import json, sys
r = json.load(open(sys.argv[1]))
found = {(s["id"], s["metric"]): s["variants"][0]["min_ns"] for s in r["series"]}
assert set(found) == {("s/bare", "context"), ("s/bare", "host_peak"), ("s/checked", "host_peak")}, found
assert found["s/checked", "host_peak"] < 100 << 20, found
notes = [note for note in r["notes"] if "no metric 'device_peak' in 1 benchmark, such as s/bare" in note]
assert notes, r["notes"]
END
"$tool" verify "$top/r.json" >"$top/out" 2>&1 || fail "what is not there is verified"
# 64 times 64 bytes more of the device, exactly
"$tool" small large -q --fixed 2 --explain=off --metrics context,load,device_peak -f s/device -o "$top/r.json" >"$top/out" 2>&1
python3 - "$top/r.json" <<'END' || fail "the device memory is not exact"
import json, sys
found = {s["metric"]: s for s in json.load(open(sys.argv[1]))["series"]}
levels = [v["min_ns"] for v in found["device_peak"]["variants"]]
assert levels == [(3 << 20) + 64, (3 << 20) + 64 + 4096], levels
assert found["device_peak"]["comparisons"][0]["exact"]
assert 0 < found["context"]["variants"][0]["min_ns"] < 1e9
END
"$tool" small large -q --fixed 2 --explain=off --metrics first_call_cached -f '*clean' >"$top/out" 2>&1
grep -q 'earlier process left' "$top/out" || fail "a cached call found nothing of an earlier process"

# the processor time decides if asked; a suite without files has no size
"$tool" small large -q --fixed 2 --explain=off --metrics import --verdict-on import_cpu -o "$top/r.json" >"$top/out" 2>&1
python3 - "$top/r.json" <<'END' || fail "--verdict-on does not choose the processor time"
import json, sys
roles = {s["metric"]: s["role"] for s in json.load(open(sys.argv[1]))["series"]}
assert roles == {"import": "reported", "import_cpu": "verdict"}, roles
END
"$tool" small large --untrusted --metrics import >"$top/out" 2>&1
grep -q "'import' is that of a start, which this lane does not measure" "$top/out" ||
	fail "a start is measured of code that is not trusted"
sed -i 's/"size": .*lib"\],//' .bench-against.json && git commit -q -a -m none
"$tool" small HEAD --metrics size >"$top/out" 2>&1
[ $? -eq 129 ] && grep -q 'no suite names files' "$top/out" || fail "a size without files is not refused"
