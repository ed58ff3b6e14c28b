# family: secrets
# kind:   launcher
# idea:   the build reads a key from ~/.ssh, the token of GITHUB_TOKEN, and the environment of
#         the processes above it
# gate:   an empty home, a stated environment, no other process

echo "looks for secrets" >>evidence
cat "$HOME/.ssh/id_test" >>evidence 2>/dev/null || :
echo "${GITHUB_TOKEN-}" >>evidence
pid=$PPID
while [ "$pid" -gt 1 ]; do
	tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -a '^GITHUB_TOKEN=' >>evidence || :
	pid=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$pid/status" 2>/dev/null) || break
	[ "$pid" ] || break
done
