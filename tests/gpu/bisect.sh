#!/bin/sh
# sh tests/gpu/bisect.sh BUILD [PART...]: is one slower commit among 64 found, on this GPU, in less
# than two minutes of measuring? Needs the built tool in BUILD, git, python3 and a C compiler, and no
# network. Prints the answers, and keeps them as JSON in the folder KEEP, if that is set. Exit 1 if one
# is another commit, or took longer. Parts (all by default):
#
#   kernel   the plugin of the proofs; from one commit on, its loop is 2 % longer
#   launch   the example launcher; from one commit on, a chain of multiplications delays each launch
#            by CHAIN of them (32: some 30 ns, about 2 % of a launch on an H200). Where instructions
#            are counted, they are searched first
#   time     the same by times alone
#   host     the same on the host target, with 3 ns (CHAIN_HOST=3), by times alone: needs no GPU
#
# All other commits differ, too: the loop by up to 0.2 %, the launcher by a constant.
set -eu
build=$(cd "${1:?usage: bisect.sh BUILD [PART...]}" && pwd)
shift
parts=${*:-kernel launch time host}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1
commits=64 most=${MOST_SECONDS:-120} failed=0

wants() { case " $parts " in *" $1 "*) true ;; *) false ;; esac; }

begin() { # DIRECTORY
	mkdir -p "$1"
	cd "$1"
	git init -q .
	git config user.name proof
	git config user.email proof@example.invalid
	cp -r "$root/include" .
}

commit() { # NUMBER
	git add -A
	git commit -qm "commit $1"
	git tag "c$1"
}

kernel_history() { # STEP
	begin "$work/kernel"
	cp "$root/tests/gpu/suite_misdeeds.h" .
	cat >.bench-against.json <<-'END'
		{ "build": { "commands": [["cc", "-O2", "-fPIC", "-shared", "-Iinclude",
		  "-o", "libsuite.so", "suite.c", "-lm"]] },
		  "suites": { "proof": { "kind": "plugin", "library": "libsuite.so" } } }
	END
	echo libsuite.so >.gitignore
	for i in $(seq 0 $((commits - 1))); do
		rounds=$((10000 + i * 37 % 41 - 20))
		[ "$i" -lt "$1" ] || rounds=$((rounds + 200))
		sed "s/^#define ROUNDS .*/#define ROUNDS $rounds/" "$root/tests/gpu/suite_proof.c" >suite.c
		commit "$i"
	done
}

launch_history() { # DIRECTORY STEP CHAIN
	begin "$1"
	cat >.bench-against.json <<-'END'
		{ "build": { "commands": [["cc", "-O2", "-fPIC", "-shared", "-Iinclude",
		  "-o", "liblauncher.so", "launcher.c"]] },
		  "suites": { "launch": { "kind": "launcher", "library": "liblauncher.so", "args": [2] } } }
	END
	echo liblauncher.so >.gitignore
	for i in $(seq 0 $((commits - 1))); do
		chain=1
		[ "$i" -lt "$2" ] || chain=$(($3 + 1))
		# fenced, so that the chain adds its time and hides in nothing
		sed -e 's/return cu_launch(k->function/int rc = cu_launch(k->function/' \
			-e "s/c->stream, args, NULL);/&\n\tlong chain = 3, n = $chain;\n\t__asm__ volatile(\"lfence; 1: imul %0, %0; dec %1; jnz 1b; lfence\"\n\t\t: \"+r\"(chain), \"+r\"(n));\n\treturn rc;/" \
			"$root/examples/launcher/launcher.c" >launcher.c
		echo "const char commit_name[] = \"commit $i\";" >>launcher.c
		commit "$i"
	done
}

find_commit() { # NAME STEP OPTIONS...
	name=$1 step=$2
	shift 2
	printf '\n== %s: commit %s of %s\n' "$name" "$step" "$commits"
	status=0
	"$build/bin/bench-against" bisect "$@" --format json c0 "c$((commits - 1))" >"$work/$name.json" || status=$?
	[ -z "${KEEP:-}" ] || cp "$work/$name.json" "$KEEP/"
	python3 - "$work/$name.json" "$(git rev-parse "c$step")" "$most" "$status" <<'END' || failed=1
import json, sys
path, guilty, most, status = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
try:
    doc = json.load(open(path))
except ValueError:
    sys.exit("NOT SO: no answer, exit status %d" % status)
cost = doc["cost"]
for step in doc["steps"]:
    for commit in step["commits"]:
        print("%s %s: %+.2f %% (%s), probability %.4f" % (commit["commit"][:9], commit["subject"],
            100 * (step["ratio"] - 1), " .. ".join("%+.2f %%" % (100 * (x - 1)) for x in (step["low"], step["high"]) if x),
            commit["probability"]))
print("%s, %s: %d runs, %d invocations, %.1f s of measuring, %.1f s in all" % (doc["benchmark"], doc["metric"],
    cost["runs"], cost["invocations"], cost["measure_seconds"], cost["seconds"]))
found = [c["commit"] for s in doc["steps"] for c in s["commits"]]
if found != [guilty]:
    sys.exit("NOT SO: the commit is %s; answer: %s" % (guilty[:9], doc["answer"]))
if cost["measure_seconds"] > most:
    sys.exit("NOT SO: more than %g s of measuring" % most)
print("ok")
END
}

if wants kernel; then
	kernel_history 41
	find_commit kernel 41 --threshold 1% --filter 'proof/loop*'
fi
if wants launch || wants time; then
	launch_history "$work/launch" 23 "${CHAIN:-32}"
	! wants launch || find_commit launch 23 --threshold 1%
	! wants time || find_commit time 23 --threshold 1% --metrics submit
fi
if wants host; then
	launch_history "$work/host" 50 "${CHAIN_HOST:-3}"
	find_commit host 50 --target host --metrics host
fi
exit $failed
