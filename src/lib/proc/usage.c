#include "proc/usage.h"

#include <dirent.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

/* Processor time of all its threads, those that have ended included, in ns; -1:
 * unknown. Not of its children. */
static int64_t cpu_ns(pid_t pid)
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
	if (ba_fs_read(&text, path, 256, NULL) || sscanf(text.data, "%*u %lld", &waited) != 1)
		return 0;
	return waited;
}

/* Calls with the children of each thread of a process, until it returns false. */
static void each_child(pid_t pid, bool (*call)(void *data, pid_t child), void *data)
{
	char path[96];
	bool more = true;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);
	for (const struct dirent *t; tasks && more && (t = readdir(tasks));) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		snprintf(path, sizeof(path), "/proc/%d/task/%.16s/children", (int)pid, t->d_name);
		if (t->d_name[0] == '.' || ba_fs_read(&text, path, 1 << 20, NULL))
			continue;
		char *at = text.data, *end = at;
		for (long child; more && (child = strtol(at, &end, 10)) > 0; at = end)
			more = call(data, (pid_t)child);
	}
	if (tasks)
		closedir(tasks);
}

/* 0: unknown */
static pid_t parent_of(pid_t pid)
{
	char path[64];
	int parent = 0;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (ba_fs_read(&text, path, 4096, NULL))
		return 0;
	const char *end = strrchr(text.data, ')');
	return end && sscanf(end, ") %*c %d", &parent) == 1 ? parent : 0;
}

/* Processor time of the children that a process waited for, to a tick: the fields 16 and
 * 17 of stat; the name before them is in parentheses. */
static int64_t reaped_ns(pid_t pid)
{
	char path[64];
	unsigned long user = 0, system = 0;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (ba_fs_read(&text, path, 4096, NULL))
		return 0;
	const char *end = strrchr(text.data, ')');
	if (!end || sscanf(end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lu %lu",
			    &user, &system) != 2)
		return 0;
	return (int64_t)(user + system) * (1000000000 / sysconf(_SC_CLK_TCK));
}

static bool add_process(void *data, pid_t pid)
{
	int64_t ns = cpu_ns(pid), *sum = data;
	*sum += (ns > 0 ? ns : 0) + reaped_ns(pid);
	each_child(pid, add_process, sum);
	return true;
}

int64_t ba_usage_box_cpu_ns(pid_t pid)
{
	pid_t first = parent_of(pid);
	if (!first || cpu_ns(pid) < 0)
		return -1;
	int64_t sum = reaped_ns(first);
	each_child(first, add_process, &sum);
	return sum;
}

typedef struct search {
	pid_t known;
	bool found;
} search;

static bool is_another(void *data, pid_t pid)
{
	search *s = data;
	s->found = pid != s->known;
	return !s->found;
}

bool ba_usage_has_company(pid_t pid)
{
	search below = {0}, beside = {.known = pid};
	pid_t first = parent_of(pid);
	each_child(pid, is_another, &below);
	each_child(first, is_another, &beside);
	return below.found || beside.found || reaped_ns(pid) || reaped_ns(first);
}
