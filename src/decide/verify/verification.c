#include "verify/verification.h"

BA_OWNS(ba_verification, v, ba_strv_dispose(&v->disagreements), ba_strv_dispose(&v->missing_names))

void ba_verify_say(ba_verification *v, const char *where, const char *fmt, ...)
{
	BA_FORMATTED(text, fmt);
	ba_strv_printf(&v->disagreements, "%s: %s", where, text);
}

char *ba_verify_place(const ba_result *r, const ba_series *series, int variant)
{
	const char *id = r->run.benchmarks[series->benchmark].id;
	const char *metric = ba_metric_get(series->metric)->name;
	return variant < 0 ? ba_xprintf("%s, %s", id, metric)
			   : ba_xprintf("%s, %s, %s", id, metric, r->run.variants[variant].label);
}
