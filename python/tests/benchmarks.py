"""Benchmarks that behave, and some that do not, for test_worker.py."""

import sys

from bench_against_worker import Case, Skip, benchmark

events = []


@benchmark(axes={"n": [10, 1000]}, points=[{"kind": "list", "x": 1.5}, {"kind": "set", "x": 2}])
def total(n, kind, x, seed):
    data = {"list": list, "set": set}[kind](range(n))
    return Case(
        lambda: sum(data), check=lambda: sum(data) == n * (n - 1) / 2, items=n, flop=n * x + seed
    )


@benchmark(name="false")
def returns_false():
    return Case(lambda: None, check=lambda: False)


@benchmark
def asserts():
    def check():
        raise AssertionError("element 3 is 4.0, should be 5.0\nand more")

    return Case(lambda: None, check=check)


@benchmark
def skips():
    raise Skip("needs two left hands")


@benchmark
def breaks_in_setup():
    return {}["key"]


@benchmark
def breaks_in_run():
    calls = iter(range(30))
    return lambda: next(calls)


@benchmark
def leaves():
    sys.exit(3)


@benchmark
def returns_nothing():
    pass


@benchmark
def breaks_in_teardown():
    def teardown():
        raise OSError("disk on fire")

    return Case(lambda: None, teardown=teardown)


@benchmark
def shouts():
    return lambda: print("\033[2Jnobody asked for this")


@benchmark(metrics=["submit", "sustained", "roundtrip"])
def in_order():
    return Case(lambda: events.append("run"), sync=lambda: events.append("sync"))


@benchmark
def order_so_far():
    raise Skip("".join(event[0] for event in events))


@benchmark(gpu=True)
def on_gpu():
    return lambda: None
