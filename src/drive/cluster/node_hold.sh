# On the submitting host: keeps the task of a borrowed node (ba_ship_task) while the process
# that started this lives, and ends its job afterwards.
# hold.sh JOB
job=$1
while [ -d "/proc/$PPID" ]; do
	while [ -d "/proc/$PPID" ] && echo; do
		sleep 1
	done | srun --jobid="$job" --overlap --quiet --ntasks=1 --chdir=/ \
		sh -c "while read -r _; do touch -c -h /tmp/ba-$job.mark; done"
	sleep 1
done
scancel --quiet "$job"
