/*
 * The end of children and of what they leave behind.
 *
 * A process whose parent has ended becomes our child, whatever its environment, group
 * or session: we are the subreaper. So every child of ours that is not the leader of a
 * handle and is not in our own group (a library's fork) is an orphan. Whose it
 * is:
 *
 *   - its group is the child's number, which cannot be given away while the child is
 * not reaped, or
 *   - our tag is in its environment, or
 *   - neither says anything (`env -i setsid x`, or a program that is being executed
 * just now), and one child alone can have left it: the others started after it did.
 *
 * Where several children could have left it, it lives until the last of them has ended.
 * What lies below a leftover becomes our child once that is killed, so we look again
 * until there is nothing.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "base/clock.h"
#include "base/parse.h"
#include "proc/handle.h"

#define ENVIRON_CEILING (4u << 20) /* beyond ARG_MAX's usual 2 MiB */

/* Handles whose child is not reaped: those that can have left something. */
static ba_proc *living;
/* when the first child was started: an older one came with us, through an exec */
static unsigned long long first_ticks;
static pthread_mutex_t living_lock = PTHREAD_MUTEX_INITIALIZER;

void ba_reap_adopt(void)
{
	/* Where a sandbox forbids it, orphans are not ours to find: what stays in the
	 * group of its child is still ended. */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

bool ba_reap_has_ended(const ba_proc *p)
{
	siginfo_t info = {0};
	int rc = waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT);
	/* ECHILD: someone else has reaped it; it is no more */
	return (!rc && info.si_pid == p->pid) || (rc && errno == ECHILD);
}

void ba_reap_collect(ba_proc *p)
{
	ba_proc_result *r = &p->result;
	pid_t waited;
	int status = 0;
	if (p->reaped)
		return;
	while ((waited = waitpid(p->pid, &status, 0)) < 0 && errno == EINTR)
		;
	p->reaped = true;
	if (WIFSIGNALED(status))
		r->signal = WTERMSIG(status);
	else
		r->status = WEXITSTATUS(status);
	/* as bubblewrap passes it on */
	if (p->sandboxed && r->status > 128 && r->status - 128 < NSIG) {
		r->signal = r->status - 128;
		r->status = 0;
	}
	r->end = waited < 0 ? BA_PROC_LOST : r->signal ? BA_PROC_SIGNALED : BA_PROC_EXITED;
	if (p->cause != BA_PROC_RUNNING)
		r->end = p->cause;
}

typedef struct stat_line {
	char name[32];
	char state;
	pid_t parent, group;
	unsigned long long used;    /* ticks of processor time */
	unsigned long long started; /* ticks since the machine was started */
} stat_line;

/* /proc/PID/stat: the name is in parentheses and may itself hold any of these */
static bool read_stat(stat_line *out, pid_t pid)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%d/stat", (int)pid);
	unsigned long long user, system;
	int parent, group;
	if (ba_fs_read(&text, path, 4096, NULL) < 0)
		return false;
	char *open = strchr(text.data, '('), *end = strrchr(text.data, ')');
	if (!open || !end ||
		sscanf(end + 1,
			" %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %*d %*d %*d %*d %*d %*d %llu",
			&out->state, &parent, &group, &user, &system, &out->started) != 6)
		return false;
	snprintf(out->name, sizeof(out->name), "%.*s", (int)(end - open - 1), open + 1);
	out->parent = (pid_t)parent;
	out->group = (pid_t)group;
	out->used = user + system;
	return true;
}

void ba_reap_register(ba_proc *p)
{
	stat_line s;
	/* unknown: it may have left everything */
	p->started_ticks = read_stat(&s, p->pid) ? s.started : 0;
	pthread_mutex_lock(&living_lock);
	if (!first_ticks)
		first_ticks = p->started_ticks;
	p->next = living;
	living = p;
	pthread_mutex_unlock(&living_lock);
}

void ba_reap_forget(ba_proc *p)
{
	pthread_mutex_lock(&living_lock);
	for (ba_proc **at = &living; *at; at = &(*at)->next)
		if (*at == p) {
			*at = p->next;
			break;
		}
	pthread_mutex_unlock(&living_lock);
}

/* The value of our tag in the environment of a process, "" where it has none: a program
 * that is being executed has an empty environment for a moment. */
static void read_tag(char out[48], pid_t pid)
{
	BA_AUTO(ba_buf) ba_buf env = BA_BUF_INIT;
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%d/environ", (int)pid);
	*out = '\0';
	if (ba_fs_read(&env, path, ENVIRON_CEILING, NULL) < 0)
		return;
	for (size_t at = 0; at < env.len; at += strlen(env.data + at) + 1)
		if (ba_text_starts(env.data + at, BA_PROC_TAG))
			snprintf(out, 48, "%s", env.data + at);
}

/* Who left that child of ours? */
typedef enum owner {
	OWNER_NONE,  /* one that has ended */
	OWNER_MINE,  /* the one that is asked about, and no other */
	OWNER_OTHERS /* another one, or one of several */
} owner;

/* Called with living_lock held. */
static owner owner_by_age(const ba_proc *p, const stat_line *s)
{
	bool mine = p->started_ticks <= s->started;
	for (const ba_proc *q = living; q; q = q->next)
		if (q != p && q->started_ticks <= s->started)
			return OWNER_OTHERS;
	return mine ? OWNER_MINE : OWNER_NONE;
}

static owner owner_of(pid_t pid, const stat_line *s, const ba_proc *p)
{
	char tag[48];
	owner found;
	if (s->group == p->pid)
		return OWNER_MINE;
	read_tag(tag, pid);
	if (!strcmp(tag, p->tag))
		return OWNER_MINE;
	pthread_mutex_lock(&living_lock);
	found = s->started < first_ticks ? OWNER_OTHERS : owner_by_age(p, s);
	for (const ba_proc *q = living; q; q = q->next)
		if (q != p &&
			(q->pid == pid || q->pid == s->group || (*tag && !strcmp(tag, q->tag))))
			found = OWNER_OTHERS;
	pthread_mutex_unlock(&living_lock);
	return found;
}

typedef struct pid_list {
	pid_t *items;
	size_t count, capacity;
	bool stale; /* one ended meanwhile: its children may be missing */
} pid_list;

static void pid_list_dispose(pid_list *l)
{
	free(l->items);
}
BA_DEFINE_AUTO(pid_list, pid_list_dispose)

static void pid_list_add(pid_list *l, pid_t pid)
{
	*BA_PUSH(l->items, l->count, l->capacity) = pid;
}

/* The children of one of our threads; false where the kernel does not list them. */
static bool list_thread(pid_list *out, const char *thread)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *path = ba_xprintf("/proc/self/task/%s/children", thread);
	int pid, used;
	if (ba_fs_read(&text, path, 1u << 20, NULL) < 0)
		return false;
	for (const char *at = text.data; sscanf(at, "%d%n", &pid, &used) == 1; at += used)
		pid_list_add(out, (pid_t)pid);
	return true;
}

/* Numbered entries of a directory of /proc, each given to `fn` until one says no. */
static bool each_number(const char *path, bool (*fn)(pid_list *, const char *), pid_list *out)
{
	DIR *dir = opendir(path);
	bool more = dir != NULL;
	for (struct dirent *e; more && (errno = 0, e = readdir(dir));)
		if (*e->d_name >= '1' && *e->d_name <= '9')
			more = fn(out, e->d_name);
	more = more && !errno;
	if (dir)
		closedir(dir);
	return more;
}

static bool list_if_child(pid_list *out, const char *name)
{
	uint64_t pid;
	stat_line s;
	if (!ba_parse_u64(&pid, name, 1, INT32_MAX, "process", NULL) && read_stat(&s, (pid_t)pid) &&
		s.parent == getpid())
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

/* What p left and what nobody's handle can claim any more, among our children; `names`
 * and what is returned are of what p left. Zombies are reaped in passing. */
static ba_leftovers list_leftovers(pid_list *out, const ba_proc *p, char names[96])
{
	BA_AUTO(pid_list) pid_list children = {0};
	ba_leftovers found = {0};
	list_children(&children);
	for (size_t i = 0; i < children.count; i++) {
		pid_t pid = children.items[i];
		stat_line s;
		/* what is in our group was forked by a library, and is its to reap */
		if (pid == p->pid || !read_stat(&s, pid) || s.group == getpgrp())
			continue;
		owner whose = owner_of(pid, &s, p);
		if (whose == OWNER_OTHERS)
			continue;
		if (s.state == 'Z') {
			out->stale = true;
			waitpid(pid, NULL, WNOHANG);
			continue;
		}
		pid_list_add(out, pid);
		if (whose == OWNER_NONE)
			continue;
		found.count++;
		found.waiting |= strchr("RTt", s.state) != NULL;
		found.ticks += s.used;
		add_name(names, s.name);
	}
	return found;
}

ba_leftovers ba_reap_leftovers(ba_proc *p)
{
	BA_AUTO(pid_list) pid_list left = {0};
	*p->result.left_names = 0;
	ba_leftovers found = list_leftovers(&left, p, p->result.left_names);
	p->result.left_running = found.count;
	return found;
}

/* Reap those that are dead; true when all are. A zombie has no environment any more, so
 * that it would be found as one of several children's. */
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
		if ((reap_killed(&killed) && !left.count && !left.stale) || ba_now_ns() > give_up)
			return;
		nanosleep(&(struct timespec){.tv_nsec = BA_MS}, NULL);
	}
}
