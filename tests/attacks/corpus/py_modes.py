# family: monkeypatched module
# kind:   python
# idea:   replaces the function of the worker's module that measures: it makes a fortieth of the
#         runs
# gate:   the host counts runs, or does not acquit what it cannot count
from bench_against_worker import timing

from cost import COST
from tell import evidence


def fewer(case, clock, batch, readings):
    evidence("made fewer runs")
    return _real(case, clock, (batch + 39) // 40, readings)


_real = timing.MODES["submit"]
timing.MODES["submit"] = fewer


def call():
    for _ in range(COST):
        pass
    return COST
