#!/usr/bin/env python3
"""time_to_verdict.py BUILD WORK [--out FILE] [--wheels DIR] [--minutes M] [--jobs N]

How long does it take until a comparison of two releases is right? bench-against beside
pytest-benchmark and `asv continuous`, on the same benchmarks, at the same error rate.

The benchmarks call attrs, packaging and Jinja2 in an old and in a new release. WORK gets a
repository with the tags r1 (old), r2 (new) and same (r1 and a comment more), and the same
benchmarks for each tool. A verdict is wrong if it calls `same` changed, if it misses a change
of r2, or if it sees it in the wrong direction. What is true comes from a check of its own: short
processes of the versions in turn, on one processor. A benchmark whose change is neither clearly below
1 % nor clearly above 3 % is left out, for every tool: no rule with a limit of 2 % can be judged by it.

The other tools give one answer per run, and leave to the user how many runs there should be. So the
script keeps a pool of runs, draws n runs a side from it many times, and asks each tool's rule:

  pytest-benchmark   changed if a statistic over n runs differs by more than 2 %, as with
                     --benchmark-compare-fail=median:2%; min, median or mean, whichever needs the
                     shortest time. Its defaults, and a second row with rounds of 0.2 s, not 1 s
  asv continuous     --factor 1.02 --interleave-rounds -a rounds=n, its own statistics, with or without
                     --record-samples, whichever needs the shortest time

"one" is the share of comparisons that are wrong, the larger one of equal code and of changes; "run" is the share of
runs of the suite with any wrong verdict, likewise. bench-against promises the latter: its error rate of 5 % is
that of all verdicts together. * marks the smallest n with "one" at most 5 %, ** with "run" at most 5 %:
the ratio there is the time to the verdict at the same error rate.

What is in favour of the other tools: they run pinned, the versions in turn on the same processor, and the drawn
runs of a pair are as close in time as can be; installing, building and choosing n cost nothing; what they do
not call changed need not be proved unchanged. bench-against is measured from its start to its end, alone, with
its defaults but --metrics host: the others count no instructions. An inconclusive verdict is a missed change.

With --jobs, so many runs of the other tools work at a time, each on a core of its own: a larger pool in the
same time. WORK keeps what was set up. --wheels: a folder of wheels, and no network is used."""
import argparse
import concurrent.futures
import glob
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
OLD = ["attrs==23.2.0", "packaging==21.3", "Jinja2==3.0.3"]
NEW = ["attrs==26.1.0", "packaging==25.0", "Jinja2==3.1.6"]
BOTH = ["MarkupSafe==3.0.3", "pyparsing==3.2.5"]
VERSIONS = ("r1", "same", "r2")
PAIRS = {"same": "equal", "r2": "changed"}
LIMIT = 0.02
RATE = 0.05
STARTED = time.monotonic()
DRAWS = 200
SITE = "lib/python%d.%d/site-packages" % sys.version_info[:2]

TEST = """import pytest
from pairs_cases import CASES


@pytest.mark.parametrize("name", CASES)
def test_case(benchmark, name):
    benchmark(CASES[name]())
"""
ASV = """from pairs_cases import CASES


def _case(name):
    call = CASES[name]()

    def time_case():
        call()
    time_case.__name__ = "time_" + name
    return time_case


for _name in CASES:
    globals()["time_" + _name] = _case(_name)
"""
# what asv installs: a line that puts a version's folder in front of the environment's packages
ASV_PATH = """import sys
with open(sys.argv[2] + "/pairs.pth", "w") as f:
    f.write(f"import sys; sys.path.insert(0, {sys.argv[1]!r})\\n")
"""


def run(command, **how):
    """standard output of a command that has to succeed"""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def note(text):
    print(f"{time.monotonic() - STARTED:6.1f} s: {text}", file=sys.stderr, flush=True)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


class Bench:
    """the folder WORK: an environment, the repository, a tree of each version"""

    def __init__(self, args):
        self.tool = os.path.abspath(os.path.join(args.build, "bin/bench-against"))
        self.top = os.path.abspath(args.work)
        self.repo = os.path.join(self.top, "repo")
        self.python = os.path.join(self.top, "venv/bin/python")
        self.wheels = args.wheels and os.path.abspath(args.wheels)
        self.cpus = cores()[: args.jobs]
        self.env = dict(os.environ, HOME=self.top, PATH=f"{self.top}/venv/bin:{os.environ['PATH']}",
                        GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null",
                        BENCH_AGAINST_CACHE=f"{self.top}/cache", PYTHONNOUSERSITE="1")
        for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE"):
            self.env.pop(name, None)
        if self.wheels:
            self.env.update(PIP_NO_INDEX="1", PIP_FIND_LINKS=self.wheels)

    def set_up(self):
        if not os.path.exists(f"{self.top}/done"):
            shutil.rmtree(self.top, ignore_errors=True)
            os.makedirs(self.top)
            self.make_environment()
            self.make_repository()
            write(f"{self.top}/done", "")
        sys.path.append(f"{self.top}/venv/{SITE}")

    def make_environment(self):
        pip = glob.glob(f"{self.wheels}/pip-*.whl") if self.wheels else []
        run([sys.executable, "-m", "venv", *(["--without-pip"] if pip else []), f"{self.top}/venv"])
        run([self.python, *([pip[0] + "/pip"] if pip else ["-m", "pip"]), "install", "pip", "pytest",
             "pytest-benchmark", "asv", "virtualenv"], env=self.env)

    def packages(self, names):
        """fills lib of the repository"""
        shutil.rmtree(f"{self.repo}/lib", ignore_errors=True)
        run([self.python, "-m", "pip", "install", "--no-deps", "--no-compile", "--only-binary", ":all:",
             "--target", f"{self.repo}/lib", *names, *BOTH], env=self.env)
        for compiled in glob.glob(f"{self.repo}/lib/markupsafe/*.so"):
            os.remove(compiled)     # has a part in Python for that
        shutil.copy(f"{HERE}/pairs_cases.py", f"{self.repo}/lib")

    def commit(self, tag):
        for command in (["add", "-A"], ["commit", "-q", "-m", tag], ["tag", tag],
                        ["worktree", "add", "-q", f"{self.top}/{tag}", tag]):
            run(["git", "-C", self.repo, "-c", "user.name=A", "-c", "user.email=a@example.com", *command],
                env=self.env)

    def make_repository(self):
        run(["git", "init", "-q", "-b", "main", self.repo], env=self.env)
        write(f"{self.repo}/.gitignore", "__pycache__\n")
        write(f"{self.repo}/tests/test_cases.py", TEST)
        write(f"{self.repo}/benchmarks/__init__.py", "")
        write(f"{self.repo}/benchmarks/bench_cases.py", ASV)
        suite = {"kind": "worker", "pythonpath": ["lib"]}
        command = ["python3", "-m", "bench_against_worker"]
        write(f"{self.repo}/.bench-against.json", json.dumps({"target": "host", "suites": {
            "pytest": dict(suite, command=[*command, "--pytest", "tests"]),
            "asv": dict(suite, command=[*command, "--asv", "benchmarks"])}}))
        self.packages(OLD)
        self.commit("r1")
        for name in ("attr", "packaging", "jinja2"):
            with open(f"{self.repo}/lib/{name}/__init__.py", "a", encoding="utf-8") as f:
                f.write("# nothing else\n")
        self.commit("same")
        self.packages(NEW)
        self.commit("r2")

    def pinned(self, version, cpu, command):
        """seconds and output of a command in the tree of a version"""
        start = time.monotonic()
        text = run(["taskset", "-c", str(cpu), self.python, *command], cwd=f"{self.top}/{version}",
                   env=dict(self.env, PYTHONPATH=f"{self.top}/{version}/lib"))
        return time.monotonic() - start, text

    def fill(self, until, task, least=1):
        """task(cpu, i) on each processor, again and again until the time is over; the results"""
        def work(cpu):
            got, last = [], 0
            while len(got) < least or time.monotonic() + last < until:
                start = time.monotonic()
                got.append(task(cpu, len(got)))
                last = time.monotonic() - start
            return got
        with concurrent.futures.ThreadPoolExecutor(len(self.cpus)) as pool:
            return [x for one in pool.map(work, self.cpus) for x in one]

    def triples(self, until, one, least=1):
        """a pool: {version: one(version, cpu)}, the versions of one after the other"""
        def task(cpu, i):
            del i
            return {v: one(v, cpu) for v in random.sample(VERSIONS, len(VERSIONS))}
        return self.fill(until, task, least)


def cores():
    """one processor of each core, the first core last"""
    found = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        try:
            with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list", encoding="ascii") as f:
                found.setdefault(f.read().strip(), cpu)
        except OSError:
            found[cpu] = cpu
    cpus = list(found.values())
    return cpus[1:] + cpus[:1]


def find_truth(bench, seconds):
    """{case: (log of r2/r1, half its interval)} by processes in turn"""
    def one(version, cpu):
        return json.loads(bench.pinned(version, cpu, ["-m", "pairs_cases"])[1])
    pool = bench.triples(time.monotonic() + seconds, one, least=4)
    truth = {}
    for case in pool[0]["r1"]:
        y = [math.log(x["r2"][case] / x["r1"][case]) for x in pool]
        half = 2.3 * statistics.stdev(y) / math.sqrt(len(y)) if len(y) > 1 else math.inf
        truth[case] = (statistics.mean(y), half)
    return truth, len(pool)


def kind_of(log, half):
    """1: slower, -1: faster, 0: the same, None: not to be judged at 2 %"""
    if abs(log) + half < 0.01:
        return 0
    return int(math.copysign(1, log)) if abs(log) - half > 0.03 else None


def pytest_runs(bench, seconds, options):
    """runs of pytest-benchmark: seconds, and min, median and mean of each case"""
    def one(version, cpu):
        path = f"{bench.top}/out-{cpu}.json"
        spent, _ = bench.pinned(version, cpu, [
            "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", f"--benchmark-json={path}", *options])
        with open(path, encoding="utf-8") as f:
            rows = json.load(f)["benchmarks"]
        note(f"pytest-benchmark {version} {' '.join(options)}: {spent:.1f} s")
        return {"seconds": spent, "cases": {
            r["params"]["name"]: {k: r["stats"][k] for k in ("min", "median", "mean")} for r in rows}}
    return bench.triples(time.monotonic() + seconds, one)


def asv_folder(bench, cpu):
    """where asv has an environment and results of its own for that processor"""
    top = f"{bench.top}/asv-{cpu}"
    shutil.rmtree(f"{top}/results", ignore_errors=True)     # of other benchmarks
    write(f"{top}/asv_copy.py", "import shutil, sys\nshutil.copytree(*sys.argv[1:3], dirs_exist_ok=True)\n")
    write(f"{top}/asv_path.py", ASV_PATH)
    write(f"{top}/asv.conf.json", json.dumps({
        "version": 1, "project": "pairs", "repo": bench.repo, "branches": ["main"],
        "environment_type": "virtualenv", "pythons": ["%d.%d" % sys.version_info[:2]],
        "benchmark_dir": f"{bench.repo}/benchmarks", "env_dir": f"{top}/env",
        "results_dir": f"{top}/results", "html_dir": f"{top}/html",
        "build_command": [f"python {top}/asv_copy.py {{build_dir}}/lib {{build_cache_dir}}/lib"],
        "install_command": [f"python {top}/asv_path.py {{build_cache_dir}}/lib {{env_dir}}/{SITE}"],
        "uninstall_command": []}))
    return top


def asv_continuous(bench, cpu, candidate, rounds):
    """seconds, and {version: {case: [samples of a round, ...]}} of a run of asv"""
    top = f"{bench.top}/asv-{cpu}"
    for path in glob.glob(f"{top}/results/*/*-*.json"):
        os.remove(path)
    start = time.monotonic()
    done = subprocess.run(
        ["taskset", "-c", str(cpu), bench.python, "-m", "asv", "continuous", "r1", candidate, "--factor", "1.02",
         "--interleave-rounds", "-a", f"rounds={rounds}", "--record-samples"], cwd=top, env=bench.env,
        capture_output=True, text=True, check=False)
    spent = time.monotonic() - start
    got = {}
    for version in ("r1", candidate):
        commit = run(["git", "-C", bench.repo, "rev-parse", version]).strip()
        paths = glob.glob(f"{top}/results/*/{commit[:8]}-*.json")
        if not paths:
            sys.exit(f"asv continuous: status {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
        with open(paths[0], encoding="utf-8") as f:
            result = json.load(f)
        got[version] = {}
        for name, row in result["results"].items():
            samples = dict(zip(result["result_columns"], row))["samples"][0]
            size = len(samples) // rounds
            got[version][name.partition(".time_")[2]] = [
                samples[i * size: (i + 1) * size] for i in range(rounds)]
    note(f"asv continuous r1 {candidate}, {rounds} rounds: {spent:.1f} s")
    return {"seconds": spent, "candidate": candidate, "rounds": rounds, "samples": got}


def asv_runs(bench, seconds):
    """runs of asv continuous: both candidates in turn, with two rounds and with more of them"""
    until = time.monotonic() + seconds
    tops = [asv_folder(bench, cpu) for cpu in bench.cpus]
    run([bench.python, "-m", "asv", "machine", "--yes"], cwd=tops[0], env=bench.env)

    def prepare(cpu):
        for candidate in PAIRS:
            asv_continuous(bench, cpu, candidate, 1)
    with concurrent.futures.ThreadPoolExecutor(len(bench.cpus)) as pool:
        list(pool.map(prepare, bench.cpus))

    def task(cpu, i):
        return asv_continuous(bench, cpu, list(PAIRS)[i % 2], 2 if i in (2, 3) else 6)
    until = max(until, time.monotonic() + seconds / 2)
    return bench.fill(until, task, least=4)


def our_runs(bench, seconds, truth):
    """runs of bench-against by suite and candidate with their verdicts: all so far, after each"""
    until, got, last = time.monotonic() + seconds, [], 0
    todo = [(suite, candidate) for candidate in ("r2", "same") for suite in ("pytest", "asv")]
    while len(got) < len(todo) or time.monotonic() + last < until:
        suite, candidate = todo[len(got) % len(todo)]
        path = f"{bench.top}/ours.json"
        start = time.monotonic()
        done = subprocess.run(
            [bench.tool, "r1", candidate, "--suite", suite, "--metrics", "host", "--threshold", "2%", "--seed",
             str(1000 + len(got)), "--no-history", "-q", "-o", path], cwd=bench.repo, env=bench.env,
            capture_output=True, text=True, check=False)
        last = time.monotonic() - start
        if done.returncode not in (0, 1):
            sys.exit(f"bench-against: status {done.returncode}\n{done.stdout}{done.stderr}")
        with open(path, encoding="utf-8") as f:
            verdicts = our_verdicts(json.load(f), truth, candidate)
        got.append(dict(verdicts, suite=suite, candidate=candidate, seconds=last))
        note(f"bench-against --{suite} r1 {candidate}: {last:.1f} s, {verdicts['wrong']} wrong, "
             f"{verdicts['inconclusive']} inconclusive")
        yield got


def our_verdicts(result, truth, candidate):
    """the verdict of each case, how many are wrong, and how many inconclusive"""
    verdicts, wrong = {}, 0
    for series in result["series"]:
        if series["metric"] != "host":
            continue
        case = next(c for c in truth if series["id"].endswith(c))
        verdict = series["comparisons"][0]["verdict"]
        verdicts[case] = verdict
        said = {"regressed": 1, "improved": -1}.get(verdict, 0)
        wrong += said != (truth[case] if candidate == "r2" else 0)
    if set(verdicts) != set(truth):
        sys.exit(f"bench-against measured {sorted(verdicts)}, not {sorted(truth)}")
    return {"verdicts": verdicts, "wrong": wrong,
            "inconclusive": sum(v == "inconclusive" for v in verdicts.values()),
            "of": len(verdicts), "spent": result.get("spent")}


def pytest_rule(which):
    """what the runs say: 1 slower, -1 faster, 0 not changed"""
    def rule(old, new):
        change = statistics.median(x[which] for x in new) / statistics.median(x[which] for x in old) - 1
        return 0 if abs(change) <= LIMIT else int(math.copysign(1, change))
    return rule


def asv_rule(with_samples):
    from asv.commands.compare import _is_result_better
    from asv_runner.statistics import compute_stats

    def rule(old, new):
        sides = []
        for rounds in (old, new):
            samples = [x for one in rounds for x in one]
            value, stats = compute_stats(samples, 1)
            sides.append((value, (stats, samples if with_samples else None)))
        (a, a_ss), (b, b_ss) = sides
        if _is_result_better(a, b, a_ss, b_ss, 1 + LIMIT):
            return 1
        return -1 if _is_result_better(b, a, b_ss, a_ss, 1 + LIMIT) else 0
    return rule


def error_rates(pool, n, rule, truth):
    """how often the rule is wrong with n runs a side, by candidate: (of its comparisons, of its runs).
    pool: {candidate: [{case: (old, new)}]}"""
    rates = {}
    for candidate, runs in pool.items():
        true = truth if candidate == "r2" else dict.fromkeys(truth, 0)
        wrong = []
        for _ in range(DRAWS):
            drawn = random.sample(runs, n)
            said = {c: rule([x[c][0] for x in drawn], [x[c][1] for x in drawn]) for c in truth}
            wrong.append(sum(said[c] != true[c] for c in truth))
        rates[candidate] = (sum(wrong) / DRAWS / len(truth), sum(map(bool, wrong)) / DRAWS)
    return rates


def rows_of(pool, rules, truth, cost):
    """rows of n runs a side, up to the first with few enough wrong runs; of the rules, the one that needs the
    shortest time. A pool of N runs can say it for up to N/2"""
    best = None
    for name, rule in rules.items():
        rows = []
        for n in (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40):
            if n > max(1, min(len(x) for x in pool.values()) // 2):
                break
            rates = error_rates(pool, n, rule, truth)
            one, all_of_run = (max(r[i] for r in rates.values()) for i in (0, 1))
            rows.append({"rule": name, "n": n, "rates": rates, "one": one, "run": all_of_run, "seconds": cost(n)})
            if all_of_run <= RATE:
                break
        key = (rows[-1]["run"] > RATE, rows[-1]["seconds"], rows[-1]["run"])
        if best is None or key < best[0]:
            best = (key, rows)
    return best[1]


def pytest_rows(pool, truth):
    pairs = {k: [{c: (x["r1"]["cases"][c], x[k]["cases"][c]) for c in truth} for x in pool] for k in PAIRS}
    each = statistics.mean(x[v]["seconds"] for x in pool for v in VERSIONS)
    return rows_of(pairs, {k: pytest_rule(k) for k in ("median", "min", "mean")}, truth, lambda n: 2 * n * each)


def asv_rows(runs, truth):
    pairs = {k: [] for k in PAIRS}
    for x in runs:
        old, new = x["samples"]["r1"], x["samples"][x["candidate"]]
        pairs[x["candidate"]] += [{c: (old[c][i], new[c][i]) for c in truth} for i in range(x["rounds"])]
    mean = {r: statistics.mean(x["seconds"] for x in runs if x["rounds"] == r) for r in {x["rounds"] for x in runs}}
    few, many = min(mean), max(mean)
    slope = (mean[many] - mean[few]) / (many - few) if many > few else mean[few] / few
    return rows_of(pairs, {"statistics": asv_rule(False), "samples": asv_rule(True)}, truth,
                      lambda n: mean[few] + slope * (n - few))


LINE = "{:<34} {:>4} {:>11} {:>13} {:>8} {:>7}  {}"


def percent(rates):
    return " / ".join(f"{100 * x:.1f}" for x in rates)


def our_line(suite, runs):
    rates = {}
    for candidate in ("same", "r2"):
        some = [x for x in runs if x["candidate"] == candidate]
        rates[candidate] = (sum(x["wrong"] for x in some) / sum(x["of"] for x in some),
                            statistics.mean(bool(x["wrong"]) for x in some))
    open_ones = sum(x["inconclusive"] for x in runs)
    return LINE.format(f"bench-against --{suite}", len(runs), percent(rates[c][0] for c in rates),
                       percent(rates[c][1] for c in rates), f"{statistics.mean(x['seconds'] for x in runs):.1f}", "1",
                       f"{open_ones} of {sum(x['of'] for x in runs)} inconclusive")


def table(report, ours):
    """a line for each tool and number of runs; shares are of equal code / of changes"""
    text = [LINE.format("tool", "runs", "one, %", "run, %", "seconds", "ratio", "")]
    for tool, rows, suite in report:
        runs = [x for x in ours if x["suite"] == suite]
        if our_line(suite, runs) not in text:
            text.append(our_line(suite, runs))
        seconds = statistics.mean(x["seconds"] for x in runs)
        enough = [x for x in rows if x["one"] <= RATE][:1]
        for row in rows:
            mark = ("*" if row in enough else "") + (" **" if row["run"] <= RATE else "")
            text.append(LINE.format(f"{tool}, {row['rule']}", row["n"], percent(r[0] for r in row["rates"].values()),
                                    percent(r[1] for r in row["rates"].values()), f"{row['seconds']:.1f}",
                                    f"{row['seconds'] / seconds:.2f}", mark))
        if rows[-1]["run"] > RATE:
            text.append(f"{tool}: more runs are needed than half the pool")
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("build")
    parser.add_argument("work")
    parser.add_argument("--out", help="a file for everything that was measured, as JSON")
    parser.add_argument("--wheels")
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    random.seed(1)
    end = time.monotonic() + 60 * args.minutes
    bench = Bench(args)
    bench.set_up()
    left = end - time.monotonic()
    truth, processes = find_truth(bench, 0.12 * left)
    kinds = {c: kind_of(*x) for c, x in truth.items()}
    for case, (log, half) in truth.items():
        said = {0: "the same", 1: "slower", -1: "faster", None: "left out"}[kinds[case]]
        print(f"{case:<20} {100 * math.expm1(log):+6.1f} % +- {100 * half:.1f} %, {processes} processes: {said}",
              flush=True)
    kinds = {c: k for c, k in kinds.items() if k is not None}
    if not kinds:
        sys.exit("no benchmark can be judged: the machine is too noisy, or --minutes too few")
    bench.env["PAIRS_CASES"] = ",".join(kinds)
    pools = {"pytest": pytest_runs(bench, 0.17 * left, []),
             "pytest, 0.2 s": pytest_runs(bench, 0.09 * left, ["--benchmark-max-time=0.2"]),
             "asv": asv_runs(bench, 0.17 * left)}
    report = [("pytest-benchmark", pytest_rows(pools["pytest"], kinds), "pytest"),
              ("  rounds of 0.2 s", pytest_rows(pools["pytest, 0.2 s"], kinds), "pytest"),
              ("asv continuous", asv_rows(pools["asv"], kinds), "asv")]
    got = {"truth": truth, "kinds": kinds, "pools": pools, "jobs": len(bench.cpus), "ours": [],
           "rows": {tool.strip(): rows for tool, rows, _ in report}}
    for got["ours"] in our_runs(bench, end - time.monotonic(), kinds):
        if args.out:
            write(os.path.abspath(args.out), json.dumps(got))
    print(table(report, got["ours"]), flush=True)


if __name__ == "__main__":
    main()
