#include "job/fingerprint.h"

#include <inttypes.h>

#include "ba_build.h"

static void add(ba_fingerprint *t, const char *name, const char *value)
{
	ba_fingerprint_add(t, name, ba_xstrdup(value ? value : ""));
}

static void add_flag(ba_fingerprint *t, const char *name, bool value)
{
	add(t, name, value ? "yes" : "no");
}

static void add_number(ba_fingerprint *t, const char *name, double value)
{
	ba_fingerprint_add(t, name, ba_xprintf("%.10g", value));
}

/* ---- trees ---- */

void ba_fingerprint_of_trees(ba_fingerprint *out, const ba_result *r)
{
	add(out, "the tool's version", BA_VERSION);
	for (size_t i = 0; i < r->run.variant_count; i++) {
		const ba_variant *v = &r->run.variants[i];
		BA_AUTO_FREE char *name = ba_xprintf("variant %zu", i + 1);
		ba_fingerprint_add(out, name,
			v->kind == BA_VARIANT_PATH ? ba_xprintf("%s, %s", v->label, v->tree_dir)
						   : ba_xprintf("%s, commit %s, tree %s", v->label,
							     v->commit, v->tree_id));
	}
}

/* ---- what is measured ---- */

static void add_artefacts(ba_fingerprint *t, const ba_variant *v)
{
	for (size_t i = 0; i < v->artefact_count; i++) {
		BA_AUTO_FREE char *name = ba_xprintf("%s of %s", v->artefacts[i].path, v->label);
		add(t, name, v->artefacts[i].sha256);
	}
	BA_AUTO_FREE char *build = ba_xprintf("the build of %s", v->label);
	add(t, build, v->build_key);
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
	add(t, "looks (--fixed, --min-invocations, --max-invocations)", looks.data);
	ba_fingerprint_add(t, "--seed", ba_xprintf("%" PRIu64, s->seed));
}

static void add_design(ba_fingerprint *t, const ba_session_spec *s)
{
	add_number(t, "--alpha", s->alpha);
	add_flag(t, "--strict", s->strict);
	add(t, "--multiplicity", ba_multiplicity_name(s->multiplicity));
	add_number(t, "--budget in seconds", (double)s->budget_ns / 1e9);
	add_flag(t, "--fail-fast", s->fail_fast);
	add_flag(t, "--measure-identical", s->measure_identical);
	add_number(t, "--only-changed, --controls", s->controls);
	add_number(t, "--batch", s->batch);
	add_number(t, "--blocks", s->blocks);
	add_metrics(t, "--metrics", s->measure);
	add_metrics(t, "--verdict-on", s->verdict);
}

static void add_texts(ba_fingerprint *t, const char *const (*rows)[2], size_t count)
{
	for (size_t i = 0; i < count; i++)
		add(t, rows[i][0], rows[i][1]);
}

/* values that differ between hosts or GPUs */
static void add_place(ba_fingerprint *t, const ba_environment *e)
{
	const char *const rows[][2] = {
		{"the device", e->device_name},
		{"the device's UUID", e->device_uuid},
		{"the machine", e->host_name},
		{"its processor", e->cpu_model},
		{"its system", e->kernel},
	};
	add_texts(t, rows, BA_COUNT(rows));
}

static void add_software(ba_fingerprint *t, const ba_environment *e)
{
	const char *const rows[][2] = {
		{"--target", e->target},
		{"the driver", e->driver_version},
		{"CUDA", e->cuda_version},
		{"MIG", e->mig},
	};
	add_texts(t, rows, BA_COUNT(rows));
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
	add(out, "--engine", ba_engine_words[q->engine]);
	add_flag(out, "--untrusted", q->untrusted);
	add_number(out, "--layouts", q->layouts > 1 ? q->layouts : 1);
	add(out, "--flush", ba_flush_words[q->flush]);
	add_flag(out, "--sandbox", p->sandbox != NULL);
	add_flag(out, "--no-device-code", q->no_device_code);
	add_benchmarks(out, p, r);
}

void ba_fingerprint_of_run(ba_fingerprint *out, const ba_job_setup *p, const ba_result *r)
{
	const ba_job_request *q = p->request;
	ba_fingerprint_of_crew(out, p, r);
	add_place(out, &r->run.env);
	add_looks(out, &p->spec);
	add(out, "--device", q->devices);
	add(out, "--gate", ba_gate_words[p->config->gate_strict ? BA_GATE_STRICT : q->gate]);
	add_flag(out, "--on-inconclusive=fail", q->on_inconclusive == 1);
	add_flag(out, "--fail-on=likely", q->fail_on == 1);
	BA_AUTO_FREE char *expected =
		p->expected ? ba_strv_join(p->expected, ", ") : ba_xstrdup("");
	add(out, "what the gate expects", expected);
}
