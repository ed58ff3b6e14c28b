#!/bin/sh
# why_kernels.sh BUILD SOURCE: why a kernel differs, with stand-ins for nvdisasm (which prints what
# the real one printed for these cubins) and ncu (which runs the worker and writes its CSV): classes
# of instructions, the first basic block that differs and counters are in the results, in each
# report, in `explain`, and `verify` agrees. Without the programs, or where they fail, a sentence says
# why.
set -u
build=$1 source=$2
tool=$build/bin/bench-against
data=$source/tests/data/nvdisasm
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export BENCH_AGAINST_CACHE="$top/cache" BENCH_AGAINST_HISTORY="$top/history.sqlite"
export BA_FAKE_CUDA='launch_ns=1500;clock_ns=25;call_ns=10'
mkdir "$BENCH_AGAINST_CACHE" && cp "$build/tests/toolchain-hashes" "$BENCH_AGAINST_CACHE" 2>/dev/null
unset CUDA_HOME CUDA_PATH
cd "$top" || exit 1

fail()
{
	echo "why_kernels.sh: $*" >&2
	exit 1
}

cat >.bench-against.json <<'END'
{"suites": {"kernels": {"kind": "plugin", "library": "launcher.so", "warm_up": 20, "iterations": 80}}}
END
mkdir base candidate bin
cp "$build/tests/suites/plugin_cubin.so" base/launcher.so || exit 1
cp "$build/tests/suites/plugin_cubin_slower.so" candidate/launcher.so || exit 1

cat >bin/nvdisasm <<END
#!/bin/sh
[ "\$1 \$2 \$3" = "-c -g -fun" ] || exit 3
case \$4 in 13) name=base ;; 14) name=candidate ;; *) exit 4 ;; esac
here=\$(dirname "\$0")
cmp -s "\$5" "\$here/\$name.cubin" || exit 5
cat "\$here/\$name.txt"
END
cp "$data"/*.cubin "$data"/*.txt bin
# what comes before the worker is for ncu; HOW=denied: as on a machine that allows no counters;
# HOW=older: as a version that lacks a metric
cat >bin/ncu <<'END'
#!/bin/sh
echo "$@" >>"$NCU_LOG"
while case $1 in *bench-against-worker) false ;; esac; do
	case $1 in
	--log-file) log=$2 ;;
	--kernel-name) kernel=${2#regex:^(} kernel=${kernel%)$} ;;
	--metrics) metrics=$2 ;;
	esac
	shift
done
[ "${HOW:-}" != broken ] || exit 9
"$@"
status=$?
echo "==PROF== Connected to process 77" >"$log"
if [ "${HOW:-}" = denied ]; then
	echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0." >>"$log"
	exit $status
fi
if [ "${HOW:-}" = older ] && case $metrics in *stalled*) true ;; *) false ;; esac; then
	echo "==ERROR== Failed to find metric smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio" >>"$log"
	exit 1
fi
awk -v metrics="$metrics" -v kernel="$kernel" 'BEGIN {
	n = split(metrics, names, ",")
	printf "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\""
	for (i = 1; i <= n; i++) printf ",\"%s\"", names[i]
	printf "\n\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\""
	for (i = 1; i <= n; i++) printf ",\"\""
	for (launch = 0; launch < 2; launch++) {
		printf "\n\"%d\",\"77\",\"worker\",\"127.0.0.1\",\"%s\",\"1\",\"7\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"0\",\"9.0\"", launch, kernel
		for (i = 1; i <= n; i++)
			if (names[i] ~ /cycles_elapsed/) printf ",\"%s\"", launch ? "7" : kernel ~ /22000/ ? "3,300" : "1,100"
			else if (names[i] ~ /bytes_write/) printf ",\"%s\"", kernel ~ /22000/ ? "512" : "0"
			else printf ",\"%d\"", 40 + i
	}
	printf "\n"
}' >>"$log"
echo "==PROF== Disconnected from process 77" >>"$log"
exit $status
END
chmod +x bin/nvdisasm bin/ncu
export NCU_LOG="$top/ncu.log"

# compare NAME [OPTION...]
compare()
{
	name=$1
	shift
	"$tool" --in-place --fake-driver "$build/tests/fakecuda/lib/libcuda.so.1" path:base \
		path:candidate --metrics gpu_cold --fixed 4 --seed 7 --verbose \
		-o "$name.json" "$@" >"$name.out" 2>&1
	[ $? -eq 1 ] || fail "$name: not regressed: $(tail -n 5 "$name.out")"
	"$tool" explain "$name.json" >"$name.why" 2>&1 || fail "$name: $(cat "$name.why")"
	"$tool" verify "$name.json" >"$name.verified" 2>&1 ||
		fail "$name: verify says $(cat "$name.verified")"
}

# has FILE PATTERN: in one of its lines, folded or not
has()
{
	tr -s '\n ' '  ' <"$1" | grep -q -e "$2" || fail "$1 has no '$2': $(cat "$1")"
}

PATH=$top/bin:$PATH compare both --ncu --unicode=never
for format in markdown html; do
	"$tool" report --format $format both.json >both.$format || fail "report --format $format"
done
has both.out 'why kernels/work: code 640 -> 1280 B; instructions in the code 27 -> 65: FP32 1 -> 17, control 2 -> 11; under ncu: DRAM bytes written +512'
has both.why 'FP32 1 17 +16'
has both.why 'special functions 0 2 +2'
has both.why 'not as it executes'
has both.why '3 of 4 basic blocks are the same.* block 3, scale.cu:9 - LOP3.LUT R7, R7, 0x4'
has both.why '+ ULDC UR5, c\[0x0\]\[0x220\] + BSSY'
has both.why 'cycles 1100 3300 +200.0 %'
has both.why 'DRAM bytes written 0 B 512 B +512'
has both.markdown 'instructions in the code 27 → 65: FP32 1 → 17'
has both.markdown '3 of 4 basic blocks are the same'
has both.html '<th scope="row">FP32</th><td class="number">1</td><td class="number">17</td>'
has both.html '<pre>- <bdi>LOP3.LUT'
has both.html '<th scope="row">cycles</th>'
"$tool" explain --format json both.json >both.json.why || fail 'explain --format json'
has both.json.why '"fp32": 17'
has both.json.why '"name": "sm__cycles_elapsed.avg"'
# one run of each variant, after everything else
[ "$(grep -c 'ba_test_ns_20000' "$NCU_LOG")" = 1 ] || fail "ncu: $(cat "$NCU_LOG")"
[ "$(grep -c 'ba_test_ns_22000' "$NCU_LOG")" = 1 ] || fail "ncu: $(cat "$NCU_LOG")"
python3 - both.json "$source/share/schema/results.schema.json" <<'END' || fail 'the schema does not fit'
import json, sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit(0)
document, schema = (json.load(open(path)) for path in sys.argv[1:])
errors = [e.message for e in Draft202012Validator(schema).iter_errors(document)]
print("\n".join(errors[:5]))
sys.exit(bool(errors))
END

# in sandboxes the code is disassembled, too, and ncu cannot see it
if "$tool" doctor --target host --unicode=never | grep -q '(--sandbox): available'; then
	sed 's/{"suites"/{"sandbox": {"env": ["BA_FAKE_CUDA"]}, "suites"/' .bench-against.json >boxed-config.json
	PATH=$top/bin:$PATH compare boxed --ncu --unicode=never --config boxed-config.json
	has boxed.out 'instructions in the code 27 -> 65: FP32 1 -> 17, control 2 -> 11'
	has boxed.why "no counters: .*cannot look into a sandbox"
fi

# what does not fit together is found
python3 - both.json <<'END' || exit 1
import json, sys

document = json.load(open(sys.argv[1]))
kernels = [code["kernels"][0] for code in document["benchmarks"][0]["device_code"]]
kernels[0]["instructions"]["fp32"] = 1000
kernels[1]["blocks"]["same"] = 5
kernels[1]["counters"][0]["value"] = -1
json.dump(document, open("wrong.json", "w"))
END
"$tool" verify wrong.json >wrong.out 2>&1 && fail 'verify accepts what does not fit'
has wrong.out '1026 instructions in 640 bytes'
has wrong.out '5 of 4 and 14 basic blocks'
has wrong.out 'counter gpu__time_duration.sum is -1'

# programs that fail, or print something else
HOW=denied PATH=$top/bin:$PATH compare denied --ncu
has denied.out 'ncu may not read the GPU.s counters (ERR_NVGPUCTRPERM)'
has denied.why 'no counters: ncu may not read'
HOW=older PATH=$top/bin:$PATH compare older --ncu
has older.why 'cycles 1100 3300 +200.0 %'
! grep -q 'no counters\|bank conflicts' older.why || fail "older: $(cat older.why)"
HOW=broken PATH=$top/bin:$PATH compare broken --ncu
has broken.why 'no counters: under ncu: '
printf '#!/bin/sh\necho no listing\n' >bin/nvdisasm
PATH=$top/bin:$PATH compare garbage
has garbage.why 'at most 40 instructions, in the candidate 80: nvdisasm printed no instructions of kernel'
printf '#!/bin/sh\necho what is this >&2\nexit 3\n' >bin/nvdisasm
PATH=$top/bin:$PATH compare failing
has failing.why 'nvdisasm exited with status 3: what is this'
rm bin/nvdisasm bin/ncu
if ! command -v nvdisasm ncu >/dev/null && [ ! -e /usr/local/cuda/bin/nvdisasm ] &&
	[ ! -e /usr/local/cuda/bin/ncu ]; then
	compare none --ncu
	has none.why 'at most 40 instructions, in the candidate 80: nvdisasm was not found (PATH, '
	has none.out 'ncu was not found (PATH, CUDA_HOME'
fi
# a toolkit that is on no PATH
mkdir -p toolkit/bin && printf '#!/bin/sh\nexit 8\n' >toolkit/bin/nvdisasm
chmod +x toolkit/bin/nvdisasm
if ! command -v nvdisasm >/dev/null; then
	CUDA_HOME=$top/toolkit compare home
	has home.why 'nvdisasm exited with status 8'
fi
exit 0
