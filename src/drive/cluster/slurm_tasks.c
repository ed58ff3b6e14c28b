#include "cluster/slurm_tasks.h"

/* Each query is work for slurmctld, which many users share. */
#define ASK_FIRST_NS BA_SECOND
#define ASK_LAST_NS (15 * BA_SECOND)
/* how long slurmctld may be unreachable before this is reported */
#define SILENCE_NS (60 * BA_SECOND)
/* how often a new reason for waiting is shown, and how long Slurm may take to give one */
#define QUEUE_NS (30 * BA_SECOND)
#define END_NS (10 * BA_SECOND)
#define OUTPUT_MOST ((size_t)1 << 20)

struct ba_slurm_tasks {
	ba_slurm_array array;
	ba_slurm_tasks_spec spec;
	char *output_dir;
	ba_strv relay; /* the command of a relay; empty: none are needed */
	/* [task] its relay, a process of this host; NULL: not started */
	ba_proc **relays;
	/* [task] the number of starts of the task when its relay was started */
	unsigned *relayed;
	/* [task] number of ended starts that were reported to the caller */
	unsigned *told;
	int64_t submitted_ns, answered_ns, next_ns, pause_ns;
	size_t waiting, running; /* numbers of tasks at the last answer */
	bool started;		 /* any of them */
	bool silence_told;
	char *queue; /* the last sentence about the queue; or NULL */
	int64_t queue_ns;
};

ba_slurm_tasks *ba_slurm_tasks_new(ba_slurm_array *a, const ba_slurm_tasks_spec *spec)
{
	ba_slurm_tasks *c = ba_xcalloc(1, sizeof(*c));
	c->array = BA_MOVE(*a);
	c->spec = *spec;
	c->output_dir = ba_xstrdup(spec->output_dir);
	if (spec->relay)
		ba_strv_copy(&c->relay, spec->relay);
	c->relays = ba_xcalloc(c->array.count, sizeof(*c->relays));
	c->relayed = ba_xcalloc(c->array.count, sizeof(*c->relayed));
	c->told = ba_xcalloc(c->array.count, sizeof(*c->told));
	c->submitted_ns = c->answered_ns = ba_now_ns();
	c->pause_ns = ASK_FIRST_NS;
	c->next_ns = c->submitted_ns + c->pause_ns;
	return c;
}

static void end_relays(ba_slurm_tasks *c)
{
	for (size_t i = 0; i < c->array.count; i++)
		ba_proc_free(BA_TAKE(c->relays[i]));
}

BA_OWNS_HANDLE(ba_slurm_tasks, c, end_relays(c), ba_slurm_array_dispose(&c->array),
	ba_strv_dispose(&c->relay),
	BA_FREE(c->relays, c->relayed, c->output_dir, c->told, c->queue))

const ba_slurm_array *ba_slurm_tasks_array(const ba_slurm_tasks *c)
{
	return &c->array;
}

/* ---- what Slurm says ---- */

static char *member_id(const ba_slurm_tasks *c, size_t task, unsigned start)
{
	return start ? ba_xprintf("%s_%zu.%u", c->array.job, task, start)
		     : ba_xprintf("%s_%zu", c->array.job, task);
}

/* Slurm's reason why the first waiting task waits. */
static const char *reason_of(const ba_slurm_array *a)
{
	const ba_slurm_task *t = BA_FIND(
		a->tasks, a->count, one, one->state == BA_SLURM_TASK_PENDING && *one->reason);
	return t ? t->reason : "";
}

/* Reports the queue, because until a task runs the user sees nothing else. */
static void say_queue(ba_slurm_tasks *c)
{
	const char *reason = reason_of(&c->array);
	int64_t now = ba_now_ns();
	bool due = c->queue_ns ? now - c->queue_ns >= QUEUE_NS
			       : *reason || now - c->submitted_ns >= QUEUE_NS;
	if (c->running || !c->waiting || !due)
		return;
	BA_AUTO_FREE char *text = ba_xprintf("Slurm job %s: %zu %s in the queue (%s)", c->array.job,
		c->waiting, ba_plural(c->waiting, "task waits", "tasks wait"),
		*reason ? reason : "no reason given");
	if (c->queue && strcmp(text, c->queue) == 0)
		return;
	ba_text_replace(&c->queue, text);
	c->queue_ns = now;
	ba_log_printf(c->spec.log, BA_LOG_INFO, "%s", text);
}

/* Starts a relay for the task if it runs and has none since its last start. */
static int start_relay(ba_slurm_tasks *c, size_t task, const char *id, ba_error *err)
{
	const ba_slurm_task *t = &c->array.tasks[task];
	BA_AUTO(ba_strv) ba_strv argv = {0};
	if (t->state != BA_SLURM_TASK_RUNNING || c->relayed[task] == t->restarts + 1)
		return 0;
	ba_strv_copy(&argv, &c->relay);
	BA_STRV_PUSH(&argv, t->job, id);
	const ba_proc_spec spec = {.name = id,
		.argv = (const char *const *)argv.items,
		.out = {BA_OUTPUT_TAIL, 1 << 10},
		.err = {BA_OUTPUT_JOIN, 0}};
	ba_proc_free(BA_TAKE(c->relays[task]));
	c->relayed[task] = t->restarts + 1;
	return ba_proc_start(&c->relays[task], &spec, err);
}

/* Keeps their output flowing. */
static void pump_relays(ba_slurm_tasks *c)
{
	size_t ended;
	ba_error ignored;
	while (ba_proc_poll(&ended, c->relays, c->array.count, 0, &ignored) == 0)
		;
}

static void heed(ba_slurm_tasks *c)
{
	const ba_slurm_array *a = &c->array;
	size_t waiting = ba_slurm_count(a, BA_SLURM_TASK_PENDING);
	size_t running = ba_slurm_count(a, BA_SLURM_TASK_RUNNING);
	for (size_t i = 0; i < a->count; i++)
		c->started = c->started || a->tasks[i].restarts || *a->tasks[i].node;
	if (waiting != c->waiting || running != c->running) {
		c->pause_ns = ASK_FIRST_NS;
		ba_log_printf(c->spec.log, BA_LOG_DEBUG, "Slurm job %s: %zu %s, %zu %s, %zu ended",
			a->job, running, ba_plural(running, "runs", "run"), waiting,
			ba_plural(waiting, "waits", "wait"), a->count - running - waiting);
	}
	c->waiting = waiting;
	c->running = running;
	say_queue(c);
	for (size_t i = 0; c->relay.count && i < a->count; i++) {
		BA_AUTO_FREE char *id = member_id(c, i, a->tasks[i].restarts);
		ba_error err;
		if (start_relay(c, i, id, &err))
			ba_log_printf(c->spec.log, BA_LOG_WARNING, "%s: %s", id, err.text);
	}
}

/* slurmctld may be restarting; tasks continue meanwhile. */
static void note_silence(ba_slurm_tasks *c, const ba_error *why)
{
	if (c->silence_told || ba_now_ns() - c->answered_ns < SILENCE_NS)
		return;
	c->silence_told = true;
	ba_log_printf(c->spec.log, BA_LOG_WARNING,
		"Slurm does not answer, and this run waits for it: %s", why->text);
}

static void ask(ba_slurm_tasks *c, int64_t timeout_ns)
{
	ba_error why = {0};
	int rc = ba_slurm_poll(&c->array, timeout_ns, &why);
	if (rc == BA_ETIMEOUT)
		return;
	if (rc) {
		note_silence(c, &why);
	} else {
		c->answered_ns = ba_now_ns();
		c->silence_told = false;
		heed(c);
	}
	c->next_ns = ba_now_ns() + c->pause_ns;
	c->pause_ns = 2 * c->pause_ns < ASK_LAST_NS ? 2 * c->pause_ns : ASK_LAST_NS;
}

/* ---- what the caller hears ---- */

/* Appends ": " and the last line, if there is one. */
static void put_last_line(ba_buf *out, const ba_buf *said)
{
	size_t size = said->len;
	while (size && said->data[size - 1] == '\n')
		size--;
	BA_AUTO_FREE char *text = ba_xstrndup(said->len ? said->data : "", size);
	BA_AUTO_FREE char *safe = ba_text_sentence(ba_text_last_lines(text, 1));
	if (said->len)
		ba_buf_printf(out, ": %s", safe);
}

/* What the task printed, or its relay once that has ended. */
static void add_last_words(ba_buf *out, const ba_slurm_tasks *c, size_t task, bool relay)
{
	BA_AUTO_FREE char *path =
		c->output_dir ? ba_xprintf("%s/%zu.txt", c->output_dir, task) : NULL;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_proc *p = c->relays[task];
	if (relay && p && ba_proc_ended(p))
		put_last_line(out, &ba_proc_result_of(p)->out);
	else if (!relay && path && ba_fs_read(&text, path, OUTPUT_MOST, NULL) == 0)
		put_last_line(out, &text);
}

static bool find_gone(ba_slurm_tasks *c, char **id, char **how)
{
	for (size_t i = 0; i < c->array.count; i++) {
		const ba_slurm_task *t = &c->array.tasks[i];
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		if (c->told[i] >= t->restarts + ba_slurm_task_ended(t))
			continue;
		if (c->told[i] < t->restarts)
			ba_buf_puts(&text, "Slurm put its task back into the queue");
		else {
			ba_buf_puts(&text, "its task ");
			ba_slurm_task_text(&text, t);
			if (ba_slurm_task_has_no_output(t) && c->output_dir)
				ba_buf_printf(&text,
					": nodes do not see '%s'; --desk DIR names a directory that they see, and --ship needs none",
					c->output_dir);
			else
				add_last_words(&text, c, i, t->state != BA_SLURM_TASK_FAILED);
		}
		*id = member_id(c, i, c->told[i]++);
		*how = ba_buf_detach(&text);
		return true;
	}
	return false;
}

static int never_started(ba_slurm_tasks *c, ba_error *err)
{
	const ba_slurm_array *a = &c->array;
	const char *reason = reason_of(a);
	double seconds = (double)c->spec.start_within_ns / (double)BA_SECOND;
	bool minutes = seconds >= 120;
	return ba_fail(err, BA_EUNSUPPORTED,
		"no task of Slurm job %s has started within %.3g %s: %zu %s (%s); the job was cancelled. --start-within sets how long to wait",
		a->job, minutes ? seconds / 60 : seconds, minutes ? "min" : "s", c->waiting,
		ba_plural(c->waiting, "waits", "wait"), *reason ? reason : "no reason given");
}

static int check_hope(ba_slurm_tasks *c, ba_error *err)
{
	const ba_slurm_array *a = &c->array;
	int64_t limit = c->spec.start_within_ns;
	size_t ended = BA_HOW_MANY(a->tasks, a->count, t, ba_slurm_task_ended(t));
	if (ended == a->count)
		return ba_fail(err, BA_EUNSUPPORTED,
			"all tasks of Slurm job %s %s, and invocations are missing", a->job,
			ba_slurm_count(a, BA_SLURM_TASK_CANCELLED) == ended ? "were cancelled"
									    : "have ended");
	if (limit && !c->started && ba_now_ns() - c->submitted_ns > limit)
		return never_started(c, err);
	return 0;
}

static int wait_for(void *self, int64_t timeout_ns, char **id, char **how, ba_error *err)
{
	ba_slurm_tasks *c = self;
	if (c->spec.stop && *c->spec.stop)
		return ba_fail(err, BA_EINTERRUPTED, "interrupted");
	if (c->relay.count)
		pump_relays(c);
	if (find_gone(c, id, how))
		return 0;
	BA_TRY(check_hope(c, err));
	if (c->array.asking || ba_now_ns() >= c->next_ns)
		ask(c, timeout_ns);
	else
		nanosleep(&(struct timespec){.tv_sec = timeout_ns / BA_SECOND,
				  .tv_nsec = timeout_ns % BA_SECOND},
			NULL);
	return 0;
}

static void end(void *self)
{
	ba_slurm_tasks *c = self;
	ba_error err = {0};
	int64_t limit = ba_now_ns() + END_NS;
	ba_proc_free(BA_TAKE(c->array.asking));
	end_relays(c);
	if (ba_slurm_cancel(&c->array, &err)) {
		ba_log_printf(c->spec.log, BA_LOG_WARNING,
			"cannot cancel Slurm job %s, do it by hand: %s", c->array.job, err.text);
		return;
	}
	do {
		ba_slurm_poll(&c->array, limit - ba_now_ns(), &err);
		if (ba_slurm_count(&c->array, BA_SLURM_TASK_RUNNING) == 0)
			return;
		nanosleep(&(struct timespec){.tv_nsec = BA_SECOND / 5}, NULL);
	} while (ba_now_ns() < limit);
}

ba_member_source ba_slurm_tasks_source(ba_slurm_tasks *c)
{
	return (ba_member_source){.self = c, .wait = wait_for, .end = end};
}
