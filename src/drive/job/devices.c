/* Which devices a run measures on (--device all, --device 0,2). */

#include "job/setup.h"
#include "cluster/slurm_array.h"

static void add(ba_job_setup *p, int device)
{
	*BA_APPEND(p->devices, p->device_count) = device;
}

static int add_all(ba_job_setup *p, bool host, ba_error *err)
{
	int n = p->spec.suite_count ? p->spec.suites[0].survey.device_count : 0;
	if (host)
		return ba_fail(err, BA_EINVAL,
			"--device all: the host target has no devices; --device 0,1 measures in two processes side by side");
	for (int i = 0; i < n; i++)
		add(p, i);
	if (!n)
		add(p, p->request->device);
	return 0;
}

/* Moves looks to where every place has made equally many invocations, at least two. */
static void spread_looks(ba_design *d, size_t places)
{
	size_t n = 0;
	for (size_t k = 0; k < d->looks; k++) {
		size_t at = (d->at[k] + places - 1) / places * places;
		at = at < 2 * places ? 2 * places : at;
		if (n && d->at[n - 1] == at) {
			d->weight[n - 1] += d->weight[k];
			continue;
		}
		d->at[n] = at;
		d->weight[n++] = d->weight[k];
	}
	d->looks = n;
}

static int check_fixed(const ba_job_setup *p, ba_error *err)
{
	int fixed = p->request->fixed;
	if (!fixed || (size_t)fixed >= 2 * p->device_count || p->variant_count < 2)
		return 0;
	return ba_fail(err, BA_EINVAL,
		"--fixed %d: %zu GPUs need at least %zu invocations, two each", fixed,
		p->device_count, 2 * p->device_count);
}

/* Warns about GPUs that a task leaves idle: node and tasks have the same options. */
static void note_idle(const ba_job_setup *p)
{
	int n = p->spec.suite_count ? p->spec.suites[0].survey.device_count : 0;
	if (n > 1)
		ba_log_printf(p->services->log, BA_LOG_WARNING,
			"--on: a task has %d GPUs and measures on the first, so %d of them %s idle: ask for one GPU a task (--gres=gpu:1), and for more tasks (--array)",
			n, n - 1, ba_plural((size_t)n - 1, "stays", "stay"));
}

/* The members are tasks of a job array: each may have its own GPU. */
static int choose_tasks(ba_job_setup *p, bool host, ba_error *err)
{
	BA_AUTO(ba_slurm_spec) ba_slurm_spec spec = {0};
	const ba_job_request *q = p->request;
	BA_TRY(ba_slurm_spec_parse(&spec, "--on", q->on, err));
	if (!host && !q->fixed)
		spread_looks(&p->spec.design, spec.tasks);
	if (!host)
		note_idle(p);
	add(p, q->device);
	return 0;
}

int ba_job_choose_devices(ba_job_setup *p, ba_error *err)
{
	const char *named = p->request->devices;
	bool host = ba_job_target(p->request, p->config) == BA_ON_HOST;
	if (p->request->on)
		return choose_tasks(p, host, err);
	if (!named) {
		add(p, p->request->device);
		return 0;
	}
	BA_TRY(strcmp(named, "all") == 0
			? add_all(p, host, err)
			: ba_job_request_devices(&p->devices, &p->device_count, named, err));
	/* without GPUs, processes of one host are at one place */
	if (p->device_count < 2 || host)
		return 0;
	BA_TRY(p->request->purpose == BA_JOB_LIST ? 0 : check_fixed(p, err));
	if (!p->request->fixed)
		spread_looks(&p->spec.design, p->device_count);
	return 0;
}
