"""The inputs of the tool's own kernels (kernels/inputs.h), to the last bit, made with PyTorch.

An element is a function of the array's seed and of its place alone, so that a C program, a kernel
and this module make the same numbers. What is computed on is an array of 64-bit integers of any
library that has + * >> & ^ on them, and wraps around.
"""

_MASK = (1 << 64) - 1
#: 1 / 37837.23 in 32 bits, as C has it: four uniform numbers of 16 bits have this deviation
SCALE = float.fromhex("0x1.bb67acp-16")


def _signed(x):
    """The same 64 bits as a number that a signed integer can hold."""
    x &= _MASK
    return x - (1 << 64) if x >> 63 else x


def _shift(x, bits):
    """A logical shift to the right; that of signed integers is arithmetic."""
    return (x >> bits) & ((1 << (64 - bits)) - 1)


def array_seed(seed, which, of_set=0):
    """Of the array `which` (q 0, k 1, v 2) of a set of inputs: inputs_seed(), of one integer."""
    x = ((seed ^ 0x6B65726E656C7321) + ((of_set << 8 | which) + 1) * 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & _MASK
    return x ^ x >> 31


def sums(seed, places):
    """Nearly normal whole numbers within 131070; places[i] is i + 1 for the element i."""
    x = places * _signed(0x9E3779B97F4A7C15) + _signed(seed)
    x = (x ^ _shift(x, 30)) * _signed(0xBF58476D1CE4E5B9)
    x = (x ^ _shift(x, 27)) * _signed(0x94D049BB133111EB)
    x = x ^ _shift(x, 31)
    total = (x & 0xFFFF) + (x >> 16 & 0xFFFF) + (x >> 32 & 0xFFFF) + (x >> 48 & 0xFFFF)
    return total - 131070


def normal(seed, shape, device):
    """A float32 tensor of nearly normal numbers, mean 0, deviation 1."""
    import torch

    count = 1
    for size in shape:
        count *= size
    places = torch.arange(1, count + 1, dtype=torch.int64, device=device)
    scale = torch.tensor(SCALE, dtype=torch.float32, device=device)
    return (sums(seed, places).to(torch.float32) * scale).view(shape)
