"""sdpa.py [RUNS]: PyTorch's scaled_dot_product_attention on the shapes of kernels.sh, by backend.

For each: GPU time of a run (events around RUNS runs behind one another) and host-inclusive time
(clock around one call and its synchronisation, median), in microseconds.
"""
import statistics
import sys
import time

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

SHAPES = [(1, 1, 128, 64), (8, 4, 128, 64), (32, 8, 128, 64), (32, 8, 256, 64),
          (32, 8, 256, 128), (32, 16, 512, 64), (16, 16, 1024, 64), (16, 16, 1024, 128),
          (8, 16, 2048, 128), (4, 16, 4096, 64), (4, 16, 4096, 128)]
BACKENDS = [("default", None), ("flash", SDPBackend.FLASH_ATTENTION),
            ("cudnn", SDPBackend.CUDNN_ATTENTION),
            ("efficient", SDPBackend.EFFICIENT_ATTENTION)]


def measure(call, runs):
    for _ in range(runs // 4 + 1):
        call()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(runs):
        call()
    end.record()
    torch.cuda.synchronize()
    gpu = begin.elapsed_time(end) * 1e3 / runs
    host = []
    for _ in range(runs):
        start = time.perf_counter_ns()
        call()
        torch.cuda.synchronize()
        host.append((time.perf_counter_ns() - start) / 1e3)
    return gpu, statistics.median(host)


def one(shape, dtype, causal, backend, runs):
    q, k, v = (torch.randn(shape, dtype=dtype, device="cuda") for _ in range(3))

    def call():
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

    if backend is None:
        return measure(call, runs)
    with sdpa_kernel(backend):
        return measure(call, runs)


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    if not torch.cuda.is_available():
        print("sdpa.py: no GPU here")
        return 77
    torch.manual_seed(1)
    for shape in SHAPES:
        for dtype, name in ((torch.float16, "f16"), (torch.bfloat16, "bf16")):
            for causal in (False, True):
                label = "B=%d,H=%d,S=%d,d=%d,dtype=%s,causal=%s" % (
                    shape + (name, "yes" if causal else "no"))
                for backend, kind in BACKENDS:
                    try:
                        gpu, host = one(shape, dtype, causal, kind, runs)
                        print("%-48s %-10s gpu %9.2f us  host %9.2f us" % (
                            label, backend, gpu, host))
                    except RuntimeError as error:
                        print("%-48s %-10s not here: %s" % (
                            label, backend, str(error).splitlines()[0]))
    return 0


sys.exit(main())
