#!/bin/sh
# python_suites.sh BUILD KIND: benchmarks of two commits, the second of which takes more of
# everything, unchanged from asv or pytest-benchmark (KIND: asv, pytest): times are slower, values and
# peaks are larger by what was planted, and what cannot be measured has its reason.
set -u
build=$1 kind=$2
. "$(dirname "$0")/repo.sh"

fail()
{
	echo "python_suites.sh: $*" >&2
	cat "$top/out" >&2
	exit 1
}
suite() # ARGUMENT...
{
	printf '{"target": "host", "suites": {"s": {"kind": "worker", "command": ["python3", "-m", "bench_against_worker", %s]}}}\n' \
		"$1" >.bench-against.json
}
commit() # TAG COST
{
	cat >thing.py <<END
import time
COST, calls = $2, 0
def work(n=1):
    return sum(range(n * COST))
def tail():
    global calls
    calls += 1
    time.sleep(0.02 if COST > 10 and calls % 5 == 3 else 0.001)
END
	git add -A && git commit -q -m "$1" && git tag "$1"
}
mkdir marks
case $kind in
asv)
	: >marks/__init__.py
	cat >marks/all.py <<'END'
from thing import COST, tail, work

def time_tail():
    tail()
def time_work():
    work(100)
def timeraw_work():
    return "work(1000)", "from thing import work"
def track_cost():
    return COST / 1000
def track_nothing():
    return 0
def peakmem_work():
    return bytearray(COST << 20)
def track_same():
    return 7
END
	suite '"--asv", "marks"'
	;;
pytest)
	python_with pytest || {
		echo "python_suites.sh: python3 has no pytest"
		exit 77
	}
	cat >marks/test_all.py <<'END'
import pytest
from thing import COST, work

@pytest.fixture(scope="module")
def calls():
    made = []
    yield made
    assert len(made) > 10

class TestAll:
    @pytest.mark.parametrize("n", [50, 100])
    def test_work(self, benchmark, n, calls):
        calls.append(n)
        assert benchmark(work, n) == sum(range(n * COST))
    def test_pedantic(self, benchmark, calls):
        calls.extend([0] * 11)
        benchmark.pedantic(work, setup=lambda: ((100,), {}), rounds=3)
def test_wrong(benchmark):
    assert benchmark(work) == -COST
@pytest.mark.skip(reason="no left hand")
def test_skipped(benchmark): pass
END
	suite '"--pytest", "marks"'
	;;
esac
commit small 10
commit large 30
status=0
"$tool" small large -q --fixed 2 --blocks 4 --metrics host,tracked,peak_memory -o "$top/r.json" >"$top/out" 2>&1 || status=$?
# 125: not fully measured, as is planted
[ $status -le 2 ] || [ $status -eq 125 ] || fail "ended with status $status"
python3 - "$top/r.json" $kind <<'END' || fail "not measured as it should be"
import json, re, sys

result = json.load(open(sys.argv[1]))
ratios, reasons = {}, {}
for series in result["series"]:
    key = series["id"][2:], series["metric"]
    for variant in series["variants"]:
        for said in ("failure", "skipped"):
            if variant.get(said):
                reasons[key[0]] = variant[said]
    if series["comparisons"] and series["comparisons"][0].get("ratio"):
        ratios[key] = series["comparisons"][0]["ratio"]
print(ratios, reasons)
if sys.argv[2] == "asv":
    assert ratios[("all.time_work", "host")] > 1.5
    assert ratios[("all.timeraw_work", "host")] > 1.5
    assert abs(ratios[("all.track_cost", "tracked")] - 3) < 1e-9
    assert abs(ratios[("all.track_same", "tracked")] - 1) < 1e-9
    assert ratios[("all.peakmem_work", "peak_memory")] > 1.3
    assert "it returns 0" in reasons["all.track_nothing"]
    assert ("all.track_cost", "host") not in ratios and ("all.time_work", "tracked") not in ratios
else:
    name = "marks/test_all.py::"
    for case in ("TestAll::test_work/n=50", "TestAll::test_work/n=100", "TestAll::test_pedantic"):
        assert ratios[(name + case, "host")] > 1.5, case
    # whichever variant came first
    assert re.match(r"wrong answer: assert (435 == -30|45 == -10) ", reasons[name + "test_wrong"])
    assert reasons[name + "test_skipped"] == "no left hand"
END
if [ $kind = asv ]; then
	"$tool" small large --fixed 2 --metrics host -f '*track_cost' >"$top/out" 2>&1
	tr '\n' ' ' <"$top/out" | grep -q 'not measured: .*because no metric of this *run applies' ||
		fail "a value that was not asked for has another reason"
fi
if [ $kind = asv ]; then # what does not fit into the budget is left out, once, and the others go on
	cat >marks/many.py <<'END'
import time
from thing import work

class TimeMany:
    params = list(range(400))
    def setup(self, n):
        time.sleep(0.01)
    def time_work(self, n):
        work()
END
	commit many 10
	commit more 11
	"$tool" many more --metrics host --budget 9s -f '*TimeMany*' \
		-o "$top/many.json" >"$top/out" 2>&1
	tr -s ' \n' ' ' <"$top/out" | grep -q 'of 400 benchmarks do not fit into the budget' ||
		fail "does not say what was left out"
	python3 - "$top/many.json" <<'END' || fail "what is left out is not what was said"
import json, sys

result = json.load(open(sys.argv[1]))
assert result["decision"]["stopped"] == "budget"
lacking = [s for s in result["series"] if not s["samples"]]
said = [n for n in result["notes"] if "left out" in n]
print(said, len(lacking), len(result["series"]))
assert len(said) == 1 and 0 < len(lacking) < 400
assert int(said[0].split()[0]) >= len(lacking)
for s in lacking:
    assert s["comparisons"][0]["reason"] == "the budget (--budget) has no time for it"
END
	"$tool" verify "$top/many.json" >"$top/out" 2>&1 || fail "a result with less does not verify"
	git rm -q -f marks/many.py
fi
if [ $kind = asv ]; then # a commit between whose import fails: the cause is named
	git checkout -q -b line small
	commit first 11
	echo 'import no_such_thing' >>thing.py
	git commit -q -a -m broken
	commit last 30
	"$tool" bisect small last -f 's/all.time_work' --metrics host --blocks 2 --fixed 2 >"$top/out" 2>&1
	grep -q '^Not measured: [0-9a-f]*: marks.all cannot be imported: No module named' "$top/out" ||
		fail "a commit without the benchmark has no cause"
fi
"$tool" verify "$top/r.json" >"$top/out" 2>&1 || fail "the result does not verify"
if [ $kind = asv ]; then # one call in five is twenty times slower: the typical one is not, and that is no success
	status=0
	"$tool" small large --fixed 6 --blocks 4 --metrics host --gate=strict -f '*tail' --format csv >"$top/out" 2>&1 || status=$?
	[ $status -ne 0 ] || fail "a slow tail passes the strict gate"
	grep -q 'regressed,' "$top/out" || fail "a slow tail is not regressed"
	exit 0
fi
# the tests are overlaid; pytest also loads files of each variant's own
sed -i 's/^{/{"overlay": ["marks"], /; s/"marks"]}}}$/"-p", "plug", "marks"], "pythonpath": ["."]}}}/' .bench-against.json
: >conftest.py
: >plug.py
printf '[pytest]\naddopts = -q\n' >tox.ini
commit plain 10
echo 'import thing; thing.work = lambda n=1: sum(range(n * 10))' >plug.py
sed -i 's/-q/--strict-markers/' tox.ini
echo '[flake8]' >>tox.ini
commit plugged 30
echo '[isort]' >>tox.ini
echo 'import thing; thing.work = lambda n=1: sum(range(n * 10))' >conftest.py
commit patched 30
own() # STATUSES TEXT OPTION...
{
	status=0 want=$1 text=$2
	shift 2
	"$tool" "$@" --fixed 2 --blocks 2 --metrics host -f '*test_pedantic' >"$top/out" 2>&1 || status=$?
	case " $want " in *" $status "*) ;; *) fail "ended with status $status, not $want" ;; esac
	tr -s ' \n' ' ' <"$top/out" | grep -q "$text" || fail "does not say: $text"
}
own 129 "overlay: .*own 'plug.py', which differs .* plain and plugged" --gate plain plugged
own 129 "overlay: .*own 'conftest.py', which differs .* plugged and patched" --gate plugged patched
own '0 1' "own 'plug.py', which differs.*own 'tox.ini', which differs" plain plugged
own '0 1' "own 'conftest.py', which differs" plugged patched
! grep -q 'tox.ini' "$top/out" || fail "pytest's options in tox.ini do not differ"
sed -i 's/"overlay": \["marks"/"overlay": ["conftest.py", "plug.py", "tox.ini", "marks"/' .bench-against.json
own '0 1 125' 'tox.ini of patched are taken from plain' --gate plain patched --config-from worktree
