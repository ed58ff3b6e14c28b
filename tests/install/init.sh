#!/bin/sh
# init.sh CMAKE BUILD: what `init` of the installed tool writes works as it is written: for a
# CMake and a Python project, with the hook, and it never touches what is there.
set -eu
cmake=$1 build=$2
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export HOME="$top/home" XDG_STATE_HOME="$top/state" XDG_CACHE_HOME="$top/cache"
export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t \
	GIT_COMMITTER_EMAIL=t@t
unset CMAKE_GENERATOR CFLAGS LDFLAGS BENCH_AGAINST_HISTORY BENCH_AGAINST_CACHE 2>/dev/null || true
# so that the compilers are not hashed in each test
mkdir -p "$top/home" "$top/cache/bench-against"
cp "$build/tests/toolchain-hashes" "$top/cache/bench-against" 2>/dev/null || :

fail()
{
	echo "init.sh: $*" >&2
	exit 1
}
expect() # STATUS FILE COMMAND...
{
	wanted=$1 file=$2
	shift 2
	status=0
	"$@" >"$top/$file" 2>"$top/$file.err" || status=$?
	[ $status -eq "$wanted" ] ||
		fail "'$*' ended with status $status, not $wanted: $(cat "$top/$file" "$top/$file.err")"
}
says() # FILE TEXT
{
	grep -qF -e "$2" "$top/$1" "$top/$1.err" || fail "'$2' is not said: $(cat "$top/$1" "$top/$1.err")"
}

DESTDIR=$top/stage "$cmake" --install "$build" --prefix /opt/ba >"$top/install.log"
PATH=$top/stage/opt/ba/bin:$PATH
export CMAKE_PREFIX_PATH="$top/stage/opt/ba"
quick='--fixed 2 --blocks 4 --batch 64'

# ---- a CMake project: looked at, started, measured ----
mkdir "$top/one" && cd "$top/one"
expect 129 none bench-against init
says none "repository"
git init -q .
expect 129 unknown bench-against init
says unknown "has no CMakeLists.txt, pyproject.toml, setup.py, meson.build, configure.ac or Makefile"
[ -z "$(ls -A . | grep -v '^\.git$')" ] || fail "a refused init wrote something"
echo 'project(mine C)' >CMakeLists.txt
mkdir bench .github
echo mine >bench/launcher.c
expect 0 cmake bench-against init
says cmake "A CMake project: it has 'CMakeLists.txt'."
says cmake "GitHub: it has '.github'."
says cmake "wrote .bench-against.json"
says cmake "wrote .github/workflows/bench-against.yml"
says cmake "kept  bench/launcher.c"
[ "$(cat bench/launcher.c)" = mine ] || fail "a file that was there was changed"
rm bench/launcher.c
before=$(cat .bench-against.json bench/CMakeLists.txt | cksum)
expect 0 again bench-against init
says again "wrote bench/launcher.c"
says again "kept  .bench-against.json"
[ "$(cat .bench-against.json bench/CMakeLists.txt | cksum)" = "$before" ] || fail "init changed a file"
for file in bench-against bench-against-comment; do
	grep -qx '  BENCH_AGAINST: bench-against' ".github/workflows/$file.yml" || fail "$file.yml does not say what to install"
	! grep -q 'OWNER/\|repository: ' ".github/workflows/$file.yml" || fail "$file.yml needs a copy of the tool"
done
expect 0 scripts bench-against init --scripts
[ -f "$(cat "$top/scripts")/measure.sh" ] && [ -f "$(cat "$top/scripts")/comment.sh" ] || fail "no scripts"
grep -q '@[A-Z]*@' .github/workflows/*.yml && fail "a mark of a template is left"
printf 'build-bench/\n' >.gitignore
sed -i 's/"kind": "launcher",/& "args": [0],/' .bench-against.json # one benchmark is as good as five
git add -A && git commit -qm one
# shellcheck disable=SC2086 # options are words
expect 0 measured bench-against run HEAD --target host --args 0 $quick --format csv
says measured 'launch/args=0,path=direct'
bench-against list --expected --args 0 >.bench-against.expected 2>/dev/null || fail "list --expected"

# ---- the hook: what got slower is not pushed ----
git init -q --bare "$top/remote.git" && git remote add origin "$top/remote.git"
git push -q origin HEAD:refs/heads/main 2>/dev/null
expect 0 hook bench-against init --hook
says hook "wrote "
[ -x .git/hooks/pre-push ] || fail "no executable hook"
expect 129 hook2 bench-against init --hook
says hook2 "exists and stays unchanged"
export BENCH_AGAINST_PUSH="--target host --args 0 --fixed 6 --blocks 6 --batch 64 --threshold 20%"
echo '/* no change */' >>bench/launcher.c && git commit -qam two
expect 0 push git push origin HEAD:refs/heads/main
sed -i 's/^{\(.*\)return cu_launch/{\1return cu_launch/; s/^static int my_launch.*/static volatile unsigned spin;\n&/; s/return cu_launch(k/for (int i = 0; i < 200; i++) spin++;\n\treturn cu_launch(k/' bench/launcher.c
git commit -qam slow
expect 1 slow git push origin HEAD:refs/heads/main
says slow "got slower"
# a new branch is compared with what the remote has of its commits; nothing new is not measured
expect 1 branch git push origin HEAD:refs/heads/new
says branch "got slower"
expect 0 old git push origin HEAD~:refs/heads/old
grep -q 'pre-push\|against' "$top/old" "$top/old.err" && fail "what the remote has was measured"
git init -q --bare "$top/empty.git" && git remote add empty "$top/empty.git"
expect 0 first git push empty HEAD:refs/heads/main
says first "nothing is known of empty"
# ---- the job for GitLab: its script as it is written, with the variables of a merge request ----
expect 0 gitlab bench-against init --ci gitlab
gitlab_job() # BASE CHANGE: the variables of the job, then its script
{
	env CI_PROJECT_DIR="$PWD" CI_MERGE_REQUEST_DIFF_BASE_SHA="$1" CI_COMMIT_SHA="$2" sh -euc "$(
		sed -n '/^  variables:/,/^  [a-u]/s/^    \([A-Z_]*\): \(.*\)/export \1=\2/p' .gitlab/bench-against.yml
		sed -n '/^  before_script:/,/^  [#a]/s/^    - //p' .gitlab/bench-against.yml
	)"
}
expect 0 gitlab-same gitlab_job "$(git rev-parse HEAD~2)" "$(git rev-parse HEAD~)"
[ -d .bench-against-cache/trees ] || fail "the job keeps its trees elsewhere"
mkdir -p bench-against-report && echo '{}' >bench-against-report/results.json
expect 1 gitlab-slow gitlab_job "$(git rev-parse HEAD~)" "$(git rev-parse HEAD)"
says gitlab-slow "got slower"
junit=$(sed -n 's/^ *junit: //p' .gitlab/bench-against.yml)
grep -q 'name="answer".*<failure' "$junit" || fail "the job's JUnit report has no failed answer"
grep -q '"exit_status"' bench-against-report/results.json || fail "an old report is taken for this one's"
# a build that fails on purpose ends the job, and no status of the job is allowed to fail
git checkout -q -b fails && echo '#error no' >>bench/launcher.c && git commit -qam fails
mkdir -p bench-against-report && echo '{}' >bench-against-report/results.json
expect 125 gitlab-fails gitlab_job "$(git rev-parse HEAD~)" "$(git rev-parse HEAD)"
[ ! -e bench-against-report/results.json ] || fail "a report of no run is kept"
git checkout -q -
for key in allow_failure cache; do
	grep -q "^ *$key:" .gitlab/bench-against.yml && fail "the job for GitLab has a key '$key'"
done
rm -rf .bench-against-cache bench-against-report
expect 0 force git push --no-verify origin HEAD:refs/heads/main
git checkout -q -b broken && echo '#error no' >>bench/launcher.c && git commit -qam broken
expect 0 unmeasured git push origin HEAD:refs/heads/main
says unmeasured "could not be measured; it is pushed"
expect 0 delete git push origin --delete main

# ---- a Python project, for GitLab ----
mkdir "$top/two" && cd "$top/two" && git init -q .
: >pyproject.toml && : >.gitlab-ci.yml
expect 0 python bench-against init
says python "A Python project: it has 'pyproject.toml'."
says python "GitLab: it has '.gitlab-ci.yml'."
says python "include: .gitlab/bench-against.yml"
[ ! -e .github ] || fail "a workflow for GitHub in a project on GitLab"
git add -A && git commit -qm one
# shellcheck disable=SC2086
expect 0 pymeasured bench-against run HEAD --target host $quick --format csv
says pymeasured 'py/example/n=10'
grep -qF '"pythonpath": ["."]' .bench-against.json || fail "modules at the top are not looked for there"
# modules below src/ are found there
rm .bench-against.json && mkdir -p src/mine && echo 'def f(n): return sum(range(n))' >src/mine/__init__.py
expect 0 layout bench-against init
grep -qF '"pythonpath": ["src"]' .bench-against.json || fail "modules below src/ are not looked for there"
rm bench/bench.py
expect 0 imports bench-against init
sed -i 's/return lambda: sorted(names)/return lambda: mine.f(n)/' bench/bench.py
expect 0 listed bench-against list
says listed 'py/example/n=10'
says listed 'py/import_package'
git checkout -q bench/bench.py
# a link is somebody's, also where it leads nowhere
rm bench/bench.py && ln -s /nowhere/at/all bench/bench.py
expect 0 link bench-against init
says link "kept  bench/bench.py"
# a folder that cannot be written
rm -rf .gitlab && echo file >.gitlab
expect 125 blocked bench-against init
says blocked ".gitlab"

# ---- a gate for a machine without a GPU: instructions decide ----
mkdir "$top/three" && cd "$top/three" && git init -q .
echo 'project(mine C)' >CMakeLists.txt && printf 'build-bench/\n' >.gitignore
expect 0 counted bench-against init --ci gitlab --without-gpu
grep -qF '"verdict_on": "instructions"' .bench-against.json || fail "the time decides"
git add -A && git commit -qm one
echo '/* no change */' >>bench/launcher.c && git commit -qam two
sed -i 's/return cu_launch(k/for (volatile int i = 0; i < 4; i++) ;\n\treturn cu_launch(k/' bench/launcher.c
git commit -qam three
if ! bench-against run HEAD --metrics instructions 2>&1 | grep -q 'does not step through\|counted on x86-64'; then
	expect 0 counted-same bench-against --gate --blocks 4 --batch 64 HEAD~2 HEAD~
	expect 1 counted-slow bench-against --gate --blocks 4 --batch 64 HEAD~ HEAD
	says counted-slow "instructions, exactly"
fi
echo "init and what it wrote work"
