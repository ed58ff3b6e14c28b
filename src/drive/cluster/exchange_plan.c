#include "cluster/exchange_plan.h"

#include "ba_build.h"
#include "store/parts.h"

#define PLAN_SCHEMA "bench-against.plan/1"
#define PLAN_MOST ((size_t)256 << 20)

BA_OWNS(ba_exchange_plan, p,
	BA_FREE(p->directory, p->repository, p->started, p->host_name, p->device_name,
		p->config_name, p->config_text),
	BA_FREE_EACH(one, p->variants, p->variant_count, ba_variant_dispose(&one->variant),
		free(one->failure)),
	ba_strv_dispose(&p->argv), ba_fingerprint_dispose(&p->terms))

/* ---- a variant ---- */

static int drop_artefacts(void *item, ba_json_value object, ba_error *err)
{
	ba_planned_variant *p = item;
	/* the member examines them itself */
	for (size_t k = 0; k < p->variant.artefact_count; k++)
		free(p->variant.artefacts[k].path);
	p->variant.artefact_count = 0;
	return 0;
}

static const ba_json_field variant_fields[] = {
	BA_FIELD(ba_planned_variant, failure, MAYBE),
	BA_FIELD_OBJECT(
		"variant", ba_planned_variant, variant, &ba_variant_fields, .required = true),
};
static const ba_json_fields planned = BA_FIELDS_INIT(variant_fields, .read = drop_artefacts);

static int check_plan(void *plan, ba_json_value root, ba_error *err)
{
	const ba_exchange_plan *p = plan;
	bool whole =
		p->argv.count && p->variant_count && p->terms.names.count == p->terms.values.count;
	return whole ? 0 : ba_json_fail(err, root, "is incomplete");
}

static const ba_json_field rows[] = {
	BA_FIELD_SCHEMA("schema", PLAN_SCHEMA),
	BA_FIELD_SCHEMA("tool_version", BA_VERSION),
	BA_FIELD(ba_exchange_plan, argv, LIST),
	BA_FIELD_EACH(ba_exchange_plan, TEXT, directory, repository, started),
	BA_FIELD(ba_exchange_plan, seed, U64),
	BA_FIELD_EACH(ba_exchange_plan, TEXT, host_name, device_name, config_name, config_text),
	BA_FIELD_LIST("variants", ba_exchange_plan, variants, variant_count, &planned,
		.required = true, .most = BA_VARIANTS_MOST),
	BA_FIELD_AS("term_names", ba_exchange_plan, terms.names, LIST),
	BA_FIELD_AS("term_values", ba_exchange_plan, terms.values, LIST),
};
static const ba_json_fields fields = BA_FIELDS_INIT(rows, .read = check_plan);

/* ---- the whole ---- */

int ba_exchange_plan_write(const char *dir, const ba_exchange_plan *p, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, "plan.json");
	return ba_fields_save(path, 1, &fields, p, err);
}

int ba_exchange_plan_read(ba_exchange_plan *out, const char *dir, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, "plan.json");
	BA_AUTO(ba_exchange_plan) ba_exchange_plan p = {0};
	const ba_json_options options = {.unique_keys = true, .ceiling = PLAN_MOST};
	BA_TRY(ba_fields_load(&p, &fields, path, &options, err));
	*out = BA_MOVE(p);
	return 0;
}
