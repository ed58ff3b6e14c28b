#include "host/command.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
#include "host/engine.h"
#include "import/import.h"
#include "proc/proc.h"
#include "stats/quantile.h"

enum { OUTPUT_MOST = 64 << 20, LINES_SHOWN = 8 };

/* ---- what was printed ---------------------------------------------------- */

void ba_outcomes_dispose(ba_outcomes *o)
{
	for (size_t i = 0; i < o->count; i++) {
		free(o->items[i].id);
		free(o->items[i].metric);
		free(o->items[i].values);
		free(o->items[i].failure);
	}
	free(o->items);
	*o = (ba_outcomes){0};
}

ba_outcome *ba_outcomes_find(ba_outcomes *o, const char *id)
{
	for (size_t k = 0; k < o->count; k++) {
		size_t i = (o->last + k) % o->count;
		if (strcmp(o->items[i].id, id) == 0) {
			o->last = i;
			return &o->items[i];
		}
	}
	return NULL;
}

double ba_outcome_value(ba_outcome *o)
{
	return o->count && !o->failure ? ba_trim25(o->values, o->count) : 0;
}

static ba_outcome *add(ba_outcomes *o, const ba_record *r)
{
	o->items = BA_GROW(o->items, &o->capacity, o->count + 1);
	o->last = o->count;
	o->items[o->count] = (ba_outcome){.id = ba_xstrdup(r->id),
		.metric = ba_xstrdup(r->metric),
		.is_time = r->is_time};
	return &o->items[o->count++];
}

static int take_record(void *data, const ba_record *r, ba_error *err)
{
	ba_outcomes *all = data;
	ba_outcome *o = ba_outcomes_find(all, r->id);
	(void)err;
	if (!o)
		o = add(all, r);
	if (r->failure || r->higher_is_better) {
		if (!o->failure)
			o->failure =
				ba_xstrdup(r->failure ? r->failure
						      : "its metric is a rate: name "
							"one that grows as things "
							"get slower");
		return 0;
	}
	/* the mean of repetitions stands beside the repetitions */
	if (o->count && (int)r->level < o->level)
		return 0;
	if (o->count && (int)r->level > o->level)
		o->count = 0;
	o->level = (int)r->level;
	o->values = BA_GROW(o->values, &o->capacity, o->count + r->count);
	memcpy(o->values + o->count, r->values, r->count * sizeof(*r->values));
	o->count += r->count;
	return 0;
}

/* ---- one run ------------------------------------------------------------- */

typedef struct place {
	char *dir, *file; /* of this run, gone with it */
} place;

static void place_dispose(place *p)
{
	if (p->dir)
		ba_fs_remove_tree(p->dir, NULL);
	free(p->dir);
	free(p->file);
}
BA_DEFINE_AUTO(place, place_dispose)

static int place_make(place *p, const char *scratch, ba_error *err)
{
	p->dir = ba_path_join(scratch, "output-XXXXXX");
	if (!mkdtemp(p->dir)) {
		int saved = errno;
		free(p->dir);
		p->dir = NULL;
		errno = saved;
		return ba_fail_errno(
			err, BA_EIO, "cannot make a directory in '%s'", scratch);
	}
	p->file = ba_path_join(p->dir, "output.json");
	return 0;
}

/* Does any argument name the file? */
static bool put_arguments(ba_strv *out, char *const *argv, const char *file)
{
	static const char mark[] = "{output}";
	bool named = false;
	for (; *argv; argv++) {
		const char *at = *argv, *found;
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		while ((found = strstr(at, mark))) {
			ba_buf_put(&text, at, (size_t)(found - at));
			ba_buf_puts(&text, file);
			at = found + sizeof(mark) - 1;
			named = true;
		}
		ba_buf_puts(&text, at);
		ba_strv_push(out, text.data);
	}
	return named;
}

static char *last_lines(const ba_proc_result *result)
{
	const ba_buf *from = result->err.len ? &result->err : &result->out;
	BA_AUTO(ba_buf) ba_buf safe = BA_BUF_INIT;
	if (!from->len)
		return NULL;
	const char *lines = ba_text_last_lines(from->data, LINES_SHOWN);
	ba_text_sanitize(&safe, lines, strlen(lines), true);
	return safe.len ? ba_buf_detach(&safe) : NULL;
}

static int fail(char **failure, char **output, const ba_proc_result *result,
	ba_error *err, const char *sentence)
{
	*failure = ba_xstrdup(sentence);
	*output = last_lines(result);
	return ba_fail(err, BA_EVARIANT, "%s", sentence);
}

static int read_output(ba_outcomes *out, const ba_proc_result *result, const place *p,
	const ba_command_line *command, bool named, ba_error *err)
{
	const ba_sink sink = {
		.data = out, .record = take_record, .metric = command->metric};
	if (!named)
		return ba_import_memory(NULL, result->out.data, result->out.len,
			"standard output", NULL, &sink, err);
	if (!ba_fs_exists(p->file))
		return ba_fail(err, BA_EDATA,
			"it ended well and wrote no '{output}', where its results "
			"belong");
	/* a pipe would be waited for without end */
	if (!ba_fs_is_dir(p->file) && !ba_fs_is_file_below(p->file, p->dir))
		return ba_fail(err, BA_EDATA,
			"'{output}' is no file, or a link out of the folder it was "
			"given in");
	return ba_import_read(NULL, p->file, NULL, &sink, err);
}

int ba_command_run(ba_outcomes *out, char **failure, char **output,
	const ba_command_line *command, const ba_engine_spec *engine, size_t variant,
	ba_error *err)
{
	BA_AUTO(place) place p = {0};
	BA_AUTO(ba_strv) ba_strv argv = {0};
	BA_AUTO(ba_proc_result) ba_proc_result result = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_error trouble;
	int rc = place_make(&p, command->scratch, err);
	if (rc)
		return rc;
	bool named = put_arguments(&argv, command->argv, p.file);
	const ba_proc_spec spec = {.argv = (const char *const *)argv.items,
		.dir = engine->variants[variant].tree_dir,
		.out = {BA_OUTPUT_HEAD, OUTPUT_MOST},
		.err = {BA_OUTPUT_TAIL, 0},
		.limit_ns = command->limit_ns,
		.stop = engine->stop};
	rc = ba_proc_run(&result, &spec, &trouble);
	if (rc == BA_EINTERRUPTED)
		return ba_fail(err, rc, "%s", trouble.text);
	if (rc)
		return fail(failure, output, &result, err, trouble.text);
	if (!ba_proc_result_ok(&result)) {
		ba_buf_printf(&text, "'%s' ", argv.items[0]);
		ba_proc_result_text(&text, &result);
		return fail(failure, output, &result, err, text.data);
	}
	if (result.out_dropped && !named)
		return fail(failure, output, &result, err,
			"it printed more than 64 MiB; let it write to '{output}'");
	if (read_output(out, &result, &p, command, named, &trouble)) {
		ba_buf_printf(&text, "what '%s' %s: %s%s", argv.items[0],
			named ? "wrote" : "printed", trouble.text,
			named ? "" : " (results may be written to '{output}' instead)");
		return fail(failure, output, &result, err, text.data);
	}
	if (out->count == 0)
		return fail(failure, output, &result, err,
			"there is no benchmark in what it printed");
	return 0;
}
