#include "report/across/cases.h"

#include "base/base.h"

/* which benchmarks are of suites' own and were measured; [benchmark_count], caller
 * frees
 */
static bool *with_runs(const ba_result *r)
{
	bool *has = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*has));
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		if (r->run.benchmarks[s->benchmark].kind != BA_SUITE_LAUNCHER)
			has[s->benchmark] = true;
	}
	return has;
}

static void take_series(ba_case_rows *c, const size_t *row_of, const ba_result *r)
{
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		if (row_of[s->benchmark] == SIZE_MAX)
			continue;
		ba_case_row *row = &c->items[row_of[s->benchmark]];
		row->series[s->metric] = s;
		bool decides = s->role == BA_ROLE_VERDICT;
		if (!row->main || (decides && row->main->role != BA_ROLE_VERDICT))
			row->main = s;
	}
}

void ba_case_rows_of(ba_case_rows *out, const ba_result *r)
{
	BA_AUTO_FREE size_t *row_of = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*row_of));
	BA_AUTO_FREE bool *runs = with_runs(r);
	*out = (ba_case_rows){.items = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*out->items))};
	for (size_t i = 0; i < r->run.benchmark_count; i++) {
		const ba_benchmark *b = &r->run.benchmarks[i];
		row_of[i] = SIZE_MAX;
		if (!runs[i])
			continue;
		row_of[i] = out->count;
		out->items[out->count++].benchmark = b;
		for (size_t k = 0; k < b->axis_count; k++)
			if (!ba_strv_has(&out->axes, b->axes[k].name))
				ba_strv_push(&out->axes, b->axes[k].name);
	}
	take_series(out, row_of, r);
}

void ba_case_rows_dispose(ba_case_rows *c)
{
	free(c->items);
	ba_strv_dispose(&c->axes);
	*c = (ba_case_rows){0};
}

const char *ba_case_axis(const ba_benchmark *b, const char *axis)
{
	for (size_t i = 0; i < b->axis_count; i++)
		if (strcmp(b->axes[i].name, axis) == 0)
			return b->axes[i].value;
	return NULL;
}
