"""Tasks under --untrusted: runs on inputs that another process chose.

The same two roles as in src/measure/worker/plugin_fresh.c, in answer to the same requests. One
process, the checker, has the task of the baseline: it makes inputs by seeds that the host draws, and
looks at the results of cases chosen by chance. The other has the function of one variant, in its
sandbox. Their memory is an arena (arena.py), which arrives with the request whose time is taken.

A case is a row of blocks, inputs first. Results are copied into their places run by run, in the timed
part, unless they lie there already; so a result that is computed when somebody looks at it is
computed in time.
"""

import gc
import json
import os
import random
import socket
import time
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from . import numerics
from .arena import GUARD, GUARD_BYTE, POISON, Arena, Block, Plain, library_of, receive_descriptor, send_descriptor
from .task import NOT_REPEATED, Look, Refused, Shape, Task, Values, Wrong, build, flatten, in_regime, shape_of

_SETUP_MOST_NS = 500_000_000
_MEMORY_PART = 8
_WARM_UP_NS = 2_000_000_000
#: a request to judge one case judges others, too, while that takes no longer
_LOOK_NS, _LOOKS_MOST = 50_000_000, 16

Message = Dict[str, Any]


class Layout:
    """Where the blocks of a case lie, and how the function is called with them."""

    def __init__(self, blocks: Sequence[Block], call: Message) -> None:
        self.blocks = list(blocks)
        self.call = call
        self.starts: List[int] = []
        self.step = 0
        for block in self.blocks:
            self.starts.append(self.step + GUARD)
            self.step += block.room
        self.outs: List[int] = call["outs"]

    @classmethod
    def read(cls, message: Message) -> "Layout":
        blocks = [Block(b[0], b[1], tuple(b[2]), b[3]) for b in map(json.loads, message["names"])]
        return cls(blocks, json.loads(message["call"]))

    def members(self) -> Message:
        return {
            "names": [json.dumps(block) for block in self.blocks],
            "kinds": [int(block.role != "in") for block in self.blocks],
            "bytes": [block.bytes for block in self.blocks],
            "call": json.dumps(self.call),
        }

    def views(self, lib: Plain, memory: Any, case: int) -> List[Any]:
        """The blocks of that case in all bytes of an arena."""
        made = []
        for start, block in zip(self.starts, self.blocks):
            first = case * self.step + start
            made.append(lib.typed(memory[first : first + block.bytes], block.dtype, block.shape))
        return made

    def guards(self, memory: Any, case: int) -> List[Tuple[Any, Any]]:
        """Before and after each block."""
        made = []
        for start, block in zip(self.starts, self.blocks):
            first = case * self.step + start
            end = first - GUARD + block.room
            made.append((memory[first - GUARD : first], memory[first + block.bytes : end]))
        return made

    def poison(self, lib: Plain, memory: Any, case: int) -> None:
        for start, block, guards in zip(self.starts, self.blocks, self.guards(memory, case)):
            first = case * self.step + start
            for guard in guards:
                lib.fill(guard, GUARD_BYTE)
            if block.role == "out":
                lib.fill(memory[first : first + block.bytes], POISON)


def arguments_of(layout: Layout, views: Sequence[Any], destination: bool) -> Tuple[Any, ...]:
    """What the function is called with."""
    args = tuple(build(layout.call["args"], views))
    if not destination:
        return args
    outs = build(layout.call["around"], [views[i] for i in layout.outs])
    return args + (outs if isinstance(outs, tuple) else (outs,))


class Checker:
    """Owns the memory, the inputs and the rule."""

    def __init__(self, task: Task, values: Values, end: socket.socket) -> None:
        self._task, self._values, self._end = task, values, end
        self._state = int.from_bytes(os.urandom(4), "little") >> 1
        self._look = Look(task, values, self._state)
        self._chance = random.SystemRandom()
        self._drifts: Dict[Tuple[int, str], numerics.Drift] = {}
        self._seeds: List[int] = []
        self._regimes: Dict[int, str] = {}
        self._twins: List[int] = []  # two cases with the same inputs
        self._arena: Optional[Arena] = None
        self.layout, self._lib, self._shape = self._learn()

    # ---- what the task is like ----

    def _learn(self) -> Tuple[Layout, Plain, Shape]:
        device = self._task.device
        seeds = [self._chance.getrandbits(31) for _ in range(2)]
        made = [self._task.inputs(self._values, seed) for seed in seeds]
        shapes = [shape_of(tuple(args), device, "an input") for args in made]
        if shapes[0] != shapes[1]:
            raise Refused(
                "the shapes of its inputs, or numbers among them, depend on the seed; fix them by axes, or let the "
                "numbers be arrays of one element"
            )
        results = [self._run(args) for args in made]
        outs = [shape_of(result, device, "a result") for result, _ in results]
        if outs[0] != outs[1]:
            raise Refused("the shape of its results depends on the data, so there is no place for them beforehand")
        if not shapes[0].arrays or not outs[0].arrays:
            raise Refused("it has no arrays among its inputs, or none among its results")
        lib = library_of(flatten(results[0][0], device)[1][0], device)
        assert lib is not None
        blocks = [Block("in", *kind) for kind in shapes[0].arrays]
        places = []
        for kind, alias in zip(outs[0].arrays, results[0][1]):
            if alias is None:
                places.append(len(blocks))
                blocks.append(Block("out", *kind))
            else:
                places.append(alias)
                blocks[alias] = blocks[alias]._replace(role="inout")
        call = {
            "args": json.loads(shapes[0].around),
            "around": json.loads(outs[0].around),
            "outs": places,
            "state": self._state,
        }
        self._refuse_weak_rule(made, results, outs[0])
        return Layout(blocks, call), lib, shapes[0]

    def _run(self, args: Sequence[Any]) -> Tuple[Any, List[Optional[int]]]:
        """The reference's results, and which of its inputs each of them is."""
        own = self._look._clone(args)
        result = self._look._reference(*own)
        inputs, outputs = (flatten(x, self._task.device)[1] for x in (own, result))
        libs = [library_of(x, self._task.device) for x in inputs]
        aliases: List[Optional[int]] = []
        for out in outputs:
            lib = library_of(out, self._task.device)
            found = [
                i
                for i, x in enumerate(inputs)
                if lib is not None and type(libs[i]) is type(lib) and lib.address(x) == lib.address(out)
                and lib.describe(x) == lib.describe(out)
            ]
            aliases.append(found[0] if found else None)
        return result, aliases

    def _refuse_weak_rule(self, made: Any, results: Any, shape: Shape) -> None:
        """The check must reject results that nobody has computed."""
        device = self._task.device
        args, (right, _), (other, _) = made[0], results[0], results[1]
        arrays = flatten(right, device)[1]
        lib = library_of(arrays[0], device)
        assert lib is not None
        false = {"results that nobody has written": [self._filled(x, POISON) for x in arrays]}
        false["zeros"] = [self._filled(x, 0) for x in arrays]
        false["the results of other inputs"] = flatten(other, device)[1]
        inputs = flatten(tuple(args), device)[1]
        like = [next((i for i in inputs if lib.describe(i) == lib.describe(x)), None) for x in arrays]
        if all(x is not None for x in like):
            false["its inputs"] = [lib.clone(x) for x in like]
        for what, got in false.items():
            if self._look.examine(args, got, numerics.Drift()) is None:
                raise Refused(
                    f"its check accepts {what}, so --untrusted cannot check the candidate: "
                    "let it compare all results, and let results depend on the inputs"
                )
        text = self._look.examine(args, arrays, numerics.Drift())
        if text:
            raise Refused(f"its check rejects the results of its own reference: {text}")

    def _filled(self, x: Any, byte: int) -> Any:
        lib = library_of(x, self._task.device)
        assert lib is not None
        dtype, shape, size = lib.describe(x)
        raw = lib.typed(lib.clone(x), "uint8", (size,)) if lib.name != "plain" else memoryview(bytearray(size))
        lib.fill(raw, byte)
        return lib.typed(raw, dtype, shape)

    # ---- requests ----

    def prepare(self, count: int, limited: bool) -> int:
        start = time.perf_counter_ns()
        self._task.inputs(self._values, self._chance.getrandbits(31))
        self._lib.sync()
        took = max(1, time.perf_counter_ns() - start)
        if limited:
            count = min(count, max(1, _SETUP_MOST_NS // took))
        count = max(1, min(count, memory_bytes(self._lib) // _MEMORY_PART // self.layout.step))
        self._arena = Arena(self._lib.device, self.layout.step * count)
        self._memory = self._lib.foreign(self._arena.at, self._arena.size)
        return count

    def drop(self) -> None:
        """Its memory is free, also for the processes of others."""
        if self._arena is not None:
            self._arena.drop()
        self._lib.forget()

    def inputs(self, seeds: List[int]) -> None:
        """Another process may still see the last memory."""
        assert self._arena is not None
        self._arena.renew(self.layout.step * len(seeds))
        self._arena.reset_l2()
        self._seeds = seeds
        names = list(self._task.regimes)
        self._chance.shuffle(names)
        names = names[: len(seeds) // 2]
        self._regimes = dict(zip(self._chance.sample(range(len(seeds)), len(names)), names))
        own = [case for case in range(len(seeds)) if case not in self._regimes]
        self._twins = self._chance.sample(own, 2) if self._task.repeatable and len(own) > 1 else []
        if self._twins:
            self._seeds[self._twins[1]] = self._seeds[self._twins[0]]
        for case in range(len(seeds)):
            self.layout.poison(self._lib, self._memory, case)
            args = self._inputs(case)
            if shape_of(tuple(args), self._task.device, "an input") != self._shape:
                raise Refused("the shapes of its inputs depend on the seed")
            views = self.layout.views(self._lib, self._memory, case)
            for view, x in zip(views, flatten(tuple(args), self._task.device)[1]):
                self._lib.copy(view, x)
        self._lib.sync()
        fd = self._arena.export()
        send_descriptor(self._end, fd)
        os.close(fd)

    def _inputs(self, case: int) -> Sequence[Any]:
        args = self._task.inputs(self._values, self._seeds[case] % (1 << 31))
        regime = self._regimes.get(case)
        made: Sequence[Any] = in_regime(args, regime, self._task.device) if regime else args
        return made

    def judge(self, case: int, variant: int) -> Optional[str]:
        """What is wrong with the results; the memory is copied at once, where no other process can write."""
        used = self.layout.step * len(self._seeds)
        copy = self._lib.clone(self._memory[:used])
        self._lib.sync()
        # what is wrong on the task's own inputs is wrong, and has not only drifted
        own = [one for one in range(len(self._seeds)) if one not in self._regimes]
        first = case if case in own else self._chance.choice(own)
        cases = [first, case, *self._regimes] + self._chance.sample(range(len(self._seeds)), min(len(self._seeds), _LOOKS_MOST))
        end = time.perf_counter_ns() + _LOOK_NS
        for index, one in enumerate(dict.fromkeys(cases)):
            if index and time.perf_counter_ns() > end:
                break
            regime = self._regimes.get(one, "")
            text = self._judge(copy, one, self._drifts.setdefault((variant, regime), numerics.Drift()))
            if text and regime:
                text += f" (inputs of another regime: {regime})"
            if text:
                return text
        return self._compare_twins(copy)

    def _compare_twins(self, copy: Any) -> Optional[str]:
        views = [self.layout.views(self._lib, copy, case) for case in self._twins]
        same = all(self._lib.same_bits(*(v[i] for v in views)) for i in self.layout.outs) if views else True
        return None if same else NOT_REPEATED

    def _judge(self, copy: Any, case: int, drift: numerics.Drift) -> Optional[str]:
        for index, guards in enumerate(self.layout.guards(copy, case)):
            for guard, where in zip(guards, ("before", "after")):
                if not self._lib.is_filled(guard, GUARD_BYTE):
                    return f"wrong answer: something was written {where} array {index}"
        views = self.layout.views(self._lib, copy, case)
        got = [views[i] for i in self.layout.outs]
        # what was written into the inputs does not count
        return self._look.examine(self._inputs(case), got, drift, rule=case not in self._regimes)


class Runner:
    """Has the function of one variant."""

    def __init__(self, task: Task, values: Values, end: socket.socket, layout: Layout, count: int) -> None:
        self._end, self._layout = end, layout
        self._function = task.function(values, layout.call["state"])
        decoys = flatten(tuple(task.inputs(values, layout.call["state"])), task.device)[1]
        lib = library_of(decoys[0], task.device)
        if lib is None or len(decoys) > len(layout.blocks):
            raise Wrong("its inputs are not the baseline's")
        self._lib, self._device = lib, task.device
        self._arena = Arena(lib.device, layout.step * count)
        memory = lib.foreign(self._arena.at, self._arena.size)
        self._views = [layout.views(lib, memory, case) for case in range(count)]
        self._destination = task.destination
        self._calls = [arguments_of(layout, views, task.destination) for views in self._views]
        self._fd, self._taken = -1, count
        for views in self._views:
            for view, decoy in zip(views, decoys):
                lib.copy(view, decoy)
        self._warm_up()

    def _warm_up(self) -> None:
        """Compilers, tuners and graphs: each place once, the first one three times."""
        end = time.perf_counter_ns() + _WARM_UP_NS
        for index, case in enumerate([0, 0, *range(len(self._calls))]):
            self._once(case)
            if index > 2 and time.perf_counter_ns() > end:
                break
        self._lib.sync()
        gc.collect()

    def _once(self, case: int) -> None:
        result = self._function(*self._calls[case])
        if result is not None or not self._destination:
            self._put(result, self._views[case])

    def _put(self, result: Any, views: List[Any]) -> None:
        """Results go where they are looked for, in the stream that is current."""
        lib = self._lib
        try:
            arrays = [result] if lib.is_array(result) else flatten(result, self._device)[1]
        except Refused as why:
            raise Wrong(str(why)) from None
        if len(arrays) != len(self._layout.outs):
            raise Wrong(f"it returned {len(arrays)} arrays, and the reference {len(self._layout.outs)}")
        for place, array in zip(self._layout.outs, arrays):
            block = self._layout.blocks[place]
            if not lib.is_array(array):
                raise Wrong(f"it returned a {type(array).__name__} that is not a plain array on the device of the run")
            dtype, shape, _ = lib.describe(array)
            if (dtype, shape) != (block.dtype, block.shape):
                raise Wrong(f"it returned {dtype} {list(shape)}, and the reference {block.dtype} {list(block.shape)}")
            if lib.address(array) != lib.address(views[place]):
                lib.copy(views[place], array)

    def run(self, take: bool, runs: int) -> int:
        if take:
            self._fd = receive_descriptor(self._end)
            self._taken = runs
            self._arena.take(self._fd, self._layout.step * runs)
        start = time.perf_counter_ns()
        for index in range(runs):
            self._once(index % self._taken)  # untimed runs may be more than were taken
        self._lib.sync()
        took = time.perf_counter_ns() - start
        if not take:
            # so that the next inputs arrive sooner
            self._arena.drop()
        return max(1, took)

    def close(self) -> None:
        """After the answer: closing takes milliseconds with CUDA's driver, in which memory is freed."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1


class Judge:
    """The four requests."""

    def __init__(self, find: Callable[[Message], Any], send: Callable[..., None]) -> None:
        self._find, self._send = find, send
        self._checker: Optional[Checker] = None
        self._runner: Optional[Runner] = None
        self._end: Optional[socket.socket] = None

    def handlers(self) -> Dict[str, Callable[[Message], None]]:
        return {
            "fresh_prepare": self._prepare,
            "fresh_inputs": self._inputs,
            "fresh_judge": self._judge,
            "fresh_run": self._run,
        }

    def _prepare(self, message: Message) -> None:
        point = self._find(message)
        task = getattr(point.definition, "task", None)
        if task is None:
            raise Refused("it has no inputs and outputs that another process could own: see docs/python.md")
        values = dict(zip(point.definition.axes, point.values))
        if self._end is None:
            self._end = socket.socket(fileno=int(message["socket"]))
        count = int(message["count"])
        if message["checks"]:
            if self._checker is not None:
                self._checker.drop()
            self._checker = Checker(task, values, self._end)
            count = self._checker.prepare(count, bool(message["limited"]))
            layout = self._checker.layout
        else:
            layout = Layout.read(message)
            self._runner = Runner(task, values, self._end, layout, count)
        self._send("fresh_prepared", count=count, **layout.members())

    def _inputs(self, message: Message) -> None:
        assert self._checker is not None
        self._checker.inputs([int(seed) for seed in message["seeds"]])
        self._send("fresh_inputs")

    def _judge(self, message: Message) -> None:
        assert self._checker is not None
        text = self._checker.judge(int(message["case"]), int(message["variant"]))
        self._send("fresh_judged", right=text is None, text=text or "")

    def _run(self, message: Message) -> None:
        assert self._runner is not None
        gc.disable()
        try:
            took = self._runner.run(bool(message["take"]), int(message["runs"]))
            self._send("fresh_ran", ns=took)
        finally:
            gc.enable()
        self._runner.close()


def memory_bytes(lib: Plain) -> int:
    if lib.device >= 0:
        return int(lib.xp.cuda.mem_get_info()[1])  # type: ignore[attr-defined]
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
