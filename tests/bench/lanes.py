"""lanes.py BUILD [--runs N] [--target host|gpu] [--threshold T]
[--at-once K] [--out FILE]: does the untrusted lane say of honest
code what duet says?

Compares the demo's baseline with its branches v2 (as fast) and contextvar (slower) N times in each lane, in turns,
and prints for each benchmark the median ratio in both, by how much they differ, the half width of the intervals, and
the time of a run; then which verdicts disagree. BUILD is a build folder or an installed tool, without sanitizers.
Exit status 1 where a candidate is called slower in one lane and not in the other (by the median ratio and the
threshold), or the ratios differ by more than 0.5 %, unless their own scatter is larger. Runs side by side (K) use a
processor each; 2 minutes for 25 runs on a quiet machine with 8 processors."""

import argparse
import concurrent.futures
import json
import math
import os
import statistics
import subprocess
import tempfile
import time

LANES = {"duet": ["--engine", "duet", "--measure-identical"], "untrusted": ["--untrusted"]}
MOST = 0.005


def measure(tool, repo, lane, target, threshold, out, environment):
    metric = "host" if target == "host" else "submit"
    start = time.monotonic()
    done = subprocess.run(
        [tool, "--target", target, *LANES[lane], "--metrics", metric, "--fixed", "4", "--filter", "*args=[02]*", "--threshold",
         threshold, "--no-history", "-o", out, "baseline", "v2", "contextvar"],
        cwd=repo, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seconds = time.monotonic() - start
    if not os.path.exists(out):
        raise SystemExit(f"{lane}: status {done.returncode}: {done.stdout}")
    with open(out, encoding="utf-8") as f:
        document = json.load(f)
    rows = []
    for series in document["series"]:
        for c in series["comparisons"]:
            name = series["id"], document["variants"][c["candidate"]]["label"]
            rows.append((name, c["verdict"], c["ratio"], (c["high"] - c["low"]) / 2))
    return lane, seconds, document["measure_seconds"], rows


def spread(values):
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build")
    p.add_argument("--runs", type=int, default=25)
    p.add_argument("--target", default="host")
    p.add_argument("--threshold", default="2%")
    p.add_argument("--at-once", type=int, default=1)
    p.add_argument("--out")
    o = p.parse_args()
    tool = os.path.join(os.path.abspath(o.build), "bin", "bench-against")
    results = []
    with tempfile.TemporaryDirectory() as top:
        environment = dict(os.environ, BENCH_AGAINST_CACHE=top + "/cache", NO_COLOR="1")
        subprocess.run([tool, "demo", top + "/repo"], check=True, stdout=subprocess.DEVNULL, env=environment)
        for lane in LANES:  # builds
            measure(tool, top + "/repo", lane, o.target, o.threshold, f"{top}/{lane}.json", environment)
        with concurrent.futures.ThreadPoolExecutor(o.at_once) as pool:
            jobs = [pool.submit(measure, tool, top + "/repo", lane, o.target, o.threshold, f"{top}/{lane}{i}.json", environment)
                    for i in range(o.runs) for lane in LANES]
            results = [j.result() for j in jobs]
    if o.out:
        with open(o.out, "w", encoding="utf-8") as f:
            json.dump(results, f)
    wrong = 0
    print(f"{'benchmark':32} {'candidate':11} {'duet':>7} {'untrusted':>9} {'differ':>8} {'interval ±':>16}  verdicts")
    for name in sorted({row[0] for _, _, _, rows in results for row in rows}):
        mine = {lane: [row for l, _, _, rows in results if l == lane for row in rows if row[0] == name] for lane in LANES}
        ratio = {lane: [row[2] for row in mine[lane]] for lane in LANES}
        median = {lane: statistics.median(ratio[lane]) for lane in LANES}
        differ = median["untrusted"] / median["duet"] - 1
        noise = 2 * 1.25 * math.hypot(spread(ratio["duet"]), spread(ratio["untrusted"]))
        bad = abs(differ) > max(MOST, noise)
        words = {lane: sorted({f"{[r[1] for r in mine[lane]].count(v)} {v}" for v in {r[1] for r in mine[lane]}}) for lane in LANES}
        said = {lane: {r[1] for r in mine[lane]} for lane in LANES}
        bad = bad or ("regressed" in said["duet"]) != ("regressed" in said["untrusted"])
        wrong += bad
        width = {lane: 100 * statistics.median(r[3] for r in mine[lane]) for lane in LANES}
        print(f"{name[0]:32} {name[1]:11} {median['duet']:7.4f} {median['untrusted']:9.4f} {100 * differ:+7.2f}% "
              f"{width['duet']:6.2f}, {width['untrusted']:5.2f} %  {'; '.join(', '.join(words[l]) for l in LANES)}{'  !' if bad else ''}")
    for lane in LANES:
        print(f"{lane}: {statistics.median(r[1] for r in results if r[0] == lane):.1f} s a run, of which measuring "
              f"{statistics.median(r[2] for r in results if r[0] == lane):.1f} s")
    raise SystemExit(1 if wrong else 0)


main()
