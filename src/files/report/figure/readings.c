#include "report/figure/readings.h"

#include <math.h>

#include "base/base.h"
#include "stats/quantile.h"

static size_t count_of(const ba_samples *x, unsigned participant)
{
	size_t visits = 0;
	for (size_t i = 0; i < (size_t)x->blocks * x->positions; i++)
		visits += x->order[i] == participant;
	return visits * x->readings;
}

double *ba_readings_of(
	size_t *count, size_t *total, const ba_series *s, unsigned participant, size_t most)
{
	size_t all = 0, seen = 0, n = 0;
	for (size_t i = 0; i < s->sample_count; i++)
		all += count_of(&s->samples[i], participant);
	*total = all;
	*count = 0;
	if (!all)
		return NULL;
	size_t step = (all + most - 1) / most;
	double *out = ba_xcalloc(all / step + 1, sizeof(*out));
	for (size_t i = 0; i < s->sample_count; i++) {
		const ba_samples *x = &s->samples[i];
		for (size_t v = 0; v < (size_t)x->blocks * x->positions; v++) {
			if (x->order[v] != participant)
				continue;
			for (size_t k = 0; k < x->readings; k++)
				if (seen++ % step == 0)
					out[n++] = (double)x->ns[v * x->readings + k] / x->batch;
		}
	}
	*count = n;
	return out;
}

size_t ba_blocks_of(const ba_series *s)
{
	size_t blocks = 0;
	for (size_t i = 0; i < s->sample_count; i++)
		blocks += s->samples[i].blocks;
	return blocks;
}

double ba_block_ns(const ba_samples *x, unsigned block, unsigned participant)
{
	size_t n = 0;
	BA_AUTO_FREE double *values =
		ba_xcalloc((size_t)x->positions * x->readings + 1, sizeof(*values));
	for (size_t p = 0; p < x->positions; p++) {
		size_t visit = (size_t)block * x->positions + p;
		if (x->order[visit] != participant)
			continue;
		for (size_t k = 0; k < x->readings; k++)
			values[n++] = (double)x->ns[visit * x->readings + k] / x->batch;
	}
	return n ? ba_trim25(values, n) : NAN;
}
