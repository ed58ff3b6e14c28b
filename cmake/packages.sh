# shellcheck shell=sh
# Read by check.sh and demo.sh: need_packages [test] installs, on Debian and Ubuntu, what
# is missing of the tools and libraries that a build needs. Elsewhere it says what to install.

# what to look for, and the package that has it
missing_packages()
{
	while read -r what package; do
		case $what in
		'') ;; # a line for another kind of need
		# of the system's Python, for which packages are; python3 may be another one
		py:*)
			/usr/bin/python3 -c "import ${what#py:}" 2>/dev/null ||
				python3 -c "import ${what#py:}" 2>/dev/null || echo "$package"
			;;
		lib:*) pkg-config --exists "${what#lib:}" 2>/dev/null || echo "$package" ;;
		*) command -v "$what" >/dev/null 2>&1 || echo "$package" ;;
		esac
	done <<-END
		cc gcc
		c++ g++
		cmake cmake
		make make
		ninja ninja-build
		pkg-config pkg-config
		git git
		lib:libgit2 libgit2-dev
		lib:libcjson libcjson-dev
		lib:expat libexpat1-dev
		lib:sqlite3 libsqlite3-dev
		lib:libdw libdw-dev
		$([ "${1-}" = sandbox ] && echo 'bwrap bubblewrap')
		$([ "${1-}" = test ] && printf '%s\n' 'git-lfs git-lfs' 'lib:cmocka libcmocka-dev' \
			'rsvg-convert librsvg2-bin' 'bwrap bubblewrap' \
			'py:jsonschema python3-jsonschema' 'py:yaml python3-yaml' \
			'dpkg-shlibdeps dpkg-dev' 'zsh zsh' 'hyperfine hyperfine' \
			'lib:benchmark libbenchmark-dev' \
			'patchelf patchelf' 'xz xz-utils' 'py:pip python3-pip' 'py:wheel python3-wheel' \
			'py:ensurepip python3-venv' \
			'slurmctld slurmctld' 'slurmd slurmd' 'sbatch slurm-client' 'munged munge' \
			'py:pytest_benchmark python3-pytest-benchmark')
	END
}

# quiet_daemons SUDO begin|end: what is installed in between starts no daemon by itself
quiet_daemons()
{
	policy=/usr/sbin/policy-rc.d
	if [ "$2" = end ]; then
		! grep -qs 'of bench-against' $policy || $1 rm -f $policy
	elif [ ! -e $policy ]; then
		printf '#!/bin/sh\n# of bench-against\nexit 101\n' | $1 tee $policy >/dev/null
		$1 chmod 755 $policy
	fi
}

need_packages()
{
	packages=$(missing_packages "$@" | tr '\n' ' ')
	[ -n "$packages" ] || return 0
	if ! command -v apt-get >/dev/null 2>&1; then
		echo "$0: not a Debian or Ubuntu machine; please install: $packages" >&2
		return 1
	fi
	sudo=
	if [ "$(id -u)" -ne 0 ]; then
		sudo=sudo
		command -v sudo >/dev/null 2>&1 || {
			echo "$0: as root, please: apt-get install $packages" >&2
			return 1
		}
	fi
	echo "installing: $packages"
	quiet_daemons "$sudo" begin
	installed=0
	# shellcheck disable=SC2086 # one word a package
	$sudo apt-get update -qq &&
		$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y \
			--no-install-recommends $packages >/dev/null || installed=$?
	quiet_daemons "$sudo" end
	return $installed
}

# ccache, where there is one, makes the second build a matter of seconds
if command -v ccache >/dev/null 2>&1; then
	export CMAKE_C_COMPILER_LAUNCHER="${CMAKE_C_COMPILER_LAUNCHER-ccache}"
fi
