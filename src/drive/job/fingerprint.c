#include "job/setup.h"

#include "ba_build.h"

/* ---- trees ---- */

void ba_fingerprint_of_trees(ba_fingerprint *out, const ba_result *r)
{
	ba_fingerprint_text(out, BA_VERSION, "the tool's version");
	for (size_t i = 0; i < r->run.variant_count; i++) {
		const ba_variant *v = &r->run.variants[i];
		BA_AUTO_FREE char *name = ba_xprintf("variant %zu", i + 1);
		ba_fingerprint_add(out, name,
			v->kind == BA_VARIANT_PATH ? ba_xprintf("%s, %s", v->label, v->tree_dir)
						   : ba_xprintf("%s, commit %s, tree %s", v->label,
							     v->commit, v->tree_id));
		BA_AUTO_FREE char *environment = ba_variant_environment_name(v);
		if (*environment)
			ba_fingerprint_text(out, environment, "an environment");
	}
}

/* ---- what is measured ---- */

static void add_artefacts(ba_fingerprint *t, const ba_variant *v)
{
	for (size_t i = 0; i < v->artefact_count; i++)
		ba_fingerprint_text(
			t, v->artefacts[i].sha256, "%s of %s", v->artefacts[i].path, v->label);
	ba_fingerprint_text(t, v->build_key, "the build of %s", v->label);
	if (v->environment.parts.count)
		ba_fingerprint_text(
			t, v->environment.resolved_sha256, "the environment of %s", v->label);
}

static void add_suite(ba_fingerprint *t, const ba_suite_spec *s, const ba_suite_config *config)
{
	BA_AUTO_FREE char *name = ba_xprintf("suite '%s'", s->name);
	BA_AUTO_FREE char *argv = ba_strv_join(&config->command, " ");
	ba_fingerprint_add(t, name,
		ba_xprintf("%s, --repeats %u, --warm-up %u, --iterations %u, %s%s",
			ba_suite_kind_name(s->kind), s->repeats, s->warm_up, s->iterations,
			config->library ? config->library : "", argv));
}

static void add_metrics(ba_fingerprint *t, const char *name, const bool *set)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (set[m])
			ba_strv_push(&words, ba_metric_get((ba_metric)m)->name);
	ba_fingerprint_add(t, name, ba_strv_join(&words, ","));
}

/* The benchmarks with their thresholds, which the suite's digest does not cover. */
static void add_benchmarks(ba_fingerprint *t, const ba_job_setup *p, const ba_result *r)
{
	ba_fingerprint_add(t, "the set of benchmarks",
		ba_xprintf("%zu, %.12s", r->run.benchmark_count, r->run.suite_sha256));
	for (size_t i = 0; i < r->run.benchmark_count; i++)
		for (int m = 0; m < BA_METRIC_COUNT; m++) {
			const ba_benchmark *b = &r->run.benchmarks[i];
			if (!p->spec.verdict[m] || !ba_benchmark_has_metric(b, (ba_metric)m))
				continue;
			ba_session_threshold x =
				p->spec.threshold(p->spec.threshold_data, b->id, (ba_metric)m);
			BA_AUTO_FREE char *name = ba_xprintf("the threshold of %s, %s", b->id,
				ba_metric_get((ba_metric)m)->name);
			ba_fingerprint_add(t, name,
				ba_xprintf("%.10g slower, %.10g faster, %.10g ns", x.slower,
					x.faster, x.absolute_ns));
		}
}

/* ---- how ---- */

static void add_looks(ba_fingerprint *t, const ba_session_spec *s)
{
	BA_AUTO(ba_buf) ba_buf looks = BA_BUF_INIT;
	for (size_t k = 0; k < s->design.looks; k++)
		ba_buf_printf(&looks, "%s%zu", k ? "," : "", s->design.at[k]);
	ba_fingerprint_text(t, looks.data, "looks (--fixed, --min-invocations, --max-invocations)");
	ba_fingerprint_add(t, "--seed", ba_xprintf("%" PRIu64, s->seed));
}

static void add_design(ba_fingerprint *t, const ba_session_spec *s)
{
	ba_fingerprint_number(t, s->alpha, "--alpha");
	ba_fingerprint_flag(t, s->strict, "--strict");
	ba_fingerprint_text(t, ba_multiplicity_name(s->multiplicity), "--multiplicity");
	ba_fingerprint_number(t, (double)s->budget_ns / 1e9, "--budget in seconds");
	ba_fingerprint_flag(t, s->fail_fast, "--fail-fast");
	ba_fingerprint_flag(t, s->measure_identical, "--measure-identical");
	ba_fingerprint_number(t, s->controls, "--only-changed, --controls");
	ba_fingerprint_number(t, s->batch, "--batch");
	ba_fingerprint_number(t, s->blocks, "--blocks");
	add_metrics(t, "--metrics", s->measure);
	add_metrics(t, "--verdict-on", s->verdict);
}

/* values that differ between hosts or GPUs */
static void add_place(ba_fingerprint *t, const ba_environment *e)
{
	ba_fingerprint_text(t, e->device_name, "the device");
	ba_fingerprint_text(t, e->device_uuid, "the device's UUID");
	ba_fingerprint_text(t, e->host_name, "the machine");
	ba_fingerprint_text(t, e->cpu_model, "its processor");
	ba_fingerprint_text(t, e->kernel, "its system");
}

static void add_software(ba_fingerprint *t, const ba_environment *e)
{
	ba_fingerprint_text(t, e->target, "--target");
	ba_fingerprint_text(t, e->driver_version, "the driver");
	ba_fingerprint_text(t, e->cuda_version, "CUDA");
	ba_fingerprint_text(t, e->mig, "MIG");
}

void ba_fingerprint_of_crew(ba_fingerprint *out, const ba_job_setup *p, const ba_result *r)
{
	const ba_job_request *q = p->request;
	ba_fingerprint_of_trees(out, r);
	add_software(out, &r->run.env);
	for (size_t i = 0; i < r->run.variant_count; i++)
		add_artefacts(out, &r->run.variants[i]);
	for (size_t i = 0; i < p->spec.suite_count; i++)
		add_suite(out, &p->spec.suites[i], p->configs.items[i]);
	add_design(out, &p->spec);
	ba_fingerprint_text(out, ba_engine_words[q->engine], "--engine");
	ba_fingerprint_flag(out, q->untrusted, "--untrusted");
	ba_fingerprint_number(out, q->layouts > 1 ? q->layouts : 1, "--layouts");
	ba_fingerprint_text(out, ba_flush_words[q->flush], "--flush");
	ba_fingerprint_flag(out, p->sandbox != NULL, "--sandbox");
	ba_fingerprint_flag(out, q->no_device_code, "--no-device-code");
	add_benchmarks(out, p, r);
}

void ba_fingerprint_of_run(ba_fingerprint *out, const ba_job_setup *p, const ba_result *r)
{
	const ba_job_request *q = p->request;
	ba_fingerprint_of_crew(out, p, r);
	add_place(out, &r->run.env);
	add_looks(out, &p->spec);
	ba_fingerprint_text(out, q->devices, "--device");
	ba_fingerprint_text(
		out, ba_gate_words[p->config->gate_strict ? BA_GATE_STRICT : q->gate], "--gate");
	ba_fingerprint_flag(out, q->on_inconclusive == 1, "--on-inconclusive=fail");
	ba_fingerprint_flag(out, q->fail_on == 1, "--fail-on=likely");
	BA_AUTO_FREE char *expected =
		p->expected ? ba_strv_join(p->expected, ", ") : ba_xstrdup("");
	ba_fingerprint_text(out, expected, "what the gate expects");
}
