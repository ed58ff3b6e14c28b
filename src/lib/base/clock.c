#include "base/clock.h"

void ba_time_format(char out[32], time_t when)
{
	struct tm utc;
	if (!gmtime_r(&when, &utc) || !strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &utc))
		out[0] = '\0';
}
