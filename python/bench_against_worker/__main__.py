"""python3 -m bench_against_worker BENCHMARKS: serve bench-against, or try each one by hand.

BENCHMARKS is a file ("bench.py") or a module ("package.bench").
"""

import importlib
import importlib.util
import os
import sys
from typing import List

from .byhand import try_all
from .channel import Channel
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
    if len(argv) != 2 or argv[1].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 0 if argv[1:] == ["--help"] else 129
    # files beside the benchmarks, as if they were run as a script
    if argv[1].endswith(".py"):
        sys.path.insert(0, os.path.dirname(os.path.abspath(argv[1])))
    channel = Channel.from_environment()
    if channel is None:
        return try_all(REGISTRY, lambda: load(argv[1]))
    return Worker(channel, REGISTRY, lambda: load(argv[1]), describe()).serve()


if __name__ == "__main__":
    # nothing of the project's is left to wait for: threads, destructors, exit handlers
    status = main(sys.argv)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
