"""Both ends of the protocol: a worker process and the host that tests have."""

import ctypes
import os
import py_compile
import shutil
import subprocess
import sys
import tempfile
import unittest

from bench_against_worker.testing import Failed, Host, python_worker

HERE = os.path.dirname(os.path.abspath(__file__))
BENCHMARKS = os.path.join(HERE, "benchmarks.py")


def worker_of(case, text):
    """A host of a worker whose file of benchmarks has that text, not yet opened."""
    folder = tempfile.TemporaryDirectory()
    case.addCleanup(folder.cleanup)
    with open(os.path.join(folder.name, "bench.py"), "w") as file:
        file.write("from bench_against_worker import *\n" + text)
    host = Host(python_worker("bench.py"), cwd=folder.name)
    return host


def put(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w"):
        pass


def path_of_library(name):
    ctypes.CDLL(name)
    with open("/proc/self/maps") as maps:
        return next(line.split(None, 5)[5].strip() for line in maps if name in line)


class CompiledFiles(unittest.TestCase):
    def test_modules_outside_the_tree_are_not_compiled_again(self):
        start = os.path.join(os.path.dirname(HERE), "bench_against_worker", "start")
        with tempfile.TemporaryDirectory() as top:
            for name in ("installed", "fresh"):
                put(os.path.join(top, "site", name + ".py"))
            put(os.path.join(top, "tree", "own.py"))
            py_compile.compile(os.path.join(top, "site", "installed.py"))
            py_compile.compile(os.path.join(top, "tree", "own.py"))
            program = "import installed, fresh, own\nfor m in (installed, fresh, own): print(m.__cached__)"
            path = os.pathsep.join([start, os.path.join(top, "site"), os.path.join(top, "tree")])
            env = dict(os.environ, PYTHONPATH=path, PYTHONPYCACHEPREFIX=os.path.join(top, "run"))
            done = subprocess.run(
                [sys.executable, "-c", program], cwd=os.path.join(top, "tree"), env=env,
                stdout=subprocess.PIPE, check=True)
            installed, fresh, own = done.stdout.decode().split()
            self.assertEqual(os.path.dirname(installed), os.path.join(top, "site", "__pycache__"))
            self.assertTrue(fresh.startswith(os.path.join(top, "run")), fresh)
            self.assertTrue(own.startswith(os.path.join(top, "run")), own)


class Protocol(unittest.TestCase):
    def setUp(self):
        self.host = Host(python_worker(BENCHMARKS))
        self.host.__enter__()
        self.host.open()

    def tearDown(self):
        self.host.end()

    def fails(self, *words, **axes):
        with self.assertRaises(Failed) as caught:
            self.host.prepare(*words, **axes)
        return str(caught.exception)

    def test_benchmarks_are_listed_as_they_are_declared(self):
        listed = {b["name"]: b for b in self.host.list()}
        self.assertEqual(
            listed["total"],
            {
                "t": "benchmark",
                "name": "total",
                "axes": ["kind", "x", "n"],
                "kinds": ["text", "real", "integer"],
                "value_counts": [2, 2, 2],
                "values": ["list", "set", "1.5", "2", "10", "1000"],
                "points": ["kind=list,x=1.5", "kind=set,x=2"],
                "modes": ["submit", "instructions"],
                "gpu": False,
            },
        )
        self.assertTrue(listed["on_gpu"]["gpu"])
        self.assertEqual(
            listed["on_gpu"]["modes"], ["gpu_cold", "gpu_hot", "wall_cold", "wall_hot"]
        )

    def test_the_loaded_files_are_told_with_their_digests(self):
        host = Host(python_worker(BENCHMARKS))
        with host:
            host.open(tree=HERE)
            listed = host.ask("list")[-1]
        self.assertEqual(listed["objects"], [BENCHMARKS])
        self.assertRegex(listed["sha256"][0], "^[0-9a-f]{64}$")

    def test_one_is_prepared_and_measured(self):
        case, prepared = self.host.prepare("total", kind="set", x=2, n=1000)
        self.assertEqual((case["items"], case["flop"]), (1000, 2007))
        self.assertEqual(prepared["present"], [1])
        ns = self.host.measure("submit", batch=50, readings=4, discard=3)
        self.assertEqual(len(ns), 4)
        # summing a thousand numbers takes longer than adding ten of them takes the slowest
        self.assertGreater(min(ns), 50 * 500)

    def test_the_first_call_is_timed_by_itself(self):
        case, _ = self.host.prepare("total", kind="set", x=2, n=1000)
        self.assertNotIn("first_call", case)
        host = Host(python_worker(BENCHMARKS))
        with host:
            host.open()
            case = host.ask("prepare", name="in_order", check=False, warm_up=0, first_call=True)[0]
            order = host.prepare("order_so_far")[0]["text"]
        self.assertGreater(case["first_call"], 0)
        self.assertGreater(case["first_call_cpu"], 0)
        # and after it the warm-up of none
        self.assertEqual(order, "rss")

    def test_the_clock_stands_where_it_should(self):
        for mode, calls in (("submit", "rrrrs"), ("sustained", "rrsrrs"), ("roundtrip", "rs" * 4)):
            host = Host(python_worker(BENCHMARKS))
            with host:
                host.open()
                host.ask("prepare", name="in_order", check=False, warm_up=0)
                host.measure(mode, batch=2, readings=2)
                order = host.prepare("order_so_far")[0]["text"]
            # the warm-up of none ends with a synchronise
            self.assertEqual(order, "s" + calls)

    def test_what_goes_wrong_is_said(self):
        for name, said in (
            ("false", "wrong answer: check() returned False"),
            ("asserts", "wrong answer: element 3 is 4.0, should be 5.0"),
            ("breaks_in_setup", "setup: KeyError: 'key' (benchmarks.py:"),
            ("breaks_in_run", "run(): StopIteration (benchmarks.py:"),
            ("leaves", "setup: SystemExit: 3 (benchmarks.py:"),
            ("returns_nothing", "returns_nothing() must return the callable"),
            ("no_such", "there is no benchmark 'no_such'"),
        ):
            with self.subTest(name):
                asked = {"warm_up": 100} if name == "breaks_in_run" else {}
                with self.assertRaises(Failed) as caught:
                    self.host.ask("prepare", name=name, **asked)
                self.assertIn(said, str(caught.exception))
        # and the worker goes on
        self.host.prepare("total", kind="list", x=1.5, n=10)

    def test_a_failure_in_the_middle_is_said(self):
        self.host.prepare("breaks_in_run")
        with self.assertRaisesRegex(Failed, "run\\(\\): StopIteration"):
            self.host.measure("submit", batch=100, readings=1)
        with self.assertRaisesRegex(Failed, "cannot measure 'speed'"):
            self.host.measure("speed", batch=1, readings=1)

    def test_what_cannot_run_here_is_skipped(self):
        self.assertEqual(self.host.prepare("skips")[0]["text"], "needs two left hands")
        skipped, prepared = self.host.prepare("on_gpu")
        self.assertEqual((skipped["text"], prepared["present"]), ("needs a GPU", [0]))
        with self.assertRaisesRegex(Failed, "nothing is prepared"):
            self.host.measure("submit", batch=1, readings=1)

    def test_a_broken_teardown_is_a_note(self):
        self.host.prepare("breaks_in_teardown")
        note = self.host.ask("release")[0]
        self.assertIn("breaks_in_teardown: teardown: OSError: disk on fire", note["text"])

    def test_standard_output_is_the_projects(self):
        self.host.prepare("shouts")
        self.assertEqual(len(self.host.measure("submit", batch=5, readings=2)), 2)
        self.host.close()
        self.assertEqual(self.host.end(), 0)
        self.assertIn(b"nobody asked for this", self.host.output)

    def test_requests_that_are_none_are_answered(self):
        with self.assertRaisesRegex(Failed, "no such request 'sing'"):
            self.host.ask("sing")
        with self.assertRaisesRegex(Failed, "message 'prepare': KeyError"):
            self.host.ask("prepare")
        self.host.send_line(b"{")
        with self.assertRaisesRegex(Failed, "a line that is not JSON"):
            self.host.receive()
        self.assertEqual(self.host.end(), 1)


class Beginnings(unittest.TestCase):
    def test_another_version_is_refused(self):
        host = Host(python_worker(BENCHMARKS))
        with self.assertRaisesRegex(Failed, "the host speaks bench-against.worker 2, this worker"):
            host.ask("hello", protocol="bench-against.worker", version=2)
        host.end()

    def test_a_host_that_is_gone_ends_the_worker(self):
        with Host(python_worker(BENCHMARKS)) as host:
            self.assertEqual(host.end(), 0)

    def test_benchmarks_that_cannot_be_loaded_are_told(self):
        for text, said in (
            ("import no_such_module", "cannot be loaded: ModuleNotFoundError: .* \\(bench.py:2\\)"),
            ("syntax error", "cannot be loaded: SyntaxError"),
            ("", "no benchmark is registered"),
            ("@benchmark(axes={'n': []})\ndef f(n): pass", "axis 'n' has no values"),
        ):
            with self.subTest(text), worker_of(self, text) as host:
                with self.assertRaisesRegex(Failed, said):
                    host.open()

    def test_modules_of_another_tree_are_refused(self):
        with tempfile.TemporaryDirectory() as other:
            with open(os.path.join(other, "stranger.py"), "w") as file:
                file.write("")
            with worker_of(
                self,
                f"import sys; sys.path.insert(0, {other!r})\n"
                "@benchmark\ndef late():\n    import stranger\n    return lambda: 0\n"
                "@benchmark\ndef fine():\n    return lambda: 0\n",
            ) as host:
                host.open(tree=host.cwd, not_from=[other, host.cwd, "/no/such/folder"])
                host.list()
                host.prepare("fine")
                with self.assertRaisesRegex(Failed, "stranger.py' was loaded, which is not of"):
                    host.prepare("late")

    def test_an_installed_copy_of_what_the_tree_has_is_refused(self):
        for mine in ("src/shapes/__init__.py", "src/shapes.py", "shapes.py"):
            with self.subTest(mine), tempfile.TemporaryDirectory() as top:
                site = os.path.join(top, "site-packages")
                put(os.path.join(site, "shapes", "__init__.py"))
                put(os.path.join(site, "unrelated.py"))
                with worker_of(
                    self,
                    f"import sys; sys.path.insert(0, {site!r})\n"
                    "import json, unrelated\n"
                    "@benchmark\ndef late():\n    import shapes\n    return lambda: 0\n"
                    "@benchmark\ndef fine():\n    return lambda: 0\n",
                ) as host:
                    put(os.path.join(host.cwd, mine))
                    put(os.path.join(host.cwd, "json", "__init__.py"))
                    host.open(tree=host.cwd, not_from=[])
                    host.list()
                    host.prepare("fine")
                    with self.assertRaisesRegex(
                        Failed, "shapes/__init__.py' was loaded, although this tree has a 'shapes'"
                    ):
                        host.prepare("late")

    def test_libraries_of_another_tree_are_refused(self):
        with tempfile.TemporaryDirectory() as other:
            path = os.path.join(other, "libstranger.so")
            shutil.copy(path_of_library("libm.so.6"), path)
            with worker_of(
                self,
                "import ctypes\n"
                "@benchmark\ndef late():\n"
                f"    ctypes.CDLL({path!r})\n    return lambda: 0\n",
            ) as host:
                host.open(tree=host.cwd, not_from=[other])
                host.list()
                with self.assertRaisesRegex(Failed, "libstranger.so' was loaded, which is not of"):
                    host.prepare("late")

    def test_a_simulator_is_no_gpu(self):
        host = Host(python_worker(BENCHMARKS), env={"NUMBA_ENABLE_CUDASIM": "1"})
        with host, self.assertRaisesRegex(Failed, "a simulator is not a GPU"):
            host.open(target="gpu")

    def test_what_a_benchmark_starts_does_not_hold_our_pipes(self):
        with worker_of(
            self,
            "import subprocess\n@benchmark\ndef f():\n"
            "    p = subprocess.Popen(['sleep', '600'], close_fds=False)\n"
            "    return Case(lambda: 0, teardown=p.kill)",
        ) as host:
            host.open()
            host.prepare("f")
            # the replies would not end while the child holds them
            host.close()
            with self.assertRaisesRegex(Failed, "ended with status 0"):
                host.receive()


    def test_a_file_that_took_our_descriptors_gets_no_message(self):
        with tempfile.NamedTemporaryFile() as taken:
            with worker_of(
                self,
                "import os\n@benchmark\ndef f():\n"
                "    os.closerange(3, 1024)\n"
                f"    os.open({taken.name!r}, os.O_RDWR | os.O_APPEND)\n"
                f"    os.open({taken.name!r}, os.O_RDWR | os.O_APPEND)\n"
                "    return lambda: 0",
            ) as host:
                host.open()
                with self.assertRaisesRegex(Failed, "ended with status 125"):
                    host.prepare("f")
            self.assertEqual(taken.read(), b"")


class ByHand(unittest.TestCase):
    def test_each_is_tried(self):
        made = subprocess.run(
            [sys.executable, "-m", "bench_against_worker", BENCHMARKS],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
        )
        self.assertEqual(made.returncode, 1)
        self.assertRegex(made.stdout, r"total/kind=list,x=1.5,n=10 +\d+\.\d+ us a call")
        self.assertRegex(made.stdout, r"false +wrong answer: ")
        self.assertRegex(made.stdout, r"skips +skipped: needs two left hands")


if __name__ == "__main__":
    unittest.main()
