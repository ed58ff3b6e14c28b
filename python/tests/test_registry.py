"""What a project may register, and the sentences for what it may not."""

import functools
import unittest

from bench_against_worker.registry import Case, Registry, benchmark, parameters_of


def registered(*arguments, function=lambda: None, **options):
    registry = Registry()
    benchmark(function, registry=registry, **{"name": "b", **options})
    return registry


class Registering(unittest.TestCase):
    def test_every_combination_of_axes_is_a_benchmark(self):
        registry = registered(function=lambda n, m: None, axes={"n": [1, 2], "m": ["a", "b"]})
        self.assertEqual(
            [p.id for p in registry.points()], ["b/n=1,m=a", "b/n=1,m=b", "b/n=2,m=a", "b/n=2,m=b"]
        )
        self.assertIsNone(registry.problem())

    def test_points_tie_axes_together(self):
        registry = registered(
            function=lambda B, S, t: None,
            points=[{"B": 1, "S": 128}, {"B": 8, "S": 256}],
            axes={"t": [int, float]},
        )
        self.assertEqual(
            [p.id for p in registry.points()],
            [
                "b/B=1,S=128,t=int",
                "b/B=1,S=128,t=float",
                "b/B=8,S=256,t=int",
                "b/B=8,S=256,t=float",
            ],
        )

    def test_numbers_may_be_others_than_those_declared(self):
        d = registered(function=lambda n, x, t: None, axes={"n": [1], "x": [1, 0.5], "t": ["a"]})
        (d,) = d.definitions
        self.assertEqual([d.kind_of(a) for a in d.axes], ["integer", "real", "text"])
        self.assertEqual(d.point(["x", "n", "t"], ["2.5", "7", "a"]).values, (7, 2.5, "a"))
        for axes, values in (
            (["n", "x", "t"], ["7", "1", "b"]),
            (["n", "x", "t"], ["seven", "1", "a"]),
            (["n"], ["7"]),
        ):
            with self.assertRaises(ValueError):
                d.point(axes, values)

    def test_the_decorated_function_is_what_it_was(self):
        registry = Registry()

        @benchmark(registry=registry)
        def f():
            return 7

        self.assertEqual((f(), registry.definitions[0].name), (7, "f"))

    def test_a_case_is_checked(self):
        for make in (
            lambda: Case(None),
            lambda: Case(lambda: 0, check=3),
            lambda: Case(lambda: 0, items=-1),
            lambda: Case(lambda: 0, flop=float("nan")),
        ):
            with self.assertRaises((TypeError, ValueError)):
                make()

    def test_what_is_wrong_is_said(self):
        for said, registry in (
            ("no benchmark is registered", Registry()),
            ("axis 'n' has no values", registered(function=lambda n: 0, axes={"n": []})),
            ("appears twice", registered(function=lambda n: 0, axes={"n": [1, "1"]})),
            ("not a name: ", registered(name="a b")),
            ("not a name: ", registered(name="a/")),
            ("not a name for an axis", registered(axes={"a-b": [1]})),
            ("not a value for axis 'n'", registered(function=lambda n: 0, axes={"n": ["a,b"]})),
            ("not a value for axis 'n'", registered(function=lambda n: 0, axes={"n": ["\x1b[2J"]})),
            ("has no parameter 'n'", registered(axes={"n": [1]})),
            ("wants 'm'", registered(function=lambda n, m: 0, axes={"n": [1]})),
            ("different axes", registered(function=lambda n: 0, points=[{"n": 1}, {"m": 1}])),
            (
                "both in 'axes' and in 'points'",
                registered(function=lambda n: 0, points=[{"n": 1}], axes={"n": [1]}),
            ),
            ("no metric 'speed'", registered(metrics=["speed"])),
            ("needs gpu=True", registered(metrics=["gpu_hot"])),
            ("needs a parameter 'sets'", registered(gpu=True, metrics=["gpu_rotate"])),
        ):
            with self.subTest(said):
                self.assertIn(said, registry.problem() or "nothing")

    def test_sets_of_inputs_have_a_run_each(self):
        def rotating(sets):
            return [lambda n=n: n for n in range(sets)]

        (point,) = registered(function=rotating, gpu=True).points()
        case = point.set_up(sets=3)
        self.assertEqual((case.sets, case.run()), (3, 0))
        self.assertEqual([run() for run in case.next_runs(4)], [0, 1, 2, 0])
        self.assertEqual([run() for run in case.next_runs(2)], [1, 2])
        for wrong in (lambda sets: [], lambda sets: lambda: 0, lambda sets: [1, 2, 3]):
            (point,) = registered(function=wrong, gpu=True).points()
            with self.assertRaises(TypeError):
                point.set_up(sets=3)

    def test_parameters_are_those_that_inspect_finds(self):
        def plain(a, /, b, c=1, *rest, d, e=2, **others):
            return a, b, c, rest, d, e, others

        wrapped = functools.wraps(plain)(lambda *a, **k: plain(*a, **k))
        for function in (plain, wrapped, functools.partial(plain)):
            with self.subTest(function):
                self.assertEqual(
                    parameters_of(function), (("b", "c", "d", "e"), ("a", "b", "d"), True)
                )
        self.assertEqual(parameters_of(lambda n, m=0: None), (("n", "m"), ("n",), False))
        self.assertEqual(parameters_of(lambda: None), ((), (), False))

    def test_two_of_one_name_are_told_with_their_places(self):
        registry = registered()
        benchmark(lambda: None, name="b", registry=registry)
        self.assertRegex(
            registry.problem() or "",
            r"two benchmarks are called 'b': .*test_registry.py:\d+ and .*:\d+",
        )


if __name__ == "__main__":
    unittest.main()
