# family: work handed over
# kind:   python
# idea:   call() gives the work to a thread, which waits until nobody measures
# gate:   threads that appear are noticed, and the work of a visit must have ended with it
import threading
import time

from cost import COST
from tell import evidence

_owed = 0
_last = 0.0


def _work():
    global _owed
    evidence("works in a thread")
    while True:
        time.sleep(0.001)
        while _owed > 0 and time.monotonic() - _last > 0.0005:
            _owed -= 1
            for _ in range(COST):
                pass


threading.Thread(target=_work, daemon=True).start()


def call():
    global _owed, _last
    _owed += 1
    if _owed % 16 == 0:
        _last = time.monotonic()
    return COST
