/* Runs each variant's kernels once more, under Nsight Compute. */

#include "disasm/listing.h"
#include "devicecode/inspect.h"
#include "session/prepare.h"
#include "import/import.h"
#include "model/code.h"

/* most launches of one variant, and most benchmarks */
#define LAUNCHES_MOST "64"
#define BENCHMARKS_MOST 20u
#define OUTPUT_MOST ((size_t)16 << 20)

typedef struct profiling {
	ba_session *s;
	char *program;
	char *output; /* file */
	const ba_task *task;
	size_t variant;
	ba_device_code *code;
} profiling;

/* ---- what is asked ---- */

static bool differs(const ba_benchmark *b)
{
	return BA_ANY(b->codes, b->code_count, c,
		b->codes[0].kernel_count && c->kernel_count &&
			strcmp(b->codes[0].code_sha256, c->code_sha256) != 0);
}

/* An expression that matches the names of these kernels only. */
static char *expression_of(const ba_device_code *code)
{
	ba_buf out = BA_BUF_INIT;
	ba_buf_puts(&out, "regex:^(");
	for (size_t i = 0; i < code->kernel_count; i++) {
		if (i)
			ba_buf_putc(&out, '|');
		for (const char *c = code->kernels[i].name; *c; c++) {
			if (!isalnum((unsigned char)*c) && *c != '_')
				ba_buf_putc(&out, '\\');
			ba_buf_putc(&out, *c);
		}
	}
	ba_buf_puts(&out, ")$");
	return ba_buf_detach(&out);
}

static char *metrics(size_t n)
{
	ba_buf out = BA_BUF_INIT;
	for (size_t i = 0; i < n; i++)
		ba_buf_printf(&out, "%s%s", i ? "," : "", ba_counter_infos[i].name);
	return ba_buf_detach(&out);
}

/* ---- the process ---- */

/* One run of the benchmark in a worker that ncu starts. */
static int run_once(profiling *q, const char *const *wrapper, ba_failure *f)
{
	ba_session *s = q->s;
	size_t n = s->result->run.variant_count;
	BA_AUTO_FREE bool *only = ba_xcalloc(n, sizeof(*only));
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	ba_engine_spec spec = q->task->suite->engine_spec;
	bool skipped;
	spec.kind = BA_ENGINE_DUET;
	spec.pci_bus_id = NULL; /* nothing is timed */
	spec.wrapper = wrapper;
	only[q->variant] = true;
	int rc = ba_engine_open(&e, &spec, only, false, NULL, f);
	rc = rc ? rc : ba_task_prepare_plain(&skipped, s, e, q->task, only, 1, f);
	rc = rc ? rc : ba_engine_release(e, f);
	if (rc == 0)
		ba_engine_close(e);
	return rc;
}

static int start(profiling *q, size_t counters, ba_failure *f)
{
	BA_AUTO_FREE char *names = expression_of(q->code), *all = metrics(counters);
	const char *const wrapper[] = {q->program, "--csv", "--page", "raw", "--print-units",
		"base", "--print-kernel-base", "mangled", "--kernel-name-base", "mangled",
		"--kernel-name", names, "--launch-count", LAUNCHES_MOST, "--metrics", all,
		"--log-file", q->output, NULL};
	(void)ba_fs_remove_tree(q->output, NULL);
	return run_once(q, wrapper, f);
}

/* ---- its output ---- */

static void put_shape(ba_buf *out, const char *before, unsigned x, unsigned y, unsigned z)
{
	ba_buf_printf(out, "%s%ux%ux%u", before, x ? x : 1, y ? y : 1, z ? z : 1);
}

/* The name of a launch, as the reader of ncu's files writes it. */
static char *id_of(const ba_kernel *k)
{
	ba_buf out = BA_BUF_INIT;
	ba_buf_puts(&out, k->name);
	put_shape(&out, "/block=", k->block_x, k->block_y, k->block_z);
	put_shape(&out, ",grid=", k->grid_x, k->grid_y, k->grid_z);
	return ba_buf_detach(&out);
}

typedef struct hearer {
	ba_device_code *code;
	const char *metric;
	size_t taken;
} hearer;

/* Takes the counters of the first launch of each shape. */
static int hear(void *data, const ba_record *r, ba_error *err)
{
	hearer *h = data;
	for (size_t i = 0; r->count && i < h->code->kernel_count; i++) {
		ba_kernel *k = &h->code->kernels[i];
		BA_AUTO_FREE char *id = id_of(k);
		if (strcmp(id, r->id) != 0)
			continue;
		double known = ba_kernel_counter(k, h->metric);
		if (known != known) {
			ba_kernel_set_counter(k, h->metric, r->values[0]);
			h->taken++;
		}
	}
	return 0;
}

static size_t read_output(const profiling *q)
{
	size_t taken = 0;
	for (size_t i = 0; i < BA_COUNTERS; i++) {
		hearer h = {q->code, ba_counter_infos[i].name, 0};
		const ba_sink sink = {
			.data = &h, .record = hear, .metric = h.metric, .takes_zeros = true};
		ba_error ignored;
		(void)ba_import_read(NULL, q->output, NULL, &sink, &ignored);
		taken += h.taken;
	}
	return taken;
}

/* The reason for missing counters, from ncu's output. */
static char *reason_of(const profiling *q, const char *failure)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	(void)ba_fs_read(&text, q->output, OUTPUT_MOST, NULL);
	const char *said = text.data ? text.data : "";
	if (strstr(said, "ERR_NVGPUCTRPERM"))
		return ba_xstrdup(
			"ncu may not read the GPU's counters (ERR_NVGPUCTRPERM): the driver allows that to administrators alone");
	const char *wrong = strstr(said, "==ERROR==");
	if (wrong) {
		BA_AUTO_FREE char *line = ba_xstrndup(wrong, strcspn(wrong, "\n"));
		BA_AUTO_FREE char *safe = ba_text_sentence(line);
		return ba_xprintf("ncu says: %s", safe);
	}
	if (failure)
		return ba_xprintf("under ncu: %s", failure);
	return ba_xstrdup("ncu reports no launch of these kernels");
}

/* ---- all of it ---- */

/* Only BA_EINTERRUPTED ends the run. */
static int profile_variant(profiling *q)
{
	static const size_t counters[] = {BA_COUNTERS, BA_COUNTERS_EVERYWHERE};
	for (size_t i = 0; q->code->kernel_count && i < BA_COUNT(counters); i++) {
		ba_error err = {0};
		BA_AUTO(ba_failure) ba_failure f = {.err = &err};
		int rc = start(q, counters[i], &f);
		if (rc == BA_EINTERRUPTED)
			return rc;
		if (read_output(q) > 0) {
			ba_text_replace(&q->code->counters_reason, NULL);
			return 0;
		}
		BA_AUTO_FREE char *why = reason_of(q, rc ? (f.text ? f.text : err.text) : NULL);
		ba_text_replace(&q->code->counters_reason, why);
		/* a metric that this version or this GPU lacks is not requested again */
		if (!strstr(why, "metric"))
			return 0;
	}
	return 0;
}

static int profile_task(profiling *q, const ba_task *t)
{
	q->task = t;
	for (size_t v = 0; v < t->benchmark->code_count; v++) {
		q->variant = v;
		q->code = &t->benchmark->codes[v];
		if (q->program)
			BA_TRY(profile_variant(q));
		else
			ba_text_replace(&q->code->counters_reason,
				"ncu was not found (" BA_TOOLKIT_PLACES ")");
	}
	return 0;
}

/* Adds a single note, because the reason is usually the same for all. */
static void note_reason(ba_session *s, size_t left_out)
{
	const char *why = NULL;
	for (size_t i = 0; i < s->task_count && !why; i++)
		for (size_t v = 0; v < s->tasks[i].benchmark->code_count && !why; v++)
			why = s->tasks[i].benchmark->codes[v].counters_reason;
	if (why)
		ba_strv_printf(&s->result->run.notes, "--ncu: no counters: %s", why);
	if (left_out)
		ba_strv_printf(&s->result->run.notes,
			"--ncu: %zu more benchmarks have kernels that differ; counters were read of %u",
			left_out, BENCHMARKS_MOST);
}

void ba_session_read_counters(ba_session *s)
{
	profiling q = {.s = s};
	size_t done = 0, left_out = 0;
	int rc = 0;
	if (!s->spec->ncu)
		return;
	q.program = ba_toolkit_find("ncu");
	q.output = ba_path_join(s->spec->scratch, "ncu.csv");
	for (int changed = 1; changed >= 0; changed--)
		for (size_t i = 0; rc == 0 && i < s->task_count; i++) {
			const ba_task *t = &s->tasks[i];
			if (!differs(t->benchmark) ||
				ba_task_changed_on_gpu(s, t) != (changed == 1))
				continue;
			if (done == BENCHMARKS_MOST) {
				left_out++;
				continue;
			}
			if (s->spec->progress)
				s->spec->progress(s->spec->progress_data, 1, "Nsight Compute");
			rc = profile_task(&q, t);
			done++;
		}
	note_reason(s, left_out);
	BA_FREE(q.program, q.output);
}
