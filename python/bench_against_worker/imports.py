"""Which modules take the import: what -X importtime says while the benchmarks are loaded.

The host starts such a process with PYTHONPROFILEIMPORTTIME, and times nothing in it.
"""

import os
import re
import sys
from typing import Any, BinaryIO, List, Optional

from .bytecodes import Row, file_in
from .loaded import is_inside

_MODULES_MOST = 2000
#: "import time:       123 |        456 |     package.module": itself, with all that it imports
_LINE = re.compile(r"import time: +(\d+) \| +\d+ \| +(\S+)\s*\Z")


class Imports:
    """What the interpreter writes to standard error between begin() and end()."""

    def __init__(self) -> None:
        self._file: Optional[BinaryIO] = None
        self._stderr = -1
        self._lines: List[str] = []

    def begin(self) -> None:
        if "BENCH_AGAINST_IMPORTS" not in os.environ:
            return
        import tempfile

        sys.stderr.flush()
        self._stderr = os.dup(2)
        self._file = tempfile.TemporaryFile()
        os.dup2(self._file.fileno(), 2)

    def end(self) -> None:
        """What else was written goes where it belongs."""
        file, self._file = self._file, None
        if file is None:
            return
        sys.stderr.flush()
        os.dup2(self._stderr, 2)
        os.close(self._stderr)
        file.seek(0)
        for line in file.read().decode(errors="replace").splitlines(keepends=True):
            if line.startswith("import time:"):
                self._lines.append(line)
            else:
                sys.stderr.write(line)
        file.close()

    def rows(self, tree: str) -> List[Row]:
        """Microseconds of each module without those that it imports; the largest first."""
        found = []
        for match in filter(None, map(_LINE.match, self._lines)):
            own, name = int(match[1]), match[2]
            module: Any = sys.modules.get(name)
            path = getattr(module, "__file__", None)
            # modules of two environments have the same names and other folders
            inside = isinstance(path, str) and is_inside(path, [tree])
            file = file_in(tree, path) if inside else ""
            found.append(Row(name, file, 0, own))
        return sorted(found, key=lambda row: -row.bytecodes)[:_MODULES_MOST]
