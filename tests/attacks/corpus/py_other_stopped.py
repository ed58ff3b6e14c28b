# family: other worker slowed
# kind:   python
# idea:   a child process stops the baseline's process for a moment, again and again
# gate:   no variant sees the processes of another one
import os
import signal
import time

from cost import COST
from tell import evidence


def parent_of(pid):
    with open("/proc/%s/stat" % pid) as file:
        return int(file.read().rpartition(")")[2].split()[1])


def others(worker):
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and int(name) != worker and parent_of(name) == parent_of(worker):
                yield int(name)
        except OSError:
            pass


def _stop_and_go(worker):
    end = time.monotonic() + 1
    pids = []
    try:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    except OSError:
        pass
    while os.getppid() == worker and time.monotonic() < end:
        pids = pids or list(others(worker))
        evidence("sees %s other worker" % ("an" if pids else "no"))
        for pid in pids:
            try:
                os.kill(pid, signal.SIGSTOP)
                time.sleep(0.0002)
                os.kill(pid, signal.SIGCONT)
                evidence("stopped the other worker")
            except OSError:
                pids = []
        time.sleep(0.0001)
    os._exit(0)


_calls = 0


def call():
    global _calls
    _calls += 1
    if _calls == 250:    # it is measured
        worker = os.getpid()
        if os.fork() == 0:
            _stop_and_go(worker)
    for _ in range(COST):
        pass
    return COST
