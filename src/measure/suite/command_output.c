/* The output of one run of a program, benchmark by benchmark. */

#include "suite/command_run.h"
#include "import/import.h"
#include "stats/quantile.h"

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

int ba_outcomes_take(void *data, const ba_record *r, ba_error *err)
{
	const ba_outcomes_taker *t = data;
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
