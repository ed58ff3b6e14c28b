#!/bin/sh
# chaos.sh BUILD TASKS KILLS INVOCATIONS SEED: an array of so many tasks, of which so many are killed,
# cancelled or requeued at random moments, while a slurmd is restarted. Its samples and its verdict
# are those of an array that nobody disturbs, and each invocation counts once.
set -eu
build=$1 tasks=$2 kills=$3 invocations=$4 seed=$5
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cluster.sh"
cluster_need
cluster_enclose "$@"
. "$here/fleet.sh"
cluster_start "$top/s" 'h200 4 16' 'h200 4 16' 'h200 4 16' 'h200 4 16'

run()
{
	name=$1
	shift
	status=0
	measure "$name" --on "slurm: --array=$tasks%${AT_ONCE:-8}" --fixed "$invocations" "$@" ||
		status=$?
	[ $status -eq 1 ] || fail "$name: status $status" "$name.out" "$name.err"
}

# random LIMIT: $drawn is one of 0 .. LIMIT-1
random()
{
	draws=$((draws + 1))
	drawn=$(($(echo "$seed $draws" | cksum | cut -d ' ' -f 1) / 7 % $1))
}

# one way or another
end_task()
{
	random 3
	case $drawn in
	0)
		echo "kill $1"
		for pid in $(cluster_processes "SLURM_JOB_ID=$(scontrol show job "$1" | sed -n 's/^JobId=\([0-9]*\) .*/\1/p')"); do
			kill -KILL "$pid" 2>/dev/null || true
		done
		;;
	1)
		echo "cancel $1"
		scancel "$1" || true
		;;
	2)
		echo "requeue $1"
		scontrol requeue "$1" && scontrol update "JobId=$1" StartTime=now || true
		;;
	esac
}

running()
{
	squeue --noheader --array --states=RUNNING --format=%i
}

disturb()
{
	draws=0 done=0 restarted=0
	# not the job that examines a node first
	until [ -e ended ] || grep -qs beat chaos.json.journal.desk/members/*; do
		sleep 0.1
	done
	while [ $done -lt "$kills" ] && [ ! -e ended ]; do
		random 10
		sleep "0.$drawn"
		list=$(running) || continue
		count=$(echo "$list" | grep -c _ || true)
		[ "$count" -gt 0 ] || continue
		random "$count"
		end_task "$(echo "$list" | sed -n "$((drawn + 1))p")"
		done=$((done + 1))
		if [ $restarted -eq 0 ] && [ $((2 * done)) -ge "$kills" ]; then
			restarted=1
			echo "slurmd n2 restarts"
			cluster_node_stop n2
			cluster_node_start n2
		fi
	done
	echo "$done tasks ended, slurmd restarted: $restarted"
}

begin=$(date +%s)
run calm
middle=$(date +%s)
disturb >chaos.log 2>&1 &
disturber=$!
run chaos
touch ended
end=$(date +%s)
wait $disturber || true
cat chaos.log
same calm chaos "$invocations"
origins chaos >chaos.origins
left=$(grep -cE 'killed|cancelled|queue' chaos.err || true)
echo "| $tasks | $kills | $invocations | $(wc -l <chaos.origins) | $left | $((middle - begin)) s | $((end - middle)) s | same |"
# after half of the kills; on a busy machine the run ends before all of them
grep -q 'slurmd restarted: 1' chaos.log || fail 'the run ended before the slurmd was restarted' chaos.log
