"""What is changed in a program of cuda.bench."""

import sys
import types
import unittest
from typing import Any, List
from unittest import mock

from bench_against_worker import nvbench


class PoolsTest(unittest.TestCase):
    def test_pools_are_returned_when_a_state_has_ended_or_failed(self) -> None:
        done: List[str] = []
        cuda = types.SimpleNamespace(is_initialized=lambda: True, empty_cache=lambda: done.append("torch"))
        pool = types.SimpleNamespace(free_all_blocks=lambda: done.append("cupy"))
        libraries = {"torch": types.SimpleNamespace(cuda=cuda), "cupy": types.SimpleNamespace(get_default_memory_pool=lambda: pool)}
        registered: List[Any] = []
        extension = types.SimpleNamespace(register=registered.append)
        nvbench.return_pools(extension)

        def copy(state: str) -> None:
            done.append(state)
            if state == "bad":
                raise MemoryError(state)

        extension.register(copy)
        self.assertEqual(registered[0].__name__, "copy")
        with mock.patch.dict(sys.modules, libraries):  # type: ignore[arg-type]
            registered[0]("good")
            self.assertRaises(MemoryError, registered[0], "bad")
            cuda.is_initialized = lambda: False
            registered[0]("cpu")
        self.assertEqual(done, ["good", "torch", "cupy", "bad", "torch", "cupy", "cpu", "cupy"])

    def test_another_extension_stays_as_it_is(self) -> None:
        nvbench.return_pools(None)
        extension = types.SimpleNamespace()
        nvbench.return_pools(extension)
        self.assertEqual(vars(extension), {})
