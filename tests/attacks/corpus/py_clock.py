# family: clock faked
# kind:   python
# idea:   looks for the object that measures among those of the garbage collector, and gives it
#         a clock that shows a fortieth of the time
# gate:   the clock that decides is the host's, in another process
import gc
import time

from cost import COST
from tell import evidence


def slow_clock():
    return time.perf_counter_ns() // 40


for thing in gc.get_objects():
    if type(thing).__name__ == "Worker" and hasattr(thing, "_clock"):
        thing._clock = slow_clock
        evidence("replaced the clock")


def call():
    for _ in range(COST):
        pass
    return COST
