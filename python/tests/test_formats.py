"""Tasks in each format: what is taken from their files, and what is right, wrong, drifted, refused."""

import json
import os
import socket
import sys
import tempfile
import unittest
from typing import Any, List, Optional, Tuple

from bench_against_worker import formats, numerics
from bench_against_worker.judge import Checker
from bench_against_worker.registry import Registry
from bench_against_worker.task import Look, Refused, Task, Wrong, flatten

FAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fake_torch")

KERNELBENCH = """
import torch
class Model(torch.nn.Module):
    def __init__(self, n):
        self.weight = torch.nn.Parameter(torch.randn(n, n))
    def forward(self, x):
        return x @ self.weight
def get_inputs():
    return [torch.randn(24, 16)]
def get_init_inputs():
    return [16]
"""
MODEL_NEW = "import torch\nfrom problem import Model\nclass ModelNew(Model):\n    def forward(self, x):\n        return {}\n"
REFERENCE = """
import torch
def generate_input(n, seed):
    torch.manual_seed(seed)
    return torch.randn(n), torch.randn(n)
def ref_kernel(data):
    return data[0] * data[1]
def check_implementation(data, output):
    near = bool((abs(output - ref_kernel(data)) <= 1e-3).all())
    return near, "" if near else "not the product"
"""
TASK_YML = 'lang: "py"\ntests:\n  - {"n": 8, "seed": 1}\nbenchmarks:\n  - {"n": 64, "seed": 2}\n  - {"n": 128, "seed": 3}\n'
DEFINITION = {
    "name": "scale",
    "axes": {"m": {"type": "var"}, "k": {"type": "const", "value": 8}, "n": {"type": "expr", "expression": "m * 2 + k"}},
    "inputs": {"x": {"shape": ["m", "n"], "dtype": "float32"}, "factor": {"shape": None, "dtype": "float32"}},
    "outputs": {"y": {"shape": ["m", "n"], "dtype": "float32"}},
    "reference": "def run(x, factor):\n    return x * factor\n",
}
WORK = {"axes": {"m": 4}, "inputs": {"x": {"type": "random"}, "factor": {"type": "scalar", "value": 3.0}}}


def solution(body: str, destination: bool = False) -> str:
    head = "import torch\ndef run(x, factor{}):\n    ".format(", y" if destination else "")
    return json.dumps({
        "spec": {"entry_point": "main.py::run", "destination_passing_style": destination},
        "sources": [{"path": "main.py", "content": head + body + "\n"}],
    })


class FormatsTest(unittest.TestCase):
    def setUp(self) -> None:
        try:
            import numpy  # noqa: F401
        except ImportError:
            self.skipTest("numpy is not here")
        self._path, self._modules, self._here = list(sys.path), set(sys.modules), os.getcwd()
        self._torch = sys.modules.pop("torch", None)
        sys.path.insert(0, FAKE)
        self._folder = tempfile.TemporaryDirectory()
        os.chdir(self._folder.name)

    def tearDown(self) -> None:
        os.chdir(self._here)
        self._folder.cleanup()
        sys.path[:] = self._path
        for name in set(sys.modules) - self._modules:
            if not name.startswith(("numpy", "bench_against_worker")):
                del sys.modules[name]
        sys.modules.pop("torch", None)
        if self._torch is not None:
            sys.modules["torch"] = self._torch

    def write(self, name: str, text: str) -> str:
        os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def task(self, form: str, path: str, candidate: Optional[str] = None) -> Tuple[Task, Any]:
        registry = Registry()
        formats.load([form, path, *([candidate] if candidate else [])], {}, registry, lambda: None)
        definition = registry.definitions[0]
        return definition.task, definition

    def said(self, task: Task, values: Any, seeds: int = 8) -> Optional[str]:
        """What the checker says of the candidate, on inputs that it makes itself."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            checker = Checker(task, values, ours)
        look, drift, text = Look(task, values, checker._state), numerics.Drift(), None
        function = task.function(values, checker._state)
        for seed in range(seeds):
            args = tuple(task.inputs(values, seed))
            places: List[Any] = list(look.places(args)) if task.destination else []
            result = function(*args, *places)
            got = flatten(places if result is None else result, task.device)[1]
            text = text or look.examine(tuple(task.inputs(values, seed)), got, drift)
        return text

    def kernelbench(self, body: str) -> Optional[str]:
        self.write("problem.py", KERNELBENCH)
        self.write("solution.py", MODEL_NEW.format(body))
        return self.said(self.task("kernelbench", "problem.py", "solution.py")[0], {})

    def test_a_seed_of_64_bits_is_one_for_every_library(self) -> None:
        import numpy

        self.write("problem.py", KERNELBENCH)
        self.write("solution.py", MODEL_NEW.format("super().forward(x)"))
        task, _ = self.task("kernelbench", "problem.py", "solution.py")
        task.inputs({}, 2**64 - 1)
        first = numpy.random.random()
        task.inputs({}, 2**64 - 1)
        self.assertEqual(first, numpy.random.random())

    def test_kernelbench_with_weights(self) -> None:
        self.assertIsNone(self.kernelbench("x @ self.weight"))

    def test_kernelbench_wrong(self) -> None:
        self.assertIn("wrong answer: ", self.kernelbench("x @ self.weight + 1") or "")
        self.tearDown()
        self.setUp()
        self.assertIn("not of the reference's type", self.kernelbench("(x @ self.weight).half()") or "")

    def test_kernelbench_less_precise(self) -> None:
        # 3e-6 of each: within 1e-4, and far beyond a rounding
        self.assertIn("drifted: ", self.kernelbench("(x @ self.weight) * 1.000003") or "")

    def test_kernelbench_without_the_class(self) -> None:
        self.write("problem.py", KERNELBENCH)
        self.write("solution.py", "class Model:\n    pass\n")
        task, _ = self.task("kernelbench", "problem.py", "solution.py")
        with self.assertRaisesRegex(Wrong, "ModelNew"):
            task.function({}, 1)

    def test_kernelbench_without_a_candidate_is_the_reference(self) -> None:
        self.write("problem.py", KERNELBENCH)
        self.assertIsNone(self.said(self.task("kernelbench", "problem.py")[0], {}))

    def gpumode(self, body: str) -> Tuple[Optional[str], Any]:
        self.write("vector/reference.py", REFERENCE)
        self.write("vector/task.yml", TASK_YML)
        self.write("submission.py", f"def custom_kernel(data):\n    return {body}\n")
        task, definition = self.task("gpumode", "vector", "submission.py")
        return self.said(task, {"case": 1}), definition

    def test_gpumode(self) -> None:
        text, definition = self.gpumode("data[0] * data[1]")
        self.assertIsNone(text)
        # those of `benchmarks`, and not those of `tests`
        self.assertEqual([len(v) for v in definition.given.values()], [2])

    def test_gpumode_by_its_own_check(self) -> None:
        self.assertIn("not the product", self.gpumode("data[0] + data[1]")[0] or "")

    def test_gpumode_within_its_check_but_less_precise(self) -> None:
        self.assertIn("drifted: ", self.gpumode("(data[0].half() * data[1].half()).float() * 0 + data[0] * data[1] + 5e-4")[0] or "")

    def defined(self, form: str, text: str, work: Any = WORK) -> Optional[str]:
        self.write("scale/definition.json", json.dumps(DEFINITION))
        line = {"workload": work} if form == "flashinfer" else work
        self.write("scale/workload.jsonl", json.dumps(line) + "\n")
        self.write("solution.json", text)
        task, _ = self.task(form, "scale", "solution.json")
        self.assertEqual([tuple(getattr(x, "shape", ())) for x in task.inputs({"case": 0}, 1)], [(4, 16), ()])
        return self.said(task, {"case": 0})

    def test_flashinfer_returned(self) -> None:
        self.assertIsNone(self.defined("flashinfer", solution("return x * factor")))

    def test_flashinfer_written_into_its_place(self) -> None:
        self.assertIsNone(self.defined("flashinfer", solution("y.copy_(x * factor)", True)))

    def test_flashinfer_wrong(self) -> None:
        self.assertIn("wrong answer: ", self.defined("flashinfer", solution("return x * factor + 1")) or "")

    def test_sol(self) -> None:
        self.assertIsNone(self.defined("sol", solution("return x * factor")))

    def test_sol_wrong(self) -> None:
        self.assertIn("wrong answer: ", self.defined("sol", solution("y.copy_(x)", True)) or "")

    def test_their_rules_differ_where_both_errors_are_small(self) -> None:
        # 1.5 % and 0.015 at a result of 1: beyond either limit of 1 %, within their sum
        for form, accepted in (("flashinfer", False), ("sol", True)):
            self.write("scale/definition.json", json.dumps(DEFINITION))
            self.write("scale/workload.jsonl", json.dumps(WORK) + "\n")
            self.write("solution.json", solution("return x * factor"))
            task, _ = self.task(form, "scale", "solution.json")
            one = task.reference({"case": 0}, 0)(*task.inputs({"case": 0}, 1)) * 0 + 1
            said = task.check((), one + 0.015, one)
            self.assertEqual(said is None, accepted, (form, said))
            self.assertIsNotNone(task.check((), one * float("nan"), one * float("nan")))

    def test_one_element_beyond_the_cap(self) -> None:
        rule = {"required_matched_ratio": 0.5, "max_error_cap": 0.5}
        self.assertIsNone(self.defined("sol", solution("return x * factor"), {**WORK, "tolerance": rule}))
        task, _ = self.task("sol", "scale", "solution.json")
        one = task.reference({"case": 0}, 0)(*task.inputs({"case": 0}, 1)) * 0 + 1
        off = one + 0.0
        off[0, 0] = 1.75
        self.assertIn("max_error_cap", task.check((), off, one) or "")
        off[0, 0] = 1.25
        self.assertIsNone(task.check((), off, one))
        low = one + 0.0
        low[0, 1] = -float("inf")
        self.assertIn("infinite", task.check((), low, low) or "")
        task._work[0]["tolerance"]["allow_negative_inf"] = True
        self.assertIsNone(task.check((), low, low))
        self.assertIn("infinite", task.check((), low, one) or "")

    def test_what_needs_files_is_refused(self) -> None:
        files = {"axes": {"m": 4}, "inputs": {"x": {"type": "safetensors"}, "factor": {"type": "scalar", "value": 3.0}}}
        with self.assertRaisesRegex(Refused, "safetensors"):
            self.defined("flashinfer", solution("return x"), files)
        with self.assertRaisesRegex(Refused, "not a shape"):
            formats.arithmetic("__import__('os')", {})

    def test_a_source_that_lies_elsewhere(self) -> None:
        text = solution("return x").replace("main.py\", \"content", "../main.py\", \"content")
        with self.assertRaisesRegex(Wrong, "elsewhere"):
            self.defined("sol", text)


if __name__ == "__main__":
    unittest.main()
