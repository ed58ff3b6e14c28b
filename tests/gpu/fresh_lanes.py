"""fresh_lanes.py BUILD OUT [KERNELS.so]: does the untrusted lane say of honest GPU code what a trusting run says?

The suite of tests/suites/fresh.c with 0, 3 and 10 per cent of work that nobody needs, in both lanes: verdict, change with
interval, seconds, and the overhead of a visit. Then, if KERNELS.so is given (of kernels/), each of its benchmarks at one
size, twice the same code. Exit status 1 if a verdict is wrong, or the ratios differ by more than 0.5 % and more than their
intervals. Writes result files into OUT."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

TOOL = os.path.join(os.path.abspath(sys.argv[1]), "bin", "bench-against")
OUT = os.path.abspath(sys.argv[2])
KERNELS = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
LANES = {"trusted": ["--engine", "split", "--metrics", "gpu_hot", "--measure-identical"], "untrusted": ["--untrusted"]}
failed = []


def git(*arguments):
    subprocess.run(["git", *arguments], check=True, stdout=subprocess.DEVNULL)


def begin(config):
    git("init", "-q", "-b", "main", ".")
    git("config", "user.name", "t")
    git("config", "user.email", "t@example.org")
    with open(".bench-against.json", "w", encoding="utf-8") as f:
        json.dump(config, f)


def commit(name, path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    git("add", "-A")
    git("commit", "-qm", name)
    git("tag", name)


def run(lane, name, *arguments):
    out = os.path.join(OUT, f"{name}-{lane}.json")
    done = subprocess.run(
        [TOOL, *LANES[lane], "--no-history", "--threshold", "2%", "-o", out, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if not os.path.exists(out):
        print(f"NOT SO: {name}, {lane}: status {done.returncode}: {done.stdout}")
        failed.append(name)
        return []
    with open(out, encoding="utf-8") as f:
        document = json.load(f)
    rows = []
    for series in document["series"]:
        if series["role"] != "verdict" and lane == "untrusted":
            continue
        for c in series["comparisons"]:
            label = document["variants"][c["candidate"]]["label"]
            ratio, low, high = (c.get(k) or float("nan") for k in ("ratio", "low", "high"))
            batch = series["samples"][0]["batch"] if series["samples"] else 0
            rows.append((series["id"], label, c["verdict"], ratio, (high - low) / 2))
            base = series["variants"][0].get("trimmed_ns") or 0
            print(f"{series['id']:46} {label:6} {lane:9} {c['verdict']:12} {100 * (ratio - 1):+7.2f} % +- {50 * (high - low):.2f} %"
                  f"  {base / 1e3:9.1f} us x {batch}  {c.get('reason') or ''}"[:230])
    e = document.get("evidence") or {}
    print(f"    {name}, {lane}: status {done.returncode}, {document['seconds'] if 'seconds' in document else document['measure_seconds']:.1f} s, "
          f"overhead {100 * e.get('overhead_share', 0):.1f} %, {e.get('fresh', 0)} visits, {e.get('checks', 0)} checks")
    return rows


def steps(top):
    os.mkdir(os.path.join(top, "steps"))
    os.chdir(os.path.join(top, "steps"))
    begin({"build": {"commands": [["cc", "-O1", "-fPIC", "-shared", "-I.", "-Iinclude", "-o", "libsuite.so", "fresh.c", "-pthread"]]},
           "suites": {"gpu": {"kind": "plugin", "library": "libsuite.so"}}})
    shutil.copytree(os.path.join(ROOT, "include"), "include")
    shutil.copy(os.path.join(ROOT, "tests", "suites", "fresh.c"), ".")
    with open(".gitignore", "w", encoding="utf-8") as f:
        f.write("libsuite.so\n")
    changes = {"base": -1, "same": 0, "three": 3, "ten": 10}
    for name, extra in changes.items():
        commit(name, "deed.h", f"#define DEED HONEST /* {name} */\n#define EXTRA {max(extra, 0)}\n")
    rows = {lane: run(lane, "steps", "base", "same", "three", "ten") for lane in LANES}
    for a, b in zip(rows["trusted"], rows["untrusted"]):
        slower = changes[a[1]] > 0
        for row in (a, b):
            if (row[2] == "regressed") != slower and row[2] != "inconclusive":
                print("NOT SO:", row)
                failed.append(row)
        apart = abs(a[3] / b[3] - 1)
        print(f"{a[1]}: ratios {100 * apart:.2f} % apart")
        if apart > 0.005 and apart > a[4] + b[4]:
            failed.append(("apart", a, b))


def kernels(top):
    os.mkdir(os.path.join(top, "kernels"))
    os.chdir(os.path.join(top, "kernels"))
    begin({"suites": {"kernels": {"kind": "plugin", "library": "kernels.so"}}})
    shutil.copy(KERNELS, "kernels.so")
    commit("base", "note", "1")
    commit("same", "note", "2")
    for row in run("untrusted", "kernels", "--fixed", "4", *sys.argv[4:], "base", "same"):
        if row[2] not in ("unchanged", "inconclusive", "skipped"):
            print("NOT SO:", row)
            failed.append(row)


with tempfile.TemporaryDirectory() as top:
    os.environ["BENCH_AGAINST_CACHE"] = os.path.join(top, "cache")
    os.makedirs(OUT, exist_ok=True)
    steps(top)
    if KERNELS:
        kernels(top)
sys.exit(1 if failed else 0)
