"""How far results are from the truth.

    wrong    NaN or infinity where the truth is finite, or the other way round; what nobody wrote
             is NaN, too
    drifted  right by the task's own rule, but the root of the mean squared error against a truth in
             double precision is more than TIMES as large as the reference's. So another order of
             a sum passes, and a lower precision inside does not. The reference counts as no more
             precise than one rounding of the result's type
"""

import array
import math
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from .arena import Plain, Row

TIMES = 10.0
#: so few numbers say nothing until so many seeds were seen
_FEW, _SEEDS = 256, 8


#: inputs beside those that a task makes: larger, smaller, half of them zero, of one sign
REGIMES = ("large", "tiny", "zeros", "positive")
#: only where a task names them, because honest code may differ there: exponents far apart, too small for a normal
#: number, some infinite or NaN
NAMED = ("wide", "denormal", "not_finite")
_DENORMAL = {"float64": 2.0**-1030, "float32": 2.0**-132, "bfloat16": 2.0**-129, "float16": 2.0**-18}


def regimes_of(asked: Any) -> Tuple[str, ...]:
    """True: the usual ones; else their names."""
    if isinstance(asked, (bool, type(None))):
        return REGIMES if asked else ()
    for name in asked:
        if name not in REGIMES + NAMED:
            raise ValueError(f"there is no regime '{name}' of inputs: {', '.join(REGIMES + NAMED)}")
    return tuple(asked)


def in_regime(lib: Plain, regime: str, x: Any) -> Any:
    """A copy of an input, changed so. Only numbers with a fraction change."""
    x = lib.clone(x)
    if not lib.is_float(x):
        return x
    flat = x if lib.name == "plain" else x.reshape(-1)
    if regime == "zeros":
        _put(lib, flat, slice(None, None, 2), lambda v: 0 * v)
        return x
    if regime == "not_finite":
        for first, step, value in ((0, 17, math.inf), (5, 19, -math.inf), (3, 23, math.nan)):
            _put(lib, flat, slice(first, None, step), lambda v, value=value: 0 * v + value)
        return x
    if regime == "wide":
        for k in range(8):
            _put(lib, flat, slice(k, None, 8), lambda v, k=k: v * 2.0 ** (3 * k - 12))
        return x
    scale = {"large": 64.0, "tiny": 2.0**-40, "denormal": _DENORMAL.get(lib.describe(x)[0], 1.0)}.get(regime)
    if lib.name == "plain":
        return array.array(x.typecode, [abs(v) if scale is None else scale * v for v in x])
    return abs(x) if scale is None else x * scale


def _put(lib: Plain, flat: Any, where: slice, value: Any) -> None:
    """Replaces these elements by what is made of each."""
    flat[where] = array.array(flat.typecode, map(value, flat[where])) if lib.name == "plain" else value(flat[where])


class Errors(NamedTuple):
    """Of one array: sums over the elements whose truth is finite."""

    elements: int
    mine: float
    reference: float
    truth: float
    epsilon: float


def not_finite(lib: Plain, got: Any, truth: Any) -> int:
    """How many elements are NaN or infinite in one and not in the other, or another infinity."""
    if lib.name == "plain":
        a, b = Row(got), Row(truth)
        pairs = zip(a.finite(), b.finite(), a.values, b.values)
        return sum(x != y or (not x and g != t and (g == g or t == t)) for x, y, g, t in pairs)
    xp = lib.xp  # type: ignore[attr-defined]
    got, truth = _double(lib, got), _double(lib, truth)
    a, b = xp.isfinite(got), xp.isfinite(truth)
    other = ~a & ~b & (got != truth) & ~(xp.isnan(got) & xp.isnan(truth))
    return int(((a != b) | other).sum())


def all_finite(lib: Plain, got: Any) -> bool:
    if lib.name == "plain":
        return all(Row(got).finite())
    return bool(lib.xp.isfinite(_double(lib, got)).all())  # type: ignore[attr-defined]


def errors_of(lib: Plain, got: Any, reference: Any, truth: Any) -> Errors:
    epsilon = lib.epsilon(lib.describe(got)[0])
    if lib.name == "plain":
        rows = list(zip(map(float, got), map(float, reference), map(float, truth)))
        rows = [r for r in rows if all(x - x == 0 for x in r)]
        sums = [math.fsum((a - t) ** 2 for a, _, t in rows),
                math.fsum((b - t) ** 2 for _, b, t in rows), math.fsum(t * t for *_, t in rows)]
        return Errors(len(rows), sums[0], sums[1], sums[2], epsilon)
    xp = lib.xp  # type: ignore[attr-defined]
    got, reference, truth = (_double(lib, x) for x in (got, reference, truth))
    keep = xp.isfinite(got) & xp.isfinite(reference) & xp.isfinite(truth)
    got, reference, truth = got[keep], reference[keep], truth[keep]
    sums = [float((x * x).sum()) for x in (got - truth, reference - truth, truth)]
    return Errors(int(keep.sum()), sums[0], sums[1], sums[2], epsilon)


def _double(lib: Plain, x: Any) -> Any:
    return lib.to_double(x) if lib.is_float(x) else x.double() if lib.name == "torch" else x.astype("float64")


class Drift:
    """The errors of one variant's results, summed over the cases that were looked at."""

    def __init__(self) -> None:
        self._seen: List[List[Errors]] = []

    def add(self, case: Sequence[Errors]) -> Optional[str]:
        """A sentence if the results have drifted."""
        self._seen.append(list(case))
        for column in zip(*self._seen):
            ratio, rms = ratio_of(column)
            known = len(column) >= _SEEDS or sum(e.elements for e in column) >= _FEW
            if known and ratio > TIMES:
                return (
                    f"drifted: its results are within the task's tolerance, but their error (rms {rms:.3g}) is "
                    f"{ratio:.3g} times the reference's, and {TIMES:.0f} times is allowed"
                )
        return None


def ratio_of(column: Sequence[Errors]) -> Tuple[float, float]:
    """The error as a multiple of the reference's, and in the units of the result."""
    count = max(1, sum(e.elements for e in column))
    mine = math.sqrt(sum(e.mine for e in column) / count)
    floor = column[0].epsilon * math.sqrt(sum(e.truth for e in column) / count)
    scale = max(math.sqrt(sum(e.reference for e in column) / count), floor)
    return (mine / scale if scale > 0 else math.inf if mine > 0 else 0.0), mine


def worst(lib: Plain, got: Any, expected: Any) -> float:
    """The largest difference between finite elements."""
    if lib.name == "plain":
        return max((abs(g - e) for g, e in zip(map(float, got), map(float, expected)) if g - g == e - e == 0), default=0.0)
    error = abs(_double(lib, got) - _double(lib, expected))
    error = error[lib.xp.isfinite(error)]  # type: ignore[attr-defined]
    return float(error.max()) if lib.count(error) else 0.0


def outside(lib: Plain, got: Any, expected: Any, rtol: float, atol: float, either: bool = False) -> int:
    """How many elements differ by more than atol + rtol * |expected|, or with `either` by more than both
    atol and rtol * |expected|; NaN does, but not from NaN."""
    if lib.name == "plain":
        pairs = zip(map(float, got), map(float, expected))
        limit = (lambda e: max(atol, rtol * e)) if either else (lambda e: atol + rtol * e)
        return sum(not (g == e or abs(g - e) <= limit(abs(e))) and (g == g or e == e) for g, e in pairs)
    xp = lib.xp  # type: ignore[attr-defined]
    got, expected = _double(lib, got), _double(lib, expected)
    error = abs(got - expected)
    near = (error <= atol) | (error <= rtol * abs(expected)) if either else error <= atol + rtol * abs(expected)
    near = near | (got == expected)
    return int((~(near | (xp.isnan(got) & xp.isnan(expected)))).sum())
