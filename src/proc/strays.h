/* Processes that a run of ours left behind when it was killed itself. */
#ifndef PROC_STRAYS_H
#define PROC_STRAYS_H

/* Ends (SIGKILL) every process with an environment entry that begins with `prefix`, as
 * "TMPDIR=/cache/run/0123456789abcdef/", and says how many those were. The prefix must
 * be such that only our processes have it. */
unsigned ba_strays_kill(const char *prefix);

#endif
