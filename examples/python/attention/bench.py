"""Scaled dot-product attention of PyTorch, backend by backend: GPU time and time on the wall.

Where a library of kernels of one's own lies beside this file (kernels.so, a suite of
bench_against/suite.h with a benchmark `attention`), it is a backend, too: `ours`.
"""

import os

import inputs
import ours
import torch
import torch.nn.functional as F
from reference import Reference
from torch.nn.attention import SDPBackend, sdpa_kernel

from bench_against_worker import Case, Skip, benchmark

SHAPES = [(1, 1, 128, 64), (8, 4, 128, 64), (32, 8, 128, 64), (32, 8, 256, 64)]
SHAPES += [(32, 8, 256, 128), (32, 16, 512, 64), (16, 16, 1024, 64), (16, 16, 1024, 128)]
SHAPES += [(8, 16, 2048, 128), (4, 16, 4096, 64), (4, 16, 4096, 128)]
DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16}
BACKENDS = {
    "default": None,
    "flash": SDPBackend.FLASH_ATTENTION,
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "efficient": SDPBackend.EFFICIENT_ATTENTION,
    "math": SDPBackend.MATH,
}


@benchmark(
    gpu=True,
    points=[dict(zip("BHSd", shape)) for shape in SHAPES],
    axes={
        "dtype": list(DTYPES),
        "causal": ["no", "yes"],
        "backend": [*BACKENDS, *(["ours"] if os.path.exists(ours.LIBRARY) else [])],
    },
)
def attention(B, H, S, d, dtype, causal, backend, seed):
    if not torch.cuda.is_available():
        raise Skip("PyTorch sees no CUDA device")
    q, k, v = (
        inputs.normal(inputs.array_seed(seed, which), (B, H, S, d), "cuda").to(DTYPES[dtype])
        for which in range(3)
    )
    reference = reference_of(q, k, v, (B, H, S, d, dtype, causal, seed))
    if backend == "ours":
        run, result, teardown = ours.prepare(q, k, v, causal, dtype, seed)
    else:
        run, result, teardown = prepare(q, k, v, causal == "yes", backend)

    def check():
        x = result().clone()
        reference.refuse(x)
        result().fill_(float("nan"))
        run()
        assert torch.equal(x, result()), "two runs differ"

    size = q.element_size() * q.numel()
    return Case(
        run,
        check=check,
        teardown=teardown,
        stream=torch.cuda.current_stream().cuda_stream,
        flop=(2 if causal == "yes" else 4) * B * H * S * S * d,
        bytes_read=3 * size,
        bytes_written=size,
        items=B * H * S,
    )


def prepare(q, k, v, causal, backend):
    """PyTorch's, by that backend and no other: run, the last result, teardown."""
    # chosen once, so that choosing is not timed
    choice = sdpa_kernel([BACKENDS[backend]]) if BACKENDS[backend] else None
    if choice:
        choice.__enter__()
    result = []

    def run():
        result[:] = [F.scaled_dot_product_attention(q, k, v, is_causal=causal)]

    def teardown():
        result.clear()
        if choice:
            choice.__exit__(None, None, None)

    try:
        run()
    except RuntimeError as error:
        teardown()
        raise Skip(f"no '{backend}' backend for this: {str(error).splitlines()[0]}") from None
    return run, lambda: result[0], teardown


_last_reference = {}


def reference_of(q, k, v, key):
    """The backends of a shape follow one another, and are compared with the same."""
    if key not in _last_reference:
        _last_reference.clear()
        _last_reference[key] = Reference(q, k, v, key[5] == "yes")
    return _last_reference[key]
