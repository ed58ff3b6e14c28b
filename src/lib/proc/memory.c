#include "proc/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LINE_MOST 256

/* "name:   123 kB" */
static uint64_t kilobytes_in(const char *path, const char *name)
{
	char line[LINE_MOST];
	uint64_t value = 0;
	FILE *f = fopen(path, "re");
	if (!f)
		return 0;
	while (!value && fgets(line, sizeof(line), f))
		if (strncmp(line, name, strlen(name)) == 0 &&
			sscanf(line + strlen(name), ": %" SCNu64, &value) != 1)
			value = 0;
	fclose(f);
	return value * 1024;
}

/* a file with one number; 0: there is none, or "max" */
static uint64_t number_in(const char *path)
{
	uint64_t value = 0;
	FILE *f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%" SCNu64, &value) != 1)
		value = 0;
	fclose(f);
	return value;
}

uint64_t ba_memory_peak(pid_t pid)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	return kilobytes_in(path, "VmHWM");
}

uint64_t ba_memory_available(void)
{
	uint64_t free_now = kilobytes_in("/proc/meminfo", "MemAvailable");
	uint64_t most = number_in("/sys/fs/cgroup/memory.max");
	uint64_t used = number_in("/sys/fs/cgroup/memory.current");
	if (most && used < most && (!free_now || most - used < free_now))
		return most - used;
	return free_now;
}
