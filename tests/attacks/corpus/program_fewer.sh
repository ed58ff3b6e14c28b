#!/bin/sh
# family: launches left out
# kind:   program
# in:     commit
# idea:   the project's worker program makes a fortieth of the runs
# gate:   a program of the candidate that says how many runs it made cannot acquit
set -e
[ "$1" = base ] && exit
cat >>worker.new <<'P'


from tell import evidence


def measure(batch, readings):
    evidence("makes fewer runs")
    return [burst((batch + 39) // 40) for _ in range(readings)]


P
sed '/^for line in requests/,$d' worker.py >worker.old
cat worker.old worker.new >worker.py
printf 'for line in requests:\n    answer(json.loads(line))\n' >>worker.py
rm worker.old worker.new
