"""JSON Lines to and from the host, on two descriptors of their own."""

import json
import os
import sys
from typing import Any, Dict, Optional, Tuple

REQUESTS = "BENCH_AGAINST_REQUESTS"
REPLIES = "BENCH_AGAINST_REPLIES"


class ProtocolError(Exception):
    """The host sent something that this worker does not understand."""


class Channel:
    """Requests in, replies out. One message is one flat object on a line."""

    def __init__(self, requests_fd: int, replies_fd: int) -> None:
        # what a benchmark starts must not hold the host's pipes open
        for fd in (requests_fd, replies_fd):
            os.set_inheritable(fd, False)
        self._pipes = {fd: self._identity(fd) for fd in (requests_fd, replies_fd)}
        self._requests = os.fdopen(requests_fd, "rb", closefd=False)
        self._replies_fd = replies_fd

    @classmethod
    def from_environment(cls) -> Optional["Channel"]:
        """None where nobody has started us as a worker."""
        numbers = [os.environ.pop(name, "") for name in (REQUESTS, REPLIES)]
        if not all(numbers):
            return None
        return cls(*map(int, numbers))

    @staticmethod
    def _identity(fd: int) -> Tuple[int, int]:
        status = os.fstat(fd)
        return status.st_dev, status.st_ino

    def _check(self) -> None:
        """Exit if a descriptor is no longer our pipe. A benchmark may close all descriptors and
        open a file, which gets one of our numbers. A message must not be written there."""
        try:
            if all(self._identity(fd) == pipe for fd, pipe in self._pipes.items()):
                return
        except OSError:
            pass
        print(
            "bench_against_worker: the benchmarks closed or replaced descriptors that"
            " belong to bench-against",
            file=sys.stderr,
            flush=True,
        )
        os._exit(125)

    def receive(self) -> Optional[Dict[str, Any]]:
        """None when the host has closed the channel."""
        self._check()
        line = self._requests.readline()
        if not line:
            return None
        try:
            message = json.loads(line)
        except ValueError as error:
            raise ProtocolError(f"a line that is not JSON: {error}") from None
        if not isinstance(message, dict) or not isinstance(message.get("t"), str):
            raise ProtocolError("a line that is not an object with a member 't'")
        return message

    def send(self, type_: str, **members: Any) -> None:
        text = json.dumps({"t": type_, **members}, separators=(",", ":"), allow_nan=False)
        self._check()
        rest = memoryview(text.encode() + b"\n")
        while rest:
            try:
                rest = rest[os.write(self._replies_fd, rest) :]
            except BrokenPipeError:
                # the host is gone: nobody is left to report to
                sys.stderr.flush()
                os._exit(125)
