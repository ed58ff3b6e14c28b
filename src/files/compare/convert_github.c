/* The list that github-action-benchmark's tools customSmallerIsBetter and
 * customBiggerIsBetter read. */
#include "compare/convert_document.h"
#include "stats/quantile.h"

static void write_entry(ba_json_writer *w, const ba_convert_document *d, size_t i)
{
	const ba_convert_item *it = &d->items[i];
	const ba_row *row = ba_ledger_at(&d->names, i);
	ba_json_put(w, "{name: %s, unit: %s, value: %g", ba_ledger_id(&d->names, i),
		row->is_time ? "ns" : d->names.metrics.items[row->metric],
		ba_mean(it->values, it->count));
	if (it->count > 1) {
		BA_AUTO_FREE char *range = ba_xprintf("± %.6g", ba_stdev(it->values, it->count));
		BA_AUTO_FREE char *extra =
			ba_xprintf("%zu %s", it->count, ba_level_words(it->level, it->count));
		ba_json_put(w, "range: %s, extra: %s", range, extra);
	}
	ba_json_close(w);
}

void ba_convert_write_github(ba_json_writer *w, ba_convert_document *d)
{
	bool more = ba_ledger_at(&d->names, 0)->higher_is_better;
	ba_json_open_array(w, NULL);
	for (size_t i = 0; i < d->names.count; i++) {
		bool other = ba_ledger_at(&d->names, i)->higher_is_better != more;
		d->failed += d->items[i].failure != NULL;
		d->other_direction += !d->items[i].failure && other;
		if (!d->items[i].failure && !other)
			write_entry(w, d, i);
	}
	ba_json_close(w);
}
