#include "proc/memory.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/base.h"
#include "proc/procfs.h"

/* The value of "name: 123 kB" at the beginning of a line; 0: none. `name` begins with
 * "\n". */
static uint64_t kilobytes_in(const char *path, const char *name)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	uint64_t value = 0;
	if (ba_fs_read(&text, path, 1u << 16, NULL))
		return 0;
	const char *at = strstr(text.data, name);
	if (at && sscanf(at + strlen(name), ": %" SCNu64, &value) != 1)
		value = 0;
	return value * 1024;
}

/* The number in a file; 0: there is none, or it is "max". */
static uint64_t number_in(const char *path)
{
	uint64_t value;
	return ba_procfs_scan(path, "%" SCNu64, &value) == 1 ? value : 0;
}

uint64_t ba_memory_peak(pid_t pid)
{
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%d/status", (int)pid);
	return kilobytes_in(path, "\nVmHWM");
}

uint64_t ba_memory_available(void)
{
	uint64_t free_now = kilobytes_in("/proc/meminfo", "\nMemAvailable");
	uint64_t most = number_in("/sys/fs/cgroup/memory.max");
	uint64_t used = number_in("/sys/fs/cgroup/memory.current");
	if (most && used < most && (!free_now || most - used < free_now))
		return most - used;
	return free_now;
}
