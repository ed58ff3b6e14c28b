"""The benchmarks of time_to_verdict.py: three packages, from the folder in which this file is.

CASES has the functions that prepare one and return what is called; with PAIRS_CASES=a,b these alone.
Run as a program: the time of a call of each, in nanoseconds, the mean of the middle half."""
import gc
import json
import os
import time

import attr
import jinja2
import packaging
from packaging.specifiers import SpecifierSet
from packaging.version import Version

SOURCE = "{% for i in items %}{{ i }}, {{ name }}{% endfor %}"

for _module in (attr, jinja2, packaging):
    if os.path.dirname(os.path.dirname(_module.__file__)) != os.path.dirname(os.path.abspath(__file__)):
        raise ImportError(f"{_module.__file__} is of another version")


def attrs_asdict():
    @attr.s(auto_attribs=True)
    class Point:
        x: int = 1
        name: str = "x"
        more: list = attr.Factory(list)

    point = Point(1, "y", [1, 2, 3])
    return lambda: attr.asdict(point)


def attrs_class():
    def define():
        @attr.s(auto_attribs=True)
        class Point:
            x: int = 1
            name: str = "x"

        return Point

    return define


def version():
    return lambda: Version("1.2.3.post4")


def specifiers():
    return lambda: SpecifierSet(">=1.0,<2.0")


def contains():
    allowed = SpecifierSet(">=1.0,<2.0")
    return lambda: allowed.contains("1.5.1")


def render():
    template = jinja2.Template(SOURCE)
    return lambda: template.render(items=range(10), name="n")


def compile_template():
    environment = jinja2.Environment()
    return lambda: environment.compile(SOURCE)


CASES = {f.__name__: f for f in (attrs_asdict, attrs_class, version, specifiers, contains, render,
                                 compile_template)}
if os.environ.get("PAIRS_CASES"):
    CASES = {name: CASES[name] for name in os.environ["PAIRS_CASES"].split(",")}


def time_of(call, visits=30, visit_ns=2_000_000):
    call()
    start = time.perf_counter_ns()
    call()
    count = max(1, visit_ns // max(1, time.perf_counter_ns() - start))
    times = []
    for _ in range(visits):
        gc.collect()
        start = time.perf_counter_ns()
        for _ in range(count):
            call()
        times.append((time.perf_counter_ns() - start) / count)
    times.sort()
    middle = times[visits // 4: visits - visits // 4]
    return sum(middle) / len(middle)


if __name__ == "__main__":
    gc.disable()
    gc.freeze()
    print(json.dumps({name: time_of(prepare()) for name, prepare in CASES.items()}))
