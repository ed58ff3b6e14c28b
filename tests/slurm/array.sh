#!/bin/sh
# array.sh BUILD: what src/drive/cluster/slurm_array.c says of the tasks of a real array, while they end in every way
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cluster.sh"
cluster_need
cluster_enclose "$@"
watch=$build/tests/slurm_watch
dir=$(mktemp -d /tmp/ba-slurm-XXXXXX)
# what a person keeps in the environment does not hide tasks
export SQUEUE_STATES=COMPLETED SQUEUE_FORMAT=%i SQUEUE_PARTITION=other
# how long squeue tries to reach a slurmctld that is away
export CLUSTER_MESSAGE_TIMEOUT=3
cluster_start "$dir" 'h200 2' 'h200 2' 'l4 2'

fail()
{
	echo "FAIL: $1"
	cat "$dir"/*.said
	exit 1
}

# says FILE LINE: the line is one of it
says()
{
	grep -qxF -- "$2" "$dir/$1.said" || fail "$1 does not say '$2'"
}

wait_for()
{
	cluster_wait 60 "'$2' in $1" grep -qE -- "$2" "$dir/$1.said" || fail "$1: no '$2'"
}

watch_it()
{
	name=$1
	shift
	"$watch" "$@" >"$dir/$name.said" 2>&1 &
	watcher=$!
}

# a partition that is none, more GPUs than a node has, a stray word: sbatch's own sentence
"$watch" 'slurm: --partition=nope' "$dir" 5 true >"$dir/nope.said" && fail 'nope ran'
says nope 'error sbatch: sbatch: error: invalid partition specified: nope'
"$watch" 'slurm: --gres=gpu:9' "$dir" 5 true >"$dir/many.said" && fail 'nine GPUs ran'
grep -q 'Requested node configuration is not available' "$dir/many.said" || fail 'nine GPUs'
"$watch" 'slurm: word' "$dir" 5 true >"$dir/word.said" && fail 'a word ran'
grep -q 'Script arguments not permitted' "$dir/word.said" || fail 'a word'

# each way to end; a task that is put back comes again, one whose node is gone, too
mkdir "$dir/ways"
# shellcheck disable=SC2016 # the task's variables
watch_it ways 'slurm: --gres=gpu:1 --array=6' "$dir/ways" 100 '
	echo "start $SLURM_ARRAY_TASK_ID ${SLURM_RESTART_COUNT:-0} $SLURMD_NODENAME gpu $CUDA_VISIBLE_DEVICES"
	case $SLURM_ARRAY_TASK_ID${SLURM_RESTART_COUNT:-0} in
	00) exit 0 ;;
	10) exit 7 ;;
	20) kill -9 $$ ;;
	41 | 51) exit 3 ;;
	*) exec sleep 300 ;;
	esac'
started()
{
	grep -q "^start $1 $2 " "$dir/ways/$1.txt"
}
for task in 3 4 5; do
	cluster_wait 60 "start of $task" started $task 0 || fail start
done
job=$(sed -n 's/^job //p' "$dir/ways.said")
again()
{
	cluster_wait 60 "requeue of $1" grep -qE "^$1 waits after a requeue" "$dir/ways.said" || fail requeue
	# a requeued job waits two minutes
	scontrol update "JobId=${job}_$1" StartTime=now
}
node_of()
{
	sed -n "s/^start $1 0 \\([a-z0-9]*\\) .*/\\1/p" "$dir/ways/$1.txt"
}
scontrol requeue "${job}_4"
again 4
node=$(node_of 5)
cluster_node_crash "$node"
# slurmctld itself needs a minute to notice
scontrol update "NodeName=$node" State=DOWN Reason=crash
again 5
# slurmctld is away for a while: polls fail, and nothing is said of the tasks
cluster_end ctld TERM
wait_for ways '^error squeue: '
cluster_daemon ctld slurmctld -D
scancel "${job}_3" || { sleep 2; scancel "${job}_3"; }
wait "$watcher" || fail 'tasks did not end'
for line in '1 ended with status 7' '2 was killed by signal 9' '0 ended'; do
	wait_for ways "^$line on n[123]\$"
done
for line in '4 ended with status 3' '5 ended with status 3'; do
	wait_for ways "^$line on n[123]\$"
done
[ "$node" = n3 ] || [ "$(node_of 3)" != "$node" ] || fail 'the crash took task 3, too'
says ways '3 was cancelled'
grep -q 'no longer known' "$dir/ways.said" && fail 'a task was lost'
! grep -q "^start 5 1 $node " "$dir/ways/5.txt" || fail 'task 5 came back to the node that is gone'

# cancelled when enough have ended: those that wait and those that run
# shellcheck disable=SC2016
watch_it enough 'slurm: --gres=gpu:1 --array=8%3' "$dir" 60 \
	'[ $SLURM_ARRAY_TASK_ID = 1 ] || exec sleep 300' 1
wait "$watcher" || fail 'cancel'
[ "$(grep -c ' was cancelled$' "$dir/enough.said")" -eq 7 ] || fail 'seven were cancelled'
[ "$(grep -c ' runs on ' "$dir/enough.said")" -le 4 ] || fail 'more than three at a time'
[ -z "$(squeue --noheader --format=%T --states=all | grep RUNNING)" ] || fail 'tasks still run'
echo "array: rejected, failed, killed, requeued, lost with its node, cancelled: all are told apart"
