"""What of a folder of asv's benchmarks is measured, and under which names."""

import contextlib
import os
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

from bench_against_worker.asv import Options, register_all
from bench_against_worker.asvcache import Caches
from bench_against_worker.registry import Registry, Skip
from bench_against_worker.timing import submit
from bench_against_worker.worker import declaration_of


@contextlib.contextmanager
def taken_down(case):
    """The points, whose caches are gone afterwards."""
    caches = Caches(case.folder.name)
    with tempfile.TemporaryDirectory() as scratch, scratch_folder(scratch):
        yield case.points(Options(), caches)
        caches.remove()
        case.assertEqual(os.listdir(scratch), [])


@contextlib.contextmanager
def scratch_folder(folder):
    before = os.environ.get("PYTHONPYCACHEPREFIX")
    os.environ["PYTHONPYCACHEPREFIX"] = folder
    try:
        yield
    finally:
        os.environ.pop("PYTHONPYCACHEPREFIX")
        if before is not None:
            os.environ["PYTHONPYCACHEPREFIX"] = before


@contextlib.contextmanager
def mock_stderr(file):
    """Of this process and those that it starts."""
    before = os.dup(2)
    os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)


class Asv(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        # a name of its own, since modules stay imported
        self.package = "marks_" + os.path.basename(self.folder.name).replace("-", "_")
        os.mkdir(os.path.join(self.folder.name, self.package))
        sys.path.insert(0, self.folder.name)
        self.addCleanup(sys.path.remove, self.folder.name)
        self.write("__init__.py", "")

    def write(self, name, text):
        with open(os.path.join(self.folder.name, self.package, name), "w") as file:
            file.write(textwrap.dedent(text))

    def points(self, *options):
        registry = Registry()
        register_all(os.path.join(self.folder.name, self.package), registry, *options)
        self.assertIsNone(registry.problem())
        return {point.id: point for point in registry.points()}

    def test_functions_and_methods_that_time(self):
        self.write(
            "a.py",
            """
            from json import dumps as time_imported
            def time_it(): pass
            def track_it(): return 1
            def helper(): pass
            class Suite:
                def time_one(self): pass
                def peakmem_one(self): pass
            class Heir(Suite):
                pass
            class _Hidden:
                def time_none(self): pass
            """,
        )
        self.assertEqual(
            sorted(self.points()),
            [
                "a.Heir.peakmem_one",
                "a.Heir.time_one",
                "a.Suite.peakmem_one",
                "a.Suite.time_one",
                "a.time_it",
                "a.track_it",
            ],
        )

    def test_each_kind_has_its_metric(self):
        self.write(
            "k.py",
            """
            def time_it(): pass
            class TimeSuite:
                def time_more(self): pass
            def timeraw_it(): return "pass"
            def track_it(): return 2.5
            def mem_it(): return []
            def peakmem_it(): pass
            def named(): pass
            named.benchmark_name = "k.time_by_name"
            def time_not(): pass
            time_not.skip_benchmark = True
            """,
        )
        modes = {i.definition.name: declaration_of(i.definition)["modes"] for i in self.points().values()}
        self.assertEqual(
            modes,
            {
                "k.time_it": ["submit", "instructions"],
                "k.TimeSuite.time_more": ["submit", "instructions"],
                "k.timeraw_it": ["submit"],
                "k.track_it": ["tracked"],
                "k.mem_it": ["tracked"],
                "k.peakmem_it": ["peak_memory"],
                "k.time_by_name": ["submit", "instructions"],
            },
        )

    def test_values_are_kept_and_what_has_no_ratio_is_skipped(self):
        self.write(
            "v.py",
            """
            def track_it(n): return n
            track_it.params = [[3, 0.25, 0, -1, float("nan"), "text", 1e13]]
            """,
        )
        points = list(self.points().values())
        self.assertEqual([point.set_up().value for point in points[:2]], [3, 0.25])
        for point, said in zip(points[2:], ("0: only", "-1: only", "nan", "'text', and", "1e\\+13: ")):
            with self.assertRaisesRegex(Skip, said):
                point.set_up()

    def test_a_statement_runs_in_an_interpreter_of_its_own(self):
        self.write(
            "r.py",
            """
            import sys
            def timeraw_it(): return "seen.append(1); assert len(seen) < 4", "seen = []"
            timeraw_it.number = 3
            def timeraw_broken(): return "import no_such_module_at_all"
            timeraw_broken.env = {"SOME": "1"}
            """,
        )
        points = self.points()
        case = points["r.timeraw_it"].set_up()
        self.assertEqual(len(submit(case, None, 2, 2)), 2)
        with self.assertRaises(subprocess.CalledProcessError), open(os.devnull, "w") as null:
            case = points["r.timeraw_broken"].set_up()
            with mock_stderr(null):
                submit(case, None, 1, 1)

    def test_the_peak_is_that_of_a_process_of_its_own(self):
        self.write(
            "p.py",
            """
            import os
            class Suite:
                params = [1, 60]
                param_names = ["mib"]
                def setup_cache(self):
                    with open("made", "w") as file: file.write("here")
                    return {"pid": os.getpid()}
                def peakmem_it(self, cache, mib):
                    assert cache["pid"] != os.getpid() and open("made").read() == "here"
                    bytearray(mib << 20)
                def peakmem_broken(self, cache, mib): raise ValueError("no memory")
            """,
        )
        with taken_down(self) as points:
            before = bytearray(200 << 20)
            cases = [points[f"p.Suite.peakmem_it/mib={n}"].set_up() for n in (1, 60)]
            small, large = (case.value for case in cases)
            for case in cases[::-1]:
                case.teardown()
            del before
            # that this process has 200 MiB more is nothing to it
            self.assertGreater(large - small, 50 << 20)
            self.assertLess(large, 190 << 20)
            with self.assertRaisesRegex(RuntimeError, "ended with status 1: ValueError: no memory"):
                points["p.Suite.peakmem_broken/mib=1"].set_up()

    def test_a_cache_is_made_once_and_copied(self):
        self.write(
            "s.py",
            """
            made = []
            def setup(*arguments): made.append("seed")
            class Suite:
                params = [1, 2]
                def setup_cache(self):
                    made.append("cache")
                    return {"n": 0}
                def time_it(self, cache, n): cache["n"] += n; made.append(cache["n"])
            """,
        )
        self.write("t.py", "def setup_cache(): return open\ndef time_it(cache): cache\n")
        with taken_down(self) as points:
            here = os.getcwd()
            for n in (1, 2):
                case = points[f"s.Suite.time_it/param1={n}"].set_up()
                self.assertNotEqual(os.getcwd(), here)
                case.run()
                case.run()
                case.teardown()
                self.assertEqual(os.getcwd(), here)
            made = sys.modules[f"{self.package}.s"].made
            self.assertEqual(made, ["seed", "cache", "seed", 1, 2, "seed", 2, 4])
            # one that cannot be copied is shared
            points["t.time_it"].set_up().teardown()

    def test_calls_that_want_a_setup_get_one(self):
        self.write(
            "n.py",
            """
            calls = []
            class Twice:
                number = 2
                def setup(self): self.left = [1, 2]; calls.append("setup")
                def time_it(self): self.left.pop(); calls.append("run")
                def teardown(self): calls.append("teardown")
            class Once:
                def setup(self): self.left = [1]
                def time_it(self): self.left.pop()
            class Skips:
                skip_params = [(2,)]
                params = [1, 2]
                def time_it(self, n): pass
            ticks = iter(range(100))
            def time_clock(): pass
            time_clock.timer = lambda: next(ticks)
            """,
        )
        points = self.points()
        case = points["n.Twice.time_it"].set_up()
        submit(case, time.perf_counter_ns, 4, 1)
        case.teardown()
        round_ = ["setup", "run", "run", "teardown"]
        self.assertEqual(sys.modules[f"{self.package}.n"].calls, round_ * 2)
        with self.assertRaises(IndexError):
            submit(points["n.Once.time_it"].set_up(), time.perf_counter_ns, 2, 1)
        self.assertEqual(submit(points["n.time_clock"].set_up(), None, 3, 1), [3 * 10**9])
        points["n.Skips.time_it/param1=1"].set_up()
        with self.assertRaisesRegex(Skip, "not for these parameters"):
            points["n.Skips.time_it/param1=2"].set_up()
        each = self.points(Options(setup_each_call=True))
        self.assertEqual(len(submit(each["n.Once.time_it"].set_up(), time.perf_counter_ns, 5, 1)), 1)

    def test_parameters_are_axes(self):
        self.write(
            "b.py",
            """
            def time_one(n): pass
            time_one.params = [10, 1000]
            class Suite:
                params = ([1, 2.5], ["a b", "a/b", None, ""])
                param_names = ["n", "what kind"]
                def time_two(self, n, kind): pass
            """,
        )
        points = self.points()
        self.assertIn("b.time_one/param1=1000", points)
        self.assertIn("b.Suite.time_two/n=2.5,what_kind=a-b", points)
        self.assertIn("b.Suite.time_two/n=1,what_kind=a-b-2", points)
        self.assertIn("b.Suite.time_two/n=1,what_kind=value", points)
        self.assertEqual(len(points), 2 + 2 * 4)

    def test_what_runs_before_and_after(self):
        self.write(
            "c.py",
            """
            calls = []
            def setup(*arguments): calls.append(("module", arguments))
            class Suite:
                params = [3]
                def setup_cache(self): return "cache"
                def setup(self, cache, n): self.n = n; calls.append(("class", (cache, n)))
                def time_it(self, cache, n): calls.append(("run", (cache, n, self.n)))
                def teardown(self, cache, n): calls.append(("teardown", (cache, n)))
            """,
        )
        case = self.points()["c.Suite.time_it/param1=3"].set_up()
        case.run()
        case.teardown()
        calls = sys.modules[f"{self.package}.c"].calls
        self.assertEqual(
            calls,
            [
                # before setup_cache(), for one that wants no parameters
                ("module", ()),
                ("module", ("cache", 3)),
                ("class", ("cache", 3)),
                ("run", ("cache", 3, 3)),
                ("teardown", ("cache", 3)),
            ],
        )

    def test_what_cannot_run_here_is_skipped_with_the_reason(self):
        self.write("d.py", "import no_such_module_at_all\ndef time_it(): pass\n")
        self.write(
            "e.py",
            """
            def time_it(): pass
            def refuse(): raise NotImplementedError("not on this machine")
            time_it.setup = refuse
            """,
        )
        self.write("h.py", "undefined\n")
        points = self.points()
        with self.assertRaisesRegex(Skip, "d cannot be imported: No module named 'no_such_module"):
            points["d"].set_up()
        with self.assertRaisesRegex(Skip, "h cannot be imported: NameError: name 'undefined'"):
            points["h"].set_up()
        with self.assertRaisesRegex(Skip, "not on this machine"):
            points["e.time_it"].set_up()

    def test_parameters_without_values_are_skipped(self):
        self.write("g.py", "def time_it(engine): pass\ntime_it.params = [[]]\n")
        with self.assertRaisesRegex(Skip, "'param1' has no values here"):
            self.points()["g.time_it"].set_up()

    def test_a_number_and_its_text_are_two_values(self):
        self.write("w.py", "def time_it(n): pass\ntime_it.params = [[1, '1', 1.0, True]]\n")
        self.assertEqual(
            [point.id for point in self.points().values()],
            [f"w.time_it/param1={label}" for label in ("1", "1-2", "1.0", "True")],
        )

    def test_long_names_keep_their_end(self):
        self.write("f.py", f"def time_{'x' * 220}_end(): pass\ndef time_{'y' + 'x' * 219}_end(): pass\n")
        names = list(self.points())
        self.assertEqual(len(set(names)), 2)
        for name in names:
            self.assertTrue(name.endswith("_end") or name.endswith("-2"), name)
            self.assertLessEqual(len(name), 200)

    def test_a_folder_that_is_not_there(self):
        with self.assertRaises(FileNotFoundError):
            register_all("no/such/folder", Registry())


if __name__ == "__main__":
    unittest.main()
