"""The program of the `worker` suite: docs/workers.md, without Python's module."""
import json
import os
import sys
import time

import thing

requests = os.fdopen(int(os.environ["BENCH_AGAINST_REQUESTS"]), "r")
replies = os.fdopen(int(os.environ["BENCH_AGAINST_REPLIES"]), "w")


def say(type_, **members):
    replies.write(json.dumps({"t": type_, **members}) + "\n")
    replies.flush()


def burst(batch):
    start = time.perf_counter_ns()
    for _ in range(batch):
        thing.call()
    return time.perf_counter_ns() - start


def measure(batch, readings):
    return [burst(batch) for _ in range(readings)]


def answer(m):
    if m["t"] == "hello":
        say("hello", protocol="bench-against.worker", version=1, name="the project's")
    elif m["t"] == "open":
        if m.get("cpu", -1) >= 0:
            os.sched_setaffinity(0, {m["cpu"]})
        say("opened")
    elif m["t"] == "list":
        say("benchmark", name="work", axes=[], kinds=[], value_counts=[], values=[], points=[],
            modes=["submit"])
        say("listed", objects=[], sha256=[])
    elif m["t"] == "prepare":
        for _ in range(100):
            thing.call()
        say("prepared", present=[1])
    elif m["t"] == "measure":
        burst(m["discard"])
        say("measured", ns=measure(m["batch"], m["readings"]))
    elif m["t"] == "release":
        say("released")
    elif m["t"] == "close":
        say("closed")
        sys.exit()
    else:
        say("failed", text="no such request")


for line in requests:
    answer(json.loads(line))
