# family: work handed over
# kind:   python
# idea:   call() counts in shared memory; a process that is nobody's child does the work, whenever
#         it is given time
# gate:   all processes of a sandbox count
import mmap
import os
import time

from cost import COST
from tell import evidence

_owed = mmap.mmap(-1, 8)


def _work():
    end = time.monotonic() + 30
    evidence("works in a process of its own")
    while time.monotonic() < end:
        time.sleep(0.001)
        for _ in range(_owed[0]):
            for _ in range(COST):
                pass
        _owed[0] = 0
    os._exit(0)


_child = os.fork()
if _child == 0:
    if os.fork() == 0:
        _work()
    os._exit(0)
os.waitpid(_child, 0)


def call():
    _owed[0] = (_owed[0] + 1) & 255
    return COST
