
#include "compare/comparing.h"
#include "json/digest.h"

static void set_variants(ba_result *r, const ba_collection *c)
{
	r->run.variant_count = c->labels.count;
	r->run.variants = ba_xcalloc(r->run.variant_count, sizeof(*r->run.variants));
	for (size_t v = 0; v < r->run.variant_count; v++) {
		BA_AUTO(ba_buf) ba_buf paths = BA_BUF_INIT;
		for (size_t i = 0; i < c->spec->source_count; i++) {
			const ba_compare_source *s = &c->spec->sources[i];
			if (c->files[i].variant == v)
				ba_buf_printf(&paths, "%s%s%s%s", paths.len ? ", " : "", s->path,
					s->part ? "#" : "", s->part ? s->part : "");
		}
		r->run.variants[v] = (ba_variant){.kind = BA_VARIANT_PATH,
			.label = ba_xstrdup(c->labels.items[v]),
			.spec = ba_xstrdup(paths.data),
			.describe = ba_xstrdup(""),
			.subject = ba_xstrdup(""),
			.tree_dir = ba_xstrdup(paths.data),
			.build_key = ba_xstrdup(""),
			.build_log = ba_xstrdup("")};
	}
}

static void set_environment(ba_result *r, const ba_collection *c)
{
	ba_environment *e = &r->run.env;
	const char *device = ba_collection_field(c, "device");
	const char *cpu = ba_collection_field(c, "cpu");
	const struct {
		char **field;
		const char *value;
	} rows[] = {
		{&e->target, ba_collection_field(c, "target")},
		{&e->device_name, *device ? device
				  : *cpu  ? cpu
					  : "unknown machine"},
		{&e->device_uuid, ba_collection_field(c, "device UUID")},
		{&e->compute_capability, ""},
		{&e->driver_version, ba_collection_field(c, "driver")},
		{&e->cuda_version, ba_collection_field(c, "CUDA")},
		{&e->pci_bus_id, ""},
		{&e->ecc, ba_collection_field(c, "ECC")},
		{&e->mig, ""},
		{&e->virtualization, ""},
		{&e->host_name, ba_collection_field(c, "host")},
		{&e->cpu_model, cpu},
		{&e->kernel, ba_collection_field(c, "operating system")},
		{&e->governor, ""},
		{&e->clocksource, ""},
		{&e->flush, ba_collection_field(c, "flush of the L2 cache")},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		*rows[i].field = ba_xstrdup(rows[i].value);
	e->pinned_cpu = -1;
	e->other_processes = -1;
}

static void set_design(ba_result *r, const ba_compare_spec *spec)
{
	r->run.engine = ba_xstrdup("files");
	r->run.engine_reason = ba_xstrdup("");
	r->decided.stopped = ba_xstrdup("");
	r->decided.multiplicity = ba_xstrdup(ba_multiplicity_name(spec->multiplicity));
	r->decided.alpha = spec->alpha;
	r->decided.strict = spec->strict;
}

/* One file is one process, however often it is listed. */
static int check_files(const ba_compare_spec *spec, ba_error *err)
{
	for (size_t i = 0; i < spec->source_count; i++)
		for (size_t k = 0; k < i; k++) {
			const ba_compare_source *a = &spec->sources[i];
			const ba_compare_source *b = &spec->sources[k];
			bool part = strcmp(a->part ? a->part : "", b->part ? b->part : "") == 0;
			if (strcmp(a->label, b->label) == 0 && part &&
				ba_fs_is_same(a->path, b->path))
				return ba_fail(err, BA_EINVAL,
					"'%s' is given twice as '%s', but reading a file again adds no values",
					a->path, a->label);
		}
	return 0;
}

static int check_damage(ba_result *r, const ba_collection *c, ba_error *err)
{
	BA_AUTO_FREE char *all = ba_strv_join(&c->damages, "; ");
	if (c->damages.count && !c->spec->force)
		return ba_fail(err, BA_EUNSUPPORTED,
			"%s: not compared, because its samples may be damaged; if you edited it on purpose, delete its \"" BA_JSON_DIGEST_KEY
			"\" or use --force",
			all);
	if (c->damages.count)
		ba_strv_printf(&r->run.notes, "--force: %s", all);
	return 0;
}

static int check_same(ba_result *r, const ba_collection *c, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv differences = {0};
	BA_TRY(check_damage(r, c, err));
	ba_collection_differences(&differences, c, true);
	BA_AUTO_FREE char *all = ba_strv_join(&differences, "; ");
	if (differences.count && !c->spec->force)
		return ba_fail(err, BA_EUNSUPPORTED,
			"%s: not compared, because that alone could make the difference. With --force, the verdicts apply to code and system together: the code need not be the cause of a change",
			all);
	if (differences.count)
		ba_strv_printf(
			&r->run.notes, "--force: %s, which alone could make the difference", all);
	return 0;
}

enum { METRICS_SHOWN = 40 };

static void add_metric(void *data, const char *metric)
{
	ba_strv *all = data;
	BA_AUTO_FREE char *safe = ba_text_safe(metric);
	if (!ba_strv_has(all, safe) && all->count < METRICS_SHOWN)
		ba_strv_push(all, safe);
}

/* Reads the files again, to list the metrics that they have. */
static int fail_without_metric(const ba_compare_spec *spec, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv metrics = {0};
	const ba_sink sink = {
		.data = &metrics, .offer = add_metric, .csv_columns = spec->csv_columns};
	for (size_t i = 0; i < spec->source_count; i++) {
		ba_error none = {0}; /* a pipe cannot be read twice */
		ba_import_read(NULL, spec->sources[i].path, spec->sources[i].part, &sink, &none);
	}
	BA_AUTO_FREE char *all = ba_strv_join(&metrics, ", ");
	if (!metrics.count)
		return ba_fail(err, BA_EDATA, "%s",
			spec->metric ? "no benchmark of the files has the metric asked for"
				     : "the files have no benchmarks");
	return ba_fail(err, BA_EDATA,
		"no benchmark of the files has %s%.100s%s; choose one of their metrics with --metric: %s",
		spec->metric ? "the metric '" : "a time", spec->metric ? spec->metric : "",
		spec->metric ? "'" : "", all);
}

int ba_compare(ba_result *r, const ba_compare_spec *spec, ba_error *err)
{
	BA_AUTO(ba_collection) ba_collection c = {0};
	BA_TRY(check_files(spec, err));
	BA_TRY(ba_collect(&c, spec, err));
	set_design(r, spec);
	set_variants(r, &c);
	set_environment(r, &c);
	BA_TRY(check_same(r, &c, err));
	if (c.ledger.count == 0)
		return c.left_out ? ba_fail(err, BA_EDATA,
					    "no benchmark of the files matches --filter")
				  : fail_without_metric(spec, err);
	BA_TRY(ba_compare_unpaired(r, &c, err));
	ba_compare_notes(r, &c);
	return 0;
}
