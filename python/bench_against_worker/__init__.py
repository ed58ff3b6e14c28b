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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .duet import compare
    from .registry import Case, Skip, benchmark

__version__ = "0.1.0"
__all__ = ["Case", "Skip", "benchmark", "compare", "__version__"]


def __getattr__(name: str) -> "Any":
    """A worker needs no `compare`, and a process that starts again for counting needs nothing."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "compare":
        from .duet import compare

        return compare
    from . import registry

    return getattr(registry, name)
