#!/usr/bin/env python3
"""backtest.py BUILD WORK [STEP...] [--case GLOB] [--clones DIR] [--budget TIME]

Known changes of public projects (cases.json), measured by bench-against and by what people use today.
Each case has the change (base and culprit) and a neighbour: two adjacent commits of the same project
that cannot matter for its benchmark. Steps, in this order, all of them by default:

  ours      bench-against BASE CULPRIT and the neighbour, with its defaults
  again     where that gave no verdict: with --metrics instructions, and if that gives none, without --budget
  bisect    bench-against bisect over commits around the culprit, or between the two releases
  peers     asv continuous and pytest-benchmark (Python), hyperfine (programs and scripts), Google
            Benchmark's compare.py (C++): the rule of each with its defaults
  table     the table of everything in WORK, as Markdown

A peer has called a case changed if: asv prints + or - (factor 1.1); the means of pytest-benchmark differ
by more than 5 % (the example of its documentation, for it has no default); hyperfine's ratio lies more than
its own +- from 1; compare.py's U test has p < 0.05.

Sources come from github.com with git. --clones DIR: DIR/OWNER+NAME/repo is cloned instead. Packages come
from pip. BUILD is a build of this project. C++ needs Google Benchmark, code needs nvcc; the cases of
"gpu" are for gpu.sh. WORK keeps what was found, case/ID/STEP.json: that is not measured again."""
import argparse
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SITE = "lib/python%d.%d/site-packages" % sys.version_info[:2]
COMMON = ["pytest", "pytest-benchmark", "asv", "virtualenv"]
STEPS = ("ours", "again", "bisect", "peers", "table")
CHANGED = {"regressed": "slower", "improved": "faster", "tail-regressed": "slower", "tail-improved": "faster"}
BENCH = """import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import workloads  # noqa: E402
from bench_against_worker import benchmark  # noqa: E402


@benchmark(%s)
def case():
    return workloads.CASES[%r]()
"""
PYTEST = """import workloads


def test_case(benchmark):
    benchmark(workloads.CASES[%r]())
"""
ASV = """import importlib.util

_spec = importlib.util.spec_from_file_location("workloads", %r)
_workloads = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_workloads)


class Case:
    def setup(self):
        self.call = _workloads.CASES[%r]()

    def time_case(self):
        self.call()
"""
# as many calls for both sides as take a third of a second
SCRIPT = """import sys
import time
sys.path.insert(0, %r)
import workloads
call = workloads.CASES[%r]()
start = time.perf_counter()
for _ in range(int(sys.argv[1])):
    call()
print(time.perf_counter() - start)
"""
# asv keeps a copy of a tree, and installs it by a line that puts its folder and the case's packages first
INSTALL = """import shutil, sys
if sys.argv[1] == "copy":
    shutil.copytree(*sys.argv[2:4], dirs_exist_ok=True)
else:
    lib, site, packages = sys.argv[2:5]
    open(site + "/case.pth", "w").write(f"import sys; sys.path[:0] = [{lib!r}]; sys.path.append({packages!r})\\n")
"""


def run(command, good=(0,), **how):
    """status, output and seconds of a command; ends the program if the status is not a good one"""
    start = time.monotonic()
    how.setdefault("timeout", 900)
    done = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    if good and done.returncode not in good:
        raise RuntimeError(f"{' '.join(command)}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode, done.stdout + done.stderr, round(time.monotonic() - start, 1)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


class Case:
    """a case of cases.json with its clone, its environment, and what was found so far"""

    def __init__(self, args, kind, row):
        self.args, self.row, self.kind, self.id = args, row, kind, row["id"]
        self.top = os.path.join(os.path.abspath(args.work), "case", self.id)
        self.repo = os.path.join(self.top, "repo")
        self.venv = os.path.join(self.top, "venv")
        self.path = row.get("path", ".")
        self.culprit = row.get("candidate", row["culprit"])
        self.base = row.get("base", row["culprit"] + "~1")
        self.pairs = {"change": (self.base, self.culprit), "neighbour": tuple(row["neighbour"])}
        tool = os.path.join(os.path.abspath(args.build), "bin")
        shared = os.path.join(os.path.abspath(args.work), "venv")
        self.env = dict(os.environ, PATH=f"{tool}:{self.venv}/bin:{shared}/bin:{os.environ['PATH']}",
                        GIT_CONFIG_GLOBAL="/dev/null", BENCH_AGAINST_CACHE=f"{self.top}/cache",
                        BENCH_AGAINST_HISTORY=f"{self.top}/history", NO_COLOR="1", PYTHONNOUSERSITE="1")
        self.env.pop("PYTHONPATH", None)

    def known(self, step):
        """what an earlier run of a step found, or None"""
        try:
            with open(f"{self.top}/{step}.json", encoding="utf-8") as f:
                return json.load(f)
        except OSError:
            return None

    def git(self, *words):
        return run(["git", "-C", self.repo, *words], env=self.env)[1].strip()

    def prepare(self):
        """the clone with the benchmark in its working tree, and an environment with the case's packages"""
        if os.path.exists(f"{self.top}/ready"):
            return
        for left in (self.repo, self.venv):
            shutil.rmtree(left, ignore_errors=True)
        os.makedirs(self.top, exist_ok=True)
        owner, name = self.row["project"].split("/")
        local = self.args.clones and os.path.join(self.args.clones, f"{owner}+{name}", "repo")
        source = local or f"https://github.com/{owner}/{name}"
        run(["git", "clone", "-q", "--no-checkout", source, self.repo], env=self.env)
        self.git("checkout", "-q", "--detach", self.base)
        self.write_benchmark()
        if self.kind == "python":
            run([sys.executable, "-m", "venv", "--without-pip", self.venv])
            shared = os.path.join(os.path.abspath(self.args.work), "venv")
            if self.row.get("packages"):
                run([sys.executable, "-m", "pip", "install", "-q", "--target", f"{self.venv}/{SITE}",
                     *self.row["packages"]], env=self.env)
            write(f"{self.venv}/{SITE}/shared.pth", f"{shared}/{SITE}\n")
        write(f"{self.top}/ready", "")

    def write_benchmark(self):
        folder = f"{self.repo}/backtest"
        config = {"target": "host"}
        if self.kind == "python":
            launch = self.row.get("kind") == "host-launch"
            shutil.copy(f"{HERE}/workloads.py", self.folder(folder))
            write(f"{folder}/bench.py", BENCH % ('gpu=True, metrics=["submit"]' if launch else "", self.id))
            write(f"{folder}/test_case.py", PYTEST % self.id)
            write(f"{folder}/conftest.py", "")
            suite = {"kind": "worker", "command": ["python3", "-m", "bench_against_worker", "backtest/bench.py"]}
            if self.row.get("kind") == "import":
                suite = {"kind": "command", "command": ["hyperfine", "-N", "-w", "2", "-r", "10", "--export-json",
                                                        "{output}", "python3 -c 'import pyparsing'"]}
            if launch:
                config["build"] = {"commands": [["python3", "setup.py", "-q", "build_ext", "--inplace"]]}
                # its redirector gives numba.cuda its name
                suite["pythonpath"] = [".", "site-packages"]
            elif self.path != ".":
                suite["pythonpath"] = [self.path]
        elif self.kind == "cxx":
            shutil.copy(f"{HERE}/{self.id}.cpp", self.folder(folder))
            config["build"] = {"commands": [
                ["c++", "-O3", "-DNDEBUG", "-std=c++17", "-Iinclude", f"backtest/{self.id}.cpp", "src/format.cc",
                 "src/os.cc", "-o", "bench", "-lbenchmark", "-lpthread"]]}
            suite = {"kind": "google-benchmark", "command": ["./bench"]}
        else:
            shutil.copy(f"{HERE}/merge-sort.cu", self.folder(folder))
            config["build"] = {"commands": [
                ["nvcc", "-std=c++17", "-O3", "-arch=sm_90", "-Icub", "-Ithrust", "-Ilibcudacxx/include",
                 "backtest/merge-sort.cu", "-o", "merge-sort"]]}
            suite = {"kind": "command", "command": ["./merge-sort"]}
        config["suites"] = {"bench": suite}
        write(f"{self.repo}/.bench-against.json", json.dumps(config, indent=1))

    @staticmethod
    def folder(path):
        os.makedirs(path, exist_ok=True)
        return path

    def compare(self, pair, *options):
        """verdict of bench-against about a pair: slower, faster, same, open or failed"""
        out = f"{self.top}/{pair}{'-'.join(options).replace('--', '')}.json"
        if self.kind == "code":
            status, text, seconds = run(
                ["bench-against", "code", "--overlay", "backtest", *self.pairs[pair]], good=(), cwd=self.repo, env=self.env)
            write(out[:-4] + "txt", text)
            counts = re.findall(r"(\d+) (?:changed|same code, other)", text)
            said = "failed" if status > 1 else "changed" if sum(map(int, counts)) else "same"
            return {"said": said, "seconds": seconds}
        status, text, seconds = run(
            ["bench-against", *self.pairs[pair], "--overlay", "backtest", "-o", out, *(
                () if "--budget" in options else ("--budget", self.args.budget)), *options],
            good=(), cwd=self.repo, env=self.env)
        write(out[:-4] + "txt", text)
        got = {"said": "failed", "seconds": seconds}
        if os.path.exists(out):
            with open(out, encoding="utf-8") as f:
                document = json.load(f)
            for series in document["series"]:
                if series["role"] == "verdict":
                    for one in series["comparisons"]:
                        verdict = one["verdict"]
                        got["verdict"] = verdict
                        got["said"] = CHANGED.get(verdict) or {
                            "unchanged": "same", "identical": "same", "inconclusive": "open", "skipped": "open"}.get(verdict, "failed")
                        got["percent"] = one.get("ratio") and round((one["ratio"] - 1) * 100, 1)
        return got

    def ours(self):
        return {pair: self.compare(pair) for pair in self.pairs}

    def again(self):
        got = {}
        for pair, first in self.known("ours").items():
            if self.kind != "code" and first["said"] in ("open", "failed"):
                got[pair] = dict(self.compare(pair, "--metrics", "instructions"), how="counts")
                if got[pair]["said"] in ("open", "failed"):
                    got[pair] = dict(self.compare(pair, "--budget", "15m"), how="longer")
        return got

    def around(self):
        """good and bad of the search: the two releases, or seven commits before the base to eight after the culprit"""
        if "bisect" in self.row or self.row.get("release"):
            return self.row.get("bisect", (self.base, self.culprit))
        good = self.git("rev-list", "-1", "--first-parent", "--skip=7", self.base)
        later = self.git("rev-list", "--reverse", "--ancestry-path", f"{self.row['culprit']}..origin/HEAD").split()
        return good, later[min(7, len(later) - 1)]

    def bisect(self):
        if self.kind == "code":
            return {"said": "not tried", "seconds": 0}
        more = ["--faster"] if self.row["direction"] == "faster" else []
        more += ["--into-merges"] if self.row.get("merged") else []
        good, bad = self.around()
        _, text, seconds = run(["bench-against", "bisect", good, bad, *more, "--overlay", "backtest", "--budget",
                                self.args.bisect_budget], good=(), cwd=self.repo, env=self.env)
        write(f"{self.top}/bisect.txt", text)
        found = re.findall(r"^([0-9a-f]{40})(?: is the first .*)?$", text, re.M)     # two, if two commits changed it
        if not found:
            return {"said": "no answer", "seconds": seconds}
        culprit = self.git("rev-parse", self.row["culprit"] + "^{commit}")
        said = "named" if culprit in found else "found" if self.row.get("release") else "other"
        return {"said": said, "commit": " and ".join(c[:9] for c in found), "seconds": seconds,
                "subject": self.git("show", "-s", "--format=%s", culprit if culprit in found else found[0])}

    def trees(self):
        """{commit: folder} of the four commits, each with the benchmark and built"""
        got = {}
        for commit in [c for pair in self.pairs.values() for c in pair]:
            tree = f"{self.top}/tree/{re.sub('[^A-Za-z0-9.]', '-', commit)}"
            if not os.path.exists(tree):
                self.git("worktree", "add", "-q", "--detach", tree, commit)
                shutil.copytree(f"{self.repo}/backtest", f"{tree}/backtest")
                with open(f"{self.repo}/.bench-against.json", encoding="utf-8") as f:
                    for command in json.load(f).get("build", {}).get("commands", []):
                        run(command, cwd=tree, env=self.env)
            got[commit] = tree
        return got

    def in_tree(self, tree):
        path = [f"{tree}/{self.path}"] + ([f"{tree}/site-packages"] if self.row.get("kind") == "host-launch" else [])
        env = dict(self.env, PYTHONPATH=":".join(path))
        if self.row.get("kind") == "host-launch":
            env["LD_LIBRARY_PATH"] = os.path.join(os.path.abspath(self.args.build), "lib/bench-against/host")
        return env

    def peers(self):
        if self.kind == "code":
            return {}
        trees, got = self.trees(), {}
        tools = [self.google] if self.kind == "cxx" else [self.pytest_benchmark, self.hyperfine]
        if self.kind == "python" and self.row.get("kind") != "host-launch":
            tools.append(self.asv)
        for tool in tools:
            name = tool.__name__
            for pair, (a, b) in self.pairs.items():
                try:
                    start = time.monotonic()
                    said = tool(a, b, trees)
                    got.setdefault(name, {})[pair] = {"said": said, "seconds": round(time.monotonic() - start, 1)}
                except (RuntimeError, OSError, LookupError, ValueError, subprocess.TimeoutExpired) as e:
                    got.setdefault(name, {})[pair] = {"said": "failed", "why": str(e)[-500:], "seconds": 0}
        return got

    def pytest_benchmark(self, a, b, trees):
        mean = []
        for commit in (a, b):
            out = f"{self.top}/pytest.json"
            run(["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=backtest", "-c", os.devnull,
                 f"--benchmark-json={out}", "backtest/test_case.py"], cwd=trees[commit], env=self.in_tree(trees[commit]))
            with open(out, encoding="utf-8") as f:
                mean.append(json.load(f)["benchmarks"][0]["stats"]["mean"])
        ratio = mean[1] / mean[0]
        return "slower" if ratio > 1.05 else "faster" if 1 / ratio > 1.05 else "same"

    def hyperfine(self, a, b, trees):
        script, times, words = f"{self.top}/script.py", 1, []
        if self.row.get("kind") == "import":
            write(script, "import pyparsing\n")
        else:
            write(script, SCRIPT % (f"{self.repo}/backtest", self.id))
            while True:     # the time is on a line of its own, beside what the project warns of
                text = run(["python3", script, str(times)], cwd=trees[a], env=self.in_tree(trees[a]))[1]
                if float(re.findall(r"^([0-9.]+(?:e-\d+)?)$", text, re.M)[-1]) >= 0.3:
                    break
                times *= 3
        for commit in (a, b):
            env = self.in_tree(trees[commit])
            words.append(f"env PYTHONPATH={env['PYTHONPATH']} python3 {script} {times}")
        out = f"{self.top}/hyperfine.json"
        run(["hyperfine", "-N", "-w", "1", "-r", "10", "--export-json", out, *words], env=self.in_tree(trees[a]))
        with open(out, encoding="utf-8") as f:
            x, y = json.load(f)["results"]
        ratio = y["mean"] / x["mean"]
        spread = ratio * ((x["stddev"] / x["mean"]) ** 2 + (y["stddev"] / y["mean"]) ** 2) ** 0.5
        return "same" if abs(ratio - 1) <= spread else "slower" if ratio > 1 else "faster"

    def asv(self, a, b, trees):
        del trees
        top = f"{self.top}/asv"
        if not os.path.exists(top):
            write(f"{top}/benchmarks/__init__.py", "")
            write(f"{top}/benchmarks/bench.py", ASV % (f"{self.repo}/backtest/workloads.py", self.id))
            write(f"{top}/install.py", INSTALL)
            write(f"{top}/asv.conf.json", json.dumps({
                "version": 1, "project": self.id, "repo": self.repo, "environment_type": "virtualenv",
                "branches": ["HEAD"], "pythons": ["%d.%d" % sys.version_info[:2]], "benchmark_dir": f"{top}/benchmarks",
                "env_dir": f"{top}/env", "results_dir": f"{top}/results", "html_dir": f"{top}/html",
                "build_command": [f"python {top}/install.py copy {{build_dir}}/{self.path} {{build_cache_dir}}/lib"],
                "install_command": [f"python {top}/install.py put {{build_cache_dir}}/lib {{env_dir}}/{SITE} {self.venv}/{SITE}"],
                "uninstall_command": []}))
            run(["asv", "machine", "--yes"], cwd=top, env=dict(self.env, HOME=self.top))
        commits = [self.git("rev-parse", c + "^{commit}") for c in (a, b)]
        for one in commits:     # asv clones branches
            self.git("branch", "-f", f"asv-{one[:9]}", one)
        _, text, _ = run(["asv", "continuous", *commits], good=(0, 1), cwd=top, env=dict(self.env, HOME=self.top))
        write(f"{top}/{commits[1][:9]}.txt", text)
        if "SIGNIFICANT" not in text or "failed" in text:
            raise ValueError(text)
        if re.search(r"^\| \+", text, re.M):
            return "slower"
        return "faster" if re.search(r"^\| -", text, re.M) else "same"

    def google(self, a, b, trees):
        tools = f"{os.path.abspath(self.args.work)}/google"
        if not os.path.exists(tools):
            local = self.args.clones and f"{self.args.clones}/google+benchmark/repo"
            run(["git", "clone", "-q", local or "https://github.com/google/benchmark", tools])
        if run([sys.executable, "-c", "import numpy, scipy"], good=(), env=dict(os.environ, PYTHONPATH=f"{self.venv}/{SITE}"))[0]:
            run([sys.executable, "-m", "pip", "install", "-q", "--target", f"{self.venv}/{SITE}", "numpy", "scipy"])
        _, text, _ = run([sys.executable, f"{tools}/tools/compare.py", "--no-color", "benchmarks", f"{trees[a]}/bench",
                          f"{trees[b]}/bench", "--benchmark_repetitions=10"],
                         env=dict(self.env, PYTHONPATH=f"{self.venv}/{SITE}"))
        p = re.search(r"_pvalue\s+([0-9.]+)", text)
        mean = re.search(r"_median\s+([-+][0-9.]+)", text)
        if float(p[1]) >= 0.05:
            return "same"
        return "slower" if float(mean[1]) > 0 else "faster"


def mark(case, got, pair):
    """what a tool's answer about a pair is worth"""
    if not got or pair not in got:
        return "–"
    said = got[pair]["said"]
    if pair == "neighbour":
        return {"same": "same", "open": "open", "failed": "failed"}.get(said, "**false alarm**")
    return {case.row["direction"]: "caught", "same": "missed", "open": "open", "failed": "failed"}.get(said, "**wrong way**")


def table(cases):
    print("| case | reported | bench-against | neighbour | s | asked again | bisect | asv | pytest-benchmark | hyperfine | compare.py |")
    print("|---|---|---|---|---:|---|---|---|---|---|---|")
    for case in cases:
        ours, again, bisect, peers = (case.known(step) or {} for step in STEPS[:4])
        cell = [case.id, case.row["reported"]]
        if "change" in ours:
            percent = ours["change"].get("percent")
            cell += [mark(case, ours, "change") + (f", {percent:+.1f} %" if percent is not None else ""),
                     mark(case, ours, "neighbour"), f"{sum(x['seconds'] for x in ours.values()):.0f}"]
        else:
            cell += ["could not be run" if ours else "not run", "–", "–"]
        cell.append(", ".join(f"{p}: {mark(case, again, p)} ({again[p]['how']}, {again[p]['seconds']:.0f} s)"
                              for p in again if p != "error") or "–")
        cell.append(f"{bisect['said']} {bisect.get('commit', '')} ({bisect['seconds']:.0f} s)" if "said" in bisect else "–")
        for tool in ("asv", "pytest_benchmark", "hyperfine", "google"):
            got = peers.get(tool)
            cell.append(f"{mark(case, got, 'change')}, {mark(case, got, 'neighbour')} "
                        f"({sum(x['seconds'] for x in got.values()):.0f} s)" if got else "–")
        print("| " + " | ".join(cell) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("work")
    parser.add_argument("steps", nargs="*", metavar="STEP", help=", ".join(STEPS))
    parser.add_argument("--case", default="*")
    parser.add_argument("--clones")
    parser.add_argument("--budget", default="60s")
    parser.add_argument("--bisect-budget", default="4m")
    args = parser.parse_args()
    unknown = set(args.steps) - set(STEPS)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: steps are {', '.join(STEPS)}")
    os.makedirs(args.work, exist_ok=True)
    with open(f"{HERE}/cases.json", encoding="utf-8") as f:
        document = json.load(f)
    cases = [Case(args, kind, row) for kind in ("python", "cxx", "code") for row in document[kind]
             if fnmatch.fnmatch(row["id"], args.case)]
    if not cases:
        parser.error(f"--case {args.case}: no case has such a name")
    venv = os.path.join(args.work, "venv")
    if set(args.steps or STEPS) != {"table"} and not os.path.exists(venv):
        run([sys.executable, "-m", "venv", "--without-pip", venv])
        run([sys.executable, "-m", "pip", "--python", f"{venv}/bin/python", "install", "-q", *COMMON])
    for step in args.steps or STEPS:
        if step == "table":
            table(cases)
            continue
        for case in cases:
            if case.known(step) is not None:
                continue
            try:
                case.prepare()
                got = getattr(case, step)()
            except (RuntimeError, OSError, LookupError, ValueError, TypeError, subprocess.TimeoutExpired) as e:
                got = {"error": str(e)[-2000:]}
            write(f"{case.top}/{step}.json", json.dumps(got, indent=1))
            print(f"{time.strftime('%H:%M:%S')} {step} {case.id}: {json.dumps(got)}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
