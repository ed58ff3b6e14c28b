#include "cluster/exchange_plan.h"

#include "ba_build.h"
#include "base/base.h"
#include "json/writer.h"
#include "model/limits.h"
#include "store/fields.h"
#include "store/parts.h"

#define PLAN_SCHEMA "bench-against.plan/1"

void ba_exchange_plan_dispose(ba_exchange_plan *p)
{
	char *owned[] = {p->directory, p->tool_version, p->repository, p->started, p->host_name,
		p->device_name, p->config_name, p->config_text};
	for (size_t i = 0; i < BA_COUNT(owned); i++)
		free(owned[i]);
	for (size_t v = 0; v < p->variant_count; v++) {
		ba_variant_dispose(&p->variants[v]);
		free(p->failures[v]);
	}
	free(p->variants);
	free(p->failures);
	ba_strv_dispose(&p->argv);
	ba_fingerprint_dispose(&p->terms);
	*p = (ba_exchange_plan){0};
}

static const ba_json_field fields[] = {
	BA_FIELD(ba_exchange_plan, tool_version, TEXT),
	BA_FIELD(ba_exchange_plan, argv, LIST),
	BA_FIELD(ba_exchange_plan, directory, TEXT),
	BA_FIELD(ba_exchange_plan, repository, TEXT),
	BA_FIELD(ba_exchange_plan, started, TEXT),
	BA_FIELD(ba_exchange_plan, seed, U64),
	BA_FIELD(ba_exchange_plan, host_name, TEXT),
	BA_FIELD(ba_exchange_plan, device_name, TEXT),
	BA_FIELD(ba_exchange_plan, config_name, TEXT),
	BA_FIELD(ba_exchange_plan, config_text, TEXT),
};

/* ---- written ---- */

static void write_variant(ba_json_writer *w, const ba_exchange_plan *p, size_t v)
{
	const ba_variant *x = &p->variants[v];
	ba_json_open_object(w, NULL);
	ba_json_write_u64(w, "kind", x->kind);
	ba_json_write_string(w, "failure", p->failures[v]);
	ba_variant_write(w, "variant", x);
	ba_json_close(w);
}

int ba_exchange_plan_write(const ba_exchange *d, const ba_exchange_plan *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_json_writer w;
	ba_json_writer_to_buf(&w, &text, 1);
	ba_json_open_object(&w, NULL);
	ba_json_write_string(&w, "schema", PLAN_SCHEMA);
	ba_fields_write(&w, fields, BA_COUNT(fields), p);
	ba_json_open_array(&w, "variants");
	for (size_t v = 0; v < p->variant_count; v++)
		write_variant(&w, p, v);
	ba_json_close(&w);
	ba_fields_write_list(&w, "term_names", &p->terms.names);
	ba_fields_write_list(&w, "term_values", &p->terms.values);
	ba_json_close(&w);
	int rc = ba_json_writer_finish(&w, err);
	return rc ? rc : ba_exchange_write_plan(d, &text, err);
}

/* ---- read ---- */

static int read_variant(ba_exchange_plan *p, ba_json_value v, ba_error *err)
{
	size_t i = p->variant_count++;
	uint64_t kind;
	ba_json_value object, inner, failure;
	const char *text = NULL;
	int rc = ba_json_as_object(&object, v, err);
	rc = rc ? rc : ba_json_get_u64(&kind, object, "kind", 0, BA_VARIANT_WORKTREE, err);
	rc = rc ? rc : ba_json_get(&failure, object, "failure", err);
	if (rc == 0 && ba_json_type_of(failure) != BA_JSON_NULL)
		rc = ba_json_as_string(&text, failure, err);
	rc = rc ? rc : ba_json_get_object(&inner, object, "variant", err);
	rc = rc ? rc : ba_variant_read(&p->variants[i], inner, err);
	if (rc)
		return rc;
	p->variants[i].kind = (ba_variant_kind)kind;
	p->failures[i] = ba_xstrdup(text);
	/* the member surveys them itself */
	for (size_t k = 0; k < p->variants[i].artefact_count; k++)
		free(p->variants[i].artefacts[k].path);
	p->variants[i].artefact_count = 0;
	return 0;
}

static int read_variants(ba_exchange_plan *p, ba_json_value root, ba_error *err)
{
	ba_json_value list;
	int rc = ba_json_get_array(&list, root, "variants", err);
	size_t n = rc ? 0 : ba_json_count(list);
	if (rc == 0 && (n == 0 || n > BA_VARIANTS_MOST))
		rc = ba_json_fail(err, list, "has %zu entries", n);
	p->variants = ba_xcalloc(n + 1, sizeof(*p->variants));
	p->failures = ba_xcalloc(n + 1, sizeof(*p->failures));
	for (ba_json_value v = rc ? (ba_json_value){0} : ba_json_first(list);
		rc == 0 && ba_json_is(v); v = ba_json_next(v))
		rc = read_variant(p, v, err);
	return rc;
}

static int read_plan(ba_exchange_plan *p, ba_json_value root, ba_error *err)
{
	const char *schema;
	int rc = ba_json_get_string(&schema, root, "schema", err);
	rc = rc ? rc : ba_fields_read(p, fields, BA_COUNT(fields), root, err);
	if (rc == 0 &&
		(strcmp(schema, PLAN_SCHEMA) != 0 || strcmp(p->tool_version, BA_VERSION) != 0))
		rc = ba_json_fail(err, root,
			"was written by bench-against %s, and this is " BA_VERSION,
			p->tool_version);
	rc = rc ? rc : read_variants(p, root, err);
	rc = rc ? rc : ba_fields_read_list(&p->terms.names, root, "term_names", err);
	rc = rc ? rc : ba_fields_read_list(&p->terms.values, root, "term_values", err);
	if (rc == 0 && (p->argv.count == 0 || p->terms.names.count != p->terms.values.count))
		rc = ba_json_fail(err, root, "is incomplete");
	return rc;
}

int ba_exchange_plan_read(ba_exchange_plan *out, const ba_exchange *d, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_exchange_plan) ba_exchange_plan p = {0};
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	ba_json_options options = {.name = "plan.json", .unique_keys = true};
	ba_json_value root;
	int rc = ba_exchange_read_plan(&text, d, err);
	rc = rc ? rc : ba_json_parse(&doc, text.data, text.len, &options, err);
	rc = rc ? rc : ba_json_as_object(&root, ba_json_root(doc), err);
	rc = rc ? rc : read_plan(&p, root, err);
	if (rc)
		return rc;
	*out = p;
	p = (ba_exchange_plan){0};
	return 0;
}
