/* `bench-against --prebuild now|ahead OPTIONS -- VARIANTS`: builds as a run with the same
 * command line would, and measures nothing, for a search (bisect/builds.c). */

#include "cli/cmd.h"
#include "proc/affinity.h"

/* Lowers the priority of builds ahead of time below the step's, but not so far that a
 * step would wait for ever for a build that it needs. */
static void step_back(void)
{
	ba_priority p = ba_priority_now();
	if (p.nice < 10)
		p.nice = 10;
	ba_priority_set(p);
}

static int take_orders(int argc, char **argv, ba_error *err)
{
	if (argc < 3 || (strcmp(argv[1], "now") != 0 && strcmp(argv[1], "ahead") != 0))
		return ba_fail(err, BA_EINVAL,
			"--prebuild is how a search builds commits: --prebuild now|ahead OPTIONS -- VARIANTS");
	if (strcmp(argv[1], "ahead") == 0)
		step_back();
	return 0;
}

static int build(ba_context *c, const ba_strv *operands, ba_error *err)
{
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO_PTR(ba_job)
	ba_job *job = ba_job_new(&c->options->job, &c->services, NULL, &r);
	BA_TRY(ba_job_resolve(job, operands, err));
	return ba_job_build(job, err);
}

int ba_cmd_prebuild(const ba_command *command, int argc, char **argv)
{
	ba_error err = {0};
	BA_AUTO(ba_options) ba_options o;
	BA_AUTO(ba_context) ba_context c = {0};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	ba_options_init(&o);
	int rc = take_orders(argc, argv, &err);
	/* the words before it are internal */
	const ba_strv rest = {argv + 1, (size_t)(argc > 1 ? argc - 1 : 0), 0};
	rc = rc ? rc : ba_cmd_parse_journal(&o, &operands, &rest, &err);
	rc = rc ? rc : ba_context_init(&c, &o, &err);
	rc = rc ? rc : build(&c, &operands, &err);
	return rc ? ba_context_complain(&c, &err) : 0;
}
