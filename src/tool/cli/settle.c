#include "cli/options.h"

#include "proc/affinity.h"

static int contradiction(const ba_opt *rows, const ba_options *o, unsigned command, ba_error *err)
{
	const unsigned looks = BA_FOR_AGAINST | BA_FOR_RUN | BA_FOR_BISECT;
	const struct {
		bool both;
		const char *sentence;
	} pairs[] = {
		{(command & looks) && o->job.fixed &&
				(o->job.min_invocations || o->job.max_invocations),
			"--fixed says how many invocations there are; leave out --min-invocations and --max-invocations"},
		{(command & looks & ~(unsigned)BA_FOR_BISECT) && o->job.fixed && o->job.budget_ns,
			"--fixed decides once, at the end, so --budget cannot stop it earlier; leave out one of them"},
		{(command & looks) && ba_opt_seen(rows, "budget") && !o->job.budget_ns,
			"--budget 0 leaves no time to measure in"},
		{o->job.min_invocations && o->job.max_invocations &&
				o->job.min_invocations > o->job.max_invocations,
			"--min-invocations is more than --max-invocations"},
		{o->quiet && o->verbose, "--quiet and --verbose contradict each other"},
		{(o->job.devices || o->job.on) && o->job.part,
			"--part measures on one GPU: the others have parts of their own; leave out --on, and name one GPU with --device"},
		{o->resume && o->job.part,
			"--part keeps no journal to resume: measure the part again"},
		{o->resume && o->filter_from,
			"--resume measures the benchmarks that its run chose; leave out --filter-from"},
		{o->resume && !*o->resume, "--resume '' names no journal"},
		{o->job.config && o->job.config_from,
			"--config and --config-from each name a configuration; give one"},
		{o->job.fake_driver && ba_opt_seen(rows, "target"),
			"--fake-driver is itself a target; leave out --target"},
		{o->job.no_build && o->job.in_place,
			"--no-build and --in-place contradict each other"},
		{o->job.only_changed && (o->job.measure_identical || o->job.untrusted),
			"--only-changed believes a comparison of code; leave it out with --measure-identical and --untrusted"},
		{o->job.only_changed && o->job.part,
			"--only-changed begins again if a control moves, and a part of a run cannot; leave out --part"},
		{(command & BA_FOR_AGAINST) && ba_opt_seen(rows, "controls") &&
				!o->job.only_changed,
			"--controls says how many benchmarks --only-changed still measures; add --only-changed"},
		{o->job.untrusted && o->job.engine,
			"--untrusted isolates the variants in its own way; leave out --engine"},
		{o->job.untrusted && o->job.in_place,
			"--untrusted builds in trees of its own; leave out --in-place"},
		{o->job.untrusted && o->job.layouts > 1,
			"--untrusted measures libraries as they were built; leave out --layouts"},
		{o->job.untrusted && o->job.ncu,
			"--ncu profiles a worker outside of the sandbox; leave it out with --untrusted"},
		{o->job.devices && o->job.cpu >= 0,
			"--cpu is one processor, and each GPU of --device gets one near it; leave out --cpu"},
		{o->job.devices && o->job.untrusted,
			"--untrusted measures on one GPU: the reports of members cannot be checked; name one with --device"},
		{o->job.on && o->job.devices,
			"--on measures on the GPUs of its tasks; leave out --device"},
		{o->job.on && o->job.cpu >= 0,
			"--cpu names a processor of this host, and --on measures on others; leave it out"},
		{o->job.on && o->job.untrusted,
			"--untrusted measures on this host: the reports of members cannot be checked; leave out --on"},
		{!o->job.on && (o->job.exchange || o->job.ship || o->job.keep_tasks_ns ||
				       (o->job.start_within_ns && !o->job.build_on)),
			"--desk, --ship, --start-within and --keep-tasks need --on 'slurm: OPTIONS'"},
		{o->job.build_on && strcmp(o->job.build_on, "same") == 0 && !o->job.on,
			"--build-on same takes the options of --on 'slurm: OPTIONS', and there is no --on"},
		{o->job.build_on && o->job.ship,
			"--build-on builds in a directory that this host and the nodes share, and with --ship there is none; leave out one of them"},
		{o->job.build_on && o->job.untrusted,
			"--untrusted builds on this host, where nobody else can change what was built; leave out --build-on"},
		{o->job.alpha <= 0 || o->job.alpha >= 0.5, "--alpha must be between 0 and 50 %"},
	};
	__auto_type found = BA_FIND(pairs, BA_COUNT(pairs), x, x->both);
	return found ? ba_fail(err, BA_EINVAL, "%s", found->sentence) : 0;
}

/* A worker that cannot be pinned would run anywhere, without a note in the report. */
static int check_cpu(int cpu, ba_error *err)
{
	if (cpu < 0 || ba_affinity_may(cpu))
		return 0;
	return ba_fail(err, BA_EINVAL,
		"--cpu %d: there is no such processor, or this process may not run on it; 'taskset -cp $$' lists those it may",
		cpu);
}

/* Adds the lines of --filter-from to the filters. */
static int read_filters(ba_options *o, ba_error *err)
{
	enum { CEILING = 1 << 20 };
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv lines = {0};
	if (!o->filter_from)
		return 0;
	BA_AUTO_FREE char *path = ba_path_join(o->directory ? o->directory : "", o->filter_from);
	if (ba_fs_read_input(&text, path, CEILING, err))
		return ba_fail_context(err, "--filter-from");
	ba_strv_split(&lines, text.data, '\n');
	for (size_t i = 0; i < lines.count; i++)
		if (*lines.items[i])
			ba_strv_push(&o->job.filters, lines.items[i]);
	return 0;
}

/* Options for the appearance and the output of a run, which suggestions leave out. The
 * first one is left out only where all benchmarks are listed. */
static const char *const of_this_run[] = {"filter", "filter-from", "quiet", "verbose", "color",
	"unicode", "progress", "output", "report", "format", "resume", "no-history", "seed",
	"expected", "thorough", NULL};

static const char *suggest(ba_options *o, const char *command, ba_options_for wanted,
	const ba_opt *rows, const ba_strv *operands, size_t most)
{
	BA_AUTO(ba_options) ba_options other;
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_opt accepted[BA_OPTION_ROWS_MOST];
	ba_options_init(&other);
	ba_options_rows(accepted, &other, wanted);
	ba_strv_push(&words, "bench-against");
	ba_strv_split(&words, command, ' ');
	ba_opt_again(&words, rows, accepted, of_this_run + (wanted != BA_FOR_LIST));
	for (size_t i = 0; i < operands->count && i < most; i++)
		ba_strv_push(&words, operands->items[i]);
	ba_strv_push_take(&o->suggested, ba_shell_command(&words));
	return o->suggested.items[o->suggested.count - 1];
}

/* Makes the commands that messages suggest for this run. They have its target,
 * configuration and whatever else the suggested command accepts, quoted for the shell.
 * A resumed run has them already: it suggests the options of its first start. */
static void fill_suggestions(ba_options *o, const ba_opt *rows, const ba_strv *operands)
{
	if (o->suggested.count)
		return;
	/* a calibration builds the variant twice, which a directory outside git does not allow */
	bool commit = operands->count && !strstr(operands->items[0], "path:");
	o->job.suggest = (ba_job_commands){
		.list = suggest(o, "list", BA_FOR_LIST, rows, operands, SIZE_MAX),
		.expected = suggest(o, "list --expected", BA_FOR_LIST, rows, operands, SIZE_MAX),
		.doctor = suggest(o, "doctor", BA_FOR_DOCTOR, rows, operands, 0),
		.calibrate = suggest(o, "calibrate", BA_FOR_CALIBRATE, rows, operands, commit)};
}

int ba_options_settle(ba_options *o, const ba_opt *rows, const ba_strv *operands,
	ba_options_for command, ba_error *err)
{
	int rc = 0;
	o->help = o->help || o->help_all;
	if (o->help)
		return 0;
	fill_suggestions(o, rows, operands);
	BA_TRY(read_filters(o, err));
	if (o->job.fake_driver)
		o->job.target = BA_ON_FAKE;
	if (o->job.untrusted) {
		o->job.gate = BA_GATE_STRICT;
		o->job.measure_identical = true;
		o->job.no_device_code = true;
		o->job.sandbox = true;
	}
	if (command & (BA_FOR_DEVICES | BA_FOR_BISECT | BA_FOR_JUDGE | BA_FOR_DOCTOR))
		rc = ba_job_request_set_devices(&o->job, o->job.devices, err);
	if (rc == 0 && (command & (BA_FOR_BISECT | BA_FOR_JUDGE)) && o->job.devices)
		rc = ba_fail(err, BA_EINVAL,
			"--device %s: this command measures on one GPU, the same in all steps; name one: --device 0",
			o->job.devices);
	rc = rc ? rc : contradiction(rows, o, command, err);
	return rc ? rc : check_cpu(o->job.cpu, err);
}

bool ba_options_name_device(const ba_options *o, int device)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	BA_AUTO_FREE char *number = ba_xprintf("%d", device);
	if (!o->job.devices)
		return device == o->job.device;
	ba_strv_split(&words, o->job.devices, ',');
	return strcmp(o->job.devices, "all") == 0 || ba_strv_has(&words, number);
}
