#!/usr/bin/env python3
"""census_processes.py BUILD OUT N [PACKAGE...]: do N processes of a package count the same?

Starts N Python workers for each package (numba, core, bindings; all that python3 has by default), one
after another, on the host target, and asks each for one census as a run does: 20 calls, then 8 that
are counted. After each ten of them, one has a planted extra: a synchronisation, a copy of 4 KiB or an
allocation. Equal: all 15 counts are those of most processes. Found: an extra's own counts grow by
what was planted, and no other does. Writes OUT/processes.md and OUT/processes.csv (a row for each
package, extra and set of counts) after each hundred processes, and exits with 1 below 99.5 % or if an
extra was missed.

launchcfg, which needs no interpreter: census.py BUILD OUT host ROUNDS equal launchcfg."""
import collections
import json
import os
import subprocess
import sys
import tempfile

import census

NAMES = ("launches copies_h2d copies_d2h copies_d2d bytes_h2d bytes_d2h bytes_d2d memsets "
         "synchronisations allocations frees peak_bytes module_loads graph_nodes events").split()


class Process:
    """A worker, from its start to the answer."""

    def __init__(self, build, folder):
        lib = os.path.join(build, "lib", "bench-against")
        package = os.path.join(build, "share", "bench-against", "python")
        requests, self.requests = os.pipe()
        self.replies, replies = os.pipe()
        env = dict(os.environ, BENCH_AGAINST_REQUESTS=str(requests), BENCH_AGAINST_REPLIES=str(replies),
                   BENCH_AGAINST_COUNT="1", PYTHONHASHSEED="0", PYTHONPATH=package,
                   BENCH_AGAINST_CENSUS=os.path.join(lib, "observer", "libcuda.so.1"),
                   LD_LIBRARY_PATH=os.path.join(lib, "host"))
        self.driver = os.path.join(lib, "host", "libcuda.so.1")
        self.process = subprocess.Popen([sys.executable, "-m", "bench_against_worker", "bench.py"],
                                        cwd=folder, env=env, pass_fds=(requests, replies),
                                        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(requests)
        os.close(replies)
        self.answers = os.fdopen(self.replies, encoding="utf-8")

    def ask(self, request, last, **members):
        os.write(self.requests, json.dumps({"t": request, **members}).encode() + b"\n")
        for line in self.answers:
            answer = json.loads(line)
            if answer["t"] in (last, "failed"):
                return answer
        return {"t": "failed", "text": "the process ended"}

    def census(self, name, folder):
        self.ask("hello", "hello", protocol="bench-against.worker", version=1)
        self.ask("open", "opened", target="host", driver=self.driver, device=0, cpu=-1, label="x",
                 tree=folder)
        self.ask("list", "listed")
        self.ask("prepare", "prepared", benchmark=f"python/{name}", name=name, axes=[], values=[],
                 seed="1", sets=1, warm_up=20, check=False)
        answer = self.ask("count", "counted", mode="submit", way="census", calls=8, warm_up=20, most=0,
                          trace="")
        self.ask("close", "closed")
        os.close(self.requests)
        self.answers.close()
        self.process.wait()
        if "census" not in answer:
            sys.exit(f"{name}: {answer.get('text') or answer}")
        return tuple(count / answer["calls_made"] for count in answer["census"])


def is_found(extra, counts, base):
    wanted = census.EXTRAS[extra]
    return all(c - b == wanted.get(name, 0) for name, c, b in zip(NAMES, counts, base))


class Tally:
    def __init__(self):
        self.equal, self.extras = collections.Counter(), []

    def row(self, name):
        base, most = self.equal.most_common(1)[0]
        found = sum(is_found(extra, counts, base) for extra, counts in self.extras)
        n = sum(self.equal.values())
        words = ", ".join(f"{m} {v:g}" for m, v in zip(NAMES, base) if v)
        good = most >= 0.995 * n and found == len(self.extras)
        return good, (f"| {name} | {words} | {n} | {most} | {100 * most / n:.2f} % | "
                      f"{found} of {len(self.extras)} |")


def write(tallies, out):
    rows = [t.row(name) for name, t in tallies.items()]
    text = "\n".join(["| package | asked of the driver in a call | processes | equal | share | extras found |",
                      "|---|---|---:|---:|---:|---:|", *(row for _, row in rows)]) + "\n"
    with open(os.path.join(out, "processes.md"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(out, "processes.csv"), "w", encoding="utf-8") as file:
        print("package", "extra", *NAMES, "processes", sep=",", file=file)
        for name, t in tallies.items():
            kinds = collections.Counter({("", c): n for c, n in t.equal.items()})
            kinds.update(t.extras)
            for (extra, counts), n in kinds.items():
                print(name, extra, *(f"{c:g}" for c in counts), n, sep=",", file=file)
    return text, all(good for good, _ in rows)


def write_bench(folder, names, extra):
    files = {"bench.py": census.PYTHON_BENCH.replace("NAMES", repr(names)),
             "extra.py": census.PYTHON_EXTRA % census.PYTHON_EXTRAS.get(extra, "pass")}
    with open(os.path.join(census.SOURCE, "tests", "python", "cuda_launches.py"), encoding="utf-8") as file:
        files["launches.py"] = file.read()
    os.makedirs(folder)
    for path, text in files.items():
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write(text)


def main():
    build, out, most = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    names = sys.argv[4:] or [
        n for n in census.ON_HOST
        if subprocess.run([sys.executable, "-c", f"import {census.PACKAGES[n]}"],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0]
    os.makedirs(out, exist_ok=True)
    tallies = {name: Tally() for name in names}
    with tempfile.TemporaryDirectory() as top:
        kinds = ["", *census.EXTRAS]
        for extra in kinds:
            write_bench(os.path.join(top, extra or "base"), names, extra)
        for i in range(most + most // 10):
            # ten without an extra before each with one
            extra = kinds[1 + i // 11 % 3] if i % 11 == 10 else ""
            folder = os.path.join(top, extra or "base")
            for name, tally in tallies.items():
                counts = Process(build, folder).census(name, folder)
                if extra:
                    tally.extras.append((extra, counts))
                else:
                    tally.equal[counts] += 1
            if i % 100 == 0:
                write(tallies, out)
    text, good = write(tallies, out)
    print(text)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
