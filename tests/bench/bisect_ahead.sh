#!/bin/sh
# sh tests/bench/bisect_ahead.sh BUILD [BUILD_SECONDS [LOAD_SECONDS [JOBS [COMMITS]]]]: what builds
# ahead save a search. A repository of COMMITS (32), whose builds take BUILD_SECONDS (1), JOBS (2) of them
# side by side, and whose library takes LOAD_SECONDS (0.3) to open, is searched with and without
# --no-build-ahead by executed instructions, on the host target: three times each, with the slow commit at
# another place. Both durations are of `sleep`, so that they are the same on every machine. Prints the
# seconds of both and their ratio; exit 1 if an answer is wrong.
# Needs the built tool in BUILD, git, python3, bc and a C compiler.
set -eu
build=$(cd "${1:?usage: bisect_ahead.sh BUILD [BUILD_SECONDS [LOAD_SECONDS [JOBS [COMMITS]]]]}" && pwd)
takes=${2:-1} loads=${3:-0.3} jobs=${4:-2} commits=${5:-32}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1

# history STEP: c0, c1, ...; from STEP on, a launch executes more instructions
history()
{
	rm -rf "$work/repo"
	mkdir "$work/repo"
	cd "$work/repo"
	git init -q .
	git config user.name bench
	git config user.email bench@example.invalid
	cp -r "$root/include" .
	cat >.bench-against.json <<-END
		{ "build": { "commands": [["sleep", "$takes"], ["cc", "-O2", "-fPIC", "-shared", "-Iinclude",
		  "-o", "liblauncher.so", "launcher.c"]], "jobs": $jobs },
		  "suites": { "launch": { "kind": "launcher", "library": "liblauncher.so", "args": [2] } } }
	END
	echo liblauncher.so >.gitignore
	i=0
	while [ $i -lt "$commits" ]; do
		chain=1
		[ $i -lt "$1" ] || chain=40
		sed -e "s/return cu_launch(k->function/for (volatile int i = 0; i < $chain; i++) {}\n\t&/" \
			-e "s/(void)host;\|\*(void \*\*)&cu_load = /usleep($(printf %.0f "$(echo "$loads * 1000000" | bc)"));\n\t&/" \
			-e 's/#include <stdlib.h>/&\n#include <unistd.h>/' "$root/examples/launcher/launcher.c" >launcher.c
		echo "const char commit_name[] = \"commit $i\";" >>launcher.c
		git add -A
		git commit -qm "commit $i"
		git tag "c$i"
		i=$((i + 1))
	done
}

# search STEP NAME OPTIONS...
search()
{
	_step=$1 _name=$2
	shift 2
	rm -rf "$work/cache"
	"$build/bin/bench-against" bisect --target host --metrics instructions --cache-dir "$work/cache" "$@" \
		--format json c0 "c$((commits - 1))" >"$work/$_name.$_step" 2>"$work/err" || { cat "$work/err"; exit 1; }
	git rev-parse "c$_step" >"$work/guilty.$_step"
}

steps="$((commits / 8)) $((commits * 5 / 8)) $((commits - 2))"
for step in $steps; do
	history "$step"
	search "$step" ahead
	search "$step" plain --no-build-ahead
done
python3 - "$work" "$takes" "$loads" "$jobs" $steps <<'END'
import json, sys
work, takes, loads, jobs, *steps = sys.argv[1:]
total = {"ahead": 0, "plain": 0}
for step in steps:
    guilty = open(f"{work}/guilty.{step}").read().strip()
    for name in total:
        doc = json.load(open(f"{work}/{name}.{step}"))
        cost = doc["cost"]
        found = [c["commit"] for s in doc["steps"] for c in s["commits"]]
        if found != [guilty]:
            sys.exit(f"NOT SO: commit {step} of {name}: {doc['answer']} {found}")
        total[name] += cost["seconds"]
        print(f"commit {step}, {name}: {cost['runs']} runs, {cost['seconds']:.1f} s, "
              f"{cost['built_ahead']} built ahead, {cost['built_ahead_used']} of them used")
print(f"builds of {takes} s, {jobs} at a time, libraries that open in {loads} s: {total['ahead']:.1f} s with builds ahead, "
      f"{total['plain']:.1f} s without, ratio {total['ahead'] / total['plain']:.2f}")
END
