# family: work handed over
# kind:   python
# idea:   call() counts in shared memory; a child process on another processor does the work
# gate:   the work of a visit must have ended with it
# scope:  out on the host target, unless the benchmark checks its results
import mmap
import os
import time

from cost import COST
from tell import evidence

_owed = mmap.mmap(-1, 8)
if os.fork() == 0:
    evidence("works in a process")
    try:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    except OSError:
        pass
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.001)
        for _ in range(_owed[0]):
            for _ in range(COST):
                pass
        _owed[0] = 0
    os._exit(0)


def call():
    _owed[0] = 1
    return COST
