#!/bin/sh
# family: replies forged
# kind:   program
# in:     commit
# idea:   the project's worker program reports a fortieth of the time
# gate:   a visit whose reported time does not fill the time from request to reply is rejected
set -e
[ "$1" = base ] && exit
cat >>worker.new <<'P'


from tell import evidence


def measure(batch, readings):
    evidence("lies")
    return [burst(batch) // 40 + 1 for _ in range(readings)]


P
sed '/^for line in requests/,$d' worker.py >worker.old
cat worker.old worker.new >worker.py
printf 'for line in requests:\n    answer(json.loads(line))\n' >>worker.py
rm worker.old worker.new
