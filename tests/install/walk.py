#!/usr/bin/env python3
"""walk.py PAGE SECTION...: does literally what sections of docs/adopt.md say, one after the other.

In an empty directory: writes each file that they name (a line with nothing but
`PATH`: before a block), runs each block marked `sh`, and compares the output with each block
marked `text`, line by line: each must be in the output of the commands before it. The
commands before such a block end with 0 or 1, all others with 0.
Prints how long it took. `bench-against` comes from PATH. Ends with 1 if a step failed.
  --list        the sections that have commands
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

FENCE = re.compile(r"^```(\S*)$")
FILE = re.compile(r"^`([^`]+)`:$")


def sections(page):
    """name to its steps: (kind, argument, text)"""
    found, name, path, block, kind = {}, None, None, None, ""
    for line in open(page, encoding="utf-8").read().split("\n"):
        fence = FENCE.match(line)
        if block is not None:
            if fence:
                text = "".join(x + "\n" for x in block)
                if path:
                    found[name].append(("file", path, text))
                elif kind in ("sh", "text"):
                    found[name].append((kind, "", text))
                block = path = None
            else:
                block.append(line)
        elif fence:
            block, kind = [], fence.group(1)
        elif line.startswith("## "):
            name = line[3:]
            found[name] = []
        elif FILE.match(line):
            path = FILE.match(line).group(1)
        elif line.strip():
            path = None
    return {name: steps for name, steps in found.items()
            if any(kind == "sh" for kind, _, _ in steps)}


def environment(top):
    env = dict(os.environ, HOME=top + "/home", XDG_CACHE_HOME=top + "/cache",
               XDG_STATE_HOME=top + "/state", NO_COLOR="1", COLUMNS="100",
               GIT_CONFIG_NOSYSTEM="1")
    for who in ("AUTHOR", "COMMITTER"):
        env["GIT_%s_NAME" % who] = "A"
        env["GIT_%s_EMAIL" % who] = "a@example.org"
    return env


def walk(steps, top):
    """None, or what went wrong"""
    env, here = environment(top), top + "/project"
    for folder in (here, env["HOME"]):
        os.makedirs(folder, exist_ok=True)
    hashes, cache = os.environ.get("BA_TOOLCHAIN_HASHES", ""), env["XDG_CACHE_HOME"] + "/bench-against"
    if os.path.exists(hashes):  # else the compilers are hashed
        os.makedirs(cache, exist_ok=True)
        shutil.copy(hashes, cache + "/toolchain-hashes")
    output = ""
    for i, (kind, path, text) in enumerate(steps):
        if kind == "file":
            os.makedirs(os.path.dirname(os.path.join(here, path)), exist_ok=True)
            with open(os.path.join(here, path), "w", encoding="utf-8") as file:
                file.write(text)
        elif kind == "sh":
            answers = i + 1 < len(steps) and steps[i + 1][0] == "text"
            done = subprocess.run(["sh", "-eu", "-c", text], cwd=here, env=env, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            output = done.stdout
            print(output)
            if done.returncode not in ((0, 1) if answers else (0,)):
                return "status %d of:\n%s" % (done.returncode, text)
        else:
            for line in text.splitlines():
                if line not in output:
                    return "'%s' is not in the output" % line
    return None


def main():
    page = sections(sys.argv[1])
    if sys.argv[2] == "--list":
        print("\n".join(page))
        return 0
    for name in sys.argv[2:]:
        if name not in page:
            print("walk.py: no section '%s' with commands" % name, file=sys.stderr)
            return 1
    with tempfile.TemporaryDirectory(prefix="adopt-") as top:
        for name in sys.argv[2:]:
            begin = time.monotonic()
            wrong = walk(page[name], top)
            print("%s: %.0f s%s" % (name, time.monotonic() - begin,
                                    ": " + wrong if wrong else ""))
            if wrong:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
