#!/usr/bin/env python3
"""attacks.py BUILD [OPTIONS] [NAME...]: candidates that try to pass a gate although they
are slower.

Each file of corpus/ is one attack on the project in project/; README.md describes them and has
the table of outcomes. For each: a repository with a base commit and a candidate, whose code is
at least 50 % slower and which tries to hide it; a strict gate; and what came of it.

  PREVENTED  the gate said that the candidate regressed
  DETECTED   the gate failed for another reason, which it names
  UNDECIDED  the gate failed because it could not tell; on a quieter machine it might pass
  FOOLED     the gate passed (exit status 0)
  LEAKED     the gate failed, but the candidate got a secret, or called home
  INERT      the attack left no evidence that it ran: the row proves nothing

  --lane L        duet (default), split, sandbox (split, with --sandbox) or untrusted: how the
                  variants are measured
  --target T      host (default), or gpu: the launcher attacks on a real GPU
  --jobs N        attacks side by side (1); on GPUs, each has one of its own, 0 to N - 1
  --expect FILE   fail if an outcome is not what the table of FILE has in the lane's column
  --table FILE    write the lane's column into the table of FILE, which must have it
  --column NAME   another column than the lane's
  --quick         only those that are marked `quick`
  --share K/N     the K-th of N shares, so that N runs are all of them
  --keep DIR      leave everything below DIR
  --list          names and families
  -v              also print what the tool said
Ends with 1 if an outcome is not the expected one; without --expect, if a control is wrong. With
77 where something is missing: a compiler, or what a sandbox needs.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SLOW = 250                      # per cent of the baseline's own cost
PYTHON_FAST = 200               # turns of a loop
GPU_SCALE = 40                  # a launch takes microseconds there
SECRET = "secret-that-nobody-should-see"
UNTRUSTED_BLOCKS = 3
LIMIT_S = 240

LAUNCHER = {"kind": "launcher", "library": "launcher.so", "args": [1]}
PYTHON = {"kind": "worker", "command": ["python3", "-m", "bench_against_worker", "bench.py"]}
COMMAND = {"kind": "command", "command": ["./bench"]}
PROGRAM = {"kind": "worker", "command": ["python3", "worker.py"]}
KINDS = {"launcher": LAUNCHER, "python": PYTHON, "program": PROGRAM, "command": COMMAND}


# ---- the corpus ----

class Attack:
    """One file of the corpus; its first comment has the fields."""

    def __init__(self, path):
        self.path = path
        self.name, self.suffix = os.path.splitext(os.path.basename(path))
        with open(path) as file:
            self.text = file.read()
        fields = re.findall(r"^[ *#]*(\w+): +(.*(?:\n[ *#]{5,}\S.*)*)",
                            self.text.split("\n\n")[0], re.M)
        self.fields = {key: re.sub(r"\s*\n[ *#]*", " ", value).strip()
                       for key, value in fields}
        for key in ("family", "kind", "idea"):
            if key not in self.fields:
                sys.exit("attacks.py: %s has no '%s'" % (path, key))
        self.family, self.kind = self.fields["family"], self.fields["kind"]
        default = {".c": "candidate.c", ".py": "thing.py", ".sh": "attack.sh"}[self.suffix]
        self.place = self.fields.get("in", default)
        self.is_control = self.family == "control"

    def options(self):
        return self.fields.get("options", "").split()


def corpus(names):
    found = [Attack(path) for path in sorted(glob.glob(os.path.join(HERE, "corpus/*.*")))]
    unknown = set(names) - {a.name for a in found}
    if unknown:
        sys.exit("attacks.py: no such attack: %s" % ", ".join(sorted(unknown)))
    return [a for a in found if not names or a.name in names]


# ---- a place for one attack ----

class Place:
    def __init__(self, top, tool, include, device):
        self.top, self.tool, self.include, self.device = top, tool, include, device
        for name in ("repo", "cache", "home/bin", "home/.ssh", "tmp", "out"):
            os.makedirs(os.path.join(top, name))
        self.write("home/.ssh/id_test", SECRET)
        # attacks put programs here, and so does the user
        self.write("home/bin/README", "programs of the user\n")

    def path(self, *parts):
        return os.path.join(self.top, *parts)

    def write(self, name, text, mode=0o644):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)

    def environment(self):
        env = {
            "PATH": self.path("home/bin") + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": self.path("home"), "TMPDIR": self.path("tmp"), "LC_ALL": "C.UTF-8",
            "COLUMNS": "200", "NO_COLOR": "1", "GITHUB_TOKEN": SECRET,
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
            "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com",
            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com",
            "GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000",
            "BENCH_AGAINST_CACHE": self.path("cache"),
            "BENCH_AGAINST_HISTORY": self.path("history.sqlite"),
            "ASAN_OPTIONS": "detect_leaks=0",
        }
        if "LD_LIBRARY_PATH" in os.environ:
            env["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        return env

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.path("repo"), check=True,
                       env=self.environment(), stdout=subprocess.DEVNULL)

    def commit(self, tag):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", tag)
        self.git("tag", tag)

    def set_cost(self, percent):
        self.write("repo/cost.h", "#define COST (FAST * %d / 100)\n" % percent)
        self.write("repo/cost.py", "COST = %d\n" % (PYTHON_FAST * percent // 100))


def configuration(attack):
    config = {"build": {"command": ["sh", "build.sh"]}, "suites": {"s": KINDS[attack.kind]}}
    if attack.kind in ("python", "program"):
        config["build"]["command"] = ["sh", "prepare.sh"]
    config.update(json.loads(attack.fields.get("config", "{}")))
    return json.dumps(config, indent=1) + "\n"


def make_base(place, attack, scale):
    """The commit `base`: the project, and nothing of the attack."""
    for name in os.listdir(os.path.join(HERE, "project")):
        shutil.copy(os.path.join(HERE, "project", name), place.path("repo", name))
    shutil.copy(os.path.join(place.include, "bench_against/launcher.h"), place.path("repo"))
    place.write("repo/prepare.sh", "if [ -e attack.sh ]; then . ./attack.sh; fi\n")
    place.write("repo/.bench-against.json", configuration(attack))
    place.set_cost(100)
    place.write("repo/scale.h", "#define SCALE %d\n" % scale)
    place.git("init", "-q", "-b", "main")
    stage(place, attack, "base")
    place.commit("base")


def stage(place, attack, name):
    """An attack that is `in: commit` says what each commit has."""
    if attack.place == "commit":
        subprocess.run(["sh", attack.path, name], cwd=place.path("repo"), check=True,
                       env=dict(place.environment(), CORPUS=HERE))


def make_candidate(place, attack):
    place.set_cost(int(attack.fields.get("cost", SLOW)))
    put_attack(place, attack, "candidate")
    place.commit("candidate")


def put_attack(place, attack, name):
    stage(place, attack, name)
    if attack.place != "commit":
        place.write("repo/" + attack.place, attack.text)
        for name in ("tricks.h", "tricks.sh"):
            shutil.copy(os.path.join(HERE, name), place.path("repo"))


# ---- what is seen from outside ----

class Witness(threading.Thread):
    """Looks for the names of evidence() in all descendants of a process."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.found, self.ended = pid, set(), threading.Event()
        self.start()

    def run(self):
        while not self.ended.wait(0.02):
            self.look(self.pid)

    def look(self, pid):
        for fd in names_in("/proc/%d/fd" % pid):
            try:
                target = os.readlink("/proc/%d/fd/%s" % (pid, fd))
            except OSError:
                continue
            if target.startswith("/memfd:attack: "):
                self.found.add(target[15:].replace(" (deleted)", ""))
        for task in names_in("/proc/%d/task" % pid):
            try:
                with open("/proc/%d/task/%s/children" % (pid, task)) as file:
                    children = file.read().split()
            except OSError:
                continue
            for child in children:
                self.look(int(child))


def names_in(folder):
    try:
        return os.listdir(folder)
    except OSError:
        return []


class Listener(threading.Thread):
    """Where an attack calls home to: a port of this machine."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.heard = []
        self.start()

    def run(self):
        while True:
            try:
                peer, _ = self.socket.accept()
                with peer:
                    peer.settimeout(5)
                    self.heard.append(peer.recv(4096).decode(errors="replace"))
            except OSError:
                return


def evidence_of_builds(place):
    found = set()
    for path in glob.glob(place.path("cache/trees/*/evidence")) + glob.glob(
            place.path("**/evidence-*"), recursive=True):
        with open(path, errors="replace") as file:
            found.update(line.strip() for line in file if line.strip())
    return found


def end_what_is_left(place):
    """Processes of the attack that outlived the tool: they have a file of the place."""
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            links = [os.readlink("/proc/%s/%s" % (name, what)) for what in ("cwd", "exe")]
        except OSError:
            continue
        if any(link.startswith(place.top + "/") for link in links):
            try:
                os.kill(int(name), signal.SIGKILL)
            except OSError:
                pass


# ---- one attack ----

class Outcome:
    def __init__(self, attack, word, status, sentence, evidence, said, took):
        self.attack, self.word, self.status, self.took = attack, word, status, took
        self.sentence, self.evidence, self.said = sentence, evidence, said


def gate(place, attack, lane, target, base, candidate):
    words = [place.tool, "--gate=strict", "--target", target, "--seed", "7", "--progress=never",
             "-o", place.path("out/r.json")]
    if target == "gpu":
        words += ["--device", str(place.device)]
    if "--fixed" not in attack.options():
        words += ["--fixed", "4"]
    if attack.kind != "command":
        words += ["--hang-after", "20s", "--metrics", "host" if target == "host" else "submit"]
        if target == "host":    # visits are long in the untrusted lane
            words += ["--blocks", str(UNTRUSTED_BLOCKS) if lane == "untrusted" else "16"]
    if lane in ("split", "sandbox") and attack.kind == "launcher":
        words += ["--engine", "split"]
    if lane == "sandbox":
        words.append("--sandbox")
    elif lane == "untrusted":
        words.append("--untrusted")
    words += attack.options() + [base, candidate]
    env = place.environment()
    with open(place.path("out/said"), "wb") as said:
        child = subprocess.Popen(words, cwd=place.path("repo"), env=env, stdout=said,
                                 stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        witness = Witness(child.pid)
        try:
            status = child.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            status = None
        witness.ended.set()
        witness.join()
    with open(place.path("out/said"), errors="replace") as said:
        return status, said.read(), witness.found


def sentence_of(status, said):
    """What the gate answered: the last line that is a sentence about the whole, or an error."""
    if status is None:
        return "the gate did not end within %d s" % LIMIT_S
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for line in lines:
        if re.search(r"failed: |bench-against: ", line) and "Regressed" not in said:
            return line
    return lines[-1] if lines else ""


def word_of(status, said, attack, evidence, heard):
    if heard or any(SECRET in text for text in evidence):
        return "LEAKED"
    if status == 0:
        return "FOOLED"
    # what the tool refuses before it builds anything
    refused = re.search(r"^bench-against: (suite '|overlay: |base:|'.bench-against.json' is a symbolic link)", said, re.M)
    if not (evidence or refused or attack.is_control or "runs" in attack.fields):
        return "INERT"
    if status == 1 and "Regressed" in said:
        return "PREVENTED"
    return "UNDECIDED" if re.search("^Inconclusive", said, re.M) else "DETECTED"


def run_attack(attack, options, top, listener, device):
    start = time.monotonic()
    place = Place(os.path.join(top, attack.name), options.tool, options.include, device)
    hashes = os.path.join(top, "toolchain-hashes")
    if os.path.exists(hashes):
        shutil.copy(hashes, place.path("cache"))
    if attack.fields.get("tool") == "own":
        shutil.copytree(os.path.dirname(os.path.dirname(options.tool)), place.path("tool"))
        place.tool = place.path("tool/bin/bench-against")
    place.write("home/port", "%d\n" % listener.port)
    make_base(place, attack, GPU_SCALE if options.target == "gpu" else 1)
    base = "base"
    found = set()
    if "first" in attack.fields:    # a gate before this one, on a harmless change
        place.git("checkout", "-q", "-b", "first")
        place.write("repo/first-gate", "this is the harmless change\n")
        put_attack(place, attack, "first")
        place.commit("first")
        found |= gate(place, attack, options.lane, options.target, "base", "first")[2]
        place.git("checkout", "-q", "main")
        if attack.fields["first"] == "later":
            base = "later"
            place.write("repo/bench.c", "/* a later version */\n" + open(
                place.path("repo/bench.c")).read())
            place.commit(base)
    make_candidate(place, attack)
    status, said, seen = gate(place, attack, options.lane, options.target, base, "candidate")
    # what failed has its last lines in what the tool says
    found |= seen | evidence_of_builds(place) | set(re.findall(r"\battack: (.*)", said))
    end_what_is_left(place)
    kept = place.path("cache/toolchain-hashes")
    if os.path.exists(kept) and not os.path.exists(hashes) and attack.is_control:
        shutil.copy(kept, hashes)
    heard = [text for text in listener.heard if attack.name in text]
    word = word_of(status, said, attack, found, heard)
    if not options.keep:
        shutil.rmtree(place.top, ignore_errors=True)
    return Outcome(attack, word, status, sentence_of(status, said), sorted(found), said,
                   time.monotonic() - start)


# ---- the table of README.md ----

def rows_of(path):
    """name to {column: cell}"""
    columns, rows = [], {}
    with open(path) as file:
        for line in file:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if line.startswith("| attack "):
                columns = cells
            elif columns and line.startswith("| `"):
                rows[cells[0].strip("`")] = dict(zip(columns, cells))
            elif not line.startswith("|"):
                columns = []
    return rows


def write_table(path, column, outcomes):
    """All rows anew, from the corpus; what is known of the others is kept."""
    rows = rows_of(path)
    words = {o.attack.name: o.word for o in outcomes}
    with open(path) as file:
        lines = file.readlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("| attack "))
    end = next((i for i in range(head, len(lines)) if not lines[i].startswith("|")), len(lines))
    columns = [cell.strip() for cell in lines[head].strip().strip("|").split("|")]
    body = []
    for a in sorted(corpus([]), key=lambda a: (a.family, a.name)):
        if a.is_control:
            continue
        row = dict(rows.get(a.name, {}))
        row.update({"attack": "`%s`" % a.name, "family": a.family, "suite": a.kind,
                    "what it does": a.fields["idea"] + (
                        ". *Out of scope:* " + re.sub("^out:? *", "", a.fields["scope"])
                        if "scope" in a.fields else "")})
        if a.name in words:
            row[column] = words[a.name]
        body.append("| " + " | ".join(row.get(c, "") for c in columns) + " |\n")
    with open(path, "w") as file:
        file.writelines(lines[:head + 2] + body + lines[end:])


def report(o, verbose):
    print("%-22s %-26s %-10s %-5s %s" % (
        o.attack.name, o.attack.family, o.word, o.status, o.sentence[:150]))
    print("%-22s   %.1f s; evidence: %s" % ("", o.took, "; ".join(o.evidence)[:200]))
    if verbose:
        print("    " + o.said.replace("\n", "\n    "))
    sys.stdout.flush()


def is_right(o, rows, column):
    """as the table has it; a control as it says itself"""
    want = o.attack.fields.get(column) or o.attack.fields.get("want")
    if want:    # a small difference may need a quieter machine
        return o.status == int(want) or (o.word == "UNDECIDED" and "slow" not in o.attack.name)
    if rows is None:
        return True
    cell = rows.get(o.attack.name, {}).get(column, "")
    # how a gate fails depends on how busy the machine is; that it fails does not
    bad = ("FOOLED", "LEAKED", "INERT")
    return o.word == cell or o.word not in bad


def tool_copy(build, top):
    """the tool as it is installed, so that no attack can reach the one that was built"""
    for name in ("bin/bench-against", "libexec/bench-against/bench-against-worker"):
        target = os.path.join(top, "tool", name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(os.path.join(build, name), target)
    # of a bundle, lib/ also has the libraries that it needs
    for name in ("lib", "share/bench-against"):
        shutil.copytree(os.path.join(build, name), os.path.join(top, "tool", name),
                        ignore=shutil.ignore_patterns("kernels*"))
    return os.path.join(top, "tool/bin/bench-against")


def lacking(lane):
    """What this machine has not, or nothing."""
    for program in ("git", "cc", "sh", *(["bwrap"] if lane in ("sandbox", "untrusted") else [])):
        if not shutil.which(program):
            return "there is no %s" % program
    if lane in ("sandbox", "untrusted") and subprocess.run(
            ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"],
            stderr=subprocess.DEVNULL).returncode:
        return "bwrap cannot make a sandbox here"
    return None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--lane", choices=("duet", "split", "sandbox", "untrusted"), default="duet")
    parser.add_argument("--target", choices=("host", "gpu"), default="host")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--expect")
    parser.add_argument("--table")
    parser.add_argument("--column")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--share", type=lambda text: [int(n) for n in text.split("/")], default=(1, 1))
    parser.add_argument("--keep")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_intermixed_args()
    column = options.column or options.lane
    attacks = corpus(options.names)
    rows = rows_of(options.expect) if options.expect else None
    if options.quick:
        global UNTRUSTED_BLOCKS
        UNTRUSTED_BLOCKS = 2
        attacks = [a for a in attacks if "quick" in a.fields]
    if options.target == "gpu":
        attacks = [a for a in attacks if a.kind == "launcher"]
    if options.list:
        for a in attacks:
            print("%-22s %-9s %-28s %s" % (a.name, a.kind, a.family, a.fields["idea"]))
        return 0
    missing = lacking(options.lane)
    if missing:
        print("attacks.py: " + missing)
        return 77
    top = os.path.realpath(options.keep or tempfile.mkdtemp(prefix="attacks-"))
    os.makedirs(top, exist_ok=True)
    options.include = os.path.join(os.path.dirname(os.path.dirname(HERE)), "include")
    options.tool = tool_copy(os.path.realpath(options.build), top)
    listener = Listener()
    wrong, counts = [], {}
    devices = queue.SimpleQueue()
    for device in range(options.jobs):
        devices.put(device)
    attacks.sort(key=lambda a: not a.is_control)    # the first has the compilers hashed
    attacks = attacks[options.share[0] - 1::options.share[1]]
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            def one(attack):
                device = devices.get()
                try:
                    return run_attack(attack, options, top, listener, device)
                finally:
                    devices.put(device)
            outcomes = [one(a) for a in attacks[:1]]
            report(outcomes[0], options.verbose)
            for o in pool.map(one, attacks[1:]):
                outcomes.append(o)
                report(o, options.verbose)
    finally:
        if not options.keep:
            shutil.rmtree(top, ignore_errors=True)
    for o in outcomes:
        if not is_right(o, rows, column):
            wrong.append(o.attack.name)
        if not o.attack.is_control:
            counts[o.word] = counts.get(o.word, 0) + 1
    if options.table:
        write_table(options.table, column, outcomes)
    print(", ".join("%s %d" % pair for pair in sorted(counts.items())))
    if wrong:
        print("not as expected: " + ", ".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
