# shellcheck shell=sh
# To be sourced after cluster.sh, with $build set: launchers whose cost is known, the fake driver
# with its virtual clock, and a run of them.
tool=$build/bin/bench-against
driver=$build/tests/fakecuda/lib/libcuda.so.1
top=$(mktemp -d /tmp/ba-slurm-XXXXXX)
CLUSTER_TRASH=$top
export BENCH_AGAINST_CACHE="$top/cache" BENCH_AGAINST_HISTORY="$top/history.sqlite"
# in virtual time, so the samples of an invocation depend on its number alone
export BA_FAKE_CUDA='launch_ns=0;clock_ns=0;call_ns=10'
mkdir "$top/work"
cd "$top/work"
echo '{"suites": {"launch": {"kind": "launcher", "library": "launcher.so", "args": [0]}}}' \
	>.bench-against.json
for cost in cost100 cost110; do
	mkdir $cost && cp "$build/tests/suites/$cost.so" $cost/launcher.so
done

fail()
{
	echo "FAIL: $1"
	shift
	[ $# -eq 0 ] || tail -n 30 "$@"
	exit 1
}

# measure NAME OPTIONS...: NAME.json, NAME.out, NAME.err; its exit status
measure()
{
	_run=$1
	shift
	"$tool" path:cost100 path:cost110 --in-place --fake-driver "$driver" --metrics submit \
		--blocks 8 --batch 16 --seed 7 --config .bench-against.json --no-history -q \
		-o "$_run.json" "$@" >"$_run.out" 2>"$_run.err"
}

# samples NAME: what the verdict comes from and the verdict, without who measured it
samples()
{
	python3 - "$1.json" <<-'END'
		import json, sys
		result = json.load(open(sys.argv[1]))
		for series in result["series"]:
		    print(series["id"], series["metric"], series["comparisons"])
		    for sample in series["samples"]:
		        for real in "origin", "started_ns", "wall_ns":
		            sample.pop(real, None)
		        print(json.dumps(sample, sort_keys=True))
	END
}

# origins NAME: who measured how many invocations
origins()
{
	python3 - "$1.json" <<-'END'
		import json, sys
		result = json.load(open(sys.argv[1]))
		made = {}
		for series in result["series"]:
		    for sample in series["samples"]:
		        made.setdefault(sample.get("origin", 0), set()).add(sample["invocation"])
		for i, o in enumerate(result.get("origins", [])):
		    print(len(made.get(i, ())), o["job"], o["name"], o["left"] or "")
	END
}

# where the lines of two files differ first
differences()
{
	python3 - "$1.samples" "$2.samples" <<-'END'
		import sys
		for x, y in zip(open(sys.argv[1]), open(sys.argv[2])):
		    if x != y:
		        at = next(i for i in range(len(x)) if x[i] != y[i])
		        print(x[max(0, at - 60):at + 40], "|", y[max(0, at - 60):at + 40])
	END
}

# same ONE OTHER COUNT: the same samples of so many invocations, and the same verdict
same()
{
	for _run in "$1" "$2"; do
		samples "$_run" >"$_run.samples" || fail "$_run.json" "$_run.out" "$_run.err"
	done
	cmp "$1.samples" "$2.samples" || fail "$2 is not $1: $(differences "$1" "$2")"
	_made=$(grep -o '"invocation": [0-9]*' "$2.samples" | sort -u | wc -l)
	[ "$_made" -eq "$3" ] || fail "$_made of $3 invocations"
}
