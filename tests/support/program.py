"""A program that speaks docs/workers.md, with one benchmark `spin`, and a cache."""

import os
import shutil
import textwrap

PROGRAM = '''
import json, os, random, sys, time
{top}
requests = os.fdopen(int(os.environ["BENCH_AGAINST_REQUESTS"]))
replies = os.fdopen(int(os.environ["BENCH_AGAINST_REPLIES"]), "w")

def say(**message):
    replies.write(json.dumps(message) + "\\n")
    replies.flush()

for line in requests:
    m = json.loads(line)
    if m["t"] == "hello":
        say(t="hello", protocol="bench-against.worker", version=1, name="test")
    elif m["t"] == "open":
        say(t="opened")
    elif m["t"] == "list":
        say(t="benchmark", name="spin", axes=[], kinds=[], value_counts=[], values=[], points=[], modes=["submit"])
        say(t="listed", objects=[], sha256=[])
    elif m["t"] == "prepare":
{prepare}
    elif m["t"] == "release":
        say(t="released")
    elif m["t"] == "close":
        say(t="closed")
        break
    elif m["t"] == "measure":
{measure}
'''


def program(top, measure, prepare="say(t='prepared', present=[1])"):
    """Its text: what stands at its top, and what it does for a request `m`."""
    inner = {name: textwrap.indent(textwrap.dedent(text), " " * 8) for name, text in (("prepare", prepare), ("measure", measure))}
    return PROGRAM.format(top=textwrap.dedent(top), **inner)


def make_cache(build, cache):
    """A cache that knows the compilers, if a test of BUILD has hashed them."""
    os.makedirs(cache)
    hashes = os.path.join(build, "tests", "toolchain-hashes")
    if os.path.exists(hashes):
        shutil.copy(hashes, cache)
