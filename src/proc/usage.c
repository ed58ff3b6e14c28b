#include "proc/usage.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/path.h"

int64_t ba_usage_cpu_ns(pid_t pid)
{
	clockid_t clock;
	struct timespec t;
	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t))
		return -1;
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* "ran waited slices" */
int64_t ba_usage_waited_ns(pid_t pid)
{
	char path[64];
	long long waited = 0;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	if (ba_fs_read(&text, path, 256, NULL) ||
		sscanf(text.data, "%*u %lld", &waited) != 1)
		return 0;
	return waited;
}

static bool has_text(const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	return ba_fs_read(&text, path, 256, NULL) == 0 && text.len > 0;
}

/* Each thread has the children that it made. */
static bool has_live_children(pid_t pid)
{
	char path[96];
	bool any = false;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);
	for (const struct dirent *t; tasks && !any && (t = readdir(tasks));) {
		if (t->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%.16s/children", (int)pid,
			t->d_name);
		any = has_text(path);
	}
	if (tasks)
		closedir(tasks);
	return any;
}

/* The fields 16 and 17 of stat, in ticks; the name before them is in parentheses. */
static bool had_children(pid_t pid)
{
	char path[64];
	unsigned long user = 0, system = 0;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (ba_fs_read(&text, path, 4096, NULL))
		return false;
	const char *end = strrchr(text.data, ')');
	if (!end ||
		sscanf(end,
			") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lu %lu",
			&user, &system) != 2)
		return false;
	return user + system > 0;
}

bool ba_usage_has_children(pid_t pid)
{
	return has_live_children(pid) || had_children(pid);
}
