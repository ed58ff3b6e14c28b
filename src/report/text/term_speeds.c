/* A line for each benchmark whose invocations ran at two speeds. */

#include "base/base.h"
#include "base/fold.h"
#include "base/number.h"
#include "report/speeds.h"
#include "report/text/term.h"

enum { LINES_MOST = 3 };

/* "48.6", "15.6 to 16.0" */
static void put_range(ba_buf *out, double least, double most, double per_ns)
{
	int decimals = ba_number_decimals(least * per_ns, 0);
	BA_AUTO(ba_buf) ba_buf low = BA_BUF_INIT, high = BA_BUF_INIT;
	ba_number_put(&low, least * per_ns, decimals, false);
	ba_number_put(&high, most * per_ns, decimals, false);
	if (strcmp(low.data, high.data) != 0)
		ba_buf_printf(out, "%s to ", low.data);
	ba_buf_puts(out, high.data);
}

/* appends ", v2", if it ran at two speeds, too */
static void put_other(ba_buf *out, const ba_result *r, const ba_series *series, size_t variant)
{
	ba_speeds speeds;
	if (!ba_speeds_of(&speeds, r, series, variant))
		return;
	BA_AUTO_FREE char *label = ba_text_safe(r->variants[variant].label);
	ba_buf_printf(out, "%s%s", out->len ? ", " : "", label);
}

static void put_line(
	const ba_screen *s, const ba_series *series, size_t variant, const ba_speeds *speeds)
{
	const ba_result *r = s->r;
	ba_unit unit = ba_unit_of_series(r, series, s->unicode);
	BA_AUTO_FREE char *id = ba_text_safe(r->benchmarks[series->benchmark].id);
	BA_AUTO_FREE char *label = ba_text_safe(r->variants[variant].label);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT, others = BA_BUF_INIT;
	ba_buf_printf(&text, "%s of %s ran at two speeds: %zu of %zu invocations took ", id, label,
		speeds->fewer, speeds->invocations);
	put_range(&text, speeds->fewer_least, speeds->fewer_most, unit.per_ns);
	ba_buf_printf(&text, " %s, the others ", unit.name);
	put_range(&text, speeds->others_least, speeds->others_most, unit.per_ns);
	ba_buf_printf(&text, " %s", unit.name);
	for (size_t v = variant + 1; v < r->variant_count; v++)
		put_other(&others, r, series, v);
	if (others.len)
		ba_buf_printf(&text, "; so did %s", others.data);
	ba_ink_put(s->out, s->colour, BA_INK_DOUBT, "? ");
	ba_text_fold(s->out, text.data, s->width, 4, 2);
	ba_buf_putc(s->out, '\n');
}

/* the first variant that did; false if none did */
static bool find(ba_speeds *out, size_t *variant, const ba_result *r, const ba_series *s)
{
	for (*variant = 0; *variant < r->variant_count; (*variant)++)
		if (ba_speeds_of(out, r, s, *variant))
			return true;
	return false;
}

void ba_term_speeds(const ba_screen *s)
{
	const ba_result *r = s->r;
	const ba_ranking *k = s->ranking;
	BA_AUTO_FREE bool *seen = ba_xcalloc(r->series_count + 1, sizeof(*seen));
	size_t lines = 0, variant;
	for (size_t i = 0; i < k->deciding; i++) {
		const ba_series *series = k->rows[i].series;
		ba_speeds speeds;
		if (seen[series - r->series])
			continue;
		seen[series - r->series] = true;
		if (!find(&speeds, &variant, r, series))
			continue;
		if (lines++ == 0)
			ba_buf_putc(s->out, '\n');
		if (lines <= LINES_MOST)
			put_line(s, series, variant, &speeds);
	}
	if (lines > LINES_MOST)
		ba_buf_printf(s->out,
			"  %zu more like these; the figure 'invocations' shows each\n",
			lines - LINES_MOST);
}
