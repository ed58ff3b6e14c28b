/* Processes that an earlier run of ours left behind because it was killed itself. */
#ifndef PROC_ORPHANS_H
#define PROC_ORPHANS_H

/* Kills (SIGKILL) every process with an environment entry that begins with `prefix`,
 * such as "TMPDIR=/cache/run/0123456789abcdef/"; returns how many. Only our processes
 * may have this prefix: their parent is gone, so nothing else identifies them. */
unsigned ba_orphans_kill(const char *prefix);

#endif
