"""code_attributes.py CODE.json BEFORE.cubin AFTER.cubin: a table of what `bench-against code` says of
each kernel, and what the driver reports when it has loaded the same cubin. Exit status 1: they differ.
"""
import ctypes
import json
import sys

# of CUfunction_attribute; None: shown beside, because the two count different things
ATTRIBUTES = (("registers", 4, True), ("frame_bytes", 3, True), ("shared_bytes", 1, True),
              ("max_threads", 0, None), ("constant_bytes", 2, None))


def ask(driver, module, symbol):
    """The function's attributes by their metric's name."""
    function, value, found = ctypes.c_void_p(), ctypes.c_int(), {}
    if driver.cuModuleGetFunction(ctypes.byref(function), module, symbol.encode()):
        sys.exit("no function %s" % symbol)
    for metric, number, _ in ATTRIBUTES:
        driver.cuFuncGetAttribute(ctypes.byref(value), number, function)
        found[metric] = value.value
    return found


def load(driver, path):
    """The module of a cubin."""
    module = ctypes.c_void_p()
    status = driver.cuModuleLoadData(ctypes.byref(module), open(path, "rb").read())
    if status:
        sys.exit("%s cannot be loaded: %d" % (path, status))
    return module


def main():
    """Prints the table."""
    context, wrong, compared = ctypes.c_void_p(), 0, 0
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        sys.exit(77)
    if driver.cuInit(0) or driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) or \
            driver.cuCtxSetCurrent(context):
        sys.exit(77)
    modules = [load(driver, path) for path in sys.argv[2:4]]
    print("| kernel | commit | %s |" % " | ".join(
        "%s: code, driver" % metric for metric, _, _ in ATTRIBUTES))
    print("|---|---|%s" % ("---:|" * len(ATTRIBUTES)))
    for kernel in json.load(open(sys.argv[1]))["kernels"]:
        for side, module in enumerate(modules):
            found, cells = ask(driver, module, kernel["symbol"]), []
            for metric, _, must in ATTRIBUTES:
                said = (kernel["metrics"].get(metric) or [None, None])[side]
                same = said == found[metric]
                compared += must is not None
                wrong += bool(must and not same)
                cells.append("%s, %s%s" % (said, found[metric], "" if same or not must else " **differ**"))
            print("| %s | %s | %s |" % (kernel["symbol"], ("before", "after")[side], " | ".join(cells)))
    print("\n%d values compared, %d differ" % (compared, wrong))
    sys.exit(1 if wrong or not compared else 0)


main()
