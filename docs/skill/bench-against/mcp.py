#!/usr/bin/env python3
"""python3 mcp.py: bench-against as an MCP server over standard input and output.

A tool call starts the program bench-against and answers its line of JSON (docs/agents.md): nothing is
kept between calls but the folder of a session. The program is $BENCH_AGAINST, the one of the
installation that this file belongs to, or the one in PATH. For an agent whose configuration has "mcpServers":

    {"mcpServers": {"bench-against": {"command": "python3", "args": ["/path/to/mcp.py"]}}}
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading

VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
STRING, STRINGS, FLAG = {"type": "string"}, {"type": "array", "items": {"type": "string"}}, {"type": "boolean"}

#: name: what it does, the words of its command line, and its parameters: (schema, required, option or "" for operands)
REPOSITORY = (STRING, False, "-C")
BUDGET = (STRING, False, "--budget")
FILTER = (STRING, False, "-f")
UNTRUSTED = (FLAG, False, "--untrusted")
TOOLS = {
    "compare_revisions": (
        "Is the candidate slower or faster than the baseline? Both are git revisions; WORKTREE is the working tree. Takes seconds to minutes.",
        [], {"repository": REPOSITORY, "baseline": (STRING, True, ""), "candidate": (STRING, True, ""), "filter": FILTER,
             "budget": BUDGET, "untrusted": UNTRUSTED}),
    "measure_revision": (
        "How long do the benchmarks of one revision take?",
        ["run"], {"repository": REPOSITORY, "revision": (STRING, True, ""), "filter": FILTER, "budget": BUDGET}),
    "judge_candidate": (
        "Is this one of many candidates for a task faster than the best so far? `session` is a folder that keeps the best and one error rate.",
        ["judge"], {"repository": REPOSITORY, "task": (STRING, True, ""), "candidate": (STRINGS, True, ""), "session": (STRING, True, "--session")}),
    "best_candidate": (
        "Measures the best candidate of a session anew, without the winner's curse.",
        ["judge"], {"session": (STRING, True, "--session")}),
    "find_regression": (
        "Which commit between a good and a bad revision made it slower?",
        ["bisect"], {"repository": REPOSITORY, "good": (STRING, True, ""), "bad": (STRING, True, ""), "filter": FILTER, "budget": BUDGET}),
    "list_benchmarks": ("The names of the benchmarks of a revision.", ["list"], {"repository": REPOSITORY, "revision": (STRING, False, "")}),
}


class Wrong(Exception):
    """An error of JSON-RPC: code, text."""


def program():
    here = os.path.dirname(os.path.abspath(__file__))
    beside = os.path.normpath(os.path.join(here, *[os.pardir] * 6, "bin", "bench-against"))
    found = os.environ.get("BENCH_AGAINST") or (beside if os.access(beside, os.X_OK) else shutil.which("bench-against"))
    if not found:
        raise Wrong(-32603, "the program bench-against is not installed, and BENCH_AGAINST does not name it")
    return found


def listed():
    tools = []
    for name, (text, _, parameters) in TOOLS.items():
        schema = {"type": "object", "additionalProperties": False, "properties": {k: v[0] for k, v in parameters.items()},
                  "required": [k for k, v in parameters.items() if v[1]]}
        tools.append({"name": name, "description": text, "inputSchema": schema})
    return {"tools": tools}


def is_of(schema, value):
    if schema is STRINGS:
        return isinstance(value, list) and bool(value) and all(is_of(STRING, one) for one in value)
    return isinstance(value, bool if schema is FLAG else str)


def command_line(name, given):
    """Values are never options: those of operands come after `--`, and those of options in the same word."""
    if name not in TOOLS:
        raise Wrong(-32602, f"there is no tool '{name}': {', '.join(TOOLS)}")
    _, words, parameters = TOOLS[name]
    unknown, missing = set(given) - set(parameters), {k for k, v in parameters.items() if v[1]} - set(given)
    if unknown or missing:
        raise Wrong(-32602, f"{name} needs {', '.join(sorted(missing)) or 'nothing else'}, and has no {', '.join(sorted(unknown)) or 'others'}")
    options, operands = [], []
    for key, (schema, _, option) in parameters.items():
        value = given.get(key)
        if value is None:
            continue
        if not is_of(schema, value):
            raise Wrong(-32602, f"'{key}' of {name} must be of type {schema['type']}")
        if not option:
            operands += value if isinstance(value, list) else [value]
        elif schema is FLAG:
            options += [option] * value
        else:
            options += [f"{option}={value}" if option.startswith("--") else option + value]
    form = [] if words == ["list"] else ["--format", "verdict", "--progress=never"]
    return [program(), *words, *form, *options, "--", *operands]


class Server:
    def __init__(self, replies):
        self.replies = replies
        self.lock = threading.Lock()
        self.running = {}

    def send(self, **message):
        with self.lock:
            self.replies.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            self.replies.flush()

    def call(self, number, parameters):
        """In a thread of its own: a run takes minutes, and may be cancelled."""
        try:
            line = command_line(parameters.get("name"), parameters.get("arguments") or {})
            with self.lock:
                if number not in self.running:  # cancelled before it began
                    return
                child = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                self.running[number] = child
            out, err = child.communicate()
        except (Wrong, OSError) as error:
            code, text = error.args if isinstance(error, Wrong) else (-32603, str(error))
            self.send(id=number, error={"code": code, "message": text})
            return
        finally:
            cancelled = self.running.pop(number, None) is None
        if cancelled:
            return
        # 1 and 125 are answers; without a line, standard error has the sentence
        text = out.strip() or err.strip()[-2000:] or f"it ended with status {child.returncode}"
        result = {"content": [{"type": "text", "text": text}], "isError": not out.strip()}
        if out.startswith("{"):
            result["structuredContent"] = json.loads(out)
        self.send(id=number, result=result)

    def cancel(self, number):
        with self.lock:
            child = self.running.pop(number, None)
        if child:
            child.send_signal(signal.SIGINT)

    def handle(self, message):
        method, number, parameters = message.get("method"), message.get("id"), message.get("params") or {}
        if method == "notifications/cancelled":
            self.cancel(parameters.get("requestId"))
        if number is None or method is None:
            return
        if method == "initialize":
            asked = parameters.get("protocolVersion")
            self.send(id=number, result={"protocolVersion": asked if asked in VERSIONS else VERSIONS[0], "capabilities": {"tools": {}},
                                         "serverInfo": {"name": "bench-against", "version": "1"}})
        elif method == "ping":
            self.send(id=number, result={})
        elif method == "tools/list":
            self.send(id=number, result=listed())
        elif method == "tools/call":
            self.running[number] = None
            threading.Thread(target=self.call, args=(number, parameters)).start()
        else:
            self.send(id=number, error={"code": -32601, "message": f"there is no method '{method}'"})

    def serve(self, requests):
        for line in requests:
            try:
                message = json.loads(line)
                if not isinstance(message, dict) or not isinstance(message.get("params") or {}, dict):
                    raise ValueError("not a request")
            except ValueError as error:
                self.send(id=None, error={"code": -32700, "message": str(error)})
                continue
            self.handle(message)
        for number in list(self.running):
            self.cancel(number)


if __name__ == "__main__":
    Server(sys.stdout).serve(sys.stdin)
