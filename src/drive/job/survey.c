/* Examines the machine and the libraries, before benchmarks are chosen. */

#include "proc/affinity.h"
#include "suite/kinds.h"
#include "instructions/count.h"
#include "experiment/invoke.h"
#include "job/setup.h"
#include "cluster/node.h"
#include "cluster/slurm_tasks.h"
#include "store/calibration.h"
#include "cluster/slurm_array.h"

/* ---- devices ---- */

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

/* Sets p->devices once the machine is known, and fits the looks to the places. */
static int choose_devices(ba_job_setup *p, ba_error *err)
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

/* Chooses the core of the workers, near the GPU. */
static void choose_cpu(ba_job_setup *p, const char *pci)
{
	ba_cpu_lock_take(
		&p->cpu_lock, p->request->cpu, pci && *pci ? pci : NULL, p->services->cache_root);
	if (!p->cpu_lock)
		return;
	for (size_t i = 0; i < p->spec.suite_count; i++)
		p->spec.suites[i].engine.cpu = p->cpu_lock->cpu;
}

/* Once the machine is examined: this process leaves the core. */
static void leave_cpu(const ba_job_setup *p, ba_result *r)
{
	if (!p->cpu_lock)
		return;
	ba_affinity_avoid(p->cpu_lock->cpu, "/sys");
	r->run.env.pinned_cpu = p->cpu_lock->cpu;
	if (p->cpu_lock->shared)
		ba_strv_push(&r->run.env.warnings, p->cpu_lock->shared);
	if (p->cpu_lock->unlocked)
		ba_log_printf(p->services->log, BA_LOG_WARNING,
			"cannot tell whether another run measures on processor %d: %s",
			p->cpu_lock->cpu, p->cpu_lock->unlocked);
}

/* May the processes of the survey stay for the invocations? They must know their processor
 * from the beginning, so it must not depend on where the GPU is. */
static bool may_stay(const ba_job_setup *p)
{
	const ba_job_request *q = p->request;
	bool alike = ba_job_target(q, p->config) == BA_ON_HOST ||
		     !ba_fs_exists("/sys/devices/system/node/node1");
	return q->purpose == BA_JOB_MEASURE && alike && p->spec.suite_count == 1 &&
	       p->spec.suites[0].engine.programs && !p->spec.suites[0].engine.times_starts &&
	       !p->member && !q->on && !q->devices && !q->part && !q->untrusted && !p->sandbox &&
	       !p->resumes;
}

/* As many engines as the first look has invocations, if there is room for them. */
static void let_stay(ba_job_setup *p, const ba_result *r)
{
	ba_suite_spec *suite = p->spec.suites;
	size_t first = p->spec.design.at[0], variants = r->run.variant_count;
	suite->counts = ba_job_only_counts(&p->spec);
	if (!suite->counts)
		choose_cpu(p, NULL);
	ba_job_thin_looks(p, r);
	size_t turns =
		suite->counts ? ba_counts_room(suite, variants) : ba_rotation_foreseen(&p->spec, r);
	suite->ahead = ba_xcalloc(1, sizeof(*suite->ahead));
	suite->ahead->wanted = turns < 1 ? 1 : suite->counts || turns < first ? turns : first;
}

/* Programs do not report why the GPU lowers its clock, so the host monitors it. */
static void watch_clock(ba_job_setup *p, const ba_result *r)
{
	if (ba_job_target(p->request, p->config) == BA_ON_HOST)
		return;
	/* this process's device: a resumed run takes the environment of its first start */
	p->pci_bus_id = ba_xstrdup(r->run.env.pci_bus_id);
	for (size_t i = 0; i < p->spec.suite_count; i++)
		p->spec.suites[i].engine.pci_bus_id = p->pci_bus_id;
}

/* Measures the GPU's maximum throughput, once for a machine and driver. */
static void find_ceilings(ba_job_setup *p, ba_result *r)
{
	const char *cache = p->services->cache_root;
	ba_error err = {0};
	const ba_engine_spec *engine = NULL;
	for (size_t i = 0; i < p->spec.suite_count; i++)
		if (p->spec.suites[i].kind == BA_SUITE_PLUGIN)
			engine = &p->spec.suites[i].engine;
	if (!engine || ba_job_target(p->request, p->config) == BA_ON_HOST ||
		ba_ceilings_read(&r->run.env, cache, &err) == 0)
		return;
	ba_job_phase(p->services, "measuring the GPU's maximum throughput");
	int rc = ba_engine_ceilings(&r->run.env, engine, &err);
	if (rc == 0 && r->run.env.copy_gb_per_s > 0)
		rc = ba_ceilings_write(&r->run.env, cache, &err);
	if (rc)
		ba_log_printf(p->services->log, BA_LOG_WARNING,
			"the maximum throughput of this GPU is unknown: %s", err.text);
}

/* If a variant lacks files of a suite, the suite failed because of that: adds advice. */
static void add_remedies(ba_job_setup *p, size_t index, char *const *built, ba_error *why)
{
	ba_suite_spec *suite = &p->spec.suites[index];
	const char *first = NULL;
	for (size_t v = 0; p->missing && v < p->variant_count; v++) {
		const char *remedy = ba_missing_find(p->missing, v, p->configs.items[index]);
		if (!remedy || !suite->failures[v] || (built && built[v]))
			continue;
		ba_text_own(&suite->failures[v], ba_xprintf("%s; %s", suite->failures[v], remedy));
		first = first ? first : remedy;
	}
	if (why->code && first) {
		BA_AUTO_FREE char *text = ba_xstrdup(why->text);
		ba_fail(why, why->code, "%s\n%s", text, first);
	}
}

static const char *sum_of(const ba_variant_facts *f, const char *path)
{
	size_t i = ba_strv_find(&f->harness, path);
	return i < f->harness.count && i < f->harness_sha256.count ? f->harness_sha256.items[i]
								   : "";
}

/* With an overlay tests are equal; other files that pytest loads should be, too. */
static int compare_harness(
	const ba_job_setup *p, const ba_suite_spec *suite, ba_result *r, ba_error *err)
{
	const ba_variant_facts *f = suite->survey.variants;
	for (size_t v = 1; r->run.overlay.from && v < r->run.variant_count; v++)
		for (size_t k = 0; k < 2 && !suite->failures[0] && !suite->failures[v]; k++) {
			const ba_strv *paths = &f[k ? v : 0].harness;
			for (size_t i = 0; i < paths->count; i++) {
				const char *path = paths->items[i];
				if (strcmp(sum_of(&f[0], path), sum_of(&f[v], path)) != 0)
					BA_TRY(ba_variants_overlay_lacks(&r->run.notes,
						p->request->gate != BA_GATE_OFF, path,
						r->run.variants[0].label, r->run.variants[v].label,
						err));
			}
		}
	return 0;
}

/* If no variant can load a suite, the other suites are still measured. */
static int survey_suites(ba_job_setup *p, ba_result *r, char *const *failures, ba_error *err)
{
	size_t n = p->spec.suite_count, left = n;
	for (size_t i = 0; i < n; i++) {
		ba_error why = {0};
		int rc = ba_suite_survey(&p->spec.suites[i], r, &why);
		rc = rc ? rc : compare_harness(p, &p->spec.suites[i], r, &why);
		if (rc == 0 || rc == BA_ELIBRARY)
			add_remedies(p, i, failures, &why);
		if (rc == BA_ELIBRARY && --left > 0)
			p->spec.suites[i].unusable = true;
		else if (rc)
			return ba_fail(err, rc, "%s", why.text);
	}
	for (size_t i = 0; i < n; i++)
		if (p->spec.suites[i].unusable)
			ba_suite_survey_failed(&p->spec.suites[i], r);
	return 0;
}

/* ---- on a node ---- */

static void set_wrapper(ba_job_setup *p, const char *const *wrapper)
{
	for (size_t i = 0; i < p->spec.suite_count; i++)
		p->spec.suites[i].engine.wrapper = wrapper;
}

/* Makes engines start workers on a node: one of p->exchange's array if it still runs. */
static int use_node(ba_node **out, ba_job_setup *p, const ba_result *r, ba_error *err)
{
	const ba_job_request *q = p->request;
	BA_AUTO_PTR(ba_node) ba_node *n = p->exchange ? ba_node_of_array(p->exchange) : NULL;
	BA_AUTO_FREE char *tar = ba_path_join(p->scratch, "ship.tar");
	const ba_node_spec spec = {.option = "--on",
		.on = q->on,
		.waiting = "waiting for a node",
		.before = "before a node was examined"};
	if (!n)
		BA_TRY(ba_node_borrow(&n, &spec, q, p->services, err));
	if (q->ship) {
		BA_TRY(ba_ship_pack(
			tar, r->run.variants, r->run.variant_count, q, p->services, err));
		BA_TRY(ba_ship_unpack(tar, ba_node_job(n), err));
	}
	set_wrapper(p, ba_node_wrapper(n));
	*out = BA_TAKE(n);
	return 0;
}

static int survey(
	ba_job_setup *p, ba_result *r, char *const *failures, ba_node **node, ba_error *err)
{
	BA_TRY(ba_job_fill_spec(p, r, failures, err));
	if (p->request->on && !p->member && ba_job_target(p->request, p->config) != BA_ON_HOST)
		BA_TRY(use_node(node, p, r, err));
	ba_job_phase(p->services, "examining the machine");
	bool stay = may_stay(p);
	if (stay)
		let_stay(p, r);
	BA_TRY(ba_node_explain(*node, survey_suites(p, r, failures, err), err));
	if (!p->member)
		BA_TRY(choose_devices(p, err));
	/* members have their own processors */
	if (p->device_count < 2 && !p->cpu_lock)
		choose_cpu(p, ba_job_target(p->request, p->config) == BA_ON_GPU
				      ? r->run.env.pci_bus_id
				      : NULL);
	leave_cpu(p, r);
	if (!stay)
		ba_job_thin_looks(p, r);
	watch_clock(p, r);
	if (!p->member)
		find_ceilings(p, r);
	return 0;
}

int ba_job_add_suites(ba_job_setup *p, const ba_suite_list *suites, const ba_result *r,
	const ba_strv *filters, ba_error *err)
{
	for (size_t i = 0; i < suites->count; i++)
		if (suites->items[i]->programs.count)
			BA_TRY(ba_job_add_programs(p, suites->items[i], r, filters, err));
		else
			*BA_PUSH(p->configs.items, p->configs.count, p->configs_capacity) =
				suites->items[i];
	return 0;
}

int ba_job_examine(ba_job_setup *p, ba_result *r, const ba_suite_list *suites,
	char *const *failures, ba_error *err)
{
	const ba_strv none = {0};
	p->variant_count = r->run.variant_count;
	/* if no program of a suite can be chosen, the names of all are needed for the message */
	BA_TRY(ba_job_add_suites(p, suites, r, &p->request->filters, err));
	if (p->configs.count == 0)
		BA_TRY(ba_job_add_suites(p, suites, r, &none, err));
	BA_AUTO_PTR(ba_node) ba_node *node = NULL;
	int rc = survey(p, r, failures, &node, err);
	set_wrapper(p, NULL);
	return rc;
}

int ba_job_check_loaded(const ba_job_setup *p, const ba_result *r, ba_error *err)
{
	for (size_t i = 0; i < p->spec.suite_count; i++)
		for (size_t v = 0; v < r->run.variant_count; v++)
			if (p->spec.suites[i].failures[v])
				return ba_fail(err, BA_ELIBRARY, "%s: %s", r->run.variants[v].label,
					p->spec.suites[i].failures[v]);
	return 0;
}
