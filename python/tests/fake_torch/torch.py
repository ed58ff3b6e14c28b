"""As much of torch as formats of tasks use, on numpy's arrays: for tests where torch is not installed."""

import types

import numpy


class dtype:
    def __init__(self, name):
        self.name = name
        self.is_floating_point = name.startswith("float")

    def __str__(self):
        return "torch." + self.name


float16, float32, float64, uint8, int32, int64 = map(dtype, ("float16", "float32", "float64", "uint8", "int32", "int64"))
bool = dtype("bool")
KINDS = {d.name: d for d in (float16, float32, float64, uint8, int32, int64, bool)}
strided = "strided"


class device:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return self.name == getattr(other, "name", other)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


CPU = device("cpu")


class Tensor(numpy.ndarray):
    device, layout, is_cuda = CPU, strided, False

    @property
    def dtype(self):
        return KINDS[numpy.ndarray.dtype.__get__(self).name]

    @dtype.setter
    def dtype(self, kind):
        numpy.ndarray.dtype.__set__(self, kind)

    def view(self, *kind):
        kind = kind[0] if len(kind) == 1 else kind
        if hasattr(kind, "is_floating_point"):
            return numpy.ndarray.view(self, kind.name)
        return self.reshape(kind)

    def to(self, where):
        return self.astype(where.name) if hasattr(where, "is_floating_point") else self

    def double(self):
        return self.astype("float64")

    def half(self):
        return self.astype("float16")

    def float(self):
        return self.astype("float32")

    def numel(self):
        return self.size

    def element_size(self):
        return self.itemsize

    def copy_(self, other):
        numpy.copyto(self, other, casting="same_kind")

    def detach(self):
        return self

    contiguous = detach

    def clone(self):
        return self.copy()

    def is_contiguous(self):
        return self.flags.c_contiguous

    def data_ptr(self):
        return self.ctypes.data


def tensor_of(x, kind):
    return numpy.ascontiguousarray(x, dtype=kind.name).view(Tensor)


def frombuffer(memory, dtype):
    return numpy.frombuffer(memory, dtype=dtype.name).view(Tensor)


random = numpy.random.RandomState(0)


def manual_seed(seed):
    random.seed(seed % 2**32)


def randn(*shape, dtype=float32, generator=None):
    shape = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
    return tensor_of(random.standard_normal(shape), dtype)


def randint(low, high, shape):
    return tensor_of(random.randint(low, high, shape), int64)


def empty_like(x):
    return numpy.full_like(x, 7)


def zeros_like(x):
    return numpy.zeros_like(x)


def finfo(kind):
    return numpy.finfo(kind.name)


def isfinite(x):
    return numpy.isfinite(x)


def isnan(x):
    return numpy.isnan(x)


def set_grad_enabled(_on):
    pass


class Module:
    def __call__(self, *args):
        return self.forward(*args)

    def to(self, _where):
        return self

    def double(self):
        for name, value in vars(self).items():
            if isinstance(value, Tensor):
                setattr(self, name, value.double())
        return self


cuda = types.SimpleNamespace(is_available=lambda: False)
nn = types.SimpleNamespace(Module=Module, Parameter=lambda x: x)
