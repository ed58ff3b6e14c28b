#!/bin/sh
# compare.sh BUILD SOURCE: result files against each other, with the built tool: exit
# statuses, refusals, what every format says of --force, and names that are hostile.
set -u
build=$1 data=$2/tests/data/import
tool=$build/bin/bench-against
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
cd "$top" || exit 1
export COLUMNS=400 # a sentence is one line
failures=0

# STATUS PATTERN ARGUMENTS...: the status, and a line of either stream that matches
expect()
{
	wanted=$1 pattern=$2
	shift 2
	status=0
	"$tool" "$@" >out 2>err || status=$?
	if [ $status -ne "$wanted" ] || ! cat out err | grep -q -e "$pattern"; then
		echo "compare.sh: '$*': status $status, wanted $wanted and '$pattern':" >&2
		cat out err >&2
		failures=$((failures + 1))
	fi
}

# samples NAME DEVICE LEVEL VALUES...: one benchmark "b" of these values
samples()
{
	name=$1 device=$2 level=$3
	shift 3
	printf '{"schema": "bench-against.samples/1", "fields": {"device": {"value": "%s",
"must_match": true}}, "benchmarks": [{"id": "b", "level": "%s", "values": [%s]}]}' \
		"$device" "$level" "$(echo "$*" | tr ' ' ',')" >"$name"
}
samples a.json X process 100 101 100.5 99.5 100 100.2
samples same.json X process 100.1 100.9 100.4 99.6 100.1 100
samples slow.json X process 110 111 110.5 109.5 110 110.2
samples fast.json X process 90 91 90.5 89.5 90 90.2
samples other.json Y process 110 111 110.5 109.5 110 110.2
samples one.json X process 120
samples summary.json X summary 120
samples batches.json X batch $(seq 100 129)
samples repeats.json X repetition 110 111 110.5 109.5 110 110.2

# family NAME VALUES FACTOR: twenty benchmarks of so many repetitions, about 1 % apart; the
# eighth is slower by the factor
family()
{
	awk -v values="$2" -v factor="$3" 'BEGIN {
		printf "{\"schema\": \"bench-against.samples/1\", \"benchmarks\": ["
		for (i = 0; i < 20; i++) {
			printf "%s{\"id\": \"b%d\", \"level\": \"repetition\", \"values\": [",
				i ? "," : "", i
			for (k = 0; k < values; k++)
				printf "%s%.3f", k ? "," : "",
					100 * (i + 1) * (1 + (k * 7 + i) % 5 * 0.002) * (i == 7 ? factor : 1)
			printf "]}"
		}
		print "]}"
	}' >"$1"
}
for n in 3 5; do
	family old$n.json $n 1
	family new$n.json $n 1.495
done

# ---- a few values that lie far apart
expect 1 '^Regressed: 1 of 20 benchmarks got slower: b7 by 49.5 %' compare old5.json new5.json -q
expect 1 "all its values are slower than all of old5's, by more than the values of one side differ in 20 of 20" \
	compare old5.json new5.json --format json
expect 0 '^Improved: 1 of 20 benchmarks got faster: b7 by 33.1 %' compare new5.json old5.json -q
expect 0 '^Probably regressed: 1 of 20 benchmarks is inconclusive: b7 is probably slower by 4[0-9.]* .. 5' \
	compare old3.json new3.json -q
expect 0 'by at least 4[0-9.]* %, but 3 values on each side cannot show a single change among 20' \
	compare old3.json new3.json
expect 0 '1 more value on each side would decide it' compare old3.json new3.json
expect 125 '^Probably regressed' compare old3.json new3.json -q --gate=strict
expect 1 '^Probably regressed' compare old3.json new3.json -q --fail-on=likely
expect 0 '? probably slower' compare old3.json new3.json
expect 0 '^Probably improved: 1 of 20 benchmarks is inconclusive: b7 is probably faster by 3[0-9.]* .. 3' \
	compare new3.json old3.json -q --fail-on=likely
expect 129 '--fail-on cannot be .all.: it is regressed or likely' compare old3.json new3.json --fail-on=all

# an interval beyond the threshold, where others spread as much: no headline
noisy()
{
	printf '{"schema": "bench-against.samples/1", "benchmarks": [{"id": "b0", "values": [%s], "level": "process"}' "$1"
	for i in $(seq 19); do
		printf ', {"id": "b%d", "values": [100, 104, 108], "level": "process"}' "$i"
	done
	echo ']}'
}
noisy '100, 101, 102' >noisy.json
noisy '106, 107, 108' >noisier.json
expect 0 '^Inconclusive: 20 of 20 benchmarks are inconclusive: b' compare noisy.json noisier.json -q
expect 0 'by its interval slower by at least 3[0-9.]* %, but the values of one side differ as much in 19 of 20' \
	compare noisy.json noisier.json

# ---- the answer and its status
expect 0 '^No regression: b did not get slower by more than 2 %' compare a.json same.json -q
expect 1 '^Regressed: b got slower by 10.0 %' compare a.json slow.json -q
expect 0 'got faster by' compare a.json fast.json -q
expect 1 'in slow: b got slower' compare a.json same.json slow.json -q
expect 0 '^No regression: ' compare a.json slow.json --threshold 20% -q
expect 1 '^Regressed: b got slower' compare a.json slow.json --threshold 1ns -q
expect 0 '^No regression: ' compare a.json slow.json --threshold '50 ns' -q
expect 0 '^No regression: ' compare a.json slow.json --threshold '2 % and 50 ns' -q
expect 129 'is not a time, so its threshold cannot be 1ns alone' \
	compare "$data/go-base.txt" "$data/go-new.txt" --metric B/op --threshold 1ns
expect 0 'provisional' compare a.json one.json
expect 125 'one process on a side has no spread' compare a.json one.json --gate=strict
expect 0 'b was slower by 19.8 %, in too few values to tell' compare a.json one.json -q
expect 125 'too few values' compare a.json one.json -q --gate=strict
expect 1 '^Regressed: b got slower by 19.8 %, ' compare a.json one.json -q --allow-summaries
cp one.json one-more.json
expect 1 'w: bench-against samples, 2 files, 1 benchmark, with 2 processes' compare v=a.json w=one.json w=one-more.json

# ---- levels
expect 125 'summary has a summary without samples, which' compare a.json summary.json
expect 125 'b has no samples of a or summary' compare a.json summary.json -q
expect 1 'without an error rate' compare a.json summary.json --allow-summaries --format csv
expect 0 'provisional' compare a.json batches.json --require process
expect 0 'provisional' compare a.json repeats.json --require process
expect 1 'each side is one process' compare a.json repeats.json
expect 1 'cut into groups' compare a.json batches.json

# ---- which direction is better
expect 0 '^Improved: .* got faster by 100.0 %' compare "$data/go-rates-base.txt" "$data/go-rates-new.txt" --metric MB/s -q
expect 1 '^Regressed: .* got slower by 49.99 %' compare "$data/go-rates-new.txt" "$data/go-rates-base.txt" --metric MB/s -q
expect 0 "of 'MB/s', more is better, as its name says" compare "$data/go-rates-base.txt" "$data/go-rates-new.txt" --metric MB/s
expect 0 '100.0 .*200.0 .*+100.0 %' compare "$data/go-rates-base.txt" "$data/go-rates-new.txt" --metric MB/s
expect 1 '^Regressed: ' compare "$data/go-rates-base.txt" "$data/go-rates-new.txt" --metric MB/s --lower-is-better '*/s' -q
expect 1 'less is better, which is an assumption' compare "$data/go-rates-base.txt" "$data/go-rates-new.txt" --metric hits
expect 0 "of 'hits', more is better, as the file or an option says" compare "$data/go-rates-base.txt" \
	"$data/go-rates-new.txt" --metric hits --higher-is-better hits
"$tool" compare "$data/go-rates-base.txt" "$data/go-rates-new.txt" --metric MB/s -o rates.json -q >out
expect 0 '100.0 .*200.0 .*+100.0 %' report rates.json

# ---- parts of one file
expect 0 '^Inconclusive: the benchmark that was chosen could be' compare "$data/hyperfine-params.json#sleep 0.004 [ms=0.004]" \
	"$data/hyperfine-params.json#sleep 0.005 [ms=0.005]" -q
expect 129 "has no benchmark 'x'; name one of these" compare "$data/hyperfine-params.json#x" a.json
expect 0 '"id": "small"' convert "$data/go-fail.txt#x.BenchmarkTree/*-8"

# ---- a copy, a stranger
expect 0 "#base' and '.*#new' have the same values" compare "$data/criterion-pair#base" "$data/criterion-pair#new" --format json
expect 129 'seems to be a file of AndroidX Benchmark' compare "$data/android.json" a.json

# ---- skipped on both sides, zeros, absent rows
expect 0 'BM_gpu was skipped: no GPU' compare "$data/google-skips.json" same="$data/google-skips.json" --filter 'BM_[gn]*'
expect 1 'BM_bad failed' compare "$data/google-skips.json" same="$data/google-skips.json" --filter BM_bad --gate=strict
expect 0 '^No regression: BM_new/misses did not get slower' compare "$data/google-skips.json" same="$data/google-skips.json" \
	--metric misses --filter BM_new -q
samples zeros.json X process 0 0 0 0 0 0
samples mixed.json X process 0 100 0 100 100 100
expect 0 '^No regression: b did not get slower' compare zeros.json same=zeros.json -q
expect 1 '^Regressed: b got slower: from 0 to 100.2: a change without a ratio' compare zeros.json a.json -q
expect 0 '^Inconclusive: b ' compare a.json zeros.json -q
expect 125 'from 100.2 to 0: it did no work, or its clock is too coarse' compare a.json zeros.json --gate=strict
expect 125 'it did no work' compare a.json zeros.json --gate=strict --allow-summaries
sed 's/"id": "b"/"id": "b", "metric": "B\/op", "is_time": false/' a.json >a-bytes.json
sed 's/"id": "b"/"id": "b", "metric": "B\/op", "is_time": false/' zeros.json >no-bytes.json
expect 0 '^Improved: b/B/op got faster: from 100.2 to 0: a change without a ratio' compare a-bytes.json no-bytes.json \
	--gate=strict -q --metric B/op
expect 0 'from 0 to 120: a change without a ratio; more values' compare zeros.json one.json
expect 0 '2 of 6 values are 0, and have no ratio' compare a.json mixed.json
expect 0 '^No regression: true did not get slower' compare "$data/hyperfine-zero.json" same="$data/hyperfine-zero.json" -q
expect 0 'the geometric means leave out 2 values of 0 (a time of 0 is below the step of its clock)' compare "$data/hyperfine-zero.json" same="$data/hyperfine-zero.json"
expect 125 'x.BenchmarkIndex-8 failed in go-panic' compare "$data/go-rates-base.txt" "$data/go-panic.txt"
"$tool" compare "$data/go-rates-base.txt" "$data/go-panic.txt" --format json >out
python3 - <<'END' || failures=$((failures + 1))
import json, sys
for s in json.load(open("out"))["series"]:
    values = [v for x in s["variants"] if not x["launches"] for k, v in x.items()
              if k.endswith("_ns") or k == "sm_mhz"]
    values += [v for c in s["comparisons"] if c["verdict"] in ("added", "removed", "failed")
               for k, v in c.items() if k in ("ratio", "low", "high", "delta_ns", "p_regressed", "mean_ratio")]
    if not values or any(v is not None for v in values):
        sys.exit("compare.sh: what is absent has values in JSON: %r" % values)
END

# ---- two kinds of mean
samples outlier.json X process 100 101 100.5 99.5 100 900
expect 0 'in 1 benchmark, the arithmetic mean differs .* b of outlier has 233.5, and 144.* is shown' compare a.json outlier.json --format json

# ---- what was measured elsewhere
expect 125 "differ in device ('X' against 'Y')" compare a.json other.json
expect 125 'With --force, the verdicts apply to code and system together' compare a.json other.json
for format in term markdown csv json; do
	expect 1 'force: .*differ in device' compare a.json other.json --force --format $format
done
expect 1 '--force: .a.json. and .other.json. differ' compare a.json other.json --force -q

# ---- real files of other tools
expect 1 'fold/1000' compare "$data/google-base.json" "$data/google-new.json"
expect 125 'google-aggregates has a summary' compare "$data/google-base.json" \
	"$data/google-aggregates.json" --filter 'fold/100'
for pair in 'google-base google-new json' 'pytest-base pytest-new json' 'go-base go-new txt' \
	'nvbench-base nvbench-slow json'; do
	set -- $pair
	status=0
	"$tool" compare "$data/$1.$3" "$data/$2.$3" -o "$1.out.json" >out 2>err || status=$?
	[ $status -le 1 ] || { cat err >&2 && failures=$((failures + 1)); }
	expect 129 'is a comparison of files' verify "$1.out.json"
done
# NVBench's own scripts say 13.760 and 14.592 us (medians), +6.24 % and +8.95 % (means)
expect 1 '13\.76 .* 14\.61 ' compare "$data/nvbench-base.json" "$data/nvbench-slow.json"
expect 1 '+6\.20 % .* regressed' compare "$data/nvbench-base.json" "$data/nvbench-slow.json"
expect 1 '+8\.97 % .* regressed' compare "$data/nvbench-base.json" "$data/nvbench-slow.json"
expect 0 'sums/fold/100' compare "$data/criterion#base" "$data/criterion#new" \
	--threshold 1000%

# ---- several metrics of one benchmark: each row says which, and no two are alike
foreign=$data/../foreign
for file in vllm.json perf.csv; do
	for format in csv junit markdown summary html; do
		"$tool" compare "$foreign/$file" same="$foreign/$file" --format $format >out.$format
	done
	python3 - "$file" <<'END' || failures=$((failures + 1))
import csv, re, sys
keys = [(r["benchmark"], r["metric"], r["variant"]) for r in csv.DictReader(open("out.csv"))]
names = re.findall('classname="([^"]*)" name="([^"]*)"', open("out.junit").read())
said = [open("out." + f).read() for f in ("junit", "markdown", "summary", "html")]
if len(keys) != len(set(keys)) or len(names) != len(set(names)) or len(names) != len(keys) // 2 + 1:
    sys.exit("compare.sh: rows of %s with one name: %s %s" % (sys.argv[1], keys, names))
if any("± nan" in t or re.search(r", 0[a-z]", t) for t in said):
    sys.exit("compare.sh: a spread of one value of %s" % sys.argv[1])
END
done
expect 0 'perf stat/instructions was skipped' compare "$foreign/perf.csv" same="$foreign/perf.csv"
sed 's/640\.25/700.25/' "$foreign/vllm.json" >slower.json
for format in term markdown csv junit html json; do
	expect 1 'median_ttft' compare "$foreign/vllm.json" slower.json --allow-summaries --format $format
done
expect 1 'request_rate=inf/median_ttft (time) by 9.4' compare "$foreign/vllm.json" slower.json --allow-summaries -q
expect 0 'No regression: meta-llama.*/median_tpot did not' compare "$foreign/vllm.json" slower.json --allow-summaries \
	--filter '*/median_tpot' -q

# ---- any CSV
printf 'kernel,n,us\ncopy,8,1\ncopy,8,1.01\ncopy,8,0.99\ncopy,8,1\ncopy,8,1.01\n' >any.csv
printf 'kernel,n,us\ncopy,8,2\ncopy,8,2.02\ncopy,8,1.98\ncopy,8,2\ncopy,8,2.02\n' >any2.csv
columns=name=kernel,value=us,unit=us,group=n
expect 1 'copy/n=8 got slower by 100' compare any.csv any2.csv --csv-columns $columns -q
expect 0 '"level": "repetition"' convert any.csv --csv-columns $columns
expect 129 'is not a result file of a known format.*--csv-columns' compare any.csv any2.csv
printf 'k,t\na,fast\n' >words.csv
expect 125 "'fast' is not a number" compare words.csv same=words.csv --csv-columns name=k,value=t
expect 129 'needs the columns of the name' compare any.csv any2.csv --csv-columns name=n

# ---- compressed files, whatever their names are
gzip -c a.json >a.json.gz
gzip -c slow.json >slow-packed.json
gzip -c slow.json >slow.json.gz
expect 1 'in slow: b got slower' compare a.json same.json slow.json.gz -q
gzip -c "$data/go-base.txt" >go.txt.gz
expect 1 '^Regressed: b got slower by 10.0 %' compare a.json.gz slow-packed.json -q
expect 0 'No regression' compare "$data/go-base.txt" go.txt.gz --threshold 50% -q
gzip -c "$data/../h200/run.json" >run.json.gz
expect 0 'everything .*agrees' verify run.json.gz
expect 0 'n=\|args=' report run.json.gz
expect 0 'invocations' plot run.json.gz
# nanobench prints medians: they are shown where they are not the mean of the epochs
for name in 1 2; do
	printf '{"results": [{"title": "", "name": "mix", "unit": "op", "batch": 1, "median(elapsed)": %s.1e-09,
"measurements": [{"iterations": 1, "elapsed": %s.0e-09}, {"iterations": 1, "elapsed": %s.1e-09},
{"iterations": 1, "elapsed": 90.2e-09}]}]}' $name $name $name >nano$name.json
done
expect 0 'its median  *1\.10*  *2\.10* *$' compare nano1.json nano2.json --threshold 900%
sed -i 's/90.2e-09/1.2e-09/' nano1.json
sed -i 's/90.2e-09/2.2e-09/' nano2.json
expect 0 'mix  *1\.10.*2\.10' compare nano1.json nano2.json --threshold 900%
! grep -q 'its median' out || expect 0 'no median' compare nano1.json nano2.json --threshold 900%
# what is compared is drawn, too
google="$data/google-base.json $data/google-new.json"
expect 0 '^changes  *1 ' plot "$data/go-base.txt" "$data/go-new.txt"
expect 0 '<title>change of cpu_time' plot $google --metric cpu_time --figure changes
# of two metrics, the one that decides, unless another is chosen
expect 0 '<title>change of time' plot "$foreign/bencher.json" same="$foreign/bencher.json" --figure changes
expect 0 '<title>change of value' plot "$foreign/bencher.json" same="$foreign/bencher.json" --figure changes --metric throughput
expect 129 "has the metric 'nope'; choose one of their metrics" plot $google --metric nope
expect 129 'plot needs FILE...: ' plot
# alone it has no verdicts, whatever numbers are in it
expect 129 'a file of Google Benchmark, which has no verdicts; compare it' plot "$data/google-base.json"
expect 129 'a file of Go, which has no verdicts' report "$data/go-base.txt"
gzip -c run.json.gz >twice.gz
expect 129 'twice.gz' verify twice.gz
head -c 5000 run.json.gz >cut.json.gz
expect 129 "'cut.json.gz' is a damaged gzip file" verify cut.json.gz
expect 129 "'cut.json.gz' is a damaged gzip file" compare cut.json.gz a.json

# ---- convert: what is written is read as what it was
for file in google-base.json pytest-base.json hyperfine-params.json go-base.txt asv.json criterion \
	jmh.json nvbench.json nvbench-base.json; do
	"$tool" convert "$data/$file" -q -o ours.json || failures=$((failures + 1))
	"$tool" compare "x=$data/$file" y=ours.json --format csv -q >out 2>err
	sed 's/"[^"]*"/quoted/g' out | awk -F, 'NR > 1 && $4 == "y" && $6 == "measured" && ($17 < 0.999999 || $17 > 1.000001) {
		print "ratio " $17 ": " $0; bad = 1 } $6 == "measured" { n++ } END { exit bad || !n }' || {
		echo "compare.sh: $file is not what it was after convert" >&2
		failures=$((failures + 1))
	}
done
expect 0 '"fullname": "fold/100"' convert "$data/google-base.json" --to pytest-benchmark
expect 0 'left out: they failed' convert "$data/google-base.json" --to pytest-benchmark
expect 0 'bench-against invents none' convert "$data/pytest-saved.json" --to pytest-benchmark
expect 0 'nv/cold/time/cpu/mean' convert "$data/google-base.json" --to nvbench
expect 0 'percentage' convert "$data/google-base.json" --to nvbench
# github-action-benchmark: written, read again, and the same
"$tool" convert a.json -q --to github-action-benchmark -o github.json || failures=$((failures + 1))
expect 0 '"value":  *100.2,' convert a.json --to github-action-benchmark
expect 0 '6 processes' convert a.json --to github-action-benchmark
expect 0 '^No regression' compare "$data/../foreign/github.json" \
	"$data/../foreign/github.json" --allow-summaries -q
"$tool" convert "$data/../foreign/github.json" -q --to github-action-benchmark -o again.json 2>err
expect 0 '1 benchmark left out: the file can only say once' convert "$data/../foreign/github.json" \
	--to github-action-benchmark
expect 0 '^copy.n=1024,time,verdict,y,.*,unchanged,1,' compare x="$data/../foreign/github.json" y=again.json \
	--allow-summaries --format csv -q
expect 129 'convert needs FILE: ' convert
# NVBench's own scripts (PyPI: cuda-bench, with tabulate, colorama, jsondiff, numpy), where they are
if command -v nvbench-compare-legacy >/dev/null 2>&1; then
	"$tool" convert "$data/nvbench.json" -q --to nvbench -o again.json
	for file in "$data/nvbench.json" again.json; do
		nvbench-json-summary "$file" >out 2>&1 && nvbench-compare-legacy "$file" "$file" >>out 2>&1
		grep -q 'Pass .*: 3' out && grep -q '3.570 us' out || {
			echo "compare.sh: NVBench does not read $file:" >&2
			cat out >&2
			failures=$((failures + 1))
		}
	done
	for name in nvbench-base nvbench-slow; do
		"$tool" convert "$data/$name.json" -q --to nvbench -o "$name.json"
	done
	for dir in "$data" .; do
		nvbench-compare-legacy "$dir/nvbench-base.json" "$dir/nvbench-slow.json" >out 2>&1
		[ "$(grep -c '6\.2[0-9]%.*SLOW\|8\.9[0-9]%.*SLOW' out)" = 2 ] || {
			echo "compare.sh: NVBench does not find what is slower in $dir:" >&2
			cat out >&2
			failures=$((failures + 1))
		}
	done
fi
expect 129 'cannot read' convert missing.json

# ---- bad input
expect 129 'compare needs FILE FILE...: ' compare
expect 129 "cannot read 'missing.json'" compare a.json missing.json
expect 129 'matches --filter' compare a.json same.json --filter 'nothing*'
expect 129 "no benchmark of the files has the metric 'no_such'; choose one .* --metric: .*time, cpu_time" compare \
	"$data/google-base.json" "$data/google-new.json" --metric no_such
expect 129 'gc.alloc.rate' compare "$data/jmh.json" "$data/jmh.json" --metric no_such
expect 129 'time, MB/s, B/op, allocs/op' compare "$data/go-base.txt" "$data/go-base.txt" --metric no_such
sed 's/"t.time_/"t.track_/' "$data/asv-null.json" >track.json
expect 129 'no benchmark of the files has a time; choose one of their metrics with --metric: value' compare track.json same=track.json
expect 125 'keep the samples with --benchmark-save-data, or compare' compare "$data/pytest-saved.json" \
	same="$data/pytest-saved.json"
head -c 3000 "$data/google-base.json" >truncated.json
expect 129 'line 116, column 7: .*benchmarks.4.: a string without its closing quote' compare truncated.json a.json
: >empty.json
expect 129 'is not a result file of a known format' compare a.json empty.json
set --
for i in $(seq 1000); do
	set -- "$@" "v$i=a.json"
done
expect 129 '2 to 32 can be compared' compare "$@"
expect 129 'given twice' compare v=a.json w=one.json w=./one.json
expect 129 '1 variants' compare v=a.json v=same.json

# ---- many: rows of which each has something to say are not all said, nor slow
awk 'BEGIN { for (i = 0; i < 20000; i++) print "BenchmarkC" i "-2 100 " 100 + i % 7 " ns/op" }' \
	>many.txt
expect 0 '18000 more benchmarks are not listed' compare many.txt same=many.txt
expect 0 '20000 benchmarks are provisional in same' compare many.txt same=many.txt

# harmless WHAT: nothing in either stream that a terminal or a reader of logs obeys
harmless()
{
	python3 - "$1" <<'END' || failures=$((failures + 1))
import re, sys
text = open("out", encoding="utf-8").read() + "\n" + open("err", encoding="utf-8").read()
bad = re.findall(r"[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", text)
bad += [l for l in text.split("\n") if l.lstrip(" \t\u3000\u2003").startswith("::") or re.search("##[a-z]*\\[", l)]
if bad:
    print("compare.sh: %s has %r" % (sys.argv[1], bad), file=sys.stderr)
    sys.exit(1)
END
}

# ---- hostile names: nothing of them is a control character, a tag or a command
python3 - <<'END' || printf '{"results":[{"command":"plain","times":[1,2]}]}' >hostile.json
import json
names = ["::error::gotcha", " \t::error::gotcha", "\u3000::error::gotcha", "\u2003\ufeff::stop-commands::t",
         "x ::error::gotcha" * 20, "##[error]gotcha", "##vso[task]gotcha", "=HYPERLINK(0)", "-1+1,", "+1+1", "@a",
         "\x85c1\x9b", "\u200fmark\u061c\u2066", "\x1b[31mred\x07", "a\nb", "<script>alert(1)</script>", "|x|`y`", "]]>",
         "\n::error::gotcha", "\u202eevil", "n" * 10000]
json.dump({"results": [{"command": n, "times": [1.0, 1.1, 0.9, 1.0]} for n in names]},
          open("hostile.json", "w"))
END
for format in term markdown summary csv junit html json; do
	expect 0 'results\|0 \|hyperfine\|unchanged\|inconclusive' compare hostile.json \
		same=hostile.json --format $format
	harmless "$format"
done
for to in samples pytest-benchmark nvbench; do
	expect 0 gotcha convert hostile.json --to $to
	harmless "convert --to $to"
done
expect 0 gotcha compare hostile.json same=hostile.json --format csv
if grep -q '^"\{0,1\}[=+@-]' out || ! grep -q "^'=HYPERLINK" out || ! grep -q "^\"'-1+1,\"," out; then
	echo "compare.sh: a formula in CSV" >&2
	cat out >&2
	failures=$((failures + 1))
fi
# what messages quote: a key, the id of an NVBench state without its samples
printf '{"context": {}, "benchmarks": [{"\\n::error::gotcha": tru}]}' >key.json
expect 129 'gotcha' compare key.json a.json
harmless 'the message about a key'
expect 129 "\[0\]\[.\\\\x0a::error::gotcha.\]: a value expected" compare key.json a.json
printf '{"meta": {}, "devices": [], "benchmarks": [{"name": "\\n::error::gotcha", "states": [
{"summaries": [{"tag": "nv/json/bin:nv/cold/sample_times",
"data": [{"name": "filename", "value": "/a\\u0085"}, {"name": "size", "value": "1"}]}]}]}]}' >state.json
expect 129 'outside of the folder' compare state.json a.json
harmless 'the message about a sidecar'
"$tool" compare hostile.json same=hostile.json --format markdown >out
if sed 's/`[^`]*`//g' out | grep -q '<script>'; then
	echo "compare.sh: a tag in markdown" >&2
	failures=$((failures + 1))
fi
# critcmp's own table of these two has 1.27, 1.46 and 2.22
for row in 'sums/flat .*+26.8 %' 'sums/fold/100 .*+45.7 %' 'sums/fold/1000 .*+122.1 %'; do
	expect 1 "$row" compare "$data/critcmp.json" "$data/critcmp-new.json" --allow-summaries
done

# more rows than stay in memory: each is printed, and the answer is that of all of them
huge() # FACTOR ROWS
{
	awk -v factor="$1" -v rows="$2" 'BEGIN {
		print "pkg: x"
		for (i = 0; i < rows; i++)
			print "BenchmarkX/n=" i "-2 100 " (i % 2 ? factor * (50000 + (factor - 1) * i) : 50000) " ns/op"
	}'
}
huge 1 50000 >huge1.txt
huge 2 50000 >huge2.txt
set -- compare huge1.txt huge2.txt --allow-summaries
expect 1 'Regressed: 25000 of 50000 benchmarks got slower, most of all x.BenchmarkX/n=49999-2 by 300' "$@" -q
mv out answer
expect 1 '^23000 more benchmarks are not listed' "$@"
grep -q 'this screen is about 22... of 50000 benchmarks' out && grep -qxF "$(cat answer)" out || {
	echo "compare.sh: a screen of 50000 benchmarks" >&2
	tail -5 out >&2
	failures=$((failures + 1))
}
huge 1 5000 >huge1.txt
huge 2 5000 >huge2.txt
expect 1 '^Regressed: 2500 of 5000 ' "$@" -q
mv out answer
expect 1 '^x.BenchmarkX/n=4999-2,' "$@" --format csv
mv out streamed.csv
expect 1 Regressed "$@" -q --output huge.json
cmp -s out answer && "$tool" report huge.json --format csv | cmp - streamed.csv || {
	echo "compare.sh: rows written one by one differ from those of the whole result" >&2
	failures=$((failures + 1))
}
[ $failures -eq 0 ] || exit 1
echo "compare.sh: all as expected"
