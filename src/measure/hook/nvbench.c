/*
 * NVBench (docs/nvbench.md): its own library measures, one of its samples after the other,
 * and waits for the host between two of them.
 *
 * Nothing of its headers is used, because they differ from version to version. What is used
 * has been the same since 2021: names of functions, std::vector<std::string> of libstdc++,
 * the number of benchmark_base::do_run() among the virtual functions, options of the
 * command line, and the JSON that it prints.
 */
#include "hook/nvbench_library.h"
#include "hook/serve.h"
#include "hook/symbols.h"

#define IDLE_MOST 1000u /* samples that NVBench may discard, one after the other */

static struct {
	ba_strv arguments; /* the program's own */
	char *refused;	   /* why these arguments cannot be used, or NULL */
	ba_nvbench_list list;
	bool listed;
} program;

/* The state that is on the stack. */
static struct {
	bool announced; /* "prepared" was sent */
	bool measures;	/* a visit has begun and was not answered */
	bool over;	/* the host wants no more of it */
	double bytes_read, bytes_written, items;
	uint64_t free_before; /* memory of the GPU; 0: unknown */
	ba_hook_sizes sizes;
	uint64_t *ns, taken; /* of the visit: readings, and samples that count */
	ba_census *census;   /* the visit is a census; or NULL */
	unsigned idle;
} state;

/* ---- NVBench asks ---- */

static void begin_visit(const ba_message *m)
{
	const char *mode = ba_message_text(m, "mode");
	if (strcmp(mode, "gpu_cold") != 0 && strcmp(mode, "submit") != 0)
		ba_hook_fail("a program of NVBench cannot measure '%s'", mode);
	else if (ba_hook_sizes_of(&state.sizes, m)) {
		state.ns = ba_xreallocarray(state.ns, state.sizes.readings, sizeof(*state.ns));
		memset(state.ns, 0, state.sizes.readings * sizeof(*state.ns));
		state.taken = 0;
		state.idle = 0;
		state.measures = true;
	}
}

/* What NVBench does itself for a sample is in it, and the same in all variants. */
static void begin_census(const ba_message *m)
{
	ba_error why;
	ba_census *c = ba_hook_census();
	state.sizes = (ba_hook_sizes){.batch = 1};
	if (ba_message_u64(&state.sizes.readings, m, "calls", &why) ||
		ba_message_u64(&state.sizes.discard, m, "warm_up", &why))
		ba_hook_fail("%s", why.text);
	else if (!c || strcmp(ba_message_text(m, "way"), "census") != 0)
		ba_hook_uncounted(c ? "instructions of NVBench's programs are not counted"
				    : "this process was not started for a census");
	else {
		state.census = c;
		state.taken = state.idle = 0;
		state.measures = true;
	}
}

static uint64_t wanted_samples(void)
{
	return state.sizes.discard + state.sizes.readings * state.sizes.batch;
}

static void on_sample(double seconds)
{
	if (!state.measures || state.taken >= wanted_samples())
		return;
	state.idle = 0;
	if (state.census) {
		/* the first ones are a warm-up, and what NVBench discards is in none */
		ba_census_leave(state.census, state.taken >= state.sizes.discard);
		if (state.taken < state.sizes.discard)
			memset(state.census->counts, 0, sizeof(state.census->counts));
	} else if (state.taken >= state.sizes.discard) {
		uint64_t reading = (state.taken - state.sizes.discard) / state.sizes.batch;
		state.ns[reading] += (uint64_t)(seconds * 1e9 + 0.5);
	}
	state.taken++;
}

static void end_visit(void)
{
	state.measures = false;
	if (state.census) {
		state.census = NULL;
		ba_hook_counted();
		return;
	}
	for (uint64_t i = 0; i < state.sizes.readings; i++)
		state.ns[i] += state.ns[i] == 0;
	BA_HOOK_REPLY("measured", BA_SAY_U64S("ns", state.ns, state.sizes.readings));
}

static void on_begin(void)
{
	state.free_before = ba_nvbench_free_memory();
}

static void say_memory(void)
{
	uint64_t left = ba_nvbench_free_memory(), before = state.free_before;
	if (before && left)
		BA_HOOK_REPLY("memory", BA_SAY_F64("free", (double)left),
			BA_SAY_F64("taken", before > left ? (double)(before - left) : 0));
}

/* Between two samples: takes requests until one wants samples. True: the state is over. */
static bool on_turn(void)
{
	if (!state.announced && !state.over) {
		say_memory();
		ba_hook_prepared(state.bytes_read, state.bytes_written, state.items, 0);
	}
	state.announced = true;
	if (state.measures && state.taken < wanted_samples()) {
		if (state.census)
			ba_census_enter(state.census,
				state.taken + 1 == wanted_samples() ? ba_hook_tree() : NULL);
		if (++state.idle <= IDLE_MOST)
			return false;
		ba_hook_fail("NVBench discarded %u samples one after the other", IDLE_MOST);
		state.measures = false;
	} else if (state.measures) {
		end_visit();
	}
	while (!state.over && !state.measures) {
		const ba_message *m = ba_hook_next_held();
		if (!m)
			state.over = true;
		else if (strcmp(m->type, "measure") == 0)
			begin_visit(m);
		else if (strcmp(m->type, "count") == 0)
			begin_census(m);
		else
			ba_hook_fail("no such request '%s'", m->type);
	}
	if (state.census && !state.taken)
		ba_census_enter(state.census, NULL);
	return state.over;
}

static void on_amount(ba_nvbench_amount what, size_t amount)
{
	double *sums[] = {&state.items, &state.bytes_read, &state.bytes_written};
	*sums[what] += (double)amount;
}

/* ---- arguments ---- */

/* The host chooses benchmarks and values, and nothing is printed. */
static void refuse_arguments(void)
{
	static const char *const ours[] = {"-b", "--benchmark", "-a", "--axis", "-d", "--device",
		"--devices", "--profile", "--run-once"};
	for (size_t i = 0; i < program.arguments.count && !program.refused; i++)
		for (size_t k = 0; k < BA_COUNT(ours); k++)
			if (strcmp(program.arguments.items[i], ours[k]) == 0)
				program.refused = ba_xprintf(
					"its command has the option '%s', which belongs to bench-against: choose with \"axes\" in the suite, --axis, --filter and --device",
					ours[k]);
}

static void add_usual(ba_strv *args)
{
	static const char *const usual[][2] = {
		{"--min-samples", "1"}, {"--timeout", "1000000000"}, {"--skip-time", "-1"}};
	for (size_t i = 0; i < BA_COUNT(usual); i++)
		BA_STRV_PUSH(args, usual[i][0], usual[i][1]);
	/* the functions of others may be too short to be replaced */
	if (!ba_strv_has(&program.arguments, "--stopping-criterion") &&
		ba_symbols_text("--stopping-criterion"))
		BA_STRV_PUSH(args, "--stopping-criterion", "stdrel");
	/* options that not all versions have */
	if (ba_symbols_text("--throttle-threshold"))
		BA_STRV_PUSH(args, "--throttle-threshold", "0");
	if (ba_symbols_text("--no-batch"))
		ba_strv_push(args, "--no-batch");
	else
		BA_STRV_PUSH(args, "--min-time", "0");
}

static void add_benchmark(ba_strv *args, const char *name)
{
	ba_strv_copy(args, &program.arguments);
	ba_strv_push(args, "--quiet");
	if (strcmp(ba_hook_target(), "gpu") == 0) {
		ba_strv_push(args, "--devices");
		ba_strv_printf(args, "%d", ba_hook_device());
	}
	BA_STRV_PUSH(args, "--benchmark", name);
}

/* ---- requests ---- */

static bool read_list(void)
{
	BA_AUTO(ba_strv) ba_strv args = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (program.refused) {
		ba_hook_fail("%s", program.refused);
		return false;
	}
	if (program.listed)
		return true;
	ba_strv_push(&args, program.arguments.count ? program.arguments.items[0] : "program");
	ba_strv_push(&args, "--jsonlist-benches");
	ba_nvbench_print(&text, &args);
	ba_nvbench_list_read(&program.list, text.data);
	program.listed = program.list.count > 0;
	if (!program.listed)
		ba_hook_fail(
			"NVBench listed no benchmark; it needs the option --jsonlist-benches (2023 and later)");
	return program.listed;
}

static void send_benchmark(const ba_nvbench_benchmark *b)
{
	BA_AUTO(ba_strv) ba_strv axes = {0}, kinds = {0}, values = {0}, args = {0}, modes = {0};
	BA_AUTO_FREE uint64_t *counts = ba_xcalloc(b->axis_count + 1, sizeof(*counts));
	for (size_t i = 0; i < b->axis_count; i++) {
		const ba_nvbench_axis *a = &b->axes[i];
		ba_strv_push(&axes, a->name);
		/* other exponents could not be told from other numbers */
		ba_strv_push(&kinds, a->power_of_two || !a->kind ? "text" : a->kind);
		ba_strv_copy(&values, &a->words);
		counts[i] = a->words.count;
	}
	add_benchmark(&args, b->name);
	bool gpu = ba_nvbench_uses_gpu(&args);
	BA_STRV_PUSH(&modes, gpu ? "gpu_cold" : "submit", "launches");
	BA_HOOK_REPLY("benchmark", BA_SAY_TEXT("name", b->name), BA_SAY_TEXTS("axes", axes),
		BA_SAY_TEXTS("kinds", kinds), BA_SAY_U64S("value_counts", counts, b->axis_count),
		BA_SAY_TEXTS("values", values), BA_SAY_TEXTS("modes", modes),
		BA_SAY_BOOL("gpu", gpu), BA_SAY_BOOL("weighs", gpu || ba_nvbench_free_memory()));
}

static void list(void)
{
	if (!read_list())
		return;
	for (size_t i = 0; i < program.list.count; i++)
		send_benchmark(&program.list.items[i]);
}

/* A state that ended without the host's wish. */
static void report_end(const char *reason)
{
	static const char unexpected[] = "Unexpected error: ";
	if (ba_text_starts(reason, unexpected))
		/* the lines after the first are where Python was */
		ba_hook_fail("%.*s", (int)strcspn(reason + strlen(unexpected), "\n"),
			reason + strlen(unexpected));
	else if (state.announced)
		ba_hook_fail("NVBench ended the state%s%s", *reason ? ": " : "", reason);
	else if (*reason)
		ba_hook_skip(reason);
	else
		ba_hook_fail("NVBench took no sample, and says no reason");
}

static bool add_values(ba_strv *args, const ba_message *m)
{
	BA_AUTO(ba_strv) ba_strv axes = {0}, values = {0};
	const char *name = ba_message_text(m, "name");
	ba_message_texts(&axes, m, "axes");
	ba_message_texts(&values, m, "values");
	for (size_t i = 0; i < axes.count && i < values.count; i++) {
		const ba_nvbench_axis *a = ba_nvbench_find(&program.list, name, axes.items[i]);
		if (!a) {
			ba_hook_fail("benchmark '%s' has no axis '%s'", name, axes.items[i]);
			return false;
		}
		ba_strv_push(args, "--axis");
		ba_strv_push_take(args, ba_nvbench_option(a, values.items[i]));
	}
	return true;
}

static void prepare(const ba_message *m)
{
	BA_AUTO(ba_strv) ba_strv args = {0};
	BA_AUTO(ba_buf) ba_buf results = BA_BUF_INIT;
	if (!read_list())
		return;
	add_benchmark(&args, ba_message_text(m, "name"));
	if (!add_values(&args, m))
		return;
	add_usual(&args);
	free(state.ns);
	memset(&state, 0, sizeof(state));
	ba_nvbench_run(&results, &args);
	if (state.over)
		return;
	BA_AUTO_FREE char *reason = ba_nvbench_reason(results.data);
	report_end(reason);
}

static void unprepared(const ba_message *m)
{
	ba_hook_fail("nothing is prepared");
}

/* ---- the program ---- */

static void serve(const ba_strv *arguments)
{
	ba_strv_copy(&program.arguments, arguments);
	refuse_arguments();
	ba_hook_serve();
}

static bool take_over(void)
{
	static const ba_nvbench_calls calls = {on_begin, on_turn, on_sample, on_amount, serve};
	return ba_nvbench_take_over(&calls);
}

const ba_hook_ops ba_hook_nvbench = {
	.word = "nvbench",
	.library = "NVBench",
	.trace = "nvbench",
	.is_here = ba_nvbench_find_functions,
	.take_over = take_over,
	.missed = " before NVBench read its options",
	.list = list,
	.prepare = prepare,
	.measure = unprepared,
	.count = unprepared,
};
