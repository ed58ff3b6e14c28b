#include "cluster/coordinator.h"

#include "proc/proc.h"

#define OUTPUT_MOST ((size_t)16 << 10)
#define GRACE_NS (5 * BA_SECOND)

typedef struct member {
	char *id;
	ba_proc *proc;
} member;

struct ba_local_members {
	const volatile sig_atomic_t *stop;
	member *members;
	size_t count;
};

ba_local_members *ba_local_members_new(const volatile sig_atomic_t *stop)
{
	ba_local_members *c = ba_xcalloc(1, sizeof(*c));
	c->stop = stop;
	return c;
}

BA_OWNS_HANDLE(ba_local_members, c,
	BA_FREE_EACH(x, c->members, c->count, free(x->id), ba_proc_free(x->proc)))

int ba_local_members_start(ba_local_members *c, const char *id, const ba_strv *argv, ba_error *err)
{
	const ba_proc_spec spec = {.name = id,
		.argv = (const char *const *)argv->items,
		.out = {BA_OUTPUT_TAIL, OUTPUT_MOST},
		.err = {BA_OUTPUT_JOIN, 0}};
	ba_proc *p = NULL;
	BA_TRY(ba_proc_start(&p, &spec, err));
	*BA_APPEND(c->members, c->count) = (member){ba_xstrdup(id), p};
	return 0;
}

/* "killed by signal 9 (SIGKILL)", and the last line of its output. */
static char *ending(const ba_proc_result *r)
{
	BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
	ba_proc_result_text(&how, r);
	const char *said = r->out.len ? ba_text_last_lines(r->out.data, 1) : "";
	BA_AUTO_FREE char *line = ba_xstrndup(said, strcspn(said, "\n"));
	BA_AUTO_FREE char *safe = ba_text_sentence(line);
	return *safe ? ba_xprintf("its process %s: %s", how.data, safe)
		     : ba_xprintf("its process %s", how.data);
}

static int wait_for(void *self, int64_t timeout_ns, char **id, char **how, ba_error *err)
{
	ba_local_members *c = self;
	BA_AUTO_FREE ba_proc **procs = ba_xcalloc(c->count + 1, sizeof(ba_proc *));
	size_t ended = 0;
	ba_error why = {0};
	if (c->stop && *c->stop)
		return ba_fail(err, BA_EINTERRUPTED, "interrupted");
	for (size_t i = 0; i < c->count; i++)
		procs[i] = c->members[i].proc;
	int rc = ba_proc_poll(&ended, procs, c->count, timeout_ns, &why);
	if (rc == BA_ETIMEOUT)
		return 0;
	if (rc)
		return ba_fail(err, rc, "%s", why.text);
	*id = ba_xstrdup(c->members[ended].id);
	*how = ending(ba_proc_result_of(c->members[ended].proc));
	return 0;
}

static void end(void *self)
{
	ba_local_members *c = self;
	ba_error ignored;
	for (size_t i = 0; i < c->count; i++)
		if (!ba_proc_ended(c->members[i].proc))
			ba_proc_kill(c->members[i].proc, GRACE_NS);
	for (size_t i = 0; i < c->count; i++)
		ba_proc_wait(c->members[i].proc, 2 * GRACE_NS, &ignored);
}

ba_member_source ba_local_members_source(ba_local_members *c)
{
	return (ba_member_source){.self = c, .expected = c->count, .wait = wait_for, .end = end};
}
