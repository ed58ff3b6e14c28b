#!/bin/sh
# sh tests/gpu/answers.sh OUT: answers that used to be a plain green, on a real GPU.
#
# Four branches of the example launcher, each against `base`; results and screens in OUT:
#
#   comment   a comment changed: identical, shown by a control
#   table     the library is the same, byte for byte; a table that it reads is not, and every
#             launch takes longer: regressed
#   tail      one launch in five takes much longer, in stretches of a visit: the trimmed mean
#             is the same, the mean is not: tail-regressed
#   base      against itself, AA_RUNS (10) times: unchanged
#
# Ends with a table of what was expected and what was answered; 1 where they differ.
# Needs bench-against on the PATH, git, cc, python3. TARGET=host tries it without a GPU.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1
# the words are options; the host target has a metric of its own
options=${TARGET:+--target $TARGET}
stretch=${TARGET:+20000}
: "${stretch:=32}"
: "${options:=--metrics submit}"

mkdir "$work/repo" && cd "$work/repo"
git init -q . && git config user.email answers@example.org && git config user.name answers
cp -r "$root/include" .
echo build >.gitignore
cat >.bench-against.json <<'EOF'
{ "build": { "commands": [["mkdir", "-p", "build"], ["cc", "-O2", "-fPIC", "-shared",
    "-Iinclude", "-o", "build/liblauncher.so", "launcher.c"]] },
  "suites": { "launch": { "kind": "launcher", "library": "build/liblauncher.so" } } }
EOF
# Each launch is followed by a chain of dependent multiplications, fenced so that it adds its
# time and hides in nothing. Its length comes from a file beside the library's folder; in the
# branch `tail` it is long in one of five stretches; a visit is 16 launches on a GPU, and thousands
# on the host target.
cat >edit.py <<'EOF'
import sys
root, kind, stretch = sys.argv[1:4]
text = open(root + "/examples/launcher/launcher.c").read()
chain = """
static long length;

static void read_length(void)
{
	Dl_info me;
	char path[4096];
	dladdr((void *)&read_length, &me);
	const char *build = strstr(me.dli_fname, "build/");
	snprintf(path, sizeof(path), "%.*stable.txt", (int)(build - me.dli_fname), me.dli_fname);
	FILE *f = fopen(path, "r");
	if (!f || fscanf(f, "%ld", &length) != 1 || length < 1)
		length = 1;
	if (f)
		fclose(f);
}

static void work(void)
{
	static unsigned long count;
	long chain = 3, n = length;
	if (TAIL && count++ / STRETCH % 5 == 0)
		n = length * 230;
	__asm__ volatile("lfence; 1: imul %0, %0; dec %1; jnz 1b; lfence"
		: "+r"(chain), "+r"(n));
}
"""
text = text.replace("#include <stdlib.h>", "#define _GNU_SOURCE\n#include <dlfcn.h>\n"
                    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>")
text = text.replace("struct ba_launcher_session {", chain.replace("TAIL", str(int(kind == "tail"))).replace("STRETCH", stretch)
                    + "\nstruct ba_launcher_session {")
text = text.replace("*(void **)&cu_load =", "read_length();\n\t*(void **)&cu_load =", 1)
text = text.replace("return cu_launch(k->function", "int rc = cu_launch(k->function")
text = text.replace("c->stream, args, NULL);", "c->stream, args, NULL);\n\twork();\n\treturn rc;")
if kind == "comment":
    text += "/* nothing that a compiler sees */\n"
open("launcher.c", "w").write(text)
open("table.txt", "w").write("%d\n" % (400 if kind == "table" else 8))
EOF
echo edit.py >>.git/info/exclude
for kind in base comment table tail; do
	python3 edit.py "$root" $kind "$stretch"
	git checkout -q -b $kind && git add -A && git commit -qm $kind
done

bad=0
ask() { # NAME CANDIDATE WORD STATUS: what is expected of base against the candidate
	status=0
	# shellcheck disable=SC2086
	bench-against base "$2" $options --gate=strict -o "$out/$1.json" >"$out/$1.txt" 2>"$out/$1.err" || status=$?
	words=$(python3 - "$out/$1.json" <<'EOF'
import collections, json, sys
d = json.load(open(sys.argv[1]))
n = collections.Counter(c["verdict"] for s in d["series"] for c in s["comparisons"])
print(", ".join("%d %s" % (v, k) for k, v in sorted(n.items())))
EOF
	) || words="no result"
	[ "$status" = "$4" ] && case $words in *" $3") [ "${words%%,*}" = "$words" ] ;; *) false ;; esac ||
		{ bad=1 && set -- "$@" '  <-- not as expected'; }
	echo "$1: expected $3, exit $4; answered $words, exit $status${5-}"
}
ask comment comment identical 0
ask table table regressed 1
options="$options --threshold 5%"
ask tail tail tail-regressed 1
options=${options% --threshold*}
for run in $(seq "${AA_RUNS:-10}"); do
	# shellcheck disable=SC2086
	bench-against a=base b=base --measure-identical $options \
		-o "$work/aa.json" >/dev/null 2>&1 || echo "run $run of base against itself: exit $?"
	python3 - "$work/aa.json" <<'EOF' >>"$out/aa.csv"
import json, sys
d = json.load(open(sys.argv[1]))
for s in d["series"]:
    for c in s["comparisons"]:
        print(d["measure_seconds"], s["id"], c["verdict"], c["ratio"], c["invocations"], sep=",")
EOF
done
[ ! -f "$out/aa.csv" ] || cut -d, -f3- "$out/aa.csv" | grep -oE 'unchanged|inconclusive|[a-z-]*regressed|[a-z-]*improved|failed' |
	sort | uniq -c | sed 's/^ */base against itself: /'
exit $bad
