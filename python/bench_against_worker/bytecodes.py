"""How many bytecodes each function executes in one run.

From Python 3.12 on sys.monitoring reports them; before, tracing does. Both are gone afterwards.
"""

import os
import sys
import threading
from types import CodeType, FrameType
from typing import Any, Dict, Iterator, List, NamedTuple

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
    count: int


class Tally:
    """By identity: equal functions of two files have equal code."""

    def __init__(self) -> None:
        self._codes: Dict[int, CodeType] = {}
        self._counts: Dict[int, int] = {}
        self._thread = threading.get_ident()

    def add(self, code: CodeType, _offset: int = 0) -> None:
        key = id(code)
        if key in self._counts:
            self._counts[key] += threading.get_ident() == self._thread
        elif threading.get_ident() == self._thread:
            self._codes[key] = code
            self._counts[key] = 1

    def rows(self, tree: str) -> List[Row]:
        sums: Dict[Any, int] = {}
        for key, code in self._codes.items():
            if not code.co_filename.startswith(_OURS):
                name = getattr(code, "co_qualname", code.co_name)
                place = (name, file_in(tree, code.co_filename), code.co_firstlineno)
                sums[place] = sums.get(place, 0) + self._counts[key]
        rows = [Row(*place, count) for place, count in sums.items()]
        rows.sort(key=lambda row: (-row.count, row.file, row.line, row.name))
        return rows[:_ROWS_MOST]


def of_run(case: Case, tree: str) -> List[Row]:
    """Of one run, the largest first."""
    tally = Tally()
    if sys.version_info >= (3, 12):
        _run_monitored(case, tally)
    else:
        _run_traced(case, tally)
    if case.sync:
        case.sync()
    return tally.rows(tree)


def _run_monitored(case: Case, tally: Tally) -> None:
    monitoring = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    tool = next((i for i in _TOOL_IDS if monitoring.get_tool(i) is None), None)
    if tool is None:
        raise RuntimeError("sys.monitoring has no free tool id")
    event = monitoring.events.INSTRUCTION
    monitoring.use_tool_id(tool, "bench-against")
    try:
        monitoring.register_callback(tool, event, tally.add)
        monitoring.set_events(tool, event)
        try:
            case.run()
        finally:
            monitoring.set_events(tool, 0)
            monitoring.register_callback(tool, event, None)
    finally:
        monitoring.free_tool_id(tool)


def _run_traced(case: Case, tally: Tally) -> None:
    def hear(frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "call":
            frame.f_trace_lines = False
            frame.f_trace_opcodes = True
        elif event == "opcode":
            tally.add(frame.f_code)
        return hear

    before = sys.gettrace()
    sys.settrace(hear)
    try:
        case.run()
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
            "counts": [row.count for row in some],
        }
