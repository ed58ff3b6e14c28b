#include "proc/procfs.h"

typedef struct search {
	const char *prefix;
	unsigned killed;
} search;

static bool kill_if_ours(void *data, pid_t pid)
{
	search *s = data;
	char entry[2];
	if (pid > 1 && pid != getpid() && ba_procfs_variable(entry, sizeof(entry), pid, s->prefix))
		s->killed += kill(pid, SIGKILL) == 0;
	return true;
}

unsigned ba_orphans_kill(const char *prefix)
{
	search s = {.prefix = prefix};
	ba_procfs_each(kill_if_ours, &s);
	return s.killed;
}
