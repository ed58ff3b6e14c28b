#include "cluster/slurm_array.h"

#include "cluster/exchange.h"

enum {
	ANSWER_CEILING = 4 << 20,
	NO_OUTPUT = 53, /* the "signal" of a task whose output file its slurmd cannot open */
};

BA_OWNS(ba_slurm_array, a, BA_FREE_EACH(t, a->tasks, a->count, BA_FREE(t->job, t->node, t->reason)),
	ba_proc_free(a->asking), BA_FREE(a->job, a->cluster))

void ba_slurm_array_again(ba_slurm_array *out, const char *job, const char *cluster, size_t tasks)
{
	*out = (ba_slurm_array){.job = ba_xstrdup(job), .cluster = ba_xstrdup(cluster)};
	out->tasks = ba_xcalloc(tasks, sizeof(*out->tasks));
	out->count = tasks;
	BA_EACH (ba_slurm_task, t, out->tasks, tasks)
		*t = (ba_slurm_task){
			.job = ba_xstrdup(""), .node = ba_xstrdup(""), .reason = ba_xstrdup("")};
}

/* Is it the number of a job? Shells read it, so nothing else may be accepted. */
static bool is_job(const char *text)
{
	uint64_t number;
	return ba_parse_u64(&number, text, 1, UINT64_MAX, "job", NULL) == 0;
}

/* The environment without filters and formats of squeue, and what makes sbatch wait. */
static char **environment(void)
{
	size_t n = 0, kept = 0;
	while (environ[n])
		n++;
	char **env = ba_xcalloc(n + 1, sizeof(*env));
	for (size_t i = 0; i < n; i++)
		if (!ba_text_starts(environ[i], "SQUEUE_") &&
			!ba_text_starts(environ[i], "SBATCH_WAIT="))
			env[kept++] = environ[i];
	return env;
}

static int start(ba_proc **out, const ba_strv *argv, ba_error *err)
{
	BA_AUTO_FREE char **env = environment();
	ba_proc_spec spec = {.argv = (const char *const *)argv->items,
		.env = (const char *const *)env,
		.limit_ns = 120 * BA_SECOND,
		.out = {BA_OUTPUT_HEAD, ANSWER_CEILING},
		.err = {BA_OUTPUT_TAIL, 1 << 10}};
	return ba_proc_start(out, &spec, err);
}

/* Takes the output; if the program failed, an error with its output. */
static int take_answer(ba_buf *answer, ba_proc *p, int code, ba_error *err)
{
	const ba_proc_result *result = ba_proc_result_of(p);
	if (ba_proc_result_ok(result)) {
		ba_buf_put(answer, result->out.data, result->out.len);
		return 0;
	}
	BA_AUTO(ba_buf) ba_buf said = BA_BUF_INIT;
	ba_text_sanitize(&said, result->err.data, result->err.len, true);
	while (said.len && said.data[said.len - 1] == '\n')
		ba_buf_truncate(&said, said.len - 1);
	if (said.len == 0)
		ba_proc_result_text(&said, result);
	return ba_fail(err, code, "%s: %s", ba_proc_name(p), said.data);
}

/* Runs a Slurm program to its end. */
static int ask(ba_buf *answer, const ba_strv *argv, int code, ba_error *err)
{
	BA_AUTO_PTR(ba_proc) ba_proc *p = NULL;
	BA_TRY(start(&p, argv, err));
	BA_TRY(ba_proc_wait(p, -1, err));
	return take_answer(answer, p, code, err);
}

static void push_cluster(ba_strv *argv, const ba_slurm_array *a)
{
	if (a->cluster)
		ba_strv_printf(argv, "--clusters=%s", a->cluster);
}

/* ---- sbatch ---- */

static void submission(ba_strv *argv, const ba_slurm_spec *spec, const ba_slurm_job *job)
{
	BA_STRV_PUSH(argv, "sbatch", "--job-name=bench-against", "--chdir=/", "--requeue",
		"--open-mode=append", "--parsable");
	ba_strv_push_take(argv, job->output_dir ? ba_xprintf("--output=%s/%%a.txt", job->output_dir)
						: ba_xstrdup("--output=/dev/null"));
	BA_AUTO(ba_buf) ba_buf array = BA_BUF_INIT;
	ba_buf_printf(&array, "--array=0-%zu", spec->tasks - 1);
	if (spec->at_once)
		ba_buf_printf(&array, "%%%zu", spec->at_once);
	/* with --wrap, sbatch rejects a stray word instead of running it */
	BA_STRV_PUSH(argv, array.data, "--wrap", job->command);
	ba_strv_copy(argv, &spec->options);
}

int ba_slurm_submit(
	ba_slurm_array *out, const ba_slurm_spec *spec, const ba_slurm_job *job, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv argv = {0}, lines = {0}, parts = {0};
	BA_AUTO(ba_buf) ba_buf answer = BA_BUF_INIT;
	submission(&argv, spec, job);
	BA_TRY(ask(&answer, &argv, BA_EINVAL, err));
	/* "123" or "123;cluster"; a site's plugin may print other lines before */
	ba_strv_split(&lines, answer.data, '\n');
	const char *last = "";
	for (size_t i = 0; i < lines.count; i++)
		last = *lines.items[i] ? lines.items[i] : last;
	ba_strv_split(&parts, last, ';');
	const char *number = parts.count ? parts.items[0] : "";
	if (!is_job(number)) {
		BA_AUTO_FREE char *safe = ba_text_safe(last);
		return ba_fail(err, BA_EPROTOCOL,
			"sbatch answered '%s' and not the number of a job", safe);
	}
	ba_slurm_array_again(out, number, parts.count > 1 ? parts.items[1] : NULL, spec->tasks);
	return 0;
}

/* ---- squeue ---- */

static ba_slurm_task_state state_of(const char *word)
{
	static const struct {
		const char *word;
		ba_slurm_task_state state;
	} rows[] = {{"PENDING", BA_SLURM_TASK_PENDING}, {"REQUEUED", BA_SLURM_TASK_PENDING},
		{"REQUEUE_FED", BA_SLURM_TASK_PENDING}, {"REQUEUE_HOLD", BA_SLURM_TASK_PENDING},
		{"SPECIAL_EXIT", BA_SLURM_TASK_PENDING}, {"COMPLETED", BA_SLURM_TASK_DONE},
		{"FAILED", BA_SLURM_TASK_FAILED}, {"OUT_OF_MEMORY", BA_SLURM_TASK_FAILED},
		{"NODE_FAIL", BA_SLURM_TASK_NODE_LOST}, {"BOOT_FAIL", BA_SLURM_TASK_NODE_LOST},
		{"TIMEOUT", BA_SLURM_TASK_TIMED_OUT}, {"DEADLINE", BA_SLURM_TASK_TIMED_OUT},
		{"CANCELLED", BA_SLURM_TASK_CANCELLED}, {"PREEMPTED", BA_SLURM_TASK_CANCELLED},
		{"REVOKED", BA_SLURM_TASK_CANCELLED}};
	__auto_type row = BA_FIND(rows, BA_COUNT(rows), x, strcmp(x->word, word) == 0);
	return row ? row->state : BA_SLURM_TASK_RUNNING;
}

/* the task "123_4" of this array */
static ba_slurm_task *task_of(const ba_slurm_array *a, const char *id)
{
	size_t size = strlen(a->job);
	uint64_t index;
	if (strncmp(id, a->job, size) != 0 || id[size] != '_' ||
		ba_parse_u64(&index, id + size + 1, 0, a->count - 1, "task", NULL))
		return NULL;
	return &a->tasks[index];
}

enum { ID, STATE, RESTARTS, STATUS, NODE, REASON, JOB, COLUMNS };

static void read_line(ba_slurm_array *a, bool *seen, const char *line)
{
	BA_AUTO(ba_strv) ba_strv cells = {0};
	ba_strv_split(&cells, line, '|');
	ba_slurm_task *t = cells.count < COLUMNS ? NULL : task_of(a, cells.items[ID]);
	uint64_t restarts = 0, status = 0;
	if (!t || !is_job(cells.items[JOB]) ||
		ba_parse_u64(&restarts, cells.items[RESTARTS], 0, UINT32_MAX, "", NULL) ||
		ba_parse_u64(&status, cells.items[STATUS], 0, UINT32_MAX, "", NULL))
		return;
	bool plain = strcmp(cells.items[REASON], "None") == 0;
	seen[t - a->tasks] = true;
	t->state = state_of(cells.items[STATE]);
	t->restarts = (unsigned)restarts;
	t->exit_code = status & 0x7f ? 128 + (int)(status & 0x7f) : (int)(status >> 8 & 0xff);
	ba_text_replace(&t->job, cells.items[JOB]);
	ba_text_replace(&t->node, cells.items[NODE]);
	ba_text_replace(&t->reason, plain ? "" : cells.items[REASON]);
}

void ba_slurm_read(ba_slurm_array *a, const char *lines)
{
	BA_AUTO(ba_strv) ba_strv rows = {0};
	BA_AUTO_FREE bool *seen = ba_xcalloc(a->count, sizeof(*seen));
	ba_strv_split(&rows, lines, '\n');
	for (size_t i = 0; i < rows.count; i++)
		read_line(a, seen, rows.items[i]);
	for (size_t i = 0; i < a->count; i++)
		if (!seen[i] && !ba_slurm_task_ended(&a->tasks[i]))
			a->tasks[i].state = BA_SLURM_TASK_GONE;
}

static int start_squeue(ba_slurm_array *a, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv argv = {0};
	ba_strv_push(&argv, "squeue");
	push_cluster(&argv, a);
	ba_strv_printf(&argv, "--jobs=%s", a->job);
	BA_STRV_PUSH(&argv, "--noheader", "--array", "--states=all",
		"--Format=JobArrayID:|,State:|,RestartCnt:|,exit_code:|,NodeList:|,Reason:|,JobID:|");
	return start(&a->asking, &argv, err);
}

int ba_slurm_poll(ba_slurm_array *a, int64_t timeout_ns, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf answer = BA_BUF_INIT;
	ba_error why = {0};
	if (!a->asking)
		BA_TRY(start_squeue(a, err));
	BA_TRY(ba_proc_wait(a->asking, timeout_ns, err));
	BA_AUTO_PTR(ba_proc) ba_proc *done = BA_TAKE(a->asking);
	int rc = take_answer(&answer, done, BA_EIO, &why);
	/* all tasks ended so long ago that Slurm has forgotten them */
	if (rc && !strstr(why.text, "Invalid job id"))
		return ba_fail(err, rc, "%s", why.text);
	ba_slurm_read(a, answer.data);
	return 0;
}

/* ---- scancel ---- */

int ba_slurm_cancel(const ba_slurm_array *a, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv argv = {0};
	BA_AUTO(ba_buf) ba_buf answer = BA_BUF_INIT;
	ba_strv_push(&argv, "scancel");
	push_cluster(&argv, a);
	BA_STRV_PUSH(&argv, "--quiet", a->job);
	return ask(&answer, &argv, BA_EIO, err);
}

/* ---- tasks ---- */

bool ba_slurm_task_ended(const ba_slurm_task *t)
{
	return t->state != BA_SLURM_TASK_PENDING && t->state != BA_SLURM_TASK_RUNNING;
}

bool ba_slurm_task_has_no_output(const ba_slurm_task *t)
{
	return t->state == BA_SLURM_TASK_FAILED && t->exit_code == 128 + NO_OUTPUT;
}

size_t ba_slurm_count(const ba_slurm_array *a, ba_slurm_task_state state)
{
	return BA_HOW_MANY(a->tasks, a->count, t, t->state == state);
}

void ba_slurm_task_text(ba_buf *out, const ba_slurm_task *t)
{
	const char *node = *t->node ? t->node : "its node";
	switch (t->state) {
	case BA_SLURM_TASK_PENDING:
		ba_buf_puts(out, t->restarts ? "waits after a requeue" : "waits");
		if (*t->reason)
			ba_buf_printf(out, " (%s)", t->reason);
		return;
	case BA_SLURM_TASK_RUNNING:
		ba_buf_printf(out, "runs on %s", node);
		return;
	case BA_SLURM_TASK_DONE:
		ba_buf_printf(out, "ended on %s", node);
		return;
	case BA_SLURM_TASK_FAILED:
		if (ba_slurm_task_has_no_output(t))
			ba_buf_printf(out, "could not open its output file on %s (signal %d)", node,
				NO_OUTPUT);
		else if (t->exit_code > 128)
			ba_buf_printf(
				out, "was killed by signal %d on %s", t->exit_code - 128, node);
		else
			ba_buf_printf(out, "ended with status %d on %s", t->exit_code, node);
		return;
	case BA_SLURM_TASK_NODE_LOST:
		ba_buf_printf(out, "was lost: %s failed", node);
		return;
	case BA_SLURM_TASK_TIMED_OUT:
		ba_buf_printf(out, "ran out of time on %s", node);
		return;
	case BA_SLURM_TASK_CANCELLED:
		ba_buf_puts(out, "was cancelled");
		return;
	case BA_SLURM_TASK_GONE:
		ba_buf_puts(out, "is no longer known to Slurm");
		return;
	}
}

/* ---- the record in an exchange ---- */

int ba_slurm_record_write(const char *exchange, const ba_slurm_array *a, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(exchange, "array");
	BA_AUTO_FREE char *text =
		ba_xprintf("%s %zu %s", a->job, a->count, a->cluster ? a->cluster : "");
	return ba_fs_write_atomic(path, text, strlen(text), err);
}

bool ba_slurm_record_read(ba_slurm_array *out, const char *exchange)
{
	BA_AUTO_FREE char *path = ba_path_join(exchange, "array");
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv words = {0};
	uint64_t count = 0;
	if (ba_exchange_check(exchange, NULL) || ba_fs_read(&text, path, 4096, NULL))
		return false;
	ba_strv_split(&words, text.data, ' ');
	if (words.count != 3 || !is_job(words.items[0]) ||
		ba_parse_u64(&count, words.items[1], 1, BA_SLURM_TASKS_MOST, "", NULL))
		return false;
	ba_slurm_array_again(
		out, words.items[0], *words.items[2] ? words.items[2] : NULL, (size_t)count);
	return true;
}
