"""python3 -m bench_against_worker BENCHMARKS: serve bench-against, or try each one by hand.

BENCHMARKS is a file ("bench.py"), a module ("package.bench"), or "--asv FOLDER": the time_
functions of a folder of benchmarks for asv.
"""

import importlib
import importlib.util
import os
import sys
from typing import List

from .asv import register_all
from .byhand import try_all
from .channel import Channel
from .count import start_again_with_plain_malloc
from .registry import REGISTRY
from .worker import Worker, describe


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
    asv = argv[1:2] == ["--asv"]
    if len(argv) != (3 if asv else 2) or argv[-1].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 0 if argv[1:] == ["--help"] else 129
    start_again_with_plain_malloc()
    name = argv[-1]
    # files beside the benchmarks, as if they were run as a script
    if asv or name.endswith(".py"):
        sys.path.insert(0, os.path.dirname(os.path.abspath(name)))

    def fill() -> None:
        register_all(name) if asv else load(name)

    channel = Channel.from_environment()
    if channel is None:
        return try_all(REGISTRY, fill)
    return Worker(channel, REGISTRY, fill, describe()).serve()


if __name__ == "__main__":
    # nothing of the project's is left to wait for: threads, destructors, exit handlers
    status = main(sys.argv)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
