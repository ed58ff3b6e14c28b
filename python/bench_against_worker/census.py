"""What a run asks of the driver: launches, copies, synchronisations, allocations, ...

The tool's observer (src/device/observer) stands before the driver and counts. It must be loaded
before the driver is, so this happens before benchmarks are loaded, in a process that times nothing.
"""

import ctypes
import os
import sys
from typing import Any, Dict, List, Optional, Tuple

from .bytecodes import file_in
from .count import wait, without_garbage_collection
from .loaded import is_inside
from .registry import Case

_OURS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
#: as many as the observer counts, by observer.h
_COUNTS = 15
_PLACES_MOST = 256

_Heard = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int, ctypes.c_uint64)
#: the function, the line in a function of a file, what was counted
_Place = Tuple[str, str, int, int]


class _Hooks(ctypes.Structure):
    _fields_ = [
        ("loaded", ctypes.c_void_p),
        ("unloaded", ctypes.c_void_p),
        ("launched", ctypes.c_void_p),
        ("met", ctypes.c_void_p),
        ("counted", _Heard),
    ]


def observer() -> str:
    """The path that the host gives to a process for a census; else ""."""
    return os.environ.get("BENCH_AGAINST_CENSUS", "")


class Census:
    """The observer, from now on before the driver."""

    def __init__(self, driver_path: Optional[str]) -> None:
        self.driver_path = driver_path or _path_of_driver()
        self._library = ctypes.CDLL(observer(), mode=ctypes.RTLD_GLOBAL)
        # by its path: by its name it is the observer now
        self._driver = ctypes.CDLL(self.driver_path, mode=ctypes.RTLD_GLOBAL)
        self._hooks = _Hooks(counted=_Heard(self._hear))
        self._places: Dict[_Place, int] = {}
        self._listens = False
        self._tree = ""
        self._library.ba_observer_start(
            ctypes.c_void_p(self._driver._handle), ctypes.byref(self._hooks)
        )

    def starts(self) -> Dict[str, Any]:
        """Since the start, as members of "case": times in the driver, and the most memory; the host
        takes 1 for nothing. And the device code that was loaded."""
        three = (ctypes.c_uint64 * 3)()
        self._library.ba_observer_starts(three)
        ask = self._library.ba_observer_modules
        ask.restype = ctypes.c_char_p
        names = ("context", "load", "device_peak")
        return {"modules": ask().decode("utf-8", "replace"), **{key: max(1, n) for key, n in zip(names, three)}}

    def of_runs(self, case: Case, calls: int, warm_up: int, tree: str) -> Dict[str, Any]:
        """The members of "counted": counts of all runs together, and places of the last one."""
        self._places.clear()
        self._tree = tree
        totals = [0] * _COUNTS
        with without_garbage_collection():
            for _ in range(warm_up):
                case.run()
            for i in range(calls):
                wait(case)
                run = case.begin()
                self._take()
                self._listens = i + 1 == calls
                try:
                    run()
                finally:
                    self._listens = False
                now = self._take()
                case.end()
                totals = [total + count for total, count in zip(totals, now)]
            wait(case)
        places = sorted(self._places.items())[:_PLACES_MOST]
        return {
            "census": totals,
            "calls_made": calls,
            "names": [place[0] for place, _ in places],
            "files": [place[1] for place, _ in places],
            "lines": [place[2] for place, _ in places],
            "whats": [place[3] for place, _ in places],
            "counts": [count for _, count in places],
            **self._kernels(),
        }

    def _kernels(self) -> Dict[str, Any]:
        """The kernels that were launched since the last benchmark's census."""
        ask = self._library.ba_observer_kernels
        ask.restype = ctypes.c_size_t
        names = ctypes.POINTER(ctypes.c_char_p)()
        count = ask(ctypes.byref(names))
        known = count != ctypes.c_size_t(-1).value
        return {
            "kernels": [names[i].decode() for i in range(count)] if known else [],
            "kernels_known": known,
        }

    def _take(self) -> List[int]:
        """What was counted since the last call."""
        counts = (ctypes.c_uint64 * _COUNTS)()
        self._library.ba_observer_census(counts)
        return list(counts)

    def _hear(self, function: bytes, what: int, amount: int) -> None:
        if self._listens:
            place = (*self._caller(function.decode()), what)
            self._places[place] = self._places.get(place, 0) + amount

    def _caller(self, function: str) -> Tuple[str, str, int]:
        """The innermost frame in the tree; without one, the innermost that is not ours."""
        frame = sys._getframe(1)
        chosen = None
        while frame is not None:
            file = frame.f_code.co_filename
            if not file.startswith(_OURS):
                chosen = chosen or frame
                if self._tree and not file.startswith("<") and is_inside(file, [self._tree]):
                    chosen = frame
                    break
            frame = frame.f_back  # type: ignore[assignment]
        if chosen is None:
            return function, "", 0
        code = chosen.f_code
        name = getattr(code, "co_qualname", code.co_name)
        return f"{function} from {name}", file_in(self._tree, code.co_filename), chosen.f_lineno


def _path_of_driver() -> str:
    """Found by the dynamic linker, in a child: here the observer must be loaded first."""
    end, start = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            ctypes.CDLL("libcuda.so.1")
            with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
                paths = [line.split(None, 5)[-1].strip() for line in maps]
            found = [p for p in paths if os.path.basename(p).startswith("libcuda.so")]
            os.write(start, os.fsencode(found[0] if found else ""))
        finally:
            os._exit(0)
    os.close(start)
    with os.fdopen(end, "rb") as answer:
        path = os.fsdecode(answer.read())
    os.waitpid(child, 0)
    return path or "libcuda.so.1"
