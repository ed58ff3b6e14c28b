"""Kernels that compute with less than they should have drifted or are wrong; another order of a sum is not.

The task's own rule is the widest in use, 1e-2 of both kinds, so that `drifted` has to find what it lets through."""

import array
import unittest
from typing import Any, Callable, Optional

from bench_against_worker import numerics
from bench_against_worker.arena import Numpy, Plain
from bench_against_worker.task import Look, Task, compare

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

M, K, N, SEEDS = 8, 1024, 8, 12


class Loose(Task):
    """One reference in fp32, which is the truth in fp64."""

    def __init__(self, name: str, make: Callable[..., Any], reference: Callable[..., Any]) -> None:
        super().__init__(name, -1)
        self._make, self._reference = make, reference

    def inputs(self, values: Any, seed: int) -> Any:
        return self._make(numpy.random.RandomState(seed))

    def reference(self, values: Any, state: int) -> Any:
        return self._reference

    def check(self, args: Any, got: Any, expected: Any) -> Optional[str]:
        return compare(-1, got, expected, (1e-2, 1e-2))


def single(x: Any) -> Any:
    return numpy.ascontiguousarray(x, dtype="float32")


def bits(x: Any, mantissa: int) -> Any:
    """The same with so many bits after the first, to nearest."""
    fraction, exponent = numpy.frexp(x.astype("float64"))
    return single(numpy.ldexp(numpy.round(fraction * 2.0 ** (mantissa + 1)) / 2.0 ** (mantissa + 1), exponent))


def matrices(r: Any) -> Any:
    return single(r.standard_normal((M, K))), single(r.standard_normal((K, N)))


def product(a: Any, b: Any) -> Any:
    return a @ b


def in_order(a: Any, b: Any, order: Any) -> Any:
    total = numpy.zeros((M, N), "float32")
    for k in order:
        total = total + a[:, k : k + 1] * b[k : k + 1]
    return total


def fused(a: Any, b: Any) -> Any:
    """Each step rounded once."""
    total = numpy.zeros((M, N), "float32")
    for k in range(K):
        total = single(total.astype("float64") + a[:, k : k + 1].astype("float64") * b[k : k + 1])
    return total


def split(a: Any, b: Any) -> Any:
    parts = [in_order(a, b, range(k, k + K // 32)) for k in range(0, K, K // 32)]
    while len(parts) > 1:
        parts = [x + y for x, y in zip(parts[::2], parts[1::2])]
    return parts[0]


def by(mantissa: int) -> Any:
    return lambda a, b: bits(a, mantissa) @ bits(b, mantissa)


class Racer:
    """Once in twenty runs a row is not there yet."""

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self, a: Any, b: Any) -> Any:
        self.runs += 1
        out = a @ b
        if self.runs % 20 == 7:
            out[0] = 0
        return out


def small(r: Any) -> Any:
    return (single(1e-3 * r.standard_normal((64, 256))),)


def norm(x: Any, eps: float = 1e-8) -> Any:
    return x / numpy.sqrt((x * x).mean(-1, keepdims=True) + x.dtype.type(eps))


def large(r: Any) -> Any:
    return (single(40 * r.standard_normal((64, 256))),)


def softmax(x: Any) -> Any:
    e = numpy.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def softmax_no_max(x: Any) -> Any:
    with numpy.errstate(over="ignore", invalid="ignore"):
        e = numpy.exp(x)
        return e / e.sum(-1, keepdims=True)


@unittest.skipIf(numpy is None, "numpy is not here")
class NumericsTest(unittest.TestCase):
    def said(self, make: Any, reference: Any, mine: Any, seeds: int = SEEDS) -> Optional[str]:
        task = Loose("t", make, reference)
        look, drift, text = Look(task, {}, 0), numerics.Drift(), None
        for seed in range(seeds):
            args = task.inputs({}, seed)
            text = text or look.examine(args, [mine(*args)], drift)
        return text

    def test_less_precise_kernels(self) -> None:
        for name, mine in [("tf32_flag", by(10)), ("fp16_inside", by(10)), ("bf16_inside", by(7)), ("fp8_inside", by(3))]:
            with self.subTest(name):
                self.assertRegex(self.said(matrices, product, mine) or "", "^(drifted|wrong answer)")

    def test_kernels_that_leave_something_out(self) -> None:
        skip = lambda a, b: a[:, : K - K // 100] @ b[: K - K // 100]
        rows = [
            ("skip_1_percent", matrices, product, skip),
            ("drop_eps", small, norm, lambda x: norm(x, 0)),
            ("softmax_no_max", large, softmax, softmax_no_max),
            ("race_5_percent", matrices, product, Racer()),
        ]
        for name, make, reference, mine in rows:
            with self.subTest(name):
                self.assertRegex(self.said(make, reference, mine) or "", "^(drifted|wrong answer)")

    def test_inputs_beside_the_tasks_own(self) -> None:
        for lib, x in [(Numpy(), single([-1, 2, -3, 4])), (Plain(), array.array("f", [-1, 2, -3, 4]))]:
            made = {name: [float(v) for v in numerics.in_regime(lib, name, x)] for name in numerics.REGIMES}
            tiny = [v * 2.0**-40 for v in (-1, 2, -3, 4)]
            self.assertEqual(made, {"large": [-64, 128, -192, 256], "tiny": tiny, "zeros": [0, 2, 0, 4], "positive": [1, 2, 3, 4]})
            self.assertEqual([float(v) for v in x], [-1, 2, -3, 4])
        whole = numpy.array([-1, 2])
        self.assertEqual(list(numerics.in_regime(Numpy(), "large", whole)), [-1, 2])

    def test_a_kernel_that_is_right_on_the_tasks_inputs_only(self) -> None:
        ordinary = lambda r: (single(r.standard_normal((64, 256))),)
        self.assertIsNone(self.said(ordinary, softmax, softmax_no_max))
        look = Look(Loose("t", ordinary, softmax), {}, 0)
        args = [numerics.in_regime(Numpy(), "large", x) for x in ordinary(numpy.random.RandomState(1))]
        self.assertIn("drifted: ", look.examine(args, [softmax_no_max(*args)], numerics.Drift(), rule=False) or "")
        self.assertIsNone(look.examine(args, [softmax(*args)], numerics.Drift(), rule=False))

    def test_honest_orders(self) -> None:
        order = list(range(K))
        numpy.random.RandomState(5).shuffle(order)
        rows = [
            ("split_k", split),
            ("sequential_sum", lambda a, b: in_order(a, b, range(K))),
            ("permuted_k", lambda a, b: in_order(a, b, order)),
            ("fma", fused),
        ]
        for name, mine in rows:
            with self.subTest(name):
                self.assertIsNone(self.said(matrices, product, mine))


if __name__ == "__main__":
    unittest.main()
