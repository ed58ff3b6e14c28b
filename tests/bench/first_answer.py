#!/usr/bin/env python3
"""first_answer.py BUILD WORK [PART...] [--runs N] [--wheels DIR] [--out FILE]

How long does the first answer take, as a new user types it, and is it right? Two refs, no option.
WORK gets an environment (pytest, and what --beside measures) and two repositories from PyPI:

  pytest   pluggy 1.7.0 with its own testing/benchmark.py, 27 tests. `slow` does 10 us more in each
           call of hooks: 19 tests are slower, and the eight of varnames are as before
  asv      networkx 3.6.1 with nine functions of the kinds that its own suite has. `slow` does 1 us
           more in Graph.neighbors: three are slower, six are as before
  demo     the repository of `bench-against demo`, host target; the second run, with built trees
  beside   the same with pytest-benchmark (one run a version; changed: min differs by more than 2 %)
           and `asv continuous --factor 1.02`

`same` is `base` and a comment. A comparison is wrong if it calls `same` or an untouched function
changed, or a slower one unchanged or improved; `inconclusive` is open. A table is printed, medians of
the runs; FILE gets every run. Leave the machine alone: the other tools have no other defence. Without a
network: --wheels with the packages' archives. equal_runs.py has many runs of equal code."""
import argparse
import collections
import glob
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tarfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from time_to_verdict import asv_folder, note, run, write

ASV = """import networkx as nx

GRID = nx.grid_2d_graph(8, 8)
NODES = list(GRID)
DIRECTED = nx.gn_graph(60, seed=1)


class Calls:
    def time_neighbors(self):
        for node in NODES:
            list(GRID.neighbors(node))

    def time_bfs(self):
        list(nx.bfs_edges(GRID, (0, 0)))

    def time_common_neighbors(self):
        for node in NODES[:20]:
            set(GRID.neighbors(node)) & set(GRID.neighbors(NODES[30]))


class Others:
    def time_add_edges(self):
        graph = nx.Graph()
        graph.add_edges_from(GRID.edges)

    def time_degree(self):
        dict(GRID.degree)

    def time_has_edge(self):
        for node in NODES:
            GRID.has_edge(node, NODES[0])

    def time_components(self):
        list(nx.connected_components(GRID))

    def time_topological_sort(self):
        list(nx.topological_sort(DIRECTED))

    def time_copy(self):
        GRID.copy()
"""
PARTS = {
    "pytest": dict(package="pluggy", version="1.7.0", source="src", options=["--pytest", "testing/benchmark.py"],
                   file="src/pluggy/_execution.py", before="    results: list[object] = []\n",
                   more="    sum(range(600))\n", kind=lambda name: "varnames" not in name),
    "asv": dict(package="networkx", version="3.6.1", source=".", options=["--asv", "asv_bench"],
                file="networkx/classes/graph.py", before="        try:\n            return iter(self._adj[n])\n",
                more="        sum(range(60))\n", kind=lambda name: "Calls" in name),
}


class Project:
    def __init__(self, args, part):
        self.name, self.how = part, PARTS[part]
        self.top = os.path.abspath(args.work)
        self.repo = f"{self.top}/{part}"
        # without --beside, and where pytest is at hand, no environment is needed
        self.python = getattr(args, "python", None) or f"{self.top}/venv/bin/python"
        self.archives = args.wheels and os.path.abspath(args.wheels)
        self.env = dict(os.environ, HOME=self.top, PATH=f"{os.path.dirname(self.python)}:{os.environ['PATH']}",
                        GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", NO_COLOR="1",
                        BENCH_AGAINST_CACHE=f"{self.top}/cache", PYTHONNOUSERSITE="1")
        if self.archives:
            self.env.update(PIP_NO_INDEX="1", PIP_FIND_LINKS=self.archives)

    def set_up(self):
        if not os.path.exists(self.python):
            run([sys.executable, "-m", "venv", f"{self.top}/venv"])
            run([self.python, "-m", "pip", "install", "-q", "pytest", "pytest-benchmark", "asv", "virtualenv"],
                env=self.env)
        if os.path.exists(f"{self.repo}.done"):
            return
        shutil.rmtree(self.repo, ignore_errors=True)
        name = f"{self.how['package']}-{self.how['version']}"
        folder = self.archives or self.top
        if not os.path.exists(f"{folder}/{name}.tar.gz"):
            run([self.python, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", folder,
                 name.replace("-", "==")], env=self.env)
        with tarfile.open(f"{folder}/{name}.tar.gz") as archive:
            archive.extractall(self.top, filter="data")
        os.rename(f"{self.top}/{name}", self.repo)
        if self.name == "asv":
            write(f"{self.repo}/asv_bench/__init__.py", "")
            write(f"{self.repo}/asv_bench/graphs.py", ASV)
        else:
            write(f"{self.repo}/src/pluggy/_version.py", "version = '1.7.0'\n")
        write(f"{self.repo}/.gitignore", "__pycache__\n")
        write(f"{self.repo}/.bench-against.json", json.dumps({"target": "host", "suites": {self.name: {
            "kind": "worker", "pythonpath": [self.how["source"]],
            "command": ["python3", "-m", "bench_against_worker", *self.how["options"]]}}}))
        run(["git", "init", "-q", "-b", "base", self.repo], env=self.env)
        self.commit("base", "")
        self.commit("same", "# a comment\n")
        self.commit("slow", self.how["more"])
        run(["git", "-C", self.repo, "checkout", "-q", "base"], env=self.env)
        write(f"{self.repo}.done", "")

    def commit(self, name, more):
        git = ["git", "-C", self.repo, "-c", "user.name=A", "-c", "user.email=a@example.com"]
        if name != "base":
            run([*git, "checkout", "-q", "-b", name, "base"], env=self.env)
            path = f"{self.repo}/{self.how['file']}"
            with open(path, encoding="utf-8") as f:
                text = f.read()
            if self.how["before"] not in text:
                sys.exit(f"{path}: does not have the lines where the change goes")
            write(path, text.replace(self.how["before"], more + self.how["before"]))
        run([*git, "add", "-A", "-f"], env=self.env)
        run([*git, "commit", "-q", "-m", name], env=self.env)
        shutil.rmtree(f"{self.top}/{self.name}-{name}", ignore_errors=True)
        run([*git, "worktree", "add", "-q", "--detach", f"{self.top}/{self.name}-{name}", name], env=self.env)

    def judge(self, verdicts, candidate):
        """how many of {name: verdict} are wrong and open, and how many there are"""
        said = collections.Counter()
        for name, verdict in verdicts.items():
            slower = candidate == "slow" and self.how["kind"](name)
            if verdict in ("inconclusive", "skipped", "failed"):
                said["open"] += 1
            elif (verdict == "regressed") != slower or verdict == "improved":
                said["wrong"] += 1
        return {"wrong": said["wrong"], "open": said["open"], "of": len(verdicts)}

    def ours(self, tool, candidate):
        path = f"{self.top}/{self.name}.json"
        start = time.monotonic()
        done = at_a_terminal([tool, "base", candidate, "-o", path], self.repo, self.env)
        seconds = time.monotonic() - start
        if done.returncode not in (0, 1):
            sys.exit(f"bench-against: status {done.returncode}\n{done.stdout}{done.stderr}")
        with open(path, encoding="utf-8") as f:
            result = json.load(f)
        verdicts = {s["id"]: s["comparisons"][0]["verdict"] for s in result["series"]
                    if s.get("role") == "verdict" and s["comparisons"]}
        return dict(self.judge(verdicts, candidate), seconds=seconds, status=done.returncode)

    def pytest_benchmark(self, candidate):
        least, start = {}, time.monotonic()
        for version in ("base", candidate):
            tree, path = f"{self.top}/{self.name}-{version}", f"{self.top}/other.json"
            run([self.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "testing/benchmark.py",
                 f"--benchmark-json={path}"], cwd=tree, env=dict(self.env, PYTHONPATH=f"{tree}/src"))
            with open(path, encoding="utf-8") as f:
                least[version] = {row["name"]: row["stats"]["min"] for row in json.load(f)["benchmarks"]}
        seconds = time.monotonic() - start
        change = {name: least[candidate][name] / x for name, x in least["base"].items()}
        return dict(self.judge({name: verdict_of(x) for name, x in change.items()}, candidate), seconds=seconds)

    def asv_continuous(self, candidate):
        top = f"{self.top}/asv-0"
        write(f"{top}/asv.conf.json", json.dumps(dict(json.load(open(f"{top}/asv.conf.json", encoding="utf-8")),
              benchmark_dir=f"{self.repo}/asv_bench", branches=["base"],
              build_command=[f"python {top}/asv_copy.py {{build_dir}}/networkx {{build_cache_dir}}/lib/networkx"])))
        for path in glob.glob(f"{top}/results/*/*-*.json"):
            os.remove(path)
        start = time.monotonic()
        done = subprocess.run([self.python, "-m", "asv", "continuous", "base", candidate, "--factor", "1.02"],
                              cwd=top, env=self.env, capture_output=True, text=True, check=False)
        seconds, medians = time.monotonic() - start, {}
        for version in ("base", candidate):
            commit = run(["git", "-C", self.repo, "rev-parse", version], env=self.env).strip()
            paths = glob.glob(f"{top}/results/*/{commit[:8]}-*.json")
            if not paths:
                sys.exit(f"asv: status {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
            with open(paths[0], encoding="utf-8") as f:
                result = json.load(f)
            medians[version] = {name: dict(zip(result["result_columns"], row))["result"][0]
                                for name, row in result["results"].items()}
        # asv's own list of what changed; names that it does not print did not change
        said = {name: "unchanged" for name in medians["base"]}
        for line in done.stdout.splitlines():
            words = line.replace("|", " ").split()
            if len(words) > 4 and words[0] in "+-" and words[-1] in said:
                said[words[-1]] = "regressed" if words[0] == "+" else "improved"
        return dict(self.judge(said, candidate), seconds=seconds)


def at_a_terminal(command, folder, env):
    """as a person sees it: there, a run without --budget aims at a minute"""
    return subprocess.run(["script", "-qec", shlex.join(command), "/dev/null"], cwd=folder, env=env,
                          capture_output=True, text=True, check=False)


def verdict_of(ratio):
    return "regressed" if ratio > 1.02 else "improved" if ratio < 1 / 1.02 else "unchanged"


def demo_run(args, tool, env):
    """the second run of the demo's branch contextvar"""
    repo = f"{os.path.abspath(args.work)}/demo"
    if not os.path.exists(repo):
        run([tool, "demo", repo], env=env)
    path = f"{os.path.abspath(args.work)}/demo.json"
    start = time.monotonic()
    done = at_a_terminal([tool, "baseline", args.demo_ref, "--target", "host", "-o", path], repo, env)
    seconds = time.monotonic() - start
    if done.returncode not in (0, 1):
        sys.exit(f"demo: status {done.returncode}\n{done.stdout}{done.stderr}")
    with open(path, encoding="utf-8") as f:
        said = [s["comparisons"][0]["verdict"] for s in json.load(f)["series"] if s.get("role") == "verdict"]
    return {"seconds": seconds, "status": done.returncode, "of": len(said), "open": said.count("inconclusive"),
            "wrong": sum(v in ("unchanged", "improved") for v in said)}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("work")
    parser.add_argument("parts", nargs="*", default=["pytest", "asv", "demo"])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--beside", action="store_true")
    parser.add_argument("--wheels")
    parser.add_argument("--out")
    parser.add_argument("--demo-ref", default="contextvar")
    args = parser.parse_args()
    tool = os.path.abspath(f"{args.build}/bin/bench-against")
    os.makedirs(args.work, exist_ok=True)
    rows = []

    def add(part, who, candidate, one):
        row = dict(one, part=part, tool=who, candidate=candidate)
        rows.append(row)
        note(f"{part}, {who}, {candidate}: {row['seconds']:.1f} s, {row['wrong']} wrong, "
             f"{row['open']} open of {row['of']}")

    for part in args.parts:
        if part == "demo":
            env = Project(args, "pytest").env
            demo_run(args, tool, env)   # builds
            for _ in range(args.runs):
                add(part, "bench-against", args.demo_ref, demo_run(args, tool, env))
            continue
        project = Project(args, part)
        project.set_up()
        for i in range(args.runs):
            for candidate in ("slow", "same"):
                add(part, "bench-against", candidate, project.ours(tool, candidate))
                if args.beside and part == "pytest":
                    add(part, "pytest-benchmark", candidate, project.pytest_benchmark(candidate))
                if args.beside and part == "asv":
                    if not i and candidate == "slow":   # its environment is not on the clock
                        asv_folder(project, 0)
                        run([project.python, "-m", "asv", "machine", "--yes"], cwd=f"{project.top}/asv-0",
                            env=project.env)
                        project.asv_continuous(candidate)
                    add(part, "asv continuous", candidate, project.asv_continuous(candidate))
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["part"], row["tool"], row["candidate"]].append(row)
    print("| suite | tool | candidate | runs | seconds, median (all) | wrong | open | of |\n|---|---|---|---:|---:|---:|---:|---:|")
    for key, of in groups.items():
        seconds = sorted(x["seconds"] for x in of)
        print(f"| {' | '.join(key)} | {len(of)} | {statistics.median(seconds):.1f} ({seconds[0]:.1f} .. {seconds[-1]:.1f}) | "
              f"{sum(x['wrong'] for x in of)} | {sum(x['open'] for x in of)} | {sum(x['of'] for x in of)} |")
    if args.out:
        write(os.path.abspath(args.out), json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
