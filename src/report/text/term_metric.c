/* One metric on a terminal: its title, the figures with variants as columns, and for a
 * metric that decides, each candidate against the baseline. */
#include <string.h>

#include "base/fold.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "report/text/term.h"
#include "report/view.h"

bool ba_part_has(const ba_part *p, const ba_series *series)
{
	return series->metric == p->metric && p->s->shown[series->benchmark];
}

char *ba_part_name(const ba_part *p, const ba_series *series)
{
	const char *id = p->s->r->benchmarks[series->benchmark].id;
	BA_AUTO_FREE char *own = ba_xstrndup(id, strlen(id) - strlen(p->common));
	return ba_text_safe(own);
}

/* The longest ending, from a comma on, that all have and that is not all of any. */
static const char *common_axes(const ba_part *p)
{
	const char *common = NULL;
	for (size_t i = 0; i < p->count; i++) {
		const char *id = p->s->r->benchmarks[p->series[i]->benchmark].id;
		if (i == 0)
			common = strchr(id, ',');
		while (common && !ba_text_ends(id, common))
			common = strchr(common + 1, ',');
	}
	return common && p->count > 1 ? common : "";
}

char *ba_part_unit(const ba_part *p)
{
	BA_AUTO_FREE char *unit = ba_unit_text(p->info, p->s->unicode);
	return ba_xstrndup(unit, strcspn(unit, "/"));
}

char *ba_part_figure(double value, int decimals, int column_decimals, bool sign)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_number_put(&text, value, decimals, sign);
	size_t blanks = (size_t)(column_decimals - decimals);
	if (decimals == 0 && column_decimals > 0)
		blanks++; /* the point */
	ba_buf_pad(&text, ' ', blanks);
	return ba_buf_detach(&text);
}

int ba_part_decimals(const ba_part *p, const ba_series *series)
{
	int decimals = 0;
	for (size_t i = 0; i < p->s->r->variant_count; i++) {
		const ba_summary *v = &series->variants[i];
		if (ba_presence_of(p->s->r, series, i) != BA_PRESENCE_MEASURED)
			continue;
		double value = ba_central_ns(series, v) * p->info->per_ns;
		int least = ba_number_decimals(value, 0);
		int d = ba_number_decimals(
			value, ba_spread_ns(series, v) * p->info->per_ns);
		/* one hiccup of a millisecond makes a deviation huge, and a trimmed
		 * mean is known better than its readings: never fewer than three digits
		 */
		d = d < least ? least : d > least + 1 ? least + 1 : d;
		decimals = d > decimals ? d : decimals;
	}
	return decimals;
}

static void title(const ba_part *p)
{
	ba_buf_putc(p->s->out, '\n');
	ba_ink_put(p->s->out, p->s->colour, BA_INK_BOLD, p->info->name);
	ba_buf_puts(p->s->out, ": ");
	BA_AUTO_FREE char *common = ba_text_safe(*p->common ? p->common + 1 : "");
	BA_AUTO_FREE char *help = ba_xprintf("%s; %s%s%s", p->info->help,
		ba_result_is_of_files(p->s->r)	   ? "geometric means"
		: p->metric == BA_METRIC_SUSTAINED ? "means"
						   : "trimmed means",
		*common ? "; all with " : "", common);
	ba_text_fold(p->s->out, help, p->s->width, 2, strlen(p->info->name) + 2);
	ba_buf_putc(p->s->out, '\n');
}

void ba_term_metric(const ba_screen *s, ba_metric metric)
{
	ba_part p = {.s = s, .metric = metric, .info = ba_result_metric(s->r, metric)};
	BA_AUTO_FREE const ba_series **series =
		ba_xcalloc(s->r->series_count + 1, sizeof(*series));
	size_t all = ba_ranking_series(series, s->ranking, s->r, metric);
	for (size_t i = 0; i < all; i++)
		if (ba_part_has(&p, series[i]))
			series[p.count++] = series[i];
	p.series = series;
	p.common = common_axes(&p);
	bool decides = false;
	for (size_t i = 0; i < p.count; i++) {
		int decimals = ba_part_decimals(&p, series[i]);
		p.decimals = decimals > p.decimals ? decimals : p.decimals;
		decides = decides || series[i]->role == BA_ROLE_VERDICT;
	}
	title(&p);
	if (s->r->variant_count < 2) {
		ba_part_figures_of_one(&p);
		return;
	}
	ba_part_figures(&p);
	for (size_t c = 1; decides && c < s->r->variant_count; c++)
		ba_part_comparison(&p, c);
}
