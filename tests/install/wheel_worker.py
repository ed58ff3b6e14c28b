"""wheel_worker.py VERSION: the installed module, far from its source: imports, measures, counts."""

import os
import sys
import tempfile

import bench_against_worker
from bench_against_worker import count
from bench_against_worker.testing import Host, python_worker

BENCHMARKS = """
from bench_against_worker import benchmark

@benchmark(axes={"n": [10, 100]})
def total(n):
    data = list(range(n))
    return lambda: sum(data)
"""

package = os.path.dirname(bench_against_worker.__file__)
assert package.startswith(sys.prefix), package
assert bench_against_worker.__version__ == sys.argv[1], bench_against_worker.__version__
assert os.path.isfile(os.path.join(package, "py.typed"))
library = count.find_library()
assert library == os.path.join(package, "libcount.so"), library
count.load_library()

with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "bench.py")
    with open(file, "w") as out:
        out.write(BENCHMARKS)
    with Host(python_worker(file), cwd=folder, env={"BENCH_AGAINST_COUNT": "1"}) as host:
        host.open()
        host.list()
        counts = {}
        for n in (10, 100):
            host.prepare("total", n=n)
            assert min(host.measure("submit", batch=10, readings=3)) > 0
            counts[n] = host.counted(os.path.join(folder, str(n)))[-1]
        host.close()
# where the system lets nobody count, the answer says so
if counts[10]["instructions"]:
    few, many = (min(counts[n]["instructions"]) for n in (10, 100))
    assert 0 < few < many, counts
else:
    assert counts[10]["text"], counts
