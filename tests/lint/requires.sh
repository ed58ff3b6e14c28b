#!/bin/sh
# requires.sh SOURCE: is what a caller owes checked in every build? src uses BA_REQUIRE, which
# is always compiled in; assert() is not, and data from outside must not depend on it.
# launchcfg knows nothing of base: it checks, and returns an error. Elements are counted by BA_COUNT.
set -u
cd "$1" || exit 1
if grep -rnE '(^|[^_[:alnum:]])assert\(' src --include='*.c' --include='*.h'; then
	echo "requires.sh: use BA_REQUIRE (src/lib/base/error.h; in src/launchcfg, return an error)," \
		"or an error for data from outside" >&2
	exit 1
fi
if grep -rnE 'sizeof\(([^()]*)\) / sizeof\((\1\[0\]|\*\1)\)' src --include='*.c' --include='*.h' |
	grep -v '^src/launchcfg/'; then
	echo "requires.sh: use BA_COUNT (src/lib/base/each.h)" >&2
	exit 1
fi
