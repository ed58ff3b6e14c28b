"""What of a folder of asv's benchmarks is measured, and under which names."""

import os
import sys
import tempfile
import textwrap
import unittest

from bench_against_worker.asv import register_all
from bench_against_worker.registry import Registry, Skip


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

    def points(self):
        registry = Registry()
        register_all(os.path.join(self.folder.name, self.package), registry)
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
            sorted(self.points()), ["a.Heir.time_one", "a.Suite.time_one", "a.time_it"]
        )

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
        points = self.points()
        with self.assertRaisesRegex(Skip, "d cannot be imported: No module named 'no_such_module"):
            points["d"].set_up()
        with self.assertRaisesRegex(Skip, "not on this machine"):
            points["e.time_it"].set_up()

    def test_parameters_without_values_are_skipped(self):
        self.write("g.py", "def time_it(engine): pass\ntime_it.params = [[]]\n")
        with self.assertRaisesRegex(Skip, "'param1' has no values here"):
            self.points()["g.time_it"].set_up()

    def test_long_names_keep_their_end(self):
        self.write("f.py", f"def time_{'x' * 60}_end(): pass\ndef time_{'y' + 'x' * 59}_end(): pass\n")
        names = list(self.points())
        self.assertEqual(len(set(names)), 2)
        for name in names:
            self.assertTrue(name.split("-")[0].rstrip("2").endswith("end") or "-2" in name)
            self.assertLessEqual(len(name), 64)

    def test_a_folder_that_is_not_there(self):
        with self.assertRaises(FileNotFoundError):
            register_all("no/such/folder", Registry())


if __name__ == "__main__":
    unittest.main()
