#!/bin/sh
# build.sh BUILD: variants that are built in a job, with a compiler that only nodes have: what is
# built and kept, what fails and how it is reported, and that no job stays
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cluster.sh"
cluster_need
cluster_enclose "$@"
unshare --mount true 2>/dev/null || cluster_skip 'no mount namespaces'
. "$here/fleet.sh"
# what each node has there is its own
CLUSTER_HIDDEN=$top/compiler
mkdir "$CLUSTER_HIDDEN"
mkdir "$top/cache"
cp "$build/tests/toolchain-hashes" "$top/cache" 2>/dev/null || :
cluster_start "$top/s" 'h200 2 16' 'h200 2 16'
export PATH="$CLUSTER_HIDDEN:$PATH"
cat >"$top/nodecc" <<END
#!/bin/sh
read -r cost name <"\$1"
echo "\$name" >>"$top/compiled"
[ "\$cost" != slow ] || exec sleep 300
[ -e "$build/tests/suites/cost\$cost.so" ] || { echo "nodecc: no such cost: \$cost"; exit 3; }
cp "$build/tests/suites/cost\$cost.so" launcher.so
END
for node in n1 n2; do
	srun --nodelist=$node sh -c "{ cat '$top/nodecc'; echo '# of $node'; } >'$CLUSTER_HIDDEN/nodecc'; chmod 755 '$CLUSTER_HIDDEN/nodecc'" >/dev/null
done

# a repository whose commits differ by what they cost
mkdir "$top/repo"
cd "$top/repo"
git init -q -b main .
cat >.bench-against.json <<-END
	{"build": {"commands": [["nodecc", "cost"]]},
	 "suites": {"launch": {"kind": "launcher", "library": "launcher.so", "args": [0]}}}
END
for commit in '100 fine' '100 same' '110 slower' '110 last' 'none broken' 'slow endless'; do
	echo "$commit" >cost
	git add .
	git -c user.name=Test -c user.email=test@example.org commit -q -m "$commit"
	git tag "${commit#* }"
done

# try STATUS NAME OPTIONS...
try()
{
	_wanted=$1 _run=$2 _got=0
	shift 2
	"$tool" --fake-driver "$driver" --metrics submit --blocks 8 --batch 16 --seed 7 --fixed 6 \
		--no-history -o "$_run.json" "$@" >"$_run.out" 2>"$_run.err" || _got=$?
	[ $_got -eq "$_wanted" ] || fail "$_run: status $_got, not $_wanted" "$_run.out" "$_run.err"
}

says()
{
	tr '\n' ' ' <"$1" | grep -qF -- "$2" || fail "$1 does not say '$2'" "$1"
}

# compiled WHAT...: in this order, since the last question
compiled()
{
	[ "$(sort "$top/compiled" | xargs)" = "$*" ] ||
		fail "compiled '$(xargs <"$top/compiled")' and not '$*'" "$_run.out" "$_run.err"
	: >"$top/compiled"
}

no_tasks()
{
	[ -z "$(squeue --noheader)" ]
}
: >"$top/compiled"
measure='slurm: --gres=gpu:1 --array=2'

# this host has no such compiler; a node has, and what it built is kept
try 125 here fine slower
says here.err "'nodecc'"
try 1 first --on "$measure --nodelist=n1" --build-on same fine slower
compiled fine slower
try 1 again --build-on 'slurm: --nodelist=n1' fine slower
compiled
# the compiler of another node is another one
try 1 other --build-on 'slurm: --nodelist=n2' fine slower
compiled fine slower

# what a build prints, and which node it ran on
try 125 broken --build-on 'slurm:' fine broken
says broken.err 'nodecc: no such cost: none'
cluster_wait 10 'end of all tasks' no_tasks
try 129 array --build-on "$measure" fine slower
says array.err 'leave out --array'
try 129 nowhere --build-on same fine slower
try 129 nope --on "$measure" --build-on 'slurm: --partition=nope' fine slower
says nope.err 'invalid partition specified: nope'

# steps of a search build there, too
"$tool" bisect --fake-driver "$driver" --metrics submit --blocks 8 --batch 16 --fixed 6 \
	--on 'slurm: --gres=gpu:1' --build-on same fine last >bisect.out 2>bisect.err ||
	fail bisect bisect.out bisect.err
says bisect.out '110 slower'

# begin NAME VARIANTS: in the background, until it compiles
begin()
{
	_run=$1
	: >"$top/compiled"
	shift
	"$tool" --fake-driver "$driver" --metrics submit --no-history \
		--build-on 'slurm: --nodelist=n1' "$@" >"$_run.out" 2>"$_run.err" &
	background=$!
	cluster_wait 60 "build of $_run" test -s "$top/compiled"
}

# interrupted: the job goes, and with it the build
begin stopped endless endless
kill -TERM $background
if wait $background; then fail 'a build that was interrupted'; fi
cluster_wait 10 'end of the job' no_tasks
# killed: nobody asks for the job any more
begin killed endless endless
kill -KILL $background
wait $background || true
cluster_wait 20 'end of the job' no_tasks
# the node is gone
begin lost endless endless
cluster_node_crash n1
scontrol update NodeName=n1 State=DOWN Reason=crash
if wait $background; then fail 'a build on a node that is gone'; fi
says lost.err 'Slurm put its task back into the queue'
cluster_wait 20 'end of the job' no_tasks
echo 'build: on nodes, with their compiler; kept, failed, interrupted, lost'
