"""Launches by cuda.bindings, cuda.core and Numba, for --target host. LAUNCHES is of the commit."""

import cuda_launches
from bench_against_worker import Case, benchmark

LAUNCHES = 1


def never():
    raise AssertionError("a result was checked where nothing is executed")


def times(launch):
    def run():
        for _ in range(LAUNCHES):
            launch()

    return Case(run, check=never)


@benchmark(gpu=True, metrics=["submit", "gpu_hot"])
def bindings():
    return times(cuda_launches.bindings())


@benchmark(gpu=True, metrics=["submit", "gpu_hot"])
def core():
    return times(cuda_launches.core())


@benchmark(gpu=True, metrics=["submit", "gpu_hot"], axes={"args": [0, 1, 4]})
def numba(args):
    return times(cuda_launches.numba(args))


@benchmark(gpu=True, metrics=["submit"])
def runtime():
    """What the host target has not."""
    from cuda.bindings import runtime

    cuda_launches.good(runtime.cudaDeviceSynchronize())
    return lambda: None
