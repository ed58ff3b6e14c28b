/* Reads files of /proc and /sys. Inside the module only. */
#pragma once

#include "base/base.h"

typedef struct ba_procfs_stat {
	char name[32];
	char state; /* 'R' runs, 'S' sleeps, 'T' and 't' are stopped, 'Z' is a zombie, ... */
	pid_t parent, group;
	/* clock ticks (_SC_CLK_TCK): processor time of its own, and of the children that it
	 * waited for; when it was started, since the machine was */
	unsigned long long used, reaped, started;
} ba_procfs_stat;

/* False, with *out zeroed: there is no such process. */
bool ba_procfs_read(ba_procfs_stat *out, pid_t pid);

/* sscanf() of a short file; 0 if it cannot be read. */
int ba_procfs_scan(const char *path, const char *format, ...) __attribute__((format(scanf, 2, 3)));

/* Copies the first environment entry ("NAME=value") that begins with `prefix`; false, with ""
 * copied: there is none. A program that is being executed has no entries for a moment. */
bool ba_procfs_variable(char *out, size_t size, pid_t pid, const char *prefix);

/* Calls fn with each child of a process, or with each process, until fn returns false. False:
 * some could not be listed (a kernel without `children`, a thread that has ended). */
bool ba_procfs_each_child(pid_t pid, bool (*fn)(void *data, pid_t child), void *data);
bool ba_procfs_each(bool (*fn)(void *data, pid_t pid), void *data);

/* Processes that an earlier run of ours left behind because it was killed itself. */

/* Kills (SIGKILL) every process with an environment entry that begins with `prefix`,
 * such as "TMPDIR=/cache/run/0123456789abcdef/"; returns how many. Only our processes
 * may have this prefix: their parent is gone, so nothing else identifies them. */
unsigned ba_orphans_kill(const char *prefix);
