"""A suite's library (include/bench_against/suite.h) called from Python: by ctypes, standard library
alone. Its kernels work on memory that the caller gives, so that they can be timed beside a
framework's on the same tensors, with the same clock and the same cost of Python.

    suite = Suite("./kernels.so", context, device=0, sm_arch=90, symbol=driver_symbol)
    case = suite.set_up("attention", {"B": 1, ...}, seed, stream, alloc)
    case.run()

`alloc(bytes, name)` returns the address of device memory, or raises.
"""

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32
from ctypes import c_int64, c_size_t, c_uint32, c_uint64, c_void_p

ABI = 1
_INTEGER, _REAL = 0, 1
_SAID_NO = 1  # any number but 0
COUNTS = ("flop", "bytes_read", "bytes_written", "items")

_Symbol = CFUNCTYPE(c_void_p, c_char_p)
_Log = CFUNCTYPE(None, c_char_p)
_Count = CFUNCTYPE(None, c_int, c_double)
_UseStream = CFUNCTYPE(None, c_void_p)
_Skip = CFUNCTYPE(c_int, c_char_p)
_Alloc = CFUNCTYPE(c_int, POINTER(c_uint64), c_size_t, c_int, c_char_p)


class _Host(Structure):
    _fields_ = [("abi", c_uint32), ("struct_size", c_uint32), ("device", c_int32)]
    _fields_ += [("sm_arch", c_int32), ("context", c_void_p), ("driver_symbol", _Symbol)]
    _fields_ += [("log", _Log), ("count", _Count), ("use_stream", _UseStream), ("skip", _Skip)]
    _fields_ += [("alloc", _Alloc), ("compare", c_void_p)]


class _Value(Structure):
    _fields_ = [("text", c_char_p), ("integer", c_int64), ("real", c_double)]


class _Setup(Structure):
    _fields_ = [("abi", c_uint32), ("struct_size", c_uint32), ("values", POINTER(_Value))]
    _fields_ += [("value_count", c_uint32), ("sets", c_uint32), ("seed", c_uint64)]
    _fields_ += [("stream", c_void_p)]


class _Run(Structure):
    _fields_ = [("abi", c_uint32), ("struct_size", c_uint32), ("stream", c_void_p)]
    _fields_ += [("set", c_uint32)]


class _Axis(Structure):
    _fields_ = [("name", c_char_p), ("kind", c_uint32), ("values", POINTER(c_char_p))]


class _Benchmark(Structure):
    _fields_ = [("name", c_char_p), ("help", c_char_p), ("axes", POINTER(_Axis))]
    _fields_ += [("axis_count", c_uint32), ("rotates", c_uint32), ("points", POINTER(c_char_p))]
    _fields_ += [("setup", CFUNCTYPE(c_int, POINTER(c_void_p), c_void_p, POINTER(_Setup)))]
    _fields_ += [("run", CFUNCTYPE(c_int, c_void_p, POINTER(_Run)))]
    _fields_ += [("check", c_void_p), ("teardown", CFUNCTYPE(None, c_void_p))]


class _Suite(Structure):
    _fields_ = [("abi", c_uint32), ("struct_size", c_uint32), ("name", c_char_p)]
    _fields_ += [("benchmarks", c_void_p), ("benchmark_count", c_uint32)]
    _fields_ += [("benchmark_size", c_uint32)]
    _fields_ += [("open", CFUNCTYPE(c_int, POINTER(c_void_p), POINTER(_Host)))]
    _fields_ += [("close", CFUNCTYPE(None, c_void_p))]
    _fields_ += [("last_error", CFUNCTYPE(c_char_p, c_void_p))]


class Skipped(Exception):
    """The library says that it cannot run here, and why."""


class Suite:
    """A library that was loaded, and its session."""

    def __init__(self, path, context, device, sm_arch, symbol):
        entry = ctypes.CDLL(path).bench_against_suite
        entry.restype, entry.argtypes = POINTER(_Suite), [c_uint32]
        table = entry(ABI)
        if not table or table.contents.abi != ABI:
            raise RuntimeError(f"'{path}' is a suite of another version")
        self._table = table.contents
        self._alloc, self._skipped, self._raised = None, None, None
        self._counts = dict.fromkeys(COUNTS, 0.0)
        self._host = _Host(ABI, ctypes.sizeof(_Host), device, sm_arch, context)
        self._host.driver_symbol = _Symbol(lambda name: symbol(name.decode()))
        self._host.log = _Log(lambda line: print(line.decode(errors="replace")))
        self._host.count = _Count(self._take_count)
        self._host.use_stream = _UseStream(self._take_stream)
        self._host.skip = _Skip(self._take_skip)
        self._host.alloc = _Alloc(self._take_alloc)
        self._session = c_void_p()
        self._must(self._table.open(byref(self._session), byref(self._host)))

    def set_up(self, name, values, seed, stream, alloc):
        """A Case; `values` has a text or number for each axis."""
        benchmark = self._find(name)
        texts = [str(values[benchmark.axes[i].name.decode()]) for i in range(benchmark.axis_count)]
        rows = (_Value * len(texts))()
        for i, text in enumerate(texts):
            kind = benchmark.axes[i].kind
            rows[i].text = text.encode()
            rows[i].integer = int(text) if kind == _INTEGER else 0
            rows[i].real = float(text) if kind in (_INTEGER, _REAL) else 0
        self._alloc, self._skipped, self._raised = alloc, None, None
        self._counts = dict.fromkeys(COUNTS, 0.0)
        setup = _Setup(ABI, ctypes.sizeof(_Setup), rows, len(texts), 1, seed, stream)
        made = c_void_p()
        result = benchmark.setup(byref(made), self._session, byref(setup))
        case = Case(self, benchmark, made, stream, self._counts)
        try:
            self._must(result)
        except Exception:
            case.teardown()
            raise
        return case

    def close(self):
        self._table.close(self._session)

    def error(self):
        text = self._table.last_error(self._session)
        return (text or b"it does not say why").decode(errors="replace")

    def _find(self, name):
        for i in range(self._table.benchmark_count):
            at = self._table.benchmarks + i * self._table.benchmark_size
            benchmark = _Benchmark.from_address(at)
            if benchmark.name.decode() == name:
                return benchmark
        raise KeyError(f"the library has no benchmark '{name}'")

    def _must(self, result):
        if self._raised:
            raise self._raised
        if self._skipped is not None:
            raise Skipped(self._skipped)
        if result:
            raise RuntimeError(self.error())

    # ---- what the library calls; an exception must not pass through it ----

    def _take_count(self, what, amount):
        if 0 <= what < len(COUNTS):
            self._counts[COUNTS[what]] = amount

    def _take_stream(self, _stream):
        self._raised = RuntimeError("works on a stream of its own, which is not offered here")

    def _take_skip(self, reason):
        self._skipped = reason.decode(errors="replace")
        return _SAID_NO

    def _take_alloc(self, address, size, _kind, name):
        try:
            address[0] = self._alloc(size, name.decode())
        except Exception as error:
            self._raised = error
            return _SAID_NO
        return 0


class Case:
    """A benchmark of the library that is set up, on one set of inputs."""

    def __init__(self, suite, benchmark, handle, stream, counts):
        self.counts = counts
        self._suite, self._benchmark, self._handle = suite, benchmark, handle
        self._how = _Run(ABI, ctypes.sizeof(_Run), stream, 0)
        self.run = self._runner()

    def _runner(self):
        """As little Python as there can be between the caller and the library."""
        function, handle, how = self._benchmark.run, self._handle, byref(self._how)
        error = self._suite.error

        def run():
            if function(handle, how):
                raise RuntimeError(error())

        return run

    def teardown(self):
        if self._handle:
            self._benchmark.teardown(self._handle)
            self._handle = c_void_p()
