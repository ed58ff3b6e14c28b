"""Memory at addresses that stay, whose contents another process chooses (src/device/pyarena)."""

import array
import ctypes
import os
import socket
import sys
from typing import Any, List, NamedTuple, Optional, Tuple

from .count import find_library

GUARD = 256
GUARD_BYTE, POISON = 0xA5, 0xFF


class ArenaError(Exception):
    """Why memory cannot be shared."""


class Block(NamedTuple):
    """An array in the memory of a case."""

    role: str  # "in", "out", or "inout"
    dtype: str
    shape: Tuple[int, ...]
    bytes: int

    @property
    def room(self) -> int:
        """With a guard before and after it."""
        return (self.bytes + 255) // 256 * 256 + 2 * GUARD


class Arena:
    """device < 0: memory of the host."""

    def __init__(self, device: int, size: int) -> None:
        path = find_library("arena")
        if path is None:
            raise ArenaError("bench_against_worker is installed without its library arena.so")
        self._library = library = ctypes.CDLL(path)
        library.ba_pyarena_text.restype = ctypes.c_char_p
        library.ba_pyarena_new.restype = ctypes.c_void_p
        library.ba_pyarena_new.argtypes = [ctypes.c_int, ctypes.c_size_t]
        library.ba_pyarena_at.restype = ctypes.c_uint64
        library.ba_pyarena_at.argtypes = [ctypes.c_void_p]
        library.ba_pyarena_renew.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        library.ba_pyarena_take.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]
        library.ba_pyarena_drop.argtypes = [ctypes.c_void_p]
        library.ba_pyarena_export.argtypes = [ctypes.POINTER(ctypes.c_int), ctypes.c_void_p]
        self._arena = library.ba_pyarena_new(device, size)
        if not self._arena:
            raise ArenaError(self._why())
        self.at = int(library.ba_pyarena_at(self._arena))
        self.size = size
        self.renew(size)

    def _why(self) -> str:
        return str(self._library.ba_pyarena_text().decode())

    def _check(self, rc: int) -> None:
        if rc:
            raise ArenaError(self._why())

    def renew(self, size: int) -> None:
        self._check(self._library.ba_pyarena_renew(self._arena, size))

    def take(self, fd: int, size: int) -> None:
        self._check(self._library.ba_pyarena_take(self._arena, fd, size))

    def drop(self) -> None:
        self._check(self._library.ba_pyarena_drop(self._arena))

    def reset_l2(self) -> None:
        self._check(self._library.ba_pyarena_reset_l2())

    def export(self) -> int:
        fd = ctypes.c_int(-1)
        self._check(self._library.ba_pyarena_export(ctypes.byref(fd), self._arena))
        return fd.value


# ---- descriptors ----


def send_descriptor(end: socket.socket, fd: int) -> None:
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))]
    end.sendmsg([b"\0"], rights)


def receive_descriptor(end: socket.socket) -> int:
    _, rights, _, _ = end.recvmsg(1, socket.CMSG_SPACE(4))
    for level, kind, data in rights:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            return int(array.array("i", data[:4])[0])
    raise ArenaError("no memory was handed over")


# ---- arrays of a library ----


class Plain:
    """array.array and memoryview, one-dimensional: no library is needed."""

    CODES = {"float32": "f", "float64": "d", "int8": "b", "uint8": "B", "int32": "i", "int64": "q"}
    name = "plain"
    device = -1

    def is_array(self, x: Any) -> bool:
        return type(x) in (array.array, memoryview)

    def describe(self, x: Any) -> Tuple[str, Tuple[int, ...], int]:
        code = x.typecode if isinstance(x, array.array) else x.format
        name = next((n for n, c in self.CODES.items() if c == code), None)
        if name is None:
            raise TypeError(f"arrays of type '{code}' are not known")
        return name, (len(x),), len(x) * x.itemsize

    def foreign(self, at: int, size: int) -> Any:
        """All bytes there."""
        return memoryview((ctypes.c_ubyte * size).from_address(at)).cast("B")

    def typed(self, raw: Any, dtype: str, shape: Tuple[int, ...]) -> Any:
        return raw.cast(self.CODES[dtype])

    def fill(self, raw: Any, byte: int) -> None:
        raw[:] = bytes([byte]) * len(raw)

    def is_filled(self, raw: Any, byte: int) -> bool:
        return bytes(raw) == bytes([byte]) * len(raw)

    def same_bits(self, a: Any, b: Any) -> bool:
        return memoryview(a).tobytes() == memoryview(b).tobytes()

    def copy(self, to: Any, source: Any) -> None:
        memoryview(to).cast("B")[:] = memoryview(source).cast("B")

    def clone(self, x: Any) -> Any:
        if isinstance(x, memoryview) and x.format == "B":
            return memoryview(bytearray(x))
        return array.array(x.typecode if isinstance(x, array.array) else x.format, x)

    def address(self, x: Any) -> int:
        if isinstance(x, array.array):
            return int(x.buffer_info()[0])
        return ctypes.addressof(ctypes.c_ubyte.from_buffer(x.cast("B")))

    def is_float(self, x: Any) -> bool:
        return self.describe(x)[0].startswith("float")

    def to_double(self, x: Any) -> Any:
        return array.array("d", x) if self.is_float(x) else x

    def sync(self) -> None:
        """All work that was started is done."""

    def forget(self) -> None:
        """Memory that is kept for later goes back to the device."""

    def is_contiguous(self, x: Any) -> bool:
        return True

    def count(self, x: Any) -> int:
        return len(x)

    def epsilon(self, dtype: str) -> float:
        return {"float32": 2.0**-24, "float64": 2.0**-53}[dtype]


class Row:
    """As much of numpy's arithmetic as numerics.py uses."""

    def __init__(self, values: Any) -> None:
        self.values = list(map(float, values))

    def finite(self) -> List[bool]:
        return [v - v == 0 for v in self.values]


class Numpy(Plain):
    name = "numpy"

    def __init__(self) -> None:
        import numpy

        self.xp: Any = numpy

    def is_array(self, x: Any) -> bool:
        return type(x) is self.xp.ndarray

    def describe(self, x: Any) -> Tuple[str, Tuple[int, ...], int]:
        return x.dtype.name, tuple(x.shape), x.nbytes

    def foreign(self, at: int, size: int) -> Any:
        return self.xp.frombuffer((ctypes.c_ubyte * size).from_address(at), dtype="uint8")

    def typed(self, raw: Any, dtype: str, shape: Tuple[int, ...]) -> Any:
        return raw.view(dtype).reshape(shape)

    def fill(self, raw: Any, byte: int) -> None:
        raw[...] = byte

    def is_filled(self, raw: Any, byte: int) -> bool:
        return bool((raw == byte).all())

    def same_bits(self, a: Any, b: Any) -> bool:
        return bool(a.tobytes() == b.tobytes())

    def copy(self, to: Any, source: Any) -> None:
        self.xp.copyto(to, source)

    def clone(self, x: Any) -> Any:
        return x.copy()

    def is_contiguous(self, x: Any) -> bool:
        return bool(x.flags.c_contiguous)

    def count(self, x: Any) -> int:
        return int(x.size)

    def address(self, x: Any) -> int:
        return int(x.ctypes.data)

    def is_float(self, x: Any) -> bool:
        return bool(x.dtype.kind == "f")

    def to_double(self, x: Any) -> Any:
        return x.astype("float64") if self.is_float(x) else x

    def epsilon(self, dtype: str) -> float:
        return float(self.xp.finfo(dtype).eps) / 2


class Torch(Numpy):
    name = "torch"

    def __init__(self, device: int) -> None:
        import torch

        self.xp = torch
        self.device = device
        self.where = torch.device("cpu" if device < 0 else f"cuda:{device}")
        if device >= 0:
            torch.cuda.set_device(device)
            torch.cuda.init()

    def is_array(self, x: Any) -> bool:
        return type(x) is self.xp.Tensor and x.device == self.where and x.layout == self.xp.strided

    def describe(self, x: Any) -> Tuple[str, Tuple[int, ...], int]:
        return str(x.dtype)[6:], tuple(x.shape), x.numel() * x.element_size()

    def foreign(self, at: int, size: int) -> Any:
        torch = self.xp
        if self.device < 0:
            return torch.frombuffer((ctypes.c_ubyte * size).from_address(at), dtype=torch.uint8)

        class There:
            __cuda_array_interface__ = {
                "shape": (size,), "typestr": "|u1", "data": (at, False), "version": 3, "strides": None,
            }

        return torch.as_tensor(There(), device=self.where)

    def typed(self, raw: Any, dtype: str, shape: Tuple[int, ...]) -> Any:
        return raw.view(getattr(self.xp, dtype)).view(shape)

    def same_bits(self, a: Any, b: Any) -> bool:
        return bool(self.xp.equal(*(x.reshape(-1).view(self.xp.uint8) for x in (a, b))))

    def copy(self, to: Any, source: Any) -> None:
        to.copy_(source)

    def clone(self, x: Any) -> Any:
        return x.detach().clone()

    def is_contiguous(self, x: Any) -> bool:
        return bool(x.is_contiguous())

    def count(self, x: Any) -> int:
        return int(x.numel())

    def address(self, x: Any) -> int:
        return int(x.data_ptr())

    def is_float(self, x: Any) -> bool:
        return bool(x.dtype.is_floating_point)

    def to_double(self, x: Any) -> Any:
        return x.double() if self.is_float(x) else x

    def sync(self) -> None:
        if self.device >= 0:
            self.xp.cuda.synchronize()

    def forget(self) -> None:
        if self.device >= 0:
            self.xp.cuda.empty_cache()

    def epsilon(self, dtype: str) -> float:
        return float(self.xp.finfo(getattr(self.xp, dtype)).eps) / 2


def library_of(x: Any, device: int) -> Optional[Plain]:
    """What handles such an array; None: it is not an array."""
    kind = type(x)
    module = sys.modules.get("torch")
    if module is not None and isinstance(x, module.Tensor):
        return Torch(device)
    module = sys.modules.get("numpy")
    if module is not None and isinstance(x, module.ndarray):
        return Numpy()
    return Plain() if kind in (array.array, memoryview) else None
