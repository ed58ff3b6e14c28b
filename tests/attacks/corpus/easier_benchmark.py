# family: overlay
# kind:   python
# in:     bench.py
# idea:   the candidate's file of benchmarks does less under the same name
# gate:   the benchmark's code comes from the baseline, or the report says that it differs
# scope:  out without an overlay: the benchmark's code is the candidate's, and a note says so
from bench_against_worker import benchmark

from tell import evidence
import thing


@benchmark()
def work():
    evidence("is an easier benchmark")
    thing.COST //= 40
    return thing.call
