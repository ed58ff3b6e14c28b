"""decide.py TOOL SOURCE: `bench-against decide` gives the verdicts that a run gave, from its samples."""

import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile

TOOL, SOURCE = sys.argv[1:]
#: what a run adds to samples
FOLLOWS = ("y", "z", "ratio", "low", "high", "reason", "hint", "within_threshold")


def tool(*arguments, stdin=None):
    done = subprocess.run(
        [TOOL, *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def without_verdicts(document):
    """Only what a program that measures can know."""
    document = json.loads(json.dumps(document))
    for key in ("answer", "exit_status", "document_sha256", "suite_sha256", "schema_revision"):
        document.pop(key, None)
    document["verdict"] = "undecided"
    for series in document["series"]:
        series["variants"] = [{"present": v["present"]} for v in series["variants"]]
        for name in ("floor", "net_ns"):
            series.pop(name, None)
        series["comparisons"] = [
            {"verdict": "undecided", **{k: c[k] for k in c if k == "candidate" or "threshold_" in k}}
            for c in series["comparisons"]
        ]
    return document


def samples_of(rounds, factor=1.1):
    """Two participants, of which the second takes `factor` times as long."""
    block = [1000, round(1000 * factor), round(1000 * factor), 1000]
    samples = [
        {
            "invocation": i,
            "participants": 2,
            "positions": 4,
            "blocks": 2,
            "readings": 1,
            "batch": 10,
            "order": [0, 1, 1, 0] * 2,
            "ns": [n + i for n in block] * 2,
        }
        for i in range(rounds)
    ]
    limits = {"threshold_slower": 0.02, "threshold_faster": 0.02}
    return {
        "schema": "bench-against.results/1",
        "verdict": "undecided",
        "decision": {"looks": [], "look_weights": []},
        "environment": {},
        "variants": [{"kind": "path", "label": "old"}, {"kind": "path", "label": "new"}],
        "benchmarks": [{"id": "call", "kind": "worker"}],
        "series": [
            {
                "benchmark": 0,
                "metric": "time",
                "role": "verdict",
                "variants": [{"present": True}, {"present": True}],
                "comparisons": [{"candidate": 1, "verdict": "undecided", **limits}],
                "samples": samples,
            }
        ],
    }


def decided(document, folder):
    path = os.path.join(folder, "samples.json")
    with open(path, "w") as file:
        json.dump(document, file)
    status, out, err = tool("decide", path)
    return status, json.loads(out) if out else None, err


def a_run_is_decided_as_it_was(folder):
    recorded = os.path.join(SOURCE, "tests/data/h200/run.json")
    status, out, err = tool("decide", recorded)
    again = json.loads(out)
    status, found, err = decided(without_verdicts(again), folder)
    assert status == again["exit_status"], (status, err)
    for key in ("answer", "verdict", "suite_sha256", "schema_revision"):
        assert found[key] == again[key], (key, found[key], again[key])
    compared = 0
    for one, other in zip(found["series"], again["series"]):
        for a, b in zip(one["comparisons"], other["comparisons"]):
            assert a["verdict"] == b["verdict"], (a["verdict"], b["verdict"])
            assert all(a[name] == b[name] for name in FOLLOWS), (a, b)
            compared += a["verdict"] != "reported"
    assert compared, "the recorded run has no verdict"
    # and as the run itself said
    with open(recorded) as file:
        said = json.load(file)
    for one, other in zip(again["series"], said["series"]):
        for a, b in zip(one["comparisons"], other["comparisons"]):
            assert a["verdict"] == b["verdict"], (a["verdict"], b["verdict"])


def the_looks_are_those_that_the_samples_are_enough_for(folder):
    for rounds, verdict, looks in ((0, "skipped", 0), (3, "inconclusive", 0), (4, "regressed", 1)):
        _, found, err = decided(samples_of(rounds), folder)
        assert found, err
        assert found["series"][0]["comparisons"][0]["verdict"] == verdict, (rounds, found["series"])
        assert found["decision"]["looks_done"] == looks, (rounds, found["decision"])
        assert found["decision"]["looks"][:3] == [4, 5, 6], found["decision"]
    status, found, _ = decided(samples_of(4), folder)
    assert status == 1 and found["answer"].startswith("Regressed: call "), found["answer"]
    status, found, _ = decided(samples_of(32, 1.0), folder)
    assert status == 0 and found["decision"]["looks_done"] == 1, found["decision"]


def it_writes_a_file_and_reads_standard_input(folder):
    path = os.path.join(folder, "results.json")
    text = json.dumps(samples_of(4)).encode()
    status, out, err = tool("decide", "-", "-o", path, stdin=text)
    assert (status, out) == (1, ""), (status, out, err)
    with open(path) as file:
        assert json.load(file)["verdict"] == "regressed"


def what_cannot_be_decided_is_rejected(folder):
    one = samples_of(4)
    one["variants"].pop()
    one["series"][0].update(variants=[{"present": True}], comparisons=[], samples=[])
    alpha, limit, looks, uneven = (samples_of(4) for _ in range(4))
    alpha["decision"]["alpha"] = 3
    limit["series"][0]["comparisons"][0]["threshold_slower"] = 0
    looks["decision"] = {"looks": [4, 3], "look_weights": [0.5, 0.5]}
    uneven["series"][0]["samples"][0]["order"] = [0, 1, 1, 0, 0, 0, 0, 0]
    for document, said in (
        (one, "there is one variant"),
        (alpha, "alpha must be between 0 and 1, is 3"),
        (limit, "both must be above 0"),
        (looks, "looks begin at 2 and ascend"),
        (uneven, "differ from those of block 0"),
        ({}, "schema"),
    ):
        status, found, err = decided(document, folder)
        assert status in (125, 129) and found is None, (status, said)
        assert said in err, (said, err)


def counts_of(benchmarks, slower=0.01):
    """{name: [(baseline, candidate), ...] of each invocation}, by the rule of counts."""
    document = samples_of(0)
    limits = {"threshold_slower": slower, "threshold_faster": slower}
    document["benchmarks"] = [{"id": name, "kind": "worker"} for name in benchmarks]
    document["series"] = [
        {
            "benchmark": i,
            "metric": "instructions",
            "role": "verdict",
            "variants": [{"present": True}, {"present": True}],
            "comparisons": [{"candidate": 1, "verdict": "undecided", **limits}],
            "samples": [
                {"invocation": k, "participants": 2, "positions": 2, "blocks": 1, "readings": 1, "batch": 1}
                | {"order": [0, 1], "ns": list(pair)}
                for k, pair in enumerate(values)
            ],
        }
        for i, values in enumerate(benchmarks.values())
    ]
    return document


def verdicts_of(document, folder):
    status, found, err = decided(document, folder)
    assert found, err
    return status, [s["comparisons"][0] for s in found["series"]], found


def counts_need_two_processes_where_they_repeat_and_three_where_they_nearly_do(folder):
    exact, nearly = [(1000, 1100)] * 2, [(66431, 94534), (66428, 94534), (66428, 94534)]
    for benchmarks, said, status in (
        ({"a": exact}, ["regressed"], 1),
        ({"a": [(1000, 1005)] * 2}, ["unchanged"], 0),
        ({"a": nearly[:2]}, ["inconclusive"], 0),
        ({"a": nearly}, ["regressed"], 1),
        ({"a": [(b, a) for a, b in nearly]}, ["improved"], 0),
        ({"a": [(66431, 66434), (66428, 66428), (66428, 66431)]}, ["unchanged"], 0),
        # others of the run vary by as much: not two processes, and not three
        ({"a": exact, "b": [(1000, 1000), (1000, 1200)]}, ["inconclusive"] * 2, 0),
        ({"a": exact, "b": [(1000, 1000), (1000, 1010)]}, ["regressed", "inconclusive"], 1),
        ({"a": nearly, "b": [(1000, 1000), (1000, 1500), (1000, 1000)]}, ["inconclusive"] * 2, 0),
        # it has two states
        ({"a": [(1000, 1100), (1000, 1050), (1000, 1000)]}, ["inconclusive"], 0),
    ):
        found_status, found, document = verdicts_of(counts_of(benchmarks), folder)
        assert [k["verdict"] for k in found] == said, (benchmarks, found)
        assert found_status == status, (benchmarks, found_status)
        assert document["decision"]["rule"] == 3, document["decision"]
        assert document["decision"]["looks"] == [2, 3, 4, 6, 8], document["decision"]
        for k in found:
            assert k["verdict"] != "regressed" or k["low"] > 1, k
            assert not k["exact"] or k["verdict"] not in ("inconclusive",), k
    # beside a time that decides, too, the looks are those of times
    mixed = counts_of({"a": nearly})
    mixed["series"] += samples_of(4)["series"]
    _, found, document = verdicts_of(mixed, folder)
    assert document["decision"]["looks"][0] == 4 and found[0]["verdict"] == "inconclusive", found


def beyond_the_threshold_it_says_why_it_is_not_likely(folder):
    vary = (1.3, 0.8, 1.2, 0.9)
    for others, own, likely, reason in (
        ((1, 1, 1, 1), (1.3, 1.3, 1.3, 1.3), True, "among 40 comparisons"),
        (vary, (1.3, 1.3, 1.3, 1.3), False, "other comparisons of the run vary by as much"),
        ((1, 1, 1, 1), (1.22, 1.35, 1.28, 1.28), False, "its own invocations vary too much"),
    ):
        document = samples_of(4)
        document["benchmarks"] = [{"id": f"call{i}", "kind": "worker"} for i in range(40)]
        first = document["series"][0]
        document["series"] = []
        for i in range(40):
            series = json.loads(json.dumps(first))
            series["benchmark"] = i
            factors = others if i else own
            series["samples"] = [samples_of(4, f)["series"][0]["samples"][k] for k, f in enumerate(factors)]
            document["series"].append(series)
        document["decision"]["alpha"] = 0.01
        status, found, err = decided(document, folder)
        change = found["series"][0]["comparisons"][0]
        assert change["verdict"] == "inconclusive" and change["low"] > 1.02, (change, err)
        assert change["likely"] == likely and reason in change["reason"], change
        assert found["answer"].startswith("Probably regressed: ") == likely, found["answer"]
        assert ("vary" in change["reason"]) == (not likely), change


def recorded_counts_say_what_is_true(folder):
    with gzip.open(os.path.join(SOURCE, "tests/data/h200/numba-counts.json.gz")) as file:
        recorded = json.load(file)
    by_name = {}
    for series in recorded["series"]:
        pairs = [dict(zip(s["order"], s["ns"])) for s in series["samples"]]
        by_name[series["id"]] = [(p[0], p[1]) for p in pairs]
    for processes, regressed in ((2, 0), (3, 7), (4, 7)):
        _, found, _ = verdicts_of(counts_of({k: v[:processes] for k, v in by_name.items()}), folder)
        verdicts = [k["verdict"] for k in found]
        assert verdicts.count("regressed") == regressed, (processes, verdicts)
        assert set(verdicts) <= {"regressed", "inconclusive"}, verdicts
        assert processes == 2 or all(k["likely"] for k in found if k["verdict"] == "inconclusive"), found
    # processes of one variant against each other
    for side in (0, 1):
        equal = {k: [(v[0][side], v[2][side]), (v[1][side], v[3][side])] for k, v in by_name.items() if len(v) > 3}
        _, found, _ = verdicts_of(counts_of(equal), folder)
        assert not {"regressed", "improved"} & {k["verdict"] for k in found}, found
    # of packages, the same code twice
    runs = {}
    with open(os.path.join(SOURCE, "tests/data/count-pairs.csv")) as file:
        for row in csv.DictReader(file):
            counts = [int(n) for n in row["counts"].split()]
            runs.setdefault(row["run"], {})[row["package"]] = list(zip(counts[::2], counts[1::2]))
    assert len(runs) == 2 and len(runs["1"]) >= 30, runs.keys()
    for packages in runs.values():
        _, found, _ = verdicts_of(counts_of(packages), folder)
        assert {k["verdict"] for k in found} <= {"unchanged", "inconclusive"}, found


for test in (
    a_run_is_decided_as_it_was,
    the_looks_are_those_that_the_samples_are_enough_for,
    counts_need_two_processes_where_they_repeat_and_three_where_they_nearly_do,
    beyond_the_threshold_it_says_why_it_is_not_likely,
    recorded_counts_say_what_is_true,
    it_writes_a_file_and_reads_standard_input,
    what_cannot_be_decided_is_rejected,
):
    with tempfile.TemporaryDirectory() as scratch:
        test(scratch)
    print(test.__name__)
