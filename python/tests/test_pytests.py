"""Tests with the fixture `benchmark`: both ends of the protocol, pytest between them."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from importlib.util import find_spec

from bench_against_worker import timing
from bench_against_worker.fixture import BenchmarkFixture, Stats
from bench_against_worker.registry import FreshCase
from bench_against_worker.testing import Failed, Host

FAKE = os.environ.get("BA_FAKE_DRIVER", "")
NO_PYTEST = "" if find_spec("pytest") else "pytest is not installed for this python3"
WORKER = [sys.executable, "-m", "bench_against_worker"]


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))

    @contextlib.contextmanager
    def host(self, *words, before=(), target="host", env=None, **members):
        words = [*WORKER, *before, "--pytest", *(words or ["tests"])]
        host = Host(words, cwd=self.folder, env=env)
        with host:
            host.open(target, tree=self.folder, **members)
            yield host
            host.close()

    def listed(self, *words, **options):
        with self.host(*words, **options) as host:
            return {one["name"]: one for one in host.list()}


@unittest.skipIf(NO_PYTEST, NO_PYTEST)
class Listed(Folder):
    def test_a_test_is_a_benchmark_and_its_parameters_are_axes(self):
        self.write(
            "tests/deep/test_a.py",
            """
            import pytest
            @pytest.fixture(params=["x/y", "z"], ids=["first", "second"])
            def made(request): return request.param
            class TestIt:
                @pytest.mark.parametrize("n", [1, 20])
                def test_one(self, benchmark, n, made): benchmark(len, [n])
            @pytest.mark.parametrize("a, b", [(1, "p q"), (2, None), (1, "p=q")])
            def test_two(benchmark, a, b): benchmark(len, [a])
            @pytest.mark.parametrize("a, b", [(1, object()), (2, object())])
            def test_three(benchmark, a, b): benchmark(len, [a])
            @pytest.fixture
            def mine(benchmark): return benchmark
            def test_four(mine): mine(len, [])
            def test_no_benchmark(): pass
            """,
        )
        listed = self.listed()
        file = "tests/deep/test_a.py::"
        self.assertEqual(
            list(listed), [file + f for f in ("TestIt::test_one", "test_two", "test_three", "test_four")]
        )
        one = listed[file + "TestIt::test_one"]
        self.assertEqual(sorted(one["axes"]), ["made", "n"])
        self.assertEqual(
            sorted(tuple(sorted(point.split(","))) for point in one["points"]),
            [(f"made={m}", f"n={n}") for m in ("first", "second") for n in ("1", "20")],
        )
        self.assertEqual(set(one["kinds"]), {"text"})
        self.assertEqual(one["modes"], ["submit", "instructions"])
        self.assertFalse(one["gpu"])
        self.assertEqual(
            listed[file + "test_two"]["points"], ["a=1,b=p-q", "a=2,b=None", "a=1,b=p-q-2"]
        )
        self.assertEqual(listed[file + "test_three"]["axes"], ["id"])

    def test_pytests_own_options_choose(self):
        self.write(
            "tests/test_a.py",
            """
            import pytest
            @pytest.mark.benchmark(group="fast")
            def test_one(benchmark): benchmark(len, [])
            @pytest.mark.slow
            def test_two(benchmark): benchmark(len, [])
            """,
        )
        one, two = "tests/test_a.py::test_one", "tests/test_a.py::test_two"
        self.assertEqual(list(self.listed("tests", "-k", "one")), [one])
        self.assertEqual(list(self.listed("-m", "slow", "tests")), [two])
        self.assertEqual(list(self.listed(two)), [two])
        self.assertEqual(list(self.listed("tests", before=["--group", "fast"])), [one])

    def test_what_works_on_a_gpu_is_recognised_or_asked_for(self):
        self.write(
            "tests/test_a.py",
            """
            import pytest
            @pytest.mark.cuda
            def test_marked(benchmark): benchmark(len, [])
            @pytest.mark.benchmark(group="on the GPU")
            def test_grouped(benchmark): benchmark(len, [])
            @pytest.mark.parametrize("device", ["cpu", "cuda:0"])
            def test_named(benchmark, device): benchmark(len, [])
            @pytest.mark.benchmark(group="cudaless")
            def test_not(benchmark): benchmark(len, [])
            """,
        )
        self.write("tests/test_b.py", "import cuda.core\ndef test_it(benchmark): benchmark(len, [])\n")
        self.write("tests/cuda/__init__.py", "")
        self.write("tests/cuda/core.py", "")
        listed = self.listed()
        gpu = {name.partition("::")[2]: one["gpu"] for name, one in listed.items()}
        self.assertEqual(
            gpu,
            {
                "test_marked": True,
                "test_grouped": True,
                "test_named": True,
                "test_not": False,
                "test_it": True,
            },
        )
        self.assertEqual(
            listed["tests/test_a.py::test_marked"]["modes"], ["submit", "roundtrip", "instructions"]
        )
        listed = self.listed(before=["--gpu", "--metrics=gpu_cold,submit"])
        self.assertEqual(
            listed["tests/test_a.py::test_not"]["modes"], ["gpu_cold", "submit", "instructions"]
        )

    def test_what_cannot_be_collected_fails_alone(self):
        self.write("tests/test_a.py", "import no_such_thing\ndef test_it(benchmark): pass\n")
        self.write("tests/test_b.py", "def test_it(benchmark): benchmark(len, [])\n")
        self.write("tests/test_c.py", "import no_such_thing\n")
        self.write(
            "tests/test_d.py",
            "import pytest\npytest.importorskip('no_such_thing')\ndef test_it(benchmark): pass\n",
        )
        with self.host() as host:
            names = [one["name"] for one in host.list()]
            self.assertEqual(
                sorted(names), ["tests/test_a.py", "tests/test_b.py::test_it", "tests/test_d.py"]
            )
            host.prepare("tests/test_b.py::test_it")
            with self.assertRaisesRegex(Failed, "test_a.py cannot be collected: ModuleNotFound"):
                host.prepare("tests/test_a.py")
            self.assertIn("no_such_thing", host.prepare("tests/test_d.py")[0]["text"])

    def test_the_projects_own_configuration_applies(self):
        self.write(
            "setup.cfg",
            """
            [tool:pytest]
            addopts = --benchmark-skip --benchmark-columns=min,max --benchmark-warmup
                --benchmark-compare-fail=min:5% --strict-markers --codspeed
            filterwarnings = error
            """,
        )
        self.write(
            "tests/conftest.py",
            """
            import pytest
            def pytest_benchmark_update_machine_info(config, machine_info): pass
            def pytest_addoption(parser): parser.addoption("--gpu", action="store_true")
            @pytest.fixture
            def ours(pytestconfig): return pytestconfig.getoption("--gpu")
            """,
        )
        self.write(
            "tests/test_a.py",
            """
            import pytest
            from pytest_benchmark.fixture import BenchmarkFixture
            @pytest.mark.benchmark(group="a")
            def test_it(benchmark: BenchmarkFixture, ours):
                assert ours
                benchmark(len, [])
            """,
        )
        with self.host("tests", "--gpu") as host:
            self.assertEqual(host.prepare("tests/test_a.py::test_it")[-1]["present"], [1])

    def test_the_plugin_that_an_option_needs_is_named(self):
        self.write("tests/test_a.py", "def test_it(benchmark): benchmark(len, [])\n")
        for options, said in (
            ("-p no:pytest_cov --cov=x --cov-report=xml", "options need pytest-cov: unrecognized"),
            ("-n 4", "options need pytest-xdist: unrecognized"),
        ):
            self.write("setup.cfg", f"[tool:pytest]\naddopts = -p no:xdist {options}\n")
            with self.assertRaisesRegex(Failed, said):
                self.listed("tests")
        self.write("setup.cfg", "[tool:pytest]\nrequired_plugins = no-such-plugin\n")
        with self.assertRaisesRegex(Failed, "options need no-such-plugin, which is not installed"):
            self.listed("tests")

    def test_a_wrong_command_line_is_an_answer(self):
        self.write("tests/test_a.py", "def test_it(benchmark): benchmark(len, [])\n")
        said = "pytest ended with status 4 before it ran a test: unrecognized arguments: --no-such-option"
        with self.assertRaisesRegex(Failed, said):
            self.listed("tests", "--no-such-option")
        with self.assertRaisesRegex(Failed, "no benchmark is registered"):
            self.listed("tests", "-k", "nothing")
        words = [*WORKER, "--slow", "--pytest", "tests"]
        done = subprocess.run(words, cwd=self.folder, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 129)
        self.assertIn(b"'--slow' is not an option for tests", done.stderr)


@unittest.skipIf(NO_PYTEST, NO_PYTEST)
class Measured(Folder):
    def test_fixtures_live_while_the_call_is_measured(self):
        self.write(
            "tests/test_a.py",
            """
            import pytest, threading
            seen = []
            @pytest.fixture(scope="module")
            def wide():
                seen.append("wide up")
                yield seen
                seen.append("wide down")
                print("|".join(seen))
            @pytest.fixture
            def narrow(wide):
                thread = threading.get_ident()
                wide.append("up")
                yield lambda: wide.append(f"call {threading.get_ident() == thread}")
                wide.append("down")
            def test_one(benchmark, narrow): benchmark(narrow)
            def test_two(benchmark, narrow): benchmark(narrow)
            """,
        )
        self.write("tests/test_b.py", "def test_it(benchmark): benchmark(print, 'elsewhere')\n")
        with self.host() as host:
            for name in ("test_a.py::test_one", "test_a.py::test_two", "test_b.py::test_it"):
                host.ask("prepare", name=f"tests/{name}", check=False, warm_up=1)
                self.assertEqual(len(host.measure("submit", batch=2, readings=1)), 1)
                # the second test is wanted without a word about the first
                if "two" in name:
                    host.ask("release")
        once = ["up", *["call True"] * 4, "down"]
        lines = host.output.decode().splitlines()
        self.assertIn("|".join(["wide up", *once, *once, "wide down"]), lines)
        # what the module has is gone before a test of another one begins
        self.assertLess(lines.index("|".join(["wide up", *once, *once, "wide down"])), lines.index("elsewhere"))

    def test_the_test_sees_what_its_function_returns(self):
        self.write(
            "tests/test_a.py",
            """
            import pytest
            def test_right(benchmark):
                assert not benchmark.disabled and benchmark.enabled
                assert benchmark(sorted, [3, 1], reverse=True) == [3, 1]
                assert benchmark.stats.stats.rounds > 0 and benchmark.stats["mean"] > 0
                benchmark.extra_info["rounds"] = benchmark.stats.stats.rounds
            def test_wrong(benchmark):
                assert benchmark(len, [1]) == 2
            def test_raises(benchmark):
                benchmark({}.pop, "key")
            def test_twice(benchmark):
                benchmark(len, [])
                benchmark(len, [])
            @pytest.mark.benchmark(group="g")
            @pytest.mark.parametrize("n", [7])
            def test_names(benchmark, n):
                @benchmark
                def value(): return 5
                assert value == 5
                assert (benchmark.name, benchmark.group) == ("test_names[7]", "g")
                assert (benchmark.param, benchmark.params) == ("7", {"n": 7})
            rehearsed = []
            def test_breaks_later(benchmark):
                benchmark(len, [])
                rehearsed.append(1)
                assert len(rehearsed) < 2, "too late"
            """,
        )
        with self.host() as host:
            host.prepare("tests/test_a.py::test_right")
            host.measure("submit", batch=10, readings=3)
            self.assertEqual([m["t"] for m in host.ask("release")], ["released"])
            host.prepare("tests/test_a.py::test_names", n=7)
            for name, said in (
                ("wrong", r"^wrong answer: assert 1 == 2 \(test_a.py:9\)"),
                ("raises", "^KeyError: 'key'"),
                ("twice", "FixtureAlreadyUsed: Fixture can only be used once"),
            ):
                with self.assertRaisesRegex(Failed, said):
                    host.prepare(f"tests/test_a.py::test_{name}")
            host.prepare("tests/test_a.py::test_breaks_later")
            note = host.ask("release")[0]
            self.assertEqual(note["t"], "note")
            self.assertIn("test_breaks_later: wrong answer: too late", note["text"])

    def test_what_is_skipped_has_its_reason(self):
        self.write(
            "tests/test_a.py",
            """
            import pytest
            @pytest.mark.skipif(True, reason="no left hand")
            def test_marked(benchmark): pass
            @pytest.fixture
            def needs(): pytest.skip("no disk")
            def test_fixture(benchmark, needs): pass
            def test_inside(benchmark): pytest.skip("no time")
            @pytest.mark.xfail(reason="bug 7")
            def test_expected(benchmark): benchmark({}.pop, 1)
            def test_unused(benchmark): pass
            def test_woven(benchmark): benchmark.weave(len)
            def test_weave(benchmark, benchmark_weave): pass
            @pytest.mark.xfail(strict=True, reason="bug 8")
            def test_strict(benchmark): benchmark(len, [])
            """,
        )
        with self.host() as host:
            for name, said in (
                ("marked", "no left hand"),
                ("fixture", "no disk"),
                ("inside", "no time"),
                ("expected", "expected to fail: bug 7"),
                ("unused", "the test does not call its fixture 'benchmark'"),
                ("woven", "benchmark.weave() and benchmark.patch() are not supported"),
                ("weave", "benchmark_weave is not supported"),
            ):
                skipped, prepared = host.prepare(f"tests/test_a.py::test_{name}")
                self.assertEqual((skipped["text"], prepared["present"]), (said, [0]))
            with self.assertRaisesRegex(Failed, "bug 8"):
                host.prepare("tests/test_a.py::test_strict")

    def test_pedantic_sets_up_each_call(self):
        self.write(
            "tests/test_a.py",
            """
            seen = []
            def test_one(benchmark):
                def take(items, by): seen.append("call"); return items.pop()
                def setup(): seen.append("setup"); return ([1, 2],), {"by": 1}
                def end(items, by): seen.append("teardown"); assert items == [1]
                assert benchmark.pedantic(take, setup=setup, teardown=end, rounds=5) == 2
                assert len(seen) % 3 == 0 and len(seen) > 3 * 7
                assert seen == ["setup", "call", "teardown"] * (len(seen) // 3)
            def test_plain(benchmark):
                assert benchmark.pedantic(divmod, (7, 2), rounds=2, iterations=3) == (3, 1)
            def test_wrong(benchmark):
                benchmark.pedantic(len, ([],), iterations=0)
            """,
        )
        with self.host() as host:
            host.prepare("tests/test_a.py::test_plain")
            with self.assertRaisesRegex(Failed, "positive int for `iterations`"):
                host.prepare("tests/test_a.py::test_wrong")
            host.ask("prepare", name="tests/test_a.py::test_one", check=False, warm_up=0)
            host.measure("submit", batch=3, readings=2, discard=1)
            with self.assertRaisesRegex(Failed, "'sustained' cannot be measured of what is set up"):
                host.measure("sustained", batch=1, readings=1)
            self.assertEqual([m["t"] for m in host.ask("release")], ["released"])

    def test_a_marked_test_is_measured_as_a_whole_if_asked(self):
        self.write(
            "tests/test_a.py",
            """
            import pytest
            seen = []
            @pytest.mark.benchmark
            @pytest.mark.parametrize("n", [3])
            def test_marked(n, tmp_path):
                assert tmp_path.is_dir()
                seen.append(n)
            def test_seen(): print("seen", seen)
            @pytest.mark.benchmark
            def test_fixture(benchmark): benchmark(len, [])
            """,
        )
        self.assertEqual(list(self.listed()), ["tests/test_a.py::test_fixture"])
        with self.host(before=["--marked"]) as host:
            self.assertEqual(len(host.list()), 2)
            host.ask("prepare", name="tests/test_a.py::test_marked", axes=["n"], values=["3"])
            self.assertEqual(len(host.measure("submit", batch=4, readings=2)), 2)

    def test_by_hand_each_is_tried_once(self):
        self.write(
            "tests/test_a.py",
            "def test_a(benchmark): benchmark(len, [])\ndef test_b(benchmark): assert 0, 'no'\n",
        )
        done = subprocess.run(
            [*WORKER, "--pytest", "tests"], cwd=self.folder, capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"test_a.py::test_a +[0-9.]+ us a call")
        self.assertIn("test_b failed: wrong answer: no", " ".join(done.stdout.split()))

    def test_a_gpu_that_is_not_there_is_a_reason(self):
        self.write("tests/test_a.py", "def test_it(benchmark): benchmark(len, [])\n")
        with self.host(before=["--gpu"]) as host:
            self.assertEqual(host.prepare("tests/test_a.py::test_it")[0]["text"], "needs a GPU")


@unittest.skipIf(NO_PYTEST, NO_PYTEST)
@unittest.skipUnless(os.path.exists(FAKE), "BA_FAKE_DRIVER names no driver")
class WithFakeDriver(Folder):
    def test_a_launch_is_submitted_and_its_work_waited_for(self):
        self.write(
            "tests/test_a.py",
            """
            import ctypes, os, pytest
            lib = ctypes.CDLL(os.environ["BA_FAKE_DRIVER"])
            PTX = (b".version 7.0\\n.target sm_70\\n.address_size 64\\n"
                   b".visible .entry empty()\\n{ ret; }")
            @pytest.fixture
            def kernel():
                module, function = ctypes.c_void_p(), ctypes.c_void_p()
                assert not lib.cuModuleLoadData(ctypes.byref(module), PTX)
                assert not lib.cuModuleGetFunction(ctypes.byref(function), module, b"empty")
                return function
            @pytest.mark.gpu
            def test_launch(benchmark, kernel):
                shape = (1, 1, 1, 1, 1, 1, 0)
                assert benchmark(lib.cuLaunchKernel, kernel, *shape, None, None, None) == 0
            """,
        )
        script = "launch_ns=1500;drain_ns=900;call_ns=10;clock_ns=0;sync_ns=2000;event_tick_ns=1"
        with self.host(target="fake", driver=FAKE, env={"BA_FAKE_CUDA": script}) as host:
            host.prepare("tests/test_a.py::test_launch")
            self.assertEqual(host.measure("submit", 10, 2), [15000, 15000])
            (trip,) = host.measure("roundtrip", 4, 1)
            self.assertTrue(4 * (1500 + 900) <= trip <= 4 * (1500 + 900 + 2000 + 50), trip)


class WithoutPytest(Folder):
    def test_the_reason_says_what_to_install(self):
        self.write("pytest.py", "raise ImportError('gone', name='pytest')\n")
        with self.assertRaisesRegex(Failed, "pytest is not installed for .*: python3 -m pip install"):
            self.listed()

    def test_a_set_up_of_each_call_is_off_the_clock(self):
        now = [0]

        def takes(ns):
            now[0] += ns

        def ready():
            takes(1000)
            return lambda: takes(3)

        case = FreshCase(ready, lambda: takes(50))
        case.sync = lambda: takes(7)
        self.assertEqual(timing.submit(case, lambda: now[0], 4, 2), [12, 12])
        self.assertEqual(timing.roundtrip(case, lambda: now[0], 4, 2), [40, 40])

    def test_statistics_are_those_of_pytest_benchmark(self):
        stats = Stats([4.0, 1.0, 3.0, 2.0])
        self.assertEqual((stats.min, stats.max, stats.mean, stats.median), (1, 4, 2.5, 2.5))
        self.assertEqual((stats.rounds, stats.total, stats.ops), (4, 10, 0.4))
        self.assertAlmostEqual(stats.stddev, 1.2909944)
        self.assertEqual(Stats([2.0]).stddev, 0)
        self.assertFalse(Stats())

    def test_the_fixture_alone_calls_once(self):
        class Node:
            name, nodeid = "test_it", "a.py::test_it"

        calls = io.StringIO()
        fixture = BenchmarkFixture(Node, None, None)
        self.assertIsNone(fixture.stats)
        self.assertEqual(fixture(calls.write, "x"), 1)
        self.assertEqual(calls.getvalue(), "x")
        self.assertFalse(fixture.has_error)


if __name__ == "__main__":
    unittest.main()
