"""Tests with the fixture `benchmark`, as benchmarks of ours: --pytest.

pytest collects them, runs their fixtures and the test up to its call of `benchmark`. There, in the
middle of the test and in the thread that runs it, the requests of the host are answered: it
measures the call while fixtures are alive. When the host has done with this benchmark, the call
returns and the test goes on to its end. So one test is held at a time. What it has of a wider scope
lives until a test of another scope is wanted, as in pytest.
"""

import inspect
import os
import re
import sys
import tempfile
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import pytest

from . import fixture, loaded
from .registry import HOST_METRICS, Case, Definition, Point, Registry, Skip
from .worker import Failure, place_of

#: what is measured of a test that works on a GPU: it may wait for it, or not
_GPU_METRICS = ("submit", "roundtrip")
_GPU_WORD = re.compile(r"(?<![a-z])(cuda|gpu)(?![a-z])", re.IGNORECASE)
_GPU_PACKAGES = ("numba.cuda", "numba_cuda", "cupy", "pycuda", "cuda")
#: they would watch, repeat or end a test that is held
_NOT_BESIDE_US = ("timeout", "rerunfailures", "flaky")
#: options of pytest-benchmark and pytest-codspeed with a value, and those without: accepted, since
#: configurations have them, and ignored, since the host decides what they are about
_WITH_VALUE = (
    "min-time max-time min-rounds precision confidence timer calibration-precision"
    " warmup-iterations save json cprofile cprofile-loops cprofile-top storage sort group-by"
    " columns name time-unit"
).split()
_WITHOUT_VALUE = "disable-gc skip disable enable only autosave save-data verbose quiet".split()
_MAYBE_VALUE = "warmup compare histogram cprofile-dump netrc csv".split()


#: options that projects have in `addopts`, and the plug-ins that know them
_PLUGINS = {
    "--cov": "pytest-cov",
    "--no-cov": "pytest-cov",
    "--timeout": "pytest-timeout",
    "--numprocesses": "pytest-xdist",
    "--dist": "pytest-xdist",
    "-n": "pytest-xdist",
    "--reruns": "pytest-rerunfailures",
    "--asyncio-mode": "pytest-asyncio",
    "--randomly": "pytest-randomly",
    "--html": "pytest-html",
    "--json-report": "pytest-json-report",
    "--mypy": "pytest-mypy",
    "--doctest-plus": "pytest-doctestplus",
    "--mpl": "pytest-mpl",
    "--ds": "pytest-django",
    "--hypothesis": "hypothesis",
}


class Options(NamedTuple):
    """Ours, which stand before --pytest."""

    gpu: bool = False
    metrics: Tuple[str, ...] = ()
    group: str = ""
    #: tests with the marker, without the fixture, are benchmarks as a whole
    marked: bool = False


class Hooks:
    """Those of pytest-benchmark, for a conftest.py that has them. Nobody calls them."""

    def pytest_benchmark_scale_unit(self, config, unit, benchmarks, best, worst, sort):  # type: ignore[no-untyped-def]
        pass

    def pytest_benchmark_generate_machine_info(self, config):  # type: ignore[no-untyped-def]
        pass

    def pytest_benchmark_update_machine_info(self, config, machine_info):  # type: ignore[no-untyped-def]
        pass

    def pytest_benchmark_generate_commit_info(self, config):  # type: ignore[no-untyped-def]
        pass

    def pytest_benchmark_update_commit_info(self, config, commit_info):  # type: ignore[no-untyped-def]
        pass

    def pytest_benchmark_group_stats(self, config, benchmarks, group_by):  # type: ignore[no-untyped-def]
        pass

    def pytest_benchmark_generate_json(self, config, benchmarks, include_data, machine_info, commit_info):  # type: ignore[no-untyped-def]
        pass

    def pytest_benchmark_update_json(self, config, benchmarks, output_json):  # type: ignore[no-untyped-def]
        pass

    def pytest_benchmark_compare_machine_info(self, config, benchmarksession, machine_info, compared_benchmark):  # type: ignore[no-untyped-def]
        pass


class _Next(pytest.Item):
    """What comes after a test, as far as pytest must know: more of the same parent."""

    def runtest(self) -> None:
        pass


class Test(Definition):
    """A function of tests; a point is one of its items."""

    held = True

    def __init__(self, plugin: "Plugin", name: str, items: Sequence[Any]) -> None:
        texts = _texts_of(items)
        gpu = plugin.options.gpu or any(map(_works_on_gpu, items))
        metrics = plugin.options.metrics or (_GPU_METRICS if gpu else HOST_METRICS)
        points = [labels for labels in texts if labels]
        super().__init__(lambda **_chosen: None, name, {}, points, gpu, None, metrics)
        self._plugin = plugin
        self._items = {tuple(labels.values()): item for labels, item in zip(texts, items)}

    def hold(
        self, point: Point, check: bool, meanwhile: Callable[[Case], None]
    ) -> Optional[str]:
        item = self._items[point.texts]
        if check:
            self._plugin.run(item, None)
        return self._plugin.run(item, meanwhile)


class Uncollected(Definition):
    """A file of tests that could not be collected."""

    def __init__(self, name: str, reason: Exception) -> None:
        def function() -> Case:
            raise reason

        super().__init__(function, name, {}, (), False, None, None)


class Plugin:
    """What pytest is given beside the project's own plugins."""

    def __init__(
        self, options: Options, registry: Registry, go_on: Callable[[], None]
    ) -> None:
        self.options = options
        self.collected = False
        self.problem: Optional[BaseException] = None
        #: what pytest says of a command line that it does not take
        self.refused = ""
        self._registry = registry
        self._go_on = go_on
        self._broken: List[Any] = []
        self._session: Any = None
        self._meanwhile: Optional[Callable[[Case], None]] = None
        self._fixture: Optional[fixture.BenchmarkFixture] = None
        self._reports: List[Any] = []
        self._error: Optional[BaseException] = None

    # ---- before the tests are collected ----

    @pytest.hookimpl(hookwrapper=True)
    def pytest_cmdline_parse(self) -> Any:
        outcome = yield
        if outcome.excinfo:
            self.refused = str(outcome.excinfo[1])

    def pytest_addoption(self, parser: Any) -> None:
        group = parser.getgroup("bench-against", "accepted and ignored")
        for name in _WITH_VALUE:
            group.addoption(f"--benchmark-{name}", default=None)
        for name in _WITHOUT_VALUE:
            group.addoption(f"--benchmark-{name}", action="store_true", default=False)
        for name in _MAYBE_VALUE:
            group.addoption(f"--benchmark-{name}", nargs="?", default=None)
        group.addoption("--benchmark-compare-fail", nargs="+", default=None)
        group.addoption("--codspeed", action="store_true", default=False)
        for name in ("mode", "warmup-time", "max-time", "max-rounds"):
            group.addoption(f"--codspeed-{name}", default=None)

    def pytest_plugin_registered(self, plugin: Any) -> None:
        path = loaded.file_of(plugin)
        if path is not None:
            self._registry.harness[path] = None

    def pytest_addhooks(self, pluginmanager: Any) -> None:
        pluginmanager.add_hookspecs(Hooks)

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: Any) -> None:
        # coverage is measured by tracing, which takes more time than most benchmarks
        early_config.known_args_namespace.no_cov = True

    @pytest.hookimpl(tryfirst=True)
    def pytest_cmdline_main(self, config: Any) -> None:
        # pytest-xdist would run the tests in other processes
        for name, value in (("numprocesses", None), ("dist", "no"), ("tx", [])):
            if hasattr(config.option, name):
                setattr(config.option, name, value)
        # pytest-randomly: the same inputs for all variants
        if hasattr(config.option, "randomly_seed"):
            config.option.randomly_seed = 1

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: Any) -> None:
        for name in _NOT_BESIDE_US:
            if config.pluginmanager.get_plugin(name) is not None:
                config.pluginmanager.unregister(name=name)
        if config.inipath is not None:
            # pytest does not read the rest of the file
            self._registry.harness[str(config.inipath)] = _options_in_file(config)
        for name in ("benchmark", "codspeed_benchmark"):
            config.addinivalue_line("markers", f"{name}: options of a benchmark")

    # ---- which tests there are ----

    def pytest_collectreport(self, report: Any) -> None:
        if report.outcome != "passed":
            self._broken.append(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        self.collected = True
        self._session = session
        try:
            for definition in self._definitions(session):
                self._registry.add(definition)
            self._go_on()
        except BaseException as error:  # pylint: disable=broad-except
            self.problem = error
        return True

    def _definitions(self, session: Any) -> Iterator[Definition]:
        functions: Dict[str, List[Any]] = {}
        for item in session.items:
            if (_has_fixture(item) or self._is_whole(item)) and self._is_chosen(item):
                functions.setdefault(_function_of(item), []).append(item)
        names: Dict[str, str] = {}
        for node, items in functions.items():
            name = _name_of(node)
            while name in names:
                name = name[:190] + "-" + str(len(names))
            names[name] = node
            yield Test(self, name, items)
        for report in self._broken:
            if _mentions_benchmarks(str(report.fspath)) and report.nodeid not in names:
                names[report.nodeid] = report.nodeid
                yield Uncollected(_name_of(report.nodeid or "pytest"), _reason_of(report))

    def _is_whole(self, item: Any) -> bool:
        """pytest-codspeed: a marked test without the fixture is measured from its start to its end."""
        markers = map(item.get_closest_marker, ("benchmark", "codspeed_benchmark"))
        return self.options.marked and any(markers) and not _has_fixture(item)

    def _is_chosen(self, item: Any) -> bool:
        return not self.options.group or self.options.group == _group_of(item)

    # ---- one test ----

    def run(self, item: Any, meanwhile: Optional[Callable[[Case], None]]) -> Optional[str]:
        """Skip, Failure: it has not come to its call. What went wrong after it is returned, or, if
        nothing measured `meanwhile`, a Failure, too."""
        self._meanwhile, self._fixture, self._reports, self._error = meanwhile, None, [], None
        # ends what has a wider scope than the test, unless this one is in that scope
        self._session._setupstate.teardown_exact(item)
        after = _Next.from_parent(item.parent, name="next")
        item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
        used = self._fixture is not None and self._fixture.used
        for report in self._reports:
            if report.skipped and not (used and meanwhile):
                raise Skip(_skip_reason(report))
        if self._error is not None:
            text = _sentence(self._error)
            if not (used and meanwhile):
                raise Failure(text)
            return text
        if not used:
            raise Skip("the test does not call its fixture 'benchmark'")
        return None

    @pytest.fixture
    def benchmark(self, request: Any) -> fixture.BenchmarkFixture:
        group = _group_of(request.node)
        self._fixture = fixture.BenchmarkFixture(request.node, group, self._meanwhile)
        return self._fixture

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: Any) -> Optional[bool]:
        if not self._is_whole(pyfuncitem):
            return None
        names = inspect.signature(pyfuncitem.obj).parameters
        values = {name: pyfuncitem.funcargs[name] for name in names}
        group = _group_of(pyfuncitem)
        self._fixture = fixture.BenchmarkFixture(pyfuncitem, group, self._meanwhile)
        self._fixture(pyfuncitem.obj, **values)
        return True

    @pytest.fixture
    def benchmark_weave(self) -> None:
        pytest.skip("benchmark_weave is not supported")

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._reports.append(report)
        if report.failed:
            print(report.longreprtext, file=sys.stderr, flush=True)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> Tuple[str, str, str]:
        # no progress on the screen: a test is run many times
        return report.outcome, "", ""

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        outcome = yield
        report = outcome.get_result()
        if isinstance(getattr(call.excinfo, "value", None), Skip):
            report.outcome, report.longrepr = "skipped", ("", 0, str(call.excinfo.value))
        elif report.failed and self._error is None:
            # a test that was expected to fail, and passes, has no exception
            self._error = call.excinfo.value if call.excinfo else Failure(str(report.longrepr))


def load(
    arguments: Sequence[str], options: Options, registry: Registry, go_on: Callable[[], None]
) -> None:
    """pytest with these arguments; `go_on` is called when the tests are collected, and returns
    when they are no longer wanted."""
    _stand_in_for_missing()
    plugin = Plugin(options, registry, go_on)
    status = pytest.main([*_our_arguments(), *arguments], plugins=[plugin])
    sys.stdout.flush()
    if plugin.problem is not None:
        raise plugin.problem
    if not plugin.collected:
        why = _lacking(plugin.refused) or "see its output"
        raise Failure(f"pytest ended with status {int(status)} before it ran a test: {why}")


def _lacking(refused: str) -> str:
    """The plug-in that the project's options need, by what pytest says of them."""
    missing = re.search(r"Missing required plugins: (.+)", refused)
    unknown = re.search(r"unrecognized arguments: (.+)", refused)
    if missing:
        return f"the project's pytest options need {missing[1]}, which is not installed"
    if not unknown:
        return ""
    needed = sorted({plugin for word in unknown[1].split() for plugin in _plugins_of(word)})
    need = f"the project's pytest options need {', '.join(needed)}: " if needed else ""
    return need + unknown[0]


def _plugins_of(word: str) -> Iterator[str]:
    """--cov-report=xml -> pytest-cov"""
    for option, plugin in _PLUGINS.items():
        if re.match(rf"{option}(?![a-z])", word):
            yield plugin


def _our_arguments() -> List[str]:
    """Names of tests begin at the tree's top; nothing is written into the tree."""
    scratch = os.environ.get("PYTHONPYCACHEPREFIX") or tempfile.gettempdir()
    cache = os.path.join(scratch, f"bench-against-pytest-{os.getuid()}")
    plugins = ("benchmark", "pytest_benchmark.plugin", "codspeed", "pytest_codspeed.plugin")
    blocked = [word for plugin in plugins for word in ("-p", f"no:{plugin}")]
    return [*blocked, "-q", "-s", "--no-summary", f"--rootdir={os.getcwd()}", "-o", f"cache_dir={cache}"]


def _options_in_file(config: Any) -> str:
    options = getattr(config, "_inicfg", None) or config.inicfg
    said = {name: getattr(value, "value", value) for name, value in options.items()}
    said.pop("cache_dir", None)  # ours, another in each process
    return repr(sorted((name, str(value)) for name, value in said.items()))


def _stand_in_for_missing() -> None:
    """Tests import the fixture's class for their annotations. Where the plugin that has it is not
    installed, ours is it."""
    for package, module in (("pytest_benchmark", "fixture"), ("pytest_codspeed", "plugin")):
        if find_spec(package) is not None:
            continue
        inner = ModuleType(f"{package}.{module}")
        outer = ModuleType(package)
        for one in (inner, outer):
            vars(one)["BenchmarkFixture"] = fixture.BenchmarkFixture
            sys.modules[one.__name__] = one
        vars(outer).update({"__path__": [], module: inner})


def _has_fixture(item: Any) -> bool:
    return "benchmark" in getattr(item, "fixturenames", ())


def _function_of(item: Any) -> str:
    """Its id without the parameters."""
    callspec = getattr(item, "callspec", None)
    suffix = f"[{callspec.id}]" if callspec else ""
    node = str(item.nodeid)
    return node[: -len(suffix)] if suffix and node.endswith(suffix) else node


def _name_of(node: str) -> str:
    """As pytest writes it, but for letters that a name may not have; the end says most."""
    return re.sub(r"[^A-Za-z0-9._+:/-]", "-", node)[-200:].strip("/")


def _texts_of(items: Sequence[Any]) -> List[Dict[str, str]]:
    """For each item the axes and their values."""
    specs: List[Any] = [getattr(item, "callspec", None) for item in items]
    if not all(spec and spec.params for spec in specs):
        return [{} for _item in items]
    ids = [list(getattr(spec, "_idlist", ())) for spec in specs]
    texts: List[Dict[str, str]] = []
    taken: Dict[Tuple[str, ...], int] = {}
    for spec, idlist in zip(specs, ids):
        if all(len(one) == len(s.params) for one, s in zip(ids, specs)):
            labels = dict(zip(spec.params, map(str, idlist)))
        elif all(_is_plain(value) for s in specs for value in s.params.values()):
            labels = {name: str(value) for name, value in spec.params.items()}
        else:
            labels = {"id": spec.id}
        labels = {re.sub(r"\W", "_", k)[:64]: _label(v) for k, v in labels.items()}
        key = tuple(labels.values())
        taken[key] = taken.get(key, 0) + 1
        if taken[key] > 1:
            labels[list(labels)[-1]] += f"-{taken[key]}"
        texts.append(labels)
    return texts


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float, bool))


def _label(text: str) -> str:
    return re.sub(r"[\x00-\x20,=/\x7f]+", "-", text)[:100] or "empty"


def _group_of(item: Any) -> Optional[str]:
    marker = item.get_closest_marker("benchmark")
    group = marker.kwargs.get("group") if marker else None
    return None if group is None else str(group)


def _works_on_gpu(item: Any) -> bool:
    """Its markers, its group or its parameters say so, or its module works with a package that is
    for nothing else."""
    if any(marker.name in ("gpu", "cuda") for marker in item.iter_markers()):
        return True
    words = [_group_of(item) or "", *_text_parameters(item)]
    if any(_GPU_WORD.search(word) for word in words):
        return True
    return any(map(_is_of_gpu_package, vars(getattr(item, "module", None) or object).values()))


def _text_parameters(item: Any) -> List[str]:
    callspec = getattr(item, "callspec", None)
    return [v for v in callspec.params.values() if isinstance(v, str)] if callspec else []


def _is_of_gpu_package(value: Any) -> bool:
    name = getattr(value, "__name__" if isinstance(value, ModuleType) else "__module__", None)
    return isinstance(name, str) and (name + ".").startswith(tuple(p + "." for p in _GPU_PACKAGES))


def _mentions_benchmarks(path: str) -> bool:
    try:
        with open(path, errors="replace") as file:
            return re.search(r"\bbenchmark\b", file.read()) is not None
    except OSError:
        return False


def _skip_reason(report: Any) -> str:
    if hasattr(report, "wasxfail"):
        reason = str(report.wasxfail).replace("reason: ", "", 1)
        return f"expected to fail: {reason}" if reason else "expected to fail"
    longrepr = report.longrepr
    text = str(longrepr[2] if isinstance(longrepr, tuple) else longrepr)
    return text.replace("Skipped: ", "", 1) or "no reason given"


def _reason_of(report: Any) -> Exception:
    if report.outcome == "skipped":
        return Skip(_skip_reason(report))
    lines = [line for line in str(report.longrepr).splitlines() if line.strip()]
    errors = [line[1:].strip() for line in lines if line.startswith("E ")]
    said = (errors or lines or ["it cannot be collected"])[-1]
    return Failure(f"{report.nodeid} cannot be collected: {said}")


def _sentence(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    if isinstance(error, AssertionError):
        return f"wrong answer: {lines[0] if lines else 'AssertionError'}{place_of(error)}"
    if isinstance(error, Failure):
        return str(error)
    said = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
    return said + place_of(error)
