/*
 * The end of children and of what they leave behind.
 *
 * A leftover is recognised by its process group (the child's number, which cannot be
 * given away while the child is not reaped) or by our tag in its environment.
 * Descendants whose parent ended became our children; those below another leftover do
 * once that one is killed, so we look again until there is nothing.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/path.h"
#include "proc/handle.h"

#define ENVIRON_CEILING (4u << 20) /* beyond ARG_MAX's usual 2 MiB */
#define EXEC_LOOKS 300 /* a millisecond apart: a busy machine may leave it there */

void ba_reap_adopt(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

bool ba_reap_has_ended(const ba_proc *p)
{
	siginfo_t info = {0};
	int rc = waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT);

	/* ECHILD: someone else has reaped it; it is no more */
	return (!rc && info.si_pid == p->pid) || (rc && errno == ECHILD);
}

static int64_t timeval_ns(struct timeval t)
{
	return (int64_t)t.tv_sec * BA_SECOND + t.tv_usec * 1000;
}

void ba_reap_collect(ba_proc *p)
{
	ba_proc_result *r = &p->result;
	struct rusage use = {0};
	int status = 0;

	if (p->reaped)
		return;
	while (wait4(p->pid, &status, 0, &use) < 0 && errno == EINTR)
		;
	p->reaped = true;
	r->user_ns = timeval_ns(use.ru_utime);
	r->system_ns = timeval_ns(use.ru_stime);
	r->max_rss_bytes = (uint64_t)use.ru_maxrss * 1024;
	if (WIFSIGNALED(status))
		r->signal = WTERMSIG(status);
	else
		r->status = WEXITSTATUS(status);
	r->end = WIFSIGNALED(status) ? BA_PROC_SIGNALED : BA_PROC_EXITED;
	if (p->cause != BA_PROC_RUNNING)
		r->end = p->cause;
}

typedef struct stat_line {
	char name[32];
	char state;
	pid_t parent, group;
} stat_line;

/* /proc/PID/stat: the name is in parentheses and may itself hold any of these */
static bool read_stat(stat_line *out, pid_t pid)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%d/stat", (int)pid);
	int parent, group;

	if (ba_fs_read(&text, path, 4096, NULL) < 0)
		return false;
	char *open = strchr(text.data, '('), *end = strrchr(text.data, ')');
	if (!open || !end ||
		sscanf(end + 1, " %c %d %d", &out->state, &parent, &group) != 3)
		return false;
	snprintf(out->name, sizeof(out->name), "%.*s", (int)(end - open - 1), open + 1);
	out->parent = (pid_t)parent;
	out->group = (pid_t)group;
	return true;
}

/* An environment is empty for a moment while a program is being executed: one who
 * looked just then would leave the process running. */
static bool has_tag(pid_t pid, const char *tag)
{
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%d/environ", (int)pid);

	for (int i = 0; i < EXEC_LOOKS; i++) {
		BA_AUTO(ba_buf) ba_buf env = BA_BUF_INIT;
		if (ba_fs_read(&env, path, ENVIRON_CEILING, NULL) < 0)
			return false;
		if (env.len)
			return memmem(env.data, env.len, tag, strlen(tag) + 1);
		nanosleep(&(struct timespec){.tv_nsec = BA_MS}, NULL);
	}
	return false;
}

typedef struct pid_list {
	pid_t *items;
	size_t count, capacity;
} pid_list;

static void pid_list_dispose(pid_list *l)
{
	free(l->items);
}
BA_DEFINE_AUTO(pid_list, pid_list_dispose)

static void pid_list_add(pid_list *l, pid_t pid)
{
	l->items = BA_GROW(l->items, &l->capacity, l->count + 1);
	l->items[l->count++] = pid;
}

/* The children of one of our threads; false where the kernel does not list them. */
static bool list_thread(pid_list *out, const char *thread)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *path = ba_xprintf("/proc/self/task/%s/children", thread);
	int pid, used;

	if (ba_fs_read(&text, path, 1u << 20, NULL) < 0)
		return false;
	for (const char *at = text.data; sscanf(at, "%d%n", &pid, &used) == 1;
		at += used)
		pid_list_add(out, (pid_t)pid);
	return true;
}

/* Numbered entries of a directory of /proc, each given to `fn` until one says no. */
static bool each_number(
	const char *path, bool (*fn)(pid_list *, const char *), pid_list *out)
{
	DIR *dir = opendir(path);
	bool more = dir != NULL;

	for (struct dirent *e; more && (e = readdir(dir));)
		if (*e->d_name >= '1' && *e->d_name <= '9')
			more = fn(out, e->d_name);
	if (dir)
		closedir(dir);
	return more;
}

static bool list_if_child(pid_list *out, const char *name)
{
	uint64_t pid;
	stat_line s;

	if (!ba_parse_u64(&pid, name, 1, INT32_MAX, "process", NULL) &&
		read_stat(&s, (pid_t)pid) && s.parent == getpid())
		pid_list_add(out, (pid_t)pid);
	return true;
}

static void list_children(pid_list *out)
{
	if (each_number("/proc/self/task", list_thread, out))
		return;
	out->count = 0; /* no .../children in this kernel: walk over all processes */
	each_number("/proc", list_if_child, out);
}

static void add_name(char names[96], const char *name)
{
	size_t used = strlen(names), size = strlen(name);

	for (const char *at = names; (at = strstr(at, name)); at += size)
		if ((at == names || at[-1] == ' ') && (!at[size] || at[size] == ','))
			return;
	if (used + size + 3 < 96)
		snprintf(names + used, 96 - used, "%s%s", used ? ", " : "", name);
}

/* What p left, among our children: its group, or our tag in the environment. Zombies of
 * its group are reaped in passing. */
static void list_leftovers(pid_list *out, const ba_proc *p, char names[96])
{
	BA_AUTO(pid_list) pid_list children = {0};

	list_children(&children);
	for (size_t i = 0; i < children.count; i++) {
		pid_t pid = children.items[i];
		stat_line s;
		if (pid == p->pid || !read_stat(&s, pid) ||
			(s.group != p->pid &&
				(s.state == 'Z' || !has_tag(pid, p->tag))))
			continue;
		if (s.state == 'Z') {
			waitpid(pid, NULL, WNOHANG);
			continue;
		}
		pid_list_add(out, pid);
		add_name(names, s.name);
	}
}

unsigned ba_reap_leftovers(ba_proc *p)
{
	BA_AUTO(pid_list) pid_list left = {0};

	*p->result.left_names = 0;
	list_leftovers(&left, p, p->result.left_names);
	return (unsigned)left.count;
}

/* Reap those that are dead; true when all are. A zombie has no environment any more, so
 * it must be remembered, not found again. */
static bool reap_killed(pid_list *killed)
{
	size_t alive = 0;

	for (size_t i = 0; i < killed->count; i++)
		if (!waitpid(killed->items[i], NULL, WNOHANG))
			killed->items[alive++] = killed->items[i];
	killed->count = alive;
	return !alive;
}

void ba_reap_kill_leftovers(ba_proc *p)
{
	BA_AUTO(pid_list) pid_list killed = {0};
	int64_t give_up = ba_now_ns() + 2 * BA_SECOND;

	for (;;) {
		BA_AUTO(pid_list) pid_list left = {0};
		char names[96] = "";
		list_leftovers(&left, p, names);
		for (size_t i = 0; i < left.count; i++) {
			kill(left.items[i], SIGKILL);
			pid_list_add(&killed, left.items[i]);
		}
		if (left.count && !p->reaped) /* the number is still its own */
			kill(-p->pid, SIGKILL);
		if ((reap_killed(&killed) && !left.count) || ba_now_ns() > give_up)
			return;
		nanosleep(&(struct timespec){.tv_nsec = BA_MS}, NULL);
	}
}
