/* Keeps the state of a search in a file, written after each step. */

#include "bisect/internal.h"
#include "store/parts.h"

#define STATE_SCHEMA "bench-against.bisect-state/1"
#define STATE_CEILING ((size_t)256 << 20)

/* indices ascend, none is GOOD's, and each has a value */
static int check_row(void *row, ba_json_value v, ba_error *err)
{
	const ba_bisect_row *r = row;
	bool fine = r->count > 0 && ba_json_count(ba_json_find(v, "commits")) == r->count;
	for (size_t i = 0; fine && i < r->count; i++)
		fine = isfinite(r->y[i]) && r->commits[i] > (i ? r->commits[i - 1] : 0);
	return fine ? 0 : ba_json_fail(err, v, "is not an invocation of a search");
}

static const ba_json_field row_rows[] = {
	BA_FIELD_U64S(ba_bisect_row, commits, count, .required = true),
	BA_FIELD_F64S(ba_bisect_row, y, count, .required = true),
};
static const ba_json_fields row_fields = BA_FIELDS_INIT(row_rows, .read = check_row);

static const ba_json_field phase_rows[] = {
	BA_FIELD(ba_bisect_phase, wanted, BOOL),
	BA_FIELD_EACH(ba_bisect_phase, F64, delta, s),
	BA_FIELD_LIST(
		"invocations", ba_bisect_phase, rows, row_count, &row_fields, .required = true),
};
static const ba_json_fields phase_fields = BA_FIELDS_INIT(phase_rows);

static const ba_json_field commit_rows[] = {
	BA_FIELD_AS("commit", ba_bisect_commit, id, TEXT),
	BA_FIELD_EACH(ba_bisect_commit, DIGEST, inputs, build, code),
	BA_FIELD_EACH(ba_bisect_commit, BOOL, ahead, same_as_good),
	BA_FIELD(ba_bisect_commit, failure, MAYBE),
};
/* of a commit that is known */
static const ba_json_fields known_fields = {
	.rows = commit_rows + 1, .count = BA_COUNT(commit_rows) - 1};

static const ba_json_field followed_fields[] = {
	BA_FIELD_WORD("metric", ba_bisect, metric, ba_metric_words, .required = true),
	BA_FIELD_WORD("kind", ba_bisect, kind, ba_suite_kind_words, .required = true),
	BA_FIELD_EACH(ba_bisect, MAYBE, benchmark, tree),
	BA_FIELD_EACH(ba_bisect, F64, threshold, s_floor),
	BA_FIELD(ba_bisect, counted, BOOL),
	BA_FIELD(ba_bisect, others, U64),
	BA_FIELD(ba_bisect, system, MAYBE),
	BA_FIELD(ba_bisect, timed_here, BOOL),
	BA_FIELD_EACH(ba_bisect, U64, builders, runs, invocations),
	BA_FIELD_EACH(ba_bisect, F64, measure_seconds, seconds, build_seconds, unit_seconds),
	BA_FIELD_OBJECT("instructions", ba_bisect, phases[BA_BISECT_COUNTS], &phase_fields,
		.required = true),
	BA_FIELD_OBJECT(
		"times", ba_bisect, phases[BA_BISECT_TIMES], &phase_fields, .required = true),
};
static const ba_json_field commits_fields[] = {
	BA_FIELD_LIST("commits", ba_bisect, commits, commit_count, BA_FIELDS(commit_rows))};

/* ---- writing ---- */

int ba_bisect_save(const ba_bisect *b, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_json_writer w = ba_json_writer_to_buf(&text, 1);
	ba_json_begin_digest(&w);
	ba_json_put(&w, "{schema: %s, tool_version: %s, good: %s, bad: %s", STATE_SCHEMA,
		b->request.version, b->commits[0].id, b->commits[b->commit_count - 1].id);
	ba_fields_write_list(&w, "options", &b->options);
	ba_json_write_bool(&w, "faster", b->request.faster);
	ba_fields_write(&w, BA_FIELDS(followed_fields), b);
	ba_fields_write(&w, BA_FIELDS(commits_fields), b);
	ba_json_write_digest(&w);
	ba_json_close(&w);
	ba_buf_putc(&text, '\n');
	int rc = ba_fs_write_atomic(b->state_path, text.data, text.len, err);
	if (rc == 0)
		chmod(b->state_path, S_IRUSR | S_IWUSR); /* for ba_fs_check_own() */
	return rc;
}

/* ---- reading ---- */

static int count_rows(ba_bisect *b, ba_bisect_phase *p, ba_json_value root, ba_error *err)
{
	BA_EACH (const ba_bisect_row, row, p->rows, p->row_count) {
		if (row->commits[row->count - 1] >= b->commit_count)
			return ba_json_fail(err, root, "has an invocation of another search");
		ba_bisect_count_row(p, row);
	}
	return 0;
}

static int read_commits(ba_bisect *b, ba_json_value root, ba_error *err)
{
	ba_json_value list;
	size_t i = 0;
	BA_TRY(ba_json_get_array(&list, root, "commits", err));
	if (ba_json_count(list) != b->commit_count)
		return ba_json_fail(err, list, "has other commits than the repository");
	BA_JSON_EACH (v, list) {
		ba_bisect_commit *c = &b->commits[i++];
		const char *id = NULL;
		BA_TRY(ba_json_get_string(&id, v, "commit", err));
		if (strcmp(id, c->id) != 0)
			return ba_json_fail(err, v, "is not commit %s", c->name);
		BA_TRY(ba_fields_read(c, &known_fields, v, err));
	}
	return 0;
}

static int read_followed(ba_bisect *b, ba_json_value root, ba_error *err)
{
	BA_FREE(b->tree);
	b->tree = NULL;
	BA_TRY(ba_fields_read(b, BA_FIELDS(followed_fields), root, err));
	bool huge = (b->others | b->builders | b->runs | b->invocations) >> 30;
	if (huge || !b->benchmark || !b->system || !(b->threshold > 0) || !(b->s_floor > 0))
		return ba_json_fail(err, root, "lacks what the first run found");
	return 0;
}

static int check_digest(int fd, const char *path, ba_error *err)
{
	char found[65], said[65];
	ba_digest_state state = BA_DIGEST_ABSENT;
	BA_TRY(ba_json_digest_fd(&state, found, said, fd, path, err));
	return state == BA_DIGEST_AGREES
		       ? 0
		       : ba_fail(err, BA_EINVAL,
				 "'%s' was damaged or changed: its digest does not agree; remove it to begin again",
				 path);
}

static int open_state(ba_json **out, const char *path, ba_error *err)
{
	const char *schema = "";
	const ba_json_options options = {
		.name = path, .ceiling = STATE_CEILING, .error_code = BA_EINVAL};
	BA_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return ba_fail_errno(err, BA_EINVAL, "cannot read '%s'", path);
	BA_TRY(ba_fs_check_own(fd, path, err));
	BA_AUTO_FREE char *same = ba_xprintf("/proc/self/fd/%d", fd);
	BA_TRY(ba_json_read(out, same, &options, err));
	BA_TRY(ba_json_get_string(&schema, ba_json_root(*out), "schema", err));
	if (strcmp(schema, STATE_SCHEMA) != 0)
		return ba_fail(err, BA_EINVAL, "%s: not a state of bisect", path);
	return check_digest(fd, path, err);
}

/* States of other versions are not used; one that was not named by the user is ignored. */
static int check_version(bool *ours, ba_json_value root, const ba_bisect *b, ba_error *err)
{
	const char *version = "";
	BA_TRY(ba_json_get_string(&version, root, "tool_version", err));
	*ours = strcmp(version, b->request.version) == 0;
	if (!*ours && b->request.resume)
		return ba_json_fail(err, root, "is of bench-against %s, and this is %s", version,
			b->request.version);
	return 0;
}

/* A state file named by the user may belong to any search. */
static int check_ends(ba_json_value root, const ba_bisect *b, ba_error *err)
{
	const char *good = "", *bad = "", *path = b->state_path;
	bool faster = false;
	ba_json_value v;
	BA_TRY(ba_json_get_string(&good, root, "good", err));
	BA_TRY(ba_json_get_string(&bad, root, "bad", err));
	BA_TRY(ba_json_get(&v, root, "faster", err));
	BA_TRY(ba_json_as_bool(&faster, v, err));
	if (faster != b->request.faster)
		return ba_fail(err, BA_EINVAL,
			"'%s' is the state of a search for %s; continue it %s --faster, or name another file",
			path, faster ? "an improvement" : "a slowdown",
			faster ? "with" : "without");
	if (strcmp(good, b->commits[0].id) == 0 &&
		strcmp(bad, b->commits[b->commit_count - 1].id) == 0)
		return 0;
	return ba_fail(err, BA_EINVAL,
		"'%s' is the state of the search from %s to %s; name another file, or continue that search: bench-against bisect --resume %s",
		path, good, bad, path);
}

/* The name is the same each time for the same search. */
static char *path_of(const ba_bisect *b)
{
	char digest[65];
	ba_sha256 sum;
	ba_sha256_init(&sum);
	ba_sha256_add_string(&sum, ba_repo_common_dir(b->repo));
	ba_sha256_add_string(&sum, b->request.start_dir);
	ba_sha256_add_string(&sum, b->tree ? b->tree : "");
	ba_sha256_add_string(&sum, b->commits[0].id);
	ba_sha256_add_string(&sum, b->commits[b->commit_count - 1].id);
	ba_sha256_add_string(&sum, ba_bisect_word(b));
	for (size_t i = 0; i < b->options.count; i++)
		ba_sha256_add_string(&sum, b->options.items[i]);
	ba_sha256_hex(&sum, digest);
	return ba_xprintf("%s/bisect/%.16s.json", b->request.cache_root, digest);
}

int ba_bisect_load(bool *found, ba_bisect *b, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	b->state_path = b->request.resume ? ba_path_absolute(b->request.resume) : path_of(b);
	BA_AUTO_FREE char *folder = ba_path_dir(b->state_path);
	BA_TRY(ba_fs_mkdirs(folder, err));
	*found = ba_fs_exists(b->state_path);
	if (access(folder, W_OK | X_OK))
		return ba_fail_errno(err, BA_EINVAL, "cannot write the state '%s'", b->state_path);
	if (!*found)
		return 0;
	BA_TRY(open_state(&doc, b->state_path, err));
	ba_json_value root = ba_json_root(doc);
	BA_TRY(check_version(found, root, b, err));
	if (!*found)
		return 0;
	BA_TRY(check_ends(root, b, err));
	BA_TRY(read_followed(b, root, err));
	if (b->request.builders)
		b->builders = b->request.builders;
	BA_TRY(read_commits(b, root, err));
	for (size_t p = 0; p < BA_BISECT_PHASES; p++)
		BA_TRY(count_rows(b, &b->phases[p], root, err));
	return 0;
}

int ba_bisect_load_request(
	char **good, char **bad, ba_strv *options, const char *path, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	const char *ends[2] = {0};
	BA_TRY(open_state(&doc, path, err));
	BA_TRY(ba_json_get_string(&ends[0], ba_json_root(doc), "good", err));
	BA_TRY(ba_json_get_string(&ends[1], ba_json_root(doc), "bad", err));
	BA_TRY(ba_fields_read_list(options, ba_json_root(doc), "options", err));
	*good = ba_xstrdup(ends[0]);
	*bad = ba_xstrdup(ends[1]);
	return 0;
}
