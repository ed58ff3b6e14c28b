"""Is everything that this process has loaded part of the tree that is measured?

A benchmark that runs an installed copy of its project, the user's checkout or another variant's
files says nothing about its own tree. engine/foreign_code.c has the same rules for programs of
`command` suites.
"""

import functools
import os
import sys
from typing import Iterator, List, Optional, Set, Tuple

_USUAL_FOLDERS = ("", "src", "lib", "python")
_OURS = os.path.dirname(os.path.abspath(__file__))


class Strangers:
    """Looks for files of other trees; each file is looked at once."""

    def __init__(self, tree: str, not_from: List[str]) -> None:
        self._tree = real_folder(tree)
        self._others = [real_folder(folder) for folder in not_from]
        self._seen: Set[Tuple[str, str]] = set()

    def first(self) -> Optional[str]:
        """A sentence about the first one; None: there is none."""
        for name, path in loaded_modules():
            if (name, path) in self._seen:
                continue
            problem = self._about_module(name, real(path))
            if problem:
                return problem
            self._seen.add((name, path))
        for path in mapped_objects():
            if ("", path) in self._seen:
                continue
            if self._is_others(path):
                return (
                    f"'{path}' was loaded, which is not of the tree that is measured, "
                    f"{self._tree}: load libraries by a path that begins with that of the tree"
                )
            self._seen.add(("", path))
        return None

    def _about_module(self, name: str, path: str) -> Optional[str]:
        if self._is_others(path):
            return (
                f"'{path}' was loaded, which is not of the tree that is measured, "
                f"{self._tree}: name that tree's folders in 'pythonpath'"
            )
        folder = None if self._is_nobodys(path) else self._folder_of(name)
        if folder is None:
            return None
        said = f"'{path}' was loaded, although this tree has a '{name}' of its own: "
        if os.path.join(self._tree, folder).rstrip("/") in map(real, sys.path):
            return said + (
                f"an installed package goes before PYTHONPATH: 'pip uninstall {name}', or measure "
                "with an environment without it"
            )
        return said + (
            f"set \"pythonpath\": [\"{folder or '.'}\"] in the suite's configuration "
            "('pythonpath': folders of the tree)"
        )

    def _is_others(self, path: str) -> bool:
        for folder in self._others:
            # a virtual environment and its Python may well be in the user's checkout
            prefixes = (sys.prefix, sys.base_prefix)
            environment = [prefix for prefix in prefixes if is_inside(prefix, [folder])]
            if is_inside(path, [folder]) and not is_inside(path, [self._tree, *environment]):
                return True
        return False

    def _is_nobodys(self, path: str) -> bool:
        """The tree's own, Python's, or ours: not an installed copy of the project."""
        library = os.path.dirname(real(os.__file__))
        packages = ("site-packages", "dist-packages")
        pythons = is_inside(path, [library]) and not any(name in path for name in packages)
        return pythons or is_inside(path, [self._tree, _OURS])

    def _folder_of(self, name: str) -> Optional[str]:
        """The folder in which the tree has a module of that name, "" for its top."""
        named = [
            os.path.relpath(real(entry), self._tree)
            for entry in sys.path
            if is_inside(entry, [self._tree])
        ]
        for folder in [*named, *_USUAL_FOLDERS]:
            at = os.path.join(self._tree, folder, name)
            if self._tree and (os.path.exists(at + "/__init__.py") or os.path.exists(at + ".py")):
                return folder
        return None


def loaded_modules() -> Iterator[Tuple[str, str]]:
    """The name of each module's package, and the module's file."""
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        # every program has a __main__
        if isinstance(path, str) and name != "__main__":
            yield name.partition(".")[0], os.path.abspath(path)


def file_of(plugin: object) -> Optional[str]:
    """Of a module, or of the class of an object."""
    module = sys.modules.get(type(plugin).__module__)
    path = getattr(plugin, "__file__", None) or getattr(module, "__file__", None)
    return os.path.abspath(path) if isinstance(path, str) else None


def mapped_objects() -> List[str]:
    """The files whose code is mapped into this process, by ctypes or by another library."""
    try:
        with open("/proc/self/maps", errors="surrogateescape") as maps:
            fields = [line.rstrip("\n").split(None, 5) for line in maps]
    except OSError:
        return []
    return sorted({f[5] for f in fields if len(f) == 6 and "x" in f[1] and f[5].startswith("/")})


def real_folder(path: str) -> str:
    return real(path) if path else ""


def real(path: str) -> str:
    """With links resolved. A link that changes later is not followed anew."""
    return _real(path if os.path.isabs(path) else os.path.join(os.getcwd(), path))


# a worker asks for a thousand files of the same hundred folders before it measures
@functools.lru_cache(maxsize=4096)
def _real(path: str) -> str:
    folder, name = os.path.split(path)
    if name in ("", os.curdir, os.pardir):
        return os.path.realpath(path)
    path = os.path.join(_real(folder), name)
    return os.path.realpath(path) if os.path.islink(path) else path


def is_inside(path: str, folders: List[str]) -> bool:
    """Below one of them, links resolved?"""
    path = real(path or ".")
    return any(folder and path.startswith(os.path.join(real(folder), "")) for folder in folders)
