# On the submitting host, for one task: carries the exchange directory to the node and back, through the
# channels of srun. Ends with the process that started it, or with the member.
# near.sh FAR DESK TAR DIRECTORY TOOL JOB ID
far=$1 desk=$2 tar=$3 directory=$4 tool=$5 job=$6 id=$7
cd "$desk" || exit 1
# a new file: without --force sbcast writes into no file that another user put there
there=/tmp/ba-$id-$$.tar
sbcast --jobid="$job" "$tar" "$there" || exit 1

# "NAME SIZE" and the bytes: files are replaced as a whole, so what is read is whole (cp would refuse a
# file that is replaced between two of its calls)
put()
{
	cat "$1" >"work/$id.out" || return 1
	echo "$1 $(wc -c <"work/$id.out")"
	cat "work/$id.out"
}

send()
{
	seen=
	put plan.json || return
	# nothing is written to a task that has ended, so only the mark tells
	while [ -d "/proc/$PPID" ] && [ -e "work/$id.on" ]; do
		now=$(stat -c '%i %y' orders.json 2>/dev/null)
		if [ "$now" != "$seen" ]; then
			seen=$now
			put orders.json || return
		fi
		sleep 0.2
	done
}

# what comes before the mark is a site's own (TaskProlog), and not of far.sh
receive()
{
	name=
	until [ "$name" = bench-against:begin ]; do
		read -r name size || return
	done
	while read -r name size; do
		head -c "$size" >"work/$id.in" || break
		# the stream ended in the middle of a file
		[ "$(wc -c <"work/$id.in")" -eq "$size" ] || break
		case $name in
		"members/$id.json") mv "work/$id.in" "$name" ;;
		done/*/*) ;;
		# the first of two that measured a number wins
		done/*) ln "work/$id.in" "$name" 2>/dev/null ;;
		esac
		rm -f "work/$id.in"
	done
	rm -f "work/$id.in"
}

: >"work/$id.on"
send | srun --jobid="$job" --overlap --quiet --ntasks=1 --chdir=/ \
	sh -c "$far" sh "$directory" "$tool" "$job" "$id" "$there" | {
	receive
	rm -f "work/$id.on"
}
rm -f "work/$id.out"
# the task by its place: one task of an array has the array's own number
[ ! -d "/proc/$PPID" ] || scancel --quiet "${id%%.*}"
