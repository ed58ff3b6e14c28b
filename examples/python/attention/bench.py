"""Scaled dot-product attention of PyTorch, backend by backend: GPU time and time on the wall."""

import inputs
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from bench_against_worker import Case, Skip, benchmark

SHAPES = [(1, 1, 128, 64), (8, 4, 128, 64), (32, 8, 128, 64), (32, 8, 256, 64)]
SHAPES += [(8, 16, 512, 64), (4, 16, 1024, 64), (2, 16, 2048, 64), (1, 16, 4096, 64)]
SHAPES += [(8, 16, 512, 128), (4, 16, 1024, 128), (2, 16, 2048, 128), (1, 16, 4096, 128)]
DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16}
# the largest error that is believed to be rounding: sqrt(sum (x - reference)^2 / sum reference^2)
TOLERANCES = {"f16": 2e-3, "bf16": 1.5e-2}
BACKENDS = {
    "default": None,
    "flash": SDPBackend.FLASH_ATTENTION,
    "efficient": SDPBackend.EFFICIENT_ATTENTION,
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "math": SDPBackend.MATH,
}


@benchmark(
    gpu=True,
    points=[dict(zip("BHSd", shape)) for shape in SHAPES],
    axes={"dtype": list(DTYPES), "causal": [0, 1], "backend": list(BACKENDS)},
)
def sdpa(B, H, S, d, dtype, causal, backend, seed):
    if not torch.cuda.is_available():
        raise Skip("PyTorch sees no CUDA device")
    shape = (B, H, S, d)
    q, k, v = (
        inputs.normal(inputs.array_seed(seed, which), shape, "cuda").to(DTYPES[dtype])
        for which in range(3)
    )
    # chosen once, so that choosing is not timed
    choice = sdpa_kernel([BACKENDS[backend]]) if BACKENDS[backend] else None
    if choice:
        choice.__enter__()
    result = []

    def run():
        result[:] = [F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal))]

    def check():
        (x,) = result
        assert torch.isfinite(x).all(), "not all of the result is finite"
        again = F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal))
        assert torch.equal(x, again), "two runs differ"
        error = relative_error(x, q, k, v, causal)
        assert error <= TOLERANCES[dtype], f"relative error {error:.2e}"

    def teardown():
        result.clear()
        if choice:
            choice.__exit__(None, None, None)

    try:
        run()
    except RuntimeError as error:
        teardown()
        raise Skip(f"no '{backend}' backend for this: {str(error).splitlines()[0]}") from None
    size = q.element_size() * q.numel()
    return Case(
        run,
        check=check,
        teardown=teardown,
        stream=torch.cuda.current_stream().cuda_stream,
        flop=(2 if causal else 4) * B * H * S * S * d,
        bytes_read=3 * size,
        bytes_written=size,
    )


def relative_error(x, q, k, v, causal):
    """Against the same in 64 bits, head by head: memory for one matrix of scores."""
    S, d = q.shape[-2:]
    hidden = torch.ones(S, S, dtype=torch.bool, device=q.device).triu(1)
    wrong, whole = 0.0, 0.0
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            scores = q[b, h].double() @ k[b, h].double().T / d**0.5
            if causal:
                scores = scores.masked_fill(hidden, float("-inf"))
            expected = torch.softmax(scores, -1) @ v[b, h].double()
            wrong += float(((x[b, h].double() - expected) ** 2).sum())
            whole += float((expected**2).sum())
    return (wrong / whole) ** 0.5
