"""JSON Lines to and from the host, on two descriptors of their own."""

import json
import os
import sys
from typing import Any, Dict, Optional

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
        self._requests = os.fdopen(requests_fd, "rb", closefd=False)
        self._replies_fd = replies_fd

    @classmethod
    def from_environment(cls) -> Optional["Channel"]:
        """None where nobody has started us as a worker."""
        numbers = [os.environ.pop(name, "") for name in (REQUESTS, REPLIES)]
        if not all(numbers):
            return None
        return cls(*map(int, numbers))

    def receive(self) -> Optional[Dict[str, Any]]:
        """None when the host has closed the channel."""
        line = self._requests.readline()
        if not line:
            return None
        try:
            message = json.loads(line)
        except ValueError as error:
            raise ProtocolError(f"a line that is not JSON: {error}") from None
        if not isinstance(message, dict) or not isinstance(message.get("t"), str):
            raise ProtocolError("a line that is no object with a member 't'")
        return message

    def send(self, type_: str, **members: Any) -> None:
        text = json.dumps({"t": type_, **members}, separators=(",", ":"), allow_nan=False)
        rest = memoryview(text.encode() + b"\n")
        while rest:
            try:
                rest = rest[os.write(self._replies_fd, rest) :]
            except BrokenPipeError:
                # the host is gone: nobody is left to be told
                sys.stderr.flush()
                os._exit(125)
