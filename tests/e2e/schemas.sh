#!/bin/sh
# schemas.sh BUILD SOURCE: do the documents that the tool really writes, and the
# configurations that we ship, follow the JSON Schemas that we publish? And do documents
# that are wrong not? Needs Python's jsonschema, else 77.
set -u
build=$1 source=$2
python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null || {
	echo "no jsonschema for python3 here (Debian: python3-jsonschema)"
	exit 77
}
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export BENCH_AGAINST_CACHE="$top/cache" BENCH_AGAINST_HISTORY="$top/history.sqlite"
export BA_FAKE_CUDA='launch_ns=0;clock_ns=0;call_ns=10'
# so that the compilers are not hashed in each test
mkdir "$BENCH_AGAINST_CACHE" && cp "$build/tests/toolchain-hashes" "$BENCH_AGAINST_CACHE" 2>/dev/null
tool=$build/bin/bench-against

cd "$top" || exit 1
cat >.bench-against.json <<'END'
{"suites": {"launch": {"kind": "launcher", "library": "launcher.so", "args": [0, 1]}}}
END
for library in cost100 cost110 crash_launch cost100_only_direct; do
	mkdir $library && cp "$build/tests/suites/$library.so" $library/launcher.so || exit 1
done

# NAME STATUS ARGUMENTS...: a document of each kind of ending
write()
{
	name=$1 wanted=$2
	shift 2
	status=0
	"$tool" "$@" --in-place --fake-driver "$build/tests/fakecuda/lib/libcuda.so.1" \
		--fixed 4 --blocks 8 --seed 7 --config .bench-against.json -q -o "$name.json" \
		>"$name.out" 2>&1 || status=$?
	[ $status -eq "$wanted" ] || {
		echo "schemas.sh: $name ended with status $status: $(cat "$name.out")" >&2
		exit 1
	}
}
write unchanged 0 path:cost100 again=path:cost100 --measure-identical --metrics submit
write regressed 1 path:cost100 path:cost110
write crashed 125 path:cost100 path:crash_launch --metrics submit
write removed 0 path:cost100 path:cost100_only_direct --path all --metrics submit
write single 0 run path:cost100
# a suite of another kind, with axes of its own
mkdir py && cp "$source"/examples/python/minimal/*.py py || exit 1
cat >py/.bench-against.json <<'END'
{"suites": {"py": {"kind": "worker", "command": ["python3", "-m", "bench_against_worker", "bench.py"]}}}
END
"$tool" run path:py --in-place --target host --config py/.bench-against.json --fixed 2 --blocks 4 \
	-f '*n=10' -q -o worker.json >worker.out 2>&1 || {
	echo "schemas.sh: a worker suite ended with status $?: $(cat worker.out)" >&2
	exit 1
}

# the compact answer of each
mkdir brief
for file in unchanged:same regressed:slower crashed:wrong removed:same single:measured worker:measured; do
	name=${file%:*}
	"$tool" report --format verdict "$name.json" >"brief/$name.json"
	[ "$(wc -c <"brief/$name.json")" -le 2048 ] &&
		grep -q "\"verdict\":\"${file#*:}\",\"exit_status\":[0-9]" "brief/$name.json" || {
		echo "schemas.sh: $file: $(cat "brief/$name.json")" >&2
		exit 1
	}
done

# comparisons of code
mkdir code
for file in base candidate; do
	"$tool" code "$source/tests/data/nvdisasm/base.cubin" "$source/tests/data/nvdisasm/$file.cubin" \
		--format json >"code/$file.json" || exit 1
done

# the configurations that init writes
for kind in CMakeLists.txt pyproject.toml Makefile; do
	mkdir "init-$kind" && (cd "init-$kind" && git init -q . && : >"$kind" &&
		"$tool" init --ci none >init.out 2>&1) || {
		echo "schemas.sh: init in a project with $kind failed" >&2
		exit 1
	}
done

python3 - "$source" "$top" <<'END'
import copy, glob, json, re, sys
import jsonschema

source, top = sys.argv[1:]

def load(path):
    "JSON with comments, as .bench-against.json is"
    text = open(path).read()
    text = re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', lambda m: m.group(1) or "", text, flags=re.S)
    return json.loads(re.sub(r",(\s*[}\]])", r"\1", text))

def validator(path):
    schema = load(path)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)

bad = 0
def complain(sentence):
    global bad
    bad += 1
    print("schemas.sh:", sentence, file=sys.stderr)

results = validator(source + "/share/schema/results.schema.json")
config = validator(source + "/share/bench-against/config.schema.json")
brief = validator(source + "/share/schema/verdict.schema.json")
code = validator(source + "/share/schema/code.schema.json")
documents = 0
for check, pattern in ((results, top + "/*.json"),
                       (brief, top + "/brief/*.json"),
                       (code, top + "/code/*.json"),
                       (config, source + "/.bench-against.json"),
                       (config, source + "/cmake/demo-template/bench-against.json"),
                       (config, top + "/init-*/.bench-against.json"),
                       (config, source + "/examples/**/.bench-against.json"),
                       (config, top + "/py/.bench-against.json"),
                       (config, top + "/.bench-against.json")):
    for path in sorted(glob.glob(pattern, recursive=True)):
        documents += 1
        for error in list(check.iter_errors(load(path)))[:5]:
            complain(f"{path}: {error.json_path}: {error.message[:200]}")
if documents < 19:
    complain(f"only {documents} documents were looked at")

# a schema that takes everything is none
good = load(top + "/regressed.json")
def broken(change):
    document = copy.deepcopy(good)
    change(document)
    if results.is_valid(document):
        complain("the schema takes a document that is wrong: " + change.__doc__)
def no_schema(d): "without 'schema'"; del d["schema"]
def verdict(d): "with a verdict of its own"; d["verdict"] = "fine"
def status(d): "with an exit status that is text"; d["exit_status"] = "0"
def ratio(d): "with a ratio that is text"; d["series"][0]["comparisons"][0]["ratio"] = "1.1"
def commit(d): "with variants that are no list"; d["variants"] = {}
for change in (no_schema, verdict, status, ratio, commit):
    broken(change)
one = load(top + "/brief/regressed.json")
for wrong in (one | {"verdict": "regressed"}, one | {"next": None}, one | {"benchmarks": [{"name": "x"}]}):
    if brief.is_valid(wrong):
        complain(f"the schema takes a compact answer that is wrong: {wrong}")
changed = load(top + "/code/candidate.json")
for wrong in (changed | {"exit_status": 2}, changed | {"kernels": [{}]}, changed | {"counts": {}}):
    if code.is_valid(wrong):
        complain(f"the schema takes a comparison of code that is wrong: {wrong}")
for wrong in ({"suites": {"x": {"kind": "launcher"}}}, {"build": {"timout": "10m"}}, {"thresholds": -1}):
    if config.is_valid(wrong):
        complain(f"the schema takes a configuration that is wrong: {wrong}")
print(f"{documents} documents follow their schemas" if not bad else f"{bad} do not")
sys.exit(1 if bad else 0)
END
