/* `bench-against doctor`: what can this machine measure, and what makes it noisy? */

#include "cli/cmd.h"
#include "counter/counter.h"
#include "engine/engine.h"

static const struct {
	const char *prefix; /* the beginning of a finding, which states its severity */
	const char *mark, *ascii;
	ba_ink ink;
} marks[] = {
	{"refuse: ", "✗", "REFUSED", BA_INK_BAD},
	{"warn: ", "!", "WARNING", BA_INK_DOUBT},
	{"info: ", "·", "-", BA_INK_PLAIN},
};

/* The host target needs no GPU: findings that forbid GPU measurements are not shown. */
static void print_findings(const ba_context *c, const ba_survey *survey)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	size_t first = c->options->job.target == BA_ON_HOST ? 1 : 0;
	for (size_t k = first; k < BA_COUNT(marks); k++)
		for (size_t i = 0; i < survey->findings.count; i++) {
			const char *line = survey->findings.items[i];
			if (!ba_text_starts(line, marks[k].prefix))
				continue;
			ba_ink_put(&out, c->format.colour, marks[k].ink,
				c->format.unicode ? marks[k].mark : marks[k].ascii);
			BA_AUTO_FREE char *safe = ba_text_safe(line + strlen(marks[k].prefix));
			if (!c->format.unicode)
				ba_text_ascii(safe);
			ba_buf_printf(&out, " %s\n", safe);
		}
	ba_context_put(&out);
}

/* Can built trees be kept? The directory itself may not exist yet. */
static void look_at_cache(ba_survey *survey, const ba_context *c)
{
	BA_AUTO_FREE char *dir = ba_xstrdup(c->cache_root);
	while (!ba_fs_exists(dir) && strcmp(dir, "/") != 0)
		ba_text_own(&dir, ba_path_dir(dir));
	if (ba_fs_is_dir(dir) && access(dir, W_OK | X_OK) == 0)
		return;
	ba_strv_printf(&survey->findings,
		"warn: built trees cannot be kept in '%s': '%s' cannot be written — Name another directory with --cache-dir or BENCH_AGAINST_CACHE.",
		c->cache_root, dir);
}

/* Nothing of this is needed by every measurement. */
static void look_at_abilities(ba_survey *survey)
{
	static const struct {
		const char *what, *program, *remedy;
	} rows[] = {
		{"blocks of machine code (code --explain)", "nvdisasm",
			"it is in the CUDA toolkit; put its bin folder into PATH"},
		{"nodes of a Slurm cluster (--on slurm)", "sbatch",
			"install Slurm's clients (Debian: slurm-client), or work on a login node"},
	};
	static const char line[] = "info: %s: %s";
	ba_error why;
	ba_counter *counter = NULL;
	bool boxed = ba_sandbox_available(&why) == 0;
	ba_strv_printf(&survey->findings, line, "sandboxes for builds and benchmarks (--sandbox)",
		boxed ? "available" : why.text);
	int way = ba_counter_way_from_name("auto");
	bool counts = ba_counter_open(&counter, (ba_counter_way)way, 1000, &why) == 0;
	ba_counter_free(counter);
	ba_strv_printf(&survey->findings, line,
		"counted instructions and their source lines (--metrics instructions, explain)",
		counts ? "available" : why.text);
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		BA_AUTO_FREE char *file = NULL;
		bool there =
			!ba_proc_find_program(&file, rows[i].program, getenv("PATH"), NULL, &why);
		if (there)
			ba_strv_printf(&survey->findings, line, rows[i].what, "available");
		else
			ba_strv_printf(&survey->findings, "info: %s: '%s' is not in PATH; %s",
				rows[i].what, rows[i].program, rows[i].remedy);
	}
}

static const char *conclusion(const ba_options *o, unsigned refusals)
{
	if (o->job.target == BA_ON_HOST)
		return "Fit for measuring launch code: --target host needs no GPU.";
	return refusals
		       ? "Not fit for measuring on the GPU. The launch code itself can be measured anywhere: --target host."
		       : "Fit for measuring on the GPU.";
}

/* *devices: how many devices the driver reports. */
static int examine(ba_context *c, int device, ba_result *r, int *devices, ba_error *err)
{
	const ba_options *o = c->options;
	const ba_engine_spec spec = {.kind = BA_ENGINE_DUET,
		.target = ba_target_words[o->job.target == BA_ON_HOST ? BA_ON_HOST : BA_ON_GPU],
		.worker = c->parts.worker,
		.device = device,
		.cpu = o->job.cpu,
		.idle_limit_ns = 60 * BA_SECOND,
		.stop = &ba_stop_signal,
		.log = &c->log};
	BA_AUTO(ba_survey) ba_survey survey = {0};
	unsigned refusals = 0;
	BA_TRY(ba_engine_examine(&survey, &refusals, &spec, err));
	*devices = survey.device_count;
	look_at_cache(&survey, c);
	look_at_abilities(&survey);
	if (o->job.devices)
		printf("GPU %d:\n", device);
	print_findings(c, &survey);
	printf("\n%s\n", conclusion(o, refusals));
	if (refusals && o->job.target != BA_ON_HOST)
		r->decided.exit_status = 125;
	return 0;
}

/* Examines each GPU that --device names. */
static int work(ba_context *c, const ba_strv *operands, ba_result *r, ba_error *err)
{
	const ba_options *o = c->options;
	int devices = 0;
	int rc = examine(c, o->job.device, r, &devices, err);
	for (int i = 0; rc == 0 && i < 1024; i++)
		if (i != o->job.device && ba_options_name_device(o, i) &&
			(i < devices || strcmp(o->job.devices, "all") != 0))
			rc = examine(c, i, r, &devices, err);
	return rc;
}

int ba_cmd_doctor(ba_call *call, ba_error *err)
{
	return ba_cmd_work(call, work, err);
}
