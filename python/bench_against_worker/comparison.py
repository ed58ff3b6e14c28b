"""What compare() found. The program bench-against decides, and draws; nothing is computed here."""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

#: statuses with which `bench-against decide` has written an answer
_ANSWERS = (0, 1, 125)
_HELP = (
    "compare() measures, and the program bench-against decides: install it (pipx install"
    " bench-against, or from its sources), so that PATH has it"
)


class ToolError(RuntimeError):
    """The program is missing, or it rejected what was measured."""


def find_tool() -> str:
    """Where this module belongs to an installation of the tool, that; else the tool's wheel, if this
    environment has it; else what PATH has."""
    package = os.path.dirname(os.path.abspath(__file__))
    prefix = os.path.normpath(os.path.join(package, *[os.pardir] * 4))
    beside = os.path.join(prefix, "bin", "bench-against")
    if os.path.basename(os.path.dirname(package)) == "python" and os.access(beside, os.X_OK):
        return beside
    try:
        from bench_against import executable  # type: ignore[import-not-found,unused-ignore]

        return str(executable())
    except ImportError:
        pass
    found = shutil.which("bench-against")
    if found is None:
        raise ToolError(_HELP)
    return found


def _run(tool: str, arguments: Sequence[str], statuses: Sequence[int]) -> str:
    try:
        done = subprocess.run(
            [tool, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
        )
    except OSError as error:
        raise ToolError(f"{tool}: {error.strerror}. {_HELP}") from None
    if done.returncode not in statuses or not done.stdout:
        said = done.stderr.decode(errors="replace").strip()
        raise ToolError(f"{tool} {arguments[0]} ended with status {done.returncode}: {said}")
    return done.stdout.decode()


def decide(tool: str, samples: Mapping[str, Any]) -> str:
    """The document with the verdicts, as text."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "samples.json")
        with open(path, "w") as file:
            json.dump(samples, file)
        return _run(tool, ["decide", path], _ANSWERS)


class Change(NamedTuple):
    """One function against the first one, in the tool's words and numbers."""

    #: "regressed", "improved", "unchanged", "inconclusive", ...
    verdict: str
    #: candidate divided by baseline, and its interval; None: not measured, or not known
    ratio: Optional[float]
    low: Optional[float]
    high: Optional[float]
    #: "slower" or "faster" where an unchanged one moved by less than the threshold
    within_threshold: Optional[str]
    #: why there is no verdict, and what would lead to one
    reason: Optional[str]
    hint: Optional[str]
    #: inconclusive, but likely a change, by a rule with an error rate
    likely: bool
    threshold_slower: float
    threshold_faster: float

    def words(self) -> str:
        """The verdict as reports say it: "probably slower", "slower, within the threshold"."""
        if self.within_threshold:
            return f"{self.within_threshold}, within the threshold"
        if self.verdict != "inconclusive" or not self.likely or not self.low or not self.high:
            return self.verdict
        if self.low >= 1 + self.threshold_slower:
            return "probably slower"
        return "probably faster" if self.high <= 1 / (1 + self.threshold_faster) else self.verdict


def _percent(ratio: Optional[float]) -> str:
    return "?" if ratio is None else f"{100 * (ratio - 1):+.2f}"


def _time(ns: float) -> str:
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.4g} {unit}"
    return f"{ns:.4g} ns"


class Comparison:
    """The answer of compare(): print it, or let a notebook show it.

    ``changes`` has a Change for each function but the first; ``ns`` the level of each, in
    nanoseconds a call; ``instructions`` what was counted of each, exactly, or why not;
    ``answer`` the tool's sentence. It holds for this process.
    """

    def __init__(self, tool: str, text: str, instructions: Mapping[str, Union[int, str]]) -> None:
        self._tool = tool
        self._text = text
        self.document: Dict[str, Any] = json.loads(text)
        self.instructions: Dict[str, Union[int, str]] = dict(instructions)
        series = self.document["series"][0]
        self.names: List[str] = [variant["label"] for variant in self.document["variants"]]
        self.ns: Dict[str, float] = {
            name: summary["trimmed_ns"] for name, summary in zip(self.names, series["variants"])
        }
        self.changes: Dict[str, Change] = {
            self.names[c["candidate"]]: Change(*(c[field] for field in Change._fields))
            for c in series["comparisons"]
        }

    @property
    def answer(self) -> str:
        return str(self.document["answer"])

    def to_json(self) -> str:
        """The results document: bench-against report, plot and verify read it."""
        return self._text

    def svg(self) -> str:
        """Each change with its interval, beside the threshold, as the tool draws it."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "results.json")
            with open(path, "w") as file:
                file.write(self._text)
            return _run(self._tool, ["plot", path, "--figure", "changes"], (0,))

    def _lines(self) -> List[str]:
        baseline, *others = self.names
        lines = []
        for name in others:
            change = self.changes[name]
            interval = f"{_percent(change.low)} .. {_percent(change.high)} %"
            lines.append(f"{name} against {baseline}: {change.words()}, {_percent(change.ratio)} % ({interval})")
            lines.extend(f"  {text}" for text in (change.reason, change.hint) if text)
        times = ", ".join(f"{name} {_time(self.ns[name])}" for name in self.names)
        lines.append(f"a call: {times}")
        reasons: Dict[str, List[str]] = {}
        for name, why in self.instructions.items():
            if isinstance(why, str):
                reasons.setdefault(why, []).append(name)
        counts = ", ".join(
            f"{name} {count:,}"
            for name, count in self.instructions.items()
            if isinstance(count, int)
        )
        lines += [f"instructions of a call: {counts}"] if counts else []
        lines += [
            f"instructions of {', '.join(names)} not counted: {why}" for why, names in reasons.items()
        ]
        return [*lines, *self.document["notes"]]

    def __str__(self) -> str:
        return "\n".join(self._lines())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from html import escape

        # as an image: its style is not the page's
        try:
            data = base64.b64encode(self.svg().encode()).decode()
            figure = f'<img alt="{escape(self.answer)}" src="data:image/svg+xml;base64,{data}">'
        except ToolError as error:
            print(error, file=sys.stderr)
            figure = ""
        return f"<div>{figure}<pre>{escape(str(self))}</pre></div>"
