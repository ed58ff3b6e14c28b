"""How many bytecodes each function executes in one run.

From Python 3.12 on sys.monitoring reports them; before, tracing does. Both are gone afterwards.
"""

import os
import sys
from _thread import get_ident
from types import CodeType, FrameType
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

from .loaded import is_inside
from .registry import Case

_OURS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
_ROWS_MOST = 2000
_ROWS_A_MESSAGE = 500
#: free for any tool first
_TOOL_IDS = (4, 3, 5, 2, 1, 0)


class Row(NamedTuple):
    """One function: the code that its `def` or `lambda` compiles to."""

    name: str
    file: str
    line: int
    bytecodes: int
    #: bytecodes that code outside of the tree, comprehensions and lambdas executed for it
    calls: int = 0


class Tally:
    """By identity: equal functions of two files have equal code."""

    def __init__(self, tree: str) -> None:
        self._tree = tree
        self._codes: Dict[int, CodeType] = {}
        self._counts: Dict[int, int] = {}
        self._calls: Dict[int, int] = {}
        self._own: Dict[int, bool] = {}
        self._thread = get_ident()

    def add(self, frame: FrameType) -> None:
        if get_ident() != self._thread:
            return
        key = id(frame.f_code)
        self._codes[key] = frame.f_code
        self._counts[key] = self._counts.get(key, 0) + 1
        reason = self._reason(frame)
        if reason is not None and reason is not frame.f_code:
            self._calls[id(reason)] = self._calls.get(id(reason), 0) + 1

    def _reason(self, frame: Optional[FrameType]) -> Optional[CodeType]:
        """The innermost named function of the tree that called, or is, this one."""
        while frame is not None:
            key = id(frame.f_code)
            if key not in self._own:
                self._codes[key] = frame.f_code
                self._own[key] = self._is_own(frame.f_code)
            if self._own[key]:
                return frame.f_code
            frame = frame.f_back
        return None

    def _is_own(self, code: CodeType) -> bool:
        if code.co_name.startswith("<") or code.co_filename.startswith((_OURS, "<")):
            return False
        return bool(self._tree) and is_inside(code.co_filename, [self._tree])

    def rows(self) -> List[Row]:
        sums: Dict[Tuple[str, str, int], Tuple[int, int]] = {}
        for key, count in self._counts.items():
            code = self._codes[key]
            if not code.co_filename.startswith(_OURS):
                name = getattr(code, "co_qualname", code.co_name)
                place = (name, file_in(self._tree, code.co_filename), code.co_firstlineno)
                before = sums.get(place, (0, 0))
                sums[place] = (before[0] + count, before[1] + self._calls.get(key, 0))
        rows = [
            Row(name, file, line, bytecodes, calls)
            for (name, file, line), (bytecodes, calls) in sums.items()
        ]
        rows.sort(key=lambda row: (-row.bytecodes, row.file, row.line, row.name))
        return rows[:_ROWS_MOST]


def of_run(case: Case, tree: str) -> List[Row]:
    """Of one run, the largest first."""
    tally = Tally(tree)
    run = case.begin()
    if sys.version_info >= (3, 12):
        _run_monitored(run, tally)
    else:
        _run_traced(run, tally)
    case.end()
    if case.sync:
        case.sync()
    return tally.rows()


def _run_monitored(run: Callable[[], Any], tally: Tally) -> None:
    def hear(_code: CodeType, _offset: int) -> None:
        tally.add(sys._getframe(1))

    monitoring = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    tool = next((i for i in _TOOL_IDS if monitoring.get_tool(i) is None), None)
    if tool is None:
        raise RuntimeError("sys.monitoring has no free tool id")
    event = monitoring.events.INSTRUCTION
    monitoring.use_tool_id(tool, "bench-against")
    try:
        monitoring.register_callback(tool, event, hear)
        monitoring.set_events(tool, event)
        try:
            run()
        finally:
            monitoring.set_events(tool, 0)
            monitoring.register_callback(tool, event, None)
    finally:
        monitoring.free_tool_id(tool)


def _run_traced(run: Callable[[], Any], tally: Tally) -> None:
    def hear(frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "call":
            frame.f_trace_lines = False
            frame.f_trace_opcodes = True
        elif event == "opcode":
            tally.add(frame)
        return hear

    before = sys.gettrace()
    sys.settrace(hear)
    try:
        run()
    finally:
        sys.settrace(before)


def file_in(tree: str, file: str) -> str:
    """Relative to the tree where it lies in it; "<string>" as it is."""
    if file.startswith("<"):
        return file
    if tree and is_inside(file, [tree]):
        return os.path.relpath(os.path.realpath(file), os.path.realpath(tree))
    return os.path.abspath(file)


def messages(rows: List[Row]) -> Iterator[Dict[str, Any]]:
    """The members of "code" messages."""
    for first in range(0, len(rows), _ROWS_A_MESSAGE):
        some = rows[first : first + _ROWS_A_MESSAGE]
        yield {
            "names": [row.name for row in some],
            "files": [row.file for row in some],
            "lines": [row.line for row in some],
            "counts": [row.bytecodes for row in some],
            "calls": [row.calls for row in some],
        }
