#include "cluster/slurm_relays.h"

struct ba_relays {
	ba_strv argv;
	ba_proc **procs; /* [count] the relay of each task; NULL: not started */
	/* [count] the number of starts of the task when its relay was started */
	unsigned *starts;
	size_t count;
};

ba_relays *ba_relays_new(const ba_strv *argv, size_t tasks)
{
	ba_relays *r = ba_xcalloc(1, sizeof(*r));
	ba_strv_copy(&r->argv, argv);
	r->procs = ba_xcalloc(tasks, sizeof(ba_proc *));
	r->starts = ba_xcalloc(tasks, sizeof(*r->starts));
	r->count = tasks;
	return r;
}

void ba_relays_free(ba_relays *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->count; i++)
		ba_proc_free(r->procs[i]);
	BA_FREE(r->procs, r->starts);
	ba_strv_dispose(&r->argv);
	free(r);
}

int ba_relays_see(ba_relays *r, size_t task, const ba_slurm_task *t, const char *id, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv argv = {0};
	if (t->state != BA_SLURM_TASK_RUNNING || r->starts[task] == t->restarts + 1)
		return 0;
	ba_strv_copy(&argv, &r->argv);
	ba_strv_push(&argv, t->job);
	ba_strv_push(&argv, id);
	const ba_proc_spec spec = {.name = id,
		.argv = (const char *const *)argv.items,
		.out = {BA_OUTPUT_TAIL, 1 << 10},
		.err = {BA_OUTPUT_JOIN, 0}};
	ba_proc_free(BA_TAKE(r->procs[task]));
	r->starts[task] = t->restarts + 1;
	return ba_proc_start(&r->procs[task], &spec, err);
}

void ba_relays_pump(ba_relays *r)
{
	size_t ended;
	ba_error ignored;
	while (ba_proc_poll(&ended, r->procs, r->count, 0, &ignored) == 0)
		;
}

void ba_relays_said(ba_buf *out, ba_relays *r, size_t task)
{
	ba_proc *p = r->procs[task];
	if (!p || !ba_proc_ended(p) || ba_proc_result_of(p)->out.len == 0)
		return;
	const ba_buf *said = &ba_proc_result_of(p)->out;
	size_t size = said->len - (said->data[said->len - 1] == '\n');
	BA_AUTO_FREE char *text = ba_xstrndup(said->data, size);
	BA_AUTO_FREE char *safe = ba_text_sentence(ba_text_last_lines(text, 1));
	ba_buf_printf(out, ": %s", safe);
}
