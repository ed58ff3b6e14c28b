# family: replies forged
# kind:   python
# idea:   replaces the function that measures: it makes a fortieth of the runs, and then waits as
#         long as its report and the tool's clock allow
# gate:   the time from request to reply decides, not what the worker makes of it
import time

from bench_against_worker import timing

from cost import COST
from tell import evidence


def fewer(case, clock, batch, readings):
    evidence("made fewer runs")
    start = time.perf_counter_ns()
    ns = _real(case, clock, (batch + 39) // 40, readings)
    # what is reported is what passed
    while time.perf_counter_ns() - start < sum(ns):
        pass
    return ns


_real = timing.MODES["submit"]
timing.MODES["submit"] = fewer


def call():
    for _ in range(COST):
        pass
    return COST
