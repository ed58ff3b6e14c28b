/* `bench-against verify`: does a result file say what its samples say? */

#include "ba_build.h"
#include "cli/cmd.h"
#include "verify/verify.h"
#include "json/digest.h"
#include "store/attest.h"
#include "store/results.h"
#include "suite/runs.h"

#define SHOWN 50 /* disagreements, without --all */

static struct {
	bool quiet, all;
	int lane; /* ba_lane */
	const char *config, *attest, *statement;
} here;
static const ba_opt rows[] = {
	OPT_GROUP("What is accepted"),
	OPT_CHOICE(0, "lane", &here.lane, ba_lane_words, NULL),
	OPT_STRING(0, "config", &here.config, NULL),
	OPT_STRING(0, "statement", &here.statement, NULL),
	OPT_GROUP("Output"),
	OPT_STRING(0, "attest", &here.attest, NULL),
	OPT_FLAG(0, "all", &here.all, NULL),
	OPT_FLAG('q', "quiet", &here.quiet, NULL),
	OPT_END,
};
const ba_own_options ba_verify_options = {"verify", rows, &here, sizeof(here), NULL};

static bool lacks_digest(const ba_result *r)
{
	return r->document.state == BA_DOCUMENT_WITHOUT_DIGEST;
}

/* Results from before digests were recorded have none. */
static void check_plan(ba_verification *v, const ba_result *r)
{
	char found[65], earlier[65] = "";
	ba_plan_sha256(found, r->run.benchmarks, r->run.benchmark_count, ba_job_sample_rules(r));
	if (ba_job_earlier_rules(r))
		ba_plan_sha256(earlier, r->run.benchmarks, r->run.benchmark_count,
			ba_job_earlier_rules(r));
	v->compared++;
	if (strcmp(r->run.suite_sha256, found) != 0 && strcmp(r->run.suite_sha256, earlier) != 0)
		ba_verify_say(v, "run",
			"suite_sha256 is '%s' in the file, '%s' from the benchmarks",
			r->run.suite_sha256, found);
}

/* Checks what samples do not show: names, commits, builds, the environment. */
static void check_document(ba_verification *v, const ba_result *r)
{
	v->compared++;
	if (r->document.state == BA_DOCUMENT_DIFFERS)
		ba_verify_say(v, "document",
			"its SHA-256 is %s, but document_sha256 is %s: it was damaged or edited after it was written",
			r->document.sha256, r->document.said);
	else if (lacks_digest(r) && r->document.schema_revision >= BA_RESULTS_REVISION_DIGEST)
		ba_verify_say(v, "document",
			"there is no " BA_JSON_DIGEST_KEY
			" at its end, which a document of revision %u has: it was damaged or edited after it was written",
			r->document.schema_revision);
}

/* "the host timed 3 visits, and the readings are of 4" */
static void check_seen(
	ba_verification *v, const char *what, uint64_t seen, const char *and, uint64_t least)
{
	v->compared++;
	if (seen < least)
		ba_verify_say(v, "evidence", "%s %llu %s %llu", what, (unsigned long long)seen, and,
			(unsigned long long)least);
}

/* The visits, launches, new inputs and checks of the readings: the evidence must cover them. */
static void check_evidence(ba_verification *v, const ba_result *r)
{
	const ba_evidence *e = &r->run.evidence;
	uint64_t visits = 0, launches = 0, fresh = 0, checks = 0;
	for (size_t i = 0; i < r->series_count; i++) {
		BA_AUTO(ba_series) ba_series own = {0};
		const ba_series *s = ba_series_whole(&own, r, &r->series[i]);
		bool launched = r->run.benchmarks[s->benchmark].kind == BA_SUITE_LAUNCHER;
		bool is_fresh = s->metric == BA_METRIC_FRESH;
		for (size_t k = 0; k < s->sample_count && !s->info->quantity; k++) {
			const ba_samples *x = &s->samples[k];
			uint64_t these = (uint64_t)x->blocks * x->positions;
			visits += these;
			launches += launched ? these * x->readings * x->batch : 0;
			fresh += is_fresh ? these : 0;
			/* one check of each variant; ABBA visits each of them twice */
			checks += is_fresh ? x->positions / 2 : 0;
		}
	}
	check_seen(v, "the host timed", e->visits, "visits, and the readings are of", visits);
	if (e->launches)
		check_seen(v, "the witness saw", e->launches, "launches, and the readings are of",
			launches);
	check_seen(
		v, "new inputs were made for", e->fresh, "visits, and the readings are of", fresh);
	check_seen(v, "results were checked after", e->checks,
		"visits, and the readings need at least", checks);
}

static void check_lane(ba_verification *v, const ba_result *r, ba_lane lane, const char *said)
{
	v->compared++;
	if (r->run.evidence.untrusted)
		check_evidence(v, r);
	if (lane != BA_LANE_ANY && ba_result_is_decided_apart(r))
		ba_verify_say(v, "run",
			"its verdicts are from a file ('decide' or 'merge'), and %s=%s accepts only those of the run that measured",
			said, ba_lane_words[lane]);
	else if (!ba_lane_accepts(lane, r->run.engine, r->run.evidence.untrusted))
		ba_verify_say(v, "run",
			"it was measured in the lane '%s', and %s=%s accepts no weaker one than that",
			r->run.engine, said, ba_lane_words[lane]);
}

static int check_statement(ba_verification *v, const ba_result *r, const char *statement,
	const char *path, ba_error *err)
{
	BA_AUTO_FREE char *why = NULL;
	int rc = statement ? ba_attestation_check(&why, statement, r, path, err) : 0;
	v->compared += statement != NULL;
	if (why)
		ba_verify_say(v, "statement", "'%s': %s", statement, why);
	return rc;
}

/* The stronger of --lane and the configuration's lane. */
static int read_lane(ba_lane *lane, const char **said, ba_error *err)
{
	BA_AUTO(ba_config) ba_config config;
	ba_config_init(&config);
	int rc = here.config ? ba_config_load(&config, here.config, err) : 0;
	bool ruled = (int)config.lane > here.lane;
	*lane = ruled ? config.lane : (ba_lane)here.lane;
	*said = ruled ? "gate.lane" : "--lane";
	return rc;
}

static void print_verification(
	const ba_verification *v, const ba_result *r, const char *name, bool all)
{
	BA_AUTO_FREE char *file = ba_text_safe(name);
	BA_AUTO(ba_buf) ba_buf lines = BA_BUF_INIT;
	size_t count = v->disagreements.count;
	for (size_t i = 0; i < count && (all || i < SHOWN); i++) {
		BA_AUTO_FREE char *safe = ba_text_safe(v->disagreements.items[i]);
		ba_buf_printf(&lines, "%s\n", safe);
	}
	ba_context_put(&lines);
	if (count > SHOWN && !all)
		printf("... and %zu more (--all)\n", count - SHOWN);
	if (count == 0)
		printf("%s: everything %sagrees: %zu %s, recomputed from %zu %s in %zu %s\n", file,
			v->missing ? "present " : "", v->compared,
			ba_plural(v->compared, "value", "values"), v->readings,
			ba_plural(v->readings, "reading", "readings"), v->invocations,
			ba_plural(v->invocations, "invocation", "invocations"));
	else
		printf("%s: %zu %s in %zu %s\n", file, count,
			ba_plural(count, "disagreement", "disagreements"), v->compared,
			ba_plural(v->compared, "value", "values"));
	if (v->missing) {
		BA_AUTO_FREE char *names = ba_strv_join(&v->missing_names, ", ");
		printf("(written by an earlier version: %zu %s not in the file and not compared: %s)\n",
			v->missing, ba_plural(v->missing, "number is", "numbers are"), names);
	}
	if (lacks_digest(r) && r->document.schema_revision < BA_RESULTS_REVISION_DIGEST)
		printf("(written by an earlier version, without a digest: damage to names, commits, builds and the environment cannot be seen)\n");
	if (count && strcmp(r->run.tool_version, BA_VERSION) != 0)
		printf("(written by version '%s', verified by " BA_VERSION ": use the same)\n",
			r->run.tool_version);
}

static int verify(const char *path, ba_error *err)
{
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_verification) ba_verification v = {0};
	ba_lane lane;
	const char *said;
	BA_TRY(read_lane(&lane, &said, err));
	BA_TRY(ba_results_read(&r, path, err));
	if (ba_measured_is_of_files(&r.run))
		return ba_fail(err, BA_EDATA,
			"'%s' is a comparison of files and holds no samples: run the 'compare' it names again",
			path);
	ba_verify(&v, &r);
	check_plan(&v, &r);
	check_document(&v, &r);
	check_lane(&v, &r, lane, said);
	BA_TRY(check_statement(&v, &r, here.statement, path, err));
	if (!here.quiet)
		print_verification(&v, &r, path, here.all);
	if (v.disagreements.count)
		return 1;
	return here.attest ? ba_attestation_write(here.attest, &r, path, err) : 0;
}

int ba_cmd_verify(ba_call *call, ba_error *err)
{
	int rc = verify(call->operands.items[0], err);
	/* an unreadable file does not mean that measuring failed: 129, not 125 */
	if (rc < 0 && ba_error_exit_status(rc) == 125)
		rc = err->code = BA_EINVAL;
	return rc;
}
