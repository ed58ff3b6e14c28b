/* The coordinator's side: assigns invocations, notices who leaves, takes the next one. */
#include "cluster/coordinator.h"

#include "cluster/assignments.h"
#include "proc/affinity.h"

#define WAIT_NS (20 * BA_MS)
#define MEMBERS_EVERY_NS (100 * BA_MS)
#define ORDERS_EVERY_NS (10 * BA_SECOND)
#define NO_ORIGIN SIZE_MAX

typedef struct known {
	char *id, *name;
	size_t index; /* index of its origin in the result; NO_ORIGIN: it never joined */
	size_t made;  /* invocations that count */
	bool left;
} known;

struct ba_coordinator {
	char *exchange; /* its directory, absolute */
	ba_member_source source;
	ba_assignments assignments;
	ba_coordinator_spec spec;
	known *known;
	size_t count, capacity;
	int64_t read_ns;  /* time of the last reading of the members' files */
	int64_t wrote_ns; /* time of the last writing of the orders */
	/* epoch of the exchange; above the run's if the exchange was resumed */
	unsigned epoch, first_epoch;
	ba_member_order what;
	bool changed; /* the orders must be written again */
	ba_strv busy; /* processors in use, as in the orders */
	ba_strv left; /* sentences: which members left, and why */
	ba_members calls;
};

static known *find(const ba_coordinator *c, const char *id)
{
	return BA_FIND(c->known, c->count, one, strcmp(one->id, id) == 0);
}

static known *add(ba_coordinator *c, const char *id, const char *name)
{
	known *k = BA_PUSH(c->known, c->count, c->capacity);
	*k = (known){.id = ba_xstrdup(id), .name = ba_xstrdup(name), .index = NO_ORIGIN};
	return k;
}

/* ---- members come and go ---- */

static void leave(ba_coordinator *c, known *k, const char *why)
{
	char *text = k->made ? ba_xprintf("%s left the run after %zu %s: %s", k->name, k->made,
				       ba_plural(k->made, "invocation", "invocations"), why)
			     : ba_xprintf("%s took no part: %s", k->name, why);
	k->left = true;
	ba_assignments_leave(&c->assignments, k->id);
	c->changed = true;
	if (k->index != NO_ORIGIN)
		ba_text_replace(&c->spec.r->run.origins[k->index].left, why);
	ba_log_printf(c->spec.services->log, BA_LOG_WARNING, "%s", text);
	ba_strv_push(&c->spec.r->run.notes, text);
	ba_strv_push_take(&c->left, text);
}

/* This process leaves the core on which a member of this host measures. The orders tell
 * the other members of its host to leave it, too. */
static void mind_core(ba_coordinator *c, const ba_member *m)
{
	const char *here = c->spec.r->run.env.host_name;
	if (m->cpu < 0)
		return;
	if (here && strcmp(m->origin.host_name, here) == 0)
		ba_affinity_avoid(m->cpu, "/sys");
	ba_strv_printf(&c->busy, "%s %d", m->origin.host_name, m->cpu);
}

/* The origin of a member; a resumed run already knows the origins of its first part. */
static size_t origin_of(ba_coordinator *c, const ba_member *m)
{
	ba_measured *run = &c->spec.r->run;
	ba_origin mine = {0};
	ba_origin *was = BA_FIND(run->origins, run->origin_count, one,
		strcmp(one->name, m->origin.name) == 0 && ba_origin_is_beside(one, &m->origin));
	if (was) {
		free(BA_TAKE(was->left));
		return (size_t)(was - run->origins);
	}
	ba_origin_copy(&mine, &m->origin);
	size_t i = ba_measured_add_origin(run, &mine);
	if (c->spec.journal)
		ba_job_journal_origin(c->spec.journal, &run->origins[i]);
	return i;
}

static known *join(ba_coordinator *c, const ba_member *m)
{
	known *k = add(c, m->id, m->origin.name);
	/* it may still run: members that joined and left are ordered to end */
	if (m->damaged)
		ba_assignments_join(&c->assignments, k->id);
	if (m->origin.left)
		return k;
	k->index = origin_of(c, m);
	ba_log_printf(c->spec.services->log, BA_LOG_DEBUG, "%s measures", k->name);
	mind_core(c, m);
	ba_assignments_join(&c->assignments, k->id);
	c->changed = true;
	return k;
}

/* A member that does not fit the others is an error if the user named the devices. */
static int refuse(const ba_coordinator *c, const ba_member *m, ba_error *err)
{
	const char *named = c->spec.devices;
	if (!m->misfit || !named || strcmp(named, "all") == 0)
		return 0;
	return ba_fail(
		err, BA_EINVAL, "--device %s: %s: %s", named, m->origin.name, m->origin.left);
}

BA_DEFINE_ORDER(by_device, ba_member,
	strcmp(a->origin.host_name, b->origin.host_name)
		?: BA_ORDER(a->origin.device, b->origin.device))

/* The first members are accepted together, so that their order is always the same. */
static bool are_awaited(const ba_coordinator *c, const ba_member_list *l)
{
	size_t ready = c->count + BA_HOW_MANY(l->items, l->count, m, !find(c, m->id));
	return c->assignments.count == 0 && ready < c->source.expected;
}

static int heed(ba_coordinator *c, const ba_member *m, ba_error *err)
{
	known *k = find(c, m->id);
	k = k ? k : join(c, m);
	if (k->left || !m->origin.left)
		return 0;
	leave(c, k, m->origin.left);
	return refuse(c, m, err);
}

static int read_members(ba_coordinator *c, ba_error *err)
{
	BA_AUTO(ba_member_list) ba_member_list l = {0};
	c->read_ns = ba_now_ns();
	BA_TRY(ba_exchange_read_members(&l, c->exchange, err));
	if (are_awaited(c, &l))
		return 0;
	qsort(l.items, l.count, sizeof(*l.items), by_device);
	for (size_t i = 0; i < l.count; i++)
		BA_TRY(heed(c, &l.items[i], err));
	return 0;
}

/* A member ended; reads the reason that it may have written. */
static int heed_end(ba_coordinator *c, const char *id, const char *how, ba_error *err)
{
	BA_AUTO(ba_member_list) ba_member_list l = {0};
	BA_TRY(ba_exchange_read_members(&l, c->exchange, err));
	const ba_member *m =
		BA_FIND(l.items, l.count, one, strcmp(one->id, id) == 0 && !one->damaged);
	if (m && m->origin.left)
		BA_TRY(heed(c, m, err));
	known *k = find(c, id);
	k = k ? k : add(c, id, m ? m->origin.name : id);
	if (!k->left)
		leave(c, k, how);
	return 0;
}

/* an error if nobody is left and nobody can join */
static int check_deserted(const ba_coordinator *c, ba_error *err)
{
	BA_AUTO_FREE char *who = ba_strv_join(&c->left, "\n");
	bool any = ba_assignments_here(&c->assignments) || !c->source.expected ||
		   c->count < c->source.expected;
	return any ? 0 : ba_fail(err, BA_EGPU, "nobody is left to measure:\n%s", who);
}

static int pass_time(ba_coordinator *c, ba_error *err)
{
	BA_AUTO_FREE char *id = NULL, *how = NULL;
	const char *journal = c->spec.journal ? c->spec.journal->path : NULL;
	ba_error why = {0};
	BA_TRY(check_deserted(c, err));
	if (ba_job_is_stopped(c->spec.services))
		return ba_fail(err, BA_EINTERRUPTED, "interrupted");
	int rc = c->source.wait(c->source.self, WAIT_NS, &id, &how, &why);
	if (rc == 0)
		return id ? heed_end(c, id, how, err) : 0;
	*err = why;
	/* no more members can join, and the journal keeps its invocations */
	if (rc == BA_EUNSUPPORTED && journal && c->what.invocation)
		return ba_fail(err, rc, "%s; --resume %s continues after invocation %u", why.text,
			journal, c->what.invocation);
	return rc;
}

/* ---- orders ---- */

static int write_orders(ba_coordinator *c, bool end, ba_error *err)
{
	BA_AUTO(ba_orders)
	ba_orders o = {.end = end,
		.epoch = c->epoch,
		.looks = c->what.looks,
		.open = ba_xstrdup(c->what.open ? c->what.open : "")};
	ba_strv_copy(&o.split, &c->what.split);
	ba_strv_copy(&o.busy, &c->busy);
	ba_assignments_put(&o, &c->assignments);
	c->changed = false;
	c->wrote_ns = ba_now_ns();
	return ba_exchange_write_orders(c->exchange, &o, err);
}

/* Each member may be one invocation ahead, so that none idles while the last before a look runs. */
static int give(ba_coordinator *c, ba_error *err)
{
	size_t here = ba_assignments_here(&c->assignments), end = c->what.planned + here;
	if (c->count < c->source.expected)
		return 0;
	BA_EACH (const ba_assignments_member, m, c->assignments.members, c->assignments.count)
		while (m->count && ba_exchange_has(c->exchange, c->epoch, m->numbers[0]))
			ba_assignments_done(&c->assignments, m->numbers[0]);
	if (ba_assignments_give(&c->assignments, end < c->what.most ? end : c->what.most))
		c->changed = true;
	/* members that read nothing new for long assume that the coordinator is dead */
	bool due = ba_now_ns() - c->wrote_ns > ORDERS_EVERY_NS;
	return c->changed || due ? write_orders(c, false, err) : 0;
}

static void take_order(ba_coordinator *c, const ba_member_order *what)
{
	ba_member_order *w = &c->what;
	bool begins = !w->open || w->epoch != what->epoch;
	if (begins)
		ba_assignments_begin(&c->assignments, what->invocation);
	if (begins || w->looks != what->looks || strcmp(w->open, what->open) != 0)
		c->changed = true;
	c->epoch = c->first_epoch + what->epoch;
	ba_member_order_dispose(w);
	*w = *what;
	w->open = ba_xstrdup(what->open);
	w->split = (ba_strv){0};
	ba_strv_copy(&w->split, &what->split);
}

/* ---- the next invocation ---- */

static known *maker_of(ba_coordinator *c, const ba_journal_content *content)
{
	const ba_fingerprint *f = &content->fingerprint;
	bool fits = content->seed == c->spec.r->run.seed &&
		    content->variant_count == c->spec.r->run.variant_count && f->values.count == 1;
	known *k = fits ? find(c, f->values.items[0]) : NULL;
	return k && k->index != NO_ORIGIN ? k : NULL;
}

/* Begins an epoch, because members measure a number only once in an epoch. */
static void begin_epoch(ba_coordinator *c, unsigned number)
{
	ba_assignments_begin(&c->assignments, number);
	c->first_epoch++;
	c->epoch++;
	c->changed = true;
}

/* *taken: it exists and is complete. If not, it and all beyond it are measured again. */
static int take(ba_coordinator *c, bool *taken, ba_resumed *out, ba_error *err)
{
	BA_AUTO(ba_journal_content) ba_journal_content content = {0};
	ba_error why = {0};
	unsigned epoch = c->epoch, number = c->what.invocation;
	int rc = ba_exchange_take(&content, c->exchange, epoch, number, &why);
	known *k = rc ? NULL : maker_of(c, &content);
	BA_TRY(ba_exchange_drop(c->exchange, epoch, number, err));
	ba_assignments_done(&c->assignments, number);
	if (!k) {
		ba_log_printf(c->spec.services->log, BA_LOG_WARNING,
			"invocation %u is measured again: %s", number,
			rc ? why.text : "what a member wrote does not belong to this run");
		begin_epoch(c, number);
		return 0;
	}
	k->made++;
	for (size_t i = 0; i < content.resumed.sample_count; i++)
		content.resumed.samples[i].samples.origin = (unsigned)k->index;
	*out = BA_MOVE(content.resumed);
	*taken = true;
	return 0;
}

static int fetch(void *data, const ba_member_order *what, ba_resumed *out, ba_error *err)
{
	ba_coordinator *c = data;
	bool taken = false;
	take_order(c, what);
	while (!taken) {
		if (ba_now_ns() - c->read_ns > MEMBERS_EVERY_NS)
			BA_TRY(read_members(c, err));
		BA_TRY(give(c, err));
		BA_TRY(ba_exchange_has(c->exchange, c->epoch, what->invocation)
				? take(c, &taken, out, err)
				: pass_time(c, err));
	}
	return 0;
}

int ba_coordinator_assemble(ba_coordinator *c, ba_error *err)
{
	BA_TRY(read_members(c, err));
	while (c->count < c->source.expected) {
		BA_TRY(pass_time(c, err));
		BA_TRY(read_members(c, err));
	}
	return check_deserted(c, err);
}

static void dismiss(void *data)
{
	ba_coordinator *c = data;
	if (!c->source.end)
		return;
	write_orders(c, true, NULL);
	c->source.end(c->source.self);
	c->source = (ba_member_source){0};
}

/* ---- all of it ---- */

/* Starts a new epoch: members repeat what they handed over to the dead coordinator. */
static int take_up(ba_coordinator *c, ba_error *err)
{
	BA_AUTO(ba_orders) ba_orders then = {0};
	int rc = ba_exchange_read_orders(&then, c->exchange, err);
	c->first_epoch = then.epoch + 1;
	return rc == BA_ENOTFOUND ? 0 : rc;
}

int ba_coordinator_new(ba_coordinator **out, const char *dir, const ba_exchange_plan *plan,
	const ba_coordinator_spec *spec, ba_error *err)
{
	BA_AUTO_PTR(ba_coordinator) ba_coordinator *c = ba_xcalloc(1, sizeof(*c));
	*c = (ba_coordinator){
		.spec = *spec, .calls = {.data = c, .fetch = fetch, .dismiss = dismiss}};
	BA_AUTO_FREE char *exchange = ba_path_absolute(dir);
	BA_TRY(plan ? ba_exchange_create(exchange, err) : ba_exchange_check(exchange, err));
	c->exchange = BA_TAKE(exchange); /* from here on it is removed with the coordinator */
	BA_TRY(plan ? ba_exchange_plan_write(c->exchange, plan, err) : take_up(c, err));
	*out = BA_TAKE(c);
	return 0;
}

void ba_coordinator_free(ba_coordinator *c)
{
	if (!c)
		return;
	dismiss(c);
	if (c->exchange)
		ba_fs_remove_tree(c->exchange, NULL);
	ba_assignments_dispose(&c->assignments);
	for (size_t i = 0; i < c->count; i++)
		BA_FREE(c->known[i].id, c->known[i].name);
	ba_member_order_dispose(&c->what);
	BA_DISPOSE(ba_strv, &c->busy, &c->left);
	BA_FREE(c->exchange, c->known, c);
}

void ba_coordinator_set_source(ba_coordinator *c, const ba_member_source *m)
{
	c->source = *m;
}

const ba_members *ba_coordinator_calls(ba_coordinator *c)
{
	return &c->calls;
}
