"""When results are wrong, when they have drifted, and which tasks cannot be judged."""

import array
import ctypes
import math
import os
import random
import socket
import struct
import unittest
from typing import Any, Optional
from unittest import mock

from bench_against_worker import numerics
from bench_against_worker.arena import Plain
from bench_against_worker.judge import Checker
from bench_against_worker.registry import Case
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


class TrustedTest(unittest.TestCase):
    """A Case with inputs, in a process that trusts it."""

    def said(self, run: Any, **members: Any) -> str:
        x = array.array("d", [random.Random(7).random() for _ in range(320)])
        case = Case(run, inputs=[x], reference=lambda x: array.array("d", [v * v for v in x]), **members)
        case.run()
        try:
            case.check()
        except AssertionError as error:
            return str(error)
        return ""

    def test_what_changes_its_inputs_is_compared_on_those_that_it_had(self) -> None:
        def run(x: Any) -> Any:
            result = array.array("d", [v * v for v in x])
            x[:] = result
            return result

        def wrong(x: Any) -> Any:
            x[:] = array.array("d", [0.0] * len(x))
            return array.array("d", x)

        self.assertEqual(self.said(run), "")
        self.assertIn("wrong answer", self.said(wrong))

    def test_regimes_and_bits(self) -> None:
        square = "array.array('d', [{} for v in x])"
        noise = random.Random(1)

        def of(text: str) -> Any:
            return eval("lambda x: " + square.format(text), {"array": array, "noise": noise})

        tested = of("v * v if v < 2 else 4.0")
        self.assertEqual(self.said(tested), "")
        self.assertIn("regime: large", self.said(tested, regimes=True))
        flushes = of("v * v if v >= 2.0**-1022 or v != v else v * 0")
        self.assertEqual(self.said(flushes, regimes=True), "")
        self.assertIn("regime: not_finite", self.said(of("min(v, 9.0) ** 2"), regimes=["not_finite"]))
        unsteady = of("v * v * (1 + noise.randrange(2) * 2.0**-52)")
        self.assertEqual(self.said(unsteady), "")
        self.assertIn("other bits", self.said(unsteady, repeatable=True))
        self.assertEqual(self.said(of("v * v"), regimes=["wide"], repeatable=True), "")


class Memory:
    """An arena that nobody shares."""

    def __init__(self, device: int, size: int) -> None:
        self._bytes = (ctypes.c_ubyte * size)()
        self.at, self.size = ctypes.addressof(self._bytes), size

    def renew(self, size: int) -> None:
        assert 0 < size <= self.size

    def drop(self) -> None:
        pass

    reset_l2 = drop

    def export(self) -> int:
        return os.open(os.devnull, os.O_RDONLY)


@mock.patch("bench_against_worker.judge.Arena", Memory)
class TwinsTest(unittest.TestCase):
    def test_two_cases_have_the_same_inputs_and_must_have_the_same_bits(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        checker = Checker(type("Case", (Double,), {"repeatable": True})("double", -1), {}, ours)
        with ours, theirs:
            for other, says in ((0.0, None), (2.0**-50, "other bits")):
                checker.prepare(4, False)
                checker.inputs([1, 2, 3, 4])
                self.assertEqual(len(set(checker._seeds)), 3)
                for case in range(4):
                    x, y = checker.layout.views(LIB, checker._memory, case)
                    for i, v in enumerate(x):
                        y[i] = 2 * v * (1 + other * (case == checker._twins[0]))
                said = checker.judge(0, 1)
                self.assertTrue(said is None if says is None else says in said, said)


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

    def test_regimes_have_names(self) -> None:
        self.assertEqual(numerics.regimes_of(True), numerics.REGIMES)
        self.assertEqual(numerics.regimes_of(["denormal"]), ("denormal",))
        with self.assertRaisesRegex(ValueError, "no regime 'small'"):
            numerics.regimes_of(["small"])
        x = floats([1.0] * 64)
        for regime, right in (("denormal", lambda v: all(0 < a < 2.0**-126 for a in v)), ("wide", lambda v: max(v) == 2.0**21 * min(v)),
                              ("not_finite", lambda v: any(map(math.isinf, v)) and any(map(math.isnan, v)) and 1.0 in v)):
            self.assertTrue(right(numerics.in_regime(LIB, regime, x)), regime)
        self.assertEqual(list(x), [1.0] * 64)

    def test_arguments_come_back_as_they_were(self) -> None:
        x = array.array("d", [1.0])
        value = ([x, 2], {"k": (x, None)}, "text")
        self.assertEqual(build(*flatten(value, -1)), value)
        with self.assertRaises(Refused):
            flatten(object(), -1)


if __name__ == "__main__":
    unittest.main()
