/* One value against another, field by field. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "host/verify_internal.h"

typedef enum kind { KIND_F64, KIND_U64, KIND_UNSIGNED, KIND_BOOL } kind;

typedef struct field {
	const char *name; /* as in the document */
	kind kind;
	size_t offset;
	double slack; /* absolute, beside a billionth of the value: where differences
			 of larger numbers cancel */
} field;

/* clang-format off */
#define SUMMARY(name, member, kind) {name, kind, offsetof(ba_summary, member), 0}
#define COMPARISON(member, kind, slack) {#member, kind, offsetof(ba_comparison, member), slack}

static const field summary_fields[] = {
	SUMMARY("present", present, KIND_BOOL),
	SUMMARY("launches", launches, KIND_U64),
	SUMMARY("mean_ns", mean, KIND_F64),
	SUMMARY("stdev_ns", stdev, KIND_F64),
	SUMMARY("min_ns", min, KIND_F64),
	SUMMARY("median_ns", median, KIND_F64),
	SUMMARY("p95_ns", p95, KIND_F64),
	SUMMARY("p99_ns", p99, KIND_F64),
	SUMMARY("trimmed_ns", trimmed, KIND_F64),
};

static const field comparison_fields[] = {
	COMPARISON(ratio, KIND_F64, 0),
	COMPARISON(low, KIND_F64, 0),
	COMPARISON(high, KIND_F64, 0),
	COMPARISON(delta_ns, KIND_F64, 1e-9),
	COMPARISON(p_regressed, KIND_F64, 0),
	COMPARISON(p_improved, KIND_F64, 0),
	COMPARISON(p_unchanged, KIND_F64, 0),
	COMPARISON(invocations, KIND_UNSIGNED, 0),
	COMPARISON(s, KIND_F64, 1e-12),
	COMPARISON(s_within, KIND_F64, 1e-12),
	COMPARISON(drift_per_block, KIND_F64, 1e-12),
	COMPARISON(unstable, KIND_BOOL, 0),
	COMPARISON(shape_changed, KIND_BOOL, 0),
};
/* clang-format on */

static bool is_close(double said, double found, double slack)
{
	/* null stands for whatever is not finite */
	if (!isfinite(said) || !isfinite(found))
		return !isfinite(said) && !isfinite(found);
	double scale = fmax(fabs(said), fabs(found));
	return fabs(said - found) <= 1e-9 * scale + slack;
}

static void number(ba_verification *v, const char *where, const char *name, double said,
	double found, double slack)
{
	v->compared++;
	if (is_close(said, found, slack))
		return;
	if (isnan(said))
		ba_verify_say(v, where,
			"%s is null in the file, %.10g from the samples", name, found);
	else
		ba_verify_say(v, where,
			"%s is %.10g in the file, %.10g from the samples", name, said,
			found);
}

void ba_verify_number(ba_verification *v, const char *where, const char *name,
	double said, double found)
{
	number(v, where, name, said, found, 0);
}

void ba_verify_text(ba_verification *v, const char *where, const char *name,
	const char *said, const char *found)
{
	v->compared++;
	if (strcmp(said ? said : "", found ? found : "") != 0)
		ba_verify_say(v, where, "%s is '%s' in the file, '%s' from the samples",
			name, said ? said : "", found ? found : "");
}

static double value_of(const void *base, const field *f)
{
	const void *at = (const char *)base + f->offset;
	switch (f->kind) {
	case KIND_F64:
		return *(const double *)at;
	case KIND_U64:
		return (double)*(const uint64_t *)at;
	case KIND_UNSIGNED:
		return *(const unsigned *)at;
	case KIND_BOOL:
		return *(const bool *)at;
	}
	return NAN;
}

static void fields(ba_verification *v, const char *where, const field *rows,
	size_t count, const void *said, const void *found)
{
	for (size_t i = 0; i < count; i++) {
		const field *f = &rows[i];
		double a = value_of(said, f), b = value_of(found, f);
		if (f->kind != KIND_BOOL) {
			number(v, where, f->name, a, b, f->slack);
			continue;
		}
		ba_verify_text(v, where, f->name, a != 0 ? "true" : "false",
			b != 0 ? "true" : "false");
	}
}

/* Of documents of earlier versions, which do not have it. */
static void newer_number(ba_verification *v, const char *where, const char *name,
	double said, double found)
{
	if (!isnan(said)) {
		number(v, where, name, said, found, 0);
		return;
	}
	v->missing++;
	if (!ba_strv_has(&v->missing_names, name))
		ba_strv_push(&v->missing_names, name);
}

void ba_verify_summary(ba_verification *v, const char *where, const ba_summary *said,
	const ba_summary *found)
{
	fields(v, where, summary_fields,
		sizeof(summary_fields) / sizeof(summary_fields[0]), said, found);
	if (found->launches) {
		newer_number(v, where, "iqr_ns", said->iqr, found->iqr);
		newer_number(v, where, "max_ns", said->max, found->max);
	}
	if (said->sm_mhz > 0)
		number(v, where, "sm_mhz", said->sm_mhz, found->sm_mhz, 0);
}

void ba_verify_comparison(ba_verification *v, const char *where,
	const ba_comparison *said, const ba_comparison *found)
{
	ba_verify_text(v, where, "verdict", ba_verdict_name(said->verdict),
		ba_verdict_name(found->verdict));
	fields(v, where, comparison_fields,
		sizeof(comparison_fields) / sizeof(comparison_fields[0]), said, found);
	ba_verify_text(v, where, "reason", said->reason, found->reason);
	ba_verify_text(v, where, "hint", said->hint, found->hint);
	ba_verify_number(v, where, "the number of y", (double)said->y_count,
		(double)found->y_count);
	for (size_t i = 0; i < said->y_count && i < found->y_count; i++) {
		BA_AUTO_FREE char *name = ba_xprintf("y[%zu]", i);
		number(v, where, name, said->y[i], found->y[i], 1e-12);
	}
}
