"""Two ways to join words, against each other in this process: python3 compare.py

Needs bench_against_worker and the program bench-against (docs/python.md). In a notebook, the last
expression of a cell shows the same with a figure.
"""

from typing import List

from bench_against_worker import compare

WORDS: List[str] = [f"word{i}" for i in range(40)]


def by_plus() -> str:
    text = ""
    for word in WORDS:
        text += word + " "
    return text


def by_join() -> str:
    return " ".join(WORDS) + " "


if __name__ == "__main__":
    assert by_plus() == by_join()
    result = compare({"plus": by_plus, "join": by_join})
    print(result)
    with open("compare.svg", "w") as file:
        file.write(result.svg())
