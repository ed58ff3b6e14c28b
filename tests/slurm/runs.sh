#!/bin/sh
# runs.sh BUILD: runs of which members are tasks of Slurm: what they find, what they refuse, how they
# end, and what --resume takes up
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cluster.sh"
cluster_need
cluster_enclose "$@"
. "$here/fleet.sh"
cluster_start "$top/s" 'h200 2 16' 'h200 2 16' 'l4 1 16'
# nodes have GPUs, whatever the submitting host has; that of n3 is of another model
cat >>"$CLUSTER/etc/prolog" <<-END
	name=
	[ "\$SLURMD_NODENAME" != n3 ] || name=';name=FAKE L4'
	case \$CUDA_VISIBLE_DEVICES in *,*) name="\$name;devices=2" ;; esac
	echo "export BA_FAKE_CUDA=$BA_FAKE_CUDA\$name"
END

# expect STATUS NAME OPTIONS...
expect()
{
	_status=$1
	shift
	_got=0
	measure "$@" || _got=$?
	[ $_got -eq "$_status" ] || fail "$1: status $_got, not $_status" "$1.out" "$1.err"
}

says()
{
	tr '\n' ' ' <"$1" | grep -qF -- "$2" || fail "$1 does not say '$2'" "$1"
}

no_tasks()
{
	[ -z "$(squeue --noheader)" ]
}

# start NAME OPTIONS...: in the background; $coordinator is the tool's process
start()
{
	_name=$1
	measure "$@" &
	background=$!
	cluster_wait 30 "$_name" pgrep -P $background -x bench-against
	coordinator=$(pgrep -P $background -x bench-against)
	cluster_wait 60 "tasks of $_name" measured "$_name"
}

# some invocations are in its journal; so many are asked for that the run has not ended by itself
measured()
{
	[ "$(grep -c invocation "$1.json.journal")" -gt 3 ]
}

# the same run without Slurm has the same samples
expect 1 alone --fixed 24
nodes=$BA_FAKE_CUDA
export BA_FAKE_CUDA="$nodes;fail=cuInit:100"
expect 125 none --fixed 24
expect 1 mixed --on 'slurm: --gres=gpu:1 --array=5' --fixed 24
same alone mixed 24
! grep -q idle mixed.err || fail 'an idle GPU' mixed.err
says mixed.err "n3 GPU 0 (2_4) took no part: it is a 'FAKE L4', and the run measures on 'FAKE GPU"
origins mixed >mixed.origins
for node in n1 n2; do
	grep -q " $node GPU [01] (2_[0-3])" mixed.origins || fail "nothing from $node" mixed.origins
done
cluster_wait 10 'end of all tasks' no_tasks
BA_FAKE_CUDA=$nodes

# sbatch's own sentence, before anything is measured; no desk is left
expect 129 nope --on 'slurm: --partition=nope'
says nope.err 'sbatch: error: invalid partition specified: nope'
expect 129 pbs --on 'pbs: -q gpu'
says pbs.err 'only Slurm is known'
! ls -d ./*.desk 2>/dev/null || fail 'a desk is left'
[ ! -e nope.json.journal ] || fail 'a journal without an invocation is left'

# a task measures on one GPU
expect 1 two --on 'slurm: --gres=gpu:h200:2 --array=2' --fixed 150
says two.err 'a task has 2 GPUs and measures on the first, so 1 of them stays idle'
origins two >two.origins
grep -q ' n2 GPU 0 ' two.origins || fail 'nothing of the other node' two.origins

# interrupted: the array goes at once, and the run can be resumed
start stopped --on 'slurm: --gres=gpu:1 --array=4' --fixed 1000
kill -TERM "$coordinator" # a shell lets its background ignore INT
wait $background || true
cluster_wait 10 'end of the tasks' no_tasks
[ -f stopped.json.journal ] || fail 'no journal' stopped.err

# cancelled by somebody: the end says so, and names the journal
start ended --on 'slurm: --gres=gpu:1 --array=4' --fixed 1000
scancel "$(squeue --noheader --format=%F | sort -u)"
wait $background || true
says ended.err 'were cancelled, and invocations are missing; --resume '
cluster_wait 10 'end of the cancelled tasks' no_tasks

# killed: tasks wait, and --resume takes them up; then a node is drained
start killed --on 'slurm: --gres=gpu:1 --array=4' --fixed 250
job=$(squeue --noheader --format=%F | sort -u)
kill -KILL "$coordinator"
wait $background || true
[ "$(squeue --noheader --array --states=RUNNING | wc -l)" -eq 4 ] || fail 'the tasks are gone'
scontrol update NodeName=n2 State=DRAIN Reason=test
expect 1 killed --resume killed.json.journal
grep -q "^[0-9]* ${job}_0 " <<-END || fail 'another array' killed.err
	$(origins killed)
END
[ -z "$(origins killed | grep -v " ${job}_")" ] || fail 'an array was submitted beside it'
expect 1 alone250 --fixed 250
same alone250 killed 250

# killed, and nobody comes: the tasks end by themselves
scontrol update NodeName=n2 State=RESUME
start lost --on 'slurm: --gres=gpu:1 --array=4' --fixed 1000 --keep-tasks 2s
kill -KILL "$coordinator"
wait $background || true
cluster_wait 30 'end of abandoned tasks' no_tasks

# no node is free
scontrol update 'NodeName=n[1-3]' State=DRAIN Reason=test
expect 125 never --on 'slurm: --gres=gpu:1 --array=4' --start-within 2s
says never.err 'no task of Slurm job'
says never.err '1 waits ('
says never.err 'the job was cancelled. --start-within sets how long to wait'
cluster_wait 10 'end of the queue' no_tasks
echo 'runs: nodes, models, interrupts, --resume, abandoned tasks, a queue that does not move'
