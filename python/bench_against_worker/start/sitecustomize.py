"""bench-against runs this file first in every Python process of a variant.

The folder of this file comes first in PYTHONPATH, so `site` imports it at start.

It lets modules that do not belong to the tree use the compiled files that Python made for them when
they were installed. PYTHONPYCACHEPREFIX is an empty folder at the start of a run, and would have the
standard library and all packages compiled again.

In a worker it imports bench_against_worker. `python3 -m` then puts the working directory, which is
the variant's tree, in front of PYTHONPATH. A folder of that name in the tree comes too late to
replace the module.

In a program of a `command` suite it reports which modules are loaded. It does so only in the run
that is watched, never while anything is measured.

At its end it runs the environment's own sitecustomize, which this file hides.
"""

import os
import sys


def _use_compiled_files(tree):  # type: ignore[no-untyped-def]
    """Modules below `tree` keep to sys.pycache_prefix: they must not leave files there."""
    external = sys.modules["_frozen_importlib_external"]
    own = external.cache_from_source  # type: ignore[attr-defined]

    def cache_from_source(path, *args, **kwargs):  # type: ignore[no-untyped-def]
        prefix = sys.pycache_prefix
        if prefix is None or os.path.abspath(path).startswith(tree):
            return own(path, *args, **kwargs)
        sys.pycache_prefix = None
        try:
            usual = own(path, *args, **kwargs)
        finally:
            sys.pycache_prefix = prefix
        return usual if os.path.exists(usual) else own(path, *args, **kwargs)

    external.cache_from_source = cache_from_source  # type: ignore[attr-defined]


try:
    _use_compiled_files(os.path.join(os.getcwd(), ""))
except Exception:  # what is private to Python may change: then all is compiled again
    pass

from importlib.machinery import PathFinder  # noqa: E402
from importlib.util import module_from_spec  # noqa: E402

_HERE = os.path.dirname(os.path.abspath(__file__))


def _watch_imports(path):  # type: ignore[no-untyped-def]
    """Write modules that do not belong to Python, as "m<pid> <name> <file>", a NUL after each."""
    import atexit
    import itertools

    library = os.path.dirname(os.__file__)
    told = {}
    seen = 0

    def is_pythons(file):  # type: ignore[no-untyped-def]
        inside = file.startswith(library + os.sep)
        return inside and "site-packages" not in file and "dist-packages" not in file

    def tell(every=False):  # type: ignore[no-untyped-def]
        nonlocal seen
        try:
            first = 0 if every else min(seen, len(sys.modules))
            found = list(itertools.islice(sys.modules.items(), first, None))
            seen = first + len(found)
            write("".join(map(line_of, found)))
        except Exception:  # another thread imports, or a module is none: there is a next time
            pass

    def line_of(entry):  # type: ignore[no-untyped-def]
        name, module = entry
        file = getattr(module, "__dict__", {}).get("__file__")
        if not isinstance(file, str) or told.get(name) == file or is_pythons(file):
            return ""
        told[name] = file
        return f"m{os.getpid()} {name.partition('.')[0]} {os.path.abspath(file)}\0"

    def write(text):  # type: ignore[no-untyped-def]
        if not text:
            return
        try:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError:
            return
        try:
            os.write(fd, os.fsencode(text))
        finally:
            os.close(fd)

    def hear(event, _arguments):  # type: ignore[no-untyped-def]
        if event == "import":
            tell()

    leave = os._exit

    def leave_told(status):  # type: ignore[no-untyped-def]
        tell(every=True)
        leave(status)

    write(f"p{os.getpid()}\0")
    sys.addaudithook(hear)
    atexit.register(tell, every=True)
    # a child of multiprocessing ends like that
    os._exit = leave_told  # type: ignore[assignment]


def _run_the_hidden_one():  # type: ignore[no-untyped-def]
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != _HERE]
    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if "BENCH_AGAINST_REPLIES" in os.environ:
    # `-m` needs it before the working directory can be taken out of sys.path
    import runpy  # noqa: F401

    import bench_against_worker  # noqa: F401
if "BENCH_AGAINST_LOADED" in os.environ:
    _watch_imports(os.environ["BENCH_AGAINST_LOADED"])
_run_the_hidden_one()
