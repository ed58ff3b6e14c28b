"""What bench-against counts of this project: the instructions that a call executes. Try it:

    bench-against run WORKTREE --metrics instructions
"""

from bench_against_worker import benchmark

# from @PACKAGE@ import my_function


@benchmark(axes={"n": [10, 100]})
def example(n):
    # setup, which is not counted; seeded, so that every variant gets the same
    values = list(range(n))
    # what is counted, up to a million instructions. The line to edit: put a call of yours here
    return lambda: sum(values)


# A launch needs no GPU: bench-against's own driver returns at once and executes nothing.
#
# @benchmark(gpu=True, metrics=["submit"])
# def launch():
#     from numba import cuda
#     kernel = cuda.jit(lambda: None)[1, 32]
#     kernel()  # compiles it
#     return kernel
