"""Instructions and bytecodes of runs, in processes as the host starts them."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from bench_against_worker import Case, bytecodes, count
from bench_against_worker.testing import Failed, Host, python_worker

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTED = os.path.join(HERE, "counted.py")
FIXED = {"PYTHONHASHSEED": "0", "BENCH_AGAINST_COUNT": "1"}

CALLS_A_LIBRARY = """
import copy
from bench_against_worker import benchmark

def copies(value):
    return copy.deepcopy(list(v for v in value))

@benchmark
def calls_a_library():
    return lambda: copies((1, 2))
"""

FIXED_ADDRESSES = ["setarch", "-R"]


def can_count():
    """In a build tree, and where a container lets a process fix its addresses."""
    if not count.find_library() or not shutil.which("setarch"):
        return False
    return subprocess.call([*FIXED_ADDRESSES, "true"]) == 0


class Counting(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.trace = os.path.join(folder.name, "trace")

    @contextlib.contextmanager
    def host(self, name, file=COUNTED):
        with Host([*FIXED_ADDRESSES, *python_worker(file)], cwd=HERE, env=FIXED) as host:
            host.open(tree=HERE)
            host.prepare(name)
            yield host

    def count(self, name, **more):
        with self.host(name) as host:
            return host.counted(self.trace, **more)

    def bytecodes(self, answers):
        news = [m for m in answers if m["t"] == "code"]
        rows = [row for m in news for row in zip(m["names"], m["files"], m["lines"], m["counts"])]
        return {(row[0].split(".")[-1], row[1]): row[3] for row in rows}


@unittest.skipUnless(can_count(), "no counting library, or no setarch -R")
class Instructions(Counting):
    def assert_same(self, counts):
        # which hole of its memory the C library takes may differ by some instructions
        self.assertLessEqual(max(counts) - min(counts), 0.002 * min(counts), counts)

    def test_two_processes_count_the_same(self):
        first, second = (self.count("formats")[-1] for _ in range(2))
        self.assert_same([min(first["instructions"]), min(second["instructions"])])
        # two that are equal end it
        counts = first["instructions"]
        self.assertTrue(len(counts) == 3 or (len(counts) == 2 and counts[0] == counts[1]), counts)
        self.assertGreater(min(first["instructions"]), 2_500)
        # one call of three may find another hole in the C library's memory
        self.assertLessEqual(len(set(first["instructions"])), 2)

    def test_a_run_of_calls_is_counted_where_it_says_more(self):
        counts = self.count("every_second_call_does_more", calls=8)[-1]["instructions"]
        self.assertEqual(len(counts), 4, counts)
        less, more = sorted((counts[0::2], counts[1::2]))
        self.assertGreater(min(more), max(less) + 2_500, counts)
        # and where it costs little
        self.assertIn(len(self.count("nothing", calls=8)[-1]["instructions"]), (1, 8))

    def test_a_very_long_run_is_counted_once(self):
        counts = self.count("very_long", calls=8, most=10_000_000)[-1]["instructions"]
        # if the processor counts, the others only confirm it
        self.assertEqual(len(set(counts)), 1, counts)
        self.assertGreater(counts[0], 50_000)

    def test_neither_paths_nor_comments_count(self):
        answers = []
        with tempfile.TemporaryDirectory() as top, open(COUNTED) as file:
            text = file.read()
            for i in (0, 3):
                folder = os.path.join(top, "x" * (7 * i + 1))
                os.mkdir(folder)
                bench = os.path.join(folder, "bench.py")
                with open(bench, "w") as copy:
                    copy.write(f"DOC = '{'more ' * 300 * i}'\n" + text)
                with self.host("formats", bench) as host:
                    answers.append(min(host.counted(self.trace)[-1]["instructions"]))
        self.assert_same(answers)

    def test_a_statement_more_is_seen_and_its_function_named(self):
        few, many = (self.count(name, code=True) for name in ("formats", "formats_and_more"))
        self.assertGreater(min(many[-1]["instructions"]), max(few[-1]["instructions"]))
        before, after = self.bytecodes(few), self.bytecodes(many)
        changed = {name for (name, _), n in after.items() if n != before.get((name, "counted.py"))}
        self.assertEqual(changed - {"<genexpr>", "<lambda>"}, {"text_and_more"})
        self.assertIn("text_of", {name for name, _ in after})

    def test_what_a_library_executes_belongs_to_the_function_that_calls_it(self):
        tree = os.path.dirname(self.trace)
        bench = os.path.join(tree, "bench.py")
        with open(bench, "w") as file:
            file.write(CALLS_A_LIBRARY)
        with Host([*FIXED_ADDRESSES, *python_worker(bench)], cwd=tree, env=FIXED) as host:
            host.open(tree=tree)
            host.prepare("calls_a_library")
            news = [m for m in host.counted(self.trace, code=True) if m["t"] == "code"]
        rows = [row for m in news for row in zip(m["names"], m["counts"], m["calls"])]
        calls = {name.split(".")[-1]: called for name, _, called in rows}
        others = sum(count for name, count, _ in rows if name not in ("copies",))
        outside = next(count for name, count, _ in rows if name.endswith("<lambda>"))
        self.assertEqual(calls.pop("copies"), others - outside)
        self.assertEqual(set(calls.values()), {0})
        self.assertIn("deepcopy", calls)

    def test_the_trace_has_every_instruction(self):
        answer = self.count("formats")[-1]
        with open(self.trace, "rb") as file:
            head = file.read(32)
            rest = file.read()
        self.assertEqual(head[:8], b"ba-trc 1")
        calls, addresses, maps = (
            int.from_bytes(head[8 * i : 8 * i + 8], sys.byteorder) for i in (1, 2, 3)
        )
        self.assertEqual(calls, len(answer["instructions"]))
        self.assertEqual(addresses, sum(answer["instructions"]))
        self.assertEqual(len(rest), 8 * (calls + addresses) + maps)

    def test_neither_the_library_nor_ctypes_is_counted(self):
        self.count("nothing")
        with open(self.trace, "rb") as file:
            data = file.read()
        calls, addresses, _ = (
            int.from_bytes(data[8 * i : 8 * i + 8], sys.byteorder) for i in (1, 2, 3)
        )
        at = 8 * (4 + calls)
        steps = memoryview(data[at : at + 8 * addresses]).cast("Q")
        ours = []
        for line in data[at + 8 * addresses :].decode().splitlines():
            low, high = (int(x, 16) for x in line.split()[0].split("-"))
            if "count.so" in line or "_ctypes" in line or "libffi" in line:
                ours += [step for step in steps if low <= step < high]
        self.assertEqual(ours, [])
        self.assertGreater(len(steps), 0)

    def test_what_a_run_raises_fails_the_benchmark(self):
        with self.assertRaisesRegex(Failed, r"run\(\): ValueError: call 60 \(counted.py:\d+\)"):
            self.count("raises", warm_up=55)

    def test_a_run_that_starts_a_thread_is_at_fault(self):
        # the limit is far away: how long a thread takes to start is not asked here
        answer = self.count("starts_a_thread", most=100_000_000)[-1]
        self.assertEqual(answer["instructions"], [])
        self.assertEqual(answer["text"], "run() starts a process or a thread")
        self.assertTrue(answer["fault"])

    def test_a_run_with_too_many_instructions_is_not(self):
        # its first calls, whose time is taken, execute few
        answer = self.count("grows", most=10_000)[-1]
        self.assertEqual(answer["instructions"], [])
        self.assertEqual(answer["text"], "one run executes more than 10,000 instructions")
        self.assertFalse(answer["fault"])

    def test_a_limit_that_is_low_is_that_of_the_run(self):
        self.assertLess(self.count("nothing", most=5_000)[-1]["instructions"][0], 5_000)

    def test_a_long_run_is_not_stepped(self):
        answer = self.count("adds_a_million", most=100_000)[-1]
        self.assertRegex(
            answer["text"], r"one run takes [\d.]+ ms; up to 100,000 instructions are counted"
        )
        self.assertFalse(answer["fault"])

    def test_an_unknown_way_fails(self):
        with self.assertRaisesRegex(Failed, "there is no way to count 'abacus'"):
            self.count("formats", way="abacus")

    def test_the_process_counts_again(self):
        with self.host("formats") as host:
            first = host.counted(self.trace, code=True)
            self.assertEqual(host.counted(self.trace, code=True)[:-1], first[:-1])
            self.assertEqual(len(host.measure("submit", batch=2, readings=3)), 3)


class WithoutLibrary(Counting):
    def test_the_reason_is_the_installation(self):
        with tempfile.TemporaryDirectory() as folder:
            package = os.path.dirname(os.path.abspath(count.__file__))
            shutil.copytree(package, os.path.join(folder, "bench_against_worker"))
            env = {**FIXED, "PYTHONPATH": folder}
            code = "import sys; sys.path.insert(0, sys.argv.pop(1)); import runpy; " \
                "runpy.run_module('bench_against_worker', run_name='__main__', alter_sys=True)"
            with Host([sys.executable, "-c", code, folder, COUNTED], env=env) as host:
                host.open(tree=HERE)
                host.prepare("formats")
                answer = host.counted(self.trace)[-1]
        self.assertEqual(
            answer["text"], "bench_against_worker is installed without its counting library"
        )
        self.assertFalse(answer["fault"])

    def test_the_reason_is_the_interpreter(self):
        with mock.patch.object(sys.implementation, "name", "pypy"):
            with self.assertRaisesRegex(count.NotCounted, "of CPython are counted, not of pypy"):
                count.load_library()

    def test_the_reason_is_the_system(self):
        with mock.patch.object(sys, "platform", "darwin"):
            with self.assertRaisesRegex(count.NotCounted, "on Linux only"):
                count.load_library()


class Bytecodes(unittest.TestCase):
    def test_they_follow_from_the_source(self):
        def twice():
            inner()
            inner()

        def inner():
            pass

        rows = {row.name.split(".")[-1]: row for row in bytecodes.of_run(Case(twice), HERE)}
        single = {
            row.name.split(".")[-1]: row for row in bytecodes.of_run(Case(inner), HERE)
        }
        self.assertEqual(set(rows), {"twice", "inner"})
        self.assertEqual(rows["inner"].bytecodes, 2 * single["inner"].bytecodes)
        self.assertEqual(rows["inner"].file, os.path.basename(__file__))
        self.assertEqual(rows["inner"].line, inner.__code__.co_firstlineno)

    def test_nothing_stays_behind(self):
        def fails():
            raise ValueError("no")

        before = sys.gettrace()
        with self.assertRaises(ValueError):
            bytecodes.of_run(Case(fails), HERE)
        self.assertIs(sys.gettrace(), before)
        if sys.version_info >= (3, 12):
            self.assertEqual([sys.monitoring.get_tool(i) for i in (3, 4)], [None, None])
        self.assertEqual(len(bytecodes.of_run(Case(lambda: None), HERE)), 1)

    def test_equal_functions_of_two_files_are_two(self):
        scope = {}
        for name in ("a.py", "b.py"):
            exec(compile("def f():\n    return 1\n", os.path.join(HERE, name), "exec"), scope)
            scope[name] = scope["f"]
        rows = bytecodes.of_run(Case(lambda: (scope["a.py"](), scope["b.py"]())), HERE)
        self.assertEqual([row.file for row in rows if row.name == "f"], ["a.py", "b.py"])


if __name__ == "__main__":
    unittest.main()
