#include "report/unit.h"

#include "report/view.h"

ba_unit ba_unit_for(const ba_metric_info *info, double ns, bool unicode)
{
	ba_time_unit unit = ba_metric_time_unit(info, ns);
	return (ba_unit){unicode ? unit.name : unit.ascii, 1 / unit.ns};
}

ba_unit ba_unit_of_range(const ba_metric_info *info, double least, double most, bool unicode)
{
	ba_unit unit = ba_unit_for(info, least, unicode);
	while (most * unit.per_ns >= 1e5 && least > 0 && least < 1e9)
		unit = ba_unit_for(info, least *= 10, unicode);
	return unit;
}

static void widen(double *least, double *most, const ba_result *r, const ba_series *s)
{
	for (size_t i = 0; i < r->run.variant_count; i++) {
		if (ba_presence_of(r, s, i) != BA_PRESENCE_MEASURED)
			continue;
		double ns = ba_central_ns(s, &s->variants[i]);
		ba_widen(least, most, ns, ns);
	}
}

ba_unit ba_unit_of_series(const ba_result *r, const ba_series *s, bool unicode)
{
	double least = INFINITY, most = 0;
	widen(&least, &most, r, s);
	return ba_unit_for(s->info, isfinite(least) ? least : 0, unicode);
}

ba_unit ba_unit_of_all(const ba_result *r, const ba_series *const *s, size_t count, bool unicode)
{
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < count; i++)
		widen(&least, &most, r, s[i]);
	if (!count || !isfinite(least))
		return (ba_unit){"", 1};
	ba_unit unit = ba_unit_for(s[0]->info, least, unicode);
	if (*unit.name && most * unit.per_ns >= 1e5)
		unit.name = NULL;
	return unit;
}

const char *ba_unit_per(const ba_metric_info *info)
{
	const char *per = strchr(info->unit, '/');
	return per ? per : "";
}

char *ba_unit_axis(const ba_metric_info *info, const char *unit)
{
	return ba_xprintf("%s%s%s", info->name, *unit ? ", " : "", unit);
}

char *ba_unit_words(const ba_unit *unit, const ba_metric_info *info)
{
	return ba_xprintf("%s%s", unit->name, *unit->name ? ba_unit_per(info) : "");
}
