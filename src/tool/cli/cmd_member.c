/* `bench-against --member DESK --device N`: measures for a run on other hosts (job/member.c). */

#include "cli/cmd.h"
#include "cluster/node.h"
#include "job/job.h"

typedef struct orders {
	const char *exchange, *id, *job;
	const char *node, *gpu;
	int64_t patience_ns;
	int device, parent;
} orders;

static int parse(orders *o, int argc, char **argv, ba_error *err)
{
	ba_opt rows[] = {
		OPT_STRING(0, "member", &o->exchange, "measure for the run of <exchange>"),
		OPT_INT_IN(0, "device", &o->device, 0, 1023, "on GPU number <n>"),
		OPT_STRING(0, "id", &o->id, "under the name <id>"),
		OPT_STRING(0, "job", &o->job, "as <job> of Slurm"),
		OPT_STRING(0, "node", &o->node, "on <node> of Slurm"),
		OPT_STRING(0, "gpu", &o->gpu, "whose number of our GPU is <n>"),
		OPT_DURATION(0, "patience", &o->patience_ns,
			"end if the run has written no orders for <time>"),
		OPT_INT_IN(0, "parent", &o->parent, 1, INT_MAX,
			"end with process <n>, which started it"),
		OPT_END,
	};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	int rc = ba_opt_parse(&operands, rows, argc, argv, err);
	if (rc == 0 && (!o->exchange || !o->id || operands.count))
		rc = ba_fail(err, BA_EINVAL,
			"--member is how a run starts those that measure for it: --member DESK --device N --id ID");
	return rc;
}

/* Takes the options of the run that affect what is measured and how. */
static int take_options(ba_options *o, const ba_exchange_plan *plan, int device, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv operands = {0};
	int rc = ba_cmd_parse_journal(o, &operands, &plan->argv, err);
	o->job.device = device;
	o->job.devices = NULL;
	o->job.on = NULL;
	o->job.build_on = NULL;
	o->job.ship = false;
	o->job.seed = plan->seed;
	o->job.purpose = BA_JOB_MEASURE;
	o->quiet = true;
	o->verbose = false;
	return rc;
}

static int serve(ba_context *c, ba_options *o, const char *exchange, ba_exchange_plan *plan,
	const orders *mine, ba_error *err)
{
	BA_AUTO(ba_result) ba_result r = {0};
	uint64_t gpu = 0;
	/* of several GPUs such as "2,3", use the first */
	BA_AUTO_FREE char *first =
		ba_xstrndup(mine->gpu ? mine->gpu : "", mine->gpu ? strcspn(mine->gpu, ",-") : 0);
	ba_parse_u64(&gpu, first, 0, 1023, "--gpu", NULL);
	const ba_member_spec spec = {.id = mine->id,
		.job = mine->job,
		.parent = mine->parent,
		.node = mine->node,
		.gpu = (int)gpu,
		.patience_ns = mine->patience_ns};
	int rc = ba_context_init(c, o, err);
	BA_AUTO_PTR(ba_job)
	ba_job *job = rc ? NULL : ba_job_new(&o->job, &c->services, NULL, &r);
	return rc ? rc : ba_job_serve(job, exchange, plan, &spec, err);
}

int ba_cmd_member(const ba_command *command, int argc, char **argv)
{
	ba_error err = {0};
	orders mine = {0};
	BA_AUTO(ba_exchange_plan) ba_exchange_plan plan = {0};
	BA_AUTO(ba_options) ba_options o;
	BA_AUTO(ba_context) ba_context c = {0};
	ba_options_init(&o);
	int rc = parse(&mine, argc, argv, &err);
	BA_AUTO_FREE char *exchange = rc ? NULL : ba_path_absolute(mine.exchange);
	rc = rc ? rc : ba_exchange_check(exchange, &err);
	rc = rc ? rc : ba_exchange_plan_read(&plan, exchange, &err);
	if (rc == 0 && chdir(plan.directory))
		rc = ba_fail_errno(&err, BA_EIO, "'%s'", plan.directory);
	rc = rc ? rc : take_options(&o, &plan, mine.device, &err);
	rc = rc ? rc : serve(&c, &o, exchange, &plan, &mine, &err);
	return rc ? ba_context_complain(&c, &err) : 0;
}

/* `bench-against --builder`: builds on a node, for a run (cluster/node.h). */
int ba_cmd_builder(const ba_command *c, int argc, char **argv)
{
	BA_AUTO(ba_buf) ba_buf order = BA_BUF_INIT, answer = BA_BUF_INIT;
	char part[4096];
	ssize_t size;
	puts(BA_NODE_MARK);
	while ((size = ba_fs_read_some(STDIN_FILENO, part, sizeof(part))) > 0)
		ba_buf_put(&order, part, (size_t)size);
	ba_node_serve_build(&answer, order.data, order.len);
	fwrite(answer.data, 1, answer.len, stdout);
	return ba_context_end(0);
}
