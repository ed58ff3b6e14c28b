/* Compares the values of the document with the computed ones, field by field. */

#include "model/effect.h"
#include "verdict/estimate.h"
#include "verify/verify.h"

typedef enum kind { KIND_F64, KIND_U64, KIND_UNSIGNED, KIND_BOOL } kind;

typedef struct field {
	const char *name; /* the name in the document */
	kind kind;
	size_t offset;
	/* beside a billionth of the value: for differences of numbers that cancel */
	double slack;
} field;

/* clang-format off */
#define SUMMARY(name, member, kind) {name, kind, offsetof(ba_summary, member), 0}
#define THROUGHPUT(name, member) {name, KIND_F64, offsetof(ba_throughput, member), 0}
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

static const field layout_fields[] = {
	SUMMARY("layouts", layouts, KIND_UNSIGNED),
	{"layout_sd", KIND_F64, offsetof(ba_summary, layout_sd), 1e-9},
};

static const field throughput_fields[] = {
	THROUGHPUT("gflop_per_s", gflop_per_s),
	THROUGHPUT("gb_per_s", gb_per_s),
	THROUGHPUT("items_per_s", items_per_s),
	THROUGHPUT("of_copy_ceiling", of_copy),
	THROUGHPUT("of_matrix_ceiling", of_matrix),
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
	COMPARISON(exact, KIND_BOOL, 0),
};
/* clang-format on */

/* fields of documents whose version judged the means */
static const field mean_fields[] = {
	COMPARISON(mean_ratio, KIND_F64, 0),
	COMPARISON(mean_low, KIND_F64, 0),
	COMPARISON(mean_high, KIND_F64, 0),
	COMPARISON(p_mean_regressed, KIND_F64, 0),
	COMPARISON(p_mean_improved, KIND_F64, 0),
	COMPARISON(mean_suspicious, KIND_BOOL, 0),
};

static bool is_close(double said, double found, double slack)
{
	/* null stands for any number that is not finite */
	if (!isfinite(said) || !isfinite(found))
		return !isfinite(said) && !isfinite(found);
	double scale = fmax(fabs(said), fabs(found));
	return fabs(said - found) <= 1e-9 * scale + slack;
}

/* The location of a value, in words and as a path in the document. */
typedef struct place {
	const char *name; /* "launch/args=2, submit, v2" */
	const char *path; /* "$.series[3].variants[1]"; NULL: the words are enough */
} place;

static void number(ba_verification *v, const place *at, const char *name, double said, double found,
	double slack)
{
	v->compared++;
	if (is_close(said, found, slack))
		return;
	if (!isnan(said))
		ba_verify_say(v, at->name, "%s is %.10g in the file, %.10g from the samples", name,
			said, found);
	else if (at->path)
		ba_verify_say(v, at->name, "%s is null in the file (%s.%s), %.10g from the samples",
			name, at->path, name, found);
	else
		ba_verify_say(
			v, at->name, "%s is null in the file, %.10g from the samples", name, found);
}

void ba_verify_number(
	ba_verification *v, const char *where, const char *name, double said, double found)
{
	number(v, &(place){where, NULL}, name, said, found, 0);
}

void ba_verify_text(ba_verification *v, const char *where, const char *name, const char *said,
	const char *found)
{
	v->compared++;
	if (strcmp(said ? said : "", found ? found : "") != 0)
		ba_verify_say(v, where, "%s is '%s' in the file, '%s' from the samples", name,
			said ? said : "", found ? found : "");
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

static void fields(ba_verification *v, const place *at, const field *rows, size_t count,
	const void *said, const void *found)
{
	BA_EACH (const field, f, rows, count) {
		double a = value_of(said, f), b = value_of(found, f);
		if (f->kind != KIND_BOOL) {
			number(v, at, f->name, a, b, f->slack);
			continue;
		}
		ba_verify_text(
			v, at->name, f->name, a != 0 ? "true" : "false", b != 0 ? "true" : "false");
	}
}

/* A number that documents of earlier versions do not have. */
static void newer_number(ba_verification *v, const place *at, const char *name, double said,
	double found, bool always)
{
	if (always || !isnan(said)) {
		number(v, at, name, said, found, 0);
		return;
	}
	v->missing++;
	if (!ba_strv_has(&v->missing_names, name))
		ba_strv_push(&v->missing_names, name);
}

void ba_verify_summary(ba_verification *v, const char *where, const char *path,
	const ba_summary *said, const ba_summary *found, bool complete)
{
	const place at = {where, path};
	fields(v, &at, summary_fields, BA_COUNT(summary_fields), said, found);
	if (said->layouts || found->layouts)
		fields(v, &at, layout_fields, BA_COUNT(layout_fields), said, found);
	if (!found->launches)
		return;
	newer_number(v, &at, "iqr_ns", said->iqr, found->iqr, complete);
	newer_number(v, &at, "max_ns", said->max, found->max, complete);
	/* skipped if an earlier document has no clock and none was found */
	if (complete || !isnan(said->sm_mhz) || found->sm_mhz > 0)
		newer_number(v, &at, "sm_mhz", said->sm_mhz, found->sm_mhz, complete);
}

void ba_verify_throughput(ba_verification *v, const char *where, const char *path,
	const ba_throughput *said, const ba_throughput *found, bool complete)
{
	const place at = {where, path};
	/* zeros are not written, and earlier versions did not write all fields */
	BA_EACH (const field, f, throughput_fields, BA_COUNT(throughput_fields))
		if (value_of(said, f) != 0 || (complete && value_of(found, f) > 0))
			fields(v, &at, f, 1, said, found);
}

static void verify_values(ba_verification *v, const place *at, const char *what, const double *said,
	size_t said_count, const double *found, size_t found_count)
{
	BA_AUTO_FREE char *count = ba_xprintf("the number of %s", what);
	ba_verify_number(v, at->name, count, (double)said_count, (double)found_count);
	for (size_t i = 0; i < said_count && i < found_count; i++) {
		BA_AUTO_FREE char *name = ba_xprintf("%s[%zu]", what, i);
		number(v, at, name, said[i], found[i], 1e-12);
	}
}

static const field place_fields[] = {
	{"place", KIND_UNSIGNED, offsetof(ba_place_estimate, place), 0},
	{"ratio", KIND_F64, offsetof(ba_place_estimate, ratio), 0},
	{"low", KIND_F64, offsetof(ba_place_estimate, low), 0},
	{"high", KIND_F64, offsetof(ba_place_estimate, high), 0},
	{"invocations", KIND_UNSIGNED, offsetof(ba_place_estimate, invocations), 0},
};

static void verify_places(
	ba_verification *v, const place *at, const ba_comparison *said, const ba_comparison *found)
{
	if (!said->place_count && !found->place_count)
		return;
	number(v, at, "p_agree", said->p_agree, found->p_agree, 0);
	ba_verify_text(v, at->name, "places_differ", said->places_differ ? "true" : "false",
		found->places_differ ? "true" : "false");
	number(v, at, "the number of places", (double)said->place_count, (double)found->place_count,
		0);
	for (size_t i = 0; i < said->place_count && i < found->place_count; i++) {
		BA_AUTO_FREE char *name = ba_xprintf("%s, place %zu", at->name, i);
		BA_AUTO_FREE char *path = ba_xprintf("%s.places[%zu]", at->path, i);
		ba_verify_text(v, name, "verdict", ba_verdict_name(said->places[i].verdict),
			ba_verdict_name(found->places[i].verdict));
		fields(v, &(place){name, path}, place_fields, BA_COUNT(place_fields),
			&said->places[i], &found->places[i]);
	}
}

void ba_verify_comparison(ba_verification *v, const char *where, const char *path,
	const ba_comparison *said, const ba_comparison *found, const ba_result *r)
{
	const place at = {where, path};
	ba_verify_text(v, where, "verdict", ba_verdict_name(said->verdict),
		ba_verdict_name(found->verdict));
	if (r->document.schema_revision >= BA_REVISION_SHIFT)
		ba_verify_text(v, where, "within_threshold", ba_shift_name(said->shift),
			ba_shift_name(found->shift));
	fields(v, &at, comparison_fields, BA_COUNT(comparison_fields), said, found);
	if (r->document.schema_revision >= BA_REVISION_WORDS) {
		ba_verify_text(v, where, "reason", said->reason, found->reason);
		ba_verify_text(v, where, "hint", said->hint, found->hint);
	}
	verify_places(v, &at, said, found);
	verify_values(v, &at, "y", said->y, said->y_count, found->y, found->y_count);
	if (!ba_estimate_has_means(r))
		return;
	fields(v, &at, mean_fields, BA_COUNT(mean_fields), said, found);
	verify_values(v, &at, "z", said->z, said->z_count, found->z, found->z_count);
}

void ba_verify_effects(ba_verification *v, const char *where, const char *path,
	const ba_series *said, const ba_series *found, const ba_result *r)
{
	ba_verify_number(v, where, "the number of effects", (double)said->effect_count,
		(double)found->effect_count);
	for (size_t i = 0; i < said->effect_count && i < found->effect_count; i++) {
		const ba_effect *a = &said->effects[i], *b = &found->effects[i];
		BA_AUTO_FREE char *name = ba_xprintf("%s, effect %zu", where, i);
		BA_AUTO_FREE char *at = ba_xprintf("%s.effects[%zu].comparison", path, i);
		ba_verify_text(v, name, "of", ba_effect_names[a->of], ba_effect_names[b->of]);
		ba_verify_number(v, name, "code", a->code, b->code);
		ba_verify_number(v, name, "environment", a->environment, b->environment);
		ba_verify_comparison(v, name, at, &a->comparison, &b->comparison, r);
	}
}
