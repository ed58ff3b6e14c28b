"""The fixture `benchmark` of a test, with the interface that pytest-benchmark's has.

It does not decide how often a function is called. It hands the call over as a Case, which others
measure while the test waits, and then calls the function once more for the test.
"""

import functools
import statistics
import time
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from . import cuda
from .registry import Case, FreshCase, Skip

#: how long, and how often, a function is called when a test asks for statistics in its rehearsal
_REHEARSED_NS, _REHEARSED_CALLS = 100_000_000, 20

Arguments = Tuple[Sequence[Any], Mapping[str, Any]]


class FixtureAlreadyUsed(Exception):
    """A test may call its fixture once."""


class Stats:
    """Seconds of a call, of each reading."""

    def __init__(self, data: Sequence[float] = ()) -> None:
        self.data: List[float] = list(data)

    def __bool__(self) -> bool:
        return bool(self.data)

    def as_dict(self) -> Dict[str, Any]:
        names = ("min", "max", "mean", "stddev", "rounds", "median", "iqr", "q1", "q3", "ops")
        return {name: getattr(self, name) for name in (*names, "total")}

    @property
    def sorted_data(self) -> List[float]:
        return sorted(self.data)

    @property
    def min(self) -> float:
        return min(self.data)

    @property
    def max(self) -> float:
        return max(self.data)

    @property
    def total(self) -> float:
        return sum(self.data)

    @property
    def mean(self) -> float:
        return statistics.mean(self.data)

    @property
    def median(self) -> float:
        return statistics.median(self.data)

    @property
    def stddev(self) -> float:
        return statistics.stdev(self.data) if len(self.data) > 1 else 0.0

    @property
    def rounds(self) -> int:
        return len(self.data)

    def _quartile(self, which: int) -> float:
        if len(self.data) == 1:
            return self.data[0]
        return statistics.quantiles(self.data, n=4, method="inclusive")[which]

    @property
    def q1(self) -> float:
        return self._quartile(0)

    @property
    def q3(self) -> float:
        return self._quartile(2)

    @property
    def iqr(self) -> float:
        return self.q3 - self.q1

    @property
    def ops(self) -> float:
        return self.rounds / self.total if self.total else 0.0


class Metadata:
    """What `benchmark.stats` is: statistics, and what they are about."""

    def __init__(self, fixture: "BenchmarkFixture", stats: Stats) -> None:
        for name in ("name", "fullname", "group", "param", "params", "extra_info", "has_error"):
            setattr(self, name, getattr(fixture, name))
        self.iterations = 1
        self.options: Dict[str, Any] = {}
        self.stats = stats

    def __bool__(self) -> bool:
        return bool(self.stats)

    def __getitem__(self, key: str) -> Any:
        try:
            return getattr(self.stats if hasattr(self.stats, key) else self, key)
        except AttributeError:
            raise KeyError(key) from None

    def get(self, key: str, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default

    def as_dict(self, **_options: Any) -> Dict[str, Any]:
        names = ("group", "name", "fullname", "params", "param", "extra_info")
        return {**{name: getattr(self, name) for name in names}, "stats": self.stats.as_dict()}


class BenchmarkFixture:
    """One for each run of a test. `meanwhile` measures; without it the call is made once."""

    disabled = False
    enabled = True
    skipped = False
    cprofile = None
    cprofile_stats = None

    def __init__(
        self, node: Any, group: Optional[str], meanwhile: Optional[Callable[[Case], None]]
    ) -> None:
        self.name: str = node.name
        self.fullname: str = node.nodeid
        callspec = getattr(node, "callspec", None)
        self.param: Optional[str] = callspec.id if callspec else None
        self.params: Optional[Dict[str, Any]] = callspec.params if callspec else None
        self.group = group
        self.extra_info: Dict[str, Any] = {}
        self.has_error = False
        self.used = False
        self._meanwhile = meanwhile
        self._case: Optional[Case] = None
        self._seconds: List[float] = []

    def __call__(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        run = functools.partial(function, *args, **kwargs) if args or kwargs else function
        return self._hand_over(Case(run), run)

    def pedantic(
        self,
        target: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Optional[Mapping[str, Any]] = None,
        setup: Optional[Callable[[], Optional[Arguments]]] = None,
        teardown: Optional[Callable[..., Any]] = None,
        rounds: int = 1,
        warmup_rounds: int = 0,
        iterations: int = 1,
    ) -> Any:
        """The numbers are checked, and otherwise the host's to choose."""
        for name, value, least in (
            ("iterations", iterations, 1),
            ("rounds", rounds, 1),
            ("warmup_rounds", warmup_rounds, 0),
        ):
            if not isinstance(value, int) or value < least:
                raise ValueError(f"Must have positive int for `{name}`.")
        if setup is None and teardown is None:
            return self(target, *args, **(kwargs or {}))
        if iterations > 1 and setup:
            raise ValueError("Can't use more than 1 `iterations` with a `setup` function.")
        each = _Each(target, (args, kwargs or {}), setup, teardown)
        return self._hand_over(FreshCase(each.ready, each.done), each)

    def _hand_over(self, case: Case, again: Callable[[], Any]) -> Any:
        if self.used:
            self.has_error = True
            raise FixtureAlreadyUsed("Fixture can only be used once.")
        self.used = True
        self._case = case
        try:
            if self._meanwhile is not None:
                # work that another library has queued on a GPU is waited for off the clock
                case.sync = cuda.waiter_of_current_context()
                case.heard = self._hear
                self._meanwhile(case)
            return again()
        except Exception:
            self.has_error = True
            raise

    def _hear(self, ns: Sequence[int], batch: int) -> None:
        self._seconds.extend(one / batch / 1e9 for one in ns)

    @property
    def stats(self) -> Optional[Metadata]:
        """Of what was measured; of a few calls, if nothing was."""
        if self._case is None:
            return None
        if not self._seconds:
            self._rehearse(self._case)
        return Metadata(self, Stats(self._seconds))

    def _rehearse(self, case: Case) -> None:
        end = time.perf_counter_ns() + _REHEARSED_NS
        while len(self._seconds) < _REHEARSED_CALLS and (
            time.perf_counter_ns() < end or not self._seconds
        ):
            run = case.begin()
            start = time.perf_counter_ns()
            run()
            self._seconds.append((time.perf_counter_ns() - start) / 1e9)
            case.end()

    def weave(self, *_args: Any, **_kwargs: Any) -> None:
        raise Skip("benchmark.weave() and benchmark.patch() are not supported")

    patch = weave


class _Each:
    """A call of pedantic() with a setup or a teardown: both run for each call, off the clock."""

    def __init__(
        self,
        target: Callable[..., Any],
        given: Arguments,
        setup: Optional[Callable[[], Optional[Arguments]]],
        teardown: Optional[Callable[..., Any]],
    ) -> None:
        self._target = target
        self._given = given
        self._setup = setup
        self._teardown = teardown
        self._now: Arguments = given

    def ready(self) -> Callable[[], Any]:
        made = self._setup() if self._setup else None
        if made and any(self._given):
            raise TypeError("Can't use `args` or `kwargs` if `setup` returns the arguments.")
        self._now = made or self._given
        return functools.partial(self._target, *self._now[0], **self._now[1])

    def done(self) -> None:
        args, kwargs = self._now
        self._now = self._given
        if self._teardown:
            self._teardown(*args, **kwargs)

    def __call__(self) -> Any:
        result = self.ready()()
        self.done()
        return result

