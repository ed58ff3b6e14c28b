#!/usr/bin/env python3
"""compare_scale.py BENCH_AGAINST [N [report]]: files of 10^3, 10^4, ... N (10^6) benchmarks
of five repetitions, as Google Benchmark and as Go text, compared with `bench-against compare`
(the answer alone, every row as CSV, and the terminal) and, where they are, with Google Benchmark's
compare.py and with benchstat on the same files. With `report`: the results of such comparisons, and
of runs whose readings are many, in the forms of `bench-against report`.

Prints CPU seconds and peak MB of each; ours are medians of RUNS, as are their ratios to the answer
alone. "times" is how often ours fits into the other tool's time: the answer alone, and every row. A
tool that takes longer than LIMIT seconds is stopped and not asked about larger files. By
environment: RUNS=3, LIMIT=600, DIR for the files, COMPARE_PY, BENCHSTAT, KINDS=google,go."""
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

REPETITIONS = 5
LIMIT = float(os.environ.get("LIMIT", "600"))
RUNS = int(os.environ.get("RUNS", "3"))
WAYS = {"-q": ["-q"], "csv": ["--format", "csv"], "term": []}


def write_google(path, count, seed, slower):
    rng = random.Random(seed)
    with open(path, "w", encoding="utf-8") as out:
        out.write('{\n  "context": {\n    "date": "2026-01-01T00:00:00+00:00",\n'
                  '    "host_name": "h",\n    "executable": "./b",\n    "num_cpus": 2,\n'
                  '    "mhz_per_cpu": 2600,\n    "cpu_scaling_enabled": false,\n'
                  '    "caches": [],\n    "load_avg": [],\n'
                  '    "library_build_type": "release"\n  },\n  "benchmarks": [\n')
        for i in range(count):
            base = 100 + i % 977
            if slower and i % 100 == 0:
                base *= 1.5
            for r in range(REPETITIONS):
                t = base * (1 + 0.01 * rng.random())
                out.write(
                    f'    {{\n      "name": "suite/case{i % 1000}/n:{i}",\n'
                    f'      "family_index": {i},\n      "per_family_instance_index": 0,\n'
                    f'      "run_name": "suite/case{i % 1000}/n:{i}",\n'
                    f'      "run_type": "iteration",\n      "repetitions": {REPETITIONS},\n'
                    f'      "repetition_index": {r},\n      "threads": 1,\n'
                    f'      "iterations": 1000000,\n      "real_time": {t:.16e},\n'
                    f'      "cpu_time": {t * 0.99:.16e},\n      "time_unit": "ns"\n    }}')
                last = i == count - 1 and r == REPETITIONS - 1
                out.write("\n" if last else ",\n")
        out.write("  ]\n}\n")


def write_go(path, count, seed, slower):
    rng = random.Random(seed)
    with open(path, "w", encoding="utf-8") as out:
        out.write("goos: linux\ngoarch: amd64\npkg: example.com/x\ncpu: some\n")
        for i in range(count):
            base = 100 + i % 977
            if slower and i % 100 == 0:
                base *= 1.5
            for _ in range(REPETITIONS):
                t = base * (1 + 0.01 * rng.random())
                out.write(f"BenchmarkCase{i % 1000}/n={i}-2 \t 1000000\t {t:.1f} ns/op\n")


def measure(argv):
    """CPU seconds, seconds and MB of one run; None: it took longer than LIMIT"""
    code = ("import resource, subprocess, sys, time; start = time.monotonic(); "
            "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, "
            "stderr=subprocess.DEVNULL); r = resource.getrusage(resource.RUSAGE_CHILDREN); "
            "print(done.returncode, r.ru_utime + r.ru_stime, time.monotonic() - start, "
            "r.ru_maxrss / 1024)")
    child = subprocess.Popen([sys.executable, "-c", code, *argv], stdout=subprocess.PIPE,
                             text=True, start_new_session=True)
    try:
        out, _ = child.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        return None
    status, cpu, wall, mb = out.split()
    if status not in ("0", "1"):
        sys.exit(f"{' '.join(argv)}: status {status}")
    return float(cpu), float(wall), float(mb)


def measure_ways(tool, a, b):
    """name: (CPU seconds, MB), in turn, so that a busy minute meets all of them"""
    runs = {name: [] for name in WAYS}
    for _ in range(RUNS):
        for name, options in WAYS.items():
            runs[name].append(measure([tool, "compare", a, b, *options]))
    return {name: (statistics.median(r[0] for r in of), statistics.median(r[2] for r in of))
            for name, of in runs.items()}


def compare_all(tool, most, directory):
    compare_py = os.environ.get("COMPARE_PY") or next(
        (p for p in ("/usr/share/benchmark/compare.py", "/usr/share/benchmark/tools/compare.py",
                     "/usr/bin/google-benchmark-compare") if os.path.exists(p)), None)
    benchstat = os.environ.get("BENCHSTAT") or shutil.which("benchstat")
    others = {"google": [sys.executable, compare_py, "benchmarks"] if compare_py else None,
              "go": [benchstat] if benchstat else None}
    names = {"google": "compare.py", "go": "benchstat"}
    kinds = os.environ.get("KINDS", "google,go").split(",")
    print(f"{'format':8}{'benchmarks':>12}{'MB a file':>11}" +
          "".join(f"{name + ': s':>9}{'MB':>6}" for name in WAYS) +
          f"{'csv/-q':>8}{'term/-q':>8}{'other':>12}{'s':>8}{'MB':>7}{'times -q':>9}{'csv':>6}")
    count = 1000
    while count <= most:
        for kind, write, end in (("google", write_google, "json"), ("go", write_go, "txt")):
            if kind not in kinds:
                continue
            a = os.path.join(directory, f"a{count}.{end}")
            b = os.path.join(directory, f"b{count}.{end}")
            write(a, count, 1, False)
            write(b, count, 2, True)
            ours = measure_ways(tool, a, b)
            row = f"{kind:8}{count:>12}{os.path.getsize(a) / 1e6:>11.1f}" + "".join(
                f"{cpu:>9.2f}{mb:>6.0f}" for cpu, mb in ours.values())
            cpu = ours["-q"][0]
            row += f"{ours['csv'][0] / cpu:>8.2f}{ours['term'][0] / cpu:>8.2f}"
            if others[kind]:
                theirs = measure([*others[kind], a, b])
                if theirs is None:
                    row += f"{names[kind]:>12}  > {LIMIT:.0f} s"
                    others[kind] = None
                else:
                    row += (f"{names[kind]:>12}{theirs[0]:>8.1f}{theirs[2]:>7.0f}"
                            f"{theirs[0] / cpu:>9.1f}{theirs[0] / ours['csv'][0]:>6.1f}")
            print(row, flush=True)
            os.remove(a)
            os.remove(b)
        count *= 10


FORMATS = ("term", "markdown", "csv", "junit", "html", "json")


def report_one(tool, what, path):
    row = f"{what:>24}{os.path.getsize(path) / 1e6:>9.0f}"
    for name in FORMATS:
        done = measure([tool, "report", "--format", name, path])
        row += "".rjust(14) if done is None else f"{done[0]:>8.2f}{done[2]:>6.0f}"
    print(row, flush=True)


def samples_of(rng, invocation, blocks):
    """two variants, ABBA, a reading a visit"""
    order = [v for b in range(blocks) for v in ((0, 1, 1, 0) if b % 2 else (1, 0, 0, 1))]
    return {"invocation": invocation, "seed": "1", "participants": 2, "has_floor": False,
            "positions": 4, "blocks": blocks, "readings": 1, "batch": 16,
            "started_ns": 0, "wall_ns": blocks * 160000, "order": order,
            "ns": [40000 + rng.randrange(900) for _ in order],
            "block_at_ns": [b * 160000 for b in range(blocks)]}


def write_readings(path, small, readings):
    """the result `small` with 12 invocations of readings in each series"""
    with open(small, encoding="utf-8") as file:
        document = json.load(file)
    rng = random.Random(3)
    blocks = readings // (12 * 4 * len(document["series"]))
    for series in document["series"]:
        series["samples"] = [samples_of(rng, i, blocks) for i in range(12)]
    with open(path, "w", encoding="utf-8") as out:
        json.dump(document, out)


def report_all(tool, most, directory):
    print(f"{'CPU seconds, peak MB':>24}{'MB':>9}" +
          "".join(f"{name:>11}   " for name in FORMATS))
    a, b, result = (os.path.join(directory, n) for n in ("a.txt", "b.txt", "result.json"))
    small = os.path.join(directory, "small.json")
    count = 100
    while count <= most:
        write_go(a, count, 1, False)
        write_go(b, count, 2, True)
        measure([tool, "compare", a, b, "--format", "csv", "--output", result])
        os.remove(a)
        os.remove(b)
        if count == 100:
            os.rename(result, small)
        else:
            report_one(tool, f"{count} benchmarks", result)
            os.remove(result)
        count *= 10 if count > 100 else 100
    for readings in (1_000_000, 10_000_000):
        write_readings(result, small, readings)
        report_one(tool, f"{readings} readings", result)
        os.remove(result)
    os.remove(small)


def main():
    tool = os.path.abspath(sys.argv[1])
    most = int(float(sys.argv[2])) if len(sys.argv) > 2 else 1_000_000
    directory = os.environ.get("DIR") or tempfile.mkdtemp(prefix="compare_scale_")
    job = report_all if sys.argv[3:] == ["report"] else compare_all
    job(tool, most, directory)


if __name__ == "__main__":
    main()
