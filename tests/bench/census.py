#!/usr/bin/env python3
"""census.py BUILD OUT [host|gpu] [ROUNDS] [equal] [launchcfg|python|PACKAGE]...: is the census exact?

Each round is a run of `--metrics census` over five commits, in two processes each: the base, the
same with another comment, and three that ask more of the driver in every launch: a synchronisation,
a copy of 4 KiB to the device, an allocation that is freed again. launchcfg: the launch paths of the
demo. python: a launch by each CUDA package that python3 has (cuda.bindings, cuda.core, numba-cuda,
CuPy, PyTorch; the host target runs the first three), or by those that are named (numba, core, ...).
equal: eight commits that differ in a comment, 16 processes a round, and nothing is planted.

Counts of a process are equal if all of its metrics are what most processes of its benchmark count.
A planted extra is found if its verdict is `regressed` and nothing else but its own metrics differs.
Writes OUT/census-TARGET.json and OUT/census-TARGET.md after each round, and exits with 1 if fewer than
99.5 % of the processes count the same, or an extra is missed."""
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))

# the metrics that each extra moves, by how much in a call
EXTRAS = {
    "sync": {"synchronisations": 1},
    "copy": {"copies_h2d": 1, "bytes_h2d": 4096},
    "alloc": {"allocations": 1, "frees": 1, "peak_bytes": 65536},
}

C_PLANTED = """
#include <dlfcn.h>
static unsigned long long planted_memory;
static void *planted_find(const char *name)
{
	return dlsym(dlopen("libcuda.so.1", RTLD_NOW), name);
}
__attribute__((noinline)) static void planted(void)
{
	static int (*sync)(void *), (*release)(unsigned long long);
	static int (*copy)(unsigned long long, const void *, size_t);
	static int (*allocate)(unsigned long long *, size_t);
	static char bytes[4096];
	unsigned long long more;
	if (!sync) {
		*(void **)&sync = planted_find("cuStreamSynchronize");
		*(void **)&copy = planted_find("cuMemcpyHtoD_v2");
		*(void **)&allocate = planted_find("cuMemAlloc_v2");
		*(void **)&release = planted_find("cuMemFree_v2");
		allocate(&planted_memory, sizeof(bytes));
	}
	(void)copy, (void)release, (void)bytes, (void)more;
	%s
}
"""
C_EXTRAS = {
    "sync": "sync(NULL);",
    "copy": "copy(planted_memory, bytes, sizeof(bytes));",
    "alloc": "allocate(&more, 65536), release(more);",
}

PYTHON_BENCH = '''from bench_against_worker import Case, Skip, benchmark
import numpy

if not hasattr(numpy, "row_stack"):
    numpy.row_stack = numpy.vstack
import extra
import launches


def torch():
    import torch as t

    a = t.ones(4, device="cuda")
    return lambda: a.add_(1)


def cupy():
    import cupy as c

    a = c.ones(4)
    return lambda: c.add(a, 1, out=a)


launches.torch, launches.cupy = torch, cupy


def define(name):
    def one():
        try:
            launch = getattr(launches, name)()
            more = extra.prepare()
        except ImportError as error:
            raise Skip(str(error))
        return Case(lambda: (more(), launch()))

    one.__name__ = name
    benchmark(gpu=True, metrics=["submit"])(one)


for name in NAMES:
    define(name)
'''
PYTHON_EXTRA = '''import ctypes


def prepare():
    driver = ctypes.CDLL("libcuda.so.1")
    memory, more = ctypes.c_uint64(), ctypes.c_uint64()
    host = (ctypes.c_char * 4096)()
    driver.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(4096))

    def run():
        %s

    return run
'''
PYTHON_EXTRAS = {
    "sync": "driver.cuCtxSynchronize()",
    "copy": "driver.cuMemcpyHtoD_v2(memory, host, ctypes.c_size_t(4096))",
    "alloc": "driver.cuMemAlloc_v2(ctypes.byref(more), ctypes.c_size_t(65536))\n"
             "        driver.cuMemFree_v2(more)",
}
PACKAGES = {"bindings": "cuda.bindings", "core": "cuda.core", "numba": "numba.cuda", "cupy": "cupy",
            "torch": "torch"}
ON_HOST = ("bindings", "core", "numba")


class Bench:
    def __init__(self, build, target, top, equal):
        self.names = ["same", *(f"like{i}" for i in range(6))] if equal else ["same", *EXTRAS]
        self.tool = os.path.join(os.path.abspath(build), "bin", "bench-against")
        self.target, self.top = target, top
        self.env = dict(os.environ, BENCH_AGAINST_CACHE=os.path.join(top, "cache"),
                        BENCH_AGAINST_HISTORY=os.path.join(top, "history.sqlite"),
                        GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", NO_COLOR="1")
        os.makedirs(self.env["BENCH_AGAINST_CACHE"])

    def run(self, argv, directory, good=(0,)):
        done = subprocess.run(argv, cwd=directory, env=self.env, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode not in good:
            sys.exit(f"{' '.join(argv)}: status {done.returncode}\n{done.stdout}")
        return done.stdout

    def commit(self, directory, name, base, files):
        self.run(["git", "checkout", "-q", "-B", name, *base], directory)
        for path, text in files.items():
            with open(os.path.join(directory, path), "w", encoding="utf-8") as out:
                out.write(text)
        self.run(["git", "add", "-A"], directory)
        self.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c",
                  "commit.gpgsign=false", "commit", "-q", "-m", name], directory)

    def census(self, directory, seed, more):
        """the document of one run; its text is kept if something is odd"""
        path = os.path.join(self.top, "r.json")
        text = self.run([self.tool, "base", *self.names, "--target", self.target, "--metrics",
                         "census", "--seed", str(seed), "--output", path, *more], directory, (0, 1, 3))
        if not os.path.exists(path):
            sys.exit(text)
        self.run([self.tool, "verify", path], directory)
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        os.remove(path)
        return document, text


def launchcfg(bench):
    directory = os.path.join(bench.top, "launchcfg")
    bench.run([bench.tool, "demo", directory], bench.top)
    path = os.path.join("src", "launchcfg", "launch.c")
    bench.run(["git", "checkout", "-q", "-B", "base", "v2"], directory)
    with open(os.path.join(directory, path), encoding="utf-8") as file:
        text = file.read()
    for name in bench.names:
        new = text + f"/* as before: {name} */\n"
        if name in EXTRAS:
            at = text.index("\nint lcfg_launch(")
            body = text.index("{", at) + 1
            new = (text[:at] + C_PLANTED % C_EXTRAS[name] + text[at:body] + "\n\tplanted();"
                   + text[body:])
        bench.commit(directory, name, ["base"], {path: new})
    return directory, ["--filter", "launch/args=[02],path=*"]


def python(bench, only):
    directory = os.path.join(bench.top, "python")
    os.mkdir(directory)
    bench.run(["git", "init", "-q", "."], directory)
    names = [name for name, package in PACKAGES.items()
             if (not only or name in only) and (bench.target == "gpu" or name in ON_HOST) and
             subprocess.run(["python3", "-c", f"import numpy\nnumpy.row_stack = numpy.vstack\n"
                             f"import {package}"], stderr=subprocess.DEVNULL, check=False).returncode == 0]
    if not names:
        return None
    print("python:", ", ".join(names))
    shutil.copy(os.path.join(SOURCE, "tests", "python", "cuda_launches.py"),
                os.path.join(directory, "launches.py"))
    suite = {"kind": "worker", "command": ["python3", "-m", "bench_against_worker", "bench.py"]}
    bench.commit(directory, "base", [], {
        "bench.py": PYTHON_BENCH.replace("NAMES", repr(names)),
        "extra.py": PYTHON_EXTRA % "pass",
        ".gitignore": "__pycache__/\n",
        ".bench-against.json": json.dumps({"suites": {"python": suite}})})
    for name in bench.names:
        more = PYTHON_EXTRAS.get(name, f"pass  # as before: {name}")
        bench.commit(directory, name, ["base"], {"extra.py": PYTHON_EXTRA % more})
    return directory, []


def read_samples(series, metric_counts, labels):
    """metric_counts[benchmark][label, invocation]: the counts by metric"""
    for s in series:
        for x in s["samples"]:
            for place, who in enumerate(x["order"]):
                mine = metric_counts[s["benchmark"]].setdefault((labels[who], x["invocation"]), {})
                mine[s["metric"]] = x["ns"][place] / x["batch"]


def is_found(name, counts, base):
    """Is the extra in these counts, and nothing else?"""
    return all(counts[m] - base[m] == EXTRAS[name].get(m, 0) for m in counts)


class Tally:
    def __init__(self):
        self.processes = collections.Counter()  # counts of equal commits
        self.found, self.planted, self.missed, self.verdicts = 0, 0, [], 0

    def add(self, counts, verdicts):
        for (label, _), one in counts.items():
            if label not in EXTRAS:
                self.processes[json.dumps(one, sort_keys=True)] += 1
        base = json.loads(self.processes.most_common(1)[0][0])
        for (label, _), one in counts.items():
            if label in EXTRAS:
                self.planted += 1
                good = is_found(label, one, base)
                self.found += good
                if not good:
                    self.missed.append({"extra": label, "counts": one})
        for (label, metric), verdict in verdicts.items():
            wanted = "regressed" if metric in EXTRAS.get(label, {}) else "unchanged"
            self.verdicts += verdict not in (wanted, "identical")


def main():
    build, out = sys.argv[1:3]
    words = sys.argv[3:]
    target = words.pop(0) if words and words[0] in ("host", "gpu") else "host"
    rounds = int(words.pop(0)) if words and words[0].isdigit() else 1
    equal = "equal" in words
    only = [w for w in words if w in PACKAGES]
    suites = [w for w in words if w in ("launchcfg", "python")]
    suites = suites or (["python"] if only else ["launchcfg", "python"])
    os.makedirs(out, exist_ok=True)
    tallies = collections.defaultdict(Tally)
    with tempfile.TemporaryDirectory() as top:
        bench = Bench(build, target, top, equal)
        made = {s: launchcfg(bench) if s == "launchcfg" else python(bench, only) for s in suites}
        for seed in range(1, rounds + 1):
            for suite, place in made.items():
                if place is None:
                    continue
                document, text = bench.census(place[0], seed, place[1])
                labels = [v["label"] for v in document["variants"]]
                counts = collections.defaultdict(dict)
                read_samples(document["series"], counts, labels)
                if not counts:
                    print(text)
                for index, of_one in counts.items():
                    verdicts = {(labels[c["candidate"]], s["metric"]): c["verdict"]
                                for s in document["series"] if s["benchmark"] == index
                                for c in s["comparisons"]}
                    name = document["benchmarks"][index]["id"]
                    tallies[name].add(of_one, verdicts)
                report(tallies, out, target)
    sys.exit(0 if report(tallies, out, target, True) else 1)


def report(tallies, out, target, shown=False):
    lines = ["| benchmark | asked of the driver in a call | processes | equal | extras found | wrong verdicts |",
             "|---|---|---:|---:|---:|---:|"]
    document, processes, equal, missed, wrong = {}, 0, 0, 0, 0
    for name, t in sorted(tallies.items()):
        base, n = t.processes.most_common(1)[0]
        counts = {m: v for m, v in json.loads(base).items() if v}
        all_of = sum(t.processes.values())
        words = ", ".join(f"{m} {v:g}" for m, v in counts.items())
        lines.append(f"| {name} | {words} | {all_of} | {n} | {t.found} of {t.planted} | {t.verdicts} |")
        document[name] = {"counts": counts, "processes": all_of, "equal": n, "planted": t.planted,
                          "found": t.found, "missed": t.missed[:3], "wrong_verdicts": t.verdicts}
        processes, equal = processes + all_of + t.planted, equal + n + t.found
        missed, wrong = missed + t.planted - t.found, wrong + t.verdicts
    share = equal / processes if processes else 0
    lines.append(f"\n{processes} counts of processes, {100 * share:.2f} % as expected; extras missed: "
                 f"{missed}; wrong verdicts: {wrong}")
    with open(os.path.join(out, f"census-{target}.json"), "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1, sort_keys=True)
        file.write("\n")
    with open(os.path.join(out, f"census-{target}.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    if shown:
        print("\n".join(lines))
    return share >= 0.995 and missed == 0 and wrong == 0


if __name__ == "__main__":
    main()
