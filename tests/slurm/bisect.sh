#!/bin/sh
# bisect.sh BUILD: a search whose steps are measured in tasks of Slurm. It builds ahead meanwhile: with
# another name than the nodes have, this host is one on which nothing is timed
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cluster.sh"
cluster_need
cluster_enclose "$@"
. "$here/fleet.sh"
cluster_start "$top/s" 'h200 2 16'

commits=12 step=7
git init -q repo
cd repo
git config user.name test
git config user.email test@example.invalid
# long enough for a build to be worth a process
cat >.bench-against.json <<-'END'
	{ "build": { "commands": [["cp", "variant.so", "launcher.so"], ["sleep", "0.6"]] },
	  "suites": { "launch": { "kind": "launcher", "library": "launcher.so", "args": [0] } } }
END
cp "$build/tests/suites/cost_from_tree.so" variant.so
for i in $(seq 0 $((commits - 1))); do
	echo $((1000 + i % 2 + (i >= step) * 100)) >table
	echo "$i" >number
	git add -A
	git commit -qm "c$i"
	git tag "c$i"
done
elsewhere=
unshare --uts true 2>/dev/null && elsewhere='unshare --uts sh -c "hostname submit; exec \"\$@\"" sh'
search()
{
	eval "$elsewhere" '"$tool" bisect --on "slurm: --gres=gpu:1 --array=2" --fake-driver "$driver" --metrics submit \
		--blocks 8 --batch 16 --seed 7 --fixed 4 --jobs 2 "$@" c0 "c$((commits - 1))"'
}
search --format json >answer.json 2>answer.err || fail 'no answer' answer.err answer.json
jobs=$(squeue --noheader --states=all --format=%F | sort -u | wc -l)
python3 - "$(git rev-parse c$step)" "$jobs" "${elsewhere:+1}" <<-'END' || fail 'another answer' answer.err answer.json
	import json, sys
	guilty, jobs = sys.argv[1], int(sys.argv[2])
	doc = json.load(open("answer.json"))
	cost = doc["cost"]
	found = [c["commit"] for s in doc["steps"] for c in s["commits"]]
	if found != [guilty]:
	    sys.exit("found %s, not %s" % (found, guilty))
	if cost["runs"] < 2 or jobs < cost["runs"]:
	    sys.exit("%d runs, %d jobs of Slurm" % (cost["runs"], jobs))
	if sys.argv[3] and cost["built_ahead"] < 1 or cost["built_ahead_used"] > cost["built_ahead"]:
	    sys.exit("built ahead: %(built_ahead)d, used: %(built_ahead_used)d" % cost)
	print("bisect: %d runs, %d built ahead, %d of them used" % (
	    cost["runs"], cost["built_ahead"], cost["built_ahead_used"]))
END
[ -z "$(squeue --noheader)" ] || fail 'tasks are left' answer.err

# sbatch's own sentence, once
status=0
search --on 'slurm: --partition=nope' >nope.out 2>nope.err || status=$?
[ $status -eq 129 ] || fail "status $status, not 129" nope.err
grep -q 'invalid partition specified: nope' nope.err || fail 'not the sentence of sbatch' nope.err
