"""compare(): what functions cost is written down here, and a clock of our own shows it."""

import gc
import itertools
import json
import os
import random
import subprocess
import tempfile
import unittest
import xml.dom.minidom
from unittest import mock

from bench_against_worker import compare, comparison, count, schedule

try:
    TOOL = comparison.find_tool()
except comparison.ToolError:
    TOOL = None


class Clock:
    """Time that only passes where somebody spends it."""

    def __init__(self):
        self.ns = 0

    def __call__(self):
        return self.ns

    def costs(self, ns, noise=None):
        def run():
            self.ns += ns if noise is None else max(1, round(ns * noise()))

        return run


class Refused(unittest.TestCase):
    def test_what_cannot_be_compared_is_said_before_anything_is_measured(self):
        def never():
            raise AssertionError("it was called")

        two = {"a": never, "b": never}
        for functions, options, said in (
            ({"a": never}, {}, "2 to 8 functions, not 1"),
            ({str(i): never for i in range(9)}, {}, "2 to 8 functions, not 9"),
            ({"a": never, "b": 3}, {}, "'b' must be callable, is 3"),
            ({"a": never, " ": never}, {}, "' ' is not a name"),
            (two, {"threshold": 0}, "threshold=0 must be between 0 and 1"),
            (two, {"threshold": 2}, "0.02 is 2 %"),
            (two, {"confidence": 95}, "confidence=95 must be at least 0.5"),
            (two, {"budget": 0}, "budget=0 must be above 0"),
        ):
            with self.subTest(said), self.assertRaises((ValueError, TypeError)) as caught:
                compare(functions, **options)
            self.assertIn(said, str(caught.exception))

    def test_without_the_program_the_message_says_how_to_get_it(self):
        with mock.patch("shutil.which", return_value=None), mock.patch("os.access", return_value=False):
            with mock.patch.dict("sys.modules", {"bench_against": None}):
                with self.assertRaisesRegex(comparison.ToolError, "pipx install bench-against"):
                    compare({"a": print, "b": print})
        with self.assertRaisesRegex(comparison.ToolError, "no/such/tool: No such file"):
            compare({"a": print, "b": print}, tool="no/such/tool")

    def test_a_program_that_cannot_decide_is_named(self):
        with self.assertRaisesRegex(comparison.ToolError, "/bin/false decide ended with status 1"):
            compare({"a": print, "b": print}, tool="/bin/false")


@unittest.skipUnless(TOOL, "no bench-against beside the module or in PATH")
class Compared(unittest.TestCase):
    def compare(self, costs, noise=None, **options):
        clock = Clock()
        functions = {name: clock.costs(ns, noise) for name, ns in costs.items()}
        options = {"tool": TOOL, "count": False, "seed": 7, "timer": clock, **options}
        return compare(functions, **options)

    def verify(self, found):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "results.json")
            with open(path, "w") as file:
                file.write(found.to_json())
            done = subprocess.run([TOOL, "verify", path], stdout=subprocess.PIPE)
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_what_a_call_costs_is_what_is_found(self):
        for cost, verdict in ((11000, "regressed"), (10000, "unchanged"), (9000, "improved")):
            found = self.compare({"old": 10000, "new": cost})
            change = found.changes["new"]
            self.assertEqual(change.verdict, verdict)
            self.assertAlmostEqual(change.ratio, cost / 10000, 12)
            self.assertLessEqual(change.low, change.ratio)
            self.assertLessEqual(change.ratio, change.high)
            self.assertAlmostEqual(found.ns["old"], 10000, 6)
            self.assertAlmostEqual(found.ns["new"], cost, 6)
            self.assertIn(f"new against old: {verdict}", str(found))
            self.verify(found)

    def test_a_change_within_the_threshold_is_called_that(self):
        found = self.compare({"old": 10000, "new": 10100})
        self.assertEqual(found.changes["new"].within_threshold, "slower")
        self.assertIn("slower, within the threshold", str(found))
        found = self.compare({"old": 10000, "new": 10100}, threshold=0.005)
        self.assertEqual(found.changes["new"].verdict, "regressed")

    def test_what_is_likely_is_said(self):
        document = json.loads(self.compare({"old": 10000, "new": 12000}).to_json())
        change = document["series"][0]["comparisons"][0]
        for low, high, likely, words in (
            (1.19, 1.21, True, "probably slower"),
            (0.8, 0.9, True, "probably faster"),
            (1.19, 1.21, False, "inconclusive"),
            (1.001, 1.21, True, "inconclusive"),
            (None, None, True, "inconclusive"),
        ):
            change.update(verdict="inconclusive", low=low, high=high, likely=likely)
            found = comparison.Comparison(TOOL, json.dumps(document), {})
            self.assertIn(f"new against old: {words}, ", str(found))

    def test_the_order_is_what_the_tool_draws_from_the_seed(self):
        for names in ("ab", "abc", "abcd", "abcde"):
            for seed in (1, 2**48 - 1):
                self.verify(self.compare({name: 10000 for name in names}, seed=seed))
        rows = [schedule.block_of(2, 7, "call", 0, block) for block in range(64)]
        self.assertEqual({tuple(row) for row in rows}, {(0, 1, 1, 0), (1, 0, 0, 1)})

    def test_noise_that_hides_the_change_leaves_it_open(self):
        draw = random.Random(5)
        found = self.compare(
            {"old": 100000, "new": 102000}, lambda: draw.lognormvariate(0, 0.7), budget=0.5
        )
        change = found.changes["new"]
        self.assertEqual(change.verdict, "inconclusive")
        self.assertTrue(change.reason)
        self.assertIn(change.reason, str(found))
        self.verify(found)

    def test_a_drift_is_not_a_change(self):
        clock = Clock()

        def run():
            clock.ns += 100000 + clock.ns // 4000

        found = compare(
            {"a": run, "b": lambda: run()}, tool=TOOL, count=False, seed=3, timer=clock, budget=4
        )
        self.assertEqual(found.changes["b"].verdict, "unchanged")
        self.assertAlmostEqual(found.changes["b"].ratio, 1, 3)
        self.assertGreater(max(found.document["series"][0]["samples"][-1]["ns"]), 150000)

    def test_the_budget_is_kept(self):
        draw = random.Random(5)
        for budget in (0.5, 2, 20):
            clock = Clock()
            functions = {
                name: clock.costs(10**6, lambda: draw.lognormvariate(0, 1)) for name in "ab"
            }
            found = compare(
                functions, tool=TOOL, count=False, seed=1, timer=clock, budget=budget, threshold=0.001
            )
            self.assertLess(clock.ns, 1.5 * budget * 1e9)
            self.assertIn(found.document["decision"]["stopped"], ("budget", ""))
        with self.assertRaisesRegex(ValueError, "the 4 rounds that a verdict needs at least take about"):
            self.compare({"a": 10**9, "b": 10**9}, budget=10)

    def test_setup_is_called_before_each_round_and_not_timed(self):
        clock = Clock()
        calls = []

        def setup():
            clock.ns += 10**6
            calls.append(clock.ns)

        found = compare(
            {"a": clock.costs(5000), "b": clock.costs(5000)},
            setup=setup,
            tool=TOOL,
            count=False,
            timer=clock,
        )
        self.assertEqual(len(calls), 1 + len(found.document["series"][0]["samples"]))
        self.assertAlmostEqual(found.ns["a"], 5000, 6)

    def test_no_garbage_is_collected_while_the_clock_runs(self):
        enabled = set()
        clock = Clock()

        def run():
            enabled.add(gc.isenabled())
            clock.ns += 200000

        def fails():
            if clock.ns > 50_000_000:
                raise KeyError("gone")
            run()

        compare({"a": run, "b": run}, tool=TOOL, count=False, timer=clock)
        self.assertTrue(gc.isenabled())
        enabled.clear()
        with self.assertRaisesRegex(KeyError, "gone"):
            compare({"a": run, "b": fails}, tool=TOOL, count=False, timer=clock)
        self.assertTrue(gc.isenabled())

    def test_it_says_that_it_holds_for_this_process(self):
        found = self.compare({"old": 10000, "new": 11000})
        self.assertIn("rounds in one process. This holds for this process.", str(found))
        self.assertTrue(found.answer.startswith("Regressed: "), found.answer)

    def test_the_figure_names_the_functions_and_any_character_may_stand_in_a_name(self):
        found = self.compare({"<b>&old": 10000, 'n"ew': 12000})
        picture = xml.dom.minidom.parseString(found.svg())
        texts = "".join(node.data for e in picture.getElementsByTagName("text") for node in e.childNodes)
        self.assertIn("<b>&old", texts)
        self.assertIn('n"ew', texts)
        page = found._repr_html_()
        xml.dom.minidom.parseString(page.replace('">', '"/>', 1))
        self.assertIn("&lt;b&gt;&amp;old", page)
        self.assertNotIn("<b>", page)

    def test_a_notebook_gets_the_text_where_the_program_is_gone(self):
        found = self.compare({"old": 10000, "new": 11000})
        found._tool = "/no/such/tool"
        with mock.patch("sys.stderr"):
            self.assertIn("regressed", found._repr_html_())

    def test_instructions_are_counted_or_the_reason_is_given(self):
        few, many = list(range(10)), list(range(120))
        functions = {"few": lambda: sum(few), "many": lambda: sum(many), "lots": lambda: sum(range(10**6))}
        timer = itertools.count(0, 20_000_000).__next__
        found = compare(functions, tool=TOOL, timer=timer, seed=1)
        counted = found.instructions
        self.assertEqual(set(counted), set(functions))
        if isinstance(counted["few"], int):
            self.assertLess(counted["few"] + 100, counted["many"])
            self.assertIn(f"few {counted['few']:,}", str(found))
        self.assertIsInstance(counted["lots"], str)
        self.assertIn("not counted: ", str(found))
        without = mock.patch.object(count, "find_library", return_value=None)
        with without:
            found = compare(functions, tool=TOOL, timer=timer, seed=1)
        self.assertEqual(str(found).count("without its counting library"), 1)

    def test_the_document_is_a_results_document(self):
        found = self.compare({"old": 10000, "new": 11000})
        document = json.loads(found.to_json())
        self.assertEqual(document["schema"], "bench-against.results/1")
        self.assertEqual(document["seed"], 7)
        self.assertEqual(len(document["document_sha256"]), 64)


if __name__ == "__main__":
    unittest.main()
