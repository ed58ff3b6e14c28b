#!/bin/sh
# How long a tree takes beside `git worktree add`: median of ROUNDS, ratio.
#
#     tests/bench/materialise.sh BENCH_MATERIALISE [REPOSITORY [REVISION]]
#
# BENCH_MATERIALISE is the program built as <build>/tests/integration/bench_materialise (use a
# release build). Without a repository one of FILES small files is made. Rounds alternate
# between the methods, every tree is a new directory, and nothing is deleted before the end:
# file systems without a journal are slow to create what follows a deletion.
set -eu

FILES=${FILES:-10000}
ROUNDS=${ROUNDS:-5}
program=$(realpath "${1:?usage: materialise.sh BENCH_MATERIALISE [REPOSITORY [REVISION]]}")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ba-bench-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com
export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com

make_repository() {
	git init -q -b main "$scratch/repo"
	# file sizes like a source tree's: most small, some of tens of kilobytes
	awk -v files="$FILES" 'BEGIN {
		print "commit refs/heads/main\ncommitter A <a@example.com> 1700000000 +0000"
		print "data 4\nmany"
		for (i = 0; i < files; i++) {
			n = i % 50 == 0 ? 600 : 5 + i % 90
			text = ""
			for (j = 0; j < n; j++)
				text = text sprintf("line %d of file %d: %d\n", j, i, i * j % 9973)
			printf "M 100644 inline src/d%d/e%d/file%d.c\n", i % 40, i % 400, i
			printf "data %d\n%s\n", length(text), text
		}
		text = "*.png binary\n*.sh text eol=lf\n"
		printf "M 100644 inline .gitattributes\ndata %d\n%s\n", length(text), text
	}' | git -C "$scratch/repo" fast-import --quiet
	echo "$scratch/repo"
}

repository=${2:-$(make_repository)}
revision=${3:-$(git -C "$repository" symbolic-ref -q --short HEAD || echo HEAD)}
files=$(git -C "$repository" ls-tree -r "$revision" | wc -l)

now_ms() {
	date +%s%N | sed 's/......$//'
}

# one measurement: METHOD ROUND, appends milliseconds to $scratch/METHOD
measure() {
	destination="$scratch/$1-$2"
	case $1 in
	worktree)
		start=$(now_ms)
		git -C "$repository" worktree add -q --detach "$destination" "$revision"
		echo $(($(now_ms) - start)) ;;
	worktree2)
		start=$(now_ms)
		git -C "$repository" -c checkout.workers=2 worktree add -q --detach \
			"$destination" "$revision"
		echo $(($(now_ms) - start)) ;;
	ours) "$program" "$repository" "$revision" "$destination" ;;
	ours1) "$program" "$repository" "$revision" "$destination" 1 ;;
	esac >>"$scratch/$1.ms"
}

methods="worktree worktree2 ours ours1"
for method in $methods; do
	measure "$method" warm
	: >"$scratch/$method.ms"
done
round=1
while [ "$round" -le "$ROUNDS" ]; do
	for method in $methods; do
		measure "$method" "$round"
	done
	round=$((round + 1))
done

median() {
	sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

base=$(median "$scratch/worktree.ms")
echo "$files files, median of $ROUNDS"
for method in $methods; do
	case $method in
	worktree) name="git worktree add" ;;
	worktree2) name="git worktree add, checkout.workers=2" ;;
	ours) name="bench-against" ;;
	ours1) name="bench-against, one thread" ;;
	esac
	m=$(median "$scratch/$method.ms")
	awk -v name="$name" -v m="$m" -v b="$base" \
		'BEGIN { printf "%-38s %8.0f ms  %.2f\n", name, m, m / b }'
done
for d in "$scratch"/worktree*-*; do
	git -C "$repository" worktree remove --force "$d"
done
