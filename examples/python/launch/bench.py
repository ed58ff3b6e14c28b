"""Empty kernels launched by Numba: what the host pays for each number of arguments."""

import numpy

if not hasattr(numpy, "row_stack"):
    # NumPy 2.5 removed what numba-cuda up to 0.30 asks for when it is imported
    numpy.row_stack = numpy.vstack

from numba import config, cuda, types  # noqa: E402

from bench_against_worker import Case, Skip, benchmark  # noqa: E402

# a grid of one block is what is wanted here
config.CUDA_LOW_OCCUPANCY_WARNINGS = 0

PARAMETERS = "a b c d".split()


def empty_kernel(args, dispatch):
    """def kernel(a, b): pass -- compiled for a signature now, or for the first call's types."""
    names = ", ".join(PARAMETERS[:args])
    scope = {}
    exec(f"def kernel({names}):\n    pass\n", scope)  # noqa: S102 - a function of `args` parameters
    if dispatch == "lazy":
        return cuda.jit(scope["kernel"])
    arrays = [types.Array(types.float32, 1, "C")] * args
    return cuda.jit(types.void(*arrays))(scope["kernel"])


@benchmark(
    gpu=True,
    axes={"args": [0, 1, 2, 3, 4], "dispatch": ["signature", "lazy"], "grid": ["kept", "each"]},
    metrics=["submit", "sustained", "roundtrip"],
    sync=cuda.synchronize,
)
def launch(args, dispatch, grid):
    if not cuda.is_available():
        raise Skip("Numba sees no CUDA device")
    kernel = empty_kernel(args, dispatch)
    arrays = [cuda.to_device(numpy.zeros(1, numpy.float32)) for _ in range(args)]
    configured = kernel[1, 1]
    # "each": the brackets are part of every launch, as most code writes it
    if grid == "each":
        return lambda: kernel[1, 1](*arrays)
    return lambda: configured(*arrays)


@benchmark(gpu=True, metrics=["submit", "roundtrip"], sync=cuda.synchronize)
def check_of_arguments():
    """A kernel that writes, so that what is launched is known to arrive."""
    if not cuda.is_available():
        raise Skip("Numba sees no CUDA device")

    @cuda.jit
    def put(out, value):
        out[0] = value

    out = cuda.to_device(numpy.zeros(1, numpy.float32))
    configured = put[1, 1]
    return Case(
        lambda: configured(out, numpy.float32(7)),
        sync=cuda.synchronize,
        check=lambda: out.copy_to_host()[0] == 7,
    )
