#include "suite/command_run.h"

#include "engine/box.h"
#include "engine/foreign_code.h"
#include "import/import.h"
#include "stats/quantile.h"

/* ---- the output of one run of a program, benchmark by benchmark ---- */

/* A sink's data (import/import.h). */
typedef struct taker {
	ba_outcomes *all;
	const volatile sig_atomic_t *stop;
} taker;

/* limits for the output of one run */
#define BENCHMARKS_MOST 100000u
#define TEXT_MOST (32u << 20)
#define READINGS_MOST (16u << 20)

#define WAITS_MOST 0.9 /* largest share of waiting, on a machine that others use, too */

BA_OWNS(ba_outcomes, o,
	BA_FREE_EACH(one, o->items, o->count,
		BA_FREE(one->id, one->metric, one->values.at, one->cpu.at, one->failure)),
	ba_names_dispose(&o->ids))

ba_outcome *ba_outcomes_find(ba_outcomes *o, const char *id)
{
	size_t i = ba_names_find(&o->ids, id);
	return i == BA_NAMES_NONE ? NULL : &o->items[i];
}

static double *copy_of(const ba_replicates *r)
{
	double *copy = ba_xreallocarray(NULL, r->count, sizeof(*copy));
	memcpy(copy, r->at, r->count * sizeof(*copy));
	return copy;
}

double ba_replicates_value(const ba_replicates *r)
{
	BA_AUTO_FREE double *sorted = r->count ? copy_of(r) : NULL;
	return sorted ? ba_trim25(sorted, r->count) : 0;
}

bool ba_outcome_is_on_processor(const ba_outcome *o)
{
	return o->cpu.count && o->cpu.count == o->values.count &&
	       ba_replicates_value(&o->cpu) > (1 - WAITS_MOST) * ba_replicates_value(&o->values);
}

void ba_replicates_spread(double *out, size_t n, const ba_replicates *r)
{
	BA_AUTO_FREE double *sorted = copy_of(r);
	if (n == r->count) {
		memcpy(out, sorted, n * sizeof(*out));
		return;
	}
	ba_sort_doubles(sorted, r->count);
	ba_shares_of(out, n, sorted, r->count);
}

static ba_outcome *add(ba_outcomes *o, const ba_record *r)
{
	ba_outcome *mine = BA_PUSH(o->items, o->count, o->capacity);
	*mine = (ba_outcome){
		.id = ba_xstrdup(r->id), .metric = ba_xstrdup(r->metric), .is_time = r->is_time};
	ba_names_add(&o->ids, mine->id);
	return mine;
}

/* Programs may write any amount, but memory is limited. */
static int check_size(ba_outcomes *all, const ba_record *r, bool is_new, ba_error *err)
{
	all->readings += r->count;
	if (is_new)
		all->bytes += strlen(r->id) + strlen(r->metric);
	if (r->failure)
		all->bytes += strnlen(r->failure, 2000);
	if (all->count + is_new > BENCHMARKS_MOST)
		return ba_fail(err, BA_EDATA, "has more than %u benchmarks", BENCHMARKS_MOST);
	if (all->bytes > TEXT_MOST)
		return ba_fail(err, BA_EDATA, "has names and messages of more than %u MiB",
			TEXT_MOST >> 20);
	if (all->readings > READINGS_MOST)
		return ba_fail(err, BA_EDATA, "has more than %u readings", READINGS_MOST);
	return 0;
}

/* Drops the mean of repetitions if the repetitions are there, too. */
static void take_values(ba_replicates *out, const ba_record *r)
{
	if (out->count && (int)r->level < out->level)
		return;
	if (out->count && (int)r->level > out->level)
		out->count = 0;
	out->level = (int)r->level;
	out->at = BA_GROW(out->at, &out->capacity, out->count + r->count);
	memcpy(out->at + out->count, r->values, r->count * sizeof(*r->values));
	out->count += r->count;
}

static int take_record(void *data, const ba_record *r, ba_error *err)
{
	const taker *t = data;
	ba_outcomes *all = t->all;
	if (t->stop && *t->stop)
		return ba_fail(err, BA_EINTERRUPTED, "interrupted");
	ba_outcome *o = ba_outcomes_find(all, r->id);
	BA_TRY(check_size(all, r, !o, err));
	if (!o)
		o = add(all, r);
	if (r->failure || r->skipped || r->higher_is_better) {
		const char *text =
			r->failure ? r->failure
			: r->skipped
				? r->skipped
				: "its metric is a rate: choose one that grows as things get slower";
		if (!o->failure)
			o->failure = ba_text_sentence(text);
		return 0;
	}
	take_values(strcmp(r->metric, o->metric) == 0 ? &o->values : &o->cpu, r);
	return 0;
}

enum { OUTPUT_MOST = 64 << 20, LINES_SHOWN = 8, BYTES_SHOWN = 8 << 10 };

/* ---- one run ------------------------------------------------------------- */

typedef struct place {
	char *dir, *file; /* of this run, and removed with it */
} place;

static void place_dispose(place *p)
{
	if (p->dir)
		ba_fs_remove_tree(p->dir, NULL);
	BA_FREE(p->dir, p->file);
}
BA_DEFINE_AUTO(place, place_dispose)

static int place_make(place *p, const char *scratch, ba_error *err)
{
	p->dir = ba_path_join(scratch, "output-XXXXXX");
	if (!mkdtemp(p->dir)) {
		int rc = ba_fail_errno(err, BA_EIO, "cannot make a directory in '%s'", scratch);
		ba_text_own(&p->dir, NULL);
		return rc;
	}
	p->file = ba_path_join(p->dir, "output.json");
	return 0;
}

/* Does any argument name the file? */
static bool put_arguments(ba_strv *out, char *const *argv, const char *file)
{
	static const char mark[] = "{output}";
	bool named = false;
	for (; *argv; argv++) {
		const char *at = *argv, *found;
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		while ((found = strstr(at, mark))) {
			ba_buf_put(&text, at, (size_t)(found - at));
			ba_buf_puts(&text, file);
			at = found + sizeof(mark) - 1;
			named = true;
		}
		ba_buf_puts(&text, at);
		ba_strv_push(out, text.data);
	}
	return named;
}

static void put_last_lines(ba_buf *safe, const ba_buf *from)
{
	if (!from->len)
		return;
	const char *lines =
		ba_text_last_bytes(ba_text_last_lines(from->data, LINES_SHOWN), BYTES_SHOWN);
	if (safe->len && safe->data[safe->len - 1] != '\n')
		ba_buf_putc(safe, '\n');
	ba_text_sanitize(safe, lines, strlen(lines), true);
}

/* Standard error; also standard output if the results come from a file, or if standard
 * error is empty. */
static char *last_lines(const ba_proc_result *result, bool named)
{
	BA_AUTO(ba_buf) ba_buf safe = BA_BUF_INIT;
	put_last_lines(&safe, &result->err);
	if (named || !result->err.len)
		put_last_lines(&safe, &result->out);
	return safe.len ? ba_buf_detach(&safe) : NULL;
}

/* One run, which may be observed. */
typedef struct attempt {
	const ba_command_line *command;
	const ba_engine_spec *engine;
	size_t variant;
	char **failure, **output;
	bool looks;
	bool named; /* its arguments contain the file for the results */
	/* results of the observation */
	char *stranger; /* a file that it should not have loaded, or NULL */
	bool silent;	/* a Python process did not report its imports */
	bool ended;	/* it ended by itself, not because of a limit */
} attempt;

static int fail(const attempt *t, const ba_proc_result *result, ba_error *err, const char *sentence)
{
	*t->failure = ba_xstrdup(sentence);
	*t->output = last_lines(result, t->named);
	return ba_fail(err, BA_EVARIANT, "%s", sentence);
}

static int read_output(ba_outcomes *out, const ba_proc_result *result, const place *p,
	const attempt *t, ba_error *err)
{
	taker into = {out, t->engine->stop};
	const ba_sink sink = {.data = &into,
		.record = take_record,
		.metric = t->command->metric,
		.both_clocks = true};
	if (!t->named)
		return ba_import_memory(NULL, result->out.data, result->out.len, "standard output",
			NULL, &sink, err);
	if (!ba_fs_exists(p->file))
		return ba_fail(err, BA_EDATA,
			"it ended without an error, but wrote no results to '{output}'");
	/* a pipe could block for ever */
	if (!ba_fs_is_dir(p->file) && !ba_fs_is_file_below(p->file, p->dir))
		return ba_fail(err, BA_EDATA,
			"'{output}' is not a file, or is a link that leaves its folder");
	return ba_import_read(NULL, p->file, NULL, &sink, err);
}

/* "NAME=first:what it was" */
static void put_first(ba_strv *out, const char *name, const char *first, const char *was)
{
	ba_strv_printf(out, "%s=%s%s%s", name, first, was && *was ? ":" : "", was ? was : "");
}

/* The environment of an observed program: the observer's libraries and modules come
 * first. */
static void watched_environment(
	ba_strv *out, const ba_command_line *command, size_t variant, const char *report)
{
	const char *const *env =
		command->envs ? command->envs[variant] : (const char *const *)environ;
	for (const char *const *e = env; *e; e++)
		if (!ba_env_value(*e, "LD_AUDIT") && !ba_env_value(*e, "PYTHONPATH"))
			ba_strv_push(out, *e);
	put_first(out, "LD_AUDIT", command->loads_library, ba_env_find(env, "LD_AUDIT"));
	put_first(out, "PYTHONPATH", command->start_dir, ba_env_find(env, "PYTHONPATH"));
	ba_strv_printf(out, "BENCH_AGAINST_LOADED=%s", report);
}

static int check_run(ba_outcomes *out, const attempt *t, const place *p,
	const ba_proc_result *result, const char *program, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_error trouble;
	if (!ba_proc_result_ok(result)) {
		ba_buf_printf(&text, "'%s' ", program);
		ba_proc_result_text(&text, result);
		if (ba_proc_result_hit_file_limit(result))
			return ba_fail(err, BA_EIO, "%s", text.data);
		return fail(t, result, err, text.data);
	}
	if (t->stranger)
		return fail(t, result, err, t->stranger);
	if (result->out_dropped && !t->named)
		return fail(
			t, result, err, "it printed more than 64 MiB; let it write to '{output}'");
	int rc = read_output(out, result, p, t, &trouble);
	/* a readable file that could not be read is the machine's failure */
	if (rc == BA_EINTERRUPTED || (rc == BA_EIO && access(p->file, R_OK) == 0))
		return ba_fail(err, rc, "%s", trouble.text);
	if (rc) {
		ba_buf_printf(&text, "what '%s' %s: %s%s", program, t->named ? "wrote" : "printed",
			trouble.text,
			t->named ? "" : " (results may be written to '{output}' instead)");
		return fail(t, result, err, text.data);
	}
	if (out->count == 0)
		return fail(t, result, err, "its output contains no benchmark");
	return 0;
}

static int run_once(ba_outcomes *out, attempt *t, ba_error *err)
{
	const ba_command_line *command = t->command;
	BA_AUTO(place) place p = {0};
	BA_AUTO(ba_strv) ba_strv argv = {0}, env = {0};
	BA_AUTO(ba_proc_result) ba_proc_result result = {0};
	BA_AUTO(ba_box) ba_box box = {0};
	const ba_sandbox *sandbox;
	ba_error trouble;
	BA_TRY(place_make(&p, command->scratch, err));
	t->named = put_arguments(&argv, command->argv, p.file);
	BA_AUTO_FREE char *report = ba_path_join(p.dir, "loaded");
	if (t->looks)
		watched_environment(&env, command, t->variant, report);
	const ba_proc_spec spec = {.argv = (const char *const *)argv.items,
		.env = t->looks	       ? (const char *const *)env.items
		       : command->envs ? command->envs[t->variant]
				       : NULL,
		.dir = t->engine->variants[t->variant].tree_dir,
		.out = {BA_OUTPUT_HEAD, OUTPUT_MOST},
		.err = {BA_OUTPUT_TAIL, 0},
		.limit_ns = command->limit_ns,
		.stop = t->engine->stop};
	BA_TRY(ba_box_of(&sandbox, &box, t->engine, &t->variant, 1, p.dir, err));
	int rc = ba_sandbox_run(&result, &spec, sandbox, &trouble);
	/* a missing program is the variant's failure; missing processes or descriptors
	 * are not */
	if (rc && rc != BA_ENOTFOUND)
		return ba_fail(err, rc, "%s", trouble.text);
	if (rc)
		return fail(t, &result, err, trouble.text);
	t->ended = result.end != BA_PROC_TIMEOUT;
	out->wall_ns = (double)result.wall_ns;
	out->cpu_ns = (double)result.cpu_ns;
	out->memory_peak = (double)result.memory_peak;
	const ba_code_origin origin = {.checkout = command->checkout,
		.start_dir = command->start_dir,
		.scratch = command->scratch,
		.pythonpath = command->pythonpath};
	if (t->looks)
		t->stranger = ba_foreign_code_reported(
			&t->silent, report, &origin, t->engine, t->variant);
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a command has a word */
	return check_run(out, t, &p, &result, argv.items[0], err);
}

int ba_command_run(ba_outcomes *out, char **failure, char **output, const ba_command_line *command,
	const ba_engine_spec *engine, size_t variant, ba_error *err)
{
	attempt t = {command, engine, variant, failure, output, .looks = false};
	return run_once(out, &t, err);
}

/* A run that fails under observation is repeated without it, because the observation
 * may be the cause. */
static int run_unseen(ba_outcomes *out, char **remark, const attempt *seen, ba_error *err)
{
	char *failure = NULL, *output = NULL;
	BA_AUTO_FREE char *first = *seen->failure;
	free(*seen->output);
	*seen->failure = *seen->output = NULL;
	ba_outcomes_dispose(out);
	int rc = ba_command_run(
		out, &failure, &output, seen->command, seen->engine, seen->variant, err);
	*seen->failure = failure;
	*seen->output = output;
	if (rc == 0)
		*remark = ba_xprintf(
			"the files that it loads are unknown: it fails while they are watched (%s), and works otherwise",
			first);
	return rc;
}

int ba_command_look(ba_outcomes *out, char **failure, char **output, char **remark,
	const ba_command_line *command, const ba_engine_spec *engine, size_t variant, ba_error *err)
{
	attempt t = {command, engine, variant, failure, output,
		.looks = command->loads_library && command->start_dir};
	*remark = NULL;
	int rc = run_once(out, &t, err);
	BA_AUTO_FREE char *stranger = t.stranger;
	if (rc == BA_EVARIANT && t.looks && t.ended && !stranger)
		return run_unseen(out, remark, &t, err);
	if (rc == 0 && t.silent)
		*remark = ba_xstrdup(
			"the modules that it imports are unknown: it started a Python with -I, -E or -S");
	return rc;
}
