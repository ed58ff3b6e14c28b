#!/bin/sh
# family: overlay
# kind:   python
# in:     commit
# config: {"overlay": ["bench"], "suites": {"s": {"kind": "worker",
#         "command": ["python3", "-m", "bench_against_worker", "bench/bench.py"]}}}
# idea:   an overlay has the folder of benchmarks, in which the baseline has a link to a file
#         beside it; the candidate changes what it points to
# gate:   an overlay has what its links point to, or the report says that it differs
set -e
if [ "$1" = base ]; then
	mkdir bench shared
	mv bench.py shared
	ln -s ../shared/bench.py bench/bench.py
else
	cat >>shared/bench.py <<'P'


from tell import evidence

evidence("is an easier benchmark")
thing.COST //= 40
P
fi
