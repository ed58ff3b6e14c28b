"""What each case of cases.json measures, for all tools alike: CASES[id]() prepares and returns a call.

Each follows the example in the issue or pull request that its case names, with less data where the
example takes seconds."""


def jsonschema_document(definitions):
    """a schema that refers to its definitions, and a document for it"""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "definitions": {f"d{i}": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string", "minLength": 1}, "next": {"$ref": f"#/definitions/d{(i + 1) % definitions}"}}}
            for i in range(definitions)},
        "properties": {f"p{i}": {"$ref": f"#/definitions/d{i}"} for i in range(definitions)},
    }
    return schema, {f"p{i}": {"name": "x", "next": {"name": "y"}} for i in range(definitions)}


def jsonschema_validate():
    import jsonschema
    schema, document = jsonschema_document(4)
    return lambda: jsonschema.validate(document, schema)


def jsonschema_refs():
    import jsonschema
    schema, document = jsonschema_document(6)
    validator = jsonschema.Draft7Validator(schema)
    return lambda: validator.validate(document)


def packaging_requirement():
    from packaging.requirements import Requirement
    return lambda: Requirement("typing-extensions")


def packaging_hash():
    from packaging.version import Version
    texts = ["1.0", "2.3.1", "1.0.dev4", "1.0a1", "3.2rc1", "1.2.post3", "1!2.0", "2020.10.1", "0.1.0", "1.0+local.1"]
    return lambda: [hash(Version(text)) for text in texts]


def networkx_components():
    import networkx
    graph = networkx.gnp_random_graph(100, 0.9, seed=42)
    return lambda: [len(c) for c in networkx.connected_components(graph)]


MARKDOWN = """# A title

Some *emphasised* text with `code`, a [link](https://example.org/) and **strong** words.

- one
- two
- three

> a quotation

    code

1. first
2. second
"""


def mistune_markdown():
    import mistune
    return lambda: mistune.markdown(MARKDOWN)


def sqlparse_comments():
    import sqlparse
    text = "-- a comment\n" * 200
    return lambda: sqlparse.parse(text)


def typing_protocols():
    from typing_extensions import Protocol, runtime_checkable

    @runtime_checkable
    class HasX(Protocol):
        x: int

    class Plain:
        def __init__(self):
            self.x = 1

    found, missing = Plain(), object()
    return lambda: (isinstance(found, HasX), isinstance(missing, HasX))


def pyparsing_import():
    import subprocess
    import sys
    return lambda: subprocess.run([sys.executable, "-c", "import pyparsing"], check=True)


def pygments_markdown():
    from pygments.lexers import MarkdownLexer
    text = "".join(f"| `formatDistance` | {i} | in about {i} years and a half, or less |\n" for i in range(30))
    lexer = MarkdownLexer()
    return lambda: list(lexer.get_tokens(text))


def more_itertools_sorted():
    from more_itertools import is_sorted
    numbers = range(1000)
    return lambda: is_sorted(numbers)


def pluggy_wrappers():
    import pluggy
    spec, impl = pluggy.HookspecMarker("example"), pluggy.HookimplMarker("example")

    class Spec:
        @spec
        def call(self, x):
            pass

    class Plugin:
        @impl
        def call(self, x):
            return x

    class Wrapper:
        @impl     # a generator is a new-style wrapper
        def call(self, x):
            return (yield)

    manager = pluggy.PluginManager("example")
    manager.add_hookspecs(Spec)
    for make in [Plugin] * 10 + [Wrapper] * 10:
        manager.register(make())
    return lambda: manager.hook.call(x=1)


def numba_cuda_launch():
    import numpy
    if not hasattr(numpy, "row_stack"):     # NumPy 2.5
        numpy.row_stack = numpy.vstack
    import _numba_cuda_redirector  # noqa: F401 - what its .pth file does where it is installed
    from numba import config, cuda
    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0

    @cuda.jit("void(float32[:],float32[:],float32[:])")
    def kernel(a, b, c):
        return

    arrays = [cuda.device_array(10000, dtype=numpy.float32) for _ in range(3)]
    return lambda: kernel[1, 1](*arrays)


def cuda_bindings_calls():
    from cuda.bindings import driver
    driver.cuInit(0)
    _, context = driver.cuDevicePrimaryCtxRetain(driver.cuDeviceGet(0)[1])
    driver.cuCtxSetCurrent(context)
    _, stream = driver.cuStreamCreate(0)
    return lambda: (driver.cuCtxGetDevice(), driver.cuStreamQuery(stream))


def helion_add():
    global helion, hl, torch  # a kernel may have no closure
    import helion
    import torch
    from helion import language as hl

    @helion.kernel(config=helion.Config(block_sizes=[1024]))
    def add(x, y):
        out = torch.empty_like(x)
        for tile in hl.tile(x.size(0)):
            out[tile] = x[tile] + y[tile]
        return out

    x, y = torch.ones(4096, device="cuda"), torch.ones(4096, device="cuda")
    return lambda: add(x, y)


CASES = {
    "jsonschema-853": jsonschema_validate,
    "jsonschema-refs": jsonschema_refs,
    "packaging-requirement": packaging_requirement,
    "packaging-hash": packaging_hash,
    "networkx-components": networkx_components,
    "mistune-v2": mistune_markdown,
    "sqlparse-comments": sqlparse_comments,
    "typing-protocols": typing_protocols,
    "pyparsing-import": pyparsing_import,
    "pygments-markdown": pygments_markdown,
    "more-itertools-sorted": more_itertools_sorted,
    "pluggy-wrappers": pluggy_wrappers,
    "numba-cuda-launch": numba_cuda_launch,
    "numba-cuda-launch-gpu": numba_cuda_launch,
    "cuda-bindings-calls": cuda_bindings_calls,
    "helion-eager-launch": helion_add,
    "helion-dispatch-cache": helion_add,
}
