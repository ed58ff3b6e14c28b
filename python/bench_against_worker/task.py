"""A task: inputs by a seed, a reference, and the rule by which results are right.

Formats of tasks (formats.py) are classes of this kind. Everything here is the baseline's, and runs
in a process that no candidate can reach (judge.py); of the candidate's tree a task only loads the
function, in the candidate's own process.
"""

import json
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from . import numerics
from .arena import Plain, library_of
from .registry import GPU_METRICS, Case, Definition

Values = Mapping[str, Any]
Call = Any

#: relative and absolute tolerance where a task gives none; other types must be equal
TOLERANCES = {"float64": (1e-7, 1e-7), "float32": (1e-4, 1e-4), "float16": (1e-2, 1e-2), "bfloat16": (1e-2, 1e-2)}


class Refused(Exception):
    """Why a task cannot be judged."""


class Wrong(Exception):
    """What is wrong with a result."""


class Task:
    """One benchmark. `values` are those of its axes, `state` is the seed of what lasts longer than
    a call (weights of a module)."""

    #: the function gets places for its results after its inputs, and writes there
    destination = False
    #: some runs have inputs beside its own distribution (numerics.py)
    regimes: Tuple[str, ...] = ()
    #: the same inputs must give the same bits
    repeatable = False

    def __init__(self, name: str, device: int) -> None:
        self.name = name
        self.device = device

    def inputs(self, values: Values, seed: int) -> Sequence[Any]:
        raise NotImplementedError

    def reference(self, values: Values, state: int) -> Call:
        raise NotImplementedError

    def truth(self, values: Values, state: int) -> Optional[Call]:
        """What is called with inputs in double precision; None: there is none."""
        return self.reference(values, state)

    def function(self, values: Values, state: int) -> Call:
        """The candidate's."""
        raise NotImplementedError

    def check(self, args: Sequence[Any], got: Any, expected: Any) -> Optional[str]:
        """A sentence about a result that is wrong."""
        return compare(self.device, got, expected)

    def definition(self, points: Sequence[Mapping[str, Any]], axes: Mapping[str, Sequence[Any]] = {}) -> Definition:
        """The benchmark that a run without --untrusted measures."""

        def set_up(seed: int, **values: Any) -> Case:
            args = self.inputs(values, seed)
            look = Look(self, values, seed)
            function = self.function(values, seed)
            outputs = look.places(args) if self.destination else ()

            def check() -> None:
                text = look_at(look, function, lambda: self.inputs(values, seed))
                if text:
                    raise AssertionError(text)

            return Case(lambda: function(*args, *outputs), check=check)

        gpu = self.device >= 0
        metrics = (*GPU_METRICS, "fresh") if gpu else ("submit", "fresh")
        made = Definition(set_up, self.name, axes, points, gpu, None, metrics)
        made.task = self
        return made


NOT_REPEATED = "wrong answer: two runs with the same inputs gave other bits, and the task asks for repeatable results"


def libraries(x: Any, device: int) -> Plain:
    found = library_of(x, device)
    assert found is not None
    return found


def clones(args: Sequence[Any], device: int) -> Any:
    return in_regime(args, "", device)


def compare(
    device: int,
    got: Any,
    expected: Any,
    tolerance: Optional[Tuple[float, float]] = None,
    share: float = 1.0,
    either: bool = False,
) -> Optional[str]:
    """tolerance: (rtol, atol); share: of the elements must be within it; either: within one of the two, not
    within their sum."""
    for index, (mine, right) in enumerate(zip(flatten(got, device)[1], flatten(expected, device)[1])):
        lib = library_of(mine, device) or Plain()
        dtype, _, _ = lib.describe(mine)
        rtol, atol = tolerance or TOLERANCES.get(dtype, (0.0, 0.0))
        if not lib.is_float(mine):
            rtol = atol = 0.0
        bad, count = numerics.outside(lib, mine, right, rtol, atol, either), max(1, lib.count(mine))
        if bad > (1 - share) * count:
            return f"{bad} of {count} elements of result {index} are off by more than {atol:g} {'and' if either else '+'} {rtol:g} of the reference"
    return None


# ---- nested arguments ----


def flatten(value: Any, device: int) -> Tuple[Any, List[Any]]:
    """What is around the arrays, as JSON, and the arrays."""
    arrays: List[Any] = []

    def walk(x: Any) -> Any:
        lib = library_of(x, device)
        if lib is not None:
            arrays.append(x)
            return {"array": len(arrays) - 1}
        if isinstance(x, (list, tuple)):
            return {type(x) is list and "list" or "tuple": [walk(item) for item in x]}
        if isinstance(x, dict) and all(isinstance(k, str) for k in x):
            return {"dict": {k: walk(v) for k, v in x.items()}}
        if x is None or isinstance(x, (bool, int, float, str)):
            return {"is": x}
        raise Refused(f"a value of type {type(x).__name__} cannot be given to another process")

    return walk(value), arrays


def build(around: Any, arrays: Sequence[Any]) -> Any:
    ((kind, inner),) = around.items()
    if kind == "array":
        return arrays[inner]
    if kind == "dict":
        return {k: build(v, arrays) for k, v in inner.items()}
    if kind in ("list", "tuple"):
        return (list if kind == "list" else tuple)(build(x, arrays) for x in inner)
    return inner


class Shape(NamedTuple):
    """What all seeds have in common: what is around the arrays, and what these are like."""

    around: str
    arrays: Tuple[Any, ...]


def shape_of(value: Any, device: int, what: str) -> Shape:
    around, arrays = flatten(value, device)
    kinds = []
    for array in arrays:
        lib = library_of(array, device)
        if lib is None or not lib.is_array(array):
            raise Refused(f"{what} has a {type(array).__name__} that is not a plain array on the device of the run")
        if not lib.is_contiguous(array):
            raise Refused(f"{what} has an array that is not contiguous: such memory cannot be shared")
        kinds.append(lib.describe(array))
    return Shape(json.dumps(around, allow_nan=True), tuple(kinds))


# ---- is a result right? ----


class Look:
    """Compares results with the reference and with the truth, for one state."""

    def __init__(self, task: Task, values: Values, state: int) -> None:
        self.task = task
        self._device = task.device
        self._reference = task.reference(values, state)
        self._truth = task.truth(values, state)

    def expected(self, args: Sequence[Any]) -> Any:
        return self._reference(*self._clone(args))

    def places(self, args: Sequence[Any]) -> Any:
        """Arrays like the results."""
        made = self.expected(args)
        return clones(made if isinstance(made, tuple) else (made,), self._device)

    def _clone(self, args: Sequence[Any]) -> Any:
        return clones(args, self._device)

    def true(self, args: Sequence[Any]) -> Optional[List[Any]]:
        """In double precision, as far as the reference can do that."""
        if self._truth is None:
            return None
        around, arrays = flatten(tuple(args), self._device)
        try:
            wide = [library_of(x, self._device).to_double(x) for x in arrays]  # type: ignore[union-attr]
            _, made = flatten(self._truth(*build(around, self._clone(wide))), self._device)
        except Exception:
            self._truth = None
            return None
        return made

    def examine(
        self, args: Sequence[Any], got: List[Any], drift: numerics.Drift, rule: bool = True
    ) -> Optional[str]:
        """rule: the task's own must accept it, too."""
        expected = self.expected(args)
        around, right = flatten(expected, self._device)
        if len(got) != len(right):
            return f"wrong answer: {len(got)} arrays, and the reference has {len(right)}"
        errors = []
        true = self.true(args) if any(map(self._is_float, right)) else None
        for index, (mine, reference) in enumerate(zip(got, right)):
            lib = library_of(mine, self._device)
            if lib is None or lib.describe(mine) != lib.describe(reference):
                return f"wrong answer: result {index} is not of the reference's type and shape"
            if not lib.is_float(mine):
                continue
            bad = numerics.not_finite(lib, mine, reference)
            if bad:
                word = "wrong answer" if rule else "drifted"
                return f"{word}: {bad} elements of result {index} are NaN, infinite or not written, and not in the reference"
            truth = true[index] if true and self._is_double(true[index]) else reference
            errors.append(numerics.errors_of(lib, mine, reference, truth))
        text = self.task.check(args, build(around, got), expected) if rule else None
        return f"wrong answer: {text}" if text else drift.add(errors)

    def _is_float(self, x: Any) -> bool:
        return library_of(x, self._device).is_float(x)  # type: ignore[union-attr]

    def _is_double(self, x: Any) -> bool:
        return library_of(x, self._device).describe(x)[0] == "float64"  # type: ignore[union-attr]


def in_regime(args: Sequence[Any], regime: str, device: int) -> Any:
    """Copies of arguments; "": as they are."""
    around, arrays = flatten(tuple(args), device)
    change = numerics.in_regime if regime else lambda lib, _, x: lib.clone(x)
    return build(around, [change(libraries(x, device), regime, x) for x in arrays])


def look_at(look: Look, function: Call, make: Callable[[], Sequence[Any]]) -> Optional[str]:
    """A sentence about runs in this process: on what `make` makes, on that in each regime, and once more where the
    bits must repeat. Runs may change their inputs."""
    task = look.task

    def run(regime: str) -> List[Any]:
        args = in_regime(make(), regime, task.device)
        places = look.places(args) if task.destination else ()
        result = function(*args, *places)
        return flatten(places if result is None else result, task.device)[1]

    first = run("")
    text = look.examine(make(), first, numerics.Drift())
    for regime in () if text else task.regimes:
        args = in_regime(make(), regime, task.device)
        text = look.examine(args, run(regime), numerics.Drift(), rule=False)
        if text:
            return f"{text} (inputs of another regime: {regime})"
    if text or not task.repeatable:
        return text
    same = all(libraries(a, task.device).same_bits(a, b) for a, b in zip(first, run("")))
    return None if same else NOT_REPEATED
