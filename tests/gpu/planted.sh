#!/bin/sh
# sh tests/gpu/planted.sh DIR NAME:N...: a repository in DIR with a branch a NAME, each the
# example launcher with a chain of N dependent multiplications after the launch, fenced so
# that it adds its time and hides in nothing. What a chain costs in nanoseconds is what the
# host target says on the same machine.
set -eu
dir=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$dir" && cd "$dir"
git init -q . && git config user.email planted@example.org && git config user.name planted
cp -r "$root/include" .
echo build >.gitignore
cat >.bench-against.json <<'EOF'
{ "build": { "commands": [["mkdir", "-p", "build"], ["cc", "-O2", "-fPIC", "-shared",
    "-Iinclude", "-o", "build/liblauncher.so", "launcher.c"]] },
  "suites": { "launch": { "kind": "launcher", "library": "build/liblauncher.so" } } }
EOF
for pair in "$@"; do
	sed -e 's/return cu_launch(k->function/int rc = cu_launch(k->function/' \
		-e "s/c->stream, args, NULL);/&\n\tlong chain = 3, n = ${pair#*:};\n\t__asm__ volatile(\"lfence; 1: imul %0, %0; dec %1; jnz 1b; lfence\"\n\t\t: \"+r\"(chain), \"+r\"(n));\n\treturn rc;/" \
		"$root/examples/launcher/launcher.c" >launcher.c
	git checkout -q -b "${pair%:*}" && git add -A && git commit -qm "${pair%:*}"
done
