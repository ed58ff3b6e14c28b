"""A task: a logistic map of each number, so that there is no short cut."""

import array
import random

from bench_against_worker import Case, benchmark

import thing


def right(x):
    return array.array("d", [logistic(v) for v in x])


def logistic(v):
    for _ in range(8):
        v = 3.7 * v * (1 - v)
    return v


@benchmark(axes={"n": [512]})
def chaos(n, seed):
    r = random.Random(seed)
    return Case(thing.chaos, inputs=[array.array("d", (r.random() for _ in range(n)))], reference=right)
