#!/usr/bin/env python3
"""gpu.py carry DIR [--clones DIR]      where git and pip work: the sources of the cases of "gpu"
gpu.py run DIR OUT [PART]            on a machine with a GPU, bench-against on the PATH

Parts: cub (nvcc builds sixteen programs at a time) and python, about four minutes each. Results are OUT/*.json,
*.txt, and summary.json with the answers of bench-against, nvbench-compare and pytest-benchmark: case, pair, said.

A case of CUB is caught if any of its states is called changed in the direction of the case; its neighbour is a
false alarm if any is. Needs NVBench's Python package for its library and headers (DIR/nvbench) and, for
"python", torch and triton. The variable CASES chooses cases, BUDGET is that of a run (15s); TARGET=host tries launches without a GPU."""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from backtest import BENCH, CHANGED, HERE, PYTEST, run, write

CUB = ["cub/cub", "thrust/thrust", "libcudacxx/include"]
PYTHON = {"NVIDIA/numba-cuda": ["numba_cuda", "setup.py", "pyproject.toml", "README.md", "site-packages"], "pytorch/helion": ["helion"]}
GIT = ["-c", "user.name=b", "-c", "user.email=b@example.org", "-c", "commit.gpgsign=false"]
CLI = ["--target", os.environ.get("TARGET", "gpu"), "--budget", os.environ.get("BUDGET", "15s")]


def rows():
    with open(f"{HERE}/cases.json", encoding="utf-8") as f:
        return [row for row in json.load(f)["gpu"] if row["id"] in os.environ.get("CASES", row["id"]).split()]


def pairs(row):
    return {"change": (row.get("base", row["culprit"] + "~1"), row["culprit"]), "neighbour": row["neighbour"]}


def name(commit):
    return re.sub("[^A-Za-z0-9.]", "-", commit)


def commit(repo, tag):
    run(["git", "-C", repo, "add", "-A", "-f"])
    run(["git", "-C", repo, *GIT, "commit", "-q", "--allow-empty", "-m", tag])
    run(["git", "-C", repo, "tag", tag])


def carry(args):
    """one repository a project, with a commit for each revision that a case needs and nothing else of the tree"""
    for row in rows():
        owner, project = row["project"].split("/")
        repo, paths = f"{args.dir}/{project}", CUB if project == "cccl" else PYTHON.get(row["project"])
        if not os.path.exists(f"{repo}/.git"):
            run(["git", "init", "-q", repo])
        clone = f"{args.clones}/{owner}+{project}/repo" if args.clones else f"{args.dir}/clone/{project}"
        if paths and not os.path.exists(clone):
            run(["git", "clone", "-q", "--bare", f"https://github.com/{row['project']}", clone])
        for revision in sorted({c for pair in pairs(row).values() for c in pair}):
            if run(["git", "-C", repo, "tag", "-l", name(revision)])[1].strip():
                continue
            for entry in os.listdir(repo):
                if entry != ".git":
                    shutil.rmtree(f"{repo}/{entry}") if os.path.isdir(f"{repo}/{entry}") else os.remove(f"{repo}/{entry}")
            if paths:
                run(["sh", "-c", f"git -C '{clone}' archive '{revision}' {' '.join(paths)} | tar -x -C '{repo}'"])
            else:
                release(revision, repo)
            commit(repo, name(revision))
        for entry in os.listdir(repo):      # the commits are in .git
            if entry != ".git":
                shutil.rmtree(f"{repo}/{entry}") if os.path.isdir(f"{repo}/{entry}") else os.remove(f"{repo}/{entry}")


def release(version, repo):
    """a release of cuda-bindings for Python 3.12, without what is not needed to call the driver"""
    with tempfile.TemporaryDirectory() as work:
        run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--python-version", "3.12",
             "--platform", "manylinux_2_28_x86_64", "--platform", "manylinux_2_24_x86_64", "--platform", "manylinux2014_x86_64",
             "-d", work, f"cuda-bindings=={version}"])
        run([sys.executable, "-m", "zipfile", "-e", glob.glob(f"{work}/*.whl")[0], repo])
    for path in glob.glob(f"{repo}/**/*", recursive=True):
        if os.path.isfile(path) and (path.endswith((".pyx", ".pxd", ".cpp", ".in", ".h")) or re.search(
                r"nvjitlink|cufile|nvvm|nvml|tests/", path)):
            os.remove(path)


class Run:
    """the second half: what is measured on the GPU"""

    def __init__(self, args):
        self.dir, self.out, self.part = os.path.abspath(args.dir), os.path.abspath(args.out), args.part
        self.work, self.answers, self.start = tempfile.mkdtemp(), [], time.monotonic()
        os.makedirs(self.out, exist_ok=True)
        nv = glob.glob(f"{self.dir}/nvbench/cuda/bench/cu13/nvbench")
        self.nvbench = nv[0] if nv else ""
        self.env = dict(os.environ, BENCH_AGAINST_CACHE=f"{self.work}/cache", BENCH_AGAINST_HISTORY=f"{self.work}/history",
                        NO_COLOR="1", GIT_CONFIG_GLOBAL="/dev/null")

    def note(self, row, pair, tool, said, seconds):
        self.answers.append({"case": row["id"], "pair": pair, "tool": tool, "said": said, "seconds": round(seconds, 1)})
        print(f"{time.monotonic() - self.start:5.0f} s {row['id']} {pair} {tool}: {said}", flush=True)
        write(f"{self.out}/summary.json", json.dumps(self.answers, indent=1))

    def tree(self, project, revision):
        tree = f"{self.work}/{project}/{name(revision)}"
        if not os.path.exists(tree):
            run(["git", "-C", f"{self.dir}/{project}", "worktree", "add", "-q", "--detach", tree, name(revision)])
        return tree

    def build(self, row, revision):
        tree = self.tree("cccl", revision)
        program = f"{tree}/{row['program']}.bench"
        run(["nvcc", "-O2", "-std=c++17", "-arch=native", f"-DCASE_{row['program']}=1", *[f"-I{tree}/{p}" for p in (
            "cub", "thrust", "libcudacxx/include")], f"-I{self.nvbench}/include", f"{HERE}/cub.cu", "-o", program,
            f"-L{self.nvbench}/lib", "-lnvbench", "-lcuda", "-Xlinker", f"-rpath,{self.nvbench}/lib",
            "-L/usr/local/cuda/lib64/stubs", "-Xlinker", "--allow-shlib-undefined"], timeout=400)
        return program

    def ours(self, row, repo):
        for pair, (a, b) in pairs(row).items():
            out, start = f"{self.out}/{row['id']}-{pair}.json", time.monotonic()
            _, text, _ = run(["bench-against", name(a), name(b), *CLI, "-o", out], good=(), cwd=repo, env=self.env)
            write(out[:-4] + "txt", text)
            said = "failed"
            if os.path.exists(out):
                with open(out, encoding="utf-8") as f:
                    verdicts = [c["verdict"] for s in json.load(f)["series"] if s["role"] == "verdict" for c in s["comparisons"]]
                said = self.sum_up([CHANGED.get(v, {"unchanged": "same", "identical": "same", "inconclusive": "open"}.get(v, "failed"))
                                    for v in verdicts], row, pair)
            self.note(row, pair, "bench-against", said, time.monotonic() - start)

    @staticmethod
    def sum_up(said, row, pair):
        if pair == "change" and row["direction"] in said:
            return row["direction"]
        for answer in ("slower", "faster", "open", "same"):
            if answer in said and (answer in ("slower", "faster") or pair == "neighbour" or answer == "same" or "same" not in said):
                return answer
        return "failed"

    def cub(self):
        todo = {(row["program"], revision): row for row in rows() if "program" in row for p in pairs(row).values() for revision in p}
        with ThreadPoolExecutor(16) as pool:
            futures = {key: pool.submit(self.build, row, key[1]) for key, row in todo.items()}
        for row in [r for r in rows() if "program" in r]:
            repo, programs = f"{self.work}/repo-{row['id']}", {}
            run(["git", "init", "-q", repo])
            try:
                for revision in [c for pair in pairs(row).values() for c in pair]:
                    programs[revision] = futures[row["program"], revision].result()
                    shutil.copy(programs[revision], f"{repo}/cub.bench")
                    write(f"{repo}/.bench-against.json", json.dumps({"suites": {"cub": {
                        "kind": "nvbench", "command": ["./cub.bench"]}}}))
                    if not run(["git", "-C", repo, "tag", "-l", name(revision)])[1].strip():
                        commit(repo, name(revision))
            except (RuntimeError, subprocess.TimeoutExpired) as e:
                write(f"{self.out}/{row['id']}-error.txt", str(e))
                self.note(row, "change", "build", "failed", 0)
                continue
            self.ours(row, repo)
            self.nvbench_compare(row, programs)

    def nvbench_compare(self, row, programs):
        env = dict(self.env, PYTHONPATH=f"{self.dir}/nvbench")
        for pair, (a, b) in pairs(row).items():
            start, files = time.monotonic(), []
            for revision in (a, b):
                files.append(f"{self.work}/{row['id']}-{name(revision)}.json")
                run([programs[revision], "--json", files[-1], "--timeout", "3"], env=self.env)
            status, text, _ = run([sys.executable, "-m", "cuda.bench.scripts.nvbench_compare", "--no-color", *files], good=(), env=env)
            write(f"{self.out}/{row['id']}-{pair}-compare.txt", text)
            marks = {"SLOW": "slower", "FAST": "faster", "SAME": "same"}
            said = [marks[m] for m in re.findall(r"\b(SLOW|FAST|SAME)\b", text.split("# Summary")[0])]
            self.note(row, pair, "nvbench-compare", self.sum_up(said, row, pair) if said else f"failed, status {status}",
                      time.monotonic() - start)

    def python(self):
        for row in [r for r in rows() if "program" not in r]:
            project = row["project"].split("/")[1]
            repo = f"{self.work}/repo-{row['id']}"
            try:
                run(["git", "clone", "-q", f"{self.dir}/{project}", repo])
                write(f"{repo}/.git/info/exclude", "backtest\n.bench-against.json\n")
                shutil.copytree(HERE, f"{repo}/backtest", ignore=shutil.ignore_patterns("*.cu", "*.cpp", "__pycache__"))
                write(f"{repo}/backtest/bench.py", BENCH % ('gpu=True, metrics=["submit"]', row["id"]))
                write(f"{repo}/backtest/test_case.py", PYTEST % row["id"])
                suite = {"kind": "worker", "command": ["python3", "-m", "bench_against_worker", "backtest/bench.py"]}
                config = {"overlay": {"from": "worktree", "paths": ["backtest"]}}
                if project == "numba-cuda":
                    config["build"] = {"command": ["python3", "setup.py", "-q", "build_ext", "--inplace"]}
                    suite["pythonpath"] = [".", "site-packages"]
                write(f"{repo}/.bench-against.json", json.dumps(dict(config, suites={"bench": suite})))
                run(["git", "-C", repo, "config", "core.excludesFile", os.devnull])
                write(f"{repo}/.git/info/exclude", "")
                self.ours(row, repo)
                self.pytest_benchmark(row, repo, config.get("build", {}).get("command"))
            except (RuntimeError, subprocess.TimeoutExpired) as e:
                write(f"{self.out}/{row['id']}-error.txt", str(e))
                self.note(row, "change", "all", "failed", 0)

    def pytest_benchmark(self, row, repo, build):
        for pair, revisions in pairs(row).items():
            start, mean = time.monotonic(), []
            for revision in revisions:
                tree = self.tree(row["project"].split("/")[1], revision)
                if not os.path.exists(f"{tree}/backtest"):
                    shutil.copytree(f"{repo}/backtest", f"{tree}/backtest")
                    if build:
                        run(build, cwd=tree)
                out = f"{self.work}/pytest.json"
                run(["python3", "-m", "pytest", "-q", "-c", os.devnull, "--rootdir=backtest", f"--benchmark-json={out}",
                     "backtest/test_case.py"], cwd=tree, env=dict(self.env, PYTHONPATH=f"{tree}:{tree}/site-packages:{tree}/backtest"))
                with open(out, encoding="utf-8") as f:
                    mean.append(json.load(f)["benchmarks"][0]["stats"]["mean"])
            said = "slower" if mean[1] > 1.05 * mean[0] else "faster" if mean[0] > 1.05 * mean[1] else "same"
            self.note(row, pair, "pytest-benchmark", said, time.monotonic() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["carry", "run"])
    parser.add_argument("dir")
    parser.add_argument("out", nargs="?", default="out")
    parser.add_argument("part", nargs="?", choices=["cub", "python"])
    parser.add_argument("--clones")
    args = parser.parse_args()
    if args.what == "carry":
        carry(args)
        return
    work = Run(args)
    for part in [args.part] if args.part else ["cub", "python"]:
        getattr(work, part)()


if __name__ == "__main__":
    main()
