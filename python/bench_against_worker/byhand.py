"""Every benchmark once, for their author: does it work, is it right, how long is it?"""

import sys
import time
import traceback
from typing import Callable

from .registry import Case, Point, Registry, Skip

_ENOUGH_NS = 20_000_000


def try_all(registry: Registry, load: Callable[[], None]) -> int:
    """A line for each benchmark on standard output; 1 where one does not work."""
    load()
    problem = registry.problem()
    if problem:
        print(problem, file=sys.stderr)
        return 129
    bad = sum(not try_one(point) for point in registry.points())
    print("one try each, to see that they work; bench-against compares", file=sys.stderr)
    return 1 if bad else 0


def try_one(point: Point) -> bool:
    try:
        case = point.set_up()
        _once(case)
        right = case.check() if case.check else None
        if right is not None and not right:
            raise AssertionError(f"check() returned {right!r}")
        print(f"{point.id:48} {_ns_each(case) / 1e3:12.3f} us a call")
        if case.teardown:
            case.teardown()
    except Skip as skip:
        print(f"{point.id:48} skipped: {skip}")
    except AssertionError as error:
        print(f"{point.id:48} wrong answer: {error}")
        return False
    except (Exception, SystemExit):
        print(f"{point.id:48} failed:")
        sys.stdout.flush()
        traceback.print_exc()
        return False
    return True


def _once(case: Case) -> None:
    case.run()
    if case.sync:
        case.sync()


def _ns_each(case: Case) -> float:
    """With the wait for what was started; the fewer calls the longer they are."""
    count, spent = 0, 0
    while spent < _ENOUGH_NS and count < 10000:
        start = time.perf_counter_ns()
        _once(case)
        spent += time.perf_counter_ns() - start
        count += 1
    return spent / count
