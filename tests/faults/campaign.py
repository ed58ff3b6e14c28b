#!/usr/bin/env python3
"""campaign.py BUILD [OPTIONS]: small runs of every kind, in which the n-th call fails.

For each kind of run: it is made once undisturbed, which counts its calls; then again and
again with one call of one kind failing (fail.h), sampled where there are many. After each:
no crash, no hang, no answer but the right one, a sentence where it did not succeed, no
process and no file left behind, the repository as it was, and the next run is sound.

  --runs a,b      only these kinds of runs (--list says which)
  --kinds a,b     only these kinds of calls
  --most N        calls tried of each kind in each run, spread over all (12; 0: every one)
  --places        tries the first call from each place of the program, once in all runs: a
                  place is a stack of the eight innermost return addresses. --most then
                  bounds places, and 0 takes them all
  --share K/N     of those, the K-th of N shares, so that N campaigns try all of them
  --seed N        which ones (1)
  --only K:N      that call, and say everything
  --errno E       another error, a number or "short"
  --below TEXT    only calls about paths with TEXT in them; whatever fails there is no
                  mistake of the user's, so that 129 is not the answer
  --persistent    all later calls of the kind fail as well
  --log FILE      a line of JSON for everything found
Ends with 1 if anything was found, with 77 where no call can be seen. In a build with
AddressSanitizer no allocation fails; one without it also finds what that would hide.
"""
import argparse
import collections
import hashlib
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
QUIET_S = 40        # without a tick of processor time: it hangs
CPU_S = 60          # of processor time for a run of a second: it turns in circles
PROBLEMS = ("crash", "hang", "wrong", "status", "silent", "left", "touched", "next")


def kinds_of_calls():
    text = open(os.path.join(HERE, "fail.h")).read()
    return re.findall(r"^\s*X\((\w+),", text, re.M)


KINDS = kinds_of_calls()


CALL = struct.Struct("=IIQQ")    # fail_call


def places_of_calls(path, known):
    """by kind, the numbers of the first calls from places that are not known yet"""
    firsts = {}
    with open(path, "rb") as calls:
        for kind, _, number, stack in CALL.iter_unpack(calls.read()):
            place = (KINDS[kind], stack)
            if place not in known:
                firsts[place] = min(number, firsts.get(place, number))
    known.update(firsts)
    numbers = collections.defaultdict(list)
    for (kind, _), number in sorted(firsts.items(), key=lambda item: item[1]):
        numbers[kind].append(number)
    return numbers


def count_calls(path):
    with open(path, "rb") as state:
        numbers = struct.unpack("%dQ" % (len(KINDS) + 1), state.read())
    return dict(zip(KINDS, numbers)), numbers[-1]


# ---- the place where it runs: made once, copied for each run ----

class Place:
    """top/now is where runs are made; top/then is what it is made of."""

    def __init__(self, build, top):
        self.build, self.top = build, top
        self.now, self.then = os.path.join(top, "now"), os.path.join(top, "then")
        self.tool = os.path.join(build, "bin/bench-against")
        self.fake = os.path.join(build, "tests/fakecuda/lib/libcuda.so.1")
        self.fail = os.path.join(build, "tests/faults/libfail.so")

    def path(self, *parts):
        return os.path.join(self.now, *parts)

    def begin(self):
        shutil.rmtree(self.now, ignore_errors=True)
        for name in ("repo", "cache", "tmp", "home", "out"):
            os.makedirs(self.path(name))
        hashes = os.path.join(self.build, "tests/toolchain-hashes")
        if os.path.exists(hashes):  # else the compilers are hashed
            shutil.copy(hashes, self.path("cache"))
        self.git("init", "-q")
        # another one around it, which must not be taken for it
        subprocess.run(["git", "init", "-q"], cwd=self.now, check=True,
                       env=self.environment())

    def keep(self):
        shutil.rmtree(self.then, ignore_errors=True)
        os.rename(self.now, self.then)

    def restore(self):
        shutil.rmtree(self.now, ignore_errors=True)
        shutil.copytree(self.then, self.now, symlinks=True)

    def environment(self, extra=()):
        env = {
            "PATH": os.environ["PATH"], "HOME": self.path("home"),
            "TMPDIR": self.path("tmp"), "LC_ALL": "C.UTF-8", "COLUMNS": "200",
            "NO_COLOR": "1", "MALLOC_PERTURB_": "165",
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
            "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com",
            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com",
            "GIT_AUTHOR_DATE": "1700000000 +0000",
            "GIT_COMMITTER_DATE": "1700000000 +0000",
            "BENCH_AGAINST_CACHE": self.path("cache"),
            "BENCH_AGAINST_HISTORY": self.path("history.sqlite"),
            "BA_FAKE_CUDA": "launch_ns=0;clock_ns=0;call_ns=10",
            "BA_FAULT_MARK": self.top,
            # in a build with it: other libraries come first, crashes are crashes
            "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0:handle_segv=0:"
                            "handle_abort=0",
        }
        env.update(extra)
        return env

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.path("repo"), check=True,
                       env=self.environment(), stdout=subprocess.DEVNULL)

    def put(self, name, text):
        path = self.path("repo", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def configure(self, suite, commands=(("cp", "variant.so", "launcher.so"),)):
        self.put(".bench-against.json", json.dumps(
            {"build": {"commands": commands}, "suites": {"s": suite}}))

    def commit(self, tag):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", tag)
        self.git("tag", tag)

    def commit_library(self, tag, library):
        shutil.copy(os.path.join(self.build, "tests/suites", library + ".so"),
                    self.path("repo/variant.so"))
        self.commit(tag)


# ---- the kinds of runs: what is there before, and the command ----

MEASURE = ["--seed", "7", "--fixed", "4", "--blocks", "8", "-o", "../out/r.json"]
DUET = ["old", "same", "new"]


def launcher(p):
    p.configure({"kind": "launcher", "library": "launcher.so", "args": [0]})
    for tag, library in zip(DUET, ("cost100", "cost101", "cost110")):
        p.commit_library(tag, library)
    return ["--fake-driver", p.fake, "--metrics", "submit", *MEASURE, *DUET]


def plugin(p):
    p.configure({"kind": "plugin", "library": "launcher.so", "warm_up": 2,
                 "iterations": 4})
    for tag, library in zip(DUET, ("plugin20000", "plugin20200", "plugin22000")):
        p.commit_library(tag, library)
    return ["--fake-driver", p.fake, "--metrics", "gpu_hot", *MEASURE, *DUET]


def host(p):
    launcher(p)
    return ["--target", "host", "--threshold", "500%", *MEASURE, "--batch", "8", *DUET]


STUB = """i=$(($$ % 7))
echo '{"schema": "bench-against.samples/1", "benchmarks": '
echo "[{\\"id\\": \\"a\\", \\"values\\": [$((COST + i)), $((COST + i)).5]}]}"
"""


def command(p):
    p.configure({"kind": "command", "command": ["sh", "bench.sh"]}, (["true"],))
    for tag, cost in zip(DUET, (10000, 10010, 11000)):
        p.put("bench.sh", STUB.replace("COST", str(cost)))
        p.commit(tag)
    return [*MEASURE, *DUET]


def worker(p):
    p.configure({"kind": "worker",
                 "command": ["python3", "-m", "bench_against_worker", "bench.py"]},
                (["true"],))
    for tag, cost in zip(DUET, (1.0, 1.0, 3.0)):
        p.put("bench.py", "import ctypes, os\n"
              "from bench_against_worker import Case, benchmark\n"
              "advance = ctypes.CDLL(%r).ba_fake_advance_ns\n"
              "advance.argtypes = [ctypes.c_int64]\n"
              "@benchmark()\n"
              "def work():\n"
              "    return Case(lambda: advance(%d))\n"
              % (os.path.join(p.build, "tests/fakecuda/plain/libcuda.so.1"),
                 int(cost * 100000)))
        p.commit(tag)
    return ["--fake-driver", os.path.join(p.build, "tests/fakecuda/plain/libcuda.so.1"),
            "--metrics", "submit", "--batch", "4", *MEASURE, *DUET]


def whole(p, make=launcher):
    """a run before, whose result file is there"""
    words = make(p)
    done = run(p, words)
    if done.status != 1:
        sys.exit("campaign.py: the run before ended with %d:\n%s" % (
            done.status, done.err))
    os.rename(p.path("out/r.json"), p.path("out/before.json"))
    return words


def warm(p):
    return whole(p)


def report(p):
    whole(p)
    return ["report", "../out/before.json", "--report", "../out/pages"]


def verify(p):
    whole(p)
    return ["verify", "../out/before.json"]


def compare(p):
    whole(p)
    return ["compare", "../out/before.json#old", "../out/before.json#new", "-o",
            "../out/r.json"]


def history(p):
    whole(p)
    return ["history", "--target", "fake"]


def prune(p):
    whole(p)
    return ["cache", "prune", "--max-size", "1"]


def listing(p):
    whole(p)
    return ["list", "new"]


def init(p):
    p.put("CMakeLists.txt", "project(x C)\n")
    p.commit("old")
    return ["init"]


def resume(p):
    words = whole(p)
    child = subprocess.Popen([p.tool, *words, "--fixed", "40"], cwd=p.path("repo"),
                             env=p.environment(), stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    journal = p.path("out/r.json.journal")
    while child.poll() is None:
        if os.path.exists(journal) and open(journal).read().count(
                '{"t":"invocation"') >= 2:
            break
        time.sleep(0.001)
    child.kill()
    child.wait()
    return ["--resume", "../out/r.json.journal"]


RUNS = {
    "launcher": launcher, "warm": warm, "plugin": plugin, "host": host,
    "command": command, "worker": worker, "resume": resume, "report": report,
    "verify": verify, "compare": compare, "history": history, "list": listing,
    "prune": prune, "init": init,
}
# calls of our worker, not of the host
INSIDE = {"in-launcher": launcher, "in-plugin": plugin, "in-host": host}


# ---- one run ----

Done = collections.namedtuple("Done", "status out err hung")


def marked(p):
    """processes of this place that live, and their processor time in ticks"""
    pids, ticks = [], 0
    mark = ("BA_FAULT_MARK=" + p.top).encode()
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/environ" % name, "rb") as file:
                if mark not in file.read().split(b"\0"):
                    continue
            with open("/proc/%s/stat" % name) as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        pids.append(int(name))
        ticks += int(fields[11]) + int(fields[12])
    return pids, ticks


def watch(child, p):
    """True where it hangs, by the processor time that it and its children use"""
    seen, since = -1, time.monotonic()
    while True:
        try:
            child.wait(2)
            return False
        except subprocess.TimeoutExpired:
            pass
        ticks = marked(p)[1]
        if ticks != seen:
            seen, since = ticks, time.monotonic()
        if time.monotonic() - since > QUIET_S or ticks > CPU_S * os.sysconf("SC_CLK_TCK"):
            return True


def run(p, words, extra=(), same_addresses=False):
    before = ["setarch", "-R"] if same_addresses else []
    with open(p.path("stdout"), "wb") as out, open(p.path("stderr"), "wb") as err:
        child = subprocess.Popen([*before, p.tool, *words], cwd=p.path("repo"), stdout=out,
                                 stderr=err, stdin=subprocess.DEVNULL,
                                 env=p.environment(extra))
        hung = watch(child, p)
        if hung:
            child.kill()
            child.wait()
    read = lambda name: open(p.path(name), "rb").read().decode(errors="replace")
    return Done(child.returncode, read("stdout"), read("stderr"), hung)


def files_of(top, contents):
    """path to digest, or to nothing"""
    found = {}
    for dir, _, names in os.walk(top):
        for name in names:
            path = os.path.join(dir, name)
            key = os.path.relpath(path, top)
            found[key] = ""
            if contents and os.path.islink(path):
                found[key] = os.readlink(path)
            elif contents:
                with open(path, "rb") as file:
                    found[key] = "%o %s" % (os.stat(path).st_mode, hashlib.sha256(
                        file.read()).hexdigest())
    return found


# numbers of processes and times in the names of files
def names_left(p):
    names = set()
    for part in ("cache", "tmp", "home", "out"):
        for name in files_of(p.path(part), False):
            names.add(part + "/" + re.sub(r"\d{3,}", "N", name))
    return names


def answer_of(p, done, name=""):
    """what must be the same as that of the undisturbed run"""
    answer = [done.status]
    if name == "init":
        return answer + sorted((k, v) for k, v in files_of(p.path("repo"), True).items()
                               if not k.startswith(".git/"))
    if name == "prune":
        return answer + sorted(files_of(p.path("cache/trees"), False))
    path = p.path("out/r.json")
    if os.path.exists(path):
        try:
            doc = json.load(open(path))
        except ValueError as why:
            return answer + ["half a file: %s" % why]
        for s in doc["series"]:
            answer.append((s["id"], s["metric"], [c["verdict"] for c in s["comparisons"]],
                           [v.get("failure") for v in s["variants"]]))
    elif done.status in (0, 1):
        answer.append(re.sub(r"[\d.]+", "N", done.out))
    if os.path.exists(p.path("out/pages")):
        answer.append(sorted(files_of(p.path("out/pages"), True).items()))
    return answer


class Campaign:
    def __init__(self, p, name, options, known):
        self.p, self.name, self.options = p, name, options
        self.inside = name in INSIDE
        p.begin()
        self.words = (INSIDE if self.inside else RUNS)[name](p)
        p.keep()
        p.restore()
        self.is_init = name == "init"
        self.repository = files_of(p.path("repo"), True)
        extra = self.faults("")
        if options.places:
            extra["BA_FAULT_CALLS"] = p.path("calls")
        self.whole = run(p, self.words, extra, options.places)
        self.calls = count_calls(p.path("state"))[0]
        self.places = places_of_calls(p.path("calls"), known) if options.places else {}
        self.answer = answer_of(p, self.whole, name)
        again = run(p, self.words)
        self.answer_again = answer_of(p, again, name)
        self.names = names_left(p)

    def faults(self, fault):
        extra = {"LD_PRELOAD": self.p.fail, "BA_FAULT_STATE": self.p.path("state"),
                 "BA_FAULT_TRACE": self.p.path("trace")}
        if self.inside:
            extra["BA_FAULT_IN"] = "bench-against-worker"
        if fault:
            extra["BA_FAULT"] = fault
        if self.options.below:
            extra["BA_FAULT_PATH"] = self.options.below
        if self.options.errno:
            extra["BA_FAULT_ERRNO"] = self.options.errno
        return extra

    def chosen(self, kind, random):
        count, most = self.calls[kind], self.options.most
        tried = self.places.get(kind, []) if self.options.places else range(1, count + 1)
        if most and len(tried) > most:
            step = len(tried) / most
            tried = sorted({tried[int(step * i + random.random() * step)] for i in range(most)})
        share, shares = self.options.share
        return list(tried)[share - 1::shares]

    def attempt(self, kind, n):
        """the problems of this one; None: nothing failed"""
        p, problems = self.p, []
        p.restore()
        done = run(p, self.words, self.faults("%s:%d%s" % (
            kind, n, "+" if self.options.persistent else "")))
        if not os.path.exists(p.path("state")) or not count_calls(p.path("state"))[1]:
            return None, done, ""
        trace = ""
        if os.path.exists(p.path("trace")):
            trace = open(p.path("trace")).read()
        if done.hung:
            problems.append("hang")
        elif done.status < 0:
            problems.append("crash")
        elif done.status not in (0, 1, 125) + (() if self.options.below else (129,)):
            problems.append("status")
        if "Sanitizer" in done.err or "runtime error" in done.err:
            problems.append("crash")
        left = self.processes_left()
        if left:
            problems.append("left")
        answer = answer_of(p, done, self.name)
        unwritten = done.status == 1 and answer[:1] == self.answer[:1] and not (
            os.path.exists(p.path("out/r.json")) or self.name == "compare") and (
            "cannot write" in done.err)
        if done.status in (0, 1) and answer != self.answer and not unwritten:
            problems.append("wrong")
        if done.status > 1 and not (done.err + done.out).strip():
            problems.append("silent")
        if not self.is_init and files_of(p.path("repo"), True) != self.repository:
            problems.append("touched")
        # as a user does who is told so
        for path in re.findall(r"cannot remove '([^']+)'", done.err):
            if os.path.isfile(path):
                os.unlink(path)
        stays = kind in ("write", "flush", "close", "sync", "rename", "unlink", "resize")
        if (stays or answer != self.answer) and (
                self.name != "resume" or os.path.exists(p.path("out/r.json.journal"))):
            again = run(p, self.words)
            if answer_of(p, again, self.name) not in (self.answer, self.answer_again):
                problems.append("next")
                done = done._replace(err=done.err + "\n-- next (%d):\n" % again.status +
                                     again.err + again.out)
            more = names_left(p) - self.names
            # what could not be removed stays
            if more and kind != "unlink":
                problems.append("left")
                done = done._replace(err=done.err + "\n-- left: " + " ".join(
                    sorted(more)))
        return problems, done, trace

    def processes_left(self):
        for _ in range(100):
            left = marked(self.p)[0]
            if not left:
                return []
            time.sleep(0.05)
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        return left


def where(trace, build):
    """the functions of ours on the stack of the failed call"""
    rows = re.findall(r"(\S*/(?:bench-against\S*|lib\w+\.so\S*))\(([^)]*)\)", trace)
    names = []
    for file, place in rows:
        if "libfail" in file:
            continue
        offset = place.rpartition("+")[2]
        if "bench-against" not in file or place[:1] != "+":
            names.append(place.partition("+")[0] or os.path.basename(file))
            continue
        path = os.path.join(build, file) if not os.path.isabs(file) else file
        text = subprocess.run(["addr2line", "-f", "-e", path, "0x%x" % (
            int(offset, 16) - 1)], capture_output=True, text=True).stdout
        names.append(text.split("\n")[0])
    return " < ".join(names[:9])


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("build", nargs="?")
    for name in ("runs", "kinds", "only", "errno", "below", "log"):
        parser.add_argument("--" + name, default="")
    parser.add_argument("--most", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=lambda text: [int(n) for n in text.split("/")], default=(1, 1))
    parser.add_argument("--persistent", action="store_true")
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("-h", "--help", action="store_true")
    options = parser.parse_args()
    if options.help or options.list or not options.build:
        print(__doc__ if not options.list else " ".join([*RUNS, *INSIDE]))
        return 0 if options.help or options.list else 129
    build = os.path.abspath(options.build)
    runs = options.runs.split(",") if options.runs else [*RUNS, *INSIDE]
    kinds = options.kinds.split(",") if options.kinds else KINDS
    if options.only:
        kinds = [options.only.partition(":")[0]]
    unknown = [x for x in runs if x not in RUNS and x not in INSIDE]
    unknown += [x for x in kinds if x not in KINDS]
    if unknown:
        print("campaign.py: no run or kind of call '%s'" % unknown[0], file=sys.stderr)
        return 129
    table = collections.defaultdict(collections.Counter)
    log = open(options.log, "a") if options.log else None
    known = set()  # places
    with tempfile.TemporaryDirectory(prefix="ba-faults-") as top:
        for name in runs:
            chance = random.Random("%d %s" % (options.seed, name))
            c = Campaign(Place(build, top), name, options, known)
            for kind in kinds:
                table[kind]["calls"] += c.calls[kind]
                table[kind]["places"] += len(c.places.get(kind, []))
                numbers = c.chosen(kind, chance)
                if options.only:
                    numbers = [int(options.only.partition(":")[2])]
                for n in numbers:
                    problems, done, trace = c.attempt(kind, n)
                    if options.only:
                        print("%s: status %s, %s\n-- stdout\n%s\n-- stderr\n%s\n-- at %s" % (
                            name, done.status, problems, done.out, done.err,
                            where(trace, build)))
                    if problems is None:
                        continue
                    table[kind]["failed"] += 1
                    for problem in set(problems):
                        table[kind][problem] += 1
                    if problems:
                        print("%s %s:%d: %s, status %s, at %s\n    %s" % (
                            name, kind, n, ", ".join(problems), done.status,
                            where(trace, build), done.err.strip()[-600:].replace(
                                "\n", "\n    ")), flush=True)
                    if problems and log:
                        log.write(json.dumps({"run": name, "kind": kind, "n": n,
                                  "problems": problems, "status": done.status,
                                  "at": where(trace, build), "err": done.err[-2000:],
                                  "out": done.out[-2000:]}) + "\n")
                        log.flush()
            print("%s: done" % name, file=sys.stderr, flush=True)
    if not any(table[kind]["calls"] for kind in kinds):
        print("campaign.py: no call is seen; is the sanitizer linked statically?")
        return 77
    columns = ("calls", *(("places",) if options.places else ()), "failed", *PROBLEMS)
    print("%-8s" % "kind" + "".join("%9s" % c for c in columns))
    total = collections.Counter()
    for kind in kinds:
        total.update(table[kind])
        print("%-8s" % kind + "".join("%9d" % table[kind][c] for c in columns))
    print("%-8s" % "all" + "".join("%9d" % total[c] for c in columns))
    return 1 if any(total[c] for c in PROBLEMS) else 0


if __name__ == "__main__":
    sys.exit(main())
