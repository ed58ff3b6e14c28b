"""Benchmarks that were written for asv, as benchmarks of ours: --asv.

asv itself is not needed. A folder is a package, whose modules have functions, and classes with
methods, named time_..., timeraw_..., track_..., mem_... and peakmem_.... A module that cannot be
imported is one benchmark, which is skipped with the reason.
"""

import copy
import functools
import importlib
import inspect
import itertools
import json
import math
import os
import pkgutil
import re
import subprocess
import sys
import textwrap
import timeit
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .asvcache import Caches, CurrentFolder
from .registry import REGISTRY, Case, Definition, FreshCase, Registry, Skip, text_of

_KINDS = tuple(
    (word, re.compile(rf"({word.title()}[A-Z_].+|{word}_.+)\Z"))
    for word in ("time", "timeraw", "track", "mem", "peakmem")
)
_METRICS = {"track": ("tracked",), "mem": ("tracked",), "peakmem": ("peak_memory",)}
_NAME_MOST = 200
#: a fresh interpreter that times a statement once; its input is the statement and its setup
_TIMED_ELSEWHERE = """\
import json, sys, timeit
stmt, setup, number = json.load(sys.stdin)
print(repr(timeit.timeit(stmt, setup, number=number)))
"""


class Options(NamedTuple):
    """Ours, which stand before --asv."""

    #: asv from 0.6.5 on sets up before each call, and not before each sample
    setup_each_call: bool = False


def _names_of(folder: str) -> List[str]:
    """The modules of the package, dotted, without those of the folder's own name."""
    package = os.path.basename(os.path.abspath(folder))
    found = pkgutil.walk_packages([folder], prefix=package + ".", onerror=lambda _name: None)
    return [package] + [module.name for module in found]


def _kind_of(name: str) -> Optional[str]:
    return next((kind for kind, pattern in _KINDS if pattern.match(name)), None)


def _labels(values: Sequence[Any]) -> Dict[Any, Any]:
    """How the values stand in an id, each once, and what they stand for."""
    labels: Dict[Any, Any] = {}
    taken = set()
    for value in values:
        plain = isinstance(value, (int, float)) and not isinstance(value, bool)
        text = re.sub(r"[^A-Za-z0-9_.+-]+", "-", text_of(value)).strip("-")[:40] or "value"
        # 1 and 1.0 are the same key, and two texts
        keeps = plain and text == text_of(value) and value not in labels
        label = value if keeps else text
        number = 1
        while str(label) in taken:
            number += 1
            label = f"{text}-{number}"
        taken.add(str(label))
        labels[label] = value
    return labels


class Sources:
    """Where the attributes of a benchmark are looked for: its function, its object, its module."""

    def __init__(self, module: Any, owner: Any, attribute: str) -> None:
        instance = owner() if owner is not None else None
        self.function: Callable[..., Any] = getattr(owner and instance or module, attribute)
        self.all = [s for s in (self.function, instance, module) if s is not None]

    def first(self, name: str, default: Any = None) -> Any:
        return next(self.each(name), default)

    def each(self, name: str) -> Iterator[Any]:
        found = (getattr(source, name, None) for source in self.all)
        return (value for value in found if value is not None)

    def calls(self, name: str) -> List[Callable[..., Any]]:
        return [call for call in self.each(name) if callable(call)]


class Benchmark:
    """One function: where it is, and what runs before and after it."""

    def __init__(self, module: Any, owner: Any, attribute: str, caches: Caches, each: bool) -> None:
        self._module = module
        self._owner = owner
        self._attribute = attribute
        self._caches = caches
        self._each_call = each
        sources = Sources(module, owner, attribute)
        inner = module.__name__.split(".", 1)[1:]
        place = [*inner, owner.__name__, attribute] if owner else [*inner, attribute]
        self.name: str = getattr(sources.function, "benchmark_name", None) or ".".join(place)
        self.kind = _kind_of(self.name.rpartition(".")[2]) or _kind_of(attribute)
        params = list(sources.first("params", []))
        if params and not isinstance(params[0], (tuple, list)):
            params = [params]
        given = list(map(str, sources.first("param_names", [])))[: len(params)]
        names = given + [f"param{i + 1}" for i in range(len(given), len(params))]
        self.axes = [re.sub(r"\W", "_", name)[:64] for name in names]
        self.labels = [_labels(list(values)) for values in params]

    def _values(self, chosen: Mapping[str, Any]) -> List[Any]:
        return [
            labels.get(chosen[axis], chosen[axis]) for axis, labels in zip(self.axes, self.labels)
        ]

    def set_up(self, **chosen: Any) -> Case:
        prepared = self.prepare(chosen)
        case: Case
        try:
            case = self._case(prepared, chosen)
        except BaseException:
            prepared.end()
            raise
        case.teardown = prepared.end
        return case

    def prepare(self, chosen: Mapping[str, Any]) -> "Prepared":
        """Skip: not for these parameters."""
        sources = Sources(self._module, self._owner, self._attribute)
        values = self._values(chosen)
        if tuple(values) in [tuple(some) for some in sources.first("skip_params", [])]:
            raise Skip("not for these parameters")
        return Prepared(sources, values, self._caches)

    def _case(self, p: "Prepared", chosen: Mapping[str, Any]) -> Case:
        if self.kind == "timeraw":
            return _ElsewhereCase(p)
        if self.kind == "track":
            return _value_case(p.run())
        if self.kind == "mem":
            return _value_case(_size_of(p.run()))
        if self.kind == "peakmem":
            return _value_case(self._peak_elsewhere(p, chosen))
        number = int(p.sources.first("number", 0))
        timer = p.sources.first("timer")
        if timer in (timeit.default_timer, None):
            timer = None
        if p.has_setup and (number or self._each_call):
            return _AgainCase(p, max(number, 1), timer)
        return _AgainCase(p, 0, timer) if timer else Case(p.run)

    def _peak_elsewhere(self, p: "Prepared", chosen: Mapping[str, Any]) -> float:
        """Bytes: of a process of its own, since memory that was freed once is not seen again."""
        owner = self._owner.__name__ if self._owner else ""
        words = [self._module.__name__, owner, self._attribute, json.dumps(chosen, default=str)]
        words += [self._caches.file_of(p.sources) or ""]
        ours = [sys.executable, "-m", "bench_against_worker", "--asv-peak", p.top, *words]
        done = subprocess.run(ours, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace")
            sys.stderr.write(said)
            last = (said.strip().splitlines() or ["no message"])[-1]
            raise RuntimeError(f"its process ended with status {done.returncode}: {last}")
        return float(done.stdout)

    def definition(self) -> Definition:
        axes: Mapping[str, Sequence[Any]] = {
            axis: list(labels) for axis, labels in zip(self.axes, self.labels)
        }

        def function(**chosen: Any) -> Case:
            return self.set_up(**chosen)

        made = Definition(
            function, self.name, axes, (), False, None, _METRICS.get(self.kind or "", None)
        )
        made.counted = self.kind == "time"
        return made


class Prepared:
    """A benchmark whose setup has run: what is called, and with what."""

    def __init__(self, sources: Sources, values: Sequence[Any], caches: Caches) -> None:
        self.sources = sources
        self.top = caches.top
        self._setups = sources.calls("setup")[::-1]
        self._teardowns = sources.calls("teardown")
        self.has_setup = bool(self._setups)
        cache, folder = caches.of(sources, values)
        self._folder = CurrentFolder(folder)
        self.arguments = [*([] if cache is None else [cache]), *values]
        try:
            self.set_up()
        except BaseException:
            self._folder.leave()
            raise
        function = sources.function
        self.run = functools.partial(function, *self.arguments) if self.arguments else function

    def set_up(self) -> None:
        try:
            for call in self._setups:
                call(*self.arguments)
        except NotImplementedError as reason:
            raise Skip(str(reason) or "not for these parameters") from None

    def tear_down(self) -> None:
        for call in self._teardowns:
            call(*self.arguments)

    def end(self) -> None:
        try:
            self.tear_down()
        finally:
            self._folder.leave()


class _AgainCase(FreshCase):
    """Set up before each `number` calls, 0: never again; timed by another clock, if it has one."""

    __slots__ = ("_prepared", "_number", "_calls", "_timer")

    def __init__(self, p: Prepared, number: int, timer: Optional[Callable[[], float]]) -> None:
        super().__init__(self._again)
        self._prepared = p
        self._number = number
        self._calls = 0
        self._timer = timer
        if timer is not None:
            self.elapsed = self._elapsed

    def _again(self) -> Callable[[], Any]:
        if self._number and self._calls and self._calls % self._number == 0:
            self._prepared.tear_down()
            self._prepared.set_up()
        self._calls += 1
        return self._prepared.run

    def _elapsed(self) -> int:
        assert self._timer is not None
        run, timer = self._again(), self._timer
        start = timer()
        run()
        return round((timer() - start) * 1e9)


class _ElsewhereCase(FreshCase):
    """A statement that a fresh interpreter runs and times."""

    __slots__ = ("_input", "_number", "_env")

    def __init__(self, p: Prepared) -> None:
        super().__init__(lambda: self._elapsed)
        said = p.run()
        stmt, setup = said if isinstance(said, tuple) else (said, "pass")
        self._number = int(p.sources.first("number", 0)) or 1
        more = {str(key): str(value) for key, value in (p.sources.first("env") or {}).items()}
        self._env = {**os.environ, **more}
        words = [textwrap.dedent(stmt), textwrap.dedent(setup) or "pass", self._number]
        self._input = json.dumps(words).encode()
        self.elapsed = self._elapsed

    def _elapsed(self) -> int:
        done = subprocess.run(
            [sys.executable, "-c", _TIMED_ELSEWHERE],
            input=self._input,
            stdout=subprocess.PIPE,
            env=self._env,
            check=True,
        )
        return round(float(done.stdout) / self._number * 1e9)


def _value_case(value: Any) -> Case:
    """Skip: a value that a ratio cannot be made of."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise Skip(f"it returns {value!r}, and not a number") from None
    if math.isnan(number):
        raise Skip("it returns not a number (nan)")
    if not 1e-6 <= number < 1e12:
        raise Skip(f"it returns {number:g}: only values from 0.000001 to 10^12 can be compared")
    case = Case(lambda: None)
    case.value = number
    return case


def _size_of(thing: Any) -> int:
    """As asv has it: what one more of them takes."""
    try:
        from pympler.asizeof import asizeof  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise Skip("needs pympler: python3 -m pip install pympler") from None
    return int(asizeof([thing, copy.copy(thing)]) - asizeof([thing, thing]))


def print_peak(argv: Sequence[str]) -> int:
    """In a process of its own: run one function, and print how many bytes it took at most."""
    top, module, owner, attribute, chosen, cache = argv
    sys.path.insert(0, top)
    loaded = importlib.import_module(module)
    caches = Caches(top, cache or None)
    of = getattr(loaded, owner) if owner else None
    prepared = Benchmark(loaded, of, attribute, caches, False).prepare(json.loads(chosen))
    prepared.run()
    # the process's own: ru_maxrss has that of the process which started it
    with open("/proc/self/status", encoding="ascii") as status:
        peak = next(line for line in status if line.startswith("VmHWM:"))
    print(int(peak.split()[1]) * 1024)
    return 0


def _short(name: str) -> str:
    """The end says more than the beginning."""
    return re.sub(r"[^A-Za-z0-9._+-]", "-", name)[-_NAME_MOST:].lstrip("._-")


def _skipped(name: str, reason: str) -> Definition:
    def function() -> Case:
        raise Skip(reason)

    return Definition(function, _short(name), {}, (), False, None, None)


def _places_in(module: Any) -> Iterator[Tuple[Any, str]]:
    """The class, or None, and the name of each function that may be a benchmark."""
    for name, value in vars(module).items():
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(value) and not inspect.isabstract(value):
            for method, function in inspect.getmembers(value, callable):
                if inspect.isroutine(function):
                    yield value, method
        elif inspect.isfunction(value):
            yield None, name


def _definitions_in(module: Any, caches: Caches, options: Options) -> Iterator[Definition]:
    inner = module.__name__.partition(".")[2]
    for owner, attribute in _places_in(module):
        function = getattr(owner or module, attribute)
        said = str(getattr(function, "benchmark_name", attribute)).rpartition(".")[2]
        if _kind_of(said) is None or getattr(function, "skip_benchmark", False):
            continue
        try:
            found = Benchmark(module, owner, attribute, caches, options.setup_each_call)
        except Exception as reason:  # pylint: disable=broad-except
            name = ".".join(filter(None, [inner, owner and owner.__name__, attribute]))
            yield _skipped(name, f"cannot be made: {type(reason).__name__}: {reason}")
            continue
        found.name = _short(found.name)
        empty = [axis for axis, labels in zip(found.axes, found.labels) if not labels]
        if empty:
            yield _skipped(found.name, f"its parameter '{empty[0]}' has no values here")
        else:
            yield found.definition()


def register_all(
    folder: str,
    registry: Registry = REGISTRY,
    options: Options = Options(),
    caches: Optional[Caches] = None,
) -> None:
    """Import the modules of the folder, which is a package, and register their benchmarks."""
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"no folder '{folder}' in {os.getcwd()}")
    caches = caches or Caches(os.path.dirname(os.path.abspath(folder)))
    taken = set()
    package = os.path.basename(os.path.abspath(folder))
    for name in _names_of(folder):
        inner = name[len(package) + 1 :] or package
        definitions: Iterator[Definition]
        try:
            definitions = _definitions_in(importlib.import_module(name), caches, options)
        except NotImplementedError as reason:
            definitions = iter([_skipped(inner, f"{name}: {reason}")])
        except Exception as error:  # pylint: disable=broad-except
            kind = "" if isinstance(error, ImportError) else f"{type(error).__name__}: "
            definitions = iter([_skipped(inner, f"{name} cannot be imported: {kind}{error}")])
        for definition in definitions:
            plain = definition.name
            numbers = itertools.count(2)
            while definition.name in taken:
                definition.name = f"{plain[: _NAME_MOST - 4]}-{next(numbers)}"
            taken.add(definition.name)
            registry.add(definition)


def load(folder: str, options: Options, registry: Registry, go_on: Callable[[], None]) -> None:
    """What setup_cache() made is gone when `go_on` returns."""
    top = os.path.dirname(os.path.abspath(folder))
    sys.path.insert(0, top)
    caches = Caches(top)
    try:
        register_all(folder, registry, options, caches)
        go_on()
    finally:
        caches.remove()
