"""The requests of the host, one after the other, and their answers.

docs/workers.md has the messages. What a benchmark does wrong is an answer, too ("failed"), and the
traceback goes to standard error, which the host keeps.
"""

import ctypes
import gc
import os
import sys
import time
from typing import Any, Callable, Dict, List, Optional

from . import bytecodes, census, count, cuda, environments, timing
from .channel import Channel, ProtocolError
from .imports import Imports
from .loaded import Strangers, is_inside
from .registry import VALUES, Case, Definition, Point, Registry, Skip, text_of

PROTOCOL = "bench-against.worker"
VERSION = 1
_WARM_UP_RUNS = 200
_WARM_UP_MOST_NS = 200_000_000
_PR_SET_PDEATHSIG, _SIGKILL = 1, 9

#: a test that is held is let go before these are answered
_ENDS_A_TEST = ("prepare", "release", "close")

Message = Dict[str, Any]
#: loads the benchmarks, then calls the function that it is given, once
Load = Callable[[Callable[[], None]], None]


class Failure(Exception):
    """A sentence for the user about the benchmark in hand."""


class Worker:
    """One process: the benchmarks of one variant, measured as the host says."""

    def __init__(self, channel: Channel, registry: Registry, load: Load, name: str) -> None:
        self._channel = channel
        self._registry = registry
        self._load = load
        self._name = name
        self._target = ""
        self._tree = ""
        self._strangers = Strangers("", [])
        self._device = 0
        self._cpu = self._start_cpu = self._sits_on = -1
        self._driver_path: Optional[str] = None
        self._clock: timing.Clock = time.perf_counter_ns
        self._gpu: Optional[cuda.Gpu] = None
        #: what opening it took, which is often the first use of the driver
        self._opened_ns = 0
        self._point: Optional[Point] = None
        self._case: Optional[Case] = None
        self._next: Optional[Message] = None
        self._status: Optional[int] = None
        self._census: Optional[census.Census] = None
        self._imports = Imports()
        self._requests: Dict[str, Callable[[Message], None]] = {
            "hello": self._hello,
            "open": self._open,
            "list": self._list,
            "prepare": self._prepare,
            "measure": self._measure,
            "count": self._count,
            "release": self._release,
        }
        self._fresh: Optional[Dict[str, Callable[[Message], None]]] = None

    def serve(self) -> int:
        """Until the host says close, or is gone; the exit status."""
        die_with_parent()
        self._answer_all()
        if self._next is not None:
            self._drop_case()
            self._channel.send("closed")
        return self._status or 0

    def _answer_all(self, held: bool = False) -> None:
        """Until the end; or, within a test that is held, until it is to be let go."""
        while self._status is None:
            message = self._receive()
            if message is None:
                return
            if message["t"] == "close" or (held and message["t"] in _ENDS_A_TEST):
                self._next = message
                return
            handle = self._requests.get(message["t"]) or self._fresh_handler(message["t"])
            self._answer(message["t"], lambda: self._handle(handle, message))

    def _receive(self) -> Optional[Message]:
        """None: there is nothing more to answer."""
        message, self._next = self._next, None
        try:
            message = message or self._channel.receive()
        except ProtocolError as error:
            self._channel.send("failed", text=f"the host sent {error}")
            self._status = 1
            return None
        if message is None:
            self._status = 0
        return message

    def _fresh_handler(self, request: str) -> Optional[Callable[[Message], None]]:
        if not request.startswith("fresh_"):
            return None
        if self._fresh is None:
            from . import judge

            self._fresh = judge.Judge(self._find, self._channel.send).handlers()
        handle = self._fresh.get(request)
        return handle and (lambda message: self._judge(handle, message))

    def _judge(self, handle: Callable[[Message], None], message: Message) -> None:
        from .task import Refused, Wrong

        try:
            run_foreign("the task", lambda: handle(message), (Refused, Wrong))
        except Refused as why:
            raise Failure(str(why)) from None
        except Wrong as why:
            raise Failure(f"wrong answer: {why}") from None

    def _handle(self, handle: Optional[Callable[[Message], None]], message: Message) -> None:
        if handle is None:
            raise Failure(f"no such request '{message['t']}'")
        handle(message)

    def _answer(self, request: str, call: Callable[[], None]) -> None:
        """What it raises is the answer."""
        try:
            call()
        except Failure as failure:
            lost = self._gpu is not None and not self._gpu.is_alive()
            text = "; ".join(filter(None, [str(failure), self._refused_by_driver()]))
            self._channel.send("failed", text=text, lost=lost)
            # this process is of no more use
            self._status = 1 if lost else None
        except (KeyError, TypeError, ValueError) as error:
            # ours: what a benchmark raises is made a Failure where it is called
            sys.excepthook(type(error), error, error.__traceback__)
            self._channel.send("failed", text=f"message '{request}': {error!r}")

    def _refused_by_driver(self) -> str:
        """What the host target's driver could not give, as the likely cause; or ""."""
        try:
            asked = self._target == "host" and self._driver_path
            return cuda.Driver(self._driver_path).refused() if asked else ""
        except cuda.CudaError:
            return ""

    # ---- the beginning ----

    def _hello(self, message: Message) -> None:
        if message.get("protocol") != PROTOCOL or message.get("version") != VERSION:
            raise Failure(
                f"the host speaks {message.get('protocol')} {message.get('version')}, "
                f"this worker {PROTOCOL} {VERSION}"
            )
        self._channel.send("hello", protocol=PROTOCOL, version=VERSION, name=self._name)

    def _open(self, message: Message) -> None:
        self._target = message["target"]
        self._tree = message.get("tree", "")
        self._strangers = Strangers(self._tree, message.get("not_from", []))
        self._device = int(message.get("device", 0))
        self._driver_path = message.get("driver") or None
        wrong = environments.wrong_python()
        if wrong:
            raise Failure(wrong)
        if self._target == "gpu":
            refuse_simulator()
        if census.observer():
            self._census = census.Census(self._driver_path)
            self._driver_path = self._census.driver_path
        self._cpu = int(message.get("cpu", -1))
        self._start_cpu = int(message.get("start_cpu", self._cpu))
        self._sit_on(self._start_cpu)
        if self._target == "fake":
            clock = cuda.Driver(self._driver_path).library.ba_fake_now_ns
            clock.restype = ctypes.c_int64
            self._clock = clock
        self._imports.begin()
        try:
            run_foreign("the benchmarks cannot be loaded", lambda: self._load(self._loaded))
        finally:
            self._imports.end()

    def _loaded(self) -> None:
        """What loads them may stay on the stack: pytest lives as long as its session."""
        self._imports.end()
        problem = self._registry.problem()
        if problem:
            raise Failure(problem)
        # what was imported stays: collections before benchmarks need not look at it again
        gc.freeze()
        self._channel.send("opened")
        self._answer_all()

    def _sit_on(self, cpu: int) -> None:
        """Set-up has a processor of its own; what is measured shares one with the others."""
        if cpu != self._sits_on:
            pin_to(cpu)
        self._sits_on = cpu

    def _list(self, _message: Message) -> None:
        for definition in self._registry.definitions:
            self._channel.send("benchmark", **declaration_of(definition))
        self._refuse_strangers()
        paths = modules_in(self._tree)
        harness = harness_in(self._tree, self._registry.harness)
        self._channel.send(
            "listed",
            objects=paths,
            sha256=[sha256_of(path) for path in paths],
            harness=list(harness),
            harness_sha256=list(harness.values()),
            **environments.report(self._tree),
        )

    # ---- one benchmark ----

    def _prepare(self, message: Message) -> None:
        self._drop_case()
        self._sit_on(self._start_cpu)
        point = self._find(message)
        try:
            self._open_gpu_for(point)
            if point.definition.held:
                self._hold(point, message)
                return
            seed, sets = int(message.get("seed", 0)), int(message.get("sets", 1))
            case: Case = run_foreign("setup", lambda: point.set_up(seed, sets))
        except Skip as skip:
            self._channel.send("skipped", text=str(skip) or "no reason given")
            self._channel.send("prepared", present=[0])
            return
        self._present(point, case, message)

    def _hold(self, point: Point, message: Message) -> None:
        """The benchmark is measured while it is on the stack, in the middle of its test."""

        # a test that ran to its end before has made the first call
        whole = message.get("check", True) and not message.get("first_call", False)

        def meanwhile(case: Case) -> None:
            self._answer("prepare", lambda: self._present(point, case, message))
            self._answer_all(held=True)
            self._drop_case()

        note = run_foreign("test", lambda: point.definition.hold(point, whole, meanwhile))
        if note and self._status is None:
            self._channel.send("note", text=f"{point.id}: {note}")

    def _present(self, point: Point, case: Case, message: Message) -> None:
        if point.definition.gpu and case.sync is None and self._gpu is not None:
            whole = point.definition.held
            case.sync = self._gpu.synchronize if whole else self._gpu.waiter(case.stream)
        self._case, self._point = case, point
        self._refuse_strangers()
        self._check_context("setup")
        first = first_call(case) if message.get("first_call", False) else {}
        if first and self._census:
            first.update(self._census.starts())
            first["context"] += self._opened_ns
        if message.get("check", True):
            check(case)
        self._check_context("run()")
        # the runs before a count must be as many each time: "count" has its own
        if not count.is_counting_process():
            warm_up(case, int(message.get("warm_up", _WARM_UP_RUNS)))
        counts = {name: getattr(case, name) for name in Case.COUNTS}
        self._channel.send("case", **counts, **first)
        self._channel.send("prepared", present=[1])

    def _find(self, message: Message) -> Point:
        definition = self._registry.find(message["name"])
        if definition is None:
            raise Failure(f"there is no benchmark '{message['name']}'")
        try:
            return definition.point(message.get("axes", []), message.get("values", []))
        except ValueError as error:
            raise Failure(str(error)) from None

    def _open_gpu_for(self, point: Point) -> None:
        if point.definition.gpu and self._target == "host" and not self._driver_path:
            raise Skip("needs a GPU")
        if point.definition.gpu and self._gpu is None:
            self._gpu = run_foreign("the GPU", self._open_gpu)
        if self._gpu is not None:
            self._gpu.forget()

    def _check_context(self, what: str) -> None:
        """What runs in another context is not what events in this one enclose."""
        if self._gpu is not None and self._gpu.takes_context_back():
            raise Failure(
                f"{what} left another CUDA context current than the one it was called with"
            )

    def _refuse_strangers(self) -> None:
        """What another tree's modules take must not be reported as this one's."""
        problem = self._strangers.first()
        if problem:
            raise Failure(problem)

    def _open_gpu(self) -> cuda.Gpu:
        refuse_simulator()
        # the host target's is found by name, as the benchmarks find it
        by_name = self._target == "host" and self._census is None
        start = time.perf_counter_ns()
        driver = cuda.Driver(None if by_name else self._driver_path)
        if driver.kind != self._target:
            raise Failure(
                f"the driver '{driver.path}' is that of --target {driver.kind}, "
                f"and not of --target {self._target}"
            )
        gpu = cuda.Gpu(driver, self._device)
        self._opened_ns = time.perf_counter_ns() - start
        if self._target == "gpu":
            gpu.warm_up()
        return gpu

    def _drop_case(self) -> None:
        case, point, self._case, self._point = self._case, self._point, None, None
        if case and point and case.teardown:
            try:
                run_foreign("teardown", case.teardown)
            except Failure as failure:
                self._channel.send("note", text=f"{point.id}: {failure}")

    def _release(self, _message: Message) -> None:
        self._drop_case()
        self._channel.send("released")

    # ---- measuring ----

    def _measure(self, message: Message) -> None:
        if self._case is None:
            raise Failure("nothing is prepared")
        self._sit_on(self._cpu)
        batch, readings, discard = (int(message[k]) for k in ("batch", "readings", "discard"))
        mode, flush = message["mode"], message.get("flush", "read")
        take = self._taker(mode, self._case, flush)

        def burst() -> List[int]:
            if discard:
                take(discard, 1)
            return take(batch, readings)

        with timing.no_garbage_collection():
            ns = run_foreign("run()", burst)
        self._check_context("run()")
        if self._case.heard:
            self._case.heard(ns, batch)
        said: Message = {"flush": flush} if mode in cuda.COLD_MODES else {}
        khz = self._gpu.khz() if self._gpu else 0
        if khz:
            said["khz"] = khz
        self._channel.send("measured", ns=[max(1, n) for n in ns], **said)

    # ---- counting ----

    def _count(self, message: Message) -> None:
        if message["way"] == "imports":
            for news in bytecodes.messages(self._imports.rows(self._tree)):
                self._channel.send("code", **news)
            self._channel.send("counted", instructions=[])
            return
        case = self._case
        if case is None:
            raise Failure("nothing is prepared")
        if message["mode"] != "submit":
            raise Failure(f"this worker cannot count '{message['mode']}'")
        calls, warm_up, most = (int(message[k]) for k in ("calls", "warm_up", "most"))
        if message["way"] == "census":
            self._count_driver_calls(case, calls, warm_up)
            return
        request = count.Request(calls, warm_up, most, str(message["way"]), str(message["trace"]))
        try:
            way, counts = run_foreign(
                "run()", lambda: count.count_runs(case, request), count.NotCounted
            )
        except count.NotCounted as why:
            self._channel.send("counted", instructions=[], text=str(why), fault=why.fault)
            return
        self._check_context("run()")
        if message.get("code", False):
            rows = run_foreign("run()", lambda: bytecodes.of_run(case, self._tree))
            for news in bytecodes.messages(rows):
                self._channel.send("code", **news)
        self._channel.send("counted", way=way, instructions=counts)

    def _count_driver_calls(self, case: Case, calls: int, warm_up: int) -> None:
        taken = self._census
        if taken is None:
            why = "this process was not started for a census"
            self._channel.send("counted", instructions=[], text=why)
            return
        found = run_foreign("run()", lambda: taken.of_runs(case, calls, warm_up, self._tree))
        self._check_context("run()")
        self._channel.send("counted", way="census", instructions=[], **found)

    def _taker(self, mode: str, case: Case, flush: str) -> cuda.Take:
        clock = self._clock
        if flush not in cuda.FLUSHES:
            raise Failure(f"this worker cannot flush the cache by '{flush}'")
        if mode in VALUES and case.value is not None:
            value = case.value
            # a host that asks for so many wants so many digits
            return lambda batch, readings: [round(value * batch)] * readings
        if case.fresh and mode not in ("submit", "roundtrip", "wall_hot"):
            raise Failure(f"'{mode}' cannot be measured of what is set up before each call")
        if mode in timing.MODES:
            host = timing.MODES[mode]
            return lambda batch, readings: host(case, clock, batch, readings)
        if mode in cuda.MODES and self._gpu is not None:
            return cuda.MODES[mode](self._gpu, case, clock, flush)
        raise Failure(f"this worker cannot measure '{mode}'")


def first_call(case: Case) -> Dict[str, Any]:
    """What the first call takes until its work is done, compiling included: members of "case"."""
    run = run_foreign("setup", case.begin)
    wall, cpu = time.perf_counter_ns(), time.process_time_ns()
    run_foreign("run()", run)
    if case.sync:
        run_foreign("sync()", case.sync)
    wall, cpu = time.perf_counter_ns() - wall, time.process_time_ns() - cpu
    peak = memory_peak()
    run_foreign("setup", case.end)
    return {"first_call": max(1, wall), "first_call_cpu": max(1, cpu), "host_peak": peak}


def memory_peak() -> int:
    """The most memory that this process has had, in bytes; 0: unknown."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            return next(int(line.split()[1]) << 10 for line in status if line[:6] == "VmHWM:")
    except (OSError, StopIteration, ValueError):
        return 0


def check(case: Case) -> None:
    """One run, and is its result right?"""
    run_foreign("run()", case.run)
    if case.sync:
        run_foreign("sync()", case.sync)
    if not case.check:
        return
    try:
        right = run_foreign("check()", case.check, AssertionError)
    except AssertionError as error:
        sys.excepthook(type(error), error, error.__traceback__)
        lines = str(error).strip().splitlines() or ["check() raised AssertionError"]
        said = lines[0]
        known = said.startswith(("wrong answer: ", "drifted: "))
        raise Failure(said if known else f"wrong answer: {said}") from None
    if right is not None and not right:
        raise Failure(f"wrong answer: check() returned {right!r}")


def warm_up(case: Case, runs: int) -> None:
    """So many, or as many as fit into a fifth of a second."""

    def some_runs() -> None:
        end = time.perf_counter_ns() + _WARM_UP_MOST_NS
        for _ in range(runs):
            case.run()
            if time.perf_counter_ns() > end:
                break
        if case.sync:
            case.sync()

    run_foreign("run()", some_runs)
    gc.collect()


def declaration_of(definition: Definition) -> Message:
    """The members of a "benchmark" message."""
    values = [definition.values_of(axis) for axis in definition.axes]
    counted = ["instructions"] if definition.counted and "submit" in definition.metrics else []
    return {
        "name": definition.name,
        "axes": list(definition.axes),
        "kinds": [definition.kind_of(axis) for axis in definition.axes],
        "value_counts": [len(some) for some in values],
        "values": [text_of(value) for some in values for value in some],
        "points": [
            ",".join(f"{axis}={text_of(value)}" for axis, value in point.items())
            for point in definition.together
        ],
        "modes": [*definition.metrics, *counted],
        "gpu": definition.gpu,
    }


def run_foreign(what: str, function: Callable[[], Any], passed: Any = ()) -> Any:
    """Call code of the project; what it raises becomes a sentence, but for `passed`."""
    try:
        return function()
    except (Failure, Skip, *(passed if isinstance(passed, tuple) else (passed,))):
        raise
    except (cuda.CudaError, cuda.GateError) as error:
        raise Failure(str(error)) from None
    except (Exception, SystemExit) as error:
        sys.excepthook(type(error), error, error.__traceback__)
        sys.stderr.flush()
        text = (str(error).strip().splitlines() or [""])[0]
        said = f"{type(error).__name__}: {text}" if text else type(error).__name__
        raise Failure(f"{what}: {said}{place_of(error)}") from None


def place_of(error: BaseException) -> str:
    """Where it was raised, as " (bench.py:12)": the innermost line outside of this package."""
    ours = os.path.dirname(os.path.abspath(__file__))
    place = ""
    at = error.__traceback__
    while at:
        file = at.tb_frame.f_code.co_filename
        if not file.startswith((ours, "<")):
            place = f" ({os.path.basename(file)}:{at.tb_lineno})"
        at = at.tb_next
    return place


def modules_in(tree: str) -> List[str]:
    """The files of the modules loaded from there: what ran so far."""
    files = set()
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and is_inside(path, [tree]):
            files.add(os.path.realpath(path))
    return sorted(path for path in files if os.path.isfile(path))


def harness_in(tree: str, harness: Dict[str, Optional[str]]) -> Dict[str, str]:
    """The files of the tree among them, by their paths there, and the digest of each."""
    found: Dict[str, str] = {}
    for path, text in harness.items():
        if is_inside(path, [tree]) and os.path.isfile(path):
            digest = sha256_of(path) if text is None else sha256_of_text(text)
            found[os.path.relpath(os.path.realpath(path), os.path.realpath(tree))] = digest
    return found


def sha256_of_text(text: str) -> str:
    return sha256(text.encode(errors="surrogateescape"))


def sha256_of(path: str) -> str:
    with open(path, "rb") as file:
        return sha256(file.read())


def sha256(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


def refuse_simulator() -> None:
    if os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0"):
        raise Failure(
            "NUMBA_ENABLE_CUDASIM is set: a simulator is not a GPU, and its times mean nothing"
        )


def pin_to(cpu: int) -> None:
    if cpu >= 0:
        try:
            os.sched_setaffinity(0, {cpu})
        except OSError as error:
            print(f"cannot be pinned to CPU {cpu}: {error}", file=sys.stderr)


def die_with_parent() -> None:
    """Also where the host is killed while a benchmark runs."""
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    except (OSError, AttributeError):
        pass


def describe() -> str:
    from . import __version__

    version = ".".join(map(str, sys.version_info[:3]))
    python = f"{sys.implementation.name} {version}"
    return f"bench_against_worker {__version__}, {python}"
