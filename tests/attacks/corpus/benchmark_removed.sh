#!/bin/sh
# family: benchmark avoided
# kind:   python
# in:     commit
# idea:   the slow one of two benchmarks is not there any more
# gate:   a benchmark that the baseline measures and the candidate lacks is missing
set -e
if [ "$1" = base ]; then
	cat >bench.py <<'P'
from bench_against_worker import Skip, benchmark
import thing


@benchmark()
def work():
    return thing.work()


@benchmark()
def other():
    return lambda: sum(range(100))
P
	printf '\n\ndef work():\n    return call\n' >>thing.py
else
	sed -i '/^@benchmark/{N;/def work/{N;d}}' bench.py
	sed -i 's/^import thing/import thing\nfrom tell import evidence\nevidence("lacks the slow benchmark")/' bench.py
fi
