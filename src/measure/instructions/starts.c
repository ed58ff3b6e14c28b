/* Why a start takes longer: which modules it loads, and what each takes by itself. Those of an import
 * are Python's, those of a first call are device code. */
#include "instructions/count.h"
#include "session/prepare.h"
#include "session/task.h"
#include "stats/quantile.h"

/* of a variant; a module's time is their mean */
#define PROCESSES 3u

/* By the verdict; or it is open, and the mean is beyond the threshold: what the processes do may say
 * more than their times, which differ much from one to the next. */
static bool is_changed(const ba_session *s, const ba_task *t, ba_metric metric, size_t candidate)
{
	const ba_series *series = ba_task_series(s, t, metric);
	if (!series)
		return false;
	const ba_comparison *k = &series->comparisons[candidate - 1];
	ba_verdict v = ba_decisions_at(&s->decisions, t->series[metric], candidate)->verdict;
	double y = k->y_count ? ba_mean(k->y, k->y_count) : 0;
	bool beyond = y > log1p(k->threshold_slower) || y < -log1p(k->threshold_faster);
	return ba_verdict_is_slower(v) || ba_verdict_is_faster(v) ||
	       (beyond && v != BA_VERDICT_UNCHANGED);
}

/* Does the metric (BA_METRIC_COUNT: none) differ in a candidate? wanted: the variants. */
static bool is_explained(bool *wanted, const ba_session *s, const ba_task *t, ba_metric metric)
{
	bool lists = t->benchmark->process ? t->suite->engine_spec.programs != NULL
					   : t->suite->spec->census != NULL;
	memset(wanted, 0, ba_session_variants(s) * sizeof(*wanted));
	if (metric == BA_METRIC_COUNT || !ba_task_series(s, t, metric) || !t->wanted[0] || !lists)
		return false;
	int cpu = ba_metric_get(metric)->cpu;
	for (size_t c = 1; c < ba_session_variants(s); c++) {
		wanted[c] = t->wanted[c] && (is_changed(s, t, metric, c) ||
						    (cpu && is_changed(s, t, (ba_metric)cpu, c)));
		wanted[0] = wanted[0] || wanted[c];
	}
	return wanted[0];
}

/* ---- one process of each variant ---- */

/* The modules of Python that loading the suite imported. */
static int ask_imports(
	ba_count_answer *answers, ba_engine *e, const bool *wanted, size_t variants, ba_failure *f)
{
	BA_AUTO_FREE const char **traces = ba_xcalloc(variants, sizeof(*traces));
	for (size_t v = 0; v < variants; v++)
		traces[v] = "";
	const ba_count_request q = {
		.wanted = wanted, .way = BA_COUNT_IMPORTS, .traces = traces, .codes = true};
	BA_TRY(ba_engine_ask_count(e, &q, f));
	return ba_engine_counted(e, &q, answers, f);
}

/* "5230000 61234 PTX 2 first second" */
static void read_module(ba_count_answer *out, const char *line)
{
	enum { NS, BYTES, KIND, COUNT, NAMES, CODES_MOST = 1024 };
	BA_AUTO(ba_strv) ba_strv words = {0};
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT;
	ba_strv_split(&words, line, ' ');
	if (words.count < NAMES || out->code_count >= CODES_MOST)
		return;
	for (size_t i = NAMES; i < words.count; i++) {
		BA_AUTO_FREE char *plain = ba_demangle(words.items[i]);
		BA_AUTO_FREE char *kernel = ba_demangle_short(plain);
		ba_buf_printf(&name, "%s%s", name.len ? ", " : "", kernel);
	}
	size_t all = strtoul(words.items[COUNT], NULL, 10), shown = words.count - NAMES;
	if (all > shown)
		ba_buf_printf(&name, " and %zu more", all - shown);
	out->codes = ba_xreallocarray(out->codes, out->code_count + 1, sizeof(*out->codes));
	out->codes[out->code_count++] = (ba_code_count){
		.name = ba_text_safe(name.len ? name.data : "kernels without names"),
		.file = ba_text_safe(words.items[KIND]),
		.count = strtoull(words.items[NS], NULL, 10),
		.offset = strtoull(words.items[BYTES], NULL, 10)};
}

/* The device code that was loaded up to the end of the first call. */
static int ask_modules(ba_count_answer *answers, ba_engine *e, const ba_session *s,
	const ba_task *t, const bool *wanted, ba_failure *f)
{
	size_t n = ba_session_variants(s);
	ba_case_facts *cases = ba_xcalloc(n, sizeof(*cases));
	const ba_prepare p = {.benchmark = t->benchmark,
		.first_call = true,
		.seed = s->spec->seed,
		.sets = 1,
		.cases = cases,
		.wanted = wanted};
	int rc = ba_engine_prepare(e, &p, f);
	for (size_t v = 0; v < n; v++) {
		BA_AUTO(ba_strv) ba_strv lines = {0};
		ba_strv_split(&lines, cases[v].modules ? cases[v].modules : "", '\n');
		for (size_t i = 0; rc == 0 && i < lines.count; i++)
			read_module(&answers[v], lines.items[i]);
	}
	BA_FREE_ARRAY(ba_case_facts_dispose, cases, n);
	return rc;
}

static int ask(ba_count_answer *answers, const ba_session *s, const ba_task *t, ba_metric metric,
	const bool *wanted, bool keeps_caches, ba_error *err)
{
	BA_AUTO(ba_failure) ba_failure f = {.err = err};
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	ba_engine_spec spec = t->suite->engine_spec;
	bool imports = metric == BA_METRIC_IMPORT;
	spec.lists_imports = imports;
	ba_session_observe(&spec, t->suite, imports ? NULL : t->suite->spec->census);
	spec.keeps_caches = keeps_caches;
	BA_TRY(ba_engine_open(&e, &spec, wanted, false, NULL, &f));
	BA_TRY(imports ? ask_imports(answers, e, wanted, ba_session_variants(s), &f)
		       : ask_modules(answers, e, s, t, wanted, &f));
	ba_engine_close(e);
	return 0;
}

/* ---- both sides ---- */

/* The rows of a variant's processes, whose sum is their mean. */
static size_t rows_of(ba_code_count **out, const ba_count_answer *answers, size_t processes,
	size_t variants, size_t variant)
{
	size_t n = 0, capacity = 0;
	*out = NULL;
	for (size_t p = 0; p < processes; p++) {
		const ba_count_answer *a = &answers[p * variants + variant];
		BA_EACH (const ba_code_count, c, a->codes, a->code_count) {
			ba_code_count *mine = BA_PUSH(*out, n, capacity);
			*mine = *c;
			mine->count /= processes;
			mine->calls /= processes;
		}
	}
	return n;
}

/* "PTX, 4100 to 61234 bytes" for the same kernels on both sides, which then are one row */
static void put_bytes(ba_strv *texts, ba_code_count *base, size_t n, ba_code_count *mine, size_t m)
{
	for (size_t i = 0; i < n + m; i++) {
		ba_code_count *c = i < n ? &base[i] : &mine[i - n];
		ba_code_count *other =
			i >= n ? NULL
			       : BA_FIND(mine, m, one,
					 one->offset && strcmp(one->name, c->name) == 0 &&
						 strcmp(one->file, c->file) == 0);
		if (!c->offset)
			continue;
		if (other && other->offset != c->offset)
			ba_strv_printf(texts, "%s, %" PRIu64 " to %" PRIu64 " bytes", c->file,
				c->offset, other->offset);
		else
			ba_strv_printf(texts, "%s, %" PRIu64 " bytes", c->file, c->offset);
		c->file = texts->items[texts->count - 1];
		c->offset = 0;
		if (other) {
			other->file = c->file;
			other->offset = 0;
		}
	}
}

static void explain(ba_series *series, const ba_count_answer *answers, size_t processes,
	const bool *wanted, size_t variants)
{
	for (size_t c = 1; c < variants; c++) {
		BA_AUTO(ba_strv) ba_strv texts = {0};
		BA_AUTO_FREE ba_code_count *base = NULL, *mine = NULL;
		size_t n = wanted[c] ? rows_of(&base, answers, processes, variants, 0) : 0;
		size_t m = wanted[c] ? rows_of(&mine, answers, processes, variants, c) : 0;
		if (!n && !m)
			continue;
		put_bytes(&texts, base, n, mine, m);
		ba_explanation *e = ba_xcalloc(1, sizeof(*e));
		ba_explain_code(e, base, n, mine, m);
		for (size_t i = 0; series->metric != BA_METRIC_IMPORT && i < e->code_count; i++) {
			/* of device code in ns, so that no row is 0 */
			e->codes[i].baseline = (e->codes[i].baseline + 999) / 1000;
			e->codes[i].candidate = (e->codes[i].candidate + 999) / 1000;
		}
		series->comparisons[c - 1].why = e;
	}
}

/* The same processes explain a first call and its `load`. */
typedef struct explained_start {
	ba_metric metric, also;		  /* also: BA_METRIC_COUNT: no other */
	bool *wanted, *wanted_also, *any; /* [variants] */
} explained_start;

static int explain_start(ba_session *s, const ba_task *t, const explained_start *x, ba_error *err)
{
	size_t n = ba_session_variants(s);
	bool cached = ba_metric_get(x->metric)->starts & BA_OF_CACHED;
	ba_count_answer *answers = ba_xcalloc(PROCESSES * n, sizeof(*answers));
	ba_count_answer *unused = ba_xcalloc(n, sizeof(*unused));
	for (size_t v = 0; v < n; v++)
		x->any[v] = x->wanted[v] || x->wanted_also[v];
	int rc = cached ? ask(unused, s, t, x->metric, x->any, false, err) : 0;
	size_t made = 0;
	while (rc == 0 && made < PROCESSES && (made == 0 || !ba_session_is_late(s, 0))) {
		rc = ask(&answers[made * n], s, t, x->metric, x->any, cached, err);
		made += rc == 0;
	}
	if (made && x->wanted[0])
		explain(ba_task_series(s, t, x->metric), answers, made, x->wanted, n);
	if (made && x->wanted_also[0])
		explain(ba_task_series(s, t, x->also), answers, made, x->wanted_also, n);
	BA_FREE_ARRAY(ba_count_answer_dispose, answers, PROCESSES * n);
	BA_FREE_ARRAY(ba_count_answer_dispose, unused, n);
	/* a worker that lists no modules has not failed */
	return rc == BA_EINTERRUPTED ? rc : 0;
}

int ba_session_explain_starts(ba_session *s, int64_t deadline, ba_error *err)
{
	static const ba_metric metrics[][2] = {{BA_METRIC_IMPORT, BA_METRIC_COUNT},
		{BA_METRIC_FIRST_CALL, BA_METRIC_LOAD},
		{BA_METRIC_FIRST_CALL_CACHED, BA_METRIC_COUNT}};
	size_t n = ba_session_variants(s), left = 0;
	BA_AUTO_FREE bool *wanted = ba_xcalloc(3 * n, sizeof(*wanted));
	int rc = 0;
	for (size_t i = 0; s->spec->explains_starts && i < BA_COUNT(metrics); i++)
		BA_EACH (ba_task, t, s->tasks, s->task_count) {
			const explained_start x = {
				metrics[i][0], metrics[i][1], wanted, wanted + n, wanted + 2 * n};
			bool one = is_explained(x.wanted, s, t, x.metric);
			bool other = is_explained(x.wanted_also, s, t, x.also);
			if (rc || !(one || other))
				continue;
			if (ba_now_ns() > deadline)
				left++;
			else
				rc = explain_start(s, t, &x, err);
		}
	if (left)
		ba_strv_printf(&s->result->run.notes,
			"no time was left to explain %zu more starts and first calls; -f chooses benchmarks",
			left);
	return rc;
}
