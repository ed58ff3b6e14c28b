#!/usr/bin/env python3
"""equal_runs.py BUILD OUT [PART=N...] [--jobs J] [--archives DIR] [--seconds S] [--tool FILE]

How often is equal code called changed? N runs of each part, each of a commit against itself and a
comment, as a user types them. One line a run goes to OUT/equal.csv, to which later calls add; the
table of all of them to OUT/equal.md. The status is 1 if any comparison was called changed.

  numba     launches by numba-cuda, 4 benchmarks, verdict on counts, host target
  pytest    pluggy's own suite of 27 tests (first_answer.py)
  asv       nine functions of networkx (first_answer.py)
  demo      the demo's repository, host target; the candidate has one more constant
  thousand  1,000 synthetic launch paths, --budget 120s (thousand.py)
  networkx  networkx' own asv suite, --budget 200s (BUDGET=600s: another); needs networkx.tar.gz among the archives, with
            networkx/ and benchmarks/ of a commit, as `git archive` makes it

Without PART: numba=25 pytest=25 asv=25 demo=25. J runs go on at a time, each on its own share of the
processors. After S seconds no run starts. The Python that runs this must have pytest, and numba-cuda
for numba. --archives: pluggy-1.7.0.tar.gz and networkx-3.6.1.tar.gz from PyPI, if there is no network."""
import argparse
import collections
import csv
import json
import os
import queue
import statistics
import subprocess
import sys
import tarfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import first_answer
import thousand
from time_to_verdict import note, run, write

CHANGED = ("regressed", "improved", "tail-regressed", "tail-improved")
USUAL = ["numba=25", "pytest=25", "asv=25", "demo=25"]
FIELDS = ["part", "seconds", "status", "stopped", "comparisons", "changed", "likely", "open", "failed", "which"]


class Lane:
    """Repositories and a cache of its own, and a share of the processors"""

    def __init__(self, args, number, cpus):
        self.args, self.cpus = args, cpus
        self.top = os.path.abspath(f"{args.out}/lane-{number}")
        self.made = {}

    def project(self, part):
        """a first_answer.Project; its environment serves the other parts, too"""
        args = argparse.Namespace(work=self.top, wheels=self.args.archives, python=sys.executable)
        return first_answer.Project(args, part)

    def python_suite(self, part):
        project = self.project(part)
        project.set_up()
        project.ours(self.args.tool, "same")
        return f"{self.top}/{part}.json"

    def pytest(self):
        return self.python_suite("pytest")

    def asv(self):
        return self.python_suite("asv")

    def numba(self):
        # its packages may be those of the user
        env = dict(self.project("asv").env, AA="1", HOME=os.environ["HOME"])
        script = os.path.join(HERE, "..", "gpu", "numba_cuda.sh")
        run(["sh", script, self.args.build, f"{self.top}/numba", "host", "equal-counts"], env=env)
        return f"{self.top}/numba/equal-counts-1.json"

    def demo(self):
        env, repo, path = self.project("asv").env, f"{self.top}/demo", f"{self.top}/demo.json"
        git = ["git", "-C", repo, "-c", "user.name=A", "-c", "user.email=a@example.com"]
        if "demo" not in self.made:
            run([self.args.tool, "demo", repo], env=env)
            run([*git, "checkout", "-q", "-b", "same", "baseline"], env=env)
            source = run([*git, "ls-files", "*.c"], env=env).split()[0]
            with open(f"{repo}/{source}", "a", encoding="utf-8") as f:
                f.write('\n__attribute__((used)) static const char same[] = "same";\n')
            run([*git, "commit", "-q", "-a", "-m", "same"], env=env)
        self.made["demo"] = True
        first_answer.at_a_terminal([self.args.tool, "baseline", "same", "--target", "host", "-o", path], repo, env)
        return path

    def thousand(self):
        where, path = f"{self.top}/thousand", f"{self.top}/thousand.json"
        if "thousand" not in self.made:
            thousand.repository(where, 1000, 0, 0)
        self.made["thousand"] = True
        thousand.measure(self.args.tool, where, path, "120s")
        return path

    def networkx(self):
        project, path = self.project("asv"), f"{self.top}/networkx.json"
        repo = f"{self.top}/networkx-suite"
        if "networkx" not in self.made:
            with tarfile.open(f"{self.args.archives}/networkx.tar.gz") as archive:
                archive.extractall(repo, filter="data")
            write(f"{repo}/.bench-against.json", json.dumps({"target": "host", "suites": {"networkx": {
                "kind": "worker", "pythonpath": ["."],
                "command": ["python3", "-m", "bench_against_worker", "--asv", "benchmarks/benchmarks"]}}}))
            git = ["git", "-C", repo, "-c", "user.name=A", "-c", "user.email=a@example.com"]
            run(["git", "init", "-q", "-b", "base", repo], env=project.env)
            for name in ("base", "same"):
                with open(f"{repo}/networkx/__init__.py", "a", encoding="utf-8") as f:
                    f.write(f"# {name}\n")
                run([*git, "add", "-A", "-f"], env=project.env)
                run([*git, "commit", "-q", "-m", name], env=project.env)
                run([*git, "tag", name], env=project.env)
        self.made["networkx"] = True
        with open(f"{self.top}/networkx.txt", "w", encoding="utf-8") as log:
            subprocess.run([self.args.tool, "refs/tags/base", "same", "--budget", os.environ.get("BUDGET", "200s"), "-o", path], cwd=repo,
                           env=project.env, stdout=log, stderr=log, check=False)
        return path

    def one(self, part):
        os.makedirs(self.top, exist_ok=True)
        os.sched_setaffinity(0, self.cpus)  # of this thread, and of what it starts
        result = getattr(self, part)()
        with open(result, encoding="utf-8") as f:
            document = json.load(f)
        os.remove(result)
        return row_of(part, document)


def row_of(part, document):
    said = {s["id"]: c["verdict"] for s in document["series"] if s.get("role") == "verdict"
            for c in s["comparisons"]}
    count = collections.Counter(said.values())
    changed = [f"{name} {verdict}" for name, verdict in said.items() if verdict in CHANGED]
    return dict(part=part, seconds=round(document["wall_seconds"], 1), comparisons=len(said),
                status=document["exit_status"],
                stopped=document["decision"]["stopped"], changed=len(changed), which="; ".join(changed),
                likely=sum(v for k, v in count.items() if k.startswith("likely")),
                open=count["inconclusive"], failed=count["failed"] + count["skipped"])


def table(rows):
    text = ("| suite | runs | seconds, median (all) | comparisons | called changed | likely | open | failed |\n"
            "|---|---:|---:|---:|---:|---:|---:|---:|\n")
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["part"]].append(row)
    for part, of in groups.items():
        seconds = sorted(float(row["seconds"]) for row in of)
        sums = [sum(int(row[field]) for row in of) for field in ("comparisons", "changed", "likely", "open", "failed")]
        text += (f"| {part} | {len(of)} | {statistics.median(seconds):.0f} ({seconds[0]:.0f} .. {seconds[-1]:.0f}) | "
                 f"{' | '.join(str(x) for x in sums)} |\n")
    return text


def work(lane, todo, add, args, failures):
    while time.monotonic() < args.ends:
        try:
            part = todo.get_nowait()
        except queue.Empty:
            return
        try:
            add(lane.one(part))
        except (Exception, SystemExit) as error:  # one run less, and the others go on
            failures.append(f"{part}: {error}")
            note(failures[-1])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("out")
    parser.add_argument("parts", nargs="*", default=USUAL)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--archives")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--tool")
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    args.tool = os.path.abspath(args.tool or f"{args.build}/bin/bench-against")
    args.archives = args.archives and os.path.abspath(args.archives)
    args.ends = time.monotonic() + args.seconds
    os.makedirs(args.out, exist_ok=True)
    todo, failures, lock = queue.Queue(), [], threading.Lock()
    # the parts in turn, so that each has its share if time runs out
    left = {part: int(n or 1) for part, _, n in (word.partition("=") for word in args.parts)}
    while any(left.values()):
        for part in [part for part, n in left.items() if n]:
            todo.put(part)
            left[part] -= 1
    path = f"{args.out}/equal.csv"
    if not os.path.exists(path):
        write(path, ",".join(FIELDS) + "\n")

    def add(row):
        with lock, open(path, "a", newline="", encoding="utf-8") as f:
            csv.DictWriter(f, FIELDS).writerow(row)
        note(f"{row['part']}: {row['seconds']} s, {row['changed']} called changed, {row['open']} open of "
             f"{row['comparisons']} {row['which']}")

    cpus = sorted(os.sched_getaffinity(0))
    share = max(1, len(cpus) // args.jobs)
    lanes = [Lane(args, i, set(cpus[i * share % len(cpus):][:share])) for i in range(args.jobs)]
    threads = [threading.Thread(target=work, args=(lane, todo, add, args, failures)) for lane in lanes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with open(path, encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    write(f"{args.out}/equal.md", table(rows))
    print(table(rows), end="")
    for text in failures:
        print(f"no result: {text}")
    sys.exit(1 if failures or any(int(row["changed"]) for row in rows) else 0)


if __name__ == "__main__":
    main()
