#!/bin/sh
# memory.sh: prints /dev/shm if programs may run there and a gigabyte is free, else /tmp.
made=$(mktemp -d /dev/shm/ba-XXXXXX 2>/dev/null) && printf '#!/bin/sh\n' >"$made/run" && chmod +x "$made/run" &&
	"$made/run" 2>/dev/null && [ "$(df -Pk /dev/shm | awk 'END { print $4 }')" -gt 1000000 ] &&
	place=/dev/shm
[ -z "$made" ] || rm -rf "$made"
echo "${place:-/tmp}"
