#!/bin/sh
# relay.sh SOURCE: the shell scripts of --ship, with a stand-in for Slurm: a stream that ends in
# the middle of a file, and names that lead elsewhere, leave nothing behind; what is unpacked is whole
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
# what a node answers, after what a site prints into every task
mark='welcome
bench-against:begin
'
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
	RELAY_ANSWER=$top/answer sh -c "$(cat "$source/src/drive/cluster/ship_near.sh")" sh far "$desk" tar / tool 7 7_0 2>/dev/null || true
}

# whole files arrive
printf '%smembers/7_0.json 5\nwhole''done/0-000001.jsonl 3\none' "$mark" >"$top/answer"
near
[ "$(cat "$desk/members/7_0.json")" = whole ] || fail 'a member did not arrive'
[ "$(cat "$desk/done/0-000001.jsonl")" = one ] || fail 'an invocation did not arrive'

# the node dies in the middle of one
printf '%smembers/7_0.json 9\nhal' "$mark" >"$top/answer"
near
[ "$(cat "$desk/members/7_0.json")" = whole ] || fail 'half a member replaced a whole one'
printf '%sdone/0-000002.jsonl 9\nhal' "$mark" >"$top/answer"
near
[ ! -e "$desk/done/0-000002.jsonl" ] || fail 'half an invocation arrived'

# a node names a file that is not its own
for name in done/../../stray members/8_0.json ../stray done/x/../../stray; do
	printf '%s%s 3\none' "$mark" "$name" >"$top/answer"
	near
done
[ ! -e "$top/stray" ] && [ ! -e "$desk/stray" ] && [ ! -e "$desk/members/8_0.json" ] ||
	fail 'a file outside of the desk was written'
# a node that ends after it has read everything: nothing more is sent, and nobody waits for it
printf '#!/bin/sh\ntimeout 1 cat >/dev/null\ncat "$RELAY_ANSWER"\n' >"$top/bin/srun"
export RELAY_ANSWER="$top/answer"
status=0
timeout 20 sh -c "$(cat "$source/src/drive/cluster/ship_near.sh")" sh far "$desk" tar / tool 7 7_0 || status=$?
[ $status -eq 0 ] || fail "the sender goes on after the end of its task ($status)"
# another tool of the same name is replaced, other files stay, and what broke off is mended
mkdir -p "$top/tool/bin" "$top/tree"
head -c 300000 /dev/urandom >"$top/tree/large"
cp "$top/tree/large" "$top/large"
echo new >"$top/tool/bin/tool"
tar --create --absolute-names --file "$top/whole.tar" "$top/tool" "$top/tree"
unpack()
{
	cp "$1" "$top/sent.tar"
	sh -c "$(cat "$source/src/drive/cluster/ship_unpack.sh")
unpack \"\$1\" \"\$2\"" sh "$top/sent.tar" "$top/tool/bin/tool" 2>"$top/said"
}
unpack "$top/whole.tar" || fail 'it is not unpacked'
[ ! -e "$top/sent.tar" ] || fail 'the archive stays'
echo old >"$top/tool/bin/tool"
unpack "$top/whole.tar" || fail 'it is not unpacked over an old tool'
[ "$(cat "$top/tool/bin/tool")" = new ] || fail 'the old tool stays'
echo kept >"$top/tree/large"
unpack "$top/whole.tar" || fail 'it is not unpacked again'
[ "$(cat "$top/tree/large")" = kept ] || fail 'a file of the node was written again'
rm "$top/tree/large"
head -c 100000 "$top/whole.tar" >"$top/half.tar"
! unpack "$top/half.tar" || fail 'half an archive is taken for a whole one'
[ -e "$top/tree/large" ] || fail 'the test broke nothing off'
unpack "$top/whole.tar" || fail 'it is not unpacked after half an archive'
cmp -s "$top/tree/large" "$top/large" || fail 'half a file stays'
echo 'relay: half a file, foreign names and old tools are dropped'
