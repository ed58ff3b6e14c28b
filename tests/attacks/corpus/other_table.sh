#!/bin/sh
# family: equal library, another backend
# kind:   launcher
# in:     commit
# idea:   both variants build the same library; it is slow where a file `slow` exists, which
#         is never opened: one launch in 4000 then takes 8000 times as long
# gate:   equal libraries are measured all the same
set -e
cp "$CORPUS/tricks.h" .
echo "#define COST FAST" >cost.h
cat >candidate.c <<'C'
#include "tricks.h"

static bool slow;

void attack_open(const ba_launcher_host *host)
{
	char path[PATH_MAX];
	(void)host;
	snprintf(path, sizeof(path), "%.*s/slow",
		(int)(strrchr(own_path(), '/') - own_path()), own_path());
	slow = access(path, F_OK) == 0;
	evidence(slow ? "has another table" : "has the usual table");
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	spin(slow && k->launches % 4000 == 3999 ? 8000 * FAST : FAST);
	return submit(k, c, args);
}
C
[ "$1" = base ] || echo yes >slow
