#!/bin/sh
# sh tests/gpu/numba_cuda.sh BUILD OUT [gpu|host] [PART...]: how soon launches by numba-cuda get verdicts,
# with defaults and a budget, and whether these are right. Needs python3 with numba-cuda, and git.
#
# The repository has numba-cuda as it is installed and commits that change the way to a launch:
#   same    a comment           light   0.1 us of Python (truly within 2 %)
#   medium  about 2 us          heavy   about 8 us
# Parts: times (5 refs, 10 benchmarks, BUDGET=120s), counts (the same, the verdict on instructions),
# equal (two copies, AA=3 runs), equal-counts (two copies, the verdict on instructions). On the host
# target: 2 refs and 4 benchmarks. Leaves NAME.json, NAME.txt and summary.txt in OUT: seconds, and verdicts
# by ref. A commit that is called what it is not is WRONG.
set -eu
build=$(cd "$1" && pwd)
out=$(mkdir -p "$2" && cd "$2" && pwd)
target=${3:-gpu}
shift; shift; [ $# -eq 0 ] || shift
parts=${*:-times counts equal}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1 COLUMNS=160
PATH=$build/bin:$PATH
: >"$out/summary.txt"

mkdir "$work/repo" && cd "$work/repo"
git init -q .
cp -R "$(python3 -c 'import numba_cuda; print(numba_cuda.__path__[0])')" numba_cuda
rm -rf numba_cuda/numba/cuda/tests
cp "$root/examples/python/launch/bench.py" "$root/examples/python/launch/.bench-against.json" .
printf '__pycache__/\n' >.gitignore
dispatcher=numba_cuda/numba/cuda/dispatcher.py
# variant NAME STATEMENT: a branch whose launches begin with the statement
variant() {
	git checkout -q base
	sed -i "s/^        prev_args = launch_config._push_args(args)\$/        $2\n&/" $dispatcher
	git checkout -q -B "$1"
	git -c user.name=x -c user.email=x@example.org -c commit.gpgsign=false commit -q -a -m "$1"
}
git checkout -q -b base
git add -A -f . && git -c user.name=x -c user.email=x@example.org -c commit.gpgsign=false commit -q -m base
variant same '# a comment'
variant light 'sharedmem = sharedmem or 0'
variant medium 'sum(range(200))'
variant heavy 'sum(range(800))'
git checkout -q base

# against NAME ARGUMENTS: a run, its seconds and its verdicts by ref
against() {
	name=$1
	shift
	start=$(date +%s)
	status=0
	# at a terminal, because somebody who waits gets an answer within about a minute
	script -qec "bench-against $(printf "'%s' " "$@") --target $target --output '$out/$name.json'" /dev/null \
		>"$out/$name.txt" || status=$?
	python3 - "$out/$name.json" "$name" "$(($(date +%s) - start))" "$status" <<'END' | tee -a "$out/summary.txt"
import collections, json, sys
path, name, seconds, status = sys.argv[1:]
truth = {"same": {"unchanged", "identical"}, "light": {"unchanged"}, "medium": {"regressed"}, "heavy": {"regressed"}}
UNDECIDED = {"inconclusive", "skipped", "failed"}
said, wrong = collections.defaultdict(collections.Counter), 0
try:
    document = json.load(open(path))
except OSError:
    document = {"series": []}
for s in document["series"]:
    if s["role"] != "verdict":
        continue
    for c in s["comparisons"]:
        verdict, ref = c["verdict"], document["variants"][c["candidate"]]["label"]
        said[s["metric"], ref][verdict] += 1
        wrong += verdict not in UNDECIDED and verdict not in truth.get(ref, {verdict})
print("%-8s %4s s, exit %s, WRONG %d" % (name, seconds, status, wrong))
for (metric, ref), counts in said.items():
    print("         %-12s %-8s %s" % (metric, ref, ", ".join("%s %d" % x for x in counts.items())))
END
}

refs='base same light medium heavy' filter='*launch/*grid=kept'
[ "$target" = gpu ] || refs='base medium' filter='*launch/args=[02],*grid=kept'
for part in $parts; do
	case $part in
	# shellcheck disable=SC2086 # words are what is wanted
	times) against times $refs --filter "$filter" --budget "${BUDGET:-120s}" ;;
	# shellcheck disable=SC2086
	counts) against counts $refs --filter "$filter" --metrics instructions --verdict-on instructions ;;
	equal)
		for i in $(seq "${AA:-3}"); do
			against "equal-$i" base same --filter "$filter" --budget "${BUDGET:-120s}"
		done
		;;
	equal-counts)
		for i in $(seq "${AA:-3}"); do
			# shellcheck disable=SC2086
			against "equal-counts-$i" base same --filter "$filter" --metrics instructions --verdict-on instructions
		done
		;;
	*) echo "numba_cuda.sh: '$part' is not a part: times, counts, equal or equal-counts" >&2; exit 2 ;;
	esac
done
