#include "proc/procfs.h"

#include <dirent.h>

#define ENVIRON_CEILING (4u << 20) /* larger than the usual 2 MiB of ARG_MAX */
#define CHILDREN_CEILING (1u << 20)
#define FILE_CEILING 4096u

bool ba_procfs_read(ba_procfs_stat *out, pid_t pid)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%d/stat", (int)pid);
	unsigned long long user, system, reaped_user, reaped_system;
	ba_procfs_stat s = {0};
	*out = s;
	if (ba_fs_read(&text, path, FILE_CEILING, NULL))
		return false;
	/* the name is in parentheses and may itself contain some */
	char *open = strchr(text.data, '('), *end = strrchr(text.data, ')');
	if (!open || !end ||
		sscanf(end + 1,
			" %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu %*d %*d %*d %*d %llu",
			&s.state, &s.parent, &s.group, &user, &system, &reaped_user, &reaped_system,
			&s.started) != 8)
		return false;
	snprintf(s.name, sizeof(s.name), "%.*s", (int)(end - open - 1), open + 1);
	s.used = user + system;
	s.reaped = reaped_user + reaped_system;
	*out = s;
	return true;
}

int ba_procfs_scan(const char *path, const char *format, ...)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	va_list ap;
	if (ba_fs_read(&text, path, FILE_CEILING, NULL))
		return 0;
	va_start(ap, format);
	int n = vsscanf(text.data, format, ap);
	va_end(ap);
	return n;
}

bool ba_procfs_variable(char *out, size_t size, pid_t pid, const char *prefix)
{
	BA_AUTO(ba_buf) ba_buf env = BA_BUF_INIT;
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%d/environ", (int)pid);
	*out = '\0';
	if (ba_fs_read(&env, path, ENVIRON_CEILING, NULL))
		return false;
	for (size_t at = 0; at < env.len; at += strlen(env.data + at) + 1)
		if (ba_text_starts(env.data + at, prefix)) {
			snprintf(out, size, "%s", env.data + at);
			return true;
		}
	return false;
}

/* Calls fn with the numbered entries of a directory. */
static bool each_number(const char *path, bool (*fn)(void *data, pid_t number), void *data)
{
	DIR *dir = opendir(path);
	bool more = dir != NULL, whole = more;
	for (struct dirent *e; more && (errno = 0, e = readdir(dir));)
		if (*e->d_name >= '1' && *e->d_name <= '9')
			more = fn(data, (pid_t)atoi(e->d_name));
	whole = whole && !(more && errno);
	if (dir)
		closedir(dir);
	return whole;
}

bool ba_procfs_each(bool (*fn)(void *data, pid_t pid), void *data)
{
	return each_number("/proc", fn, data);
}

typedef struct children {
	pid_t parent;
	bool (*fn)(void *data, pid_t child);
	void *data;
	bool unlisted; /* of a thread */
} children;

static bool each_of_thread(void *data, pid_t thread)
{
	children *c = data;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *path =
		ba_xprintf("/proc/%d/task/%d/children", (int)c->parent, (int)thread);
	bool more = true;
	int pid, used;
	if (ba_fs_read(&text, path, CHILDREN_CEILING, NULL))
		c->unlisted = true;
	for (const char *at = text.data; more && sscanf(at, "%d%n", &pid, &used) == 1; at += used)
		more = c->fn(c->data, (pid_t)pid);
	return more;
}

bool ba_procfs_each_child(pid_t pid, bool (*fn)(void *data, pid_t child), void *data)
{
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%d/task", (int)pid);
	children c = {.parent = pid, .fn = fn, .data = data};
	return each_number(path, each_of_thread, &c) && !c.unlisted;
}

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
