# On the submitting host: a worker on the node of a job. srun carries only the three standard
# channels, so requests (3) and replies (4) of the worker go through those, and the page that
# it shares with its host (5) is one that nobody reads. What comes before the mark is a site's
# own (TaskProlog), and not the worker's. The status is that of srun.
# worker.sh JOB WORKER ARGUMENTS...
job=$1
shift
{
	{
		# shellcheck disable=SC2016 # of the shell on the node
		srun --jobid="$job" --overlap --quiet --ntasks=1 --chdir=/ --kill-on-bad-exit=1 sh -c '
			echo bench-against:begin
			page=$(mktemp) && head -c 65536 /dev/zero >"$page" && exec 5<>"$page" &&
				rm -f "$page" && exec "$@" 3<&0 4>&1 </dev/null >&2' sh "$@" <&3 3<&- 4>&-
		echo $? >&6
	} | {
		while read -r line; do
			[ "$line" != bench-against:begin ] || exec cat >&4
		done
	}
} 6>&1 | {
	read -r status
	exit "$status"
}
