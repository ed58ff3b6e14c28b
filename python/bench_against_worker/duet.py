"""compare(): callables against each other in this process, for a notebook or a script.

A round is what an invocation is to the tool: blocks of visits whose order comes from the seed, one
number a candidate in the end. The verdict holds for this process. Rounds in forked processes would
not change that, because a fork has the addresses and the hash seed of its parent.
"""

import os
import platform
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Union

from . import count as counting
from . import schedule, timing
from .registry import Case

if TYPE_CHECKING:
    from .comparison import Comparison

_BENCHMARK = "call"
_FUNCTIONS_MOST = 8
_WARM_UP_NS = 50_000_000
#: a reading: far longer than a read of the clock; but all functions are called equally often, and
#: where one takes so much longer than another, its readings must end
_READING_NS, _READING_MOST_NS = 100_000, 10_000_000
_BATCH_MOST = 1 << 20
_READINGS, _BLOCKS_LEAST, _BLOCKS_MOST = 4, 2, 64
_COUNTED_MOST, _COUNTED_CALLS = 100_000, 3
#: what a notebook waits for is counted in steps of 5 to 25 us
_NOTE = (
    "This holds for this process. Another one has other addresses and another hash seed, and so"
    " maybe another difference: benchmarks for bench-against average over processes."
)


class _Sizes(NamedTuple):
    batch: int
    readings: int
    blocks: int


class _Rule(NamedTuple):
    """What verdicts depend on besides samples."""

    names: List[str]
    threshold: float
    alpha: float
    seed: int
    tick_ns: float


class _Duet:
    def __init__(
        self,
        cases: List[Case],
        setup: Optional[Callable[[], Any]],
        timer: timing.Clock,
        budget_ns: float,
        seed: int,
    ) -> None:
        self._cases = cases
        self._setup = setup
        self._timer = timer
        self._budget_ns = budget_ns
        self._seed = seed
        self._start = timer()
        self.samples: List[Dict[str, Any]] = []

    def _spent_ns(self) -> int:
        return self._timer() - self._start

    def _burst_ns(self, case: Case, batch: int) -> int:
        with timing.no_garbage_collection():
            return timing.submit(case, self._timer, batch, 1)[0]

    def prepare(self, looks: List[int]) -> None:
        """Warm up, and choose the sizes, so that the rounds of the last look fill the budget."""
        self._set_up()
        for case in self._cases:
            self._warm_up(case)
        batch, times = 1, [self._burst_ns(case, 1) for case in self._cases]
        while min(times) < _READING_NS and max(times) < _READING_MOST_NS and batch < _BATCH_MOST:
            batch *= 2
            times = [self._burst_ns(case, batch) for case in self._cases]
        # a visit begins and ends a row
        visits_ns = max(1, 2 * sum(times))
        round_ns = self._budget_ns / looks[-1]
        readings = max(1, min(_READINGS, int(round_ns / (_BLOCKS_LEAST * visits_ns))))
        blocks = int(round_ns / (readings * visits_ns))
        self._sizes = _Sizes(batch, readings, max(_BLOCKS_LEAST, min(_BLOCKS_MOST, blocks)))
        self._round_ns = self._sizes.blocks * readings * visits_ns
        needed_ns = self._spent_ns() + looks[0] * self._round_ns
        if needed_ns > self._budget_ns:
            raise ValueError(
                f"budget={self._budget_ns / 1e9:g}: the {looks[0]} rounds that a verdict needs at"
                f" least take about {needed_ns / 1e9:.2g} s"
            )

    def measure_rounds(self, until: int) -> bool:
        """False if the budget ends before there are so many."""
        while len(self.samples) < until:
            if self._spent_ns() + self._round_ns > self._budget_ns:
                return False
            self._measure_round()
        return True

    def _warm_up(self, case: Case) -> None:
        start = self._timer()
        for _ in range(1000):
            case.run()
            if self._timer() - start > _WARM_UP_NS:
                break

    def _set_up(self) -> None:
        if self._setup is not None:
            self._setup()

    def _measure_round(self) -> None:
        number, started = len(self.samples), self._spent_ns()
        sizes, count = self._sizes, len(self._cases)
        order: List[int] = []
        ns: List[int] = []
        self._set_up()
        for block in range(sizes.blocks):
            row = schedule.block_of(count, self._seed, _BENCHMARK, number, block)
            with timing.no_garbage_collection():
                for participant in row:
                    case = self._cases[participant]
                    ns += timing.submit(case, self._timer, sizes.batch, sizes.readings)
            order += row
        self.samples.append(
            {
                "invocation": number,
                "seed": str(schedule.seed_of(self._seed, _BENCHMARK, number)),
                "participants": count,
                "has_floor": False,
                "positions": 2 * count,
                **sizes._asdict(),
                "started_ns": started,
                "wall_ns": self._spent_ns() - started,
                "order": order,
                "ns": [max(1, n) for n in ns],
            }
        )


def compare(
    functions: Mapping[str, Callable[[], Any]],
    *,
    setup: Optional[Callable[[], Any]] = None,
    budget: float = 10.0,
    threshold: float = 0.02,
    confidence: float = 0.95,
    seed: Optional[int] = None,
    count: bool = True,
    timer: Callable[[], int] = time.perf_counter_ns,
    tool: Optional[str] = None,
) -> "Comparison":
    """Did the second function get slower than the first? Both, or more, in this process.

    ``setup`` is called before each round, off the clock. ``budget`` is the time in seconds that
    measuring takes at most; it ends when the tool knows enough. ``threshold`` is the smallest
    change that matters (0.02: 2 %). ``confidence`` is that of the interval; 1 minus it is the error
    rate of the verdicts. ``seed`` fixes the order of the visits. ``count`` counts the instructions
    of a call, too. ``timer`` reads a clock in ns. ``tool`` is the path of bench-against.

    A function that starts work on a GPU must wait for it before it returns.
    """
    from . import comparison

    _check(functions, budget, threshold, confidence)
    path = tool or comparison.find_tool()
    if seed is None:
        seed = int.from_bytes(os.urandom(6), "little")
    resolution = time.get_clock_info("perf_counter").resolution * 1e9
    tick_ns = max(1.0, resolution) if timer is time.perf_counter_ns else 1.0
    rule = _Rule(list(functions), threshold, 1 - confidence, seed, tick_ns)
    # without samples: is the tool fit for this, and when does it look?
    empty = comparison.Comparison(path, comparison.decide(path, _document(rule, [], "")), {})
    looks: List[int] = empty.document["decision"]["looks"]
    cases = [Case(function) for function in functions.values()]
    duet = _Duet(cases, setup, timer, budget * 1e9, seed)
    duet.prepare(looks)
    for look in looks:
        out_of_time = not duet.measure_rounds(look)
        document = _document(rule, duet.samples, "budget" if out_of_time else "")
        text = comparison.decide(path, document)
        found = comparison.Comparison(path, text, {})
        if out_of_time or all(c.verdict != "inconclusive" for c in found.changes.values()):
            break
    if count:
        found.instructions = {name: _count(case) for name, case in zip(functions, cases)}
    return found


def _check(
    functions: Mapping[str, Callable[[], Any]], budget: float, threshold: float, confidence: float
) -> None:
    if not 2 <= len(functions) <= _FUNCTIONS_MOST:
        raise ValueError(f"compare() takes 2 to {_FUNCTIONS_MOST} functions, not {len(functions)}")
    for name, function in functions.items():
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"{name!r} is not a name")
        if not callable(function):
            raise TypeError(f"{name!r} must be callable, is {function!r}")
    if not 0 < threshold < 1:
        raise ValueError(f"threshold={threshold:g} must be between 0 and 1: 0.02 is 2 %")
    if not 0.5 <= confidence < 1:
        raise ValueError(f"confidence={confidence:g} must be at least 0.5 and below 1")
    if not budget > 0:
        raise ValueError(f"budget={budget:g} must be above 0")


def _document(rule: _Rule, samples: List[Dict[str, Any]], stopped: str) -> Dict[str, Any]:
    """What the tool cannot find out from samples; it adds the rest."""
    thresholds = ("threshold_slower", "threshold_faster", "threshold_given")
    limits = dict.fromkeys(thresholds, rule.threshold)
    return {
        "schema": "bench-against.results/1",
        "verdict": "undecided",
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "wall_seconds": sum(some["wall_ns"] for some in samples) / 1e9,
        "seed": rule.seed,
        "engine": "duet",
        "command_line": "bench_against_worker.compare()",
        "notes": [f"{len(samples)} rounds in one process. {_NOTE}"],
        "decision": {"alpha": rule.alpha, "stopped": stopped, "looks": [], "look_weights": []},
        "environment": {
            "device_name": f"{platform.python_implementation()} {platform.python_version()}, one process",
            "host_name": platform.node(),
            "kernel": platform.release(),
            "cpus": os.cpu_count() or 0,
            "pinned_cpu": -1,
            "timer_tick_ns": rule.tick_ns,
        },
        "suites": [{"name": "compare", "kind": "worker", "engine": "duet"}],
        "variants": [{"kind": "path", "label": name} for name in rule.names],
        "benchmarks": [{"id": _BENCHMARK, "suite": "compare", "kind": "worker", "name": _BENCHMARK}],
        "series": [
            {
                "benchmark": 0,
                "metric": "time",
                "role": "verdict",
                "variants": [{"present": True} for _ in rule.names],
                "comparisons": [
                    {"candidate": i, "verdict": "undecided", **limits}
                    for i in range(1, len(rule.names))
                ],
                "samples": samples,
            }
        ],
    }


def _count(case: Case) -> Union[int, str]:
    """The instructions of one call, or why they were not counted."""
    # once: what a first call leaves to be done is not part of the next
    request = counting.Request(_COUNTED_CALLS, 1, _COUNTED_MOST, "auto", os.devnull)
    try:
        return min(counting.count_runs(case, request)[1])
    except (counting.NotCounted, OSError) as why:
        return str(why)
