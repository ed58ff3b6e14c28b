"""One of Python's CUDA packages on the driver of the host target: compile, load, launch."""

import sys

import numpy as np

SOURCE = 'extern "C" __global__ void k(float *x, int n) { if (n) x[0] = n; }'


def bindings():
    from cuda.bindings import driver, nvrtc

    def good(result):
        assert result[0] == 0, result[0]
        return result[1] if len(result) == 2 else result[1:]

    good(driver.cuInit(0))
    context = good(driver.cuDevicePrimaryCtxRetain(good(driver.cuDeviceGet(0))))
    good(driver.cuCtxSetCurrent(context))
    program = good(nvrtc.nvrtcCreateProgram(SOURCE.encode(), b"k.cu", 0, [], []))
    good(nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=sm_90"]))
    image = b" " * good(nvrtc.nvrtcGetCUBINSize(program))
    good(nvrtc.nvrtcGetCUBIN(program, image))
    module = good(driver.cuModuleLoadData(np.char.array(image)))
    function = good(driver.cuModuleGetFunction(module, b"k"))
    stream = good(driver.cuStreamCreate(0))
    address = np.array([int(good(driver.cuMemAlloc(64)))], dtype=np.uint64)
    number = np.array([3], dtype=np.int32)
    arguments = np.array([address.ctypes.data, number.ctypes.data], dtype=np.uint64)
    good(
        driver.cuLaunchKernel(
            function, 1, 1, 1, 32, 1, 1, 0, stream, arguments.ctypes.data, 0
        )
    )
    good(driver.cuStreamSynchronize(stream))


def core():
    try:
        from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
    except ImportError:
        from cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, launch

    device = Device()
    device.set_current()
    stream = device.create_stream()
    options = ProgramOptions(arch=f"sm_{device.arch}")
    kernel = Program(SOURCE, code_type="c++", options=options).compile("cubin").get_kernel("k")
    launch(stream, LaunchConfig(grid=1, block=32), kernel, np.uint64(4096), np.int32(3))
    stream.sync()


def numba():
    from numba import cuda

    @cuda.jit
    def k(x):
        x[0] = 1

    array = cuda.device_array(4, np.float32)
    k[1, 32](array)
    k[1, 32](array)
    cuda.synchronize()


{"bindings": bindings, "core": core, "numba": numba}[sys.argv[1]]()
print(sys.argv[1], "compiles, loads and launches")
