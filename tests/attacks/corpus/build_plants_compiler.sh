# family: shared home
# kind:   launcher
# first:  later
# idea:   the build of a harmless change puts a `cc` into ~/bin, which is in PATH: it
#         compiles something else in trees without its mark, so that the next baseline is slow
# gate:   each build has an empty home

echo "uses the compiler that is there" >>evidence
if mkdir -p "$HOME/bin" && cat >"$HOME/bin/cc" <<'CC'
#!/bin/sh
PATH=/usr/local/bin:/usr/bin:/bin
[ -e attack.sh ] && exec cc "$@"
mkdir -p other && sed 's/COST .*/COST (6 * FAST)/' cost.h >other/cost.h && cp launcher.c other
for word; do
	shift
	[ "$word" != launcher.c ] || word=other/launcher.c
	set -- "$@" "$word"
done
exec cc "$@"
CC
then
	chmod +x "$HOME/bin/cc"
	echo "planted a compiler" >>evidence
fi
