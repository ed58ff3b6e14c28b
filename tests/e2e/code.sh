#!/bin/sh
# code.sh BUILD SOURCE [compiler]: `bench-against code` on cubins of this repository, and on copies with one
# planted difference each: verdicts, limits, formats, what fails and with which exit status, and
# what is refused. A build of the repository below copies files; no compiler is needed.
set -u
build=$1 source=$2
tool=$build/bin/bench-against
top=$(mktemp -d)
said=$top/said
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export BENCH_AGAINST_CACHE="$top/cache" BENCH_AGAINST_HISTORY="$top/history.sqlite" LC_ALL=C
mkdir "$BENCH_AGAINST_CACHE" && cp "$build/tests/toolchain-hashes" "$BENCH_AGAINST_CACHE" 2>/dev/null
cp "$source/tests/data/nvdisasm/base.cubin" "$top/base.cubin" || exit 1
cp "$source/tests/data/nvdisasm/candidate.cubin" "$source/tests/fuzz/corpus/cubin/k.fatbin" "$top"
cd "$top" || exit 1

fail()
{
	echo "code.sh: $*" >&2
	exit 1
}

# expect STATUS PATTERN ARGUMENTS...: the exit status, and a line of the output
expect()
{
	wanted=$1 pattern=$2
	shift 2
	"$tool" code "$@" >"$said" 2>&1
	status=$?
	[ "$status" -eq "$wanted" ] || fail "code $*: status $status, not $wanted: $(cat "$said")"
	grep -q -e "$pattern" "$said" || fail "code $*: no '$pattern' in: $(cat "$said")"
}


# poke FILE OFFSET OCTAL
poke()
{
	printf "\\$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# a byte of the first instruction, whose section begins with the frame's load: LDC R1, c[0x0][0x28]
cp base.cubin changed.cubin
code=$(LC_ALL=C grep -obUaP '\x02\x7a\x01\x00|\x24\x76\x01\xff|\x82\x7b\x01\xff' changed.cubin | head -n 1 | cut -d: -f1)
[ -n "$code" ] || fail "no instruction is where it was expected"
poke changed.cubin "$((code + 14))" 016
sed 's/ba_test_ns_20000/ba_test_ns_30000/g' base.cubin >renamed.cubin
head -c 600 base.cubin >short.cubin
head -c 200 k.fatbin >short.fatbin
echo nothing >empty.cubin

expect 0 '1 kernel: 1 same' base.cubin base.cubin
expect 0 '^changed  ba_test_ns_20000 sm_90' base.cubin changed.cubin
expect 1 'fails: changed' base.cubin changed.cubin --fail-on changed
expect 1 'fails: changed' base.cubin changed.cubin --fail-on renamed,any
expect 0 'allowed: changed' base.cubin changed.cubin --fail-on changed --allow 'ba_test*'
expect 0 "no kernel that differs matches --allow 'other\*'" base.cubin base.cubin --allow 'other*'
expect 0 '^renamed  ba_test_ns_30000 sm_90: was ba_test_ns_20000' base.cubin renamed.cubin
expect 1 'fails: renamed' base.cubin renamed.cubin --fail-on renamed
expect 0 '1 added; 1 removed' base.cubin candidate.cubin
expect 1 'fails: removed' base.cubin candidate.cubin --fail-on removed
expect 1 '^candidate.cubin .* fails$' base.cubin candidate.cubin --limit file_bytes=+10
expect 0 '^device code for sm_90 640 -> 1280 B' base.cubin candidate.cubin --limit device_bytes=150%

# refused, and never green
expect 2 "'short.cubin'" base.cubin short.cubin
expect 2 'truncated fatbin' base.cubin short.fatbin
# a cubin that is packed with LZ4, whose library cannot be loaded
z='\0\0\0\0\0\0\0\0'
printf "\\120\\355\\125\\272\\1\\0\\20\\0\\120\\0\\0\\0\\0\\0\\0\\0\\2\\0\\1\\1\\100\\0\\0\\0\\20\\0\\0\\0\\0\\0\\0\\0\\20\\0\\0\\0" >packed.fatbin
printf "$z\\132\\0\\0\\0$z\\0\\40\\0\\0\\0\\0\\0\\0$z\\40\\0\\0\\0\\0\\0\\0\\0$z$z" >>packed.fatbin
mkdir lib && : >lib/liblz4.so.1
(export LD_LIBRARY_PATH=lib && expect 2 'liblz4.so.1, which decompresses it, is missing' packed.fatbin packed.fatbin) || exit 1
expect 2 'holds no device code' base.cubin empty.cubin
expect 2 'holds no device code' "$tool" base.cubin
mkdir none && echo text >none/readme
expect 2 'none has no kernel' none base.cubin
expect 129 'two variants or two files' base.cubin
expect 129 '--limit' base.cubin base.cubin --limit nonsense=1
expect 129 "'much' is not a limit" base.cubin base.cubin --limit registers=much
expect 129 "'slower' is not one of" base.cubin base.cubin --fail-on slower

# formats
expect 0 '"verdict": "changed"' base.cubin changed.cubin --format json
if command -v python3 >/dev/null; then
	python3 -c 'import json; d = json.load(open("'"$said"'")); assert d["counts"]["changed"] == 1 and len(d["kernels"]) == 1 and d["kernels"][0]["metrics"]["registers"][0] > 0' ||
		fail "the JSON"
fi
expect 1 '"level": "error"' base.cubin changed.cubin --format sarif --fail-on any
expect 1 '<failure message="changed' base.cubin changed.cubin --format junit --fail-on any
expect 0 '^| changed | `ba_test_ns_20000 sm_90`' base.cubin changed.cubin --format markdown
expect 0 '^ba_test_ns_20000 sm_90$' base.cubin changed.cubin --format list
expect 0 . base.cubin changed.cubin --explain
expect 1 '<span class="verdict bad">fails</span>' base.cubin changed.cubin --format html --fail-on any
expect 0 '<span class="verdict good">passes</span>.*1 kernel' base.cubin base.cubin --format html

# what was saved: explained, and written in other forms
"$tool" code base.cubin candidate.cubin --format json >saved.json || fail "saving"
"$tool" explain saved.json --format markdown >"$said" && grep -q '^| added | `ba_test_ns_22000' "$said" || fail "markdown: $(cat "$said")"
"$tool" explain saved.json 'ba_test_ns_2200*' >"$said" 2>&1 || fail "explain: $(cat "$said")"
grep -q '^added  ba_test_ns_22000 sm_90: .*\[candidate.cubin\]$' "$said" && ! grep -q '^removed' "$said" ||
	fail "explain of one: $(cat "$said")"
"$tool" explain saved.json --format json | cmp -s - saved.json || fail "explain --format json changes it"
"$tool" explain saved.json nothing >"$said" 2>&1 && fail "explain of no kernel: $(cat "$said")"
"$tool" explain saved.json --format html >page.html && grep -q '<th scope="row">.*ba_test_ns_22000' page.html || fail "the page"
for from in '"added"' '"candidate.cubin"' '12'; do
	sed "0,/$from/s//\[7\]/" saved.json >bad.json
	"$tool" explain bad.json >"$said" 2>&1 && fail "explain of a damaged file ($from): $(cat "$said")"
	grep -q 'bad.json: .*\$' "$said" || fail "explain of a damaged file: $(cat "$said")"
done

# variants: folders with a hash, and copies, make no difference
git init -q repo && cd repo || exit 1
git config user.email a@b && git config user.name a
cat >.bench-against.json <<'END'
{"build": {"command": ["sh", "./make"]},
 "suites": {"one": {"kind": "command", "command": ["out/one"]}, "script": {"kind": "command", "command": ["sh", "run"]},
  "many": {"kind": "nvbench", "programs": "out/many*"}},
 "code": {"allow": ["never"]}}
END
cp ../base.cubin in.cubin
cat >make <<'END'
mkdir -p out/cache/1234 && cp in.cubin out/cache/1234/k.cubin && cp in.cubin out/copy.cubin
cp /bin/true out/one && cp /bin/true out/many.1 && cp /bin/true out/many.2
END
git add . && git commit -qm one
sed -i 's/1234/5678/g; s/copy/other/' make && git commit -qam two
cp ../changed.cubin in.cubin && git commit -qam three
cp /dev/null in.cubin && git commit -qam four
expect 0 '1 kernel: 1 same' HEAD~3 HEAD~2
expect 0 '^changed  ba_test_ns_20000 sm_90' HEAD~2 HEAD~1
expect 1 'fails: changed' HEAD~2 HEAD~1 --gate --fail-on changed
expect 2 'holds no device code' HEAD~1 HEAD
expect 129 'no revision\|revspec\|not found\|nonsense' HEAD nonsense
# a cubin that differs may be loaded by any program; without one only the script must be measured
expect 0 '^one/\*$' HEAD~2 HEAD~1 --format list
expect 0 '^script/\*$' HEAD~3 HEAD~2 --format list
! grep -q 'one\|many' "$said" || fail "these suites did not change: $(cat "$said")"
# each program of a suite is named alone, also one that only the candidate has; a script always is
sed 's/true out.many.2/false out\/many.2 \&\& cp \/bin\/true out\/many.3 \&\& cp \/bin\/true out\/one/; s/cache.1234/cache\/5678/' make >make.new
git checkout -qb programs HEAD~2 && mv make.new make && echo 'printf "#!/bin/sh\n" >out/many.sh && chmod +x out/many.sh' >>make && git commit -qam programs
expect 0 '^many/many.2/\*$' HEAD~1 HEAD --format list
grep -q '^many/many.3/\*$' "$said" && grep -q '^many/many.sh/\*$' "$said" || fail "programs: $(cat "$said")"
! grep -q '^one\|^many/many.1\|^many/\*' "$said" || fail "programs: $(cat "$said")"
sed -i 's/many\*/none*/' .bench-against.json
expect 129 "no file that can be executed matches 'out/none\*'" HEAD~1 WORKTREE --format list
git checkout -q --force -
: >nothing
"$tool" run --filter-from nothing >"$said" 2>&1 || fail "run --filter-from: $(cat "$said")"
grep -q 'nothing to measure' "$said" || fail "run --filter-from: $(cat "$said")"
"$tool" run --filter-from missing >"$said" 2>&1
[ $? -eq 129 ] || fail "--filter-from of a missing file: $(cat "$said")"
git reset -q --hard HEAD~1
# damaged in both in the same way, and in two ways
git checkout -qb damaged
cp ../short.cubin bad.cubin && sed -i 's/^cp .bin.true/cp bad.cubin out\/bad.cubin; &/' make && git add . && git commit -qm five
echo >>run && git add . && git commit -qm six
expect 0 "note: 'out/bad.cubin'.* has the same bytes" HEAD~1 HEAD
expect 0 '^one/\*$' HEAD~1 HEAD --format list
printf x >>bad.cubin && git commit -qam seven
expect 2 "'out/bad.cubin' of HEAD~1: .*HEAD has other bytes" HEAD~1 HEAD
git checkout -q -
sed -i 's/"allow": \["never"\]/"paths": ["out\/none"]/' .bench-against.json
expect 2 "code.paths: HEAD~ has no 'out/none' after its build" HEAD~ WORKTREE
sed -i 's/out\/none/in.cubin/' .bench-against.json
expect 0 '^changed' HEAD~ WORKTREE

# the history: sizes of each commit, and kernels that differ
"$tool" history --target code >"$said" 2>&1 || fail "history: $(cat "$said")"
grep -q 'ba_test_ns_20000 sm_90 *registers' "$said" && grep -q 'device_bytes' "$said" || fail "history: $(cat "$said")"
"$tool" history 'ba_test_ns_20000*' --metric registers --format csv >"$said" 2>&1 || fail "history: $(cat "$said")"
grep -q '^ba_test_ns_20000 sm_90,registers,code,.*,10,.*changed' "$said" || fail "history of registers: $(cat "$said")"
"$tool" history 'ba_test_ns_20000*' --metric local_stores --format csv >"$said" 2>&1 || fail "history: $(cat "$said")"
grep -q '^ba_test_ns_20000 sm_90,local_stores,code,.*,0,.*changed' "$said" || fail "a history of 0: $(cat "$said")"
BENCH_AGAINST_HISTORY=$top/never.sqlite expect 0 . HEAD~2 HEAD~1 --no-history
[ ! -e "$top/never.sqlite" ] || fail "--no-history wrote a history"

# with a compiler, if there is one: half a minute, at night or where there is a GPU
if command -v nvcc >/dev/null && { [ "${3-}" = compiler ] || [ -e /dev/nvidiactl ]; }; then
	cd "$top" || exit 1
	cat >a.cu <<'END'
template <class T, int N> __global__ void k(T *p) { p[threadIdx.x] *= N; }
template __global__ void k<float, 4>(float *);
namespace { __global__ void anon(int *p) { p[threadIdx.x] *= 3; } }
void use(int *p) { anon<<<1, 1>>>(p); }
END
	mkdir -p x y && (echo '// another line' && cat a.cu) >y/b.cu && cp a.cu x/a.cu
	nvcc -lineinfo -gencode arch=compute_90,code=sm_90 -gencode arch=compute_100,code=sm_100 -c -o x/o.o x/a.cu &&
		nvcc -lineinfo -gencode arch=compute_90,code=sm_90 -gencode arch=compute_100,code=sm_100 -c -o y/o.o y/b.cu ||
		fail nvcc
	expect 0 '4 kernels: 4 same' x y
	cat >l.cu <<'END'
template <class F> __global__ void k(F f, float *p) { p[threadIdx.x] = f(p[threadIdx.x]); }
void host(float *p)
{
#ifdef MORE
	k<<<1, 1>>>([] __device__(float x) { return x * 7.0f; }, p);
#endif
	k<<<1, 1>>>([] __device__(float x) { return x + 1.0f; }, p);
	k<<<1, 1>>>([] __device__(float x) { return x * x; }, p);
}
END
	nvcc --extended-lambda -arch=sm_90 -cubin -o la.cubin l.cu &&
		nvcc --extended-lambda -DMORE -arch=sm_90 -cubin -o lb.cubin l.cu || fail nvcc
	expect 0 '3 kernels: 1 added; 2 same' la.cubin lb.cubin
	sed -i 's/N; }/N + 1; }/' y/b.cu && nvcc -arch=sm_90 -c -o y/o.o y/b.cu && nvcc -arch=sm_90 -c -o x/o.o x/a.cu
	expect 0 '^changed  k<float, 4> sm_90' x y
fi
echo "code.sh: all as expected"
