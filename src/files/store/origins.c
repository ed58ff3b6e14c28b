/* Origins, places and merged runs of a results document. */

#include "base/mem.h"
#include "json/fields.h"
#include "store/parts.h"

static const ba_json_field origin_fields[] = {
	BA_FIELD(ba_origin, name, TEXT),
	BA_FIELD(ba_origin, host_name, TEXT),
	BA_FIELD(ba_origin, device_name, TEXT),
	BA_FIELD(ba_origin, device_uuid, TEXT),
	BA_FIELD(ba_origin, driver_version, TEXT),
	BA_FIELD(ba_origin, cpu_model, TEXT),
	BA_FIELD(ba_origin, device, INT),
	BA_FIELD(ba_origin, job, TEXT),
	BA_FIELD(ba_origin, started, TEXT),
	BA_FIELD(ba_origin, seed, U64),
	BA_FIELD(ba_origin, first, UNSIGNED),
	BA_FIELD(ba_origin, place, UNSIGNED),
	BA_FIELD(ba_origin, run, UNSIGNED),
	BA_FIELD(ba_origin, left, MAYBE),
};

void ba_origin_write(ba_json_writer *w, const char *key, const ba_origin *o)
{
	ba_fields_write_object(w, key, BA_FIELDS(origin_fields), o);
}

int ba_origin_read(ba_origin *out, ba_json_value object, ba_error *err)
{
	int rc = ba_fields_read(out, BA_FIELDS(origin_fields), object, err);
	if (rc == 0 && !*out->name)
		rc = ba_json_fail(err, object, "has no name");
	return rc;
}

void ba_origins_write(ba_json_writer *w, const ba_result *r)
{
	if (!r->run.origin_count)
		return;
	ba_json_open_array(w, "origins");
	for (size_t i = 0; i < r->run.origin_count; i++)
		ba_origin_write(w, NULL, &r->run.origins[i]);
	ba_json_close(w);
}

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

/* An array of at most BA_ORIGINS_MOST entries; without one *out is unchanged. */
static int get_list(ba_json_value *out, ba_json_value object, const char *name, ba_error *err)
{
	int rc = ba_json_opt_array(out, object, name, err);
	if (rc == 0 && ba_json_is(*out) && ba_json_count(*out) > BA_ORIGINS_MOST)
		rc = ba_json_fail(err, *out, "has %zu entries: at most %d are allowed",
			ba_json_count(*out), BA_ORIGINS_MOST);
	return rc;
}

int ba_origins_read(ba_result *r, ba_json_value root, ba_error *err)
{
	ba_json_value array = {0}, object;
	int rc = get_list(&array, root, "origins", err);
	if (rc || !ba_json_is(array))
		return rc;
	r->run.origins = ba_xcalloc(ba_json_count(array) + 1, sizeof(*r->run.origins));
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		rc = ba_json_as_object(&object, v, err);
		if (rc)
			break;
		size_t i = r->run.origin_count++;
		rc = ba_origin_read(&r->run.origins[i], object, err);
		rc = rc ? rc : check_origin(r->run.origins, i, r, object, err);
	}
	return rc;
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
	ba_json_open_row(w, "looks");
	for (size_t i = 0; i < design->looks; i++)
		ba_json_write_u64(w, NULL, design->at[i]);
	ba_json_close(w);
	ba_json_write_f64s(w, "look_weights", design->weight, design->looks);
}

int ba_looks_read(ba_design *out, ba_json_value object, ba_error *err)
{
	ba_json_value looks, weights;
	BA_AUTO_FREE uint64_t *at = NULL;
	BA_AUTO_FREE double *share = NULL;
	size_t count = 0, share_count = 0;
	*out = (ba_design){0};
	int rc = ba_json_get(&looks, object, "looks", err);
	rc = rc ? rc : ba_json_get(&weights, object, "look_weights", err);
	rc = rc ? rc : ba_json_as_u64s(&at, &count, looks, err);
	rc = rc ? rc : ba_json_as_f64s(&share, &share_count, weights, err);
	if (rc)
		return rc;
	if (count > BA_RESULT_LOOKS_MOST || share_count != count)
		return ba_json_fail(err, looks,
			"has %zu looks and %zu weights: as many of each, at most %d", count,
			share_count, BA_RESULT_LOOKS_MOST);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		rc = check_look(at[i], share[i], i, looks, weights, err);
		out->at[i] = (size_t)at[i];
		out->weight[i] = share[i];
	}
	out->looks = rc ? 0 : count;
	return rc;
}

/* ---- merged runs ---------------------------------------------------------- */

/* only of a part */
static const ba_json_field part_fields[] = {
	BA_FIELD(ba_measured, part, UNSIGNED),
	BA_FIELD(ba_measured, parts, UNSIGNED),
};

static const ba_json_field merged_fields[] = {
	BA_FIELD(ba_merged_run, stopped, TEXT),
};

static void write_merged_run(ba_json_writer *w, const void *item)
{
	const ba_merged_run *m = item;
	ba_looks_write(w, &m->design);
	ba_json_write_u64(w, "looks_done", m->looks_done);
}

static int read_merged_run(void *item, ba_json_value object, ba_error *err)
{
	ba_merged_run *m = item;
	uint64_t done = 0;
	int rc = ba_looks_read(&m->design, object, err);
	rc = rc ? rc : ba_json_opt_u64(&done, object, "looks_done", 0, m->design.looks, err);
	m->looks_done = (size_t)done;
	return rc;
}

static const ba_json_list merged = {BA_ITEMS(ba_result, run.merged, run.merged_count),
	.fields = BA_FIELDS(merged_fields), .write = write_merged_run, .read = read_merged_run};

void ba_merged_runs_write(ba_json_writer *w, const ba_result *r)
{
	if (r->run.parts)
		ba_fields_write(w, BA_FIELDS(part_fields), &r->run);
	if (r->run.merged_count)
		ba_list_write(w, "merged", &merged, r);
}

int ba_merged_runs_read(ba_result *r, ba_json_value decision, ba_error *err)
{
	ba_json_value array = {0};
	int rc = ba_fields_read(&r->run, BA_FIELDS(part_fields), decision, err);
	if (rc == 0 && (r->run.part > r->run.parts || !r->run.part != !r->run.parts ||
			       r->run.parts > BA_INVOCATIONS_MOST))
		rc = ba_json_fail(err, decision, "is of part %u of %u", r->run.part, r->run.parts);
	rc = rc ? rc : get_list(&array, decision, "merged", err);
	return rc ? rc : ba_list_read(r, "merged", &merged, decision, err);
}

/* ---- estimates by place ---------------------------------------------------- */

static const ba_json_field agreement_fields[] = {
	BA_FIELD(ba_comparison, p_agree, PART),
	BA_FIELD(ba_comparison, places_differ, BOOL),
};

static const ba_json_field place_fields[] = {
	BA_FIELD(ba_place_estimate, place, UNSIGNED),
	BA_FIELD(ba_place_estimate, ratio, SIZE),
	BA_FIELD(ba_place_estimate, low, SIZE),
	BA_FIELD(ba_place_estimate, high, SIZE),
	BA_FIELD(ba_place_estimate, invocations, UNSIGNED),
};

void ba_places_write(ba_json_writer *w, const ba_comparison *c)
{
	if (!c->place_count)
		return;
	ba_fields_write(w, BA_FIELDS(agreement_fields), c);
	ba_json_open_array(w, "places");
	for (size_t i = 0; i < c->place_count; i++) {
		const ba_place_estimate *p = &c->places[i];
		ba_json_open_object(w, NULL);
		ba_json_write_string(w, "verdict", ba_verdict_name(p->verdict));
		ba_fields_write(w, BA_FIELDS(place_fields), p);
		ba_json_close(w);
	}
	ba_json_close(w);
}

static int read_place(ba_place_estimate *out, size_t places, ba_json_value object, ba_error *err)
{
	int rc = ba_verdict_read(&out->verdict, object, "verdict", err);
	rc = rc ? rc : ba_fields_read(out, BA_FIELDS(place_fields), object, err);
	if (rc == 0 && out->place >= places)
		rc = ba_json_fail(
			err, object, "is of place %u, and there are %zu", out->place, places);
	return rc;
}

int ba_places_read(ba_comparison *c, const ba_result *r, ba_json_value object, ba_error *err)
{
	size_t places = ba_origins_places(r->run.origins, r->run.origin_count);
	ba_json_value array = {0}, one;
	c->p_agree = 1;
	int rc = ba_fields_read(c, BA_FIELDS(agreement_fields), object, err);
	rc = rc ? rc : ba_json_opt_array(&array, object, "places", err);
	if (rc || !ba_json_is(array))
		return rc;
	if (ba_json_count(array) > places)
		return ba_json_fail(err, array, "has %zu entries, and there are %zu places",
			ba_json_count(array), places);
	c->places = ba_xcalloc(ba_json_count(array) + 1, sizeof(*c->places));
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		rc = ba_json_as_object(&one, v, err);
		rc = rc ? rc : read_place(&c->places[c->place_count++], places, one, err);
	}
	return rc;
}
