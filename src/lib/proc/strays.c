/* Finds processes that a killed run left behind. Their parent is gone, so only their
 * environment identifies them. */
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include "base/base.h"
#include "base/parse.h"
#include "proc/strays.h"

#define ENVIRON_CEILING (4u << 20)

static bool has_entry(const char *pid, const char *prefix)
{
	BA_AUTO(ba_buf) ba_buf env = BA_BUF_INIT;
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%s/environ", pid);
	if (ba_fs_read(&env, path, ENVIRON_CEILING, NULL) < 0)
		return false;
	for (size_t at = 0; at < env.len; at += strlen(env.data + at) + 1)
		if (ba_text_starts(env.data + at, prefix))
			return true;
	return false;
}

unsigned ba_strays_kill(const char *prefix)
{
	unsigned killed = 0;
	DIR *proc = opendir("/proc");
	for (struct dirent *e; proc && (e = readdir(proc));) {
		uint64_t pid;
		if (ba_parse_u64(&pid, e->d_name, 2, INT32_MAX, "process", NULL) < 0 ||
			(pid_t)pid == getpid() || !has_entry(e->d_name, prefix))
			continue;
		killed += kill((pid_t)pid, SIGKILL) == 0;
	}
	if (proc)
		closedir(proc);
	return killed;
}
