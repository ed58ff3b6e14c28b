#!/bin/sh
# docs.sh TOOL SOURCE: does the tool know every option that the pages name?
set -u
tool=$1
cd "$2" || exit 1
bad=0

# options of other programs that the pages rightly name
known="--build --source --install --no-verify --prefix --preset --workflow --cflags --libs --output-on-failure --test-dir --stat --wheels"
known="$known --no-deps --upgrade --page --csv --md --stats --kernel-trace --save-result --output-file --benchmark-max-time --min-time"
known="$known --benchmark-skip --security-opt --interleave-rounds"
# of Slurm
known="$known --wrap --error --wait --exclusive --threads-per-core --time"
# of the worker, which is not for people, and of the Python module
known="$known --requests --replies --beacon --asv --pytest --nvbench --gpu --group --marked --setup-each-call"
commands=$(sed -n 's/^\t[A-Z]*("\([a-z]*\)", .*/\1/p' src/tool/cli/commands.c)
for command in '' $commands; do
	# shellcheck disable=SC2086 # no word where there is no command
	page=$("$tool" $command --help-all 2>/dev/null || "$tool" $command --help) || {
		echo "docs.sh: '$tool $command --help' ended with status $?" >&2
		exit 1
	}
	known="$known $(echo "$page" | grep -oE -e '--[a-z][a-z-]*[a-z]' | tr '\n' ' ')"
done
# of other programs: pip, podman
known="$known --version --index-url --build-arg "

for page in README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md src/README.md docs/*.md; do
	[ -f "$page" ] || continue
	# an anchor may look like an option: #what-5--means
	for option in $(sed 's/(#[^)]*)//g' "$page" | grep -oE -e '(^|[^-a-z])--[a-z][a-z-]*[a-z]' |
		grep -oE -e '--.*' | sort -u); do
		case " $known " in
		*" $option "*) ;;
		*)
			echo "$page: there is no option '$option'" >&2
			bad=$((bad + 1))
			;;
		esac
	done
done
[ "$bad" -eq 0 ] && echo "every option of the pages exists"
