/* Files as operands: those to compare, and results documents. */

#include "cli/cmd.h"
#include "import/import.h"
#include "store/results.h"

enum { LABEL_MOST = 64 };

BA_OWNS(ba_sources, s,
	BA_FREE_EACH(x, s->items, s->count,
		BA_FREE((char *)(uintptr_t)x->label, (char *)(uintptr_t)x->path,
			(char *)(uintptr_t)x->part)))

static bool is_label_letter(char c)
{
	return isalnum((unsigned char)c) || strchr("._+-@", c);
}

static bool is_label(const char *text, size_t size)
{
	return BA_ALL(text, size, x, is_label_letter(*x)) && size > 0 && size <= LABEL_MOST;
}

/* the label "base" for "out/base.json", "out/base.json.gz" and "target/criterion#base" */
static char *label_of(const char *path, const char *part)
{
	BA_AUTO_FREE char *copy = ba_xstrdup(part ? part : ba_path_base(path));
	if (!part && ba_text_ends(copy, ".gz"))
		copy[strlen(copy) - 3] = '\0';
	char *dot = part ? NULL : strrchr(copy, '.');
	if (dot && dot != copy)
		*dot = '\0';
	if (strlen(copy) > 32)
		copy[32] = '\0';
	for (char *c = copy; *c; c++)
		if (!is_label_letter(*c))
			*c = '-';
	return *copy ? BA_TAKE(copy) : ba_xstrdup("results");
}

/* The '#' that begins the part, or NULL. Names of files and benchmarks may contain '#',
 * too: the first one after the name of a file counts. */
static const char *part_of(const char *path)
{
	if (ba_fs_exists(path))
		return NULL;
	for (const char *at = strchr(path, '#'); at; at = strchr(at + 1, '#')) {
		BA_AUTO_FREE char *file = ba_xstrndup(path, (size_t)(at - path));
		if (ba_fs_exists(file))
			return at;
	}
	return strrchr(path, '#');
}

/* *given: the operand has an explicit label */
static void parse_one(ba_compare_source *out, bool *given, const char *operand)
{
	const char *equals = strchr(operand, '='), *path = operand;
	*given = equals && is_label(operand, (size_t)(equals - operand)) && !ba_fs_exists(operand);
	char *label = NULL;
	if (*given) {
		label = ba_xstrndup(operand, (size_t)(equals - operand));
		path = equals + 1;
	}
	const char *hash = part_of(path);
	out->path = hash ? ba_xstrndup(path, (size_t)(hash - path)) : ba_xstrdup(path);
	out->part = hash ? ba_xstrdup(hash + 1) : NULL;
	out->label = label ? label : label_of(out->path, out->part);
}

/* Default labels must not combine two files into one variant. */
static void tell_apart(ba_sources *s, const bool *given)
{
	for (size_t i = 0; i < s->count; i++) {
		ba_compare_source *mine = &s->items[i];
		for (unsigned k = 2;
			!given[i] && BA_ANY(s->items, s->count, x,
					     x != mine && strcmp(x->label, mine->label) == 0);
			k++) {
			BA_AUTO_FREE char *stem = label_of(mine->path, mine->part);
			free((char *)(uintptr_t)mine->label);
			mine->label = ba_xprintf("%s-%u", stem, k);
		}
	}
}

void ba_sources_parse(ba_sources *out, const ba_strv *operands)
{
	BA_AUTO_FREE bool *given = ba_xcalloc(operands->count, sizeof(*given));
	out->items = ba_xcalloc(operands->count, sizeof(*out->items));
	out->count = operands->count;
	for (size_t i = 0; i < operands->count; i++)
		parse_one(&out->items[i], &given[i], operands->items[i]);
	tell_apart(out, given);
}

void ba_document_warn(ba_result *r, const char *path)
{
	if (r->document.state != BA_DOCUMENT_DIFFERS)
		return;
	BA_AUTO(ba_buf) ba_buf quoted = BA_BUF_INIT;
	ba_shell_put(&quoted, path);
	char *text = ba_xprintf(
		"'%s' was damaged or edited after bench-against wrote it: its content may be wrong; to compute it again from the samples: bench-against verify %s",
		path, quoted.data);
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	fprintf(stderr, "bench-against: warning: %s\n", safe);
	ba_strv_push_take(&r->run.notes, text);
}

int ba_document_read(ba_result *r, const char *path, ba_error *err)
{
	const ba_import_format *format = NULL;
	ba_error foreign = {0};
	int rc = ba_results_read_some(r, path, BA_RESULTS_READINGS_HELD, err);
	if (rc == 0)
		ba_document_warn(r, path);
	if (rc == 0)
		return 0;
	/* else a directory is treated as Criterion's, and text as Go's */
	if (ba_fs_is_dir(path))
		return rc;
	if (ba_import_read(&format, path, NULL, &(ba_sink){0}, &foreign) && format &&
		strcmp(format->name, "go") == 0)
		return rc;
	if (!format || ba_text_starts(format->name, "bench-against"))
		return rc;
	return ba_fail(err, rc,
		"%s: a file of %s, which has no verdicts; compare it with another: bench-against compare BASELINE %s, or bench-against plot BASELINE %s",
		path, format->title, path, path);
}
