/*
 * The end of children and of what they leave behind.
 *
 * A process whose parent has ended becomes our child, whatever its environment, group
 * or session: we are the subreaper. So every child of ours that is not the leader of a
 * handle and is not in our own group (a library's fork) is an orphan. Whose it is:
 *
 *   - its group is the child's number, which cannot be given away while the child is
 *     not reaped, or
 *   - our tag is in its environment, or
 *   - neither says anything (`env -i setsid x`, or a program that is being executed
 *     just now), and one child alone can have left it: the others started after it did.
 *
 * Where several children could have left it, it lives until the last of them has ended.
 * What lies below a leftover becomes our child once that is killed, so we look again
 * until there is nothing.
 */
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "proc/handle.h"
#include "proc/procfs.h"

/* Handles whose child is not reaped: only these can have left processes. */
static ba_proc *living;
/* start of the first child; older processes were our children before exec() */
static unsigned long long first_ticks;
static pthread_mutex_t living_lock = PTHREAD_MUTEX_INITIALIZER;

void ba_reap_adopt(void)
{
	/* If a sandbox forbids this, orphans cannot be found; the group of a child is
	 * still ended. */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

bool ba_reap_has_ended(const ba_proc *p)
{
	siginfo_t info = {0};
	int rc = waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT);
	/* ECHILD: other code has reaped it */
	return (!rc && info.si_pid == p->pid) || (rc && errno == ECHILD);
}

void ba_reap_collect(ba_proc *p)
{
	ba_proc_result *r = &p->result;
	struct rusage used = {0};
	pid_t waited;
	int status = 0;
	if (p->reaped)
		return;
	while ((waited = wait4(p->pid, &status, 0, &used)) < 0 && errno == EINTR)
		;
	r->cpu_ns = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * BA_SECOND +
		    (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
	r->memory_peak = (uint64_t)used.ru_maxrss << 10;
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

void ba_reap_register(ba_proc *p)
{
	ba_procfs_stat s;
	/* unknown: every process may be its leftover */
	p->started_ticks = ba_procfs_read(&s, p->pid) ? s.started : 0;
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

/* Which handle left this process? */
typedef enum owner {
	OWNER_NONE,  /* one that has ended */
	OWNER_MINE,  /* only the handle in question */
	OWNER_OTHERS /* another handle, or one of several */
} owner;

/* Called with living_lock held. */
static owner owner_by_age(const ba_proc *p, const ba_procfs_stat *s)
{
	bool mine = p->started_ticks <= s->started;
	for (const ba_proc *q = living; q; q = q->next)
		if (q != p && q->started_ticks <= s->started)
			return OWNER_OTHERS;
	return mine ? OWNER_MINE : OWNER_NONE;
}

static owner owner_of(pid_t pid, const ba_procfs_stat *s, const ba_proc *p)
{
	char tag[48];
	owner found;
	if (s->group == p->pid)
		return OWNER_MINE;
	if (ba_procfs_variable(tag, sizeof(tag), pid, BA_PROC_TAG) && !strcmp(tag, p->tag))
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
	bool stale; /* a process ended meanwhile: its children may be missing */
} pid_list;

BA_OWNS_HERE(pid_list, l, free(l->items))

static void pid_list_add(pid_list *l, pid_t pid)
{
	*BA_PUSH(l->items, l->count, l->capacity) = pid;
}

static bool add_child(void *data, pid_t pid)
{
	pid_list_add(data, pid);
	return true;
}

static bool add_if_child(void *data, pid_t pid)
{
	ba_procfs_stat s;
	if (ba_procfs_read(&s, pid) && s.parent == getpid())
		pid_list_add(data, pid);
	return true;
}

static void list_children(pid_list *out)
{
	if (ba_procfs_each_child(getpid(), add_child, out))
		return;
	out->count = 0; /* this kernel does not list children: examine all processes */
	ba_procfs_each(add_if_child, out);
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
		ba_procfs_stat s;
		/* processes in our group were forked by a library, which reaps them */
		if (pid == p->pid || !ba_procfs_read(&s, pid) || s.group == getpgrp())
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
		if (left.count && !p->reaped) /* the number still belongs to the child */
			kill(-p->pid, SIGKILL);
		if ((reap_killed(&killed) && !left.count && !left.stale) || ba_now_ns() > give_up)
			return;
		nanosleep(&(struct timespec){.tv_nsec = BA_MS}, NULL);
	}
}
