#!/usr/bin/env python3
"""compare_scale.py BENCH_AGAINST [N]: files of 10^3, 10^4, ... N (10^6) benchmarks of five
repetitions, as Google Benchmark and as Go text, compared with `bench-against compare` and,
where they are, with Google Benchmark's compare.py and with benchstat on the same files.

Prints CPU seconds of each, and our peak memory. A tool that takes longer than LIMIT
seconds is stopped and not asked about larger files. By environment: LIMIT=600, DIR for the
files, COMPARE_PY, BENCHSTAT, KINDS=google,go."""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

REPETITIONS = 5
LIMIT = float(os.environ.get("LIMIT", "600"))


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


def main():
    tool = os.path.abspath(sys.argv[1])
    most = int(float(sys.argv[2])) if len(sys.argv) > 2 else 1_000_000
    compare_py = os.environ.get("COMPARE_PY") or next(
        (p for p in ("/usr/share/benchmark/compare.py", "/usr/share/benchmark/tools/compare.py",
                     "/usr/bin/google-benchmark-compare") if os.path.exists(p)), None)
    benchstat = os.environ.get("BENCHSTAT") or shutil.which("benchstat")
    directory = os.environ.get("DIR") or tempfile.mkdtemp(prefix="compare_scale_")
    others = {"google": [sys.executable, compare_py, "benchmarks"] if compare_py else None,
              "go": [benchstat] if benchstat else None}
    names = {"google": "compare.py", "go": "benchstat"}
    kinds = os.environ.get("KINDS", "google,go").split(",")
    print(f"{'format':8}{'benchmarks':>12}{'MB a file':>11}{'ours: CPU s':>13}{'s':>8}{'MB':>7}"
          f"{'csv: CPU s':>12}{'other':>12}{'CPU s':>9}{'times':>8}")
    count = 1000
    while count <= most:
        for kind, write, end in (("google", write_google, "json"), ("go", write_go, "txt")):
            if kind not in kinds:
                continue
            a = os.path.join(directory, f"a{count}.{end}")
            b = os.path.join(directory, f"b{count}.{end}")
            write(a, count, 1, False)
            write(b, count, 2, True)
            cpu, wall, mb = measure([tool, "compare", a, b])
            csv = measure([tool, "compare", a, b, "--format", "csv"])[0]
            row = (f"{kind:8}{count:>12}{os.path.getsize(a) / 1e6:>11.1f}{cpu:>13.2f}"
                   f"{wall:>8.2f}{mb:>7.0f}{csv:>12.2f}")
            if others[kind]:
                theirs = measure([*others[kind], a, b])
                if theirs is None:
                    row += f"{names[kind]:>12}  > {LIMIT:.0f} s"
                    others[kind] = None
                else:
                    row += f"{names[kind]:>12}{theirs[0]:>9.1f}{theirs[0] / cpu:>8.0f}"
            print(row, flush=True)
            os.remove(a)
            os.remove(b)
        count *= 10


if __name__ == "__main__":
    main()
