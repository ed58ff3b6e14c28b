from bench_against_worker import benchmark
import thing


@benchmark()
def work():
    return thing.call
