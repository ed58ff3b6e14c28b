"""Benchmarks whose instructions are counted, for test_count.py. A virtual machine takes 30 us a step, so they
execute as few as the rules of count.py leave."""

import _thread
import itertools

from bench_against_worker import benchmark


def text_of(number):
    return "%d of %s" % (number, "twenty")


def text_and_more(number):
    text = text_of(number)
    return text.upper()


@benchmark
def formats():
    return lambda: sum(len(text_of(i)) for i in range(1))


@benchmark
def formats_and_more():
    return lambda: sum(len(text_and_more(i)) for i in range(1))


@benchmark
def very_long():
    return lambda: sum(len(text_of(i)) for i in range(18))


@benchmark
def nothing():
    return lambda: None


@benchmark
def grows():
    calls = itertools.count()
    zeros = [0] * 10000
    return lambda: zeros.count(0) if next(calls) > 9 else 0


@benchmark
def every_second_call_does_more():
    turns = itertools.cycle((1, 3))
    return lambda: sum(len(text_of(i)) for i in range(next(turns)))


@benchmark
def raises():
    calls = iter(range(1, 60))

    def run():
        if next(calls, None) is None:
            raise ValueError("call 60")

    return run


@benchmark
def starts_a_thread():
    return lambda: _thread.start_new_thread(int, ())


@benchmark
def adds_a_million():
    return lambda: sum(range(1000000))
