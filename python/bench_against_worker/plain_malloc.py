"""A process for counting, started anew with the C library's allocator. It imports next to nothing,
because the process that starts again imports everything a second time."""

import os
import sys

_TUNABLES = "glibc.malloc.tcache_count=65535"


def is_counting_process() -> bool:
    """The host starts a process for counting alone, and never measures time in it."""
    return os.environ.get("BENCH_AGAINST_COUNT") == "1"


def start_again_with_plain_malloc() -> None:
    """Python's own allocator executes more or less with the addresses that it has, and these move
    with the length of a path or a comment. The C library's cache of freed blocks does the same
    each time, if it is large enough never to be full.
    """
    environment = dict(os.environ)
    # an interpreter without the global lock has no other allocator
    if not is_counting_process() or "t" in sys.abiflags or not sys.executable:
        return
    if environment.get("PYTHONMALLOC") == "malloc" or not sys.platform.startswith("linux"):
        return
    environment["PYTHONMALLOC"] = "malloc"
    before = environment.get("GLIBC_TUNABLES")
    environment["GLIBC_TUNABLES"] = ":".join(filter(None, [before, _TUNABLES]))
    with open("/proc/self/cmdline", "rb") as file:
        argv = file.read().split(b"\0")[:-1]
    os.execve(sys.executable, argv, environment)
