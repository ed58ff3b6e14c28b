"""GPU time with events of the CUDA driver, whatever framework launches the kernels.

PyTorch, Numba, CuPy and Triton all work in the device's primary context and on streams of the
driver, so that events recorded with the driver's own functions enclose their kernels. What keeps
launch latency out of a short kernel's time is a gate: a kernel that spins for a given time and ends
by itself, in front of the first event, while the host queues everything behind it. That it held is
proved each time: the first event must not have happened when the last call was queued.
"""

import ctypes
import os
from itertools import repeat
from typing import Any, Callable, Iterable, List, Optional, Tuple

from .registry import Case
from .timing import Clock, roundtrip

#: how the second-level cache is filled with other data
FLUSHES = ("read", "write")

_NOT_READY = 600
_SCHED_SPIN = 1
_L2_BYTES_ATTRIBUTE = 38
_SM_COUNT_ATTRIBUTE = 16
_GATE_FIRST_NS = 50_000
_GATE_MOST_NS = 100_000_000
_WARM_UP_NS = 300_000_000
_DEVICEMAP = 2
#: words of ba_spin's report: global timer and cycles, at two moments each
_START_NS, _END_NS, _START_CYCLES, _END_CYCLES, _REPORT_WORDS = 0, 1, 2, 3, 6

#: ba_spin: one thread waits for `duration_ns` of the global timer, or `max_cycles` should that stand
#: still, and reports both clocks at two changes of the timer: the tool's own kernels/spin.ptx.
#: ba_read: every thread reads its share of memory; nothing is written, so that no dirty line is
#: left in the cache for the kernel that is measured to pay for.
_PTX = b"""
.version 7.0
.target sm_70
.address_size 64

.visible .entry ba_spin(
	.param .u64 duration_ns,
	.param .u64 max_cycles,
	.param .u64 out)
{
	.reg .u64 %duration, %most, %out, %t0, %t, %last, %c0, %c, %start, %step, %least, %n;
	.reg .u64 %cstep;
	.reg .pred %p, %q;

	ld.param.u64 %duration, [duration_ns];
	ld.param.u64 %most, [max_cycles];
	ld.param.u64 %out, [out];
	mov.u64 %start, %clock64;
	mov.u64 %last, %globaltimer;
	mov.u64 %n, 0;
	mov.u64 %least, 0xffffffffffffffff;

// wait for a change: the point from which both clocks count
align:
	mov.u64 %t0, %globaltimer;
	mov.u64 %c0, %clock64;
	sub.u64 %cstep, %c0, %start;
	setp.gt.u64 %q, %cstep, %most;
	@%q bra stuck;
	setp.eq.u64 %p, %t0, %last;
	@%p bra align;
	mov.u64 %last, %t0;
	mov.u64 %t, %t0;
	mov.u64 %c, %c0;

spin:
	mov.u64 %t, %globaltimer;
	mov.u64 %cstep, %clock64;
	setp.ne.u64 %p, %t, %last;
	@!%p bra same;
	sub.u64 %step, %t, %last;
	min.u64 %least, %least, %step;
	add.u64 %n, %n, 1;
	mov.u64 %last, %t;
	mov.u64 %c, %cstep;
	sub.u64 %step, %t, %t0;
	setp.ge.u64 %p, %step, %duration;
	@%p bra done;
same:
	sub.u64 %cstep, %cstep, %start;
	setp.lt.u64 %p, %cstep, %most;
	@%p bra spin;
	bra done;

stuck:
	mov.u64 %t, %t0;
	mov.u64 %last, %t0;
	mov.u64 %c, %c0;

done:
	setp.eq.u64 %p, %out, 0;
	@%p ret;
	st.global.u64 [%out], %t0;
	st.global.u64 [%out+8], %last;
	st.global.u64 [%out+16], %c0;
	st.global.u64 [%out+24], %c;
	st.global.u64 [%out+32], %n;
	st.global.u64 [%out+40], %least;
	ret;
}

.visible .entry ba_read(.param .u64 base, .param .u64 count, .param .u64 sink)
{
	.reg .u64 %base, %count, %sink, %i, %step, %at;
	.reg .u32 %t, %b, %n, %x, %y, %z, %w, %sum;
	.reg .pred %p;
	ld.param.u64 %base, [base];
	ld.param.u64 %count, [count];
	ld.param.u64 %sink, [sink];
	mov.u32 %t, %tid.x;
	mov.u32 %b, %ctaid.x;
	mov.u32 %n, %ntid.x;
	mad.lo.u32 %t, %b, %n, %t;
	cvt.u64.u32 %i, %t;
	mov.u32 %b, %nctaid.x;
	mul.lo.u32 %b, %b, %n;
	cvt.u64.u32 %step, %b;
	mov.u32 %sum, 0;
next:
	setp.ge.u64 %p, %i, %count;
	@%p bra done;
	shl.b64 %at, %i, 4;
	add.u64 %at, %at, %base;
	ld.global.v4.u32 {%x, %y, %z, %w}, [%at];
	xor.b32 %x, %x, %y;
	xor.b32 %z, %z, %w;
	xor.b32 %x, %x, %z;
	xor.b32 %sum, %sum, %x;
	add.u64 %i, %i, %step;
	bra next;
done:
	setp.ne.u32 %p, %sum, 0x9e3779b9;
	@%p ret;
	st.global.u32 [%sink], %sum;
	ret;
}
"""


class CudaError(Exception):
    """A function of the driver said no."""


class GateError(Exception):
    """What was to be timed could not be kept behind the gate."""


class Driver:
    """libcuda.so.1, called by name; an error raises CudaError."""

    def __init__(self, path: Optional[str] = None) -> None:
        self.path = path or "libcuda.so.1"
        try:
            self.library = ctypes.CDLL(self.path)
        except OSError as error:
            raise CudaError(f"no CUDA driver: {error}") from None

    @property
    def kind(self) -> str:
        """The target that it is the driver of: "fake" and "host" are bench-against's own."""
        if hasattr(self.library, "bench_against_fake_cuda"):
            return "fake"
        return "host" if hasattr(self.library, "bench_against_host_driver") else "gpu"

    def refused(self) -> str:
        """What the process asked for and cannot have, of the host target's driver; or ""."""
        function = getattr(self.library, "ba_host_driver_refused", None)
        if function is None:
            return ""
        function.restype = ctypes.c_char_p
        text: Optional[bytes] = function()
        return (text or b"").decode()

    def try_call(self, name: str, *arguments: Any) -> int:
        function = getattr(self.library, name, None)
        if function is None:
            raise CudaError(f"the driver '{self.path}' has no {name}()")
        return int(function(*arguments))

    def call(self, name: str, *arguments: Any) -> None:
        result = self.try_call(name, *arguments)
        if result:
            raise CudaError(f"{name}() failed: {self._name_of(result)}")

    def _name_of(self, result: int) -> str:
        text = ctypes.c_char_p()
        if self.library.cuGetErrorName(result, ctypes.byref(text)) or not text.value:
            return f"error {result}"
        return text.value.decode("ascii", "replace")


class Gpu:
    """The device's primary context, with the two kernels and a pair of events."""

    def __init__(self, driver: Driver, ordinal: int) -> None:
        self._driver = driver
        self._gate_ns = _GATE_FIRST_NS
        self._khz_seen: List[int] = []
        driver.call("cuInit", 0)
        device = ctypes.c_int()
        driver.call("cuDeviceGet", ctypes.byref(device), ordinal)
        # a waiting host spins, as in the tool's own worker; refused where a framework was first
        driver.try_call("cuDevicePrimaryCtxSetFlags_v2", device, _SCHED_SPIN)
        self._context = ctypes.c_void_p()
        driver.call("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), device)
        driver.call("cuCtxSetCurrent", self._context)
        module = ctypes.c_void_p()
        driver.call("cuModuleLoadData", ctypes.byref(module), _PTX)
        self._spin = self._function(module, b"ba_spin")
        self._read = self._function(module, b"ba_read")
        self._start, self._end = self._event(), self._event()
        self._report, self._report_address = self._host_memory(8 * _REPORT_WORDS)
        self._sm_count = self._attribute(device, _SM_COUNT_ATTRIBUTE) or 1
        self._flush_bytes = 2 * self._attribute(device, _L2_BYTES_ATTRIBUTE)
        self._flush_memory = ctypes.c_uint64()

    def _function(self, module: ctypes.c_void_p, name: bytes) -> ctypes.c_void_p:
        function = ctypes.c_void_p()
        self._driver.call("cuModuleGetFunction", ctypes.byref(function), module, name)
        return function

    def _event(self) -> ctypes.c_void_p:
        event = ctypes.c_void_p()
        self._driver.call("cuEventCreate", ctypes.byref(event), 0)
        return event

    def _host_memory(self, size: int) -> Tuple[ctypes.c_void_p, int]:
        """Page-locked: its address here, and as the device sees it."""
        memory, address = ctypes.c_void_p(), ctypes.c_uint64()
        self._driver.call(
            "cuMemHostAlloc", ctypes.byref(memory), ctypes.c_size_t(size), _DEVICEMAP
        )
        self._driver.call("cuMemHostGetDevicePointer_v2", ctypes.byref(address), memory, 0)
        return memory, address.value

    def _attribute(self, device: ctypes.c_int, attribute: int) -> int:
        value = ctypes.c_int()
        self._driver.call("cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
        return value.value

    def _launch(
        self, function: ctypes.c_void_p, blocks: int, threads: int, stream: int, *values: int
    ) -> None:
        words = [ctypes.c_uint64(value) for value in values]
        pointers = (ctypes.c_void_p * len(words))(*map(ctypes.addressof, words))
        shape = (blocks, 1, 1, threads, 1, 1, 0)
        self._driver.call(
            "cuLaunchKernel", function, *shape, ctypes.c_void_p(stream), pointers, None
        )

    def spin(self, ns: int, stream: int) -> None:
        # no clock exceeds 4 GHz: the way out should the global timer stand still
        most_cycles = 8 * ns + 1_000_000
        ctypes.memset(self._report, 0, 8 * _REPORT_WORDS)
        self._launch(self._spin, 1, 1, stream, ns, most_cycles, self._report_address)

    def _note_clock(self) -> None:
        """What the gate, which is over, saw of the multiprocessors' clock."""
        report = (ctypes.c_uint64 * _REPORT_WORDS).from_address(self._report.value or 0)
        ns = report[_END_NS] - report[_START_NS]
        if ns > 0:
            self._khz_seen.append((report[_END_CYCLES] - report[_START_CYCLES]) * 1_000_000 // ns)

    def khz(self) -> int:
        """The multiprocessors' clock since this was last asked, on average; 0: not known."""
        seen, self._khz_seen = self._khz_seen, []
        return round(sum(seen) / len(seen)) if seen else 0

    def flush(self, stream: int, how: str) -> None:
        """The second-level cache is filled with other data: twice its size is read or written."""
        # lines that a kernel made persistent would stay; drivers before CUDA 11 have none
        if hasattr(self._driver.library, "cuCtxResetPersistingL2Cache"):
            self._driver.try_call("cuCtxResetPersistingL2Cache")
        if not self._flush_memory.value:
            size = ctypes.c_size_t(self._flush_bytes + 16)
            self._driver.call("cuMemAlloc_v2", ctypes.byref(self._flush_memory), size)
        if how == "write":
            words = ctypes.c_size_t(self._flush_bytes // 4)
            handle = ctypes.c_void_p(stream)
            self._driver.call("cuMemsetD32Async", self._flush_memory, 0, words, handle)
            return
        base = self._flush_memory.value
        count = self._flush_bytes // 16
        self._launch(
            self._read, 8 * self._sm_count, 256, stream, base, count, base + self._flush_bytes
        )

    def synchronize(self) -> None:
        self._driver.call("cuCtxSynchronize")

    def forget(self) -> None:
        """Another benchmark follows, whose runs are queued in another time."""
        self._gate_ns = _GATE_FIRST_NS

    def waiter(self, stream: int) -> Callable[[], None]:
        """A function that waits for that stream."""
        call, handle = self._driver.call, ctypes.c_void_p(stream)
        return lambda: call("cuStreamSynchronize", handle)

    def is_alive(self) -> bool:
        """An illegal address and the like make a context useless for good."""
        return self._driver.try_call("cuCtxSynchronize") == 0

    def takes_context_back(self) -> bool:
        """Whether another one was current than the device's own, which is, now."""
        current = ctypes.c_void_p()
        self._driver.call("cuCtxGetCurrent", ctypes.byref(current))
        if current.value == self._context.value:
            return False
        self._driver.call("cuCtxSetCurrent", self._context)
        return True

    def warm_up(self) -> None:
        """An idle GPU sits at a fraction of its clock."""
        self.spin(_WARM_UP_NS, 0)
        self.synchronize()

    def hot(self, case: Case, batch: int) -> int:
        """ns of `batch` runs that follow one another, caches as the last one left them."""
        return self._behind_gate(case, repeat(case.run, batch), batch)

    def rotating(self, case: Case, batch: int) -> int:
        """ns of `batch` runs that follow one another, each on the next set of inputs."""
        return self._behind_gate(case, case.next_runs(batch), batch)

    def cold(self, case: Case, batch: int, how: str = "read") -> int:
        """ns of `batch` runs, the cache flushed before each."""
        total = 0
        for _ in repeat(None, batch):
            self.flush(case.stream, how)
            total += self._behind_gate(case, [case.run], 1)
        return total

    def _behind_gate(self, case: Case, runs: Iterable[Callable[[], Any]], count: int) -> int:
        call, stream = self._driver.call, ctypes.c_void_p(case.stream)
        queue = list(runs)
        while True:
            self.spin(self._gate_ns, case.stream)
            call("cuEventRecord", self._start, stream)
            for run in queue:
                run()
            call("cuEventRecord", self._end, stream)
            held = self._driver.try_call("cuEventQuery", self._start) == _NOT_READY
            call("cuEventSynchronize", self._end)
            if held:
                self._note_clock()
                return self._elapsed_ns()
            self._gate_ns *= 2
            if self._gate_ns > _GATE_MOST_NS:
                self._gate_ns = _GATE_FIRST_NS
                raise GateError(
                    f"the GPU began before all {count} of run() were queued, with "
                    f"{_GATE_MOST_NS // 1_000_000} ms to do it: run() waits for the GPU, or does "
                    "not work on the stream that the case names"
                )

    def _elapsed_ns(self) -> int:
        ms = ctypes.c_float()
        self._driver.call("cuEventElapsedTime", ctypes.byref(ms), self._start, self._end)
        return max(1, round(ms.value * 1e6))


Take = Callable[[int, int], List[int]]


def gpu_hot(gpu: Gpu, case: Case, _clock: Clock, _flush: str) -> Take:
    return lambda batch, readings: [gpu.hot(case, batch) for _ in range(readings)]


def gpu_rotate(gpu: Gpu, case: Case, _clock: Clock, _flush: str) -> Take:
    return lambda batch, readings: [gpu.rotating(case, batch) for _ in range(readings)]


def gpu_cold(gpu: Gpu, case: Case, _clock: Clock, flush: str) -> Take:
    return lambda batch, readings: [gpu.cold(case, batch, flush) for _ in range(readings)]


def wall_cold(gpu: Gpu, case: Case, clock: Clock, flush: str) -> Take:
    """From the call of run() to the end of its work, the cache flushed before."""

    def one() -> int:
        gpu.flush(case.stream, flush)
        gpu.synchronize()
        return roundtrip(case, clock, 1, 1)[0]

    return lambda batch, readings: [
        sum(one() for _ in repeat(None, batch)) for _ in range(readings)
    ]


MODES = {
    "gpu_hot": gpu_hot,
    "gpu_rotate": gpu_rotate,
    "gpu_cold": gpu_cold,
    "wall_cold": wall_cold,
}
#: those that flush the cache
COLD_MODES = ("gpu_cold", "wall_cold")


def waiter_of_current_context() -> Optional[Callable[[], None]]:
    """Waits for all work of the context that is current; None where this process has none."""
    try:
        library = ctypes.CDLL("libcuda.so.1", mode=os.RTLD_NOLOAD | os.RTLD_NOW)
        context = ctypes.c_void_p()
        if library.cuCtxGetCurrent(ctypes.byref(context)) or not context.value:
            return None
        synchronize = library.cuCtxSynchronize
    except (OSError, AttributeError):
        # nobody has loaded a driver
        return None

    def wait() -> None:
        result = synchronize()
        if result:
            raise CudaError(f"cuCtxSynchronize() failed: error {result}")

    return wait
