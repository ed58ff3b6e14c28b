/* Origins, places and merged runs of a results document. */

#include "store/parts.h"

static const ba_json_field origin_rows[] = {
	BA_FIELD_EACH(ba_origin, TEXT, name, host_name, device_name, device_uuid, driver_version,
		cpu_model),
	BA_FIELD(ba_origin, device, INT),
	BA_FIELD_EACH(ba_origin, TEXT, job, started),
	BA_FIELD(ba_origin, seed, U64),
	BA_FIELD_EACH(ba_origin, UNSIGNED, first, place, run),
	BA_FIELD(ba_origin, left, MAYBE),
};

static int check_name(void *base, ba_json_value object, ba_error *err)
{
	const ba_origin *o = base;
	return *o->name ? 0 : ba_json_fail(err, object, "has no name");
}

const ba_json_fields ba_origin_fields = BA_FIELDS_INIT(origin_rows, .read = check_name);

static int check_origin(
	const ba_origin *all, size_t i, const ba_result *r, ba_json_value object, ba_error *err)
{
	const ba_origin *o = &all[i];
	size_t runs = r->run.merged_count ? r->run.merged_count : 1;
	if (o->first >= BA_INVOCATIONS_MOST)
		return ba_json_fail(err, object, "begins at invocation %u: it must be less than %d",
			o->first, BA_INVOCATIONS_MOST);
	if (o->run >= runs)
		return ba_json_fail(err, object, "is of run %u, and there are %zu", o->run,
			r->run.merged_count);
	/* places are numbered as they appear */
	if (o->place > ba_origins_places(all, i) || o->place >= BA_PLACES_MOST)
		return ba_json_fail(err, object, "is at place %u, and those before it are at %zu",
			o->place, ba_origins_places(all, i));
	return 0;
}

int ba_origins_check(const ba_result *r, ba_json_value root, ba_error *err)
{
	ba_json_value v = ba_json_first(ba_json_find(root, "origins"));
	for (size_t i = 0; i < r->run.origin_count; i++, v = ba_json_next(v))
		BA_TRY(check_origin(r->run.origins, i, r, v, err));
	return 0;
}

/* ---- looks ---------------------------------------------------------------- */

static int check_look(uint64_t at, double share, size_t i, ba_json_value looks,
	ba_json_value weights, ba_error *err)
{
	if (!(share >= 0 && share <= 1))
		return ba_json_fail(err, weights,
			"has a weight of %g at [%zu]: it must be between 0 and 1", share, i);
	if (at > BA_INVOCATIONS_MOST)
		return ba_json_fail(err, looks,
			"has a look after %llu invocations at [%zu]: at most %d are allowed",
			(unsigned long long)at, i, BA_INVOCATIONS_MOST);
	return 0;
}

void ba_looks_write(ba_json_writer *w, const ba_design *design)
{
	ba_json_write_u64s(w, "looks", design->at, design->looks);
	ba_json_write_f64s(w, "look_weights", design->weight, design->looks);
}

int ba_looks_read(ba_design *out, size_t done, ba_json_value object, ba_error *err)
{
	ba_json_value looks, weights;
	BA_AUTO_FREE uint64_t *at = NULL;
	BA_AUTO_FREE double *share = NULL;
	size_t count = 0, share_count = 0;
	*out = (ba_design){0};
	BA_TRY(ba_json_get(&looks, object, "looks", err));
	BA_TRY(ba_json_get(&weights, object, "look_weights", err));
	BA_TRY(ba_json_as_u64s(&at, &count, looks, err));
	BA_TRY(ba_json_as_f64s(&share, &share_count, weights, err));
	if (count > BA_RESULT_LOOKS_MOST || share_count != count)
		return ba_json_fail(err, looks,
			"has %zu looks and %zu weights: as many of each, at most %d", count,
			share_count, BA_RESULT_LOOKS_MOST);
	for (size_t i = 0; i < count; i++) {
		BA_TRY(check_look(at[i], share[i], i, looks, weights, err));
		out->at[i] = (size_t)at[i];
		out->weight[i] = share[i];
	}
	out->looks = count;
	return done <= count ? 0
			     : ba_json_fail(err, ba_json_find(object, "looks_done"),
				       "must be between 0 and %zu, is %zu", count, done);
}

/* ---- merged runs ---------------------------------------------------------- */

static const ba_json_field merged_rows[] = {
	BA_FIELD(ba_merged_run, looks_done, U64),
	BA_FIELD(ba_merged_run, stopped, TEXT),
};

static void write_looks(ba_json_writer *w, const void *base)
{
	const ba_merged_run *m = base;
	ba_looks_write(w, &m->design);
}

static int read_looks(void *base, ba_json_value object, ba_error *err)
{
	ba_merged_run *m = base;
	return ba_looks_read(&m->design, m->looks_done, object, err);
}

const ba_json_fields ba_merged_fields =
	BA_FIELDS_INIT(merged_rows, .write = write_looks, .read = read_looks);

/* ---- estimates by place ---------------------------------------------------- */

static const ba_json_field place_rows[] = {
	BA_FIELD_WORD("verdict", ba_place_estimate, verdict, ba_verdict_words, .required = true),
	BA_FIELD(ba_place_estimate, place, UNSIGNED),
	BA_FIELD_EACH(ba_place_estimate, SIZE, ratio, low, high),
	BA_FIELD(ba_place_estimate, invocations, UNSIGNED),
};

const ba_json_fields ba_place_fields = BA_FIELDS_INIT(place_rows);

int ba_places_check(const ba_comparison *c, const ba_result *r, ba_json_value object, ba_error *err)
{
	size_t places = ba_origins_places(r->run.origins, r->run.origin_count);
	ba_json_value array = ba_json_find(object, "places");
	if (c->place_count > places)
		return ba_json_fail(err, array, "has %zu entries, and there are %zu places",
			c->place_count, places);
	for (size_t i = 0; i < c->place_count; i++)
		if (c->places[i].place >= places)
			return ba_json_fail(err, ba_json_at(array, i),
				"is of place %u, and there are %zu", c->places[i].place, places);
	return 0;
}
