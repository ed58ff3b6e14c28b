"""When results are wrong, when they have drifted, and which tasks cannot be judged."""

import array
import math
import random
import socket
import struct
import unittest
from typing import Any, Optional

from bench_against_worker import numerics
from bench_against_worker.arena import Plain
from bench_against_worker.judge import Checker
from bench_against_worker.task import Refused, Task, build, flatten

LIB = Plain()


def floats(values: Any) -> Any:
    return array.array("f", values)


def single(v: float) -> float:
    return float(struct.unpack("f", struct.pack("f", v))[0])


def bf16(v: float) -> float:
    return float(struct.unpack("f", struct.pack("I", struct.unpack("I", struct.pack("f", v))[0] & 0xFFFF0000))[0])


def dot(a: Any, b: Any, order: Any, product: Any = single) -> float:
    total = 0.0
    for i in order:
        total = single(total + product(a[i] * b[i]))
    return total


class DriftTest(unittest.TestCase):
    def said(self, product: Any, order: Any, seeds: int = 32) -> Optional[str]:
        """Of dot products of 512 numbers, each in that order, against sums in halves."""
        r, drift, text = random.Random(1), numerics.Drift(), None
        for _ in range(seeds):
            a, b = ([single(r.gauss(0, 1)) for _ in range(512)] for _ in range(2))
            truth = array.array("d", [math.fsum(x * y for x, y in zip(a, b))])
            right = floats([dot(a, b, range(512))])
            mine = floats([dot(a, b, order, product)])
            text = drift.add([numerics.errors_of(LIB, mine, right, truth)])
        return text

    def test_another_order_of_a_sum_passes(self) -> None:
        order = list(range(512))
        random.Random(2).shuffle(order)
        self.assertIsNone(self.said(single, order))
        self.assertIsNone(self.said(single, range(511, -1, -1)))
        self.assertIsNone(self.said(lambda v: v, range(512)))  # as with fused multiply-add

    def test_a_lower_precision_inside_has_drifted(self) -> None:
        self.assertIn("drifted: ", self.said(bf16, range(512)) or "")

    def test_few_numbers_say_nothing_until_eight_seeds(self) -> None:
        self.assertIsNone(self.said(bf16, range(512), 7))
        self.assertIsNotNone(self.said(bf16, range(512), 8))

    def test_the_reference_counts_as_no_better_than_a_rounding(self) -> None:
        truth = array.array("d", [1 + 1e-9 * i for i in range(300)])
        right = floats(truth)
        near = floats([v + 3 * 2**-24 for v in truth])
        self.assertIsNone(numerics.Drift().add([numerics.errors_of(LIB, near, right, right)]))

    def test_positions_of_infinities_must_agree(self) -> None:
        inf, nan = math.inf, math.nan
        rows = [([1, inf], [1, inf], 0), ([1, nan], [1, nan], 0), ([nan, 1], [1, 1], 1), ([1, inf], [1, -inf], 1)]
        for got, truth, bad in rows:
            self.assertEqual(numerics.not_finite(LIB, floats(got), floats(truth)), bad, (got, truth))

    def test_nan_is_outside_of_every_tolerance(self) -> None:
        self.assertEqual(numerics.outside(LIB, floats([math.nan, 1]), floats([1, 1]), 1e9, 1e9), 1)


class Double(Task):
    """Twice the input, by a rule that a test chooses."""

    rule: Any = None
    length: Any = staticmethod(lambda seed: 64)
    result: Any = staticmethod(lambda x: array.array("d", [2 * v for v in x]))

    def inputs(self, values: Any, seed: int) -> Any:
        r = random.Random(seed)
        return [array.array("d", [r.random() for _ in range(self.length(seed))])]

    def reference(self, values: Any, state: int) -> Any:
        return self.result

    def check(self, args: Any, got: Any, expected: Any) -> Optional[str]:
        return super().check(args, got, expected) if self.rule is None else self.rule(args, got)


class RefusalTest(unittest.TestCase):
    def refused(self, **members: Any) -> str:
        ours, theirs = socket.socketpair()
        try:
            Checker(type("Case", (Double,), members)("double", -1), {}, ours)
        except Refused as why:
            return str(why)
        finally:
            ours.close()
            theirs.close()
        return ""

    def test_a_task_is_taken(self) -> None:
        self.assertEqual(self.refused(), "")

    def test_a_result_that_is_the_same_for_all_inputs_is_refused(self) -> None:
        self.assertIn("other inputs", self.refused(result=staticmethod(lambda x: array.array("d", [1.0]))))

    def test_integers_that_any_rule_accepts_are_refused(self) -> None:
        count = staticmethod(lambda x: array.array("q", [sum(v > 0.5 for v in x)]))
        self.assertIn("nobody has written", self.refused(result=count, rule=staticmethod(lambda args, got: None)))

    def test_shapes_that_depend_on_the_seed_are_refused(self) -> None:
        self.assertIn("depend on the seed", self.refused(length=staticmethod(lambda seed: 64 + seed % 977)))

    def test_results_whose_size_depends_on_the_data_are_refused(self) -> None:
        some = staticmethod(lambda x: array.array("d", [v for v in x if v > x[0]]))
        self.assertIn("depends on the data", self.refused(result=some, length=staticmethod(lambda seed: 999)))

    def test_arguments_come_back_as_they_were(self) -> None:
        x = array.array("d", [1.0])
        value = ([x, 2], {"k": (x, None)}, "text")
        self.assertEqual(build(*flatten(value, -1)), value)
        with self.assertRaises(Refused):
            flatten(object(), -1)


if __name__ == "__main__":
    unittest.main()
