#!/usr/bin/env bash
# Measure, write every report, and leave the exit status to the last step. Never fails itself:
# what went wrong is a status, too.
set -uo pipefail
report=$(realpath -m -- "$INPUT_REPORT")
cd -- "$INPUT_DIRECTORY" || exit 1

# An object id is what an event holds; a name is what a person wrote. Neither is an option.
baseline=${INPUT_BASELINE:-${EVENT_BASE:-}}
case $baseline in
'' | *[!0]*) ;;
*) baseline='' ;; # all zeros: the first push of a branch
esac
baseline=${baseline:-HEAD~}
candidate=$INPUT_CANDIDATE

# A shallow checkout has the candidate alone. Only what is plainly the name of a revision is
# asked for: git must never take it for an option.
fetch()
{
	case $1 in
	-* | *[!A-Za-z0-9_./~^@{}-]*) return ;;
	esac
	git rev-parse -q --verify "$1^{commit}" >/dev/null 2>&1 && return
	case $1 in
	HEAD*) git fetch -q --no-tags --deepen=50 origin ;;
	*) git fetch -q --no-tags --depth=1 origin "$1" ;;
	esac || echo "::warning::a revision could not be fetched; use actions/checkout with fetch-depth: 0"
}
fetch "$baseline"
fetch "$candidate"

options=()
while IFS= read -r option; do
	[ -z "$option" ] || options+=("$option")
done <<<"$INPUT_OPTIONS"

# What a build prints is the build's: a line of it that looks like a command of the runner's
# is none.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
status=0
echo "::stop-commands::$token"
bench-against --gate="$INPUT_GATE" --target "$INPUT_TARGET" --progress=never --report "$report" \
	${options[@]+"${options[@]}"} -- "base=$baseline" "change=$candidate" 2>&1 |
	tee "$RUNNER_TEMP/bench-against.log" || status=${PIPESTATUS[0]}
echo "::$token::"
echo "status=$status" >>"$GITHUB_OUTPUT"

if [ -f "$report/results.json" ]; then
	echo "results=$report/results.json" >>"$GITHUB_OUTPUT"
	cat "$report/summary.md" >>"$GITHUB_STEP_SUMMARY"
	cat "$report/annotations.txt"
else
	# indented: nothing in it is markup
	{
		echo "**bench-against** did not measure (status $status):"
		echo
		tail -n 30 "$RUNNER_TEMP/bench-against.log" | cut -c 1-500 | sed 's/^/    /'
	} >>"$GITHUB_STEP_SUMMARY"
fi
exit 0
