#include "proc/usage.h"

#include "proc/procfs.h"

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
	long long waited;
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%d/schedstat", (int)pid);
	return ba_procfs_scan(path, "%*u %lld", &waited) == 1 ? waited : 0;
}

static pid_t parent_of(pid_t pid) /* 0: unknown */
{
	ba_procfs_stat s;
	ba_procfs_read(&s, pid);
	return s.parent;
}

/* Processor time of the children that a process waited for, to a tick. */
static int64_t reaped_ns(pid_t pid)
{
	ba_procfs_stat s;
	ba_procfs_read(&s, pid);
	return (int64_t)s.reaped * (1000000000 / sysconf(_SC_CLK_TCK));
}

static bool add_process(void *data, pid_t pid)
{
	int64_t ns = ba_usage_cpu_ns(pid), *sum = data;
	*sum += (ns > 0 ? ns : 0) + reaped_ns(pid);
	ba_procfs_each_child(pid, add_process, sum);
	return true;
}

int64_t ba_usage_box_cpu_ns(pid_t pid)
{
	pid_t first = parent_of(pid);
	if (!first || ba_usage_cpu_ns(pid) < 0)
		return -1;
	int64_t sum = reaped_ns(first);
	ba_procfs_each_child(first, add_process, &sum);
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
	ba_procfs_each_child(pid, is_another, &below);
	ba_procfs_each_child(first, is_another, &beside);
	return below.found || beside.found || reaped_ns(pid) || reaped_ns(first);
}

/* ---- memory ---- */

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
