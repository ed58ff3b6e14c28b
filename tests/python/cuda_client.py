"""One of Python's CUDA packages on the driver of the host target: compile, load, launch."""

import sys

import cuda_launches
from cuda.bindings import driver

good = cuda_launches.good
package = sys.argv[1]
if package == "bindings":
    good(driver.cuInit(0))
    context = good(driver.cuDevicePrimaryCtxRetain(good(driver.cuDeviceGet(0))))
    good(driver.cuCtxSetCurrent(context))
launch = getattr(cuda_launches, package)()
launch()
launch()
good(driver.cuCtxSynchronize())
print(package, "compiles, loads and launches")
