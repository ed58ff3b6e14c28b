"""What a project registers: benchmarks, their axes, and what a prepared one consists of."""

import itertools
import re
from types import FunctionType
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
)

#: what is measured where a benchmark does not say: of a function, and of work on a GPU
HOST_METRICS = ("submit",)
GPU_METRICS = ("gpu_cold", "gpu_hot", "wall_cold", "wall_hot")
#: values of a case, which are not times
VALUES = ("tracked", "peak_memory")
METRICS = (*GPU_METRICS, "fresh", "gpu_rotate", "submit", "sustained", "roundtrip", *VALUES)
_NEED_GPU = ("gpu_cold", "gpu_hot", "gpu_rotate", "wall_cold")

_NAME = re.compile(r"(?!/)[A-Za-z0-9._+:/-]{1,200}(?<!/)\Z")
_AXIS = re.compile(r"[A-Za-z0-9_]{1,64}\Z")
_CO_VARKEYWORDS = 0x08  # inspect.CO_VARKEYWORDS
#: what would make an id ambiguous: "suite/name/axis=value,..."
_NOT_IN_VALUES = re.compile(r"[\x00-\x20,=/\x7f]")


class Skip(Exception):
    """Raised in a benchmark's setup: it cannot run here, and this is why."""


class Case:
    """A benchmark that is set up.

    run        what is timed; called without arguments, its result is dropped. Of a benchmark that
               has a parameter `sets`, a list: one for each set of inputs
    sync       waits until all that run() started is done; without it a benchmark on a GPU waits
               for its stream, and another is complete when run() returns
    check      called once after one run(); raises AssertionError or returns False where the
               result is wrong
    teardown   called when the measurement is over
    stream     handle of the CUDA stream that run() works on (an integer; 0: the default stream)

    Of a Case with `inputs` another process can own the memory (--untrusted, docs/python.md). `run` is called
    with them then, and

    inputs     arrays, and numbers among them
    outputs    arrays that run() gets after the inputs and writes; without them it returns its results
    reference  called with the inputs, returns the right results; without it, run is right by definition
    check      called with the inputs and the results, both as run() has them
    regimes    True: with --untrusted some runs have larger, smaller, zero or positive inputs; or their names
    repeatable True: the same inputs must give the same bits

    How much one run() does, for throughput; 0 is not reported:

    flop, bytes_read, bytes_written, items
    """

    COUNTS = ("flop", "bytes_read", "bytes_written", "items")
    __slots__ = ("run", "_sets", "_next", "sync", "check", "teardown", "stream", "heard", "value",
                 "inputs", "outputs", "reference", "regimes", "repeatable", "rule", "function",
                 "_before", *COUNTS)

    def __init__(
        self,
        run: Union[Callable[[], Any], Sequence[Callable[[], Any]]],
        *,
        sync: Optional[Callable[[], Any]] = None,
        check: Optional[Callable[[], Any]] = None,
        teardown: Optional[Callable[[], Any]] = None,
        inputs: Optional[Sequence[Any]] = None,
        outputs: Optional[Sequence[Any]] = None,
        reference: Optional[Callable[..., Any]] = None,
        regimes: Union[bool, Sequence[str]] = False,
        repeatable: bool = False,
        stream: int = 0,
        flop: float = 0,
        bytes_read: float = 0,
        bytes_written: float = 0,
        items: float = 0,
    ) -> None:
        self.inputs, self.outputs, self.reference, self.rule = inputs, outputs, reference, check
        self.regimes, self.repeatable = regimes, repeatable
        self.function: Any = run
        self._before: Any = None
        if inputs is not None and callable(run):
            run, check = self._first, self._check
        sets = [run] if callable(run) else list(run)
        if not sets:
            raise TypeError("run is an empty list")
        calls = [("run", one) for one in sets]
        for name, value in (*calls, ("sync", sync), ("check", check), ("teardown", teardown)):
            if not callable(value) and (name == "run" or value is not None):
                raise TypeError(f"{name} must be callable, is {value!r}")
        self.run: Callable[[], Any] = sets[0]
        self._sets = sets
        self._next = 0
        #: called with what each visit took: ns of the readings, and how many calls each had
        self.heard: Optional[Callable[[Sequence[int], int], None]] = None
        #: of a benchmark that measures no time, but reports a value
        self.value: Optional[float] = None
        self.sync = sync
        self.check = check
        self.teardown = teardown
        self.stream = int(stream)
        self.flop = flop
        self.bytes_read = bytes_read
        self.bytes_written = bytes_written
        self.items = items
        for name in self.COUNTS:
            if not 0 <= getattr(self, name) < float("inf"):
                raise ValueError(f"{name} must be a number, is {getattr(self, name)!r}")

    def _first(self) -> None:
        """Runs may change their inputs, and the check needs those that the first one had."""
        from .formats import inputs_of

        if self._before is None:
            self._before = inputs_of(self)
            self.run = self._sets[0] = self._call
        self._call()

    def _call(self) -> None:
        self.function(*(self.inputs or ()), *(self.outputs or ()))

    def _check(self) -> None:
        from .formats import examine

        text = examine(self, self._before)
        self._before = ()
        if text:
            raise AssertionError(text)

    #: whether each call is made ready by itself, off the clock
    fresh = False

    def begin(self) -> Callable[[], Any]:
        """What is timed of the next call."""
        return self.run

    def end(self) -> None:
        """That call was timed."""

    @property
    def sets(self) -> int:
        """Of inputs, with a run each."""
        return len(self._sets)

    def next_runs(self, count: int) -> List[Callable[[], Any]]:
        """The runs of the sets, one after the other, from where the last call ended."""
        first, self._next = self._next, (self._next + count) % len(self._sets)
        return [self._sets[(first + i) % len(self._sets)] for i in range(count)]


class FreshCase(Case):
    """A benchmark each call of which needs a set-up of its own, which is not timed.

    ready   called before each call; returns the callable to be timed
    done    called after each call
    """

    __slots__ = ("_ready", "_done", "elapsed")
    fresh = True

    def __init__(
        self,
        ready: Callable[[], Callable[[], Any]],
        done: Optional[Callable[[], Any]] = None,
        teardown: Optional[Callable[[], Any]] = None,
    ) -> None:
        super().__init__(self._whole, teardown=teardown)
        self._ready = ready
        self._done = done
        #: makes a call and returns the ns that it took by a clock of its own; takes begin()'s place
        self.elapsed: Optional[Callable[[], int]] = None

    def _whole(self) -> Any:
        try:
            return self.begin()()
        finally:
            self.end()

    def begin(self) -> Callable[[], Any]:
        return self._ready()

    def end(self) -> None:
        if self._done:
            self._done()


class Point(NamedTuple):
    """One benchmark: a definition and a value for each of its axes."""

    definition: "Definition"
    texts: Tuple[str, ...]
    values: Tuple[Any, ...]

    @property
    def id(self) -> str:
        """name/axis=value,..."""
        axes = ",".join(map("=".join, zip(self.definition.axes, self.texts)))
        return f"{self.definition.name}/{axes}" if axes else self.definition.name

    def set_up(self, seed: int = 0, sets: int = 1) -> Case:
        arguments = dict(zip(self.definition.axes, self.values))
        if self.definition.wants_seed:
            arguments["seed"] = seed
        if self.definition.wants_sets:
            arguments["sets"] = sets
        made = self.definition.function(**arguments)
        if callable(made) or (self.definition.wants_sets and isinstance(made, list)):
            made = Case(made, sync=self.definition.sync)
        name = self.definition.function.__name__
        if not isinstance(made, Case):
            raise TypeError(
                f"{name}() must return the callable to be timed, or a Case; it returned {made!r}"
            )
        asked = sets if self.definition.wants_sets else 1
        if made.sets != asked:
            raise TypeError(f"{name}() returned {made.sets} runs for {asked} sets of inputs")
        return made


class Definition:
    """A decorated function: the setup of one benchmark for each combination of axis values."""

    #: whether it can be measured only while its test runs: hold() then takes the place of function
    held = False
    #: what another process can judge of it (task.py), or None
    task: Any = None
    #: whether its instructions can be counted, if it has `submit`
    counted = True

    def __init__(
        self,
        function: Callable[..., Any],
        name: str,
        axes: Mapping[str, Sequence[Any]],
        points: Sequence[Mapping[str, Any]],
        gpu: bool,
        sync: Optional[Callable[[], Any]],
        metrics: Optional[Sequence[str]],
    ) -> None:
        self.function = function
        self.name = name
        self.given = {axis: list(values) for axis, values in axes.items()}
        self.together = [dict(point) for point in points]
        self.axes: Tuple[str, ...] = tuple(
            dict.fromkeys([a for p in self.together for a in p] + [*self.given])
        )
        self.gpu = gpu
        self.sync = sync
        names = parameters_of(function).names
        self.wants_seed = "seed" not in self.axes and "seed" in names
        self.wants_sets = gpu and "sets" not in self.axes and "sets" in names
        rotate = ("gpu_rotate",) if self.wants_sets else ()
        self.metrics = tuple(metrics or ((*GPU_METRICS, *rotate) if gpu else HOST_METRICS))

    @property
    def where(self) -> str:
        code = getattr(self.function, "__code__", None)
        return f"{code.co_filename}:{code.co_firstlineno}" if code else repr(self.function)

    def values_of(self, axis: str) -> List[Any]:
        """The declared ones, in their order."""
        if axis in self.given:
            return self.given[axis]
        return list({text_of(p[axis]): p[axis] for p in self.together}.values())

    def kind_of(self, axis: str) -> str:
        """Whether users may ask for values that are not declared."""
        types = {type(value) for value in self.values_of(axis)}
        return "integer" if types == {int} else "real" if types <= {int, float} else "text"

    def value_of(self, axis: str, text: str) -> Any:
        """ValueError where there is none."""
        for value in self.values_of(axis):
            if text_of(value) == text:
                return value
        kind = self.kind_of(axis)
        if kind == "text":
            raise ValueError(f"axis '{axis}' has no value '{text}'")
        try:
            return int(text) if kind == "integer" else float(text)
        except ValueError:
            raise ValueError(f"axis '{axis}' is {kind}, and '{text}' is not") from None

    def hold(
        self, point: "Point", check: bool, meanwhile: Callable[[Case], None]
    ) -> Optional[str]:
        """Run the test; `meanwhile` measures in the middle of it. `check`: run it to its end before,
        and see whether it passes. Returns what went wrong after it was measured, or None."""
        raise NotImplementedError

    def point(self, axes: Sequence[str], texts: Sequence[str]) -> Point:
        given = dict(zip(axes, texts))
        if set(given) != set(self.axes):
            raise ValueError(f"benchmark '{self.name}' has the axes {', '.join(self.axes)}")
        ordered = tuple(given[axis] for axis in self.axes)
        return Point(self, ordered, tuple(map(self.value_of, self.axes, ordered)))

    def points(self) -> Iterator[Point]:
        for point in self.together or [{}]:
            for combination in itertools.product(*self.given.values()):
                values = {**point, **dict(zip(self.given, combination))}
                ordered = tuple(values[axis] for axis in self.axes)
                yield Point(self, tuple(map(text_of, ordered)), ordered)

    def problem(self) -> Optional[str]:
        """What is wrong with it, or None."""
        if not _NAME.match(self.name):
            return f"{self.name!r} is not a name: 1 to 200 letters, digits and . _ + - : /"
        for metric in self.metrics:
            if metric not in METRICS:
                return f"there is no metric '{metric}', but {', '.join(METRICS)}"
            if metric in _NEED_GPU and not self.gpu:
                return f"the metric '{metric}' needs gpu=True"
            if metric == "gpu_rotate" and not self.wants_sets:
                return "the metric 'gpu_rotate' needs a parameter 'sets': how many sets of inputs"
        return self._axes_problem() or self._values_problem() or self._signature_problem()

    def _axes_problem(self) -> Optional[str]:
        for axis in self.axes:
            if not _AXIS.match(axis):
                return f"{axis!r} is not a name for an axis: letters, digits and _"
            if axis in self.given and any(axis in point for point in self.together):
                return f"axis '{axis}' is both in 'axes' and in 'points'"
        for axis, values in self.given.items():
            if not values:
                return f"axis '{axis}' has no values"
        for point in self.together:
            if point.keys() != self.together[0].keys():
                return f"the points have different axes: {self.together[0]} and {point}"
        return None

    def _values_problem(self) -> Optional[str]:
        seen = set()
        for point in self.points():
            for axis, text in zip(self.axes, point.texts):
                if not text or len(text) > 128 or _NOT_IN_VALUES.search(text):
                    return f"{text!r} is not a value for axis '{axis}': no spaces, commas, '=' or '/'"
            if point.texts in seen:
                return f"{point.id} appears twice"
            seen.add(point.texts)
        return None

    def _signature_problem(self) -> Optional[str]:
        parameters = parameters_of(self.function)
        if parameters.takes_any:
            return None
        for axis in self.axes:
            if axis not in parameters.names:
                return f"{self.function.__name__}() has no parameter '{axis}' for the axis"
        for name in parameters.needed:
            given = (name == "seed" and self.wants_seed) or (name == "sets" and self.wants_sets)
            if name not in self.axes and not given:
                return f"{self.function.__name__}() wants '{name}', and there is no such axis"
        return None


class Parameters(NamedTuple):
    """Those of a function: what can be given by name, and what must be given."""

    names: Tuple[str, ...]
    needed: Tuple[str, ...]
    takes_any: bool  # it has **names


def parameters_of(function: Callable[..., Any]) -> Parameters:
    """Of a plain function without `inspect`, whose import takes half as long as Python's start."""
    plain = isinstance(function, FunctionType)
    if not plain or hasattr(function, "__wrapped__") or hasattr(function, "__signature__"):
        return _inspected(function)
    code = function.__code__
    last = code.co_argcount
    every = code.co_varnames[: last + code.co_kwonlyargcount]
    defaults = len(function.__defaults__ or ())
    given = {*every[last - defaults : last], *(function.__kwdefaults__ or ())}
    return Parameters(
        every[code.co_posonlyargcount :],
        tuple(name for name in every if name not in given),
        bool(code.co_flags & _CO_VARKEYWORDS),
    )


def _inspected(function: Callable[..., Any]) -> Parameters:
    import inspect

    every = list(inspect.signature(function).parameters.values())
    return Parameters(
        tuple(p.name for p in every if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)),
        tuple(
            p.name
            for p in every
            if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        ),
        any(p.kind is p.VAR_KEYWORD for p in every),
    )


def text_of(value: Any) -> str:
    """How an axis value stands in an id: 3, 0.5, fp16, True; of a type or function its name."""
    if isinstance(value, (str, int, float)):
        return str(value)
    return str(getattr(value, "__name__", value))


class Registry:
    """The benchmarks of a project, in the order in which they were defined."""

    def __init__(self) -> None:
        self.definitions: List[Definition] = []
        #: files beside the benchmarks that decide how they run, and what counts of each (None:
        #: all that is in it)
        self.harness: Dict[str, Optional[str]] = {}

    def add(self, definition: Definition) -> None:
        self.definitions.append(definition)

    def problem(self) -> Optional[str]:
        """The first thing that is wrong, as one sentence, or None."""
        seen: Dict[str, Definition] = {}
        for definition in self.definitions:
            found = definition.problem()
            if found:
                return f"{definition.where}: benchmark '{definition.name}': {found}"
            other = seen.setdefault(definition.name, definition)
            if other is not definition:
                return (
                    f"two benchmarks are called '{definition.name}': "
                    f"{other.where} and {definition.where}"
                )
        return None if self.definitions else "no benchmark is registered"

    def points(self) -> Iterator[Point]:
        for definition in self.definitions:
            yield from definition.points()

    def find(self, name: str) -> Optional[Definition]:
        return next((d for d in self.definitions if d.name == name), None)


#: what @benchmark adds to
REGISTRY = Registry()


def benchmark(
    function: Optional[Callable[..., Any]] = None,
    *,
    name: Optional[str] = None,
    axes: Optional[Mapping[str, Sequence[Any]]] = None,
    points: Sequence[Mapping[str, Any]] = (),
    gpu: bool = False,
    sync: Optional[Callable[[], Any]] = None,
    metrics: Optional[Sequence[str]] = None,
    registry: Registry = REGISTRY,
) -> Callable[..., Any]:
    """Register a function as the setup of a benchmark; returns it unchanged.

    It is called with one value of each axis, by name, and returns the callable to be timed, or a
    Case. Every combination of ``axes`` is a benchmark; axes whose values belong together are given
    as ``points=[{"B": 1, "S": 128}, {"B": 8, "S": 256}]`` and combined with the others. A parameter
    ``seed`` that is not an axis is given the seed of the inputs, the same for all variants. On a GPU a
    parameter ``sets`` is given a number of sets of inputs to make: the function returns a list of as
    many callables then, or a Case with one, so that gpu_rotate can be measured.

    ``gpu``: run() works on a CUDA device, so that its time there can be taken. ``metrics``: what is
    measured, of METRICS; without it GPU_METRICS on a GPU, else HOST_METRICS. ``sync`` is what a
    Case would have. What is wrong with a definition is said by bench-against when it lists them.
    """

    def register(f: Callable[..., Any]) -> Callable[..., Any]:
        registry.add(Definition(f, name or f.__name__, axes or {}, points, gpu, sync, metrics))
        return f

    return register if function is None else register(function)
