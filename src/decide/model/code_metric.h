/*
 * Metrics of compiled code, which need no measurement, and the limits for their increase:
 *
 *     ba_code_limit limits[BA_CODE_METRIC_COUNT];
 *     ba_code_limits_default(limits);
 *     ba_code_limit_parse(&limits[BA_CODE_REGISTERS], "+8", "--limit", err);
 *     ba_code_limit_exceeded(limits, BA_CODE_REGISTERS, 32, 48)       true
 */
#pragma once

#include "base/base.h"

typedef enum ba_code_metric {
	BA_CODE_REGISTERS,
	BA_CODE_OCCUPANCY,
	BA_CODE_LOCAL_STORES,
	BA_CODE_LOCAL_LOADS,
	BA_CODE_FRAME,
	BA_CODE_SHARED,
	BA_CODE_CONSTANT,
	BA_CODE_INSTRUCTIONS,
	BA_CODE_BYTES,
	BA_CODE_BARRIERS,
	BA_CODE_MAX_THREADS,
	BA_CODE_MAX_REGISTERS,
	/* not of kernels: */
	BA_CODE_FILE_BYTES,   /* of a file with device code */
	BA_CODE_DEVICE_BYTES, /* all machine code for one architecture */
	BA_CODE_METRIC_COUNT
} ba_code_metric;

typedef struct ba_code_metric_info {
	const char *name;  /* "local_stores": in the configuration and in JSON */
	const char *title; /* "local stores" */
	const char *unit;  /* "B", "%" or "" */
	bool less_is_worse;
} ba_code_metric_info;

const ba_code_metric_info *ba_code_metric_get(ba_code_metric m);
int ba_code_metric_from_name(const char *name); /* negative: unknown */

/* How much worse a candidate may be: by a number or a part, whichever is larger. */
typedef struct ba_code_limit {
	bool set;
	double by, part;
} ba_code_limit;

/* No metric has a limit, except that a kernel may not get more local stores. */
void ba_code_limits_default(ba_code_limit limits[BA_CODE_METRIC_COUNT]);
/* "+8" or "8": by 8; "0": not worse; "5%": by a twentieth; "any": no limit. BA_EINVAL. */
int ba_code_limit_parse(ba_code_limit *out, const char *text, const char *what, ba_error *err);
/* False if a value is unknown (NaN). */
bool ba_code_limit_exceeded(
	const ba_code_limit *limits, ba_code_metric m, double base, double mine);
void ba_code_limit_text(ba_buf *out, const ba_code_limit *l); /* "+8", "5%" */
