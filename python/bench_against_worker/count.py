"""How many instructions a run executes.

The tool's own library (src/measure/pycount) counts them. It calls PyObject_CallNoArgs itself, so that
neither ctypes nor this module is part of the count.
"""

import contextlib
import ctypes
import gc
import os
import sys
import time
from typing import Any, Callable, Iterator, List, NamedTuple, Optional, Tuple

from .plain_malloc import is_counting_process
from .registry import Case
from .timing import no_garbage_collection

#: what the library's functions return
_COUNTED, _UNSUPPORTED, _TOO_LONG = 0, 1, 2
_FAULT = 3
_PROBES = 3
_WALK_MOST = 10_000
#: a run that executes so many times as many instructions as may be counted, by its time, is not tried
_CERTAINLY = 3
#: and one that waits for longer is not repeated hundreds of times
_NS_EACH_WAITING = 10
#: a step takes 5 to 25 us: of longer runs two must do, and of the longest one. Processes are what a
#: verdict compares, and each has the same runs behind it.
_SHORT, _LONG, _DIFFERENT_MOST = 2_500, 50_000, 4
_BLOCKS, _CACHED_BYTES_MOST = 500, 1033


class Request(NamedTuple):
    """What the host asks: so many counted calls of at most `most` instructions."""

    calls: int
    warm_up: int
    most: int
    way: str
    trace: str


class NotCounted(Exception):
    """Why not; `fault`: because of the benchmark, and not of this system."""

    def __init__(self, text: str, fault: bool = False) -> None:
        super().__init__(text)
        self.fault = fault


class Counter:
    """The library, which holds one counter and the trace of its calls."""

    def __init__(self, request: Request) -> None:
        self._most = request.most
        self._library = library = load_library()
        library.ba_pycount_text.restype = ctypes.c_char_p
        library.ba_pycount_way.restype = ctypes.c_char_p
        library.ba_pycount_again.restype = ctypes.c_uint64
        library.ba_pycount_open.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_char_p]
        # before 3.9 there is only the one with a tuple of arguments, which may be NULL
        python = ctypes.pythonapi
        call = getattr(python, "PyObject_CallNoArgs", python.PyObject_CallObject)
        self._function = ctypes.cast(call, ctypes.c_void_p)
        self._check(
            library.ba_pycount_open(request.way.encode(), request.most, os.fsencode(request.trace))
        )
        # now: later, it would move what the runs find in memory
        self.quick = bool(library.ba_pycount_is_quick())

    @property
    def way(self) -> str:
        return str(self._library.ba_pycount_way().decode())

    def count(self, case: Case) -> int:
        """Of one run; what the run raises is raised here."""
        instructions = ctypes.c_uint64()
        self._check(self._run(case, self._library.ba_pycount_call, ctypes.byref(instructions)))
        return instructions.value

    def repeats(self, case: Case, instructions: int) -> bool:
        """Does a run execute as many, by the processor's counter? False also without one."""
        return self.quick and self._run(case, self._library.ba_pycount_again) == instructions

    def _run(self, case: Case, function: Callable[..., int], *first: Any) -> int:
        result = ctypes.c_void_p()
        run = ctypes.py_object(case.begin())
        answer = function(*first, ctypes.byref(result), self._function, run, None)
        case.end()
        if result.value:
            ctypes.pythonapi.Py_DecRef(result)
        return answer

    def close(self, keep: bool) -> None:
        """keep: the trace is written."""
        self._check(self._library.ba_pycount_close(keep))

    def _check(self, answer: int) -> None:
        if answer == _COUNTED:
            return
        text = self._library.ba_pycount_text().decode("utf-8", "replace")
        if answer == _TOO_LONG:
            raise NotCounted(f"one run executes more than {self._most:,} instructions")
        if answer == _FAULT:
            raise NotCounted(f"run() {text}", fault=True)
        if answer == _UNSUPPORTED:
            raise NotCounted(text)
        raise OSError(text)


def load_library() -> ctypes.PyDLL:
    """PyDLL: it calls Python, so it must hold the lock of the interpreter."""
    if not sys.platform.startswith("linux"):
        raise NotCounted("instructions are counted on Linux only")
    if sys.implementation.name != "cpython":
        raise NotCounted(f"instructions of CPython are counted, not of {sys.implementation.name}")
    path = find_library()
    if path is None:
        raise NotCounted("bench_against_worker is installed without its counting library")
    try:
        return ctypes.PyDLL(path)
    except OSError as error:
        raise NotCounted(f"its counting library cannot be loaded: {error}") from None


def find_library(name: str = "count") -> Optional[str]:
    """A wheel has it in the package, not as count.so: Python would import that instead of this
    file. In an installation of the tool, the module is in share/bench-against/python."""
    package = os.path.dirname(os.path.abspath(__file__))
    own = os.path.join(package, f"lib{name}.so")
    if os.path.isfile(own):
        return own
    import glob

    prefix = os.path.normpath(os.path.join(package, *[os.pardir] * 4))
    for folder in ("lib", "lib*", "lib/*"):
        file = os.path.join(glob.escape(prefix), folder, "bench-against", f"{name}.so")
        found = sorted(glob.glob(file))
        if found:
            return found[0]
    return None


@contextlib.contextmanager
def without_garbage_collection() -> Iterator[None]:
    if not is_counting_process():
        with no_garbage_collection():
            yield
        return
    gc.collect()
    gc.freeze()
    gc.disable()
    fill_cache_of_blocks()
    yield


def fill_cache_of_blocks() -> None:
    """So that no run must cut new blocks: with start_again_with_plain_malloc() they are kept."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    for size in range(24, _CACHED_BYTES_MOST, 16):
        blocks = [ctypes.c_void_p(libc.malloc(ctypes.c_size_t(size))) for _ in range(_BLOCKS)]
        for block in blocks:
            libc.free(block)


def _walk() -> int:
    total = 1000
    return total + total


def _time(run: Callable[[], Any]) -> Tuple[int, int]:
    """Nanoseconds of one call, and those in which the thread was busy."""
    start, start_busy = time.perf_counter_ns(), time.thread_time_ns()
    run()
    busy = time.thread_time_ns() - start_busy
    return time.perf_counter_ns() - start, busy


def instructions_each_ns(request: Request) -> float:
    """Of this interpreter on this machine: they differ by a factor of five."""
    counter = Counter(request._replace(most=max(request.most, _WALK_MOST)))
    try:
        least = min(_time(lambda: [_walk() for _ in range(100)])[1] for _ in range(5))
        return 100 * counter.count(Case(_walk)) / max(least, 1)
    finally:
        counter.close(keep=False)


def refuse_long(case: Case, most: int, each_ns: float) -> None:
    """Seconds of steps would end at the limit; the number of runs does not depend on a clock."""
    shortest = busy = sys.maxsize
    for _ in range(_PROBES):
        run = case.begin()
        took = _time(run)
        shortest, busy = min(shortest, took[0]), min(busy, took[1])
        case.end()
        wait(case)
    if busy * each_ns > most * _CERTAINLY or shortest > most * _NS_EACH_WAITING:
        raise NotCounted(
            f"one run takes {shortest / 1e6:.3g} ms; up to {most:,} instructions are counted"
        )


def wait(case: Case) -> None:
    if case.sync:
        case.sync()


def _are_enough(counts: List[int], calls: int, differ: bool) -> bool:
    """Of short runs all are counted; of others two, if they are equal; of long ones one."""
    if not counts or len(counts) >= calls or max(counts) <= _SHORT:
        return len(counts) >= calls
    equal = len(counts) > 1 and len(set(counts)) == 1 and not differ
    return equal or max(counts) > _LONG or len(counts) >= _DIFFERENT_MOST


def _repeat(case: Case, counter: Counter, instructions: int, runs: int) -> bool:
    """By the processor's counter, without steps."""
    for _ in range(runs):
        if not counter.repeats(case, instructions):
            return False
        wait(case)
    return True


def count_runs(case: Case, request: Request) -> Tuple[str, List[int]]:
    """The way that was used, and the instructions of each run."""
    each_ns = instructions_each_ns(request)
    counter = Counter(request)
    counts: List[int] = []
    try:
        with without_garbage_collection():
            refuse_long(case, request.most, each_ns)
            for _ in range(request.warm_up):
                case.run()
            differ = False
            while not _are_enough(counts, request.calls, differ):
                wait(case)
                if len(counts) == 1 and _repeat(case, counter, counts[0], request.calls - 1):
                    break
                differ = counter.quick and len(counts) > 0
                counts.append(counter.count(case))
            wait(case)
        way = counter.way
    except BaseException:
        counter.close(keep=False)
        raise
    counter.close(keep=True)
    return way, counts
