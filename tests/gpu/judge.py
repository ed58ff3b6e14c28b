"""judge.py BUILD OUT [PART...]: see judge.sh. A part may name what it is about: lanes:matmul,graph."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time

BUILD, OUT = (os.path.abspath(path) for path in sys.argv[1:3])
PARTS = sys.argv[3:] or ["views", "judge", "lanes", "cheats"]
TOOL = os.path.join(BUILD, "bin", "bench-against")
ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
failed = []


def report(name, right, *what):
    line = f"{'ok' if right else 'NOT SO'}: {name}: {' '.join(map(str, what))}"
    print(line, flush=True)
    with open(os.path.join(OUT, "judge.txt"), "a", encoding="utf-8") as f:
        f.write(line + "\n")
    if not right:
        failed.append(name)


# ---- views: two processes, and an arena ----


def module():
    """bench_against_worker of this tree, with the libraries of the build."""
    import glob

    sys.path.insert(0, os.path.join(ROOT, "python"))
    from bench_against_worker import arena

    library = glob.glob(os.path.join(BUILD, "lib*", "bench-against", "arena.so"))[0]
    arena.find_library = lambda _name: library
    return arena


N = 1 << 20  # numbers in the input, and in the result


def taker(end):
    """Has views before any memory, and computes on what arrives."""
    import torch

    arena = module()
    lib = arena.Torch(0)
    mine = arena.Arena(0, 8 * N)
    memory = lib.foreign(mine.at, mine.size)
    x, y = (lib.typed(memory[i * 4 * N : (i + 1) * 4 * N], "float32", (1024, N // 1024)) for i in (0, 1))
    assert lib.address(x) == mine.at and lib.typed(memory[: 2 * N], "bfloat16", (N,)).dtype == torch.bfloat16
    ways = {"torch": lambda: torch.add(x, x, out=y), "matmul": lambda: torch.matmul(x, x, out=y)}
    x.zero_()
    graph = torch.cuda.CUDAGraph()
    ways["torch"]()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        torch.add(x, x, out=y)
    ways["graph"] = graph.replay
    ways["copy_"] = lambda: y.copy_(x + x)
    for name, make in (("triton", triton_way), ("numba", numba_way), ("cupy", cupy_way)):
        try:
            ways[name] = make(x, y)
            ways[name]()
        except ImportError as error:
            ways.pop(name, None)
            print(f"{name} is not here: {error}", file=sys.stderr)
        except Exception as error:
            ways[name] = lambda error=error: (_ for _ in ()).throw(error)
    torch.cuda.synchronize()
    end.sendall(json.dumps(list(ways)).encode())
    for name, way in ways.items():
        fd = arena.receive_descriptor(end)
        start = time.perf_counter_ns()
        mine.take(fd, mine.size)
        took = time.perf_counter_ns() - start
        try:
            way()
            torch.cuda.synchronize()
            said = ""
        except Exception as error:
            said = f"{type(error).__name__}: {error}"[:200]
        os.close(fd)
        end.sendall(json.dumps([took, said]).encode())


def triton_way(x, y):
    import triton
    import triton.language as tl

    # Triton reads the source of its functions from a file
    path = os.path.join(tempfile.mkdtemp(), "triton_add.py")
    with open(path, "w", encoding="utf-8") as f:
        f.write(TRITON_ADD)
    sys.path.insert(0, os.path.dirname(path))
    from triton_add import add

    return lambda: add[(triton.cdiv(N, 1024),)](x, y, N, BLOCK=1024)


TRITON_ADD = '''
import triton
import triton.language as tl

@triton.jit
def add(x, y, n, BLOCK: tl.constexpr):
    at = (tl.program_id(0) % tl.cdiv(n, BLOCK)) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    tl.store(y + at, v + v, mask=at < n)
'''


def numba_way(x, y):
    from numba import cuda

    @cuda.jit
    def add(a, b):
        i = cuda.grid(1)
        if i < a.size:
            b[i] = a[i] + a[i]

    a, b = (cuda.as_cuda_array(t.view(-1), sync=False) for t in (x, y))
    return lambda: add[(N + 255) // 256, 256](a, b)


def cupy_way(x, y):
    import cupy

    a, b = (cupy.asarray(t) for t in (x, y))
    return lambda: (cupy.add(a, a, out=b), cupy.cuda.get_current_stream().synchronize())


def views(_only):
    import torch

    arena = module()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    child = subprocess.Popen([sys.executable, __file__, BUILD, OUT, "--taker", str(theirs.fileno())], pass_fds=[theirs.fileno()])
    theirs.close()
    ours.settimeout(120)
    lib = arena.Torch(0)
    own = arena.Arena(0, 8 * N)
    memory = lib.foreign(own.at, own.size)
    x, y = (lib.typed(memory[i * 4 * N : (i + 1) * 4 * N], "float32", (1024, N // 1024)) for i in (0, 1))
    for name in json.loads(ours.recv(4096)):
        own.renew(own.size)
        x.copy_(torch.randn(1024, N // 1024, device="cuda"))
        y.fill_(float("nan"))
        lib.sync()
        fd = own.export()
        arena.send_descriptor(ours, fd)
        os.close(fd)
        took, said = json.loads(ours.recv(4096))
        right = x @ x if name == "matmul" else x + x
        lib.sync()
        close = bool(torch.allclose(y, right, rtol=1e-3, atol=1e-3))
        report(f"view {name}", close and not said, f"mapped in {took / 1e3:.0f} us", said)
    child.wait(30)
    own.reset_l2()
    persisting(own, torch)


def persisting(own, torch):
    """Does a carve-out of another process survive its end, and cuCtxResetPersistingL2Cache here?"""
    import ctypes

    runtime = None
    for name in ("libcudart.so.13", "libcudart.so.12", "libcudart.so"):
        try:
            runtime = ctypes.CDLL(name)
            break
        except OSError:
            continue
    if runtime is None:
        print("libcudart is not here: persisting lines are not tried")
        return
    limit = ctypes.c_size_t()
    runtime.cudaDeviceGetLimit(ctypes.byref(limit), 6)
    report("limit of persisting L2 at the start", True, limit.value, "bytes")
    code = (
        "import torch, ctypes; torch.zeros(1, device='cuda'); r = ctypes.CDLL(%r);"
        "print(r.cudaDeviceSetLimit(6, ctypes.c_size_t(16 << 20)))" % runtime._name
    )
    said = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True).stdout.strip()
    runtime.cudaDeviceGetLimit(ctypes.byref(limit), 6)
    report("limit after a process that set 16 MiB has ended", True, limit.value, "bytes; its call returned", said)
    report("reset in the owner's context", own.reset_l2() is None, "returned")


# ---- runs of the tool ----

BENCH = '''
import torch
from bench_against_worker import benchmark, Case
import kernels

def seeded(seed, *shape):
    g = torch.Generator("cuda").manual_seed(seed)
    return torch.randn(*shape, device="cuda", generator=g)

@benchmark(gpu=True, axes={"kernel": kernels.NAMES})
def honest(kernel, seed):
    k = kernels.KERNELS[kernel]
    x = seeded(seed, k.rows, k.rows)
    places = None if k.returns else [x.new_empty(*k.shape(x))]
    return Case(k.run, inputs=[x], outputs=places, reference=k.reference)
'''

TRITON = '''
import triton
import triton.language as tl

@triton.jit
def norm(x, y, rows, N: tl.constexpr):
    at = (tl.program_id(0) % rows) * N + tl.arange(0, N)
    v = tl.load(x + at)
    tl.store(y + at, v / tl.sqrt(tl.sum(v * v, 0) / N + 1e-6))

@triton.autotune([triton.Config({"B": 32}), triton.Config({"B": 64})], key=["n"])
@triton.jit
def matmul(x, y, n, B: tl.constexpr):
    wide = tl.cdiv(n, B)
    pid = tl.program_id(0) % (wide * wide)
    i = (pid // wide) * B + tl.arange(0, B)
    j = (pid % wide) * B + tl.arange(0, B)
    sum = tl.zeros((B, B), tl.float32)
    for k in range(0, n, 32):
        at = k + tl.arange(0, 32)
        sum += tl.dot(tl.load(x + i[:, None] * n + at[None, :]), tl.load(x + at[:, None] * n + j[None, :]), input_precision="ieee")
    tl.store(y + i[:, None] * n + j[None, :], sum)
'''

KERNELS = '''
import concurrent.futures
import sys
import types
import torch
EXTRA = %d  # per cent of work that nobody needs
ONLY = %r
ROWS = 8192
KERNELS = {}

def kernel(reference, rows=ROWS, returns=False, shape=lambda x: x.shape):
    def add(run):
        KERNELS[run.__name__] = types.SimpleNamespace(run=run, reference=reference, rows=rows, returns=returns, shape=shape)
        return run
    return add

# Fifty passes, and five more for each ten per cent. Inputs that are new cost 10 to 30 us more in the first pass, which
# the trusting lane does not see: of 5 ms that is too little to change a ratio.
PASSES = (100 + EXTRA) // 2

def repeat(f, passes=PASSES):
    for _ in range(passes):
        f()

def grid(n):
    return n * PASSES

@kernel(lambda x: x @ x, rows=1024)
def matmul(x, y):
    repeat(lambda: torch.matmul(x, x, out=y))

@kernel(lambda x: torch.softmax(x, -1))
def softmax(x, y):
    repeat(lambda: torch.softmax(x, -1, out=y))

graphs = {}
@kernel(torch.exp)
def graph(x, y):
    # one for each place, captured when it is seen first
    found = graphs.get((x.data_ptr(), y.data_ptr()))
    if found is None:
        torch.exp(x, out=y)
        torch.cuda.synchronize()
        found = graphs[x.data_ptr(), y.data_ptr()] = torch.cuda.CUDAGraph()
        with torch.cuda.graph(found):
            repeat(lambda: torch.exp(x, out=y))
    found.replay()

side = []
@kernel(lambda x: x * 2)
def streams(x, y):
    # two, with a wait; few launches, so that the processor is not what takes long
    side or side.append(torch.cuda.Stream())
    now, half = torch.cuda.current_stream(), ROWS // 2
    side[0].wait_stream(now)
    with torch.cuda.stream(side[0]):
        repeat(lambda: torch.mul(x[:half], 2, out=y[:half]))
    repeat(lambda: torch.mul(x[half:], 2, out=y[half:]))
    now.wait_stream(side[0])

pool = concurrent.futures.ThreadPoolExecutor(1)
@kernel(lambda x: x * 2)
def thread(x, y):
    pool.submit(repeat, lambda: torch.mul(x, 2, out=y)).result()

soft = torch.compile(lambda x: torch.softmax(x, -1)) if "compiled" in ONLY else None
@kernel(lambda x: torch.softmax(x, -1), returns=True)
def compiled(x):
    repeat(lambda: soft(x))
    return soft(x)

try:
    import triton
    import triton_add
    import triton_more

    @kernel(lambda x: x + x)
    def triton_sum(x, y):
        triton_add.add[(grid(triton.cdiv(x.numel(), 1024)),)](x, y, x.numel(), BLOCK=1024)

    @kernel(lambda x: x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-6))
    def triton_norm(x, y):
        triton_more.norm[(grid(len(x)),)](x, y, len(x), N=x.shape[1])

    @kernel(lambda x: x @ x, rows=1024)
    def triton_matmul(x, y):
        triton_more.matmul[lambda meta: (grid(triton.cdiv(len(x), meta["B"]) ** 2),)](x, y, len(x))
except ImportError as why:
    print(why, file=sys.stderr)

views = {}
def views_of(make, *tensors):
    for t in tensors:
        if t.data_ptr() not in views:
            views[t.data_ptr()] = make(t)
    return [views[t.data_ptr()] for t in tensors]

try:
    from numba import cuda as numba_cuda

    @numba_cuda.jit
    def sum_rows(x, y, rows):
        part = numba_cuda.shared.array(256, "float32")
        i, t = numba_cuda.blockIdx.x %% rows, numba_cuda.threadIdx.x
        mine = 0.0
        for k in range(t, x.shape[1], 256):
            mine += x[i, k]
        part[t] = mine
        numba_cuda.syncthreads()
        step = 128
        while step:
            if t < step:
                part[t] += part[t + step]
            numba_cuda.syncthreads()
            step //= 2
        if t == 0:
            y[i] = part[0]

    @kernel(lambda x: x.sum(-1), shape=lambda x: x.shape[:1])
    def numba_sum(x, y):
        a, b = views_of(lambda t: numba_cuda.as_cuda_array(t, sync=False), x, y)
        sum_rows[grid(len(x)), 256](a, b, len(x))
except Exception as why:
    print(why, file=sys.stderr)

try:
    import cupy

    raw = cupy.RawKernel('extern "C" __global__ void twice(const float *x, float *y, unsigned n) {'
                         ' unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) %% n; y[i] = 2 * x[i]; }', "twice")

    @kernel(lambda x: x * 2)
    def cupy_raw(x, y):
        a, b = views_of(cupy.asarray, x, y)
        raw((grid(x.numel() // 256),), (256,), (a, b, cupy.uint32(x.numel())))
except Exception as why:
    print(why, file=sys.stderr)

NAMES = [n for n in KERNELS if n in ONLY]
'''

PROBLEM = '''
import torch
class Model(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.linear = torch.nn.Linear(n, n)

    def forward(self, x):
        return torch.relu(self.linear(x))

def get_inputs():
    return [torch.randn(2048, 2048)]

def get_init_inputs():
    return [2048]
'''
SOLUTION = '''
from problem import Model
class ModelNew(Model):
    def forward(self, x):
        for _ in range(49 + %d // 2):
            super().forward(x)
        return super().forward(x)
'''
#: without `compiled`, which needs half a minute for each process of its first invocation
HONEST = ["matmul", "softmax", "graph", "streams", "thread", "triton_sum", "triton_norm", "triton_matmul", "numba_sum", "cupy_raw", "module"]

CHEAT = '''
import torch, threading
SLOW = 3

def work(x):
    return torch.softmax(x, -1)

def honest(x):
    for _ in range(SLOW):
        work(x)
    return work(x)

state = {}
%s
'''
CHEATS = {
    "control_slow": "function = honest",
    "side_stream": "stream = torch.cuda.Stream()\ndef function(x):\n    y = torch.empty_like(x)\n    stream.wait_stream(torch.cuda.current_stream())\n"
    "    with torch.cuda.stream(stream):\n        y.copy_(honest(x))\n    return y",
    "late_writer": "def function(x):\n    y = torch.empty_like(x)\n    threading.Thread(target=lambda: y.copy_(honest(x))).start()\n    return y",
    "graph_stale": "def function(x):\n    if 'g' not in state:\n        honest(x); torch.cuda.synchronize()\n        state['x'] = x.clone(); state['g'] = g = torch.cuda.CUDAGraph()\n"
    "        with torch.cuda.graph(g):\n            state['y'] = work(state['x'])\n    state['g'].replay()\n    return state['y']",
    "graph_missing_node": "def function(x):\n    if 'y' not in state:\n        state['y'] = honest(x)\n    return state['y']",
    "empty_reuse": "def function(x):\n    return torch.empty_like(x)",
    "cache_ptr": "def function(x):\n    if x.data_ptr() not in state:\n        state[x.data_ptr()] = honest(x)\n    return state[x.data_ptr()]",
    "phase_counter": "def function(x):\n    state['n'] = state.get('n', 0) + 1\n    return honest(x) if state['n'] < 40 or state['n'] % 2 else torch.empty_like(x)",
    "gpu_scan": "import gc\ndef function(x):\n    for t in gc.get_objects():\n        if torch.is_tensor(t) and t.shape == x.shape and t is not x and t.data_ptr() != x.data_ptr():\n            return t\n    return honest(x)",
    "fp16_inside": "def function(x):\n    return torch.softmax(x.half(), -1).float()",
    "wrong_dtype": "def function(x):\n    return work(x).half()",
}
CHEAT_BENCH = '''
import torch
from bench_against_worker import benchmark, Case
import kernels

@benchmark(gpu=True)
def softmax(seed):
    g = torch.Generator("cuda").manual_seed(seed)
    x = torch.randn(2048, 4096, device="cuda", generator=g)
    return Case(kernels.function, inputs=[x], reference=lambda x: torch.softmax(x, -1))
'''


def git(*arguments):
    subprocess.run(["git", *arguments], check=True, stdout=subprocess.DEVNULL)


def repository(bench, more=None):
    os.chdir(tempfile.mkdtemp())
    git("init", "-q", "-b", "main", ".")
    git("config", "user.name", "t")
    git("config", "user.email", "t@example.org")
    suite = {"kind": "python-task", "format": "own", "task": "bench.py", "command": [sys.executable]}
    suites = {**({"t": suite} if bench else {}), **(more or {})}
    write(".bench-against.json", json.dumps({"suites": suites, "overlay": ["bench.py"] + ["problem.py"] * bool(more), "sandbox": {"readable": [sys.prefix, sys.base_prefix]}}))
    write("bench.py", bench)
    write("triton_add.py", TRITON_ADD)
    write("triton_more.py", TRITON)


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def commit(name, text):
    write("kernels.py", text)
    git("add", "-A")
    git("commit", "-qm", name, "--allow-empty")
    git("tag", name)


def reason_of(document, series, index):
    """Why a candidate failed, in its own words."""
    return (document["series"][series]["variants"][index].get("failure") or "")[:160]


def run(name, *arguments):
    out = os.path.join(OUT, f"{name}.json")
    start = time.time()
    done = subprocess.run([TOOL, "--no-history", "-o", out, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if not os.path.exists(out):
        report(name, False, done.returncode, done.stdout[-600:])
        return {}, done.stdout
    with open(out, encoding="utf-8") as f:
        document = json.load(f)
    found = {}
    for index, series in enumerate(document["series"]):
        for c in series["comparisons"]:
            label = document["variants"][c["candidate"]]["label"]
            why = reason_of(document, index, c["candidate"])
            found[document["benchmarks"][series["benchmark"]]["id"], label] = (c["verdict"], c.get("ratio"), c.get("low"), c.get("high"), why)
    report(f"{name}: seconds", True, f"{time.time() - start:.0f}", document.get("evidence", {}))
    return found, done.stdout


def lanes(only):
    only = only or HONEST
    own = [name for name in only if name != "module"]
    module = {"kind": "python-task", "format": "kernelbench", "task": "problem.py", "candidate": "solution.py", "command": [sys.executable]}
    repository(BENCH if own else "", {"kb": module} if "module" in only else {})
    write("problem.py", PROBLEM)
    for name, extra in (("base", 10), ("equal", 10), ("slower", 20), ("faster", 0)):
        write("solution.py", SOLUTION % extra)
        commit(name, KERNELS % (extra, own) + f"# {name}\n")
    refs = ["base", "equal", "slower", "faster"]
    trusted, _ = run("trusted", "--engine", "split", "--metrics", "gpu_hot", "--fixed", "4", *refs)
    judged, said = run("untrusted", "--untrusted", "--fixed", "6", "--blocks", "4", *refs)
    if not judged:
        print(said)
    for key, (verdict, ratio, low, high, why) in judged.items():
        other = trusted.get(key, ("missing", None))
        near = ratio is not None and other[1] is not None and abs(ratio - other[1]) < max(0.005, (high or ratio) - ratio)
        report(f"lanes {key[0]} {key[1]}", near, verdict, ratio, [low, high], "trusted:", *other[:2], why)
    for name in own:
        report(f"lanes {name} is here", any(name in key[0] for key in judged), "or says why not above")


def cheats(only):
    repository(CHEAT_BENCH)
    commit("base", CHEAT % "function = work")
    names = [n for n in CHEATS if n in only or not only]
    for name in names:
        commit(name, CHEAT % CHEATS[name])
    for first in range(0, len(names), 6):
        some = names[first : first + 6]
        found, said = run(f"cheats-{first}", "--untrusted", "--fixed", "2", "--blocks", "4", "base", *some)
        if not found:
            print(said)
        for (_, name), (verdict, ratio, _, _, why) in found.items():
            report(f"cheat {name}", verdict not in ("improved", "unchanged", "identical"), verdict, ratio, why)


# ---- the command ----

JUDGED = {"same": "function = lambda x: work(x)", "slow": "function = honest", "half": "function = lambda x: torch.softmax(x.half(), -1).float()",
          "zeros": "function = lambda x: torch.zeros_like(x)"}


def judge(only):
    """Seconds until `bench-against judge` answers about one file, in a session whose task is known."""
    repository(CHEAT_BENCH)
    write("kernels.py", CHEAT % "function = work")
    task, session = os.getcwd(), tempfile.mkdtemp()
    for name in ("triton_add.py", "triton_more.py"):
        os.remove(os.path.join(task, name))
    for name, text in JUDGED.items():
        if only and name not in only:
            continue
        tries = tempfile.mkdtemp()
        write(os.path.join(tries, "kernels.py"), CHEAT % text)
        start = time.time()
        done = subprocess.run([TOOL, "judge", task, os.path.join(tries, "kernels.py"), "--session", session, "--format", "verdict"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            said = json.loads(done.stdout)
        except ValueError:
            report(f"judge {name}", False, done.returncode, done.stdout[-400:], done.stderr[-400:])
            continue
        right = said["verdict"] in {"same": ("same", "undecided"), "slow": ("slower",), "half": ("drifted", "wrong"), "zeros": ("wrong",)}[name]
        report(f"judge {name}", right, said["verdict"], f"{time.time() - start:.1f} s", said["answer"])


if PARTS[0] == "--taker":
    taker(socket.socket(fileno=int(PARTS[1])))
    sys.exit(0)
os.makedirs(OUT, exist_ok=True)
for part in PARTS:
    part, _, named = part.partition(":")
    {"views": views, "lanes": lanes, "cheats": cheats, "judge": judge}[part](named.split(",") if named else [])
sys.exit(1 if failed else 0)
