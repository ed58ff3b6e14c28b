"""untrusted.py BUILD: `--untrusted` judges by its own clock, and says 'unchanged' only of what it saw.

Worker programs that are honest, slow, or lie about their time; launchers of tests/suites on the host
target. What is asserted does not depend on how quiet the machine is: a program that takes twice the time,
one that hides that, and what is refused."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from program import make_cache, program  # noqa: E402

BUILD = os.path.abspath(sys.argv[1])
TOOL = os.path.join(BUILD, "bin", "bench-against")

WORKER = program('''
    SPIN, SAYS, ASIDE, *last = %s

    def spin(ns):
        end = time.thread_time_ns() + ns
        while time.thread_time_ns() < end:
            pass
''', '''
    spin(SPIN * m["discard"])
    ns = []
    for _ in range(m["readings"]):
        start = time.thread_time_ns()
        spin(SPIN * m["batch"])
        ns.append(max(1, round((time.thread_time_ns() - start) * SAYS)))
    say(t="measured", ns=ns)
    spin(ASIDE * m["batch"] * m["readings"] if last != [0] else 0)
    last = [n - (n > 0 and m["readings"] == 1) for n in last]
''')


def git(*arguments):
    subprocess.run(["git", *arguments], check=True, stdout=subprocess.DEVNULL)


def commit(name, files):
    for path, text in files.items():
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    git("add", "-A", "-f")
    git("commit", "-qm", name, "--allow-empty")
    git("tag", name)


def tool(*arguments):
    done = subprocess.run([TOOL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, " ".join(done.stdout.split())  # whatever the width of the lines


def against(*arguments):
    if os.path.exists("r.json"):
        os.remove("r.json")
    status, text = tool("--target", "host", "--untrusted", "--fixed", "4", "--blocks", "2", "-o", "r.json", *arguments)
    document = None
    if os.path.exists("r.json"):
        with open("r.json", encoding="utf-8") as f:
            document = json.load(f)
    return status, text, document


def verdict(document):
    return document["series"][0]["comparisons"][0]["verdict"]


def expect(condition, *what):
    if not condition:
        print(*what)
        sys.exit(1)


def programs():
    config = {"suites": {"py": {"kind": "worker", "command": ["python3", "w.py"]}}}
    commit("base", {".bench-against.json": json.dumps(config), "w.py": WORKER % "(20000, 1, 0)"})
    commit("same", {"w.py": WORKER % "(20000, 1, 0)" + "# the same\n"})
    commit("slow", {"w.py": WORKER % "(40000, 1, 0)"})
    commit("liar", {"w.py": WORKER % "(40000, 0.5, 0)"})
    commit("stalls", {"w.py": WORKER % "(20000, 1, 20000, 4)"})
    commit("early", {"w.py": WORKER % "(20000, 1, 20000)"})

    status, text, d = against("base", "same")
    expect(status == 125 and verdict(d) == "inconclusive", "same:", status, text)
    expect("nothing outside of the candidate's own process saw its runs" in text, text)
    expect(d["engine"] == "untrusted" and d["evidence"]["visits"] > 0 and d["evidence"]["launches"] == 0, d["evidence"])
    expect(d["gate"]["strict"], d["gate"])

    status, text, d = against("base", "slow")
    expect(status == 1 and verdict(d) == "regressed", "slow:", status, text)

    # a trusting run is deceived; so this proves that the test's liar lies well
    status, text = tool("--target", "host", "--engine", "split", "--fixed", "4", "--metrics", "host", "base", "liar")
    expect("regressed" not in text and status == 0, "liar, trusted:", status, text)
    status, text, d = against("base", "liar")
    expect(status == 1, "liar:", status, text)
    expect("its worker reported" in text or verdict(d) == "regressed", text)

    # work that is put off until after the answer
    status, text, d = against("base", "early")
    expect(status == 1, "early:", status, text)
    # before the next request comes, or while that one waits
    told = "of processor time between its visits" in text or "its worker reported" in text
    expect(told or verdict(d) == "regressed", text)

    # only before the first block of two is over, as if the machine had stalled then
    status, text, d = against("base", "stalls")
    expect("failed" not in text and verdict(d) != "failed", "stalls:", status, text)


def launchers():
    config = {
        "build": {"commands": [["cp", "variant.so", "launcher.so"]]},
        "suites": {"launch": {"kind": "launcher", "library": "launcher.so", "args": [2]}},
        "gate": {"lane": "untrusted"},
    }
    git("rm", "-qf", "w.py")
    for name, library in (("one", "place0"), ("two", "place32"), ("half", "skip_half")):
        shutil.copy(os.path.join(BUILD, "tests", "suites", library + ".so"), "variant.so")
        commit(name, {".bench-against.json": json.dumps(config)})

    status, text, d = against("one", "two", "--threshold", "400%")
    expect(status in (0, 125), "two:", status, text)
    samples = d["series"][0]["samples"]
    launches = sum(s["blocks"] * s["positions"] * s["readings"] * s["batch"] for s in samples)
    expect(all(s["readings"] == 1 for s in samples), samples)
    expect(d["evidence"]["launches"] >= launches > 0, d["evidence"], launches)

    status, out = tool("verify", "--lane", "untrusted", "--attest", "a.json", "r.json")
    expect(status == 0, out)
    with open("a.json", encoding="utf-8") as f:
        statement = json.load(f)
    head = subprocess.run(["git", "rev-parse", "two"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    expect(statement["_type"] == "https://in-toto.io/Statement/v1", statement)
    expect(statement["subject"] == [{"name": "two", "digest": {"gitCommit": head}}], statement)
    predicate = statement["predicate"]
    expect(predicate["lane"] == "untrusted" and predicate["exit_status"] == d["exit_status"], predicate)

    expect(statement["predicate"]["results_sha256"] and d["decided_apart"] is False, statement)

    # it belongs to that file alone, and says what that says
    status, out = tool("verify", "--statement", "a.json", "r.json")
    expect(status == 0, out)
    predicate["exit_status"] = 1
    with open("other.json", "w", encoding="utf-8") as f:
        json.dump(statement, f)
    status, out = tool("verify", "--statement", "other.json", "r.json")
    expect(status == 1 and "says something else than the file does" in out, status, out)

    # samples from a file claim no lane
    tool("decide", "-o", "decided.json", "r.json")
    status, out = tool("verify", "--attest", "c.json", "decided.json")
    expect(status == 0, out)
    with open("c.json", encoding="utf-8") as f:
        predicate = json.load(f)["predicate"]
    expect(predicate["lane"] == "from a file" and "evidence" not in predicate, predicate)
    for lane in ("untrusted", "isolated"):
        status, out = tool("verify", "--lane", lane, "decided.json")
        expect(status == 1 and "its verdicts are from a file" in out, status, out)
    status, out = tool("verify", "--statement", "a.json", "decided.json")
    expect(status == 1 and "it is about a file with the SHA-256" in out, status, out)

    # evidence of fewer launches than the readings have
    d["evidence"]["launches"] = 1
    d.pop("document_sha256")
    with open("bent.json", "w", encoding="utf-8") as f:
        json.dump(d, f)
    status, out = tool("verify", "--lane", "untrusted", "--attest", "b.json", "bent.json")
    expect(status == 1 and "the witness saw 1 launches" in out and not os.path.exists("b.json"), status, out)

    status, text, d = against("one", "half")
    expect(status == 1, "half:", status, text)
    expect("times, " in text and " arrived" in text, text)

    tool("--target", "host", "--fixed", "2", "--metrics", "host", "--blocks", "4", "-o", "duet.json", "one", "two")
    status, out = tool("verify", "--lane", "untrusted", "duet.json")
    expect(status == 1 and "in the lane 'duet'" in out, status, out)
    # the same from a configuration, which --lane does not weaken
    status, out = tool("verify", "--config", ".bench-against.json", "r.json")
    expect(status == 0, status, out)
    for more in ((), ("--lane", "any")):
        status, out = tool("verify", "--config", ".bench-against.json", *more, "duet.json")
        expect(status == 1 and "lane 'duet', and gate.lane=untrusted accepts no weaker" in out, status, out)


def refused():
    for arguments, sentence in (
        (("--engine", "duet"), "leave out --engine"),
        (("--in-place",), "leave out --in-place"),
        (("--layouts", "4"), "leave out --layouts"),
        (("--metrics", "instructions"), "counted in the candidate's own process"),
        (("--verdict-on", "instructions"), "counted in the candidate's own process"),
    ):
        status, text, _ = against("one", "two", *arguments)
        expect(status not in (0, 1) and sentence in text, arguments, status, text)
    config = {
        "build": {"commands": [["cp", "variant.so", "launcher.so"]]},
        "suites": {"launch": {"kind": "launcher", "library": "launcher.so"}},
        "sandbox": {"writable": ["/tmp"]},
    }
    commit("shares", {".bench-against.json": json.dumps(config)})
    status, text, _ = against("shares", "two")
    expect(status not in (0, 1) and "move it to 'readable'" in text, status, text)
    config = {"suites": {"c": {"kind": "command", "command": ["true"]}}}
    commit("command", {".bench-against.json": json.dumps(config)})
    commit("other", {"x": "y"})
    status, text, _ = against("command", "other")
    expect(status not in (0, 1) and "its times are the candidate's own word" in text, status, text)


with tempfile.TemporaryDirectory() as top:
    os.chdir(top)
    os.environ["BENCH_AGAINST_CACHE"] = os.path.join(top, "cache")
    os.environ["BENCH_AGAINST_HISTORY"] = os.path.join(top, "history.sqlite")
    make_cache(BUILD, "cache")
    os.mkdir("repo")
    os.chdir("repo")
    git("init", "-q", "-b", "main", ".")
    git("config", "user.name", "t")
    git("config", "user.email", "t@example.org")
    programs()
    launchers()
    refused()
