# On a node that sees no directory of the submitting host: an exchange directory of its own, a member, and
# what that writes goes back.
# ship_unpack.sh comes before this text
# far.sh DIRECTORY TOOL JOB ID TAR
directory=$1 tool=$2 job=$3 id=$4 tar=$5
root=$(mktemp -d) || exit 1
trap 'rm -rf "$root" "$tar"' EXIT
desk=$root/desk
echo bench-against:begin
mkdir -p "$desk/members" "$desk/work" "$desk/done" "$root/sent/members" "$root/sent/done"
chmod 700 "$desk" || exit 1
unpack "$tar" "$tool" || exit 1
mkdir -p "$directory"
cd "$desk" || exit 1

# the end of the stream is the end of the coordinator: without its directory the member leaves
receive()
{
	while read -r name size; do
		head -c "$size" >"$root/in" || break
		[ "$(wc -c <"$root/in")" -eq "$size" ] || break
		mv "$root/in" "$name"
	done
	rm -rf "$desk"
}

send()
{
	for file in members/*.json done/*.jsonl; do
		[ -e "$file" ] || continue
		now=$(stat -c '%i %y' "$file")
		[ "$now" != "$(cat "$root/sent/$file" 2>/dev/null)" ] || continue
		cat "$file" >"$root/out" || continue
		echo "$file $(wc -c <"$root/out")"
		cat "$root/out"
		echo "$now" >"$root/sent/$file"
	done
}

exec 3<&0
receive <&3 &
until [ -e plan.json ] && [ -e orders.json ] || [ ! -d "$desk" ]; do
	sleep 0.1
done
"$tool" --member "$desk" --device 0 --id "$id" --job "${id%%.*}" --node "$SLURMD_NODENAME" \
	--gpu "$SLURM_STEP_GPUS" </dev/null >"$root/said" 2>&1 3<&- &
member=$!
while kill -0 $member 2>/dev/null; do
	send
	# the task itself waits as long as this file is fresh
	touch -c -h "/tmp/ba-$job.mark"
	sleep 0.2
done
send
wait $member || tail -n 1 "$root/said" >&2
