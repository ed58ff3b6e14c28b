"""Tasks as several projects write them, read in place: nothing of theirs is needed but the files.

    own          benchmarks of ours whose Case has inputs
    kernelbench  a file with Model, get_inputs() and get_init_inputs(); the candidate's has ModelNew
    gpumode      a folder with reference.py and task.yml; the candidate's file has custom_kernel()
    flashinfer   a folder with definition.json and workload.jsonl; the candidate's file is a solution
    sol          the same, in another dialect
"""

import ast
import importlib.util
import json
import os
import random
import re
import sys
import types
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from . import numerics
from .arena import Torch
from .registry import Case, Definition, Registry
from .task import Call, Look, Refused, Task, Values, Wrong, clones, compare, flatten, libraries, look_at


def load_packages(name: str, path: str) -> None:
    """What takes seconds to import and is not of the tree, before the host asks for the tree: many
    processes may do that at the same time."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        text = ""
    # they count processors when they are imported, and this process is put on one of them later
    for library in ("OMP", "OPENBLAS", "MKL", "NUMBA") if "BENCH_AGAINST_REPLIES" in os.environ else ():
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    found = set(re.findall(r"^\s*(?:import|from)\s+(torch|numpy|triton|cupy|numba)\b", text, re.M))
    for package in sorted(found | (set() if name == "own" else {"torch"}), reverse=True):
        try:
            importlib.import_module(package)
        except Exception:  # the task's own import says why
            pass


def load(words: Sequence[str], options: Mapping[str, str], registry: Registry, go_on: Callable[[], None]) -> None:
    """FORMAT TASK [CANDIDATE]; options: "path", folders of the tree where modules are found; "regimes"; "repeatable"."""
    sys.path[:0] = [os.path.abspath(folder) for folder in options.get("path", "").split(":")]
    regimes = numerics.regimes_of([regime for regime in options.get("regimes", "").split(",") if regime])
    name, path = words[0], words[1]
    candidate = words[2] if len(words) > 2 else None
    make = {"own": own, "kernelbench": kernelbench, "gpumode": gpumode, "flashinfer": flashinfer, "sol": sol}
    if name not in make:
        raise ValueError(f"there is no format '{name}' of tasks: {', '.join(make)}")
    for definition in make[name](path, candidate, registry):
        assert definition.task is not None
        definition.task.regimes, definition.task.repeatable = regimes, "repeatable" in options
        registry.add(definition)
    go_on()


def module_of(path: str, name: str, beside: bool = True) -> types.ModuleType:
    """The file as a module; `beside`: it finds the files beside it."""
    if beside:
        sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(name, os.path.abspath(path))
    if spec is None or spec.loader is None or not os.path.isfile(path):
        raise FileNotFoundError(f"no file '{path}' in {os.getcwd()}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def member(module: types.ModuleType, name: str, path: str) -> Any:
    found = getattr(module, name, None)
    if found is None:
        raise Wrong(f"'{path}' has no '{name}'")
    return found


# ---- torch ----


def torch_device() -> int:
    """The GPU of the run; below 0: none, so all is done by the processor."""
    import torch

    torch.set_grad_enabled(False)
    return 0 if torch.cuda.is_available() else -1


def seeded(device: int, seed: int) -> Any:
    """All random numbers follow from the seed; new tensors are on the device of the run."""
    import torch

    random.seed(seed)
    torch.manual_seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)  # it takes no more
    return Torch(device).where


# ---- own ----


class Own(Task):
    """A benchmark of ours: its Case has `inputs`, and what is timed is called with them."""

    def __init__(self, made: Definition, device: int) -> None:
        super().__init__(made.name, device)
        self.made = made
        self._rule: Any = None

    def _case(self, values: Values, seed: int) -> Any:
        ordered = tuple(values[axis] for axis in self.made.axes)
        point = self.made.point(self.made.axes, [str(getattr(v, "__name__", v)) for v in ordered])
        case = point.set_up(seed)
        if case.inputs is None:
            raise Refused("its Case has no inputs: a task needs Case(function, inputs=[...])")
        self.destination = case.outputs is not None
        self.regimes = numerics.regimes_of(case.regimes) or self.regimes
        self.repeatable = case.repeatable or self.repeatable
        self._rule = case.rule
        return case

    def inputs(self, values: Values, seed: int) -> Sequence[Any]:
        return tuple(self._case(values, seed).inputs or ())

    def reference(self, values: Values, state: int) -> Call:
        case = self._case(values, state)
        if case.reference is not None:
            return case.reference
        if case.outputs is None:
            return case.function
        places = case.outputs

        def run(*args: Any) -> Any:
            own = clones(places, self.device)
            case.function(*args, *own)
            return own[0] if len(own) == 1 else own

        return run

    def truth(self, values: Values, state: int) -> Optional[Call]:
        case = self._case(values, state)
        return None if case.outputs is not None and case.reference is None else self.reference(values, state)

    def function(self, values: Values, state: int) -> Call:
        return self._case(values, state).function

    def check(self, args: Sequence[Any], got: Any, expected: Any) -> Optional[str]:
        rule = self._rule
        if rule is None:
            return compare(self.device, got, expected)
        try:
            right = rule(args, got)
        except AssertionError as error:
            return (str(error).strip().splitlines() or ["check() raised AssertionError"])[0]
        return None if right is None or right else f"check() returned {right!r}"


class One(Own):
    """A Case that is set up already, for a run that trusts it."""

    def __init__(self, case: Case, device: int) -> None:
        Task.__init__(self, "", device)
        self._one = case
        self._rule = case.rule
        self.destination = case.outputs is not None
        self.regimes, self.repeatable = numerics.regimes_of(case.regimes), case.repeatable

    def _case(self, values: Values, seed: int) -> Any:
        return self._one


def inputs_of(case: Case) -> Any:
    """A copy."""
    return clones(tuple(case.inputs or ()), _device_of(case))


def examine(case: Case, inputs: Any) -> Optional[str]:
    """A sentence if results of a Case with inputs are wrong."""
    return look_at(Look(One(case, _device_of(case)), {}, 0), case.function, lambda: inputs)


def _device_of(case: Case) -> int:
    arrays = flatten(tuple(case.inputs or ()), -1)[1]
    return next((x.device.index for x in arrays if getattr(x, "is_cuda", False)), -1)


def own(path: str, _candidate: Optional[str], registry: Registry) -> List[Definition]:
    module_of(path, os.path.splitext(os.path.basename(path))[0])
    made = []
    for definition in registry.definitions:
        device = torch_device() if definition.gpu else -1
        task = Own(definition, device)
        points = definition.together
        made.append(task.definition(points, definition.given))
    registry.definitions.clear()
    return made


# ---- KernelBench ----


class KernelBench(Task):
    def __init__(self, path: str, candidate: Optional[str], device: int) -> None:
        super().__init__(os.path.splitext(os.path.basename(path))[0], device)
        self._path, self._candidate = path, candidate or "solution.py"
        self._module = module_of(path, self.name)

    def inputs(self, values: Values, seed: int) -> Sequence[Any]:
        import torch

        with seeded(self.device, seed):
            made = self._module.get_inputs()
        # some problems make their inputs on the CPU in so many words
        return [x.to(Torch(self.device).where).contiguous() if isinstance(x, torch.Tensor) else x for x in made]

    def _build(self, kind: Any, state: int) -> Any:
        with seeded(self.device, state):
            init: Any = getattr(self._module, "get_init_inputs", list)()
        with seeded(self.device, state):
            args, named = (init.get("args", []), init.get("kwargs", {})) if isinstance(init, dict) else (init, {})
            made = kind(*args, **named)
        return made.to(Torch(self.device).where)

    def reference(self, values: Values, state: int) -> Call:
        return self._build(self._module.Model, state)

    def truth(self, values: Values, state: int) -> Optional[Call]:
        return self.reference(values, state).double()

    def function(self, values: Values, state: int) -> Call:
        if not os.path.isfile(self._candidate):
            return self.reference(values, state)
        module = module_of(self._candidate, "candidate")
        return self._build(member(module, "ModelNew", self._candidate), state)

    def check(self, args: Sequence[Any], got: Any, expected: Any) -> Optional[str]:
        low = any(str(x.dtype) != "torch.float32" for x in flatten(expected, self.device)[1])
        return compare(self.device, got, expected, (1e-2, 1e-2) if low else (1e-4, 1e-4))


def kernelbench(path: str, candidate: Optional[str], _registry: Registry) -> List[Definition]:
    return [KernelBench(path, candidate, torch_device()).definition(())]


# ---- gpu-mode ----


class GpuMode(Task):
    def __init__(self, folder: str, candidate: Optional[str], specs: List[Dict[str, Any]], device: int) -> None:
        super().__init__(os.path.basename(os.path.abspath(folder)), device)
        self._candidate = candidate or os.path.join(folder, "submission.py")
        self._specs = specs
        sys.path.insert(0, os.path.dirname(os.path.abspath(folder)))
        self._module = module_of(os.path.join(folder, "reference.py"), "reference")

    def inputs(self, values: Values, seed: int) -> Sequence[Any]:
        with seeded(self.device, seed):
            return (self._module.generate_input(**self._specs[values["case"]], seed=seed),)

    def reference(self, values: Values, state: int) -> Call:
        return self._module.ref_kernel

    def function(self, values: Values, state: int) -> Call:
        if not os.path.isfile(self._candidate):
            return self.reference(values, state)
        return member(module_of(self._candidate, "submission"), "custom_kernel", self._candidate)

    def check(self, args: Sequence[Any], got: Any, expected: Any) -> Optional[str]:
        said = self._module.check_implementation(args[0], got)
        if isinstance(said, tuple):
            return None if said[0] else str(said[1]) or "check_implementation() rejected it"
        return str(said) or None if isinstance(said, str) else None if said else "check_implementation() rejected it"


def gpumode(folder: str, candidate: Optional[str], _registry: Registry) -> List[Definition]:
    specs = specs_in(os.path.join(folder, "task.yml"))
    task = GpuMode(folder, candidate, specs, torch_device())
    return [task.definition((), {"case": range(len(specs))})]


def specs_in(path: str) -> List[Dict[str, Any]]:
    """The entries of "benchmarks:", or else of "tests:"."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        import yaml

        found = yaml.safe_load(text)
    except ImportError:
        found = {}
        for name, rows in re.findall(r"^(tests|benchmarks):\s*\n((?:[ \t]*-[^\n]*\n?|[ \t]*\n)+)", text, re.M):
            found[name] = [ast.literal_eval(row) for row in re.findall(r"-\s*(\{.*\})", rows)]
    specs = found.get("benchmarks") or found.get("tests") or []
    if not specs or not all(isinstance(s, dict) for s in specs):
        raise Refused(f"{path} has neither 'benchmarks' nor 'tests' with a mapping for each")
    return [{k: v for k, v in s.items() if k != "seed"} for s in specs]


# ---- flashinfer-bench and SOL-ExecBench ----


class Defined(Task):
    """A definition, its workloads, and a solution."""

    def __init__(self, either: bool, candidate: Optional[str], definition: Any, work: List[Any], device: int) -> None:
        super().__init__(definition["name"], device)
        self._either = either
        self._definition, self._work = definition, work
        self._candidate = candidate or "solution.json"
        self._solution = read_json(self._candidate) if os.path.isfile(self._candidate) else None
        spec = (self._solution or {}).get("spec", {})
        self.destination = bool(spec.get("destination_passing_style", self._solution is not None))
        space: Dict[str, Any] = {"__name__": "reference"}
        exec(compile(definition["reference"], "definition.json:reference", "exec"), space)
        if "run" not in space:
            raise Refused("the reference of its definition has no function run()")
        self._run = space["run"]
        self._case = 0

    def _axes(self, work: Any) -> Dict[str, int]:
        axes: Dict[str, int] = dict(work["axes"])
        for name, axis in self._definition["axes"].items():
            if axis["type"] == "const":
                axes[name] = axis["value"]
            elif axis["type"] == "expr":
                axes[name] = int(arithmetic(axis["expression"], axes))
        return axes

    def inputs(self, values: Values, seed: int) -> Sequence[Any]:
        import torch

        self._case = values["case"]
        work = self._work[self._case]
        axes, made = self._axes(work), []
        with seeded(self.device, seed):
            for name, kind in self._definition["inputs"].items():
                given = work["inputs"].get(name, {"type": "random"})
                if given["type"] == "scalar":
                    made.append(given["value"])
                    continue
                if given["type"] != "random" or kind["shape"] is None:
                    raise Refused(f"input '{name}' is of type '{given['type']}', which needs files or code of its own")
                shape = [int(arithmetic(str(n), axes)) for n in kind["shape"]]
                dtype = getattr(torch, kind["dtype"])
                if dtype.is_floating_point:
                    made.append(torch.randn(shape, dtype=torch.float32).to(dtype))
                else:
                    made.append(torch.randint(0, 2 if dtype == torch.bool else 100, shape).to(dtype))
        return made

    def reference(self, values: Values, state: int) -> Call:
        return self._run

    def function(self, values: Values, state: int) -> Call:
        if self._solution is None:
            return self._run
        path, _, symbol = self._solution["spec"]["entry_point"].partition("::")
        folder = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"solution-{os.getpid()}")
        for source in self._solution["sources"]:
            place = os.path.normpath(os.path.join(folder, source["path"]))
            if not place.startswith(folder + os.sep):
                raise Wrong(f"its source '{source['path']}' lies elsewhere")
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w", encoding="utf-8") as file:
                file.write(source["content"])
        if not path.endswith(".py"):
            raise Refused(f"its entry point '{path}' is not a file of Python")
        return member(module_of(os.path.join(folder, path), "solution"), symbol, path)

    def check(self, args: Sequence[Any], got: Any, expected: Any) -> Optional[str]:
        """flashinfer-bench fails an element whose absolute and relative errors are both too large,
        SOL-ExecBench one that is off by more than their sum."""
        rule = {**self._definition.get("tolerance", {}), **self._work[self._case].get("tolerance", {})}
        rtol, atol = float(rule.get("max_rtol", 1e-2)), float(rule.get("max_atol", 1e-2))
        cap, lowest = rule.get("max_error_cap"), bool(rule.get("allow_negative_inf"))
        for index, (mine, right) in enumerate(zip(flatten(got, self.device)[1], flatten(expected, self.device)[1])):
            lib = libraries(mine, self.device)
            if not lib.is_float(mine):
                continue
            # where the rule allows it, those of the reference may be minus infinity; others were found before
            if not (numerics.all_finite(lib, mine) or (lowest and numerics.not_finite(lib, mine, right) == 0)):
                return f"result {index} has NaN or infinite elements"
            off = numerics.worst(lib, mine, right)
            if cap is not None and off > float(cap):
                return f"an element of result {index} is off by {off:.3g}, and at most {float(cap):g} is allowed (max_error_cap)"
        share = float(rule.get("required_matched_ratio", 1.0))
        return compare(self.device, got, expected, (rtol, atol), share, self._either)


def arithmetic(text: str, axes: Mapping[str, int]) -> float:
    """ "M * 2 + 1": of names and integers alone."""
    words = re.findall(r"[A-Za-z_]\w*|\d+|//|[-+*/() ]|.", text)
    if any(not re.fullmatch(r"[A-Za-z_]\w*|\d+|//|[-+*/() ]", word) for word in words):
        raise Refused(f"'{text}' is not a shape: axes, integers and + - * / alone")
    return float(eval(text, {"__builtins__": {}}, dict(axes)))


def read_json(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def defined(either: bool, folder: str, candidate: Optional[str]) -> List[Definition]:
    with open(os.path.join(folder, "workload.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file if line.strip()]
    work = [line.get("workload", line) for line in lines]
    definition = read_json(os.path.join(folder, "definition.json"))
    task = Defined(either, candidate, definition, work, torch_device())
    return [task.definition((), {"case": range(len(work))})]


def flashinfer(folder: str, candidate: Optional[str], _registry: Registry) -> List[Definition]:
    return defined(True, folder, candidate)


def sol(folder: str, candidate: Optional[str], _registry: Registry) -> List[Definition]:
    return defined(False, folder, candidate)
