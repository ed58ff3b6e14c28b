/* `bench-against judge TASK CANDIDATE`: is it faster than the best so far? (judge/judge.h) */
#include "cli/cmd.h"
#include "judge/judge.h"

static const char *const formats[] = {"verdict-text", "verdict", NULL};

static struct {
	const char *session, *output;
	bool strict, trusted;
	int format;
} here;

static const ba_opt rows[] = {
	OPT_GROUP("What is judged"),
	OPT_STRING(0, "session", &here.session, NULL),
	OPT_FLAG(0, "strict", &here.strict, NULL),
	OPT_FLAG(0, "trusted", &here.trusted, NULL),
	OPT_CHOICE(0, "format", &here.format, formats, NULL),
	OPT_STRING('o', "output", &here.output, NULL),
	OPT_END,
};
const ba_own_options ba_judge_options = {"judge", rows, &here, sizeof(here), NULL};

static int check(const ba_strv *operands, ba_error *err)
{
	if (operands->count < 2 && !(here.session && operands->count == 0))
		return ba_fail(err, BA_EINVAL,
			"judge needs a task and a candidate: bench-against judge TASK CANDIDATE");
	return here.output ? ba_outputs_check_file("--output", here.output, err) : 0;
}

static int work(ba_context *c, const ba_strv *operands, ba_result *r, ba_error *err)
{
	ba_job_request q = c->options->job;
	size_t named = operands->count ? 1 : 0;
	const ba_strv candidate = {
		.items = operands->items + named, .count = operands->count - named};
	BA_AUTO(ba_judge)
	ba_judge j = {.job = &q,
		.services = &c->services,
		.task = named ? operands->items[0] : NULL,
		.candidate = &candidate,
		.dir = here.session,
		.output = here.output,
		.strict = here.strict};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	q.command_line = r->run.command_line;
	BA_TRY(check(operands, err));
	BA_TRY(ba_job_check(j.job, err));
	BA_TRY(ba_judge_run(&j, err));
	ba_progress_clear(&c->progress);
	BA_AUTO(ba_brief) ba_brief b = ba_judge_brief(&j);
	if (here.format)
		ba_brief_json(&text, &b);
	else
		ba_brief_text(&text, &b);
	ba_context_put(&text);
	r->decided.exit_status = b.exit_status;
	return 0;
}

int ba_cmd_judge(ba_call *call, ba_error *err)
{
	call->o.job.untrusted = !here.trusted;
	call->o.job.sandbox = call->o.job.sandbox || !here.trusted;
	return ba_cmd_work(call, work, err);
}
