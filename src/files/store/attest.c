#include "store/attest.h"

#include "base/replace.h"
#include "store/parts.h"

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
		ba_json_put(w, "{name: %s, digest: {", r->run.variants[v].label);
		ba_json_write_string(w, *r->run.variants[v].commit ? "gitCommit" : "sha256",
			digest_of(&r->run.variants[v]));
		ba_json_put(w, "}}");
	}
	ba_json_close(w);
}

/* fields of the results document, under the names that readers of attestations expect */
static const ba_json_field variant_fields[] = {
	BA_FIELD(ba_variant, label, MAYBE),
	BA_FIELD_AS("ref", ba_variant, spec, MAYBE),
	BA_FIELD(ba_variant, commit, DIGEST),
	BA_FIELD_AS("tree", ba_variant, tree_id, DIGEST),
	BA_FIELD_AS("build_sha256", ba_variant, tree_sha256, DIGEST),
	BA_FIELD(ba_variant, dirty, BOOL),
	BA_FIELD_LIST("artefacts", ba_variant, artefacts, artefact_count, &ba_artefact_fields),
};

static const ba_json_field machine_fields[] = {
	BA_FIELD(ba_environment, target, MAYBE),
	BA_FIELD_AS("device", ba_environment, device_name, MAYBE),
	BA_FIELD_AS("driver", ba_environment, driver_version, MAYBE),
	BA_FIELD_AS("processor", ba_environment, cpu_model, MAYBE),
	BA_FIELD(ba_environment, kernel, MAYBE),
};

/* `lane` is not a member of the result */
typedef struct about {
	ba_result r;
	const char *tool, *lane, *results_sha256;
	bool evidence;
} about;

static const ba_json_field predicate_fields[] = {
	BA_FIELD_WORD("verdict", about, r.decided.verdict, ba_verdict_words),
	BA_FIELD_AS("exit_status", about, r.decided.exit_status, INT),
	BA_FIELD_AS("answer", about, r.decided.answer, MAYBE),
	BA_FIELD_AS("strict_gate", about, r.decided.gate_strict, BOOL),
	/* written only if set: statements of earlier versions have neither */
	BA_FIELD_AS("undecided_fails", about, r.decided.undecided_fails, BOOL,
		BA_IF(about, r.decided.undecided_fails)),
	BA_FIELD_AS("likely_fails", about, r.decided.likely_fails, BOOL,
		BA_IF(about, r.decided.likely_fails)),
	BA_FIELD_AS("alpha", about, r.decided.alpha, F64),
	BA_FIELD(about, lane, MAYBE),
	BA_FIELD_OBJECT(
		"evidence", about, r.run.evidence, &ba_evidence_fields, BA_IF(about, evidence)),
	BA_FIELD(about, tool, MAYBE),
	BA_FIELD_AS("tool_version", about, r.run.tool_version, MAYBE),
	BA_FIELD_AS("command_line", about, r.run.command_line, MAYBE),
	BA_FIELD_AS("started", about, r.run.started, MAYBE),
	BA_FIELD_LIST(
		"variants", about, r.run.variants, r.run.variant_count, BA_FIELDS(variant_fields)),
	BA_FIELD_OBJECT("machine", about, r.run.env, BA_FIELDS(machine_fields)),
	BA_FIELD_IF(about, results_sha256, MAYBE, results_sha256),
};

static void write_statement(ba_json_writer *w, const ba_result *r, const char *sha256)
{
	bool apart = ba_result_is_decided_apart(r);
	const about p = {.r = *r,
		.tool = "bench-against",
		.lane = apart ? "from a file" : r->run.engine,
		.results_sha256 = *sha256 ? sha256 : NULL,
		.evidence = r->run.evidence.untrusted && !apart};
	ba_json_put(w, "{_type: %s", STATEMENT_TYPE);
	write_subjects(w, r);
	ba_json_write_string(w, "predicateType", BA_ATTESTATION_TYPE);
	ba_fields_write_object(w, "predicate", BA_FIELDS(predicate_fields), &p);
	ba_json_close(w);
}

int ba_attestation_write(const char *path, const ba_result *r, const char *results, ba_error *err)
{
	BA_AUTO(ba_replacement) ba_replacement f = {0};
	ba_json_writer w;
	char sha256[65] = "";
	BA_TRY(check_subjects(r, err));
	BA_TRY(results ? ba_sha256_file(sha256, results, err) : 0);
	BA_TRY(ba_replacement_open(&f, path, err));
	ba_json_writer_to_file(&w, f.file, 1);
	write_statement(&w, r, sha256);
	/* ba_replacement_commit reports errors, with the file's name */
	(void)ba_json_writer_finish(&w, NULL);
	return ba_replacement_commit(&f, err);
}

int ba_attestation_check(
	char **why, const char *path, const ba_result *r, const char *results, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT, expected = BA_BUF_INIT;
	ba_json_writer w;
	ba_json_value predicate;
	char sha256[65], ours[65], theirs[65], none[65];
	const char *said = "";
	*why = NULL;
	BA_TRY(ba_fs_read(&text, path, STATEMENT_MOST, err));
	BA_TRY(ba_json_parse(&doc, text.data, text.len, &(ba_json_options){.name = path}, err));
	BA_TRY(ba_json_get_object(&predicate, ba_json_root(doc), "predicate", err));
	BA_TRY(ba_json_get_string(&said, predicate, "results_sha256", err));
	BA_TRY(ba_sha256_file(sha256, results, err));
	w = ba_json_writer_to_buf(&expected, 1);
	write_statement(&w, r, sha256);
	/* white space does not count: a signing tool may change it */
	ba_json_digest_of(ours, none, expected.data, expected.len);
	ba_json_digest_of(theirs, none, text.data, text.len);
	if (strcmp(said, sha256) != 0)
		*why = ba_xprintf("it is about a file with the SHA-256 %.64s, and this one has %s",
			said, sha256);
	else if (strcmp(ours, theirs) != 0)
		*why = ba_xstrdup("it names this file and says something else than the file does");
	return 0;
}
