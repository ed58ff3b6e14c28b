/* A row for each benchmark, metric and variant (RFC 4180, with a header, \n line ends).
 * Times in ns per launch; an empty cell means unknown. */

#include "report/escape.h"
#include "report/format.h"
#include "report/view.h"

/* a fixed word or a hash, which needs no escaping */
static void put_word(ba_buf *out, const char *word)
{
	ba_buf_putc(out, ',');
	ba_buf_puts(out, word);
}

static void put_number(ba_buf *out, double value)
{
	ba_buf_putc(out, ',');
	if (isfinite(value))
		ba_number_put_12(out, value);
}

static void put_count(ba_buf *out, uint64_t count)
{
	if (count < 1000000)
		put_number(out, (double)count);
	else
		ba_buf_printf(out, ",%" PRIu64, count);
}

static void summary(ba_buf *out, const ba_series *s, size_t variant, bool measured)
{
	const ba_summary *v = &s->variants[variant];
	const double values[] = {v->trimmed, v->mean, v->stdev, v->min, v->median, v->p95, v->p99,
		s->net_ns ? s->net_ns[variant] : NAN};
	put_count(out, v->launches);
	for (size_t i = 0; i < BA_COUNT(values); i++)
		put_number(out, measured ? values[i] : NAN);
}

static void comparison(ba_buf *out, const ba_series *s, size_t variant)
{
	ba_change change = ba_change_of(s, variant);
	const ba_comparison *c = &s->comparisons[variant - 1];
	bool estimated = change.known && c->invocations;
	const double numbers[] = {change.known ? change.ratio : NAN, change.low, change.high,
		change.known ? change.delta_ns : NAN,
		c->threshold_slower > 0 ? c->threshold_slower : NAN,
		estimated ? c->p_regressed : NAN, estimated ? c->p_improved : NAN,
		estimated ? c->p_unchanged : NAN};
	put_word(out, ba_verdict_name(c->verdict));
	for (size_t i = 0; i < BA_COUNT(numbers); i++)
		put_number(out, numbers[i]);
	put_count(out, c->invocations);
	ba_buf_putc(out, ',');
	ba_csv_text(out, c->reason);
}

/* the first cells of all rows of a series */
static void series(ba_buf *out, const ba_result *r, const ba_series *s)
{
	ba_csv_text(out, r->run.benchmarks[s->benchmark].id);
	put_word(out, ba_metric_get(s->metric)->name);
	put_word(out, s->role == BA_ROLE_VERDICT ? "verdict," : "reported,");
}

static void row(ba_buf *out, const ba_result *r, const ba_series *s, size_t variant)
{
	const ba_summary *v = &s->variants[variant];
	ba_presence presence = ba_presence_of(r, s, variant);
	bool measured = presence == BA_PRESENCE_MEASURED;
	ba_csv_text(out, r->run.variants[variant].label);
	put_word(out, r->run.variants[variant].commit);
	put_word(out, measured ? "measured" : ba_presence_name(presence));
	summary(out, s, variant, measured);
	if (variant)
		comparison(out, s, variant);
	else
		ba_buf_puts(out, ",baseline,,,,,,,,,,");
	ba_buf_putc(out, ',');
	ba_csv_text(out, v->failure ? v->failure : v->skipped);
	ba_buf_putc(out, ',');
	if (variant)
		ba_csv_text(out, ba_shift_name(ba_comparison_shift(&s->comparisons[variant - 1])));
	ba_buf_putc(out, ',');
	if (variant)
		ba_csv_text(
			out, ba_shift_name(ba_comparison_probably(&s->comparisons[variant - 1])));
	if (ba_places_are_several(r)) {
		BA_AUTO(ba_buf) ba_buf places = BA_BUF_INIT;
		if (variant)
			ba_places_put(&places, r, &s->comparisons[variant - 1]);
		ba_buf_putc(out, ',');
		ba_csv_text(out, places.len ? places.data : NULL);
		put_number(out, places.len ? s->comparisons[variant - 1].p_agree : NAN);
	}
	ba_buf_putc(out, '\n');
}

void ba_csv_head(ba_buf *out, const ba_result *r)
{
	ba_buf_puts(out,
		"benchmark,metric,role,variant,commit,state,launches,trimmed_ns,mean_ns,stdev_ns,"
		"min_ns,median_ns,p95_ns,p99_ns,net_ns,verdict,ratio,low,high,delta_ns,threshold,"
		"p_regressed,p_improved,p_unchanged,invocations,reason,failure,within_threshold,likely");
	/* these columns exist only if there are several GPUs */
	ba_buf_puts(out, ba_places_are_several(r) ? ",by_gpu,p_agree\n" : "\n");
}

void ba_csv_rows(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	for (size_t i = 0; i < r->series_count; i++) {
		size_t from = out->len;
		series(out, r, &r->series[i]);
		size_t size = out->len - from;
		for (size_t v = 0; v < r->run.variant_count; v++) {
			ba_buf_reserve(out, size);
			if (v)
				ba_buf_put(out, out->data + from, size);
			row(out, r, &r->series[i], v);
		}
		ba_format_spill(out, o);
	}
}

void ba_csv_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	ba_csv_head(out, r);
	ba_csv_rows(out, r, o);
}
