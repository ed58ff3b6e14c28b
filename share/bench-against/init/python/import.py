"""What bench-against measures of this project. Try it:

    bench-against run WORKTREE --target host

What the start of a process takes, and the modules that an import got slower by:

    bench-against HEAD~ WORKTREE --target host --metrics import,first_call,host_peak
"""

import os
import subprocess
import sys

from bench_against_worker import benchmark

import @PACKAGE@


@benchmark
def import_package():
    # in an interpreter of its own each time
    ours = {name: value for name, value in os.environ.items() if "BENCH_AGAINST" not in name}
    command = [sys.executable, "-c", "import @PACKAGE@"]
    return lambda: subprocess.run(command, env=ours, check=True)


@benchmark(axes={"n": [10, 1000]})
def example(n):
    # setup, which is not timed; seeded, so that every variant gets the same
    names = dir(@PACKAGE@) * n
    # what is timed. The line to edit: put a call of @PACKAGE@ here
    return lambda: sorted(names)
