/* An explanation as a launcher's trace gives it: 133 instructions against 151. */
#ifndef TESTS_SUPPORT_EXAMPLE_WHY_H
#define TESTS_SUPPORT_EXAMPLE_WHY_H

#include "example_result.h"

static inline ba_explained_function *example_function(ba_explanation *e, ba_row_kind kind,
	const char *name, const char *file, unsigned line, uint64_t baseline, uint64_t candidate)
{
	e->functions = ba_xreallocarray(e->functions, e->function_count + 1, sizeof(*e->functions));
	ba_explained_function *f = &e->functions[e->function_count++];
	*f = (ba_explained_function){.kind = kind,
		.name = ba_xstrdup(name),
		.object = ba_xstrdup(kind == BA_ROW_OTHERS ? "" : "build/liblaunch.so"),
		.file = ba_xstrdup(file),
		.line = line,
		.baseline = baseline,
		.candidate = candidate,
		.count = kind == BA_ROW_OTHERS ? 6 : 1};
	e->baseline[BA_SCOPE_OWN] += baseline;
	e->candidate[BA_SCOPE_OWN] += candidate;
	return f;
}

static inline ba_explanation *example_why(bool python)
{
	ba_explanation *e = ba_xcalloc(1, sizeof(*e));
	example_function(e, BA_ROW_NEW, "launch_with_lock", "src/launch.c", 88, 0, 16);
	ba_explained_function *f =
		example_function(e, BA_ROW_BOTH, "dispatch", "src/launch.c", 40, 40, 42);
	f->lines = ba_xcalloc(1, sizeof(*f->lines));
	f->line_count = 1;
	f->lines[0] = (ba_explained_line){ba_xstrdup("src/launch.c"), 44, false, 0, 2};
	f = example_function(e, BA_ROW_RENAMED, "key_of<int>", "src/key.h", 7, 30, 30);
	f->was = ba_xstrdup("hash");
	f = example_function(e, BA_ROW_OTHERS, "other functions", NULL, 0, 63, 63);
	e->parting = ba_xstrdup(
		"after dispatch() (launch.c:44): the baseline returns to launch(), the candidate calls launch_with_lock()");
	if (python) {
		static const ba_code_count b[] = {
			{"Dispatcher.call", "pkg/d.py", 214, 37}, {"run", "pkg/d.py", 10, 20}};
		static const ba_code_count c[] = {{"Dispatcher.call", "pkg/d.py", 220, 60},
			{"__enter__", "/usr/lib/python3.11/contextlib.py", 130, 9},
			{"run", "pkg/d.py", 10, 20}};
		ba_explain_code(e, b, 2, c, 3);
	}
	return e;
}

/* The same instructions in both. */
static inline ba_explanation *example_why_layout(void)
{
	ba_explanation *e = ba_xcalloc(1, sizeof(*e));
	example_function(e, BA_ROW_OTHERS, "other functions", NULL, 0, 133, 133);
	e->same_path = true;
	return e;
}

/* launch/args=2 with a time and with instructions; args=3: a change of layout alone */
static inline void example_why_result(ba_result *r)
{
	example_begin(r, 2);
	for (unsigned args = 2; args <= 3; args++) {
		char id[32];
		snprintf(id, sizeof(id), "launch/args=%u", args);
		size_t b = example_benchmark(r, id, args);
		example_series(r, b, BA_METRIC_SUBMIT, (const double[]){2431, 2560},
			(const ba_verdict[]){BA_VERDICT_REGRESSED});
		double counts[] = {133, args == 2 ? 151 : 133};
		ba_series *s = example_series(r, b, BA_METRIC_INSTRUCTIONS, counts,
			(const ba_verdict[]){
				args == 2 ? BA_VERDICT_REGRESSED : BA_VERDICT_UNCHANGED});
		for (size_t v = 0; v < 2; v++)
			s->variants[v].min = s->variants[v].max = s->variants[v].mean =
				s->variants[v].median = counts[v];
		s->comparisons[0].exact = true;
		s->comparisons[0].counted = true;
		s->comparisons[0].why = args == 2 ? example_why(true) : example_why_layout();
	}
	r->decided.verdict = BA_VERDICT_REGRESSED;
	r->decided.answer = ba_xstrdup("Yes: 2 of 2 benchmarks are slower.");
	r->decided.exit_status = 1;
}

#endif
