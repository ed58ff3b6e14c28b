"""mcp.py BUILD: the MCP server beside the skill file, driven as an agent would, with the tool behind it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
SERVER = os.path.join(HERE, "..", "..", "docs", "skill", "bench-against", "mcp.py")
sys.path.insert(0, os.path.join(HERE, "..", "support"))
from program import make_cache, program  # noqa: E402


class Client:
    def __init__(self):
        env = {**os.environ, "BENCH_AGAINST": os.path.join(BUILD, "bin", "bench-against"),
               "XDG_CACHE_HOME": os.path.join(os.getcwd(), "cache"), "GIT_CONFIG_GLOBAL": os.path.join(os.getcwd(), "gitconfig")}
        self.server = subprocess.Popen([sys.executable, SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
        self.number = 0

    def send(self, text):
        self.server.stdin.write(text + "\n")
        self.server.stdin.flush()

    def hear(self):
        return json.loads(self.server.stdout.readline())

    def ask(self, method, **parameters):
        self.number += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}))
        answer = self.hear()
        assert answer["jsonrpc"] == "2.0" and answer["id"] == self.number, answer
        return answer["result"] if "result" in answer else answer["error"]

    def call(self, name, **arguments):
        return self.ask("tools/call", name=name, arguments=arguments)


def commit(ns):
    with open("repository/cost.py", "w", encoding="utf-8") as f:
        f.write(f"NS = {ns}\n")
    git = ["git", "-C", "repository", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "x"], check=True)


def protocol(client):
    begun = client.ask("initialize", protocolVersion="2024-11-05", capabilities={}, clientInfo={"name": "t", "version": "1"})
    assert begun["protocolVersion"] == "2024-11-05" and "tools" in begun["capabilities"], begun
    assert client.ask("initialize", protocolVersion="1999-01-01")["protocolVersion"] > "2025"
    client.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
    assert client.ask("ping") == {}
    tools = {tool["name"]: tool for tool in client.ask("tools/list")["tools"]}
    assert tools["compare_revisions"]["inputSchema"]["required"] == ["baseline", "candidate"], tools
    assert client.ask("resources/list")["code"] == -32601
    for line in ("{", "[]", '{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": 3}'):
        client.send(line)
        assert client.hear()["error"]["code"] == -32700
    for name, arguments in (("shell", {}), ("compare_revisions", {"baseline": "HEAD"}), ("judge_candidate", {"task": "t", "candidate": "c", "session": "s"}),
                            ("best_candidate", {"session": "s", "output": "x"})):
        assert client.call(name, **arguments)["code"] == -32602, name


def answers(client):
    found = client.call("compare_revisions", repository="repository", baseline="HEAD~", candidate="HEAD")
    assert not found["isError"] and found["structuredContent"]["verdict"] == "slower", found
    assert json.loads(found["content"][0]["text"]) == found["structuredContent"], found
    found = client.call("list_benchmarks", repository="repository")
    assert "s/spin" in found["content"][0]["text"] and not found["isError"], found
    # a value that looks like an option is none
    found = client.call("compare_revisions", repository="repository", baseline="--output=stolen", candidate="HEAD")
    assert found["isError"] and "--output=stolen" in found["content"][0]["text"] and not os.path.exists("stolen"), found
    found = client.call("best_candidate", session="nothing")
    assert found["isError"] and "is not a session" in found["content"][0]["text"], found


def cancels(client):
    """What was cancelled gets no answer, and the server serves on."""
    commit(10**7)
    commit(2 * 10**7)
    client.send(json.dumps({"jsonrpc": "2.0", "id": "long", "method": "tools/call",
                            "params": {"name": "compare_revisions", "arguments": {"repository": "repository", "baseline": "HEAD~", "candidate": "HEAD"}}}))
    assert client.ask("ping") == {}
    client.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "long"}}))
    client.server.stdin.close()
    assert client.server.stdout.read() == ""
    assert client.server.wait() == 0


os.chdir(tempfile.mkdtemp())
try:
    make_cache(BUILD, "cache/bench-against")
    os.mkdir("repository")
    subprocess.run(["git", "init", "-q", "repository"], check=True)
    text = program("sys.path.insert(0, os.getcwd())\nimport cost", """
        time.sleep(cost.NS * 1e-9)
        say(t="measured", ns=[int(cost.NS * m["batch"] * random.uniform(0.999, 1.001)) for _ in range(m["readings"])])
    """)
    config = {"target": "host", "suites": {"s": {"kind": "worker", "command": [sys.executable, "-I", "-S", "worker.py"]}}}
    for name, content in (("worker.py", text), (".bench-against.json", json.dumps(config))):
        with open(os.path.join("repository", name), "w", encoding="utf-8") as f:
            f.write(content)
    for ns in (1000, 1500):
        commit(ns)
    client = Client()
    protocol(client)
    answers(client)
    cancels(client)
finally:
    shutil.rmtree(os.getcwd(), ignore_errors=True)
