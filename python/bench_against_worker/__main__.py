"""python3 -m bench_against_worker BENCHMARKS: serve bench-against, or try each one by hand.

BENCHMARKS is

  bench.py                        a file
  package.bench                   a module
  [OPTIONS] --asv FOLDER          a folder of benchmarks for asv
  [OPTIONS] --pytest ARGUMENTS    tests with the fixture `benchmark`; the arguments are pytest's
  [OPTIONS] --task FORMAT TASK [CANDIDATE]
                                  a task for candidates: own, kernelbench, gpumode, flashinfer, sol
  --nvbench bench.py ARGUMENTS    a program that runs benchmarks of cuda.bench; its arguments

Option for asv:

  --setup-each-call               before each call, as asv from 0.6.5 on; without it, once

Options for tasks:

  --path=FOLDER:...               of the tree, where modules are found
  --regimes=NAME,...              inputs beside the task's own
  --repeatable                    the same inputs must give the same bits

Options for tests:

  --gpu                           all of them work on a GPU
  --metrics submit,gpu_hot        what is measured of them
  --group NAME                    only those of that group
  --marked                        also those with the marker `benchmark` alone, as a whole
"""

import os
import sys

if "--task" in sys.argv:
    # nothing comes from the tree, not even in place of Python's modules, before it is loaded
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != os.getcwd()]

# before anything else is imported, which would be imported twice
from .plain_malloc import start_again_with_plain_malloc

if __name__ == "__main__" and sys.argv[1:2] not in (["--asv-peak"], ["--nvbench"]):
    start_again_with_plain_malloc()

import importlib  # noqa: E402
import importlib.util  # noqa: E402
from typing import Callable, List  # noqa: E402

from .channel import Channel  # noqa: E402
from .registry import REGISTRY  # noqa: E402
from .worker import Failure, Load, Worker, describe  # noqa: E402


def load(name: str) -> None:
    """Import it; its decorators fill the registry."""
    if not name.endswith(".py"):
        importlib.import_module(name)
        return
    stem = os.path.splitext(os.path.basename(name))[0]
    spec = importlib.util.spec_from_file_location(stem, os.path.abspath(name))
    if spec is None or spec.loader is None or not os.path.isfile(name):
        raise FileNotFoundError(f"no file '{name}' in {os.getcwd()}")
    module = importlib.util.module_from_spec(spec)
    # frameworks that compile functions look for their module
    sys.modules[stem] = module
    spec.loader.exec_module(module)


def main(argv: List[str]) -> int:
    if argv[1:2] == ["--asv-peak"]:
        from . import asv

        return asv.print_peak(argv[2:])
    if argv[1:2] == ["--nvbench"] and argv[2:]:
        from . import nvbench

        return nvbench.run(argv[2:])
    try:
        load = loader_of(argv[1:])
    except ValueError as error:
        print(f"{error}\n\n" if str(error) else "", __doc__.strip(), sep="", file=sys.stderr)
        return 0 if argv[1:] == ["--help"] else 129
    channel = Channel.from_environment()
    if channel is None:
        from .byhand import try_all

        return try_all(REGISTRY, load)
    return Worker(channel, REGISTRY, load, describe()).serve()


def loader_of(words: List[str]) -> Load:
    """What the arguments name. ValueError: they do not name benchmarks."""
    if "--pytest" in words:
        at = words.index("--pytest")
        return tests_loader(words[:at], words[at + 1 :])
    if words[-2:-1] == ["--asv"] and words[:-2] in ([], ["--setup-each-call"]):
        # a third of a worker's start, which other benchmarks save
        from . import asv

        options = asv.Options(setup_each_call=len(words) > 2)
        return lambda go_on: asv.load(words[-1], options, REGISTRY, go_on)
    if "--task" in words:
        at = words.index("--task")
        options = dict(word[2:].partition("=")[::2] for word in words[:at])
        words = words[at + 1 :]
        if len(words) not in (2, 3) or not set(options) <= {"path", "regimes", "repeatable"}:
            raise ValueError("")
        from . import formats

        formats.load_packages(words[0], words[1])
        return lambda go_on: formats.load(words, options, REGISTRY, go_on)
    if len(words) != 1 or words[0].startswith("-"):
        raise ValueError("")
    name = words[0]

    def load_them(go_on: Callable[[], None]) -> None:
        # files beside the benchmarks, as if they were run as a script
        if name.endswith(".py"):
            sys.path.insert(0, os.path.dirname(os.path.abspath(name)))
        load(name)
        go_on()

    return load_them


def tests_loader(ours: List[str], pytests: List[str]) -> Load:
    given = {"--metrics": "", "--group": ""}
    flags = {"--gpu": False, "--marked": False}
    while ours:
        word, _, value = ours.pop(0).partition("=")
        if word in flags and not value:
            flags[word] = True
        elif word in given:
            if not value and not ours:
                raise ValueError(f"{word} needs a value")
            given[word] = value or ours.pop(0)
        else:
            raise ValueError(f"'{word}' is not an option for tests; pytest's come after --pytest")

    def load_tests(go_on: Callable[[], None]) -> None:
        try:
            from . import pytests as tests
        except ImportError as error:
            if error.name != "pytest":
                raise
            raise Failure(
                f"pytest is not installed for {sys.executable}: python3 -m pip install pytest"
            ) from None
        metrics = tuple(filter(None, given["--metrics"].split(",")))
        gpu, marked = flags.values()
        options = tests.Options(gpu, metrics, given["--group"], marked)
        tests.load(pytests, options, REGISTRY, go_on)

    return load_tests


if __name__ == "__main__":
    # nothing of the project's is left to wait for: threads, destructors, exit handlers
    status = main(sys.argv)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
