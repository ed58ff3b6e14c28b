"""bench-against in a wheel: the program, and the libraries that it needs."""

import os
import sys
from typing import NoReturn

_TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tool")


def executable() -> str:
    """The path of the program."""
    return os.path.join(_TOOL, "bin", "bench-against")


def main() -> NoReturn:
    """Become the program, with the arguments of this process."""
    if not os.path.exists("/proc/self"):  # its libraries would not even be found
        sys.stderr.write(
            "bench-against: /proc is not mounted, and measuring needs it: mount -t proc proc /proc\n"
        )
        sys.exit(125)
    os.execv(executable(), ["bench-against", *sys.argv[1:]])
