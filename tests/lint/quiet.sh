#!/bin/sh
# quiet.sh SOURCE: do the modules below cli leave printing and the end of the process to cli?
# They hand an error, a line of the log or a callback to their caller. Exempt are a child that proc
# forks, and two files of base, which end the process where nobody could handle an error (no memory, a broken contract).
# A run also takes its environment from the caller.
set -u
cd "$1" || exit 1
modules=$(sed -n 's/^\([a-z/]*\):.*/\1/p' src/layers.txt |
	grep -vxE 'tool/cli|measure/worker|measure/hook|launchcfg|device/observer|device/nulldriver')
bad=0
own="src/drive/request src/drive/journal src/drive/cluster src/drive/variants src/drive/job src/drive/merge"
for module in $modules; do
	grep -rnE '(^|[^_[:alnum:]])(v?printf|puts|putchar|perror|_?exit|abort)\(|fprintf\(std' \
		"src/$module" --include='*.c' | grep -vE '^src/lib/(base/(mem|error)|proc/aside)\.c:|: */?\*' && bad=1
done
# shellcheck disable=SC2086 # names without spaces
grep -rnE '(^|[^_[:alnum:]])(secure_)?(getenv|setenv)\(|[^/]environ[;;)]' $own && bad=1
if [ $bad = 1 ]; then
	echo "quiet.sh: hand it to the caller (base/error.h, job/job.h)" >&2
	exit 1
fi
