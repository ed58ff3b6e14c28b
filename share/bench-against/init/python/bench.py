"""What bench-against measures of this project. Try it:

    bench-against run WORKTREE --target host

What the start of a process takes, and the modules that an import got slower by:

    bench-against HEAD~ WORKTREE --target host --metrics import,first_call,host_peak
"""

from bench_against_worker import benchmark

# from my_package import my_function


@benchmark(axes={"n": [10, 1000]})
def example(n):
    # setup, which is not timed; seeded, so that every variant gets the same
    values = list(range(n))
    # what is timed: put a call of yours here
    return lambda: sum(values)


# Work on a GPU is timed there, by events of the driver:
#
# @benchmark(axes={"n": [1 << 10, 1 << 20]}, gpu=True)
# def add(n):
#     import torch
#     a = torch.ones(n, device="cuda")
#     return lambda: torch.add(a, a, out=a)
