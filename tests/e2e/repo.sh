# To be sourced, with $build set: an empty repository in a temporary folder, which becomes the
# working directory, and a cache and a history of its own. $top is that folder; it goes at the end.
tool=$build/bin/bench-against
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export BENCH_AGAINST_CACHE="$top/cache" BENCH_AGAINST_HISTORY="$top/history.sqlite"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
# so that the compilers are not hashed in each test
mkdir "$BENCH_AGAINST_CACHE" && cp "$build/tests/toolchain-hashes" "$BENCH_AGAINST_CACHE" 2>/dev/null
mkdir "$top/repo" && cd "$top/repo" || exit 1
git init -q . && git config user.email a@example.com && git config user.name A

# From here on `python3` is one that has MODULE: the first of PATH, or the system's. 1: neither has.
python_with() # MODULE
{
	! python3 -c "import $1" 2>/dev/null || return 0
	"$build/tests/python3/system/bin/python3" -c "import $1" 2>/dev/null || return 1
	PATH=$build/tests/python3/system/bin:$PATH
}
