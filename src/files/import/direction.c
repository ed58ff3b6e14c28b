/* Tells from the unit or name of a metric whether more is better. */

#include "import/source.h"

/* globs in lower case; the first match counts */
static const struct row {
	const char *glob;
	bool higher;
} rows[] = {
	{"gc.*", false}, /* JMH: allocations are costs, also per second */
	{"*_per_second", true},
	{"*_per_sec", true},
	{"*/s", true},
	{"*/sec", true},
	{"*/second", true},
	{"* per second", true},
	{"ops/*", true},
	{"*flops", true},
	{"*throughput*", true},
	{"*bandwidth*", true},
	{"[qrtf]ps", true},
	{"ips", true},
	{"iops", true},
	{"*hz", true},
	{"*/op", false},
	{"*time*", false},
	{"*latency*", false},
	{"*duration*", false},
	{"*bytes*", false},
	{"*memory*", false},
	{"*peakmem_*", false},
	{"*mem_*", false},
	{"*alloc*", false},
	{"b", false},
	{"[nµm]s", false},
	{"us", false},
	{"s", false},
};

bool ba_direction_of(bool *higher, const char *unit)
{
	BA_AUTO_FREE char *lower = ba_xstrdup(unit);
	for (char *c = lower; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	const struct row *row = BA_FIND(rows, BA_COUNT(rows), x, ba_text_glob(x->glob, lower));
	*higher = row ? row->higher : *higher;
	return row;
}
