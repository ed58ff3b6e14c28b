#include "stats/layouts.h"

#include "stats/quantile.h"

size_t ba_layout_of_block(size_t layouts, size_t block)
{
	size_t place = block % layouts;
	return block / layouts % 2 ? layouts - 1 - place : place;
}

/* Copies the values of one layout in their order; returns how many. */
static size_t take_layout(
	double *out, const double *x, size_t blocks, size_t each, size_t layouts, size_t layout)
{
	size_t n = 0;
	for (size_t b = 0; b < blocks; b++)
		for (size_t k = 0; ba_layout_of_block(layouts, b) == layout && k < each; k++)
			out[n++] = x[b * each + k];
	return n;
}

double ba_layouts_level(
	double *variance, const double *x, size_t blocks, size_t each, size_t layouts)
{
	double sum = 0;
	BA_AUTO_FREE double *mine = ba_xreallocarray(NULL, blocks * each, sizeof(*x));
	layouts = layouts ? layouts : 1;
	BA_REQUIRE(blocks && each && blocks % layouts == 0);
	*variance = 0;
	for (size_t i = 0; i < layouts; i++) {
		size_t n = take_layout(mine, x, blocks, each, layouts, i);
		*variance += ba_variance(mine, n);
		sum += ba_trim25(mine, n);
	}
	*variance /= (double)layouts;
	return sum / (double)layouts;
}

bool ba_layouts_variance(double *out, const double *x, size_t blocks, size_t each, size_t layouts)
{
	if (layouts < 2 || blocks % layouts || blocks / layouts < 2 || !each)
		return false;
	size_t per_layout = blocks / layouts;
	BA_AUTO_FREE double *of_block = ba_xcalloc(blocks, sizeof(*of_block));
	BA_AUTO_FREE double *mine = ba_xcalloc(blocks, sizeof(*mine));
	BA_AUTO_FREE double *means = ba_xcalloc(layouts, sizeof(*means));
	double within = 0;
	for (size_t b = 0; b < blocks; b++)
		of_block[b] = ba_mean(x + b * each, each);
	for (size_t i = 0; i < layouts; i++) {
		size_t n = take_layout(mine, of_block, blocks, 1, layouts, i);
		means[i] = ba_mean(mine, n);
		within += ba_variance(mine, n) / (double)layouts;
	}
	*out = ba_variance(means, layouts) - within / (double)per_layout;
	return true;
}
