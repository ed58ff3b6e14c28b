"""What a worker has loaded of its environment, in runs that compare environments."""

import os
import re
import sys
from typing import Dict, List, Set

from .loaded import is_inside, mapped_objects, real

_OURS = os.path.dirname(os.path.abspath(__file__))
_METADATA = re.compile(r"(.+?)-([^-]+)(?:-py[\d.]+)?\.(?:dist|egg)-info$")


def wrong_python() -> str:
    """A sentence if this is not the Python of the variant's environment, else empty."""
    expected = os.environ.get("BENCH_AGAINST_ENVIRONMENT")
    if not expected or os.path.samefile(sys.prefix, expected):
        return ""
    return (
        f"its command runs the Python of '{sys.prefix}', not that of its environment, "
        f"'{expected}': begin the command with \"python3\", without a folder"
    )


def report(tree: str) -> Dict[str, List[str]]:
    """The distributions that are loaded, and a digest of the loaded files."""
    if "BENCH_AGAINST_ENVIRONMENT" not in os.environ:
        return {}
    import hashlib

    files = loaded_files(tree)
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(name.encode(errors="surrogateescape") + b"\0")
        with open(files[name], "rb") as file:
            digest.update(hashlib.sha256(file.read()).digest())
    return {"distributions": loaded_distributions(files), "loads": [digest.hexdigest()]}


def loaded_files(tree: str) -> Dict[str, str]:
    """The paths of what is loaded from outside of the tree, by their place in sys.path."""
    paths: Set[str] = set(mapped_objects())
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str):
            paths.add(path)
    places = [*sys.path, sys.prefix, sys.base_prefix]
    folders = sorted({os.path.join(real(p), "") for p in places if p}, key=len, reverse=True)
    found: Dict[str, str] = {}
    for path in map(real, paths):
        if is_inside(path, [tree, _OURS]) or not os.path.isfile(path):
            continue
        folder = next((f for f in folders if path.startswith(f)), "")
        # nothing else names the same module at another place
        found[path[len(folder) :]] = path
    return found


def loaded_distributions(files: Dict[str, str]) -> List[str]:
    """ "torch 2.9.0" for each whose files are among these."""
    tops = {name.partition("/")[0] for name in files}
    found: Dict[str, str] = {}
    seen: Set[str] = set()
    for folder in filter(os.path.isdir, sys.path):
        for entry in sorted(os.listdir(folder)):
            match = _METADATA.match(entry)
            name = re.sub(r"[-_.]+", "-", match[1]).lower() if match else ""
            if match and name not in seen:
                seen.add(name)
                if any(file in files for file in files_of(os.path.join(folder, entry), tops)):
                    found[name] = match[2]
    return [f"{name} {found[name]}" for name in sorted(found)]


def files_of(metadata: str, tops: Set[str]) -> List[str]:
    """The files of a distribution that are below one of these folders of a sys.path entry."""
    try:
        with open(os.path.join(metadata, "RECORD"), encoding="utf-8", errors="replace") as record:
            names = [line.rsplit(",", 2)[0].strip('"') for line in record]
    except OSError:
        return []
    return [name for name in names if name.partition("/")[0] in tops]
