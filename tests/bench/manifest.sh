#!/bin/sh
# What the check of a built tree costs, beside writing it and beside building it.
#
#     sh tests/bench/manifest.sh BUILD [FILES]
#
# BUILD is a release build with tests: its programs bench_manifest and bench_materialise are used.
# A repository of FILES files (10000) is made, its tree is written with bench_materialise, and every
# twentieth file is compiled, which stands for a build. Then the tree is listed, five times.
set -eu

build=$(realpath "${1:?usage: manifest.sh BUILD [FILES]}")
export FILES=${2:-10000}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ba-bench-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com
export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com

now() { date +%s.%N; }
since() { echo "$1 $(now)" | awk '{ printf "%.0f ms", ($2 - $1) * 1000 }'; }

git init -q -b main "$scratch/repo"
awk -v files="$FILES" 'BEGIN {
	print "commit refs/heads/main\ncommitter A <a@example.com> 1700000000 +0000\ndata 4\nmany"
	for (i = 0; i < files; i++) {
		n = i % 50 == 0 ? 600 : 5 + i % 90
		text = sprintf("int function_%d(int x);\nint function_%d(int x)\n{\n", i, i)
		for (j = 0; j < n; j++)
			text = text sprintf("\tx += %d * x + %d;\n", j, i * j % 9973)
		text = text "\treturn x;\n}\n"
		printf "M 100644 inline src/d%d/e%d/file%d.c\n", i % 40, i % 400, i
		printf "data %d\n%s\n", length(text), text
	}
}' | git -C "$scratch/repo" fast-import --quiet

start=$(now)
mkdir "$scratch/tree"
"$build/tests/integration/bench_materialise" "$scratch/repo" main "$scratch/tree" >/dev/null
echo "writing the tree: $(since "$start")"
start=$(now)
(cd "$scratch/tree" && find src -name '*0.c' -o -name '*00.c' | sort | awk 'NR % 2' |
	xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 25 sh -c \
	'for f; do cc -O2 -fPIC -g -c -o "${f%.c}.o" "$f"; done' sh)
echo "compiling $(find "$scratch/tree" -name '*.o' | wc -l) of its files: $(since "$start")"
echo "listing it with the digests of its files:"
"$build/tests/integration/bench_manifest" "$scratch/tree" 5
