"""setup.py of both wheels (cmake/wheel.sh): they hold compiled files, for any CPython.

Their tag follows from these files: the C library must be as new as the newest symbol version that
one of them needs. A file that needs a library which neither the wheel nor every Linux has stops
the build.
"""

import os
import re
import subprocess
import sys
import sysconfig

from setuptools import Distribution, setup

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before 70.1
    from wheel.bdist_wheel import bdist_wheel

#: PEP 600: what every Linux with that C library has
_EVERYWHERE = re.compile(
    r"(lib(c|m|dl|rt|pthread|resolv|util|gcc_s)|ld-linux-(x86-64|aarch64))\.so\.[0-9]+$"
)
#: the oldest C library of which wheels can be tagged for all processors
_OLDEST = 17


def compiled_files(folder):
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                if not os.path.islink(path) and file.read(4) == b"\x7fELF":
                    yield path


def read(path, *what):
    command = ["readelf", "--wide", *what, path]
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, universal_newlines=True
    ).stdout


def platform_of(folder):
    """manylinux_2_32_x86_64, say."""
    newest, paths = _OLDEST, list(compiled_files(folder))
    inside = {os.path.basename(path) for path in paths}
    for path in paths:
        for library in re.findall(r"\(NEEDED\).*\[(.*)\]", read(path, "--dynamic")):
            if library not in inside and not _EVERYWHERE.match(library):
                sys.exit(f"{path} needs {library}, which the wheel lacks")
        found = re.findall(r"Name: GLIBC_2\.([0-9]+)", read(path, "--version-info"))
        newest = max([newest, *map(int, found)])
    machine = sysconfig.get_platform().split("-", 1)[1].replace("-", "_")
    return f"manylinux_2_{newest}_{machine}"


class Compiled(Distribution):
    def has_ext_modules(self):
        return True


class TaggedWheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", platform_of(os.path.dirname(os.path.abspath(__file__)))


setup(
    version=os.environ["BENCH_AGAINST_VERSION"],
    distclass=Compiled,
    cmdclass={"bdist_wheel": TaggedWheel},
)
