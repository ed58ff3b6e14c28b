#!/bin/sh
# sh tests/gpu/python.sh OUT [PART...]: the Python examples on this GPU. Needs bench-against on
# the PATH, git, and a python3 with PyTorch or Numba; what is not there is skipped with a word.
# Writes result files and tables into OUT. Parts (all by default): tests sdpa clock numba aa planted.
# What Numba's launches take differs by per cents from process to process: BUDGET (10m) ends each of
# their comparisons, with what is open then inconclusive.
#
#   tests    the module's own tests, and its GPU time beside PyTorch's events
#   sdpa     attention by each backend, both types, causal and not; SHAPES (a glob) for fewer
#   clock    a softmax over 33 MB cold, hot and rotating, flushed by reading and by writing: the
#            GPU's clock that each visit saw, blocks that were measured again, and the times
#   numba    launches of 0 to 4 arguments, with signature and by dispatch
#   aa       the same commit as two refs, AA_RUNS (5) times: no verdict may be a change
#   planted  a commit that adds work to every run, an addition on the GPU and about 3 us of Python: it
#            must be found
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
parts=${*:-tests sdpa clock numba aa planted}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1 COLUMNS=160

wants() { case " $parts " in *" $1 "*) true ;; *) false ;; esac; }
has() { python3 -c "import $1" 2>/dev/null || {
	echo "$1 is not here: skipped"
	false
}; }

# project NAME: the example as a repository in $work/NAME, and there
project() {
	if [ ! -d "$work/$1" ]; then
		cp -R "$root/examples/python/$1" "$work/$1"
		git -C "$work/$1" init -q .
		commit "$1" "as it is"
	fi
	cd "$work/$1"
}
commit() {
	git -C "$work/$1" add -A
	git -C "$work/$1" -c user.name=x -c user.email=x@example.org -c commit.gpgsign=false \
		commit -q -m "$2"
}

# against NAME ARGUMENTS: NAME.json, NAME.txt and NAME.csv in OUT
against() {
	name=$1
	shift
	start=$(date +%s)
	bench-against "$@" --output "$out/$name.json" >"$out/$name.txt" 2>"$out/$name.err" ||
		echo "$name: exit status $?"
	[ -f "$out/$name.json" ] && bench-against report --format csv "$out/$name.json" \
		>"$out/$name.csv" 2>/dev/null || true
	echo "$name: $(($(date +%s) - start)) s; $(tail -1 "$out/$name.txt")"
	tail -3 "$out/$name.err"
}

# table NAME: a row a case, a column a metric, microseconds; TFLOP/s of the cold time
table() {
	python3 - "$out/$1.json" <<'END' | tee "$out/$1.table.txt"
import json, sys
document = json.load(open(sys.argv[1]))
flop = {b["id"]: b.get("flop") or 0 for b in document["benchmarks"]}
rows, metrics = {}, []
for s in document["series"]:
    v = s["variants"][0]
    cell = v.get("failure") or v.get("skipped") or v.get("trimmed_ns") or v.get("mean_ns")
    rows.setdefault(s["id"], {})[s["metric"]] = cell
    if s["metric"] not in metrics:
        metrics.append(s["metric"])
print("%-60s" % "" + "".join("%12s" % m for m in metrics) + "%12s" % "TFLOP/s")
for name, cells in rows.items():
    texts = [c for c in cells.values() if isinstance(c, str)]
    if texts:
        print("%-60s  %s" % (name, texts[0]))
        continue
    line = "%-60s" % name
    for m in metrics:
        line += "%12.2f" % (cells[m] / 1e3) if cells.get(m) else "%12s" % ""
    ns = cells.get("gpu_cold")
    print(line + ("%12.1f" % (flop[name] / ns / 1e3) if ns and flop.get(name) else ""))
END
}

verdicts() { # of each result file: metric, verdict, how often
	python3 - "$@" <<'END'
import collections, json, sys
count = collections.Counter()
for name in sys.argv[1:]:
    for s in json.load(open(name))["series"]:
        for c in s["comparisons"]:
            count[s["metric"], c["verdict"]] += 1
for (metric, verdict), n in sorted(count.items()):
    print("%-12s %-14s %d" % (metric, verdict, n))
END
}

if wants tests; then
	(cd "$root/python" && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. python3 -m unittest discover -s tests) 2>&1 | tail -4
	has torch && PYTHONPATH="$root/python" python3 - <<'END' | tee "$out/events.txt"
# the module's GPU time of a kernel, beside PyTorch's own events around many of them
import torch
from bench_against_worker import Case, cuda
a = torch.randn(4096, 4096, device="cuda", dtype=torch.float16)
b = torch.randn(4096, 4096, device="cuda", dtype=torch.float16)
gpu = cuda.Gpu(cuda.Driver(), 0)
gpu.warm_up()
for name, run in (("matmul 4096", lambda: a @ b), ("add 4096", lambda: a + b),
                  ("add 1", lambda: a[0, :1] + b[0, :1])):
    case = Case(run)
    for _ in range(20):
        run()
    torch.cuda.synchronize()
    hot = min(gpu.hot(case, 20) for _ in range(9)) / 20
    cold = min(gpu.cold(case, 1) for _ in range(20))
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    best = 1e30
    for _ in range(9):
        torch.cuda._sleep(2_000_000)
        start.record()
        for _ in range(20):
            run()
        end.record()
        end.synchronize()
        best = min(best, start.elapsed_time(end) * 1e6 / 20)
    print("%-12s module hot %9.2f us  cold %9.2f us  torch events %9.2f us  ratio %.4f"
          % (name, hot / 1e3, cold / 1e3, best / 1e3, hot / best))
# a run that waits for the GPU must be found out
try:
    gpu.hot(Case(lambda: float((a[0, 0] + 1).item())), 4)
    print("WRONG: a run that waits was timed")
except cuda.GateError as error:
    print("found out:", error)
END
fi

if wants sdpa && has torch; then
	project attention
	against sdpa run HEAD --fixed 2 --filter "${SHAPES:-*}"
	[ ! -f "$out/sdpa.json" ] || table sdpa
fi

if wants clock && has torch; then
	mkdir -p "$work/clock"
	cat >"$work/clock/bench.py" <<'END'
import functools
import torch
from bench_against_worker import Case, benchmark

@benchmark(gpu=True, axes={"n": [512, 2896]})
def softmax(n, sets):
    arrays = [torch.randn(n, n, device="cuda") for _ in range(sets)]
    size = 4 * n * n
    return Case([functools.partial(torch.softmax, x, -1) for x in arrays],
                bytes_read=size, bytes_written=size)
END
	cp "$root/examples/python/attention/.bench-against.json" "$work/clock/" # it names bench.py, too
	git -C "$work/clock" init -q .
	commit clock "sets of inputs"
	cd "$work/clock"
	for how in read write; do
		against "clock-$how" run HEAD --fixed 2 --flush $how --metrics gpu_cold,gpu_hot,gpu_rotate
		[ -f "$out/clock-$how.json" ] || continue
		table "clock-$how"
		python3 - "$out/clock-$how.json" <<'END' | tee -a "$out/clock-$how.table.txt"
import json, sys
document = json.load(open(sys.argv[1]))
print("flushed by %(flush)s, probe after a flush / at first touch %(flush_ratio).3f"
      % document["environment"])
for s in document["series"]:
    visits = [k for sample in s["samples"] for k in sample.get("khz", [])]
    blocks = [m for sample in s["samples"] for m in sample.get("clock_events", [])]
    mhz = [k / 1e3 for k in visits if k] or [0]
    print("%-11s clock of %d visits (%d not known) %.0f .. %.0f MHz; counters of %d blocks, moved in "
          "%d, %d measured again" % (s["metric"], len(visits), visits.count(0), min(mhz), max(mhz),
          len(blocks), sum(m != 0 for m in blocks), sum(x["repeated"] for x in s["samples"])))
END
	done
fi

if wants numba && has numba.cuda; then
	project launch
	against numba run HEAD --fixed 2
	[ ! -f "$out/numba.json" ] || table numba
fi

if wants aa; then
	for i in $(seq "${AA_RUNS:-5}"); do
		if has torch >/dev/null; then
			project attention
			against "aa-sdpa-$i" --measure-identical HEAD HEAD \
				--filter '*S=128,d=64,dtype=f16,causal=no,backend=default'
		fi
		if has numba.cuda >/dev/null; then
			project launch
			against "aa-numba-$i" --measure-identical HEAD HEAD \
				--filter '*args=[02],dispatch=lazy,grid=kept' --budget "${BUDGET:-10m}"
		fi
	done
	for kind in sdpa numba; do
		set -- "$out/aa-$kind"-*.json
		[ ! -f "$1" ] || { echo "A/A $kind" && verdicts "$@"; } | tee "$out/aa-$kind.summary.txt"
	done
fi

if wants planted; then
	if has torch >/dev/null; then
		project attention
		git tag -f before >/dev/null
		sed -i 's/result\[:\] = \[F.scaled_dot_product_attention(q, k, v,/result[:] = [F.scaled_dot_product_attention(q + 0, k, v,/' bench.py
		commit attention "an addition before"
		against planted-sdpa before HEAD --filter '*B=32,H=8,S=256,d=64,dtype=f16,causal=no,backend=default'
		cat "$out/planted-sdpa.txt"
		git reset -q --hard before
	fi
	if has numba.cuda >/dev/null; then
		project launch
		git tag -f before >/dev/null
		sed -i 's/return lambda: configured(\*arrays)/return lambda: (sum(range(300)), configured(*arrays))/' bench.py
		commit launch "a little Python before"
		against planted-numba before HEAD --filter '*args=[02],dispatch=lazy,grid=kept' \
			--budget "${BUDGET:-10m}"
		cat "$out/planted-numba.txt"
		git reset -q --hard before
	fi
fi
