"""count_pairs.py TOOL PYTHON: counts small functions of packages from PyPI, the same code as two variants, in two runs.

PYTHON has the packages that PACKAGES names (pip install, some under another name). Writes the rows of tests/data/count-pairs.csv:
the counts of both variants in each invocation. About ten minutes on two busy processors that step singly at 30 us.
"""

import json
import os
import subprocess
import sys
import tempfile

PACKAGES = {
    "packaging": ("packaging.version:Version", "1.2.3"),
    "packaging.specifiers": ("packaging.specifiers:SpecifierSet", ">=1.0,<2"),
    "toolz": ("toolz:merge", {"a": 1}, {"b": 2}),
    "more_itertools": ("more_itertools:collapse", [[1, 2], [3]]),
    "sortedcontainers": ("sortedcontainers:SortedList", [3, 1, 2]),
    "idna": ("idna:encode", "abc"),
    "charset_normalizer": ("charset_normalizer.utils:is_latin", "e"),
    "click": ("click:style", "text", "red"),
    "markupsafe": ("markupsafe:escape", "<a>"),
    "jinja2": ("jinja2.utils:pformat", {"a": 1}),
    "yaml": ("yaml:safe_dump", 1),
    "dateutil": ("dateutil.parser:isoparse", "2020-01-02"),
    "tabulate": ("tabulate:simple_separated_format", "-"),
    "tomli": ("tomli:loads", "a = 1"),
    "wcwidth": ("wcwidth:wcswidth", "abcdef"),
    "pygments": ("pygments.util:get_bool_opt", {"a": "yes"}, "a"),
    "networkx": ("networkx:path_graph", 5),
    "msgpack": ("msgpack:packb", {"a": [1, 2, 3]}),
    "orjson": ("orjson:dumps", {"a": [1, 2, 3]}),
    "regex": ("regex:escape", "a.b"),
    "lxml": ("lxml.etree:fromstring", "<a><b/></a>"),
    "multidict": ("multidict:MultiDict", {"a": 1}),
    "frozenlist": ("frozenlist:FrozenList", [1, 2, 3]),
    "pyrsistent": ("pyrsistent:pmap", {"a": 1}),
    "cachetools": ("cachetools.keys:hashkey", 1, 2),
    "webcolors": ("webcolors:name_to_hex", "red"),
    "semver": ("semver:Version.parse", "1.2.3"),
    "inflection": ("inflection:camelize", "some_name"),
    "slugify": ("slugify:slugify", "a text"),
    "humanize": ("humanize:intcomma", 1234567),
    "pyparsing": ("pyparsing:Word", "ab"),
}
BENCH = '''
import importlib
from bench_against_worker import benchmark
PACKAGES = {packages!r}
@benchmark(axes={{"package": list(PACKAGES)}})
def call(package):
    path, *arguments = PACKAGES[package]
    module, names = path.split(":")
    work = importlib.import_module(module)
    for name in names.split("."):
        work = getattr(work, name)
    return lambda: work(*arguments)
'''


def counts_of(document):
    for series in document["series"]:
        package = document["benchmarks"][series["benchmark"]]["id"].split("=")[1]
        pairs = [dict(zip(s["order"], s["ns"])) for s in series["samples"]]
        yield package, " ".join(f"{p[0]} {p[1]}" for p in pairs if len(p) == 2)


def main():
    tool, python = (os.path.abspath(a) for a in sys.argv[1:])
    print("run,package,counts")
    with tempfile.TemporaryDirectory() as top:
        suite = {"kind": "worker", "command": [python, "-m", "bench_against_worker", "bench.py"]}
        for side in "ab":
            os.mkdir(os.path.join(top, side))
            with open(os.path.join(top, side, "bench.py"), "w") as file:
                file.write(BENCH.format(packages=PACKAGES))
            with open(os.path.join(top, side, ".bench-against.json"), "w") as file:
                json.dump({"target": "host", "suites": {"aa": suite}}, file)
        for run in (1, 2):
            output = os.path.join(top, "results.json")
            command = [tool, f"path:{top}/a", f"path:{top}/b", "--metrics", "instructions", "--output", output]
            subprocess.run(command, cwd=os.path.join(top, "a"), stdout=sys.stderr, check=True)
            with open(output) as file:
                for package, counts in counts_of(json.load(file)):
                    print(f"{run},{package},{counts}")


main()
