#!/usr/bin/env bash
# The tool, in PATH of the steps that follow: the one that is installed, else built from the
# revision of this action.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
# code and files of strangers need it, and then its absence is an error
if ! command -v bwrap >/dev/null; then
	# shellcheck source=cmake/packages.sh
	(. "$source/cmake/packages.sh" && need_packages sandbox) ||
		echo "::warning::bubblewrap is not installed: what comes from a fork cannot be judged"
fi
if command -v bench-against >/dev/null; then
	bench-against --version
	exit 0
fi
prefix=$RUNNER_TEMP/bench-against
# shellcheck source=cmake/packages.sh
. "$source/cmake/packages.sh"
need_packages "$@"
cmake -S "$source" -B "$RUNNER_TEMP/bench-against-build" -G Ninja -DBA_BUILD_TESTS=OFF \
	-DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_INSTALL_PREFIX="$prefix" >/dev/null
cmake --build "$RUNNER_TEMP/bench-against-build"
cmake --install "$RUNNER_TEMP/bench-against-build" >/dev/null
echo "$prefix/bin" >>"$GITHUB_PATH"
# find_package(bench_against) of the project's benchmarks
echo "CMAKE_PREFIX_PATH=$prefix${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}" >>"$GITHUB_ENV"
"$prefix/bin/bench-against" --version
