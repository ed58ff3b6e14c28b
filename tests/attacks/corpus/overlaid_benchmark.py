# family: overlay
# kind:   python
# in:     bench.py
# config: {"overlay": ["bench.py"]}
# runs:   no
# idea:   the candidate's file of benchmarks does less, and the baseline's configuration
#         has an overlay with it
# gate:   the benchmark's code comes from the baseline, or the report says that it differs
from bench_against_worker import benchmark

from tell import evidence
import thing

@benchmark()
def work():
    evidence("is an easier benchmark")
    thing.COST //= 40
    return thing.call
