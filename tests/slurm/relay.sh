#!/bin/sh
# relay.sh SOURCE: the shell scripts of --ship, with a stand-in for Slurm: a stream that ends in
# the middle of a file, and names that lead elsewhere, leave nothing behind
set -eu
source=$1
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
mkdir -p "$top/bin" "$top/desk/members" "$top/desk/work" "$top/desk/done"
desk=$top/desk
fail()
{
	echo "FAIL: $1" >&2
	ls -lR "$desk" >&2
	exit 1
}

for name in sbcast scancel; do
	printf '#!/bin/sh\nexit 0\n' >"$top/bin/$name"
done
# what a node answers
cat >"$top/bin/srun" <<'END'
#!/bin/sh
cat "$RELAY_ANSWER"
END
chmod +x "$top/bin"/*
PATH=$top/bin:$PATH
printf '{}' >"$desk/plan.json"
printf '{}' >"$desk/orders.json"
near()
{
	RELAY_ANSWER=$top/answer sh -c "$(cat "$source/src/run/ship_near.sh")" sh far "$desk" tar / tool 7 7_0 2>/dev/null || true
}

# whole files arrive
printf 'members/7_0.json 5\nwhole''done/0-000001.jsonl 3\none' >"$top/answer"
near
[ "$(cat "$desk/members/7_0.json")" = whole ] || fail 'a member did not arrive'
[ "$(cat "$desk/done/0-000001.jsonl")" = one ] || fail 'an invocation did not arrive'

# the node dies in the middle of one
printf 'members/7_0.json 9\nhal' >"$top/answer"
near
[ "$(cat "$desk/members/7_0.json")" = whole ] || fail 'half a member replaced a whole one'
printf 'done/0-000002.jsonl 9\nhal' >"$top/answer"
near
[ ! -e "$desk/done/0-000002.jsonl" ] || fail 'half an invocation arrived'

# a node names a file that is not its own
for name in done/../../stray members/8_0.json ../stray done/x/../../stray; do
	printf '%s 3\none' "$name" >"$top/answer"
	near
done
[ ! -e "$top/stray" ] && [ ! -e "$desk/stray" ] && [ ! -e "$desk/members/8_0.json" ] ||
	fail 'a file outside of the desk was written'
echo 'relay: half a file and foreign names are dropped'
