"""python_compare.py TOOL [COUNT [THRESHOLD]]: how often does bench_against_worker.compare() say what is true?

Callables on a simulated clock, on machines of several kinds: COUNT comparisons each of equal
functions, a quarter as many of functions 1 and 5 % apart. The default threshold is 0.02.
docs/python.md has its table.
PYTHONPATH must have the module.
"""

import collections
import random
import sys

from bench_against_worker import compare

CALL_NS = 200_000


class Machine:
    """A clock, and how much longer than usual a call takes now."""

    def __init__(self, seed):
        self.ns = 0
        self.draw = random.Random(seed)

    def __call__(self):
        return self.ns

    def slowness(self):
        return 1

    def call(self, factor):
        def run():
            self.ns += max(1, round(CALL_NS * factor * self.slowness()))

        return run


class Quiet(Machine):
    """each call for itself, 1 %"""

    def slowness(self):
        return self.draw.lognormvariate(0, 0.01)


class Tailed(Machine):
    """each call for itself, 1 %; one in 50 takes two to ten times as long"""

    def slowness(self):
        spike = self.draw.uniform(2, 10) if self.draw.random() < 0.02 else 1
        return spike * self.draw.lognormvariate(0, 0.01)


class Wandering(Machine):
    """the speed wanders: 5 %, forgotten within 0.2 s"""

    def __init__(self, seed):
        super().__init__(seed)
        self.level, self.then = 0.0, 0

    def slowness(self):
        while self.then < self.ns:
            self.then += 5_000_000
            self.level = 0.975 * self.level + self.draw.gauss(0, 0.05 * (1 - 0.975**2) ** 0.5)
        return (1 + max(-0.5, self.level)) * self.draw.lognormvariate(0, 0.005)


class TwoSpeeds(Machine):
    """two speeds, 20 % apart, for 30 ms on average"""

    def __init__(self, seed):
        super().__init__(seed)
        self.slow, self.until = False, 0

    def slowness(self):
        while self.until < self.ns:
            self.slow = not self.slow
            self.until += 1 + int(self.draw.expovariate(1 / 30e6))
        return (1.2 if self.slow else 1) * self.draw.lognormvariate(0, 0.005)


class Slowing(Machine):
    """it becomes 10 % slower each second"""

    def slowness(self):
        return (1 + 0.1 * self.ns / 1e9) * self.draw.lognormvariate(0, 0.005)


def verdicts(tool, kind, factor, count, threshold):
    """How often each was the answer, in per cent."""
    said = collections.Counter()
    for seed in range(count):
        machine = kind(seed)
        functions = {"old": machine.call(1), "new": machine.call(factor)}
        found = compare(
            functions, timer=machine, tool=tool, count=False, seed=seed, threshold=threshold
        )
        said[found.changes["new"].verdict.replace("tail-", "")] += 100 / count
    return said


def main(tool, count=200, threshold=0.02):
    count, threshold = int(count), float(threshold)
    print("| machine | equal: regressed or improved | unchanged | +1 %: regressed | +5 %: regressed |")
    print("|---|---:|---:|---:|---:|")
    for kind in (Quiet, Tailed, Wandering, TwoSpeeds, Slowing):
        equal = verdicts(tool, kind, 1, count, threshold)
        little, much = (
            verdicts(tool, kind, factor, count // 4, threshold) for factor in (1.01, 1.05)
        )
        wrong = equal["regressed"] + equal["improved"]
        shares = (wrong, equal["unchanged"], little["regressed"], much["regressed"])
        print(f"| {kind.__doc__} | " + " | ".join(f"{x:.1f} %" for x in shares) + " |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
