#include "store/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "store/fields.h"
#include "store/parts.h"

struct ba_journal {
	int fd;
	char *path;
	bool sync;
	off_t size; /* of whole lines */
};

/* ---- writing ------------------------------------------------------------- */

/* Where the last whole line ends. Lines are long; walk back in steps. */
static int whole_lines(off_t *out, const ba_journal *j, ba_error *err)
{
	char buffer[4096];
	struct stat st;
	if (fstat(j->fd, &st))
		return ba_fail_errno(err, BA_EIO, "journal '%s'", j->path);
	off_t end = st.st_size;
	while (end > 0) {
		off_t start =
			end > (off_t)sizeof(buffer) ? end - (off_t)sizeof(buffer) : 0;
		ssize_t n = pread(j->fd, buffer, (size_t)(end - start), start);
		if (n != end - start)
			return ba_fail_errno(err, BA_EIO, "journal '%s'", j->path);
		const char *newline = memrchr(buffer, '\n', (size_t)n);
		if (newline) {
			*out = start + (newline - buffer) + 1;
			return 0;
		}
		end = start;
	}
	*out = 0;
	return 0;
}

static int lock_and_trim(ba_journal *j, ba_error *err)
{
	if (flock(j->fd, LOCK_EX | LOCK_NB)) {
		if (errno == EWOULDBLOCK)
			return ba_fail(err, BA_EIO,
				"journal '%s' is being written by another run: wait "
				"for it "
				"or name another file",
				j->path);
		return ba_fail_errno(err, BA_EIO, "journal '%s': lock", j->path);
	}
	int rc = whole_lines(&j->size, j, err);
	if (rc == 0 && ftruncate(j->fd, j->size))
		rc = ba_fail_errno(err, BA_EIO, "journal '%s'", j->path);
	return rc;
}

int ba_journal_open(ba_journal **out, const char *path, bool sync, ba_error *err)
{
	BA_AUTO_PTR(ba_journal) ba_journal *j = ba_xcalloc(1, sizeof(*j));
	j->path = ba_xstrdup(path);
	j->sync = sync;
	j->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (j->fd < 0)
		return ba_fail_errno(err, BA_EIO, "journal '%s'", path);
	int rc = lock_and_trim(j, err);
	if (rc == 0)
		*out = BA_TAKE(j);
	return rc;
}

void ba_journal_free(ba_journal *j)
{
	if (!j)
		return;
	if (j->fd >= 0)
		close(j->fd);
	free(j->path);
	free(j);
}

/* One line by one write; a part of a line does not stay. */
static int append(ba_journal *j, ba_buf *line, ba_error *err)
{
	ba_buf_putc(line, '\n');
	ssize_t n;
	do
		n = write(j->fd, line->data, line->len);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)line->len) {
		if (n >= 0)
			errno = ENOSPC;
		int rc = ba_fail_errno(err, BA_EIO, "journal '%s'", j->path);
		/* the reader copes with a torn line if even this does not work */
		if (ftruncate(j->fd, j->size))
			return rc;
		return rc;
	}
	j->size += n;
	if (j->sync && fdatasync(j->fd))
		return ba_fail_errno(err, BA_EIO, "journal '%s'", j->path);
	return 0;
}

static void begin(ba_json_writer *w, ba_buf *line, const char *type)
{
	ba_json_writer_to_buf(w, line, 0);
	ba_json_open_object(w, NULL);
	ba_json_write_string(w, "t", type);
}

static int finish(ba_journal *j, ba_json_writer *w, ba_buf *line, ba_error *err)
{
	ba_json_close(w);
	int rc = ba_json_writer_finish(w, err);
	return rc ? rc : append(j, line, err);
}

int ba_journal_header(
	ba_journal *j, const ba_result *r, const ba_strv *argv, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_json_writer w;
	begin(&w, &line, "header");
	ba_json_write_string(&w, "schema", BA_JOURNAL_SCHEMA);
	ba_json_write_string(&w, "tool_version", r->tool_version);
	ba_json_write_string(&w, "started", r->started);
	ba_json_write_string(&w, "plan", r->suite_sha256);
	ba_json_write_u64(&w, "seed", r->seed);
	ba_fields_write_list(&w, "argv", argv);
	ba_json_open_array(&w, "variants");
	for (size_t i = 0; i < r->variant_count; i++)
		ba_variant_write(&w, NULL, &r->variants[i]);
	ba_json_close(&w);
	return finish(j, &w, &line, err);
}

int ba_journal_samples(ba_journal *j, const char *benchmark, ba_metric metric,
	const ba_samples *samples, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_json_writer w;
	begin(&w, &line, "samples");
	ba_json_write_string(&w, "benchmark", benchmark);
	ba_json_write_string(&w, "metric", ba_metric_get(metric)->name);
	ba_samples_write(&w, samples);
	return finish(j, &w, &line, err);
}

int ba_journal_failure(ba_journal *j, const char *benchmark, ba_metric metric,
	size_t variant, const char *failure, const char *output, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_json_writer w;
	begin(&w, &line, "failure");
	ba_json_write_string(&w, "benchmark", benchmark);
	ba_json_write_string(&w, "metric", ba_metric_get(metric)->name);
	ba_json_write_u64(&w, "variant", variant);
	ba_json_write_string(&w, "failure", failure);
	ba_json_write_string(&w, "output", output);
	return finish(j, &w, &line, err);
}

int ba_journal_end(ba_journal *j, int exit_status, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_json_writer w;
	begin(&w, &line, "end");
	ba_json_write_i64(&w, "exit_status", exit_status);
	return finish(j, &w, &line, err);
}

/* ---- reading ------------------------------------------------------------- */

enum { VARIANTS_MAX = 254, DEPTH_MAX = 8 };
#define CEILING ((size_t)1 << 30)

static void record_dispose(ba_record *r)
{
	free(r->benchmark);
	free(r->failure);
	free(r->output);
	ba_samples_dispose(&r->samples);
}

void ba_journal_content_dispose(ba_journal_content *c)
{
	free(c->tool_version);
	free(c->started);
	ba_strv_dispose(&c->argv);
	for (size_t i = 0; i < c->variant_count; i++)
		ba_variant_dispose(&c->variants[i]);
	free(c->variants);
	for (size_t i = 0; i < c->record_count; i++)
		record_dispose(&c->records[i]);
	free(c->records);
	*c = (ba_journal_content){0};
}

static const ba_json_field header_fields[] = {
	BA_FIELD(ba_journal_content, tool_version, TEXT),
	BA_FIELD(ba_journal_content, started, TEXT),
	BA_FIELD_AS("plan", ba_journal_content, plan_sha256, DIGEST),
	BA_FIELD(ba_journal_content, seed, U64),
	BA_FIELD(ba_journal_content, argv, LIST),
};

static int read_header(ba_journal_content *c, ba_json_value root, ba_error *err)
{
	const char *schema;
	ba_json_value array, object;
	if (c->variant_count)
		return ba_json_fail(err, root, "is a second header");
	int rc = ba_json_get_string(&schema, root, "schema", err);
	if (rc == 0 && strcmp(schema, BA_JOURNAL_SCHEMA) != 0)
		rc = ba_json_fail(err, ba_json_find(root, "schema"),
			"is not '" BA_JOURNAL_SCHEMA "'");
	if (rc == 0)
		rc = ba_fields_read(
			c, header_fields, BA_COUNT(header_fields), root, err);
	if (rc == 0)
		rc = ba_json_get_array(&array, root, "variants", err);
	if (rc)
		return rc;
	size_t count = ba_json_count(array);
	if (count < 1 || count > VARIANTS_MAX)
		return ba_json_fail(err, array, "has %zu variants: 1 to %d can be",
			count, VARIANTS_MAX);
	c->variants = ba_xcalloc(count, sizeof(*c->variants));
	for (ba_json_value v = ba_json_first(array); ba_json_is(v) && rc == 0;
		v = ba_json_next(v)) {
		rc = ba_json_as_object(&object, v, err);
		if (rc == 0)
			rc = ba_variant_read(
				&c->variants[c->variant_count++], object, err);
	}
	return rc;
}

static int add_record(
	ba_journal_content *c, ba_record_kind kind, ba_json_value root, ba_error *err)
{
	static const ba_json_field fields[] = {
		BA_FIELD(ba_record, benchmark, TEXT),
		BA_FIELD(ba_record, failure, MAYBE),
		BA_FIELD(ba_record, output, MAYBE),
	};
	c->records = BA_GROW(c->records, &c->record_capacity, c->record_count + 1);
	ba_record *r = &c->records[c->record_count++];
	*r = (ba_record){.kind = kind};
	c->ended = false; /* it was taken up again */
	int rc = ba_fields_read(r, fields, BA_COUNT(fields), root, err);
	if (rc == 0)
		rc = ba_metric_read(&r->metric, root, err);
	if (rc)
		return rc;
	if (kind == BA_RECORD_SAMPLES)
		return ba_samples_read(&r->samples, root, c->variant_count, err);
	uint64_t variant;
	rc = ba_json_get_u64(&variant, root, "variant", 0, c->variant_count - 1, err);
	if (rc == 0)
		r->variant = (size_t)variant;
	if (rc == 0 && !r->failure)
		rc = ba_json_fail(err, root, "says nothing about the failure");
	return rc;
}

static int read_end(ba_journal_content *c, ba_json_value root, ba_error *err)
{
	int64_t status;
	int rc = ba_json_get_i64(&status, root, "exit_status", 0, 255, err);
	if (rc == 0) {
		c->ended = true;
		c->exit_status = (int)status;
	}
	return rc;
}

static int read_record(ba_journal_content *c, ba_json_value root, ba_error *err)
{
	const char *type;
	int rc = ba_json_get_string(&type, root, "t", err);
	if (rc)
		return rc;
	if (strcmp(type, "header") == 0)
		return read_header(c, root, err);
	if (!c->variant_count)
		return ba_json_fail(err, root, "comes before a header");
	if (strcmp(type, "samples") == 0)
		return add_record(c, BA_RECORD_SAMPLES, root, err);
	if (strcmp(type, "failure") == 0)
		return add_record(c, BA_RECORD_FAILURE, root, err);
	if (strcmp(type, "end") == 0)
		return read_end(c, root, err);
	return 0; /* a later version's record: not ours to judge */
}

static int read_line(ba_journal_content *c, const char *text, size_t length,
	const char *path, size_t number, ba_error *err)
{
	BA_AUTO_FREE char *name = ba_xprintf("%s: line %zu", path, number);
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	ba_json_options options = {
		.name = name,
		.unique_keys = true,
		.ceiling = CEILING,
		.depth = DEPTH_MAX,
	};
	int rc = ba_json_parse(&doc, text, length, &options, err);
	ba_json_value root;
	if (rc == 0)
		rc = ba_json_as_object(&root, ba_json_root(doc), err);
	return rc ? rc : read_record(c, root, err);
}

static int read_lines(
	ba_journal_content *c, const ba_buf *text, const char *path, ba_error *err)
{
	size_t at = 0, number = 1;
	for (; at < text->len; number++) {
		const char *line = text->data + at;
		const char *newline = memchr(line, '\n', text->len - at);
		if (!newline) {
			c->torn = true;
			break;
		}
		int rc =
			read_line(c, line, (size_t)(newline - line), path, number, err);
		if (rc)
			return rc;
		at += (size_t)(newline - line) + 1;
	}
	if (!c->variant_count)
		return ba_fail(err, BA_EDATA,
			"%s: no header: nothing was measured before it ended", path);
	return 0;
}

int ba_journal_read(ba_journal_content *out, const char *path, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int rc = ba_fs_read(&text, path, CEILING, err);
	if (rc)
		return rc;
	ba_journal_content content = {0};
	rc = read_lines(&content, &text, path, err);
	if (rc == 0)
		*out = content;
	else
		ba_journal_content_dispose(&content);
	return rc;
}
