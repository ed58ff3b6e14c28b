"""GPU time, with the driver that the C tests have: its clock is virtual, so figures are known."""

import os
import tempfile
import unittest

from bench_against_worker.testing import Failed, Host, python_worker

FAKE = os.environ.get("BA_FAKE_DRIVER", "")

BENCHMARKS = """
import ctypes, os
from bench_against_worker import benchmark
lib = ctypes.CDLL(os.environ["BA_FAKE_DRIVER"])

PTX = b".version 7.0\\n.target sm_70\\n.address_size 64\\n.visible .entry empty()\\n{ ret; }"

@benchmark(gpu=True, metrics=["gpu_cold", "gpu_hot", "wall_cold", "wall_hot", "submit"])
def empty():
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    assert not lib.cuModuleLoadData(ctypes.byref(module), PTX)
    assert not lib.cuModuleGetFunction(ctypes.byref(function), module, b"empty")
    return lambda: lib.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, None, None)

@benchmark(gpu=True, metrics=["gpu_hot", "wall_hot"])
def wanders():
    calls = []
    def run():
        calls.append(1)
        if len(calls) > 30:
            lib.cuCtxSetCurrent(None)
    return run

@benchmark(gpu=True)
def rotates(sets):
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    assert not lib.cuModuleLoadData(ctypes.byref(module), PTX)
    assert not lib.cuModuleGetFunction(ctypes.byref(function), module, b"empty")

    def run_of(number):
        def run():
            for _ in range(number + 1):
                lib.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, None, None)
        return run
    return [run_of(number) for number in range(sets)]
"""


@unittest.skipUnless(os.path.exists(FAKE), "BA_FAKE_DRIVER names no driver")
class WithFakeDriver(unittest.TestCase):
    def worker(self, script):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(os.path.join(folder.name, "bench.py"), "w") as file:
            file.write(BENCHMARKS)
        host = Host(python_worker("bench.py"), cwd=folder.name, env={"BA_FAKE_CUDA": script})
        self.addCleanup(host.end)
        host.__enter__()
        return host

    def test_each_mode_measures_what_it_says(self):
        host = self.worker(
            "launch_ns=1500;drain_ns=900;call_ns=10;clock_ns=0;sync_ns=2000;event_tick_ns=1"
        )
        host.open(target="fake", driver=FAKE)
        host.prepare("empty")
        # one after the other on a GPU that is slower to launch than to run
        self.assertEqual(host.measure("submit", 10, 2), [15000, 15000])
        (cold,) = host.measure("gpu_cold", 4, 1)
        (hot,) = host.measure("gpu_hot", 4, 1)
        self.assertTrue(4 * 900 <= cold and 4 * 900 <= hot, (cold, hot))
        # launched, run, and waited for
        (wall,) = host.measure("wall_hot", 4, 1)
        self.assertTrue(4 * (1500 + 900) <= wall <= 4 * (1500 + 900 + 2000 + 50), wall)
        self.assertTrue(host.measure("wall_cold", 4, 1)[0] >= wall)

    def test_the_clock_of_the_gpu_is_told(self):
        host = self.worker("launch_ns=100;mhz=1500;ramp_ms=0")
        host.open(target="fake", driver=FAKE)
        host.prepare("empty")
        for mode in ("gpu_cold", "gpu_hot"):
            self.assertAlmostEqual(host.measured(mode, 2, 3)["khz"], 1_500_000, delta=1500)
        # nothing on the GPU says anything of it
        self.assertNotIn("khz", host.measured("submit", 2, 3))

    def test_a_flush_by_writing_leaves_other_lines(self):
        host = self.worker("launch_ns=0;drain_ns=900;call_ns=0;event_tick_ns=1")
        host.open(target="fake", driver=FAKE)
        host.prepare("empty")
        for mode in ("gpu_cold", "wall_cold"):
            self.assertEqual(host.measured(mode, 1, 1, flush="write")["flush"], "write")
            self.assertEqual(host.measured(mode, 1, 1)["flush"], "read")
        self.assertNotIn("flush", host.measured("gpu_hot", 1, 1))
        with self.assertRaisesRegex(Failed, "cannot flush the cache by 'rinse'"):
            host.measured("gpu_cold", 1, 1, flush="rinse")

    def test_runs_rotate_through_the_sets(self):
        host = self.worker("launch_ns=0;drain_ns=1000;call_ns=0;clock_ns=0;event_tick_ns=1")
        host.open(target="fake", driver=FAKE)
        modes = {b["name"]: b["modes"] for b in host.list()}
        self.assertIn("gpu_rotate", modes["rotates"])
        self.assertNotIn("gpu_rotate", modes["empty"])
        host.prepare("rotates", input_sets=3)
        # the first set alone, then 1 + 2 + 3 launches in turn, on from where it was
        self.assertEqual(host.measure("gpu_hot", 3, 1), [3000])
        self.assertEqual(host.measure("gpu_rotate", 3, 2), [6000, 6000])
        self.assertEqual(host.measure("gpu_rotate", 2, 2), [3000, 4000])
        host.prepare("rotates")
        self.assertEqual(host.measure("gpu_rotate", 3, 1), [3000])

    def test_another_context_is_not_left_current(self):
        host = self.worker("")
        host.open(target="fake", driver=FAKE)
        # a check and a warm-up of 20 runs
        host.prepare("wanders")
        host.measure("wall_hot", 1, 9)
        with self.assertRaisesRegex(Failed, r"run\(\) left another CUDA context current"):
            host.measure("wall_hot", 1, 1)
        # and the next one finds its own
        host.prepare("empty")
        self.assertEqual(len(host.measure("gpu_hot", 1, 2)), 2)

    def test_a_driver_of_the_tests_is_no_gpu(self):
        host = self.worker("")
        host.open(target="gpu", driver=FAKE)
        with self.assertRaisesRegex(Failed, "is that of --target fake, and not of --target gpu"):
            host.prepare("empty")

    def test_a_context_that_is_lost_ends_the_worker(self):
        host = self.worker("fail=cuCtxSynchronize@1:700;fail=cuEventSynchronize@3:700")
        host.open(target="fake", driver=FAKE)
        host.prepare("empty")
        with self.assertRaisesRegex(Failed, "cuEventSynchronize\\(\\) failed: CUDA_ERROR_ILLEGAL"):
            host.measure("gpu_hot", 1, 10)
        with self.assertRaisesRegex(Failed, "ended with status 1"):
            host.receive()


if __name__ == "__main__":
    unittest.main()
