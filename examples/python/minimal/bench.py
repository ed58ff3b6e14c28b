from bench_against_worker import Case, benchmark
from shapes import area


@benchmark(axes={"n": [10, 1000]})
def polygon(n):
    points = [(i, i * i % 7) for i in range(n)]
    return Case(lambda: area(points), check=lambda: area([(0, 0), (2, 0), (0, 2)]) == 2)
