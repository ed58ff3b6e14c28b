"""The attention example where there is no GPU: its inputs beside those of C, and its way into a
library of kernels."""

import ctypes
import os
import struct
import subprocess
import sys
import unittest

HERE = os.environ["BA_ATTENTION"]
INPUTS = os.environ["BA_INPUTS"]
SUITE = os.environ["BA_SMALL_SUITE"]
sys.path.insert(0, HERE)

import inputs  # noqa: E402
import plugin  # noqa: E402


class Int64(int):
    """A whole number that wraps around as those of arrays do."""


def _wrapped(name):
    plain = getattr(int, name)

    def operate(self, other):
        x = plain(int(self), int(other)) & (1 << 64) - 1
        return Int64(x - (1 << 64) if x >> 63 else x)

    return operate


for _name in ("__add__", "__sub__", "__mul__", "__rshift__", "__and__", "__xor__"):
    setattr(Int64, _name, _wrapped(_name))


def float32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def of_c(seed, which, count, first=0):
    """What inputs.h says: the array's seed, and the bits of its elements."""
    asked = [INPUTS, *map(str, (seed, which, count, first))]
    lines = subprocess.run(asked, check=True, stdout=subprocess.PIPE).stdout.split()
    return int(lines[0]), [int(line, 16) for line in lines[1:]]


class Inputs(unittest.TestCase):
    def test_every_bit_is_that_of_the_c_header(self):
        for seed in (0, 1, 7, 2**63, 2**64 - 1, 0x6B65726E656C7321):
            for which in (0, 1, 2):
                for first in (0, 1 << 32, (1 << 33) - 20):
                    array, bits = of_c(seed, which, 40, first)
                    self.assertEqual(inputs.array_seed(seed, which), array)
                    for i, wanted in enumerate(bits, first):
                        # exact in 64 bits, then rounded once, as a product of floats is
                        x = float32(int(inputs.sums(array, Int64(i + 1))) * inputs.SCALE)
                        self.assertEqual(struct.unpack("I", struct.pack("f", x))[0], wanted)

    def test_arrays_differ_and_are_nearly_normal(self):
        seeds = [inputs.array_seed(7, which) for which in (0, 1, 2)]
        rows = [
            [int(inputs.sums(seed, Int64(i + 1))) * inputs.SCALE for i in range(4000)]
            for seed in seeds
        ]
        self.assertEqual(len({tuple(row) for row in rows}), 3)
        for row in rows:
            mean = sum(row) / len(row)
            deviation = (sum((x - mean) ** 2 for x in row) / len(row)) ** 0.5
            self.assertLess(abs(mean), 0.06)
            self.assertLess(abs(deviation - 1), 0.04)

    def test_a_tensor_has_them_too(self):
        try:
            import torch
        except ImportError:
            self.skipTest("no PyTorch here")
        array, bits = of_c(11, 1, 120)
        tensor = inputs.normal(array, (2, 3, 4, 5), "cpu")
        self.assertEqual(tensor.shape, (2, 3, 4, 5))
        self.assertEqual(tensor.flatten().view(torch.int32).tolist(), signed(bits))


def signed(bits):
    return [x - (1 << 32) if x >> 31 else x for x in bits]


class Plugin(unittest.TestCase):
    def setUp(self):
        symbol = {"there": 16}.get
        self.suite = plugin.Suite(SUITE, 32, device=3, sm_arch=90, symbol=symbol)
        self.memory = []

    def alloc(self, size, name):
        self.memory.append((name, ctypes.create_string_buffer(size)))
        return ctypes.addressof(self.memory[-1][1])

    def set_up(self, alloc=None, **values):
        values = {"n": 4, "factor": 0.5, "word": "plain", **values}
        return self.suite.set_up("ramp", values, 1 << 40, 7, alloc or self.alloc)

    def torn_down(self):
        return ctypes.c_int.in_dll(ctypes.CDLL(SUITE), "small_torn_down").value

    def test_the_library_works_on_memory_of_the_caller(self):
        case = self.set_up()
        case.run()
        ((name, memory),) = self.memory
        self.assertEqual((name, len(memory)), ("y", 32))
        y = struct.unpack("4d", memory.raw)
        self.assertEqual(y, tuple(0.5 * i + (1 << 40) for i in range(4)))
        self.assertEqual(case.counts, {"flop": 8, "bytes_read": 0, "bytes_written": 0, "items": 4})
        before = self.torn_down()
        case.teardown()
        case.teardown()
        self.assertEqual(self.torn_down(), before + 1)

    def test_where_it_is_is_what_it_was_told(self):
        self.assertEqual(self.suite.error(), "arch 90 device 3 context 0x20")

    def test_what_cannot_run_says_why(self):
        with self.assertRaisesRegex(plugin.Skipped, "never is never"):
            self.set_up(word="never")

    def test_an_error_is_the_librarys_sentence(self):
        case = self.set_up(n=13)
        with self.assertRaisesRegex(RuntimeError, "no 13"):
            case.run()

    def test_memory_that_is_not_there_is_no_crash(self):
        def none(_size, _name):
            raise MemoryError("no more")

        before = self.torn_down()
        with self.assertRaisesRegex(MemoryError, "no more"):
            self.set_up(alloc=none)
        self.assertEqual(self.torn_down(), before + 1)

    def test_a_stream_of_its_own_is_refused(self):
        with self.assertRaisesRegex(RuntimeError, "a stream of its own"):
            self.set_up(word="stream")

    def test_no_such_benchmark(self):
        with self.assertRaisesRegex(KeyError, "no benchmark 'none'"):
            self.suite.set_up("none", {}, 0, 7, self.alloc)


if __name__ == "__main__":
    unittest.main()
