#include "cluster/exchange_plan.h"

#include "ba_build.h"
#include "store/parts.h"

#define PLAN_SCHEMA "bench-against.plan/1"
#define PLAN_MOST ((size_t)256 << 20)

static void planned_dispose(ba_planned_variant *p)
{
	ba_variant_dispose(&p->variant);
	free(p->failure);
}

void ba_exchange_plan_dispose(ba_exchange_plan *p)
{
	BA_FREE(p->directory, p->repository, p->started, p->host_name, p->device_name,
		p->config_name, p->config_text);
	BA_FREE_ARRAY(planned_dispose, p->variants, p->variant_count);
	ba_strv_dispose(&p->argv);
	ba_fingerprint_dispose(&p->terms);
	*p = (ba_exchange_plan){0};
}

/* ---- a variant ---- */

static void write_variant(ba_json_writer *w, const void *item)
{
	const ba_planned_variant *p = item;
	ba_json_write_u64(w, "kind", p->variant.kind);
	ba_fields_write_object(w, "variant", &ba_variant_fields, &p->variant);
}

static int read_variant(void *item, ba_json_value object, ba_error *err)
{
	ba_planned_variant *p = item;
	uint64_t kind;
	ba_json_value inner;
	BA_TRY(ba_json_get_u64(&kind, object, "kind", 0, BA_VARIANT_WORKTREE, err));
	BA_TRY(ba_json_get_object(&inner, object, "variant", err));
	BA_TRY(ba_fields_read(&p->variant, &ba_variant_fields, inner, err));
	p->variant.kind = (ba_variant_kind)kind;
	/* the member examines the artefacts itself */
	for (size_t k = 0; k < p->variant.artefact_count; k++)
		free(p->variant.artefacts[k].path);
	p->variant.artefact_count = 0;
	return 0;
}

static const ba_json_field variant_fields[] = {BA_FIELD(ba_planned_variant, failure, MAYBE)};

static const ba_json_fields planned =
	BA_FIELDS_INIT(variant_fields, .write = write_variant, .read = read_variant);

static const ba_json_field fields[] = {
	BA_FIELD(ba_exchange_plan, argv, LIST),
	BA_FIELD(ba_exchange_plan, directory, TEXT),
	BA_FIELD(ba_exchange_plan, repository, TEXT),
	BA_FIELD(ba_exchange_plan, started, TEXT),
	BA_FIELD(ba_exchange_plan, seed, U64),
	BA_FIELD(ba_exchange_plan, host_name, TEXT),
	BA_FIELD(ba_exchange_plan, device_name, TEXT),
	BA_FIELD(ba_exchange_plan, config_name, TEXT),
	BA_FIELD(ba_exchange_plan, config_text, TEXT),
	BA_FIELD_LIST("variants", ba_exchange_plan, variants, variant_count, &planned,
		.required = true, .most = BA_VARIANTS_MOST),
	BA_FIELD_AS("term_names", ba_exchange_plan, terms.names, LIST),
	BA_FIELD_AS("term_values", ba_exchange_plan, terms.values, LIST),
};

/* ---- the whole ---- */

int ba_exchange_plan_write(const ba_exchange *d, const ba_exchange_plan *p, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(ba_exchange_dir(d), "plan.json");
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_json_writer w;
	ba_json_writer_to_buf(&w, &text, 1);
	ba_json_open_object(&w, NULL);
	ba_json_write_string(&w, "schema", PLAN_SCHEMA);
	ba_json_write_string(&w, "tool_version", BA_VERSION);
	ba_fields_write(&w, BA_FIELDS(fields), p);
	ba_json_close(&w);
	BA_TRY(ba_json_writer_finish(&w, err));
	return ba_fs_write_atomic(path, text.data, text.len, err);
}

int ba_exchange_plan_read(ba_exchange_plan *out, const ba_exchange *d, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(ba_exchange_dir(d), "plan.json");
	BA_AUTO(ba_exchange_plan) ba_exchange_plan p = {0};
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	ba_json_options options = {.unique_keys = true, .ceiling = PLAN_MOST};
	ba_json_value root;
	const char *schema, *version;
	BA_TRY(ba_json_read(&doc, path, &options, err));
	BA_TRY(ba_json_as_object(&root, ba_json_root(doc), err));
	BA_TRY(ba_json_get_string(&schema, root, "schema", err));
	BA_TRY(ba_json_get_string(&version, root, "tool_version", err));
	BA_TRY(ba_fields_read(&p, BA_FIELDS(fields), root, err));
	if (strcmp(schema, PLAN_SCHEMA) != 0 || strcmp(version, BA_VERSION) != 0)
		return ba_json_fail(err, root,
			"was written by bench-against %s, and this is " BA_VERSION, version);
	if (p.argv.count == 0 || p.variant_count == 0 ||
		p.terms.names.count != p.terms.values.count)
		return ba_json_fail(err, root, "is incomplete");
	*out = BA_MOVE(p);
	return 0;
}
