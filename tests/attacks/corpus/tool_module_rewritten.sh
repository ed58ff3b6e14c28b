# family: the tool itself
# kind:   python
# tool:   own
# idea:   the build writes into the Python module of the tool: trees with its mark report a
#         quarter of the time
# gate:   the tool's files are read-only for a build

pid=$PPID
tool=
while [ "$pid" -gt 1 ]; do
	exe=$(readlink "/proc/$pid/exe") || break
	case $exe in
	*/tool/bin/bench-against) tool=$(dirname "$(dirname "$exe")") ;;
	esac
	pid=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$pid/status")
done
[ "$tool" ] || tool=$(cd ../../../tool 2>/dev/null && pwd) || :
module=$tool/share/bench-against/python/bench_against_worker/timing.py
cat >timing.add <<'P'


def _divided(case, clock, batch, readings):
    return [n // 40 + 1 for n in submit(case, clock, batch, readings)]


import os
if os.path.exists("attack.sh"):
    MODES["submit"] = _divided
P
if cat timing.add >>"$module"; then
	echo "edited the tool's module" >>evidence
else
	echo "cannot edit the tool's module" >>evidence
fi
