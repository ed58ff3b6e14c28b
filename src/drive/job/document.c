#include "job/document.h"

#include "ba_build.h"
#include "gpu/ptxgen.h"
#include "session/spec.h"
#include "store/results.h"
#include "suite/runs.h"

void ba_job_describe(ba_result *r, const char *command_line)
{
	char started[32];
	ba_time_format(started, time(NULL));
	r->document.schema_revision = BA_RESULTS_REVISION;
	r->decided.rule = BA_RULE_NOW;
	r->run.tool_version = ba_xstrdup(BA_VERSION);
	r->run.started = ba_xstrdup(started);
	r->run.command_line = ba_xstrdup(command_line ? command_line : "");
	r->run.repository = ba_xstrdup("");
	r->run.config_path = ba_xstrdup("");
}

/* Since this schema_revision the timed kernel adds up all of its arguments. */
#define REVISION_ARGUMENTS 9
#define RULES(kernels) "kernels/" kernels " readings/" BA_READINGS_VERSION

static bool writes_to_flush(const ba_result *r)
{
	return r->run.env.flush && strcmp(r->run.env.flush, "write") == 0;
}

const char *ba_job_sample_rules(const ba_result *r)
{
	return writes_to_flush(r) ? RULES(BA_PTX_TEXT_VERSION) " flush/write"
				  : RULES(BA_PTX_TEXT_VERSION);
}

const char *ba_job_earlier_rules(const ba_result *r)
{
	if (r->document.schema_revision >= REVISION_ARGUMENTS)
		return NULL;
	if (r->document.schema_revision >= BA_REVISION_MARKS)
		return writes_to_flush(r) ? RULES("2") " flush/write" : RULES("2");
	return writes_to_flush(r) ? RULES("1") " flush/write" : RULES("1");
}

ba_plan_digest *ba_job_digests(const ba_result *r)
{
	ba_plan_digest *digests = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*digests));
	for (size_t i = 0; i < r->run.benchmark_count; i++)
		ba_plan_sha256(digests[i], &r->run.benchmarks[i], 1, ba_job_sample_rules(r));
	return digests;
}
