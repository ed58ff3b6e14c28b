"""A launch by each of Python's CUDA packages: what is returned makes it once a call."""

import numpy as np

SOURCE = 'extern "C" __global__ void k(float *x, int n) { if (n) x[0] = n; }'


def good(result):
    assert result[0] == 0, result[0]
    return result[1] if len(result) == 2 else result[1:]


def bindings():
    from cuda.bindings import driver, nvrtc

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
    kept = module, address, number, arguments

    def launch(kept=kept):
        good(
            driver.cuLaunchKernel(
                function, 1, 1, 1, 32, 1, 1, 0, stream, arguments.ctypes.data, 0
            )
        )

    return launch


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
    memory = device.allocate(64, stream=stream)
    config = LaunchConfig(grid=1, block=32)
    return lambda: launch(stream, config, kernel, memory, np.int32(3))


def numba(args=1):
    from numba import cuda

    kernels = {
        0: cuda.jit(lambda: None),
        1: cuda.jit(lambda a: None),
        4: cuda.jit(lambda a, b, c, d: None),
    }
    configured = kernels[args][1, 32, cuda.stream()]
    arrays = [cuda.device_array(4, np.float32) for _ in range(args)]
    return lambda: configured(*arrays)
