/* `bench-against compare`: compares result files of this tool and of others. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/path.h"
#include "cli/cmd.h"
#include "cli/context.h"
#include "cli/outputs.h"
#include "cli/cmd_frame.h"
#include "cli/sources.h"
#include "compare/compare.h"
#include "config/config.h"
#include "gate/status.h"
#include "import/import.h"
#include "run/unused_thresholds.h"

static ba_compare_threshold threshold_of(
	void *data, const char *benchmark, ba_metric metric)
{
	ba_threshold t = ba_config_threshold(data, benchmark, metric);
	return (ba_compare_threshold){t.slower, t.faster, t.floor_ns};
}

static int load_thresholds(ba_config *config, const ba_options *o, ba_error *err)
{
	int rc = o->job.config ? ba_config_load(config, o->job.config, err) : 0;
	if (rc == 0 && o->job.threshold)
		rc = ba_config_set_threshold(config, o->job.threshold, err);
	return rc;
}

/* Which files were these? Directories have no digest. */
static int record_files(ba_result *r, const ba_sources *sources, ba_error *err)
{
	for (size_t i = 0; i < sources->count; i++) {
		const ba_compare_source *s = &sources->items[i];
		char digest[65];
		if (ba_fs_is_dir(s->path))
			continue;
		int rc = ba_sha256_file(digest, s->path, err);
		if (rc)
			return rc;
		for (size_t v = 0; v < r->variant_count; v++)
			if (strcmp(r->variants[v].label, s->label) == 0)
				ba_variant_add_artefact(
					&r->variants[v], s->path, digest);
	}
	return 0;
}

/* What --force let pass stands also where the answer stands alone. */
static void say_forced(ba_result *r)
{
	for (size_t i = 0; i < r->notes.count; i++) {
		if (strncmp(r->notes.items[i], "--force: ", 9) != 0)
			continue;
		char *both = ba_xprintf(
			"%s Compared with %s.", r->answer, r->notes.items[i]);
		free(r->answer);
		r->answer = both;
	}
}

static int compare(ba_result *r, const ba_options *o, const ba_sources *sources,
	ba_config *thresholds, ba_error *err)
{
	const ba_compare_spec spec = {.sources = sources->items,
		.source_count = sources->count,
		.metric = o->metric,
		.csv_columns = o->csv_columns,
		.filters = &o->job.filters,
		.higher = &o->higher,
		.lower = &o->lower,
		.require = (ba_level)o->require,
		.allow_summaries = o->allow_summaries,
		.force = o->force,
		.alpha = o->job.alpha,
		.strict = o->job.strict,
		.multiplicity = (ba_multiplicity)o->job.multiplicity,
		.threshold = threshold_of,
		.threshold_data = thresholds};
	const ba_unused_thresholds unused = {.config = thresholds,
		.partial = o->job.filters.count > 0,
		.gate = o->job.gate != BA_GATE_OFF,
		.complete = true};
	int rc = ba_compare(r, &spec, err);
	rc = rc ? rc : ba_unused_thresholds_check(r, &unused, err);
	return rc || !o->output ? rc : record_files(r, sources, err);
}

static int work(ba_context *c, const ba_strv *operands, ba_result *r, ba_error *err)
{
	const ba_options *o = c->options;
	BA_AUTO(ba_sources) ba_sources sources = {0};
	BA_AUTO(ba_config) ba_config thresholds;
	int64_t start = ba_now_ns();
	ba_config_init(&thresholds);
	int rc = ba_outputs_check(o, err);
	if (rc == 0 && o->csv_columns)
		rc = ba_import_check_columns(o->csv_columns, err);
	rc = rc ? rc : load_thresholds(&thresholds, o, err);
	rc = rc ? rc : ba_sources_parse(&sources, operands, err);
	rc = rc ? rc : compare(r, o, &sources, &thresholds, err);
	if (rc)
		return rc;
	const ba_gate_policy policy = {.strict = o->job.gate == BA_GATE_STRICT,
		.undecided_fails = o->job.on_inconclusive == 1};
	ba_gate_set_status(r, &policy);
	say_forced(r);
	r->wall_seconds = (double)(ba_now_ns() - start) / 1e9;
	return ba_outputs_answer(r, c, err);
}

int ba_cmd_compare(int argc, char **argv)
{
	static const ba_cmd_frame compare = {"compare", BA_FOR_COMPARE, NULL, work};
	return ba_cmd_frame_run(&compare, argc, argv);
}
