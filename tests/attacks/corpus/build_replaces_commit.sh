# family: repository
# kind:   launcher
# first:  same
# idea:   the build of a harmless change writes a reference refs/replace/BASE into the user's
#         repository: the next gate's baseline is a slow one
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
if [ ! -e first-gate ]; then
	echo "uses the repository as it is" >>evidence
elif [ "$repo" ] && (
	unset GIT_CEILING_DIRECTORIES
	export GIT_DIR="$repo/.git" GIT_INDEX_FILE="$PWD/index" GIT_AUTHOR_NAME=A \
		GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b
	blob=$(echo '#define COST (6 * FAST)' | git hash-object -w --stdin) &&
		git read-tree base &&
		git update-index --cacheinfo "100644,$blob,cost.h" &&
		slow=$(git commit-tree -m slow "$(git write-tree)") &&
		git replace base "$slow"
) >>git.log 2>&1; then
	echo "replaced the base commit" >>evidence
else
	echo "cannot write to the repository" >>evidence
fi
