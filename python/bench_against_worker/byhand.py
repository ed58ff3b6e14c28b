"""Every benchmark once, for their author: does it work, is it right, how long is it?"""

import sys
import time

from .registry import Case, Point, Registry, Skip
from .timing import roundtrip
from .worker import Failure, Load

_ENOUGH_NS = 20_000_000


def try_all(registry: Registry, load: Load) -> int:
    """A line for each benchmark on standard output; 1 where one does not work."""
    status = 129

    def try_loaded() -> None:
        nonlocal status
        problem = registry.problem()
        if problem:
            print(problem, file=sys.stderr)
            return
        bad = sum(not try_one(point) for point in registry.points())
        print("one try each, to see that they work; bench-against compares", file=sys.stderr)
        status = 1 if bad else 0

    try:
        load(try_loaded)
    except Failure as failure:
        print(failure, file=sys.stderr)
    return status


def try_one(point: Point) -> bool:
    def show(case: Case) -> None:
        _once(case)
        right = case.check() if case.check else None
        if right is not None and not right:
            raise AssertionError(f"check() returned {right!r}")
        if case.value is not None:
            print(f"{point.id:48} {case.value:12g}")
        else:
            print(f"{point.id:48} {_ns_each(case) / 1e3:12.3f} us a call")

    try:
        if point.definition.held:
            note = point.definition.hold(point, True, show)
            if note:
                raise Failure(note)
            return True
        case = point.set_up()
        show(case)
        if case.teardown:
            case.teardown()
    except Skip as skip:
        print(f"{point.id:48} skipped: {skip}")
    except Failure as failure:
        print(f"{point.id:48} failed: {failure}")
        return False
    except AssertionError as error:
        print(f"{point.id:48} wrong answer: {error}")
        return False
    except (Exception, SystemExit):
        print(f"{point.id:48} failed:")
        sys.stdout.flush()
        sys.excepthook(*sys.exc_info())
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
        spent += roundtrip(case, time.perf_counter_ns, 1, 1)[0]
        count += 1
    return spent / count
