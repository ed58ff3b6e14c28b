"""Which participant is measured when: the tool's src/decide/stats/schedule.h, number for number.

`bench-against verify` draws the same orders from the seed that a document names.
"""

from typing import List, Tuple

_WORD = (1 << 64) - 1


def _splitmix64(state: int) -> Tuple[int, int]:
    """The next state, and a number."""
    state = (state + 0x9E3779B97F4A7C15) & _WORD
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return state, z ^ (z >> 31)


def _stir(state: int, number: int) -> int:
    return _splitmix64(_splitmix64(state)[1] ^ number)[1]


def _fnv1a(text: str) -> int:
    number = 0xCBF29CE484222325
    for byte in text.encode():
        number = ((number ^ byte) * 0x100000001B3) & _WORD
    return number


def seed_of(run_seed: int, benchmark: str, invocation: int, block: int = 0) -> int:
    return _stir(_stir(_stir(run_seed, _fnv1a(benchmark)), invocation), block)


def _labels(count: int, seed: int) -> List[int]:
    labels = list(range(count))
    if count == 2:
        coin = _splitmix64(seed)[1] >> 63
        return [coin, 1 - coin]
    for i in range(count, 1, -1):
        # Lemire's way to a number below i without a bias
        while True:
            seed, drawn = _splitmix64(seed)
            if (drawn * i) & _WORD >= (1 << 64) % i:
                break
        j = drawn * i >> 64
        labels[i - 1], labels[j] = labels[j], labels[i - 1]
    return labels


def _williams(count: int, row: int, at: int) -> int:
    place = at if row < count else count - 1 - at
    zigzag = count - (place + 1) // 2 if place % 2 else place // 2
    return (zigzag + row) % count


def block_of(count: int, run_seed: int, benchmark: str, invocation: int, block: int) -> List[int]:
    """A row of `count` participants, and its reverse."""
    period = 1 if count <= 2 else count * (1 + count % 2)
    labels = _labels(count, seed_of(run_seed, benchmark, invocation, block // period))
    row = block % period
    order = [labels[_williams(count, row, i) if count > 2 else i] for i in range(count)]
    return order + order[::-1]
