"""The time_ functions of a folder of benchmarks for asv, as benchmarks of ours.

Known are functions and methods time_..., params and param_names, setup, setup_cache and teardown
of a module, a class or a function. What asv measures besides (mem_, peakmem_, track_, timeraw_) is
left out. A module that cannot be imported is one benchmark, which is skipped with the reason.
"""

import importlib
import inspect
import os
import pkgutil
import re
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple

from .registry import REGISTRY, Case, Definition, Registry, Skip, text_of

_TIMED = re.compile(r"(time_.+)|(Time[A-Z_].+)\Z")


def _names_of(folder: str) -> List[str]:
    """The modules of the package, dotted, without those of the folder's own name."""
    package = os.path.basename(os.path.abspath(folder))
    found = pkgutil.walk_packages([folder], prefix=package + ".", onerror=lambda _name: None)
    return [package] + [module.name for module in found]


def _parameters(owner: Any) -> Tuple[List[str], List[List[Any]]]:
    """Names and values of the axes: params is a list of values or a list of such lists."""
    params = list(getattr(owner, "params", []))
    if params and not all(isinstance(values, (list, tuple)) for values in params):
        params = [params]
    given = list(getattr(owner, "param_names", []))
    names = [given[i] if i < len(given) else f"param{i + 1}" for i in range(len(params))]
    return [re.sub(r"\W", "_", str(name))[:64] for name in names], [list(p) for p in params]


def _labels(values: Sequence[Any]) -> Dict[Any, Any]:
    """How the values stand in an id, each once, and what they stand for."""
    labels: Dict[Any, Any] = {}
    for value in values:
        plain = isinstance(value, (int, float)) and not isinstance(value, bool)
        text = re.sub(r"[^A-Za-z0-9_.+-]+", "-", text_of(value)).strip("-")[:40] or "value"
        label = value if plain and text == text_of(value) else text
        count = 1
        while label in labels:
            count += 1
            label = f"{text}-{count}"
        labels[label] = value
    return labels


class _Timed:
    """One time_ function: where it is, and what runs before and after it."""

    def __init__(self, module: Any, owner: Any, function: Callable[..., Any], name: str) -> None:
        self.name = name
        self.module = module
        self.owner = owner  # a class, or None
        self.function = function
        self.axes, values = _parameters(function)
        if not self.axes and owner is not None:
            self.axes, values = _parameters(owner)
        if not self.axes:
            self.axes, values = _parameters(module)
        self.labels = [_labels(v) for v in values]

    def _sources(self) -> List[Any]:
        return [s for s in (self.module, self.owner, self.function) if s is not None]

    def _calls(self, instance: Any, name: str) -> List[Callable[..., Any]]:
        """setup or teardown of the module, of the class, and of the function."""
        places = [self.module, instance, self.function]
        found = [getattr(p, name, None) for p in places if p is not None]
        return [call for call in found if callable(call)]

    def set_up(self, **chosen: Any) -> Case:
        values = [
            labels.get(chosen[axis], chosen[axis]) for axis, labels in zip(self.axes, self.labels)
        ]
        instance = self.owner() if self.owner is not None else None
        cached = [
            getattr(p, "setup_cache", None)
            for p in (instance, self.module)
            if callable(getattr(p, "setup_cache", None))
        ]
        arguments = [cached[0](), *values] if cached else values
        try:
            for call in self._calls(instance, "setup"):
                call(*arguments)
        except NotImplementedError as reason:
            raise Skip(str(reason) or "not for these parameters") from None
        run = getattr(instance, self.function.__name__) if instance is not None else self.function
        ends = self._calls(instance, "teardown")[::-1]

        def end() -> None:
            for call in ends:
                call(*arguments)

        if not arguments:
            return Case(run, teardown=end)
        return Case(lambda: run(*arguments), teardown=end)

    def definition(self) -> Definition:
        def function(**chosen: Any) -> Case:
            return self.set_up(**chosen)

        axes: Mapping[str, Sequence[Any]] = {
            axis: list(labels) for axis, labels in zip(self.axes, self.labels)
        }
        return Definition(function, self.name, axes, (), False, None, None)


def _short(name: str) -> str:
    """At most 64 characters; the end says more than the beginning."""
    clean = re.sub(r"[^A-Za-z0-9._+-]", "-", name)
    return clean if len(clean) <= 64 else clean[-64:].lstrip("._-")


def _timed_of(module: Any, prefix: str) -> List[_Timed]:
    found = []
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(value) and not name.startswith("_"):
            for method in dir(value):
                function = getattr(value, method)
                if _TIMED.match(method) and callable(function):
                    found.append(_Timed(module, value, function, f"{prefix}{name}.{method}"))
        elif inspect.isfunction(value) and _TIMED.match(name):
            found.append(_Timed(module, None, value, f"{prefix}{name}"))
    return found


def _skipped(name: str, reason: str) -> Definition:
    def function() -> Case:
        raise Skip(reason)

    return Definition(function, _short(name), {}, (), False, None, None)


def register_all(folder: str, registry: Registry = REGISTRY) -> None:
    """Import the modules of the folder, which is a package, and register what is timed."""
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"no folder '{folder}' in {os.getcwd()}")
    taken: Dict[str, int] = {}
    package = os.path.basename(os.path.abspath(folder))
    for name in _names_of(folder):
        inner = name[len(package) + 1 :]
        try:
            module = importlib.import_module(name)
        except NotImplementedError as reason:
            registry.add(_skipped(inner or package, f"{name}: {reason}"))
            continue
        except ImportError as reason:
            registry.add(_skipped(inner or package, f"{name} cannot be imported: {reason}"))
            continue
        for timed in _timed_of(module, inner + "." if inner else ""):
            timed.name = _short(timed.name)
            taken[timed.name] = taken.get(timed.name, 0) + 1
            if taken[timed.name] > 1:
                timed.name = f"{timed.name[:60]}-{taken[timed.name]}"
            empty = [axis for axis, labels in zip(timed.axes, timed.labels) if not labels]
            if empty:
                registry.add(_skipped(timed.name, f"its parameter '{empty[0]}' has no values here"))
            else:
                registry.add(timed.definition())
