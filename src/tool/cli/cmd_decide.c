/* `bench-against decide`: the verdicts of a results document, from its samples. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ba_build.h"
#include "base/mem.h"
#include "cli/cmd.h"
#include "cli/context.h"
#include "cli/help.h"
#include "cli/opt.h"
#include "verify/verify.h"
#include "job/job.h"
#include "stats/sequential.h"
#include "store/results.h"
#include "suite/plan.h"

typedef struct decide_opts {
	const char *output;
	bool help;
} decide_opts;

static int parse(decide_opts *o, ba_strv *operands, int argc, char **argv, ba_error *err)
{
	ba_opt rows[] = {
		OPT_GROUP("Output"),
		OPT_STRING('o', "output", &o->output, "write to <file>, not to standard output"),
		OPT_FLAG('h', "help", &o->help, "this page"),
		OPT_END,
	};
	int rc = ba_help_parse("decide", &o->help, operands, rows, argc, argv, err);
	if (rc || o->help)
		return rc;
	return ba_opt_one_operand(operands, "document",
		"name a document with samples: bench-against decide SAMPLES.json", err);
}

/* The verdicts are those of this version, and so is the document. */
static void sign(ba_result *r)
{
	free(r->run.tool_version);
	r->run.tool_version = ba_xstrdup(BA_VERSION);
	r->document.schema_revision = BA_RESULTS_REVISION;
	r->decided.rule = BA_RULE_NOW;
	r->decided.decided_apart = true;
	ba_plan_sha256(r->run.suite_sha256, r->run.benchmarks, r->run.benchmark_count,
		ba_job_sample_rules(r));
}

/* What the document leaves open is as in a run without options. */
static void complete_rule(ba_result *r)
{
	const ba_design design =
		ba_result_decides_by_counts(r) ? ba_design_counts() : ba_design_sequential();
	if (r->decided.alpha == 0)
		r->decided.alpha = ((ba_policy)BA_POLICY_DEFAULT).alpha;
	if (!*r->decided.multiplicity) {
		free(r->decided.multiplicity);
		r->decided.multiplicity = ba_xstrdup("bh");
	}
	if (r->decided.look_count)
		return;
	for (size_t k = 0; k < design.looks; k++) {
		r->decided.looks[k] = (unsigned)design.at[k];
		r->decided.look_weights[k] = design.weight[k];
	}
	r->decided.look_count = design.looks;
}

/* the exit status of the answer, or an error */
static int decide(const decide_opts *o, const char *path, ba_error *err)
{
	BA_AUTO(ba_result) ba_result r = {0};
	const char *file = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
	int rc = ba_results_read(&r, file, err);
	if (rc)
		return rc;
	sign(&r);
	complete_rule(&r);
	rc = ba_decide_again(&r, err);
	if (rc)
		return ba_fail_context(err, "%s", path);
	rc = o->output ? ba_results_write(o->output, &r, err) : ba_results_put(stdout, &r, err);
	return rc ? rc : r.decided.exit_status;
}

int ba_cmd_decide(int argc, char **argv)
{
	ba_error err = {0};
	decide_opts o = {0};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	int rc = parse(&o, &operands, argc, argv, &err);
	if (rc == 0 && !o.help)
		rc = decide(&o, operands.items[0], &err);
	return rc < 0 ? ba_context_complain(NULL, &err) : ba_context_end(rc);
}
