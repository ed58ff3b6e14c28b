#!/bin/sh
# sh tests/gpu/devices.sh BUILD OUT: several GPUs side by side, on a host with two of one model.
# Needs a C compiler, git and python3; writes result files and devices.json into OUT. About three
# minutes. Nothing on the machine is changed: no clock, no power limit.
#
#   aa      the same code as two builds, on GPU 0 alone, on GPU 1 alone, and on both in parallel:
#           is the noise of a ratio (s) in parallel what it is alone, and how many times as many
#           invocations a minute are there (expected: at least 1.8)?
#   slow    a kernel that loops 3 % longer on GPU 1 only: the verdict names that GPU
#   busy    another program computes on GPU 1: that GPU takes no part, and is named
#
# Ends with 1 where an answer is not the expected one. With FAKE=FILE (the tests' driver) the script
# itself is tried, and its figures mean nothing.
set -eu
build=$(cd "$1" && pwd)
out=$(mkdir -p "$2" && cd "$2" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
neighbour=
leave() {
	[ -z "$neighbour" ] || kill "$neighbour" 2>/dev/null || true
	rm -rf "$work"
}
trap leave EXIT
trap 'exit 129' HUP INT TERM
PATH=$build/bin:$PATH
export PATH BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1
[ -z "${FAKE:-}" ] || export BA_FAKE_CUDA="devices=2"
alone=${ALONE:-10} # invocations on one GPU

mkdir "$work/repo"
cp "$root/tests/gpu/suite_misdeeds.h" "$work/repo/"
sed "${FAKE:+s/my_check, my_teardown/NULL, my_teardown/}" "$root/tests/gpu/suite_proof.c" >"$work/repo/suite.c"
cd "$work/repo"
git init -q
git config user.name devices
git config user.email devices@example.invalid
cat >.bench-against.json <<END
{ "build": { "commands": [["cc", "-O2", "-fPIC", "-shared", "-I$root/include",
  "-o", "libsuite.so", "suite.c", "-lm"]] },
  "suites": { "proof": { "kind": "plugin", "library": "libsuite.so" } } }
END
git add -A
git commit -qm base
git tag base
sed 's/set_up(out, s, q, ROUNDS)/set_up(out, s, q, host->device == 1 ? ROUNDS + ROUNDS * 3 \/ 100 : ROUNDS)/' \
	suite.c >changed
cmp -s suite.c changed && {
	echo "devices.sh: the benchmark has no rounds to change" >&2
	exit 1
}
mv changed suite.c
git commit -qam 'three per cent more rounds on GPU 1'
git tag slow-on-1

against() { # NAME OPTIONS...: what could not be measured ends this
	name=$1
	shift
	status=0
	bench-against ${FAKE:+--fake-driver "$FAKE"} --metrics gpu_cold -f '*loop*' --no-history \
		--output "$out/$name.json" "$@" >"$out/$name.txt" 2>&1 || status=$?
	[ "$status" -le 1 ] || {
		echo "devices.sh: $name ended with status $status" >&2
		cat "$out/$name.txt" >&2
		exit 1
	}
}

same() { # NAME DEVICES INVOCATIONS
	against "$1" --device "$2" --fixed "$3" --measure-identical a=base b=base
}
same warm 0 4 # builds, and fills caches
same alone0 0 "$alone"
same alone1 1 "$alone"
same both 0,1 $((2 * alone))
against slow --device 0,1 --fixed 12 --no-device-code base slow-on-1

# another program on GPU 1, for as long as this takes
bench-against run ${FAKE:+--fake-driver "$FAKE"} --metrics gpu_cold -f '*loop*' --no-history --device 1 \
	--fixed 400 base >"$out/neighbour.txt" 2>&1 &
neighbour=$!
sleep "${HEAD_START:-8}"
against busy --device 0,1 --fixed 4 --measure-identical a=base b=base
kill "$neighbour" 2>/dev/null || true
wait "$neighbour" 2>/dev/null || true
neighbour=

python3 - "$out" "${FAKE:-}" <<'END'
import json, statistics, sys
out, fake = sys.argv[1:]
def load(name): return json.load(open(f"{out}/{name}.json"))
def spread(r): return statistics.median(c["s"] for x in r["series"] for c in x["comparisons"])
def count(r): return max(len(x["samples"]) for x in r["series"])
def rate(r): return 60 * count(r) / r["measure_seconds"]
alone0, alone1, both, slow, busy = (load(n) for n in ("alone0", "alone1", "both", "slow", "busy"))
s0, s1, s2 = map(spread, (alone0, alone1, both))
verdicts = [c["verdict"] for x in both["series"] for c in x["comparisons"]]
reasons = [c.get("reason") or "" for x in slow["series"] for c in x["comparisons"]]
text = open(f"{out}/busy.txt").read()
answer = {
	"devices": [o["name"] + ", " + o["device_name"] for o in both["origins"]],
	"s_alone": [s0, s1], "s_in_parallel": s2,
	"s_ratio": s2 / statistics.mean((s0, s1)) if s0 + s1 else None,
	"invocations_a_minute_alone": rate(alone0), "invocations_a_minute_both": rate(both),
	"throughput": rate(both) / rate(alone0),
	"aa_verdicts": verdicts,
	"slow_verdicts": [c["verdict"] for x in slow["series"] for c in x["comparisons"]],
	"slow_reasons": reasons,
	"slow_places": [c.get("places") for x in slow["series"] for c in x["comparisons"]],
	"busy": [l for l in text.splitlines() if "GPU 1" in l],
}
checks = {
	"in parallel as clean as alone (s at most 1.5 times)": answer["s_ratio"] is None or answer["s_ratio"] <= 1.5,
	"no change where there is none": not {"regressed", "improved"} & set(verdicts),
	"at least 1.8 times as many invocations a minute": answer["throughput"] >= 1.8,
	"the GPU that is slower is named": any("GPU 1" in r for r in reasons),
	"the GPU that is taken is named": any("took no part" in l or "left the run" in l for l in answer["busy"]),
}
answer["checks"] = checks
json.dump(answer, open(f"{out}/devices.json", "w"), indent=1)
for k, v in answer.items():
	if k != "checks": print(f"{k}: {v}")
for k, v in checks.items(): print(("ok      " if v else "FAILED  ") + k)
sys.exit(0 if fake or all(checks.values()) else 1)
END
