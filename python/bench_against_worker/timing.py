"""Bursts of run() between two reads of the clock.

The same three ways as in bench-against's own worker: the loops are short, have no branches and are
the same for all variants. Garbage is collected outside of them only.
"""

import contextlib
import gc
from itertools import repeat
from typing import Callable, Iterator, List

from .registry import Case

Clock = Callable[[], int]


def submit(case: Case, clock: Clock, batch: int, readings: int) -> List[int]:
    """`batch` calls a reading; the readings follow one another; drained after the last one."""
    if case.fresh:
        ns = [_one_by_one(case, clock, batch, _nothing) for _ in range(readings)]
        _wait(case)
        return ns
    run = case.run
    ns = [0] * readings
    start = clock()
    for i in range(readings):
        for _ in repeat(None, batch):
            run()
        end = clock()
        ns[i] = end - start
        start = end
    _wait(case)
    return ns


def sustained(case: Case, clock: Clock, batch: int, readings: int) -> List[int]:
    """`batch` calls and a synchronise a reading."""
    run, sync = case.run, case.sync or _nothing
    ns = [0] * readings
    for i in range(readings):
        start = clock()
        for _ in repeat(None, batch):
            run()
        sync()
        ns[i] = clock() - start
    return ns


def roundtrip(case: Case, clock: Clock, batch: int, readings: int) -> List[int]:
    """`batch` times (a call and a synchronise) a reading."""
    if case.fresh:
        sync = case.sync or _nothing
        return [_one_by_one(case, clock, batch, sync) for _ in range(readings)]
    run, sync = case.run, case.sync or _nothing
    ns = [0] * readings
    for i in range(readings):
        start = clock()
        for _ in repeat(None, batch):
            run()
            sync()
        ns[i] = clock() - start
    return ns


def _one_by_one(case: Case, clock: Clock, batch: int, sync: Callable[[], object]) -> int:
    """Each call has a set-up of its own, so it has two reads of the clock of its own, too."""
    elapsed = getattr(case, "elapsed", None)
    if elapsed:
        return sum(elapsed() for _ in repeat(None, batch))
    total = 0
    for _ in repeat(None, batch):
        run = case.begin()
        start = clock()
        run()
        sync()
        total += clock() - start
        # what the call used may be freed here
        run = _nothing
        case.end()
    return total


def _nothing() -> None:
    pass


def _wait(case: Case) -> None:
    if case.sync:
        case.sync()


@contextlib.contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Off inside; what became garbage meanwhile is collected at the end, off the clock."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
        gc.collect(0)


MODES = {
    "submit": submit,
    "sustained": sustained,
    "roundtrip": roundtrip,
    "wall_hot": roundtrip,
}
