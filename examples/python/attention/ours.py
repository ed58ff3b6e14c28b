"""The attention of kernels.so on PyTorch's tensors: what its library would be as a backend."""

import ctypes
import os

import torch
from plugin import Skipped, Suite

from bench_against_worker import Skip

LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels.so")
_suite = None


def prepare(q, k, v, causal, dtype, seed):
    """run, its result, teardown. The library fills q, k and v again, and must write the same."""
    names = {"q": q, "k": k, "v": v, "o": torch.empty_like(q)}
    memory = []

    def alloc(size, name):
        tensor = names.get(name)
        if tensor is None or tensor.numel() * tensor.element_size() != size:
            tensor = torch.empty(size, dtype=torch.uint8, device=q.device)
        tensor.view(torch.uint8).fill_(0xFF)  # NaN in any type
        memory.append(tensor)
        return tensor.data_ptr()

    B, H, S, d = q.shape
    values = {"B": B, "H": H, "S": S, "d": d, "dtype": dtype, "causal": causal, "kernel": 0}
    before = [x.clone() for x in (q, k, v)]
    stream = torch.cuda.current_stream().cuda_stream
    try:
        case = suite().set_up("attention", values, seed, stream, alloc)
    except Skipped as skipped:
        raise Skip(str(skipped)) from None
    for name, mine in zip("qkv", before):
        assert any(x is names[name] for x in memory), f"the library has no memory '{name}'"
        assert torch.equal(mine.view(torch.int16), names[name].view(torch.int16)), (
            f"{name} is not the same in the library as in PyTorch"
        )

    def teardown():
        case.teardown()
        memory.clear()

    return case.run, lambda: names["o"], teardown


def suite():
    """Loaded once a process, in the context that PyTorch works in."""
    global _suite
    if _suite is None:
        driver = ctypes.CDLL("libcuda.so.1")
        version, context = ctypes.c_int(), ctypes.c_void_p()
        torch.cuda.synchronize()
        driver.cuDriverGetVersion(ctypes.byref(version))
        driver.cuCtxGetCurrent(ctypes.byref(context))

        def symbol(name):
            found, status = ctypes.c_void_p(), ctypes.c_int()
            asked = (name.encode(), ctypes.byref(found), version, ctypes.c_uint64(0))
            return None if driver.cuGetProcAddress_v2(*asked, ctypes.byref(status)) else found.value

        device = torch.cuda.current_device()
        major, minor = torch.cuda.get_device_capability(device)
        _suite = Suite(LIBRARY, context, device, 10 * major + minor, symbol)
    return _suite
