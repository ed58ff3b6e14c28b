#!/bin/sh
# same.sh OLD NEW: do two builds of bench-against say the same? For a change that should alter
# nothing that users see. OLD and NEW are programs. Compares standard output, standard error and
# exit status of each line of the table below, on the files of tests/data. Prints what differs.
# Times, digests, paths of temporary directories and whatever a GPU measures are not compared.
set -u
old=${1:?same.sh OLD NEW} new=${2:?same.sh OLD NEW}
old=$(realpath "$old") new=$(realpath "$new")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$(dirname "$0")/../data" "$work/data" # outside of any repository
cd "$work/data" || exit 1
export XDG_CACHE_HOME="$work/cache" NO_COLOR=1 HOME="$work" COLUMNS=100
count=0 bad=0

# one ARGUMENT...: the same three answers from both programs
one()
{
	for which in old new; do
		program=$new
		[ $which = old ] && program=$old
		"$program" "$@" >"$work/$which.out" 2>"$work/$which.err" </dev/null
		echo "$?" >"$work/$which.status"
		sed -i -E -e "s|$program|bench-against|g; s|$work|WORK|g" \
			-e 's/"(wall_seconds|document_sha256)": [^,]*/"\1": X/' \
			-e 's/ time="[^"]*"/ time=X/g' -e 's/[0-9.]+ s; 20[0-9-]+T[0-9:]+Z/TIME/; s/20[0-9-]+T[0-9:]+Z?/TIME/g; s/, [0-9.]+ s$/, TIME/' \
			"$work/$which.out" "$work/$which.err"
	done
	count=$((count + 1))
	for part in status out err; do
		cmp -s "$work/old.$part" "$work/new.$part" && continue
		bad=$((bad + 1))
		echo "differs in $part: bench-against $*"
		diff "$work/old.$part" "$work/new.$part" | head -n 6
	done
}

commands="run list doctor cache demo compare convert replay decide verify report plot calibrate bisect
init history completion manual"
one --version
one --help
one --help-all
for command in $commands; do
	one "$command" --help
	one "$command" --no-such-option
	one "$command" --threshold=x --color=never
	one "$command" a b c d e
	one "$command" --color=wrong
	one "$command" --progress --unicode
done
one manual
for shell in bash zsh fish; do one completion "$shell"; done
xz -dc h200/trace.csv.xz >"$work/trace.csv"
one replay "$work/trace.csv"

gzip -dc h200/attention.json.gz >"$work/attention.json"
for result in h200/run.json "$work/attention.json" import/*; do
	one verify "$result"
	for format in term markdown summary csv json sweep sweep-csv junit github html; do
		one report "$result" --format "$format"
		one report --across backend "$result" --format "$format"
	done
	for figure in launch-overhead sweep sweep-delta sweep-percent sweep-throughput changes \
		across distribution invocations order blocks; do
		one plot "$result" --figure "$figure"
	done
	for format in samples pytest-benchmark nvbench; do
		one convert "$result" --to "$format"
	done
	one history add "$result"
done
one history
one history --format json
for base in import/*; do
	for change in import/*; do
		one compare "$base" "$change"
	done
	for format in term markdown csv json junit github html; do
		one compare "$base" import/google-new.json import/go-new.txt --format "$format"
		one compare import/google-base.json "$base" --format "$format" --gate=strict
	done
done

echo "$count commands, $bad answers differ"
[ "$count" -gt 500 ] && [ "$bad" -eq 0 ]
