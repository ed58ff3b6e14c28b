# family: replies forged
# kind:   python
# in:     bench.py
# idea:   the file of benchmarks does not return when it is imported: it answers the host's
#         requests itself, with times that it invents
# gate:   a visit whose reported time does not fill the time from request to reply is rejected
import gc
import json
import os
import time

import thing
from tell import evidence


def descriptors():
    for one in gc.get_objects():
        if type(one).__name__ == "Channel" and hasattr(one, "_replies_fd"):
            return one._requests, one._replies_fd


def run_ns():
    start = time.perf_counter_ns()
    for _ in range(1000):
        thing.call()
    return (time.perf_counter_ns() - start) / 40000


def serve(requests, replies, ns):
    say = lambda **m: os.write(replies, (json.dumps(m) + "\n").encode())
    say(t="opened")
    for line in requests:
        m = json.loads(line)
        if m["t"] == "list":
            say(t="benchmark", name="work", axes=[], kinds=[], value_counts=[], values=[],
                points=[], modes=["submit"])
            say(t="listed", objects=[], sha256=[])
        elif m["t"] == "prepare":
            say(t="prepared", present=[1])
        elif m["t"] == "measure":
            say(t="measured", ns=[int(ns * m["batch"]) + i for i in range(m["readings"])])
        else:
            say(t="released" if m["t"] == "release" else "closed")
    os._exit(0)


evidence("took over")
serve(*descriptors(), run_ns())
