"""A program that runs benchmarks of cuda.bench, unchanged: its NVBench answers the host.

cuda.bench brings the C++ library of NVBench. The tool's own library replaces a few of its functions
(src/measure/hook/nvbench.c), so that run_all_benchmarks() serves requests instead. This module
only loads both before the program begins.
"""

import ctypes
import functools
import os
import runpy
import sys
from typing import Any, Callable, List

from .count import find_library

_REASONS = {
    1: "this version of cuda.bench has an NVBench whose functions are not found",
    2: "the descriptors of bench-against are missing",
}


def run(words: List[str]) -> int:
    """words: the program and its arguments, as in sys.argv."""
    if "BENCH_AGAINST_REQUESTS" in os.environ:
        problem = _take_over()
        if problem:
            print(f"{words[0]}: {problem}", file=sys.stderr)
            return 1
    sys.argv = words
    sys.path.insert(0, os.path.dirname(os.path.abspath(words[0])))
    runpy.run_path(words[0], run_name="__main__")
    if "BENCH_AGAINST_REQUESTS" in os.environ:
        print(f"{words[0]} ended without run_all_benchmarks() of cuda.bench", file=sys.stderr)
        return 1
    return 0


def _take_over() -> str:
    """Why NVBench cannot be measured; "" if it can."""
    library = find_library("hook")
    if not library:
        return "hook.so of bench-against is missing: the installation is incomplete"
    hook = ctypes.CDLL(library)
    # before the extension loads the driver
    hook.ba_hook_watch()
    try:
        import cuda.bench

        # it loads its extension, and with it libnvbench.so, when something of it is used
        _ = cuda.bench.run_all_benchmarks
    except ImportError as error:
        return f"cuda.bench cannot be imported by {sys.executable}: {error}"
    return_pools(getattr(cuda.bench, "_nvbench", None))
    return _REASONS.get(hook.bench_against_hook(b"nvbench"), "")


def return_pools(extension: Any) -> None:
    """From here on, benchmarks that are registered leave no freed memory in pools of their process,
    because other variants need it."""
    register = getattr(extension, "register", None)
    if register:
        extension.register = lambda function: register(_and_return_pools(function))


def _and_return_pools(function: Callable[[Any], None]) -> Callable[[Any], None]:
    @functools.wraps(function)
    def measured(state: Any) -> None:
        try:
            function(state)
        finally:
            torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
            if torch and torch.cuda.is_initialized():
                torch.cuda.empty_cache()
            if cupy:
                cupy.get_default_memory_pool().free_all_blocks()

    return measured
