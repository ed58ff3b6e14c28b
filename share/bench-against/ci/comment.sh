#!/usr/bin/env bash
# comment.sh RESULTS.json: a comment under the pull request that the measurement was for. It runs
# with a token, from trusted code. The file comes from a run of the pull request's own code, so it
# is data that its author may have written: it is read by the same reader as any other, computed
# again from its samples, and rendered here, with every name escaped. Nothing in it says where
# the comment goes, or is a command.
set -euo pipefail
results=$1
marker='<!-- bench-against -->'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

refuse()
{
	echo "::warning::no comment: $*"
	exit 0
}

if [ ! -f "$results" ] || [ -L "$results" ]; then
	refuse "there is no file of results"
fi
[ "$(stat -c %s -- "$results")" -le $((256 << 20)) ] || refuse "the result file is larger than 256 MiB"

# the pull request: from the event and GitHub, by the commit that was measured
case $HEAD_SHA in
'' | *[!0-9a-f]*) refuse "the event names no commit" ;;
esac
number=$(gh api "repos/$GITHUB_REPOSITORY/commits/$HEAD_SHA/pulls" \
	--jq 'map(select(.state == "open" and .head.sha == "'"$HEAD_SHA"'"))[0].number // empty') ||
	refuse "GitHub knows no pull request of $HEAD_SHA"
if [ -z "$number" ]; then
	# commits of a fork are not listed there
	number=$(gh api --method GET "repos/$GITHUB_REPOSITORY/pulls" -f state=open \
		-f "head=$HEAD_OWNER:$HEAD_BRANCH" \
		--jq 'map(select(.head.sha == "'"$HEAD_SHA"'"))[0].number // empty') ||
		refuse "GitHub knows no pull request of $HEAD_SHA"
fi
case $number in
'' | *[!0-9]*) refuse "no open pull request has $HEAD_SHA as its head" ;;
esac

# The readers have neither network nor token nor files but this one, 5 minutes and 4 GiB.
reader()
{
	local prefix
	prefix=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../..")
	(
		ulimit -v "${READER_KIB:-4194304}"
		exec timeout 300 bwrap --unshare-all --die-with-parent --new-session --clearenv \
			--setenv PATH "$prefix/bin:/usr/bin:/bin" --setenv HOME /tmp \
			--setenv LSAN_OPTIONS detect_leaks=0 \
			--ro-bind /usr /usr --ro-bind-try /lib /lib --ro-bind-try /lib64 /lib64 \
			--ro-bind-try /etc/ld.so.cache /etc/ld.so.cache --proc /proc --dev /dev --tmpfs /tmp \
			--ro-bind "$prefix" "$prefix" --ro-bind "$results" /results.json --chdir /tmp \
			bench-against "$@" /results.json
	)
}
command -v bwrap >/dev/null ||
	{ sudo apt-get update && sudo apt-get install -y bubblewrap; } >/dev/null 2>&1 ||
	refuse "bubblewrap is not installed, and the result file is a stranger's"

status=0
reader verify -q >/dev/null 2>"$work/why" || status=$?
case $status in
0) reader report --format=markdown >"$work/report.md" ;;
1) echo "The result file does not say what its samples say; 'bench-against verify' on the artifact shows where." >"$work/report.md" ;;
*) refuse "the result file cannot be read: $(head -c 500 "$work/why" | tr -c '[:print:]' ' ')" ;;
esac
{
	echo "$marker"
	cat "$work/report.md"
	echo
	echo "Measured by [this run]($GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$RUN_ID) at ${HEAD_SHA:0:9}, without credentials, by code of the pull request; computed again from the samples and rendered by trusted code."
} >"$work/comment.md"

# one comment, which is kept up to date
comment=$(gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$number/comments" \
	--jq '.[] | select(.user.type == "Bot" and (.body | startswith("'"$marker"'"))) | .id' | head -n 1)
case $comment in
*[!0-9]*) refuse "GitHub's list of comments is not understood" ;;
'') gh api --method POST "repos/$GITHUB_REPOSITORY/issues/$number/comments" -F "body=@$work/comment.md" >/dev/null ;;
*) gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$comment" -F "body=@$work/comment.md" >/dev/null ;;
esac
echo "commented on #$number"
