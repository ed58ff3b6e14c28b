#!/bin/sh
# ship.sh BUILD: nodes that see neither the desk nor the trees nor the tool of the submitting host
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cluster.sh"
cluster_need
cluster_enclose "$@"
unshare --mount true 2>/dev/null || cluster_skip 'no mount namespaces'
. "$here/fleet.sh"
cmake --install "$build" --prefix "$top/tool" >/dev/null
cp "$driver" "$top/libcuda.so.1"
tool=$top/tool/bin/bench-against driver=$top/libcuda.so.1
cluster=$(mktemp -d /tmp/ba-slurm-XXXXXX)
CLUSTER_HIDDEN=$top
cluster_start "$cluster" 'h200 2 16' 'h200 2 16'
run()
{
	_status=0
	measure "$@" || _status=$?
	[ $_status -eq 1 ] || fail "$1: status $_status" "$1.out" "$1.err"
}

# a node sees nothing of it
[ -z "$(srun --nodes=1 ls "$top" | grep -v '^welcome')" ] || fail 'the nodes see the directory'
_status=0
measure shared --on 'slurm: --gres=gpu:1 --array=4' --fixed 24 || _status=$?
[ $_status -eq 125 ] || fail "without --ship: status $_status" shared.out shared.err
grep -q 'install the tool where nodes see it, or copy it with --ship' shared.err || fail 'no cause' shared.err

run alone --fixed 24
run shipped --ship --on 'slurm: --gres=gpu:1 --array=4' --fixed 24
same alone shipped 24
origins shipped >shipped.origins
for node in n1 n2; do
	grep -q " $node GPU [01] " shipped.origins || fail "nothing from $node" shipped.origins
done

# a task that is cancelled loses what it was measuring, and nothing else. While the desk is stopped,
# no task can come to its end.
run alone160 --fixed 160
run less --ship --on 'slurm: --gres=gpu:1 --array=4' --fixed 160 &
background=$!
some()
{
	[ "$(grep -c invocation less.json.journal)" -gt 3 ]
}
cluster_wait 60 'invocations' some
desk=$(pgrep -P $background)
kill -STOP $desk
cancelled=$(squeue --noheader --array --states=RUNNING --format=%i | head -n 1)
scancel "$cancelled"
ended()
{
	! squeue --noheader --array --states=RUNNING,COMPLETING --format=%i | grep -qx "$cancelled"
}
cluster_wait 60 'end of the task' ended
kill -CONT $desk
wait $background || fail 'one task less' less.err
same alone160 less 160
grep -q 'its task was cancelled' less.err || fail 'nobody was cancelled' less.err

# the tool goes away while the array is submitted: nodes have their copies, and no task stays
mkdir "$top/bin"
cat >"$top/bin/sbatch" <<END
#!/bin/sh
case " \$* " in
*" --array=0-1 "*) rm "$tool" ;;
esac
exec $(command -v sbatch) "\$@"
END
chmod 755 "$top/bin/sbatch"
PATH=$top/bin:$PATH
run gone --ship --on 'slurm: --gres=gpu:1 --array=2' --fixed 4
[ ! -e "$tool" ] || fail 'the tool is there'
no_tasks()
{
	[ -z "$(squeue --noheader)" ]
}
cluster_wait 10 'end of all tasks' no_tasks
echo 'ship: nodes without a shared directory measure the same'
