"""What setup_cache() of asv's benchmarks makes: once a process, in a folder of its own."""

import inspect
import os
import pickle
import shutil
import tempfile
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple


class CurrentFolder:
    """Another working directory until leave(); None: it stays."""

    def __init__(self, folder: Optional[str]) -> None:
        self._before = None
        if folder is not None:
            self._before = os.getcwd()
            os.chdir(folder)

    def leave(self) -> None:
        if self._before is not None:
            os.chdir(self._before)
            self._before = None


class _Made(NamedTuple):
    value: Any
    pickled: Optional[bytes]
    folder: str


class Caches:
    """Of all benchmarks of a process. `top`: where their package is."""

    def __init__(self, top: str, given: Optional[str] = None) -> None:
        self.top = top
        self._given = given
        self._made: Dict[str, _Made] = {}

    def of(self, sources: Any, values: Sequence[Any]) -> Tuple[Any, Optional[str]]:
        """The value, or None, and the folder in which the benchmark works, or None. Each benchmark
        gets a copy of its own, if the value can be pickled."""
        make = sources.first("setup_cache")
        if make is None:
            return None, None
        if self._given is not None:
            with open(self._given, "rb") as file:
                return pickle.load(file), os.path.dirname(self._given)
        key = _key(make)
        if key not in self._made:
            self._made[key] = self._make(make, sources.calls("setup")[::-1])
        made = self._made[key]
        value = made.value if made.pickled is None else pickle.loads(made.pickled)
        return value, made.folder

    def _make(self, make: Callable[[], Any], setups: List[Callable[..., Any]]) -> _Made:
        folder = tempfile.mkdtemp(
            prefix="bench-against-asv-", dir=os.environ.get("PYTHONPYCACHEPREFIX")
        )
        current = CurrentFolder(folder)
        try:
            # asv: those of a module that want no parameters come first, a seed for example
            for setup in setups:
                if not inspect.ismethod(setup) and _wants_nothing(setup):
                    setup()
            value = make()
        finally:
            current.leave()
        try:
            pickled: Optional[bytes] = pickle.dumps(value)
        except Exception:  # pylint: disable=broad-except
            pickled = None
        if pickled is not None:
            with open(os.path.join(folder, "bench-against.pickle"), "wb") as file:
                file.write(pickled)
        return _Made(value, pickled, folder)

    def file_of(self, sources: Any) -> Optional[str]:
        """For another process; None: there is none, or it has to make its own."""
        make = sources.first("setup_cache")
        made = self._made.get(_key(make)) if make is not None else None
        if made is None or made.pickled is None:
            return None
        return os.path.join(made.folder, "bench-against.pickle")

    def remove(self) -> None:
        for made in self._made.values():
            shutil.rmtree(made.folder, ignore_errors=True)
        self._made.clear()


def _wants_nothing(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function).bind()
    except TypeError:
        return False
    return True


def _key(make: Any) -> str:
    """As asv has it: one that is inherited is made once."""
    code = getattr(getattr(make, "__func__", make), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else repr(make)
