"""judge.py BUILD [--tool] [--share K/N] [NAME...]: cheats in Python, on tasks that another process judges.

Each of python/cheats.txt is a candidate for python/bench.py that takes four times as long as it
seems. Without --tool this program is the host: it starts the checker and the candidate's worker,
times visits, and asks the checker after each; without a sandbox, so a cheat has more than it would
have. --share: the K-th cheat and each N-th after it. With --tool, `bench-against --untrusted` judges them, some in a run. Exit status 1 if one is
called faster or the same."""

import json
import os
import select
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(sys.argv[1])
VISITS, RUNS, IN_A_RUN, TRIES = 10, 8, 6, 5
#: would stop this program, which has no sandbox around them
ONLY_BY_TOOL = ("ptrace_self",)


def candidates():
    with open(os.path.join(HERE, "python", "cheats.txt"), encoding="utf-8") as f:
        head, *rest = f.read().split("\n#### ")
    found = {text.split(":")[0]: head + "\n# " + text for text in rest}
    asked = [a for a in sys.argv[2:] if not a.startswith("-")]
    first, step = 1, 1
    if "--share" in sys.argv:
        share = sys.argv[sys.argv.index("--share") + 1]
        asked.remove(share)
        first, step = map(int, share.split("/"))
    return head, {name: found[name] for name in asked or list(found)[first - 1 :: step]}


def tree(folder, text):
    os.makedirs(folder, exist_ok=True)
    shutil.copy(os.path.join(HERE, "python", "bench.py"), folder)
    with open(os.path.join(folder, "thing.py"), "w", encoding="utf-8") as f:
        f.write(text)


class Worker:
    """A process of one tree, and the requests to it."""

    def __init__(self, folder, checks, layout=None):
        self.folder = folder
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        requests, self.requests = os.pipe()
        self.replies, replies = os.pipe()
        env = {**os.environ, "BENCH_AGAINST_REQUESTS": "3", "BENCH_AGAINST_REPLIES": "4", "TMPDIR": folder}
        package = os.path.join(BUILD, "share", "bench-against", "python")
        env["PYTHONPATH"] = os.pathsep.join([os.path.join(package, "bench_against_worker", "start"), package, folder])

        def place():  # the numbers that a worker has in a run of the tool
            for i, fd in enumerate([os.dup2(f, 20 + k) for k, f in enumerate((requests, replies, theirs.fileno()))]):
                os.dup2(fd, (3, 4, 6)[i])

        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench_against_worker", "--task", "own", "bench.py"], cwd=folder, env=env,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=place, close_fds=False, start_new_session=True)
        for fd in (requests, replies):
            os.close(fd)
        theirs.close()
        self.end, self.buffer = ours, b""
        os.set_blocking(self.replies, True)
        self.ask("hello", protocol="bench-against.worker", version=1)
        self.ask("open", target="host", device=0, cpu=-1, tree=folder, driver="", start_cpu=-1)
        point = {"name": "chaos", "axes": ["n"], "values": ["512"], "seed": "7", "sets": 1, "warm_up": 0, "check": False}
        layout = layout or {"names": [], "kinds": [], "bytes": [], "call": ""}
        self.prepared = self.ask("fresh_prepare", checks=checks, socket=6, count=RUNS, limited=False, **point,
                                 **{k: layout[k] for k in ("names", "kinds", "bytes", "call")})

    def send(self, request, **members):
        os.write(self.requests, json.dumps({"t": request, **members}).encode() + b"\n")

    def hear(self, request):
        answer = {"hello": "hello", "open": "opened", "fresh_prepare": "fresh_prepared", "fresh_judge": "fresh_judged",
                  "fresh_run": "fresh_ran"}.get(request, request)
        end = time.monotonic() + 30
        while b"\n" not in self.buffer:
            ready = select.select([self.replies], [], [], 20)[0]
            data = os.read(self.replies, 65536) if ready else b""
            if not data or time.monotonic() > end:
                raise ValueError("ended")
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        message = json.loads(line)
        if message["t"] != answer:
            raise ValueError(message.get("text", line[:80]))
        return message

    def ask(self, request, **members):
        self.send(request, **members)
        return self.hear(request)

    def stop(self):
        try:
            os.killpg(self.process.pid, 9)
        except ProcessLookupError:
            pass
        self.process.wait()
        for fd in (self.requests, self.replies):
            os.close(fd)
        self.end.close()


def judged(checker, folder):
    """What became of a candidate: a word, what was found, and the median visit in ms."""
    worker, times = None, []
    try:
        worker = Worker(folder, False, checker.prepared)
        for _ in range(VISITS):
            checker.ask("fresh_inputs", seeds=[str(int.from_bytes(os.urandom(8), "little")) for _ in range(RUNS)])
            memory = socket.recv_fds(checker.end, 1, 1)[1][0]
            start = time.perf_counter()
            worker.send("fresh_run", take=True, runs=RUNS)
            socket.send_fds(worker.end, [b"\0"], [memory])
            worker.hear("fresh_run")
            times.append(time.perf_counter() - start)
            os.close(memory)
            said = checker.ask("fresh_judge", case=int.from_bytes(os.urandom(2), "little") % RUNS, variant=1)
            if not said["right"]:
                return "found", said["text"], 0
    except (ValueError, OSError) as error:
        return "failed", str(error) or type(error).__name__, 0
    finally:
        if worker:
            worker.stop()
    return "right", "", min(times) * 1e3


def by_protocol(texts, head):
    if not hasattr(socket, "send_fds"):
        print("python3 before 3.9 cannot hand over descriptors")
        sys.exit(77)
    top = tempfile.mkdtemp()
    fooled = []
    try:
        tree(os.path.join(top, "base"), head + "\nchaos = once\n")
        checker = Worker(os.path.join(top, "base"), True)
        base = judged(checker, os.path.join(top, "base"))
        print(f"{'baseline':20} {base[0]} {base[2]:.2f} ms {base[1]}")
        if base[0] != "right":
            return ["baseline"]
        fastest = base[2]
        for name, text in texts.items():
            if name in ONLY_BY_TOOL:
                continue
            folder = os.path.join(top, name)
            tree(folder, text)
            word, why, ms = judged(checker, folder)
            if word == "right":
                tries = 0
                while ms <= 2 * fastest and tries < TRIES:  # the processors may have been busy with others
                    fastest = min(fastest, judged(checker, os.path.join(top, "base"))[2] or fastest)
                    tries += 1
                word = "slower" if ms > 2 * fastest else "FOOLED"
            print(f"{name:20} {word} {f'{ms / fastest:.1f}x' if ms else ''} {why[:150]}", flush=True)
            if word == "FOOLED" or (name.startswith("control") and word != "slower"):
                fooled.append(name)
        checker.stop()
    finally:
        shutil.rmtree(top, ignore_errors=True)
    return fooled


def by_tool(texts, head):
    fooled, names = [], list(texts)
    for first in range(0, len(names), IN_A_RUN):
        some = names[first : first + IN_A_RUN]
        with tempfile.TemporaryDirectory() as top:
            suite = {"kind": "python-task", "format": "own", "task": "bench.py"}
            for name in ["base", *some]:
                folder = os.path.join(top, name)
                tree(folder, texts.get(name, head + "\nchaos = once\n"))
                with open(os.path.join(folder, ".bench-against.json"), "w", encoding="utf-8") as f:
                    json.dump({"target": "host", "suites": {"t": suite}}, f)
            out = os.path.join(top, "r.json")
            done = subprocess.run(
                [os.path.join(BUILD, "bin", "bench-against"), "--untrusted", "--fixed", "4", "--blocks", "4", "--no-history", "--cache-dir",
                 os.path.join(top, "cache"), "-o", out, *[f"path:{os.path.join(top, n)}" for n in ["base", *some]]],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if not os.path.exists(out):
                print(done.stdout)
                return some
            with open(out, encoding="utf-8") as f:
                document = json.load(f)
        for name, c in zip(some, document["series"][0]["comparisons"]):
            verdict = c["verdict"]
            failure = document["series"][0]["variants"][c["candidate"]].get("failure") or ""
            print(f"{name:20} {verdict} {c.get('ratio', '')} {failure[:140]}", flush=True)
            # a busy machine leaves the control inconclusive
            if verdict in ("improved", "unchanged", "identical") or (name.startswith("control") and failure):
                fooled.append(name)
    return fooled


HEAD, TEXTS = candidates()
BAD = (by_tool if "--tool" in sys.argv else by_protocol)(TEXTS, HEAD)
print(f"{len(TEXTS)} tried, fooled or not as expected: {', '.join(BAD) or 'none'}")
sys.exit(1 if BAD else 0)
