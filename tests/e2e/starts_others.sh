#!/bin/sh
# starts_others.sh BUILD: metrics of starts of a launcher, of a whole program and in the demo; those
# of Python's worker are in starts.sh.
set -u
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/repo.sh"

fail()
{
	echo "starts_others.sh: $*" >&2
	cat "$top/out" >&2
	exit 1
}
# a launcher's process, and its first launches, which allocate nothing
cp "$build/tests/suites/cost100.so" launcher.so
echo '{"target": "host", "suites": {"l": {"kind": "launcher", "library": "launcher.so"}}}' >.bench-against.json
git add -f -A && git commit -q -m launcher
"$tool" run HEAD -q --fixed 2 -f l/process -f l/args=1,path=direct -o "$top/r.json" --metrics \
	start,import,first_call,first_call_cached,host_peak,context,load,device_peak >"$top/out" 2>&1
python3 - "$top/r.json" <<'END' || fail "starts of a launcher"
import json, sys
r = json.load(open(sys.argv[1]))
found = {(s["id"].split("/")[1], s["metric"]): s["variants"][0]["min_ns"] for s in r["series"]}
times = {"start", "start_cpu", "import", "import_cpu"}, {"first_call", "first_call_cached"}
metrics = {("process", m) for m in times[0] | {"host_peak"}}
call = times[1] | {m + "_cpu" for m in times[1]} | {"context", "load", "host_peak"}
assert set(found) == metrics | {("args=1,path=direct", m) for m in call}, found
assert all(value > 100 for value in found.values()), found
assert found["args=1,path=direct", "first_call"] > found["args=1,path=direct", "load"]
END

# a whole program, which compiles 200 ms longer, takes 40 MiB more and is a byte longer
cat >prog.py <<'END'
import os, time
import thing
path = os.environ["NUMBA_CACHE_DIR"] + "/compiled"
if not os.path.exists(path):
    time.sleep(thing.COMPILE)
    open(path, "w").close()
block = b"x" * (thing.MIB << 20)
print('{"benchmarks": [{"name": "x", "real_time": 12, "time_unit": "us"}], "context": {}}')
END
echo '{"target": "host", "suites": {"c": {"kind": "command", "command": ["python3", "prog.py"],
 "size": ["thing.py"]}}}' >.bench-against.json
printf 'COMPILE, MIB = 0.1, 60\n' >thing.py
git add -A && git commit -q -m old
printf 'COMPILE, MIB = 0.3, 100\n' >thing.py
git commit -q -a -m new
"$tool" HEAD~ HEAD -q --fixed 6 --metrics first_call,first_call_cached,host_peak,size,time \
	-o "$top/r.json" >"$top/out" 2>&1
[ $? -eq 1 ] || fail "a program ended with another status than 1"
"$tool" verify "$top/r.json" >"$top/out" 2>&1 || fail "a program's starts do not verify"
python3 - "$top/r.json" <<'END' || fail "starts of a program"
import json, sys
r = json.load(open(sys.argv[1]))
found = {(s["id"], s["metric"]): [v["min_ns"] for v in s["variants"]] for s in r["series"]}
times = {"first_call", "first_call_cached"}
assert set(found) == {("c/x", "time")} | {("c/process", m) for m in {"host_peak", "size"} | times |
                                          {t + "_cpu" for t in times}}, found
first, cached = found["c/process", "first_call"], found["c/process", "first_call_cached"]
assert first[0] > 1e8 and first[1] > 3e8 and cached[1] < first[1] - 1e8, found
assert 36 << 20 < found["c/process", "host_peak"][1] - found["c/process", "host_peak"][0] < 44 << 20
assert found["c/process", "size"] == [23, 24], found
END
"$tool" HEAD~ HEAD --metrics start >"$top/out" 2>&1
grep -q "names no metric of suite 'c'" "$top/out" || fail "a program has a start"

# the demo's figure, on the test driver: by its clock a launch takes no time, by the processor's it does
CFLAGS=-O0 sh "$root/cmake/first_launch.sh" "$tool" "$top/first" \
	--fake-driver "$build/tests/fakecuda/lib/libcuda.so.1" >"$top/out" 2>&1
code=$?
if [ $code -eq 77 ]; then
	grep -qi nvrtc "$top/first/first.txt" || fail "a first launch failed by something else than NVRTC"
else
	[ $code -eq 0 ] && awk -F'[:(]' '/^A first launch through LC-S takes / {
		split($NF, t, " "); found = t[1] > 3 * t[4] && t[4] > 0 } END { exit !found }' "$top/out" ||
		fail "a first launch does not compile, or a second one does"
fi
