"""fresh.py BUILD PART: GPU benchmarks with `--untrusted`, on the fake driver. A part is a test that can
run beside the others; `gpu` is all of them on this machine's GPU.

tests/suites/fresh.c is honest, or cheats in one of many ways. None of what is asserted depends on how
quiet the machine is: a candidate that takes four times as long must be found, however it hides that."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BUILD = os.path.abspath(sys.argv[1])
PART = sys.argv[2]
GPU = PART == "gpu"
HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(BUILD, "bin", "bench-against")
TARGET = [] if GPU else ["--fake-driver", os.path.join(BUILD, "tests", "fakecuda", "lib", "libcuda.so.1")]
CONFIG = {
    "build": {"commands": [["cc", "-O1", "-g", "-fPIC", "-shared", "-I.", "-Iinclude", "-o", "libsuite.so", "fresh.c", "-pthread"]]},
    "suites": {"gpu": {"kind": "plugin", "library": "libsuite.so", "warm_up": 2}},
}


def git(*arguments):
    subprocess.run(["git", *arguments], check=True, stdout=subprocess.DEVNULL)


def commit(name, deed, extra):
    with open("deed.h", "w", encoding="utf-8") as f:
        f.write("#define DEED %s\n#define EXTRA %d\n" % (deed, extra))
    git("add", "-A")
    git("commit", "-qm", name, "--allow-empty")
    git("tag", name)


def tool(*arguments):
    done = subprocess.run([TOOL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, " ".join(done.stdout.split())


def against(*arguments):
    if os.path.exists("r.json"):
        os.remove("r.json")
    status, text = tool(*TARGET, "--untrusted", "--gate=strict", "--fixed", "4" if GPU else "8" if "slow" in arguments or "hogs" in arguments else "2",
                        "--blocks", "4" if GPU else "2", *([] if GPU else ["--batch", "16"]), "-o", "r.json", *arguments)
    document = None
    if os.path.exists("r.json"):
        with open("r.json", encoding="utf-8") as f:
            document = json.load(f)
    return status, text, document


FAILED = []


def expect(condition, *what):
    if not condition:
        print("NOT SO:", *what)
        if not GPU:
            sys.exit(1)
        FAILED.append(what)


def honest():
    status, text, d = against("base", "same", "--threshold", "300%")
    expect(d and status in (0, 125), "same:", status, text)
    series = d["series"]
    expect([s["metric"] for s in series] == ["fresh"], series)
    expect(d["engine"] == "untrusted", d["engine"])
    visits = sum(s["blocks"] * s["positions"] for s in series[0]["samples"])
    expect(d["evidence"]["visits"] == visits <= d["evidence"]["fresh"], d["evidence"], visits)
    # at least one visit of each variant in each invocation
    expect(d["evidence"]["checks"] >= 2 * len(series[0]["samples"]), d["evidence"])
    expect(all(s["batch"] >= 1 and s["readings"] == 1 for s in series[0]["samples"]), series[0]["samples"])
    print("same: status %d, ratio %.4f, %s" % (status, series[0]["comparisons"][0].get("ratio") or 0, d["evidence"]))
    status, out = tool("verify", "--lane", "untrusted", "r.json")
    expect(status in (0, 125), out)
    for member, sentence in (("checks", "results were checked after 1 visits"), ("fresh", "new inputs were made for 1 visits")):
        bent = json.loads(json.dumps(d))
        bent["evidence"][member] = 1
        bent.pop("document_sha256")
        with open("bent.json", "w", encoding="utf-8") as f:
            json.dump(bent, f)
        status, out = tool("verify", "--lane", "untrusted", "bent.json")
        expect(status == 1 and sentence in out, status, out)
    status, text, d = against("base", "slow")
    expect(status == 1 and d["series"][0]["comparisons"][0]["verdict"] == "regressed", "slow:", status, text)


def dishonest(rows):
    # a cheat may be found by its times before its results are looked at
    wrong = ("on inputs that it had not seen before", "its worker reported", "of processor time between its visits")
    for name, sentences in (
        ("skips", wrong),
        ("stale", ("wrong answer",)),
        ("replays", wrong),
        ("ahead", wrong),
        ("puts_off", ("the driver reports", *wrong)),
        ("forges", wrong),
        ("elsewhere", ("asked for no output 'y' of 4096 bytes",)),
        ("replaces", wrong),
        # on a busy machine its times are not told from others' (unit.engine_pace has the rule): never green all the same
        ("overlaps", ("its runs overlap or are put off", "is inconclusive in overlaps", *wrong)),
        ("hogs", ("regressed", "leaves work in another stream", *wrong)),
    )[rows]:
        status, text, _ = against("base", name)
        print("%s: status %d" % (name, status), text[-400:] if GPU else "")
        expect(status not in (0, 2), name, status, text)
        expect(any(s in text for s in sentences), name, sentences, text)


def disturbs():
    # one fails in its own way, and the others are measured
    deeds = (
        ("dies", "failed in dies: exited with status 3"),
        ("garbles", "failed in garbles: its worker does not answer as it must: a message that cannot be read"),
        ("deaf", "failed in deaf: its worker does not answer as it must: cannot hand over a descriptor"),
        ("babbles", "sent more than 10000 messages before it answered 'fresh_ran'"),
        ("overruns", "failed in overruns: wrong answer: something was written beyond the end of 'y'"),
        ("shrinks", "gpu/steps was skipped in shrinks: not here"),
        ("more", "gpu/more was skipped in more: the baseline has no such benchmark"),
    )
    status, text, d = against("base", *[name for name, _ in deeds], "--threshold", "300%", "--fixed", "2")
    expect(status not in (0, 2), "disturbs:", status, text)
    for name, sentence in deeds:
        expect(sentence in text, name, sentence, text)
    steps = [s for s in d["series"] if s["samples"]][0]
    expect(all(s["invocation"] < 2 for s in steps["samples"]) and len(steps["samples"]) == 2, steps["samples"])
    expect("failed in base" not in text and "failed in more" not in text, text)
    expect(d["evidence"]["checks"] <= d["evidence"]["fresh"], d["evidence"])


def resumed():
    command = [TOOL, *TARGET, "--untrusted", "--fixed", "4", "--blocks", "2", "--batch", "16", "--threshold", "300%", "-o", "r.json", "base", "same"]
    if os.path.exists("r.json"):
        os.remove("r.json")
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    journal = "r.json.journal"
    while run.poll() is None and not (os.path.exists(journal) and '"t":"invocation"' in open(journal, encoding="utf-8").read()):
        time.sleep(0.01)
    run.send_signal(signal.SIGTERM)
    run.wait()
    if not os.path.exists(journal):
        return  # it was done already
    status, text = tool("--resume", journal)
    expect(status in (0, 125), status, text)
    # the evidence is of all invocations
    status, text = tool("verify", "--lane", "untrusted", "r.json")
    expect(status == 0, status, text)


def unfit():
    for name, sentence in (
        ("accepts", "its check() accepts results that nobody has computed"),
        ("knows", "all inputs that depend on the seed must lie in memory from host->alloc()"),
        ("unchecked", "it has no check(), so nothing can be checked"),
    ):
        status, text, _ = against(name, "base")
        expect(status not in (0, 1) and sentence in text, name, status, text)


def refused():
    status, text, _ = against("base", "same", "--metrics", "gpu_hot")
    expect(status not in (0, 1) and "--metrics names no metric of suite 'gpu'" in text, status, text)
    status, text = tool(*TARGET, "--metrics", "fresh", "base", "same")
    expect(status not in (0, 1) and "no metric 'fresh'" in text, status, text)


with tempfile.TemporaryDirectory() as top:
    os.chdir(top)
    os.environ["BENCH_AGAINST_CACHE"] = os.path.join(top, "cache")
    os.environ["BENCH_AGAINST_HISTORY"] = os.path.join(top, "history.sqlite")
    os.mkdir("cache")
    hashes = os.path.join(BUILD, "tests", "toolchain-hashes")
    if os.path.exists(hashes):
        shutil.copy(hashes, "cache")
    os.mkdir("repo")
    os.chdir("repo")
    git("init", "-q", "-b", "main", ".")
    git("config", "user.name", "t")
    git("config", "user.email", "t@example.org")
    shutil.copytree(os.path.join(HERE, "..", "..", "include"), "include")
    shutil.copy(os.path.join(HERE, "..", "suites", "fresh.c"), ".")
    with open(".bench-against.json", "w", encoding="utf-8") as f:
        json.dump(CONFIG, f)
    with open(".gitignore", "w", encoding="utf-8") as f:
        f.write("libsuite.so\nr.json*\nbent.json\n")
    commit("base", "HONEST", 0)
    commit("same", "HONEST /* the same */", 0)
    commit("slow", "HONEST", 300)
    for deed in ("skips", "stale", "replays", "ahead", "puts_off", "forges", "elsewhere", "replaces", "overlaps", "hogs", "dies", "garbles", "deaf", "babbles", "overruns", "shrinks"):
        commit(deed, deed.upper(), 300)
    for deed in ("accepts", "knows", "unchecked", "more"):
        commit(deed, deed.upper(), 0)
    cheats, more_cheats = (lambda: dishonest(slice(9))), lambda: dishonest(slice(9, None))
    parts = {"honest": (honest, resumed), "dishonest_1": (cheats,), "dishonest_2": (more_cheats,), "others": (disturbs, unfit, refused)}
    for test in (honest, cheats, more_cheats, disturbs, unfit, refused) if GPU else parts[PART]:
        test()
sys.exit(1 if FAILED else 0)
