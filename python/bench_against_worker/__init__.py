"""Benchmarks of a Python project, measured by bench-against.

A file of a project says what is to be measured::

    from bench_against_worker import benchmark

    @benchmark(axes={"n": [10, 1000]})
    def total(n):
        data = list(range(n))
        return lambda: sum(data)

What stands before ``return`` is setup and is not timed; the callable that is returned is.
``.bench-against.json`` names the file::

    "suites": {"python": {"kind": "worker",
                          "command": ["python3", "-m", "bench_against_worker", "bench.py"]}}

and ``python3 -m bench_against_worker bench.py`` by hand tries every benchmark once. Clock, order
and number of runs are bench-against's. Nothing but the standard library is needed.
"""

from typing import TYPE_CHECKING, Any

from .registry import Case, Skip, benchmark

if TYPE_CHECKING:
    from .duet import compare

__version__ = "0.1.0"
__all__ = ["Case", "Skip", "benchmark", "compare", "__version__"]


def __getattr__(name: str) -> Any:
    """A worker needs no `compare`, and every process would pay for its import."""
    if name != "compare":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .duet import compare

    return compare
