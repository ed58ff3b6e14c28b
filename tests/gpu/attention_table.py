"""attention_table.py TIMES SDPA [--all]: attention of kernels/ beside PyTorch's, as a Markdown table.

TIMES is time.txt or tune.txt of kernels.sh (its rows kernel=0: the chosen kernel), SDPA its sdpa.txt. Times
are microseconds; a ratio is PyTorch's time over ours, so that more than 1 says that ours is faster. A
row for each shape, with the range over types and masks; --all: a row for each case.

    python3 tests/gpu/attention_table.py OUT/time.txt OUT/sdpa.txt
"""
import collections
import re
import sys

OURS = re.compile(r"right\s+attention/(\S+),kernel=0\s.*host ([\d.]+) us\s+gpu ([\d.]+) us")
THEIRS = re.compile(r"(\S+)\s+(\w+)\s+gpu\s+([\d.]+) us\s+host\s+([\d.]+) us")
HEAD = ["shape", "GPU, µs", "TFLOP/s", "PyTorch's best backend", "ratio", "host-inclusive, µs",
        "PyTorch's default", "ratio", "its best", "ratio"]


def read(path, pattern):
    with open(path, encoding="utf-8") as lines:
        return [m.groups() for m in map(pattern.match, lines) if m]


def case(shape, host, gpu, backends):
    """the figures of one row: name, and a number for each column"""
    axes = dict(part.split("=") for part in shape.split(","))
    flop = 4.0 * int(axes["B"]) * int(axes["H"]) * int(axes["S"]) ** 2 * int(axes["d"])
    flop /= 2 if axes["causal"] == "yes" else 1
    best_gpu = min(times[0] for times in backends.values())
    best_host = min(times[1] for times in backends.values())
    default = backends["default"][1]
    return [gpu, flop / gpu / 1e6, best_gpu, best_gpu / gpu, host, default, default / host,
            best_host, best_host / host]


def cell(numbers, digits):
    low, high = ("%.*f" % (digits, n) for n in (min(numbers), max(numbers)))
    return low if low == high else low + " to " + high


def main():
    arguments = [a for a in sys.argv[1:] if a != "--all"]
    if len(arguments) != 2:
        sys.exit("usage: attention_table.py TIMES SDPA [--all]")
    theirs = collections.defaultdict(dict)
    for shape, backend, gpu, host in read(arguments[1], THEIRS):
        theirs[shape][backend] = (float(gpu), float(host))
    rows = collections.defaultdict(list)
    behind = count = 0
    for shape, host, gpu in read(arguments[0], OURS):
        if "default" not in theirs.get(shape, {}):
            continue
        figures = case(shape, float(host), float(gpu), theirs[shape])
        rows[shape if "--all" in sys.argv else shape.split(",dtype=")[0]].append(figures)
        count += 1
        behind += figures[-1] < 1
    if not count:
        sys.exit("attention_table.py: no shape of kernel=0 in '%s' is in '%s'" % tuple(arguments))
    print("| " + " | ".join(HEAD) + " |")
    print("|---|" + "---:|" * (len(HEAD) - 1))
    for name, figures in rows.items():
        cells = [cell(column, digits) for column, digits in zip(zip(*figures), (1, 0, 1, 2, 1, 1, 2, 1, 2))]
        print("| `%s` | %s |" % (name, " | ".join(cells)))
    print("\n%d of %d cases take longer than PyTorch's best, host-inclusive." % (behind, count))


if __name__ == "__main__":
    main()
