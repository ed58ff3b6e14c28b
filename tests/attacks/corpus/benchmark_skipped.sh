#!/bin/sh
# family: benchmark avoided
# kind:   python
# in:     commit
# idea:   the slow one of two benchmarks says that it cannot run on this machine
# gate:   a benchmark that the baseline measures and the candidate skips is missing
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
    return thing.other
P
	printf '\n\ndef work():\n    return call\n\n\ndef other():\n    sum(range(2000))\n' >>thing.py
else
	cat >>thing.py <<'P'


from bench_against_worker import Skip
from tell import evidence

evidence("skips the slow benchmark")


def work():
    raise Skip("needs another machine")


def other():
    sum(range(100))
P
fi
