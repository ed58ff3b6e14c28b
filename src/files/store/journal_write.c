#include <sys/file.h>

#include "store/journal_parts.h"
#include "store/parts.h"

struct ba_journal {
	int fd;
	char *path;
	/* the end of the last line; after reading: of the last whole invocation */
	ba_journal_place end;
	ba_buf line; /* the one that is being made, by w */
	ba_json_writer w;
};

/* ---- fingerprints --------------------------------------------------------- */

BA_OWNS(ba_fingerprint, f, BA_DISPOSE(ba_strv, &f->names, &f->values))

void ba_fingerprint_add(ba_fingerprint *f, const char *name, char *value)
{
	ba_strv_push(&f->names, name);
	ba_strv_push_take(&f->values, value);
}

void ba_fingerprint_text(ba_fingerprint *f, const char *value, const char *name, ...)
{
	BA_FORMATTED(text, name);
	ba_strv_push_take(&f->names, BA_TAKE(text));
	ba_strv_push(&f->values, value ? value : "");
}

void ba_fingerprint_flag(ba_fingerprint *f, bool value, const char *name)
{
	ba_fingerprint_text(f, value ? "yes" : "no", "%s", name);
}

void ba_fingerprint_number(ba_fingerprint *f, double value, const char *name)
{
	ba_fingerprint_add(f, name, ba_xprintf("%.10g", value));
}

const char *ba_fingerprint_value(const ba_fingerprint *f, const char *name, size_t near)
{
	if (near < f->names.count && strcmp(f->names.items[near], name) == 0)
		return f->values.items[near];
	char **found = BA_FIND(f->names.items, f->names.count, one, strcmp(*one, name) == 0);
	return found ? f->values.items[found - f->names.items] : NULL;
}

void ba_fingerprint_differences(
	ba_strv *out, const ba_fingerprint *then, const ba_fingerprint *now, bool all)
{
	for (size_t i = 0; i < now->names.count; i++) {
		const char *name = now->names.items[i], *is = now->values.items[i];
		const char *was = ba_fingerprint_value(then, name, i);
		if (!was && all)
			ba_strv_printf(out, "%s is '%s' now and was not recorded before", name, is);
		else if (was && strcmp(was, is) != 0)
			ba_strv_printf(out, "%s was '%s' and is '%s' now", name, was, is);
	}
	for (size_t i = 0; all && i < then->names.count; i++)
		if (!ba_fingerprint_value(now, then->names.items[i], i))
			ba_strv_printf(out, "%s was '%s' and does not exist now",
				then->names.items[i], then->values.items[i]);
}

/* ---- the file ------------------------------------------------------------ */

/* Is it still at this path? Others may have removed or replaced it. Negative: unknown, errno. */
static int is_current(const ba_journal *j)
{
	struct stat held, there;
	if (fstat(j->fd, &held))
		return -1;
	if (stat(j->path, &there))
		return errno == ENOENT ? 0 : -1;
	return held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

static int open_and_lock(ba_journal *j, int flags, ba_error *err)
{
	const char *path = j->path;
	j->fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | flags, 0644);
	if (j->fd < 0)
		return ba_fail_errno(
			err, flags & O_CREAT ? BA_EIO : ba_fs_code(errno), "journal '%s'", path);
	struct stat st;
	if (fstat(j->fd, &st) == 0 && !S_ISREG(st.st_mode))
		return ba_fail(err, BA_EINVAL, "journal '%s' is not a file", path);
	if (flock(j->fd, LOCK_EX | LOCK_NB) == 0)
		return 0;
	if (errno == EWOULDBLOCK)
		return ba_fail(err, BA_EINVAL,
			"journal '%s' is being written by another run: wait for it or name another file",
			path);
	return ba_fail_errno(err, BA_EIO, "journal '%s': lock", path);
}

static int open_locked(ba_journal *j, const char *path, int flags, ba_error *err)
{
	j->path = ba_xstrdup(path);
	for (;;) {
		BA_TRY(open_and_lock(j, flags, err));
		int current = is_current(j);
		if (current < 0)
			return ba_fail_errno(err, BA_EIO, "journal '%s'", path);
		if (current)
			return 0;
		close(j->fd);
	}
}

int ba_journal_create(ba_journal **out, bool *replaced, const char *path, ba_error *err)
{
	BA_AUTO_PTR(ba_journal) ba_journal *j = ba_xcalloc(1, sizeof(*j));
	struct stat st;
	BA_TRY(open_locked(j, path, O_CREAT | O_NOFOLLOW, err));
	if (fstat(j->fd, &st) || ftruncate(j->fd, 0))
		return ba_fail_errno(err, BA_EIO, "journal '%s'", path);
	if (replaced)
		*replaced = st.st_size > 0;
	*out = BA_TAKE(j);
	return 0;
}

int ba_journal_open(ba_journal **out, ba_journal_content *content, const char *path, ba_error *err)
{
	BA_AUTO_PTR(ba_journal) ba_journal *j = ba_xcalloc(1, sizeof(*j));
	BA_TRY(open_locked(j, path, 0, err));
	BA_TRY(ba_fs_check_own(j->fd, path, err));
	BA_TRY(ba_journal_read(content, &j->end, j->fd, path, 0, err));
	*out = BA_TAKE(j);
	return 0;
}

int ba_journal_check_free(const char *path, ba_error *err)
{
	BA_AUTO_PTR(ba_journal) ba_journal *j = ba_xcalloc(1, sizeof(*j));
	/* ba_journal_create reports a file that cannot be opened. */
	return open_locked(j, path, 0, err) == BA_EINVAL ? BA_EINVAL : 0;
}

int ba_journal_go_on(ba_journal *j, ba_error *err)
{
	if (ftruncate(j->fd, j->end.at))
		return ba_fail_errno(err, BA_EIO, "journal '%s'", j->path);
	return 0;
}

void ba_journal_remove(ba_journal *j)
{
	if (j && j->fd >= 0 && is_current(j) > 0)
		unlink(j->path);
	ba_journal_free(j);
}

BA_OWNS_HANDLE(ba_journal, j, ba_auto_close(&j->fd), ba_buf_dispose(&j->line), free(j->path))

/* ---- writing ------------------------------------------------------------- */

static ba_json_writer *begin(ba_journal *j, const char *type)
{
	ba_buf_dispose(&j->line);
	j->w = ba_json_writer_to_buf(&j->line, 0);
	ba_json_put(&j->w, "{t: %s", type);
	return &j->w;
}

/* Closes the line's object with its sum and writes it. Cuts off a partly written line. */
static int finish(ba_journal *j, ba_error *err)
{
	char sum[BA_JOURNAL_SUM + 1];
	ba_buf *line = &j->line;
	ba_json_close(&j->w);
	ba_buf_truncate(line, line->len - 1);
	ba_journal_sum(sum, j->end.sum, line->data, line->len);
	ba_buf_printf(line, ",\"sum\":\"%s\"}\n", sum);
	if (ba_fs_write_all(j->fd, line->data, line->len)) {
		int rc = ba_fail_errno(err, BA_EIO, "journal '%s'", j->path);
		/* the reader copes with a torn line if even this does not work */
		if (ftruncate(j->fd, j->end.at))
			return rc;
		return rc;
	}
	j->end.at += (off_t)line->len;
	memcpy(j->end.sum, sum, sizeof(sum));
	return 0;
}

int ba_journal_header(ba_journal *j, const ba_result *r, const ba_strv *argv, const char *directory,
	const ba_fingerprint *fingerprint, ba_error *err)
{
	ba_json_writer *w = begin(j, "header");
	ba_json_put(w, "schema: %s, tool_version: %s, started: %s, directory: %s",
		BA_JOURNAL_SCHEMA, r->run.tool_version, r->run.started, directory);
	ba_json_write_u64(w, "seed", r->run.seed);
	ba_json_write_u64(w, "variants", r->run.variant_count);
	ba_fields_write_list(w, "argv", argv);
	ba_json_open_object(w, "terms");
	for (size_t i = 0; i < fingerprint->names.count; i++)
		ba_json_write_string(w, fingerprint->names.items[i], fingerprint->values.items[i]);
	ba_json_close(w);
	ba_fields_write_object(w, "environment", &ba_environment_fields, &r->run.env);
	return finish(j, err);
}

int ba_journal_origin(ba_journal *j, const ba_origin *origin, ba_error *err)
{
	ba_json_writer *w = begin(j, "origin");
	ba_fields_write_object(w, "origin", &ba_origin_fields, origin);
	return finish(j, err);
}

int ba_journal_samples(ba_journal *j, const char *benchmark, ba_metric metric,
	const ba_samples *samples, ba_error *err)
{
	ba_json_writer *w = begin(j, "samples");
	ba_json_put(w, "benchmark: %s, metric: %s", benchmark, ba_metric_get(metric)->name);
	ba_samples_write(w, samples);
	return finish(j, err);
}

int ba_journal_invocation(ba_journal *j, unsigned invocation, const ba_checkpoint *c, ba_error *err)
{
	ba_json_writer *w = begin(j, "invocation");
	ba_json_write_u64(w, "invocation", invocation);
	ba_fields_write(w, &ba_checkpoint_fields, c);
	BA_TRY(finish(j, err));
	return fdatasync(j->fd) ? ba_fail_errno(err, BA_EIO, "journal '%s'", j->path) : 0;
}

int ba_journal_restart(ba_journal *j, ba_error *err)
{
	begin(j, "restart");
	return finish(j, err);
}
