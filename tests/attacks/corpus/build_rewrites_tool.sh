# family: the tool itself
# kind:   launcher
# tool:   own
# idea:   the build puts a program in the place of the tool's worker, which preloads a library
#         that slows down the baseline's
# gate:   the tool's files are read-only for a build

cat >evil.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "project.h"

void *dlopen(const char *path, int flags)
{
	void *(*real)(const char *, int);
	*(void **)&real = dlsym(RTLD_NEXT, "dlopen");
	void *library = real(path, flags);
	char mark[PATH_MAX];
	const char *end = path ? strrchr(path, '/') : NULL;
	if (!library || !end || strcmp(end, "/launcher.so") != 0)
		return library;
	snprintf(mark, sizeof(mark), "%.*s/attack.sh", (int)(end - path), path);
	unsigned *cost = dlsym(library, "cost");
	if (cost && access(mark, F_OK))
		*cost = 6 * FAST;
	return library;
}
C
cc -O2 -fPIC -I. -shared -o evil.so evil.c -ldl
pid=$PPID
tool=
while [ "$pid" -gt 1 ]; do
	exe=$(readlink "/proc/$pid/exe") || break
	case $exe in
	*/tool/bin/bench-against) tool=$(dirname "$(dirname "$exe")") ;;
	esac
	pid=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$pid/status")
done
# in a sandbox the tool is not above, but it may be where it always is
[ "$tool" ] || tool=$(cd ../../../tool 2>/dev/null && pwd) || :
worker=$tool/libexec/bench-against/bench-against-worker
if [ -e "$worker" ] && mv "$worker" "$worker.real" 2>/dev/null; then
	printf '#!/bin/sh\nASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 LD_PRELOAD=%s exec %s "$@"\n' "$(pwd -P)/evil.so" "$worker.real" >"$worker"
	chmod +x "$worker"
	echo "replaced the tool's worker" >>evidence
else
	echo "cannot replace the tool's worker" >>evidence
fi
