"""attention_table.py ATTENTION.json [--all]: attention of kernels/ beside PyTorch's, as Markdown.

ATTENTION.json is what attention.sh leaves: both in one run, on the same inputs. Times are
microseconds; a ratio is the time of PyTorch's best backend over ours, so that more than 1 says that
ours is faster. A row for each shape, with the range over types and masks; --all: a row for each
case, and which backend was the best.
"""
import collections
import json
import sys

METRICS = ["gpu_cold", "gpu_hot", "wall_cold", "wall_hot"]
THEIRS = ["default", "flash", "cudnn", "efficient", "math"]


def times_of(document):
    """case -> metric -> who -> microseconds, in the order of the file"""
    times = collections.OrderedDict()
    for series in document["series"]:
        _, name, axes = series["id"].split("/")
        axes = collections.OrderedDict(a.split("=") for a in axes.split(","))
        who = "naive" if name == "attention_naive" else axes.pop("backend", "plugin")
        axes.pop("kernel", None)
        ns = series["variants"][0].get("trimmed_ns")
        if ns:
            metrics = times.setdefault(tuple(axes.items()), {})
            metrics.setdefault(series["metric"], {})[who] = ns / 1e3
    return times


def best_of(times):
    return min((t, who) for who, t in times.items() if who in THEIRS)


def tflops(case, us):
    axes = dict(case)
    flop = 4.0 * int(axes["B"]) * int(axes["H"]) * int(axes["S"]) ** 2 * int(axes["d"])
    return flop / (2 if axes["causal"] == "yes" else 1) / us / 1e6


def span(values, digits=1):
    low, high = ("%.*f" % (digits, f(values)) for f in (min, max))
    return low if low == high else "%s to %s" % (low, high)


def line(cells):
    print("| %s |" % " | ".join(cells))


def by_shape(times):
    shapes = collections.OrderedDict()
    for case, metrics in times.items():
        shapes.setdefault(case[:4], []).append((case, metrics))
    line(["shape", "naive, GPU cold"] +
         [c for m in METRICS for c in ("%s, µs" % m, "PyTorch / ours")] + ["TFLOP/s"])
    line(["---"] + ["---:"] * (2 + 2 * len(METRICS)))
    for shape, rows in shapes.items():
        naive = [m["gpu_cold"]["naive"] for _, m in rows if "naive" in m["gpu_cold"]]
        cells = ["`%s`" % ",".join("=".join(a) for a in shape), span(naive, 0) if naive else ""]
        for metric in METRICS:
            cells.append(span([m[metric]["plugin"] for _, m in rows]))
            cells.append(span([best_of(m[metric])[0] / m[metric]["plugin"] for _, m in rows], 2))
        line(cells + [span([tflops(c, m["gpu_hot"]["plugin"]) for c, m in rows], 0)])


def by_case(times):
    line(["case"] + [c for m in METRICS for c in ("%s, µs" % m, "PyTorch's best", "ratio")])
    line(["---"] + ["---:"] * (3 * len(METRICS)))
    for case, metrics in times.items():
        cells = ["`%s`" % ",".join("=".join(a) for a in case)]
        for metric in METRICS:
            best, who = best_of(metrics[metric])
            ours = metrics[metric]["plugin"]
            cells += ["%.1f" % ours, "%s %.1f" % (who, best), "%.2f" % (best / ours)]
        line(cells)


def main():
    names = [a for a in sys.argv[1:] if a != "--all"]
    if len(names) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    with open(names[0], encoding="utf-8") as file:
        times = times_of(json.load(file))
    (by_case if "--all" in sys.argv else by_shape)(times)
    print()
    for metric in METRICS:
        print("%s: ours is at least as fast as PyTorch's best backend in %d of %d cases, its default in %d." % (
            metric, sum(best_of(m[metric])[0] >= m[metric]["plugin"] for m in times.values()), len(times),
            sum(m[metric]["default"] >= m[metric]["plugin"] for m in times.values())))
    return 0


sys.exit(main())
