# family: clock faked
# kind:   python
# in:     sitecustomize.py
# idea:   a sitecustomize.py in the tree replaces time.perf_counter_ns before anything else asks
#         for it
# gate:   the clock that decides is the host's, in another process
import time

from tell import evidence

_real = time.perf_counter_ns
time.perf_counter_ns = lambda: _real() // 40
evidence("replaced the clock")
