# family: work handed over
# kind:   python
# idea:   call() leaves three quarters of its work to child processes that nobody waits for
#         (SIGCHLD is ignored): their time is in no sum, and counts as that of a stranger
# gate:   waiting for the processor is left out only as far as others cause it
import os
import signal

from cost import COST
from tell import evidence

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
_owed = 0


def call():
    global _owed
    for _ in range(COST // 4):
        pass
    _owed += COST - COST // 4
    if _owed > 600000:
        evidence("leaves its work to children")
        if os.fork() == 0:
            for _ in range(_owed):
                pass
            os._exit(0)
        _owed = 0
    return COST
