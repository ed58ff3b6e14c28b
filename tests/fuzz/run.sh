#!/bin/sh
# run.sh SECONDS [TARGET...]: fuzz every reader (or those named; --list names all) for so long
# each, one at a time, with clang's libFuzzer and sanitizers. New inputs are kept in BUILD/corpus,
# crashes in BUILD/crashes; ends with 1 if there are any. BUILD is build/fuzz, or $BUILD.
#
# To keep what was learnt: inputs of a crash that was mended to tests/fuzz/corpus/NAME, which the
# tests run; the rest, of at most 2 KiB each, to corpora.tar.xz, from which run.sh goes on. Its files
# have numbers for names, since digests as names are a third of the archive: rename those of
# BUILD/corpus, then tar --sort=name --owner=0 --group=0 --mtime=@0 -C BUILD/corpus -c . | xz -9e
set -eu
seconds=${1:?run.sh SECONDS [TARGET...], or run.sh --list}
shift
cd "$(dirname "$0")/../.."
all=$(sed -n 's/^ba_fuzz(\([a-z_]*\) .*/\1/p' tests/fuzz/CMakeLists.txt;
	sed -n 's/^foreach(name \(.*\))/\1/p' tests/fuzz/CMakeLists.txt | tr ' ' '\n' | sed 's/^/cmd_/'
	sed -n 's/^set(readers \(.*\))/\1/p' tests/fuzz/CMakeLists.txt | tr ' ' '\n' | sed 's/^/import_/')
[ "$seconds" != --list ] || {
	echo "$all"
	exit
}
build=${BUILD:-build/fuzz}
CC=${CC:-clang} cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBA_FUZZ=ON \
	-DBA_SANITIZE=fuzzer-no-link,address,undefined -DBA_TEST_DIRS=fuzz >/dev/null
targets=$*
[ -n "$targets" ] || targets=$all
mkdir -p "$build/crashes" "$build/corpus"
# what earlier runs found, small inputs alone
tar -xJf tests/fuzz/corpora.tar.xz -C "$build/corpus" --skip-old-files
LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
export LSAN_OPTIONS
for name in $targets; do
	ninja -C "$build" "fuzz_$name" >"$build/build-$name.log" 2>&1 || {
		cat "$build/build-$name.log"
		exit 1
	}
	mkdir -p "$build/corpus/$name"
	dictionary=tests/fuzz/json.dict
	case $name in attributes | git*) dictionary=tests/fuzz/git.dict ;; esac
	# its own inputs, and those that it shares with other targets
	set -- tests/fuzz/corpus/"$name"
	[ -d "$1" ] || shift
	case $name in results | report | import_results | cmd_*) set -- "$@" tests/fuzz/corpus/documents ;; esac
	case $name in import_* | cmd_compare) set -- "$@" tests/data/foreign tests/data/import ;; esac
	[ "$name" != cmd_compare ] || set -- "$@" tests/fuzz/corpus/import_*
	echo "$name: $seconds s"
	"$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 \
		-max_len=65536 -close_fd_mask=3 -print_final_stats=1 -artifact_prefix="$build/crashes/$name-" \
		-dict="$dictionary" "$build/corpus/$name" "$@" \
		>"$build/$name.log" 2>&1 || echo "$name: see $build/$name.log"
	grep -E 'number_of_executed_units|new_units_added|cov:' "$build/$name.log" | tail -3
done
found=$(find "$build/crashes" -type f | wc -l)
echo "$found crashes in $build/crashes"
[ "$found" -eq 0 ]
