#!/usr/bin/env bash
# Measure, write every report, and end with the outcome of the job. The measured code runs as
# the same user at the same time. So no file that it can write (the runner's files, a report
# folder, this file) decides the outcome. The tool's exit status decides it, in this step.
set -uo pipefail
: "${INPUT_BASELINE=}" "${INPUT_CANDIDATE=HEAD}" "${INPUT_TARGET=gpu}" "${INPUT_GATE=on}" \
	"${INPUT_UNTRUSTED=auto}" "${INPUT_OPTIONS=}" "${INPUT_UNMEASURED=fail}" \
	"${INPUT_DIRECTORY=.}" "${INPUT_REPORT=bench-against-report}"

# A shallow checkout contains the candidate alone. Fetch only what is plainly the name of a
# revision: git must never take it for an option.
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

# Remove what an earlier run, or a file of the change, left there. If the path is a link, remove
# the link, not its target.
empty_report()
{
	local prefix=${report%/}/
	case $(pwd -P)/ in
	"$prefix"*)
		echo "::error::report: '$report' contains the checkout; name a separate folder"
		exit 1
		;;
	esac
	if [ -e "$report/.git" ] || ! rm -rf -- "$report"; then
		echo "::error::report: '$report' cannot be emptied; name a separate folder"
		exit 1
	fi
}

# The runner reads these files after the step. Empty them, so that they hold only what follows.
take_back()
{
	local name
	for name in GITHUB_OUTPUT GITHUB_ENV GITHUB_PATH GITHUB_STATE GITHUB_STEP_SUMMARY; do
		[ -n "${!name:-}" ] || continue
		rm -rf -- "${!name}"
		(set -o noclobber && : >"${!name}")
	done
}

# What judges code of strangers: the sandbox, and a gate that is always strict.
lane_of_event()
{
	case $INPUT_UNTRUSTED:${EVENT_FORK:-} in
	true:* | auto:true) echo --untrusted ;;
	false:* | auto:*) echo "--gate=$INPUT_GATE" ;;
	*)
		echo "::error::untrusted: '$INPUT_UNTRUSTED' is not auto, true or false" >&2
		return 1
		;;
	esac
}

measure()
{
	env -u GITHUB_OUTPUT -u GITHUB_ENV -u GITHUB_PATH -u GITHUB_STATE -u GITHUB_STEP_SUMMARY \
		-u GITHUB_TOKEN -u GH_TOKEN -u ACTIONS_RUNTIME_TOKEN -u ACTIONS_RUNTIME_URL \
		-u ACTIONS_RESULTS_URL -u ACTIONS_CACHE_URL -u ACTIONS_ID_TOKEN_REQUEST_TOKEN \
		-u ACTIONS_ID_TOKEN_REQUEST_URL bench-against "$@" 2>&1
}

write_outputs()
{
	local results=$report/results.json
	echo "status=$status" >>"$GITHUB_OUTPUT"
	if [ -f "$results" ] && [ ! -L "$results" ]; then
		echo "results=$results" >>"$GITHUB_OUTPUT"
		cat "$report/summary.md" >>"$GITHUB_STEP_SUMMARY"
		cat "$report/annotations.txt"
		return
	fi
	# indented: nothing in it is markup
	{
		echo "**bench-against** did not measure (status $status):"
		echo
		tail -n 30 "$out/log" | cut -c 1-500 | sed 's/^/    /'
	} >>"$GITHUB_STEP_SUMMARY"
}

# The exit status of the measurement as the outcome of the step, and so of the job.
answer()
{
	case $status in
	0)
		echo "no regression"
		exit 0
		;;
	1) echo "::error::it got slower; the summary of this job says by how much" ;;
	125)
		if [ "$INPUT_UNMEASURED" = pass ]; then
			echo "::warning::it could not be measured, or is inconclusive"
			exit 0
		fi
		echo "::error::it could not be measured, or is inconclusive ('unmeasured: pass' accepts that)"
		;;
	129) echo "::error::the command line or the configuration is wrong" ;;
	*) echo "::error::bench-against did not finish (status $status)" ;;
	esac
	exit 1
}

# What the sandbox of code of strangers needs; its absence is an error of bench-against then.
need_bubblewrap()
{
	[ "$1" != --untrusted ] || command -v bwrap >/dev/null ||
		{ sudo apt-get update && sudo apt-get install -y bubblewrap; } >/dev/null 2>&1 ||
		echo "::warning::bubblewrap is not installed: what comes from a fork cannot be judged"
}

main()
{
	# find_package(bench_against) of the project's benchmarks
	prefix=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../.." && pwd)
	export CMAKE_PREFIX_PATH=$prefix${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
	report=$(realpath -ms -- "$INPUT_REPORT")
	cd -- "$INPUT_DIRECTORY" || exit 1
	empty_report
	out=$(mktemp -d "$RUNNER_TEMP/bench-against.XXXXXXXX") || exit 1
	# do not use built trees that the code of another change could have modified
	export BENCH_AGAINST_CACHE=${BENCH_AGAINST_CACHE:-$RUNNER_TEMP/bench-against-cache}

	# An object id is what an event holds; a name is what a person wrote. Neither is an option.
	local baseline=${INPUT_BASELINE:-${EVENT_BASE:-}}
	case $baseline in
	'' | *[!0]*) ;;
	*) baseline='' ;; # all zeros: the first push of a branch
	esac
	baseline=${baseline:-HEAD~}
	fetch "$baseline"
	fetch "$INPUT_CANDIDATE"

	local options=() option token lane
	lane=$(lane_of_event) || exit 1
	need_bubblewrap "$lane"
	while IFS= read -r option; do
		[ -z "$option" ] || options+=("$option")
	done <<<"$INPUT_OPTIONS"

	# A line that a build prints may look like a command to the runner. Stop commands meanwhile.
	token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	status=0
	echo "::stop-commands::$token"
	measure "$lane" --target "$INPUT_TARGET" --progress=never --report "$out/report" \
		${options[@]+"${options[@]}"} -- "base=$baseline" "change=$INPUT_CANDIDATE" |
		tee "$out/log" || status=${PIPESTATUS[0]}
	echo "::$token::"

	take_back
	empty_report
	[ ! -d "$out/report" ] || mv -- "$out/report" "$report"
	write_outputs
	answer
}

# Bash reads the whole file before it runs main: measured code could modify it meanwhile.
{
	main
	# shellcheck disable=SC2317
	exit 1
}
