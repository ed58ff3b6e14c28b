"""agree.py RESULT COLD HOT [LIMIT]: this tool's times of kernels beside Nsight Compute's.

RESULT is a result file with gpu_cold and gpu_hot; COLD and HOT are what
`ncu --csv --print-units base --metrics gpu__time_duration.sum` said of the same kernels, with its caches
flushed before each launch (--cache-control all) and left alone (none). Medians are compared; exit
status 1 if one is further off than LIMIT (0.03), or a case is missing.
"""
import csv
import json
import re
import statistics
import sys

# what a case's id holds, and its kernel's name
CASES = [
    ("copy/n=33554432", r"copy$"),
    ("saxpy/n=33554432", r"saxpy$"),
    ("softmax/rows=8192,columns=4096", r"softmax_4096$"),
    ("sgemm/m=4096,n=4096,k=4096", r"sgemm$"),
    ("attention/B=32,H=16,S=512,d=64,dtype=f16,causal=no", r"attention_.*_d64_fp16$"),
    ("attention/B=4,H=16,S=4096,d=128,dtype=f16,causal=no", r"attention_.*_d128_fp16$"),
]


def ncu_medians(path):
    """kernel name -> median duration in nanoseconds, and how many launches"""
    times = {}
    with open(path, encoding="utf-8", errors="replace", newline="") as lines:
        rows = csv.reader(line for line in lines if line.startswith('"'))
        head = next(rows, [])
        for row in rows:
            cell = dict(zip(head, row))
            if cell.get("Metric Name") != "gpu__time_duration.sum":
                continue
            if cell["Metric Unit"] not in ("ns", "nsecond"):
                sys.exit("agree.py: '%s' is in %s, not in ns" % (path, cell["Metric Unit"]))
            times.setdefault(cell["Kernel Name"], []).append(float(cell["Metric Value"].replace(",", "")))
    return {name: (statistics.median(t), len(t)) for name, t in times.items()}


def ours(result, metric, case):
    for series in result["series"]:
        if series["metric"] == metric and series["id"].split("/", 1)[1].startswith(case):
            return series["variants"][0]["median_ns"]
    return None


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit("usage: agree.py RESULT COLD HOT [LIMIT]")
    with open(sys.argv[1], encoding="utf-8") as file:
        result = json.load(file)
    limit = float(sys.argv[4]) if len(sys.argv) == 5 else 0.03
    bad = 0
    print("%-52s %-8s %10s %10s %7s %9s" % ("case", "metric", "ours us", "ncu us", "ratio", "launches"))
    for metric, path in (("gpu_cold", sys.argv[2]), ("gpu_hot", sys.argv[3])):
        medians = ncu_medians(path)
        for case, pattern in CASES:
            mine = ours(result, metric, case)
            found = [v for k, v in medians.items() if re.match(pattern, k)]
            if mine is None or len(found) != 1:
                print("%-52s %-8s %s" % (case, metric, "not in the result" if mine is None else
                                         "%d kernels of ncu match" % len(found)))
                bad += 1
                continue
            ratio = mine / found[0][0]
            off = abs(ratio - 1) > limit
            bad += off
            print("%-52s %-8s %10.2f %10.2f %7.4f %9d%s" % (
                case, metric, mine / 1e3, found[0][0] / 1e3, ratio, found[0][1], "  OFF" if off else ""))
    print("%d of %d beyond %g" % (bad, 2 * len(CASES), limit))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
