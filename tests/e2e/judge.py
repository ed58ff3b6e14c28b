"""judge.py BUILD PART: `bench-against judge` answers each of its words, and keeps a session.
PART is `session`, `untrusted` or `formats`: tests that run beside each other.

A worker program reports times that its tree names, so no verdict depends on how quiet the machine is."""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from program import make_cache, program  # noqa: E402

BUILD = os.path.abspath(sys.argv[1])
TOOL = os.path.join(BUILD, "bin", "bench-against")
HERE = os.path.dirname(os.path.abspath(__file__))

WORKER = program('''
    sys.path.insert(0, os.getcwd())
    import cost
''', '''
    say(t="measured", ns=[int(1000 * cost.NS * scale * m["batch"] * random.uniform(0.999, 1.001)) for _ in range(m["readings"])])
''', '''
    if cost.FAILURE:
        say(t="failed", text=cost.FAILURE)
    else:
        scale = cost.scale()
        say(t="prepared", present=[1])
''')
COST = "NS, FAILURE = {}, {!r}\n\ndef scale():\n    return 1\n"
# from one invocation to the next half, or twice as much
WAVERS = '''NS, FAILURE = 1000, ""

def scale():
    with open({!r}, "a+") as f:
        f.write("x")
        f.flush()
        return (0.5, 2)[f.tell() % 2]
'''
OWN = '''
import array, random
from bench_against_worker import Case, benchmark
import thing

@benchmark()
def square(seed):
    r = random.Random(seed)
    return Case(thing.square, inputs=[array.array("d", (r.random() for _ in range(512)))],
                reference=lambda x: array.array("d", [v * v for v in x]))
'''


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def judge(*words, status, says=None):
    """What it answers; with another status, all that it said is in the error."""
    done = subprocess.run([TOOL, "judge", "--cache-dir", "cache", "--format", "verdict", *words],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == status, (words, done.returncode, done.stdout, done.stderr)
    if says:
        assert says in done.stderr, (words, done.stderr)
        return {}
    assert len(done.stdout) <= 2048 and done.stdout.count("\n") == 1, done.stdout
    found = json.loads(done.stdout)
    assert found["exit_status"] == status, found
    return found


def words_and_session():
    write("task/.bench-against.json", json.dumps(
        {"target": "host", "suites": {"s": {"kind": "worker", "command": [sys.executable, "-I", "-S", "worker.py"]}}}))
    write("task/worker.py", WORKER)
    write("task/cost.py", COST.format(1000, ""))
    tries = [
        ("equal", COST.format(1000, "") + "# other bytes\n", "same", 1),
        ("fast", COST.format(500, ""), "faster", 0),
        ("between", COST.format(800, ""), "slower", 1),  # than the champion, not than the task
        ("wrong", COST.format(100, "wrong answer: 2 is not 3"), "wrong", 1),
        ("drifted", COST.format(100, "drifted: 20 times the error"), "drifted", 1),
        ("broken", "raise SystemExit(3)\n", "wrong", 1),
        ("wavers", WAVERS.format(os.path.abspath("turns")).replace("1000", "500"), "undecided", 125),
    ]
    for number, (name, text, word, status) in enumerate(tries, 1):
        write(f"{name}/cost.py", text)
        found = judge("task", f"{name}/cost.py", "--trusted", "--fixed", "3", "--blocks", "8", "--session", "session", status=status)
        session = found["session"]
        assert found["verdict"] == word and session["try"] == session["tries"] == number, found
        assert session["best"] == (2 if number >= 2 else 0) and not session["recorded"], found
        assert found["baseline"] == ("best" if number > 2 else "task"), found
        assert not re.search("[0-9a-f]{16}", found["next"]), found["next"]
    assert session["tested"] == session["accepted"] == 1, session

    again = judge("task", "between", "--trusted", "--session", "session", status=1)
    assert again["session"]["recorded"] and again["session"]["try"] == 3 and again["verdict"] == "slower", again
    assert "benchmarks" not in again and again["session"]["tries"] == 7, again
    best = judge("--session", "session", "--trusted", status=0)
    assert best["verdict"] == "faster" and abs(best["benchmarks"][0]["ratio"] - 0.5) < 0.01, best

    judge("task", "fast", "--trusted", "--session", "session", "--alpha", "0.01", status=129, says="begun with another")
    judge("task", "fast", "--trusted", "--session", "session", "--strict", status=129, says="begun with another")
    with open("session/session.json", encoding="utf-8") as f:
        right = f.read()
    for wrong in (right[: len(right) // 2], right.replace('"best": 2', '"best": 9'), right.replace("judge/1", "judge/9")):
        write("session/session.json", wrong)
        judge("task", "fast", "--trusted", "--session", "session", status=129, says="session.json")
        with open("session/session.json", encoding="utf-8") as f:
            assert f.read() == wrong


def killed():
    """In the middle of the measurement that can accept: the file is whole, and that level is spent."""
    write("once/cost.py", COST.format(500, ""))
    whole = judge("task", "once", "--trusted", "--fixed", "3", "--blocks", "8", "--session", "whole", status=0)["session"]
    tool = subprocess.Popen([TOOL, "judge", "--cache-dir", "cache", "task", "once", "--trusted", "--fixed", "3", "--blocks", "8", "--session", "killed"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kept():
        try:
            with open("killed/session.json", encoding="utf-8") as f:
                return json.load(f)
        except FileNotFoundError:
            return {"tested": 0}

    end = time.monotonic() + 300
    while kept()["tested"] == 0 and tool.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    tool.kill()
    tool.wait()
    found = kept()
    assert (found["tested"], found["accepted"], found["best"], found.get("tries", [])) == (1, 0, 0, []), found
    after = judge("task", "once", "--trusted", "--fixed", "3", "--blocks", "8", "--session", "killed", status=0)["session"]
    assert (after["try"], after["tested"], after["accepted"], after["best"]) == (1, 2, 1, 1), after
    # g(2) / g(1), and nothing was accepted before
    assert abs(after["level"] / whole["level"] - 0.5 * math.exp(-math.sqrt(math.log(2)))) < 0.002, (whole, after)


def revisions():
    shutil.copytree("task", "repository")
    git = ["git", "-C", "repository", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run([*git, "init", "-q"], check=True)
    for text in (COST.format(1000, ""), COST.format(1500, "")):
        write("repository/cost.py", text)
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "x"], check=True)
    assert judge("-C", "repository", "HEAD~", "HEAD", "--trusted", "--fixed", "3", "--blocks", "8", status=1)["verdict"] == "slower"
    judge("-C", "repository", "HEAD~", "HEAD", "HEAD", "--trusted", status=129, says="one revision")


def refusals():
    write("two/.bench-against.json", "{}")
    write("two/a/cost.py", "")
    write("two/b/cost.py", "")
    write("none/x", "")
    for words, says in [
        (["task"], "needs a task and a candidate"),
        (["--session", "nothing"], "is not a session"),
        (["none", "fast"], "is not a task"),
        (["task", "task/missing.py"], "neither a file nor a folder"),
        (["two", "fast/cost.py"], "name its place"),
        (["task", ".bench-against.json=fast/cost.py"], "cannot be the place"),
        (["task", "../x=fast/cost.py"], "cannot be the place"),
        (["task", "fast", "--session", "task/session"], "lies in the task"),
    ]:
        done = subprocess.run([TOOL, "judge", "--cache-dir", "cache", "--trusted", *words],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert done.returncode in (125, 129) and says in done.stderr, (words, done.returncode, done.stderr)


def untrusted():
    """The checker has the task's reference, and a candidate may not tell its time."""
    if not shutil.which("bwrap"):
        print("bubblewrap is not here: --untrusted is not tried")
        return
    write("own/.bench-against.json", json.dumps(
        {"target": "host", "suites": {"s": {"kind": "python-task", "format": "own", "task": "bench.py", "repeatable": True,
                                            "regimes": ["large", "tiny"]}}}))
    write("own/bench.py", OWN)
    honest = "import array\n\ndef square(x):\n    return array.array('d', [v * v for v in x])\n"
    write("own/thing.py", honest)
    liar = "import bench_against_worker.judge as judge\nrun = judge.Runner.run\n" \
        "judge.Runner.run = lambda self, take, runs: 10**13 + run(self, take, runs)\n"
    for name, text, word in [
        ("zeros", "import array\nsquare = lambda x: array.array('d', bytes(8 * len(x)))\n", "wrong"),
        ("liar", honest + liar, "cheated"),
        # as precise, and other bits each time
        ("unsteady", honest.replace("v * v", "v * v * (1 + random.randrange(2) * 2.0**-52)").replace("import array", "import array, random"), "wrong"),
        # right on what the task makes
        ("range", honest.replace("v * v for", "v * v if v < 2 else 4 for"), "drifted"),
    ]:
        write(f"{name}/thing.py", text)
        found = judge("own", name, "--fixed", "2", "--blocks", "4", status=1)
        assert found["verdict"] == word, found
    # its files take the place of Python's only once its tree is loaded: none of these is imported. It
    # does its work nine times: it never looks faster, which would be measured anew
    write("early/thing.py", honest.replace("return ", "for _ in range(8):\n        square.kept = [v * v for v in x]\n    return "))
    for module in ("sitecustomize", "usercustomize", "runpy", "traceback", "json", "importlib/__init__"):
        write(f"early/{module}.py", "import os\nos._exit(3)\n")
    done = subprocess.run([TOOL, "judge", "own", "early", "--cache-dir", "cache", "--fixed", "2", "--blocks", "2",
                           "--format", "verdict"], stdout=subprocess.PIPE, text=True)
    assert json.loads(done.stdout)["verdict"] in ("slower", "undecided"), done.stdout


PROBLEM = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x * x
def get_inputs():
    return [torch.randn(64)]
"""
REFERENCE = """
import torch
def generate_input(n, seed):
    torch.manual_seed(seed)
    return torch.randn(n)
def ref_kernel(data):
    return data * data
def check_implementation(data, output):
    return bool((abs(output - ref_kernel(data)) <= 1e-4).all()), "not the square"
"""
SIZE = {"shape": ["n"], "dtype": "float32"}
DEFINED = {
    "definition.json": json.dumps({"name": "square", "axes": {"n": {"type": "var"}}, "inputs": {"x": SIZE}, "outputs": {"y": SIZE},
                                   "reference": "def run(x):\n    return x * x\n"}),
    "workload.jsonl": json.dumps({"axes": {"n": 64}, "inputs": {"x": {"type": "random"}}}),
}


def solution(body):
    return json.dumps({"spec": {"entry_point": "main.py::run", "destination_passing_style": False},
                       "sources": [{"path": "main.py", "content": f"def run(x):\n    return {body}\n"}]})


def formats():
    """Tasks of other projects, through the sandbox and memory of another process; numpy in place of torch."""
    if not shutil.which("bwrap") or subprocess.run([sys.executable, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode:
        print("bubblewrap or numpy is not here: no task of another format is tried")
        return
    new = "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return {}\n"
    kernel = "def custom_kernel(x):\n    return {}\n"
    fake = os.path.join(HERE, "..", "..", "python", "tests", "fake_torch", "torch.py")
    for form, files, task, place, text in [
        ("kernelbench", {"problem.py": PROBLEM}, "problem.py", "solution.py", new.format),
        ("gpumode", {"t/reference.py": REFERENCE, "t/task.yml": 'tests:\n  - {"n": 64, "seed": 1}\n'}, "t", "submission.py", kernel.format),
        ("flashinfer", {"t/" + k: v for k, v in DEFINED.items()}, "t", "solution.json", solution),
        ("sol", {"t/" + k: v for k, v in DEFINED.items()}, "t", "solution.json", solution),
    ]:
        suite = {"kind": "python-task", "format": form, "task": task, "candidate": place, "command": [sys.executable]}
        write(f"{form}/.bench-against.json", json.dumps(
            {"target": "host", "suites": {"s": suite}, "sandbox": {"readable": sorted({sys.prefix, sys.base_prefix} - {"/usr"})}}))
        shutil.copy(fake, form)
        for name, content in files.items():
            write(os.path.join(form, name), content)
        write("./try", text("x * x + 1"))
        found = judge(form, f"{place}=try", "--fixed", "2", "--blocks", "4", status=1)
        assert found["verdict"] == "wrong" and "wrong answer" in found["benchmarks"][0]["why"], found
    # twice the work of one call, and more: not faster, and right
    write("./try", text("[x * x for _ in range(20)][-1]"))
    done = subprocess.run([TOOL, "judge", form, f"{place}=try", "--cache-dir", "cache", "--fixed", "2", "--blocks", "2",
                           "--format", "verdict"], stdout=subprocess.PIPE, text=True)
    assert json.loads(done.stdout)["verdict"] in ("slower", "undecided"), done.stdout
    assert json.loads(done.stdout)["evidence"]["checks"] > 0, done.stdout


PARTS = {"session": (words_and_session, killed, revisions, refusals), "untrusted": (untrusted,), "formats": (formats,)}
os.chdir(tempfile.mkdtemp())
try:
    make_cache(BUILD, "cache")
    for test in PARTS[sys.argv[2]]:
        test()
finally:
    shutil.rmtree(os.getcwd(), ignore_errors=True)
