#include "report/unit.h"

#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "report/view.h"

static const struct {
	const char *ascii, *unicode;
	double ns; /* how long it is */
} units[] = {
	{"ns", "ns", 1},
	{"us", "µs", 1e3},
	{"ms", "ms", 1e6},
	{"s", "s", 1e9},
};

#define LAUNCH_NS 100e3 /* launches are shown in ns below this */

static ba_unit unit_for(const ba_metric_info *info, double ns, bool unicode)
{
	if (!*info->unit)
		return (ba_unit){"", info->per_ns};
	size_t i = BA_COUNT(units) - 1;
	while (i && !(ns >= units[i].ns))
		i--;
	if (ba_text_ends(info->unit, "/launch") && ns < LAUNCH_NS)
		i = 0;
	return (ba_unit){unicode ? units[i].unicode : units[i].ascii, 1 / units[i].ns};
}

static void widen(double *least, double *most, const ba_result *r, const ba_series *s)
{
	for (size_t i = 0; i < r->variant_count; i++) {
		if (ba_presence_of(r, s, i) != BA_PRESENCE_MEASURED)
			continue;
		double ns = ba_central_ns(s, &s->variants[i]);
		*least = fmin(*least, ns);
		*most = fmax(*most, ns);
	}
}

ba_unit ba_unit_of_series(const ba_result *r, const ba_series *s, bool unicode)
{
	double least = INFINITY, most = 0;
	widen(&least, &most, r, s);
	return unit_for(s->info, isfinite(least) ? least : 0, unicode);
}

ba_unit ba_unit_of_all(
	const ba_result *r, const ba_series *const *s, size_t count, bool unicode)
{
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < count; i++)
		widen(&least, &most, r, s[i]);
	if (!count || !isfinite(least))
		return (ba_unit){"", 1};
	ba_unit unit = unit_for(s[0]->info, least, unicode);
	if (*unit.name && most * unit.per_ns >= 1e5)
		unit.name = NULL;
	return unit;
}

const char *ba_unit_per(const ba_metric_info *info)
{
	const char *per = strchr(info->unit, '/');
	return per ? per : "";
}
