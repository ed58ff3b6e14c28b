# family: cached results
# kind:   python
# idea:   after the first hundred calls, call() returns what the last one returned
# gate:   results are checked again on a later visit, chosen by chance, with other inputs
# scope:  out unless the benchmark draws inputs and checks its results: without arguments, equal
#         results are right results
from cost import COST
from tell import evidence

_calls = 0


def call():
    global _calls
    _calls += 1
    if _calls > 100:
        evidence("replayed a result")
        return COST
    for _ in range(COST):
        pass
    return COST
