#include "suite/overhead.h"

#include "suite/runs.h"

#define LOOPS_FEW_ARGS 100000u
#define LOOPS_MANY_ARGS 10000u

static const uint64_t default_args[] = {0, 1, 2, 3, 4};

static int no_match(const char *glob, const ba_strv *available, size_t n, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv all = {0};
	for (size_t v = 0; v < n; v++)
		for (size_t i = 0; i < available[v].count; i++)
			if (!ba_strv_has(&all, available[v].items[i]))
				ba_strv_push(&all, available[v].items[i]);
	BA_AUTO_FREE char *names = ba_strv_join(&all, ", ");
	return ba_fail(err, BA_EINVAL, "no variant has a launch path '%s'; there %s %s", glob,
		ba_plural(all.count, "is", "are"), all.count ? names : "none");
}

int ba_overhead_select_paths(ba_strv *out, const ba_overhead *o, const ba_strv *available,
	size_t variant_count, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv found = {0};
	for (size_t g = 0; o->paths && g < o->paths->count; g++) {
		const char *glob = o->paths->items[g];
		bool all = ba_text_glob("all", glob), any = false;
		for (size_t v = 0; v < variant_count; v++)
			for (size_t i = 0; i < available[v].count; i++) {
				const char *name = available[v].items[i];
				if (!all && !ba_text_glob(glob, name))
					continue;
				any = true;
				if (!ba_strv_has(&found, name))
					ba_strv_push(&found, name);
			}
		if (!any)
			return no_match(glob, available, variant_count, err);
	}
	/* a baseline that could not be loaded has no paths: take the next variant that
	 * has some */
	for (size_t v = 0; found.count == 0 && v < variant_count; v++)
		if (available[v].count)
			ba_strv_push(&found, available[v].items[0]);
	ba_strv_copy(out, &found);
	return 0;
}

static uint64_t loops_for(const ba_overhead *o, size_t index, uint64_t params)
{
	if (o->loop_count)
		return o->loops[index < o->loop_count ? index : o->loop_count - 1];
	return params <= 3 ? LOOPS_FEW_ARGS : LOOPS_MANY_ARGS;
}

BA_LIST(list, ba_benchmark);

static void add(list *l, const ba_overhead *o, const char *path, const char *axis, uint64_t value,
	size_t index, const ba_strv *filters)
{
	bool by_value = axis[0] == 'b';
	BA_AUTO_FREE char *text = ba_xprintf("%" PRIu64, value);
	BA_AUTO_FREE char *id = ba_xprintf("%s/%s=%s,path=%s", o->suite, axis, text, path);
	if (!ba_runs_choose(filters, id))
		return;
	ba_benchmark *b = BA_PUSH(l->items, l->count, l->capacity);
	*b = (ba_benchmark){.suite = ba_xstrdup(o->suite),
		.id = BA_TAKE(id),
		.path = ba_xstrdup(path),
		.args = by_value ? 1 : (unsigned)value,
		.arg_bytes = by_value ? (unsigned)value : 0,
		.loops = loops_for(o, index, by_value ? 4 : value)};
	ba_benchmark_add_axis(b, axis, text);
	ba_benchmark_add_axis(b, "path", path);
}

static int check_range(const uint64_t *values, size_t n, uint64_t least, uint64_t most,
	const char *what, ba_error *err)
{
	for (size_t i = 0; i < n; i++)
		if (values[i] < least || values[i] > most)
			return ba_fail(err, BA_EINVAL,
				"%s: %" PRIu64 " is out of range (%" PRIu64 " to %" PRIu64 ")",
				what, values[i], least, most);
	return 0;
}

/* each value makes a benchmark with its own name, so it may occur only once */
static int check_once(const uint64_t *values, size_t n, const char *what, ba_error *err)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (values[i] == values[k])
				return ba_fail(err, BA_EINVAL, "%s: %" PRIu64 " appears twice",
					what, values[i]);
	return 0;
}

int ba_overhead_expand(ba_benchmark **out, size_t *count, const ba_overhead *o,
	const ba_strv *paths, const ba_strv *filters, ba_error *err)
{
	const uint64_t *args = o->args;
	size_t arg_count = o->arg_count;
	if (arg_count == 0 && o->byte_count == 0) {
		args = default_args;
		arg_count = BA_COUNT(default_args);
	}
	BA_TRY(check_range(args, arg_count, 0, BA_OVERHEAD_ARGS_MOST, "args", err));
	BA_TRY(check_range(o->bytes, o->byte_count, 1, BA_OVERHEAD_BYTES_MOST, "bytes", err));
	BA_TRY(check_range(o->loops, o->loop_count, 1, BA_OVERHEAD_LOOPS_MOST, "loops", err));
	BA_TRY(check_once(args, arg_count, "args", err));
	BA_TRY(check_once(o->bytes, o->byte_count, "bytes", err));
	list l = {.items = *out, .count = *count, .capacity = *count};
	for (size_t p = 0; p < paths->count; p++) {
		for (size_t i = 0; i < arg_count; i++)
			add(&l, o, paths->items[p], "args", args[i], i, filters);
		for (size_t i = 0; i < o->byte_count; i++)
			add(&l, o, paths->items[p], "bytes", o->bytes[i], arg_count + i, filters);
	}
	*out = l.items;
	*count = l.count;
	return 0;
}
