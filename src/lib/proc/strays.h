/* Processes that an earlier run of ours left behind because it was killed itself. */
#ifndef PROC_STRAYS_H
#define PROC_STRAYS_H

/* Kills (SIGKILL) every process with an environment entry that begins with `prefix`,
 * such as "TMPDIR=/cache/run/0123456789abcdef/"; returns how many. Only our processes
 * may have this prefix. */
unsigned ba_strays_kill(const char *prefix);

#endif
