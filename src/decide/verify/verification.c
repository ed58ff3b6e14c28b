#include "verify/verification.h"

void ba_verification_dispose(ba_verification *v)
{
	ba_strv_dispose(&v->disagreements);
	ba_strv_dispose(&v->missing_names);
	*v = (ba_verification){0};
}

void ba_verify_say(ba_verification *v, const char *where, const char *fmt, ...)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	va_list args;
	ba_buf_printf(&text, "%s: ", where);
	va_start(args, fmt);
	ba_buf_vprintf(&text, fmt, args);
	va_end(args);
	ba_strv_push(&v->disagreements, text.data);
}

char *ba_verify_place(const ba_result *r, const ba_series *series, int variant)
{
	const char *id = r->run.benchmarks[series->benchmark].id;
	const char *metric = ba_metric_get(series->metric)->name;
	return variant < 0 ? ba_xprintf("%s, %s", id, metric)
			   : ba_xprintf("%s, %s, %s", id, metric, r->run.variants[variant].label);
}
