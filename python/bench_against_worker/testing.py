"""The other end of the protocol, for tests: do my benchmarks work, would bench-against take them?

::

    with Host(["python3", "-m", "bench_against_worker", "bench.py"]) as host:
        host.open()
        host.prepare("total", n=10)
        ns = host.measure("submit", batch=100, readings=3)

It measures nothing that means anything: the order of visits, and what is made of them, is the
tool's.
"""

import json
import os
import subprocess
import sys
from types import TracebackType
from typing import Any, Dict, List, Mapping, Optional, Sequence, Type

from .channel import REPLIES, REQUESTS
from .worker import PROTOCOL, VERSION

Message = Dict[str, Any]


class Failed(Exception):
    """The worker answered "failed", or ended."""


class Host:
    """A worker process and what it is asked."""

    def __init__(
        self,
        argv: Sequence[str],
        cwd: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None,
    ) -> None:
        self.cwd = cwd or os.getcwd()
        requests, self._requests = os.pipe()
        self._replies_fd, replies = os.pipe()
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        merged = {**os.environ, **(env or {})}
        merged["PYTHONPATH"] = os.pathsep.join(filter(None, [package, merged.get("PYTHONPATH")]))
        merged[REQUESTS], merged[REPLIES] = str(requests), str(replies)
        self.process = subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=merged,
            pass_fds=(requests, replies),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        os.close(requests)
        os.close(replies)
        self._replies = os.fdopen(self._replies_fd, "rb")
        self.output = b""

    def __enter__(self) -> "Host":
        self.ask("hello", protocol=PROTOCOL, version=VERSION)
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.end()

    def end(self) -> int:
        """Close the channel and wait; the worker's exit status."""
        if self._requests >= 0:
            os.close(self._requests)
            self._requests = -1
            self.output = self.process.communicate(timeout=60)[0]
            self._replies.close()
        return self.process.returncode

    def send_line(self, line: bytes) -> None:
        os.write(self._requests, line + b"\n")

    def receive(self) -> Message:
        line = self._replies.readline()
        if not line:
            raise Failed(f"the worker ended with status {self.process.wait(60)}")
        message = json.loads(line)
        if message["t"] == "failed":
            raise Failed(message["text"])
        return dict(message)

    def ask(self, request: str, **members: Any) -> List[Message]:
        """Everything up to the answer: the last one."""
        self.send_line(json.dumps({"t": request, **members}).encode())
        heard = [self.receive()]
        while heard[-1]["t"] in ("note", "benchmark", "case", "skipped", "code"):
            heard.append(self.receive())
        return heard

    def open(self, target: str = "host", **members: Any) -> None:
        self.ask(
            "open",
            **{
                "target": target,
                "device": 0,
                "cpu": -1,
                "tree": os.getcwd(),
                "driver": "",
                **members,
            },
        )

    def list(self) -> List[Message]:
        return [m for m in self.ask("list") if m["t"] == "benchmark"]

    def prepare(self, name: str, *, input_sets: int = 1, **axes: Any) -> List[Message]:
        values = list(map(str, axes.values()))
        asked = {"name": name, "axes": list(axes), "values": values, "sets": input_sets}
        return self.ask("prepare", check=True, warm_up=20, seed="7", **asked)

    def measure(self, mode: str, batch: int, readings: int, discard: int = 0) -> List[int]:
        return list(self.measured(mode, batch, readings, discard)["ns"])

    def measured(
        self, mode: str, batch: int, readings: int, discard: int = 0, **more: Any
    ) -> Message:
        """The whole answer: with the GPU's clock, say."""
        asked = {"mode": mode, "batch": batch, "readings": readings, "discard": discard}
        return self.ask("measure", **asked, **more)[-1]

    def counted(self, trace: str, calls: int = 3, **more: Any) -> List[Message]:
        """The news about the code, if "code" asks for them, and the answer."""
        asked = {"mode": "submit", "calls": calls, "warm_up": 300, "most": 1_000_000, "way": "auto"}
        return self.ask("count", **{**asked, "trace": trace, **more})

    def close(self) -> None:
        self.ask("close")


def python_worker(file: str) -> List[str]:
    """The command that serves that file of benchmarks."""
    return [sys.executable, "-m", "bench_against_worker", file]
