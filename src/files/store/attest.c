#include "store/attest.h"

#include "base/base.h"
#include "base/hash.h"
#include "base/replace.h"
#include "json/digest.h"
#include "json/json.h"
#include "store/parts.h"
#include "store/results_fields.h"

#define STATEMENT_TYPE "https://in-toto.io/Statement/v1"
#define STATEMENT_MOST ((size_t)16 << 20)

static const char *digest_of(const ba_variant *v)
{
	return *v->commit ? v->commit : v->tree_sha256;
}

static int check_subjects(const ba_result *r, ba_error *err)
{
	if (r->run.variant_count < 2)
		return ba_fail(err, BA_EINVAL,
			"an attestation is about a comparison; this result has one variant");
	for (size_t v = 1; v < r->run.variant_count; v++)
		if (!*digest_of(&r->run.variants[v]))
			return ba_fail(err, BA_EINVAL,
				"an attestation names its subject by a commit, and '%s' has none; compare commits",
				r->run.variants[v].label);
	return 0;
}

static void write_subjects(ba_json_writer *w, const ba_result *r)
{
	ba_json_open_array(w, "subject");
	for (size_t v = 1; v < r->run.variant_count; v++) {
		ba_json_open_object(w, NULL);
		ba_json_write_string(w, "name", r->run.variants[v].label);
		ba_json_open_object(w, "digest");
		ba_json_write_string(w, *r->run.variants[v].commit ? "gitCommit" : "sha256",
			digest_of(&r->run.variants[v]));
		ba_json_close(w);
		ba_json_close(w);
	}
	ba_json_close(w);
}

/* fields of the results document, under names that a reader of attestations expects */
static const ba_json_field variant_fields[] = {
	BA_FIELD(ba_variant, label, MAYBE),
	BA_FIELD_AS("ref", ba_variant, spec, MAYBE),
	BA_FIELD(ba_variant, commit, DIGEST),
	BA_FIELD_AS("tree", ba_variant, tree_id, DIGEST),
	BA_FIELD_AS("build_sha256", ba_variant, tree_sha256, DIGEST),
	BA_FIELD(ba_variant, dirty, BOOL),
	BA_FIELD_LIST("artefacts", ba_artefacts),
};

static const ba_json_list variants = {
	BA_ITEMS(ba_result, run.variants, run.variant_count), .fields = BA_FIELDS(variant_fields)};

static const ba_json_field machine_fields[] = {
	BA_FIELD(ba_environment, target, MAYBE),
	BA_FIELD_AS("device", ba_environment, device_name, MAYBE),
	BA_FIELD_AS("driver", ba_environment, driver_version, MAYBE),
	BA_FIELD_AS("processor", ba_environment, cpu_model, MAYBE),
	BA_FIELD(ba_environment, kernel, MAYBE),
};

static void write_lane(ba_json_writer *w, const ba_result *r)
{
	bool apart = ba_result_is_decided_apart(r);
	ba_json_write_string(w, "lane", apart ? "from a file" : r->run.engine);
	if (!r->run.evidence.untrusted || apart)
		return;
	ba_fields_write_object(w, "evidence", BA_TABLE(ba_evidence_table), &r->run.evidence);
}

static void write_predicate(ba_json_writer *w, const ba_result *r, const char *sha256)
{
	ba_json_open_object(w, "predicate");
	ba_json_write_string(w, "verdict", ba_verdict_name(r->decided.verdict));
	ba_json_write_i64(w, "exit_status", r->decided.exit_status);
	ba_json_write_string(w, "answer", r->decided.answer);
	ba_json_write_bool(w, "strict_gate", r->decided.gate_strict);
	ba_json_write_f64(w, "alpha", r->decided.alpha);
	write_lane(w, r);
	ba_json_write_string(w, "tool", "bench-against");
	ba_json_write_string(w, "tool_version", r->run.tool_version);
	ba_json_write_string(w, "command_line", r->run.command_line);
	ba_json_write_string(w, "started", r->run.started);
	ba_list_write(w, "variants", &variants, r);
	ba_fields_write_object(w, "machine", BA_FIELDS(machine_fields), &r->run.env);
	if (*sha256)
		ba_json_write_string(w, "results_sha256", sha256);
	ba_json_close(w);
}

static void write_statement(ba_json_writer *w, const ba_result *r, const char *sha256)
{
	ba_json_open_object(w, NULL);
	ba_json_write_string(w, "_type", STATEMENT_TYPE);
	write_subjects(w, r);
	ba_json_write_string(w, "predicateType", BA_ATTESTATION_TYPE);
	write_predicate(w, r, sha256);
	ba_json_close(w);
}

int ba_attestation_write(const char *path, const ba_result *r, const char *results, ba_error *err)
{
	BA_AUTO(ba_replacement) ba_replacement f = {0};
	ba_json_writer w;
	char sha256[65] = "";
	int rc = check_subjects(r, err);
	if (rc == 0 && results)
		rc = ba_sha256_file(sha256, results, err);
	rc = rc ? rc : ba_replacement_open(&f, path, err);
	if (rc)
		return rc;
	ba_json_writer_to_file(&w, f.file, 1);
	write_statement(&w, r, sha256);
	(void)ba_json_writer_finish(&w, NULL); /* the commit tells, with the name */
	return ba_replacement_commit(&f, err);
}

/* without the white space, which a tool that signs may change */
static void digest_of_text(char out[65], const char *text, size_t size)
{
	char said[65];
	ba_json_digest d;
	ba_json_digest_init(&d);
	ba_json_digest_add(&d, text, size);
	ba_json_digest_end(out, said, &d);
}

int ba_attestation_check(
	char **why, const char *path, const ba_result *r, const char *results, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT, expected = BA_BUF_INIT;
	ba_json_writer w;
	ba_json_value predicate;
	char sha256[65], ours[65], theirs[65];
	const char *said = "";
	*why = NULL;
	int rc = ba_fs_read(&text, path, STATEMENT_MOST, err);
	rc = rc ? rc
		: ba_json_parse(&doc, text.data, text.len, &(ba_json_options){.name = path}, err);
	rc = rc ? rc : ba_json_get_object(&predicate, ba_json_root(doc), "predicate", err);
	rc = rc ? rc : ba_json_get_string(&said, predicate, "results_sha256", err);
	rc = rc ? rc : ba_sha256_file(sha256, results, err);
	if (rc)
		return rc;
	ba_json_writer_to_buf(&w, &expected, 1);
	write_statement(&w, r, sha256);
	(void)ba_json_writer_finish(&w, NULL); /* a buffer takes all */
	digest_of_text(ours, expected.data, expected.len);
	digest_of_text(theirs, text.data, text.len);
	if (strcmp(said, sha256) != 0)
		*why = ba_xprintf("it is about a file with the SHA-256 %.64s, and this one has %s",
			said, sha256);
	else if (strcmp(ours, theirs) != 0)
		*why = ba_xstrdup("it names this file and says something else than the file does");
	return 0;
}
