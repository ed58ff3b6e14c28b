#include "gpu/trust.h"

bool ba_trust_add(ba_trust_findings *f, const char *id, ba_trust_severity severity, int error,
	const char *remedy, const char *fmt, ...)
{
	if (f->count == BA_TRUST_FINDINGS_MAX)
		return true;
	ba_trust_finding *item = &f->items[f->count++];
	*item = (ba_trust_finding){
		.id = id, .severity = severity, .remedy = remedy, .error = error};
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(item->sentence, sizeof(item->sentence), fmt, ap);
	va_end(ap);
	return true;
}

size_t ba_trust_refusals(const ba_trust_findings *f)
{
	size_t n = 0;
	while (n < f->count && f->items[n].severity == BA_TRUST_REFUSE)
		n++;
	return n;
}

int ba_trust_error(const ba_trust_findings *f, ba_error *err)
{
	size_t refusals = ba_trust_refusals(f);
	if (!refusals)
		return 0;
	char text[1400] = "";
	for (size_t i = 0; i < refusals; i++) {
		size_t at = strlen(text);
		snprintf(text + at, sizeof(text) - at, "%s%s. %s", i ? "\n" : "",
			f->items[i].sentence, f->items[i].remedy);
	}
	return ba_fail(err, f->items[0].error, "%s", text);
}
