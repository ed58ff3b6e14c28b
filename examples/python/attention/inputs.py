"""The inputs of the tool's own kernels (kernels/inputs.h), to the last bit, made with PyTorch."""

import torch

_MASK = (1 << 64) - 1


def _signed(x):
    """The same 64 bits as a number that a torch.int64 can hold."""
    x &= _MASK
    return x - (1 << 64) if x >> 63 else x


def _shift(x, bits):
    """A logical shift to the right; torch's is arithmetic."""
    return (x >> bits) & ((1 << (64 - bits)) - 1)


def _bits_of(seed, i):
    """splitmix64's finisher, of one Python integer."""
    x = (seed + (i + 1) * 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & _MASK
    return x ^ x >> 31


def array_seed(seed, which, of_set=0):
    return _bits_of(seed ^ 0x6B65726E656C7321, of_set << 8 | which)


def normal(seed, shape, device):
    """Nearly normal numbers, mean 0, deviation 1, as float32."""
    count = 1
    for size in shape:
        count *= size
    x = torch.arange(1, count + 1, dtype=torch.int64, device=device)
    x = x * _signed(0x9E3779B97F4A7C15) + _signed(seed)
    x = (x ^ _shift(x, 30)) * _signed(0xBF58476D1CE4E5B9)
    x = (x ^ _shift(x, 27)) * _signed(0x94D049BB133111EB)
    x = x ^ _shift(x, 31)
    total = (x & 0xFFFF) + (x >> 16 & 0xFFFF) + (x >> 32 & 0xFFFF) + (x >> 48 & 0xFFFF)
    scale = torch.tensor(1.0 / 37837.23, dtype=torch.float32, device=device)
    return ((total - 131070).to(torch.float32) * scale).view(shape)
