#include "cluster/node.h"

#include "cluster/slurm_tasks.h"

#define WAIT_NS (200 * BA_MS)
/* how long the job continues without this process */
#define KEEP_NS (60 * BA_SECOND)
/* how long Slurm may take to say why a step ended: KillWait is 30 s by default */
#define WHY_NS (45 * BA_SECOND)
/* how long Slurm may take to end the job of a worker that ended */
#define LOST_NS (5 * BA_SECOND)
#define OUTPUT_MOST ((size_t)64 << 20)

struct ba_node {
	/* NULL: the node of a task of the run's array, which must not be ended here */
	ba_slurm_tasks *tasks;
	ba_proc *tether; /* keeps the job alive while this process runs */
	char *job, *name;
	const char *wrapper[6];
};

extern const char ba_node_worker[], ba_node_holder[];
BA_EMBED(ba_node_worker, BA_SHIP_DIR "/node_worker.sh");
BA_EMBED(ba_node_holder, BA_SHIP_DIR "/node_hold.sh");

static int hold(ba_node *n, ba_error *err)
{
	const char *const argv[] = {"/bin/sh", "-c", ba_node_holder, "sh", n->job, NULL};
	const ba_proc_spec spec = {.name = "srun", .argv = argv};
	return ba_proc_start(&n->tether, &spec, err);
}

/* ---- the job ---- */

/* Is there a running task? */
static bool use_task(ba_node *n, const ba_slurm_array *a)
{
	const ba_slurm_task *t =
		BA_FIND(a->tasks, a->count, one, one->state == BA_SLURM_TASK_RUNNING);
	if (!t)
		return false;
	n->job = ba_xstrdup(t->job);
	const char *const wrapper[] = {"/bin/sh", "-c", ba_node_worker, "sh", n->job, NULL};
	memcpy(n->wrapper, wrapper, sizeof(wrapper));
	n->name = ba_xprintf("%s (Slurm job %s)", *t->node ? t->node : "a node", t->job);
	return true;
}

/* Waits until the task runs; Slurm may requeue it before that. */
static int wait_for_task(ba_node *n, const char *before, ba_error *err)
{
	const ba_member_source m = ba_slurm_tasks_source(n->tasks);
	BA_AUTO_FREE char *last = NULL;
	int rc = 0;
	while (rc == 0 && !use_task(n, ba_slurm_tasks_array(n->tasks))) {
		BA_AUTO_FREE char *id = NULL, *how = NULL;
		rc = m.wait(m.self, WAIT_NS, &id, &how, err);
		if (how)
			ba_text_replace(&last, how);
	}
	if (rc && last)
		ba_fail_context(err, "%s, %s", before, last);
	return rc;
}

int ba_node_borrow(ba_node **out, const ba_node_spec *spec, const ba_job_request *q,
	const ba_job_services *s, ba_error *err)
{
	BA_AUTO_PTR(ba_node) ba_node *n = ba_xcalloc(1, sizeof(*n));
	BA_AUTO(ba_slurm_spec) ba_slurm_spec options = {0};
	BA_AUTO(ba_slurm_array) ba_slurm_array array = {0};
	BA_AUTO_FREE char *task = ba_ship_task(KEEP_NS);
	BA_TRY(ba_slurm_spec_parse(&options, spec->option, spec->on, err));
	options.tasks = 1;
	options.at_once = 0;
	ba_job_phase(s, spec->waiting);
	BA_TRY(ba_slurm_submit(&array, &options, &(ba_slurm_job){.command = task}, err));
	n->tasks = ba_slurm_tasks_new(&array,
		&(ba_slurm_tasks_spec){
			.start_within_ns = q->start_within_ns, .log = s->log, .stop = s->stop});
	BA_TRY(wait_for_task(n, spec->before, err));
	BA_TRY(hold(n, err));
	*out = BA_TAKE(n);
	return 0;
}

/* After a run was killed, its own tasks may hold all available GPUs. */
ba_node *ba_node_of_array(const char *exchange)
{
	BA_AUTO_PTR(ba_node) ba_node *n = ba_xcalloc(1, sizeof(*n));
	BA_AUTO(ba_slurm_array) ba_slurm_array a = {0};
	bool any = ba_slurm_record_read(&a, exchange) && ba_slurm_poll(&a, -1, NULL) == 0 &&
		   use_task(n, &a);
	return any ? BA_TAKE(n) : NULL;
}

const char *ba_node_name(const ba_node *n)
{
	return n->name;
}

const char *ba_node_job(const ba_node *n)
{
	return n->job;
}

const char *const *ba_node_wrapper(const ba_node *n)
{
	return n->wrapper;
}

void ba_node_free(ba_node *n)
{
	if (!n)
		return;
	if (n->tasks) {
		const ba_member_source m = ba_slurm_tasks_source(n->tasks);
		m.end(m.self);
	}
	ba_proc_free(n->tether);
	ba_slurm_tasks_free(n->tasks);
	BA_FREE(n->job, n->name, n);
}

/* ---- this program, there ---- */

/* *how: how the job ended; NULL if it still runs after that time. */
static int look_at_job(ba_node *n, int64_t timeout_ns, char **how, ba_error *err)
{
	const ba_member_source m = ba_slurm_tasks_source(n->tasks);
	BA_AUTO_FREE char *id = NULL;
	return m.wait(m.self, timeout_ns, &id, how, err);
}

/* Waits until the step or its job ends, because srun may wait long for a lost node. */
static int wait_for_step(ba_node *n, ba_proc *p, char **how, ba_error *err)
{
	for (;;) {
		int rc = ba_proc_wait(p, WAIT_NS, err);
		if (rc != BA_ETIMEOUT)
			return rc;
		rc = look_at_job(n, 0, how, err);
		if (rc || *how)
			return rc;
	}
}

/* The step may have ended because its job did, which Slurm reports later. */
static int ask_why(ba_node *n, const char *said, char **how, ba_error *err)
{
	bool lost =
		strstr(said, "CANCELLED") || strstr(said, "ode failure") || strstr(said, "aborted");
	int64_t end = ba_now_ns() + (lost ? WHY_NS : 2 * BA_SECOND);
	while (!*how && ba_now_ns() < end)
		BA_TRY(look_at_job(n, WAIT_NS, how, err));
	return 0;
}

int ba_node_explain(const ba_node *n, int code, ba_error *err)
{
	int64_t end = ba_now_ns() + LOST_NS;
	const ba_error said = *err;
	if (code && n && strstr(err->text, "exited with status 127"))
		return ba_fail(err, code,
			"%s; the node does not see it: install the tool where nodes see it, or copy it with --ship",
			said.text);
	if (code == 0 || code == BA_EINTERRUPTED || code == BA_ELIBRARY || !n || !n->tasks)
		return code;
	const ba_slurm_array *of = ba_slurm_tasks_array(n->tasks);
	BA_AUTO(ba_slurm_array) ba_slurm_array a = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_slurm_array_again(&a, of->job, of->cluster, 1);
	while (ba_slurm_poll(&a, -1, NULL) == 0 && !ba_slurm_task_ended(&a.tasks[0]))
		if (ba_now_ns() >= end || usleep(500000))
			return code;
	ba_slurm_task_text(&text, &a.tasks[0]);
	return ba_fail(
		err, code, "while %s examined the benchmarks, its job %s", n->name, text.data);
}

static int fail_step(ba_node *n, ba_proc *p, char **how, ba_error *err)
{
	const ba_proc_result *r = ba_proc_result_of(p);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *said = ba_xstrdup(r->err.len ? r->err.data : "");
	if (!*how)
		BA_TRY(ask_why(n, said, how, err));
	for (size_t size = strlen(said); size && said[size - 1] == '\n';)
		said[--size] = '\0';
	BA_AUTO_FREE char *safe = ba_text_sentence(ba_text_last_lines(said, 1));
	if (*how)
		ba_buf_puts(&text, *how);
	else
		ba_proc_result_text(&text, r);
	return ba_fail(err, BA_EIO, "on %s: %s%s%s", n->name, text.data, *safe ? ": " : "", safe);
}

int ba_node_run(ba_buf *out, ba_node *n, const char *option, const ba_buf *input, ba_error *err)
{
	BA_AUTO_PTR(ba_proc) ba_proc *p = NULL;
	BA_AUTO(ba_strv) ba_strv argv = {0};
	BA_AUTO_FREE char *tool = NULL, *how = NULL;
	BA_TRY(ba_ship_tool(&tool, err));
	BA_STRV_PUSH(&argv, "srun", "--overlap", "--quiet", "--ntasks=1", "--chdir=/",
		"--kill-on-bad-exit=1");
	ba_strv_printf(&argv, "--jobid=%s", n->job);
	BA_STRV_PUSH(&argv, tool, option);
	const ba_proc_spec spec = {.argv = (const char *const *)argv.items,
		.stdin_data = input->data,
		.stdin_size = input->len,
		.out = {BA_OUTPUT_HEAD, OUTPUT_MOST},
		.err = {BA_OUTPUT_TAIL, 4 << 10}};
	BA_TRY(ba_proc_start(&p, &spec, err));
	BA_TRY(wait_for_step(n, p, &how, err));
	const ba_proc_result *r = ba_proc_result_of(p);
	const char *mark = r->out.len ? strstr(r->out.data, BA_NODE_MARK "\n") : NULL;
	if (!ba_proc_ended(p) || !ba_proc_result_ok(r) || !mark)
		return fail_step(n, p, &how, err);
	mark += strlen(BA_NODE_MARK "\n");
	ba_buf_put(out, mark, r->out.len - (size_t)(mark - r->out.data));
	return 0;
}
