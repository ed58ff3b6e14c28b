#include "model/code_document.h"

const char *ba_code_verdict_name(ba_code_verdict v)
{
	static const char *const names[BA_CODE_VERDICT_COUNT] = {[BA_CODE_CHANGED] = "changed",
		[BA_CODE_OPEN] = "open",
		[BA_CODE_OTHER_LIMITS] = "same code, other limits",
		[BA_CODE_OTHER_DATA] = "same code, other data",
		[BA_CODE_RENAMED] = "renamed",
		[BA_CODE_ADDED] = "added",
		[BA_CODE_REMOVED] = "removed",
		[BA_CODE_SAME] = "same"};
	return names[v];
}

BA_OWNS(ba_code_pair, p,
	BA_FREE(p->name, p->whole_name, p->symbol, p->target, p->files[0], p->files[1], p->why,
		p->was, p->breaches),
	ba_block_changes_free(p->blocks))

BA_OWNS(ba_code_document, d, BA_FREE_ARRAY(ba_code_pair_dispose, d->pairs, d->pair_count),
	BA_FREE_EACH(s, d->sizes, d->size_count, free(s->name)),
	BA_FREE(d->sides[0].label, d->sides[1].label, d->answer),
	BA_DISPOSE(ba_strv, &d->sides[0].toolkits, &d->sides[1].toolkits, &d->notes))

static const ba_code_metric_info infos[BA_CODE_METRIC_COUNT] = {
	[BA_CODE_REGISTERS] = {"registers", "registers", "", false},
	[BA_CODE_OCCUPANCY] = {"occupancy", "occupancy", "%", true},
	[BA_CODE_LOCAL_STORES] = {"local_stores", "local stores", "", false},
	[BA_CODE_LOCAL_LOADS] = {"local_loads", "local loads", "", false},
	[BA_CODE_FRAME] = {"frame_bytes", "frame", "B", false},
	[BA_CODE_SHARED] = {"shared_bytes", "shared memory", "B", false},
	[BA_CODE_CONSTANT] = {"constant_bytes", "constants", "B", false},
	[BA_CODE_INSTRUCTIONS] = {"instructions", "instructions", "", false},
	[BA_CODE_BYTES] = {"code_bytes", "code", "B", false},
	[BA_CODE_BARRIERS] = {"barriers", "barriers", "", false},
	[BA_CODE_MAX_THREADS] = {"max_threads", "largest block", "", true},
	[BA_CODE_MAX_REGISTERS] = {"max_registers", "limit of registers", "", false},
	[BA_CODE_FILE_BYTES] = {"file_bytes", "file", "B", false},
	[BA_CODE_DEVICE_BYTES] = {"device_bytes", "device code", "B", false},
};

const ba_code_metric_info *ba_code_metric_get(ba_code_metric m)
{
	return &infos[m];
}

int ba_code_metric_from_name(const char *name)
{
	const ba_code_metric_info *info =
		BA_FIND(infos, BA_CODE_METRIC_COUNT, x, strcmp(x->name, name) == 0);
	return info ? (int)(info - infos) : -1;
}

void ba_code_limits_default(ba_code_limit limits[BA_CODE_METRIC_COUNT])
{
	memset(limits, 0, sizeof(*limits) * BA_CODE_METRIC_COUNT);
	limits[BA_CODE_LOCAL_STORES].set = true;
}

int ba_code_limit_parse(ba_code_limit *out, const char *text, const char *what, ba_error *err)
{
	ba_code_limit l = {.set = true};
	const char *number = text + (*text == '+');
	if (strcmp(text, "any") == 0)
		l.set = false;
	else if (ba_text_ends(number, "%") ? ba_parse_ratio(&l.part, number, what, NULL)
					   : !ba_parse_f64(&l.by, number, 0, 1e15))
		return ba_fail(err, BA_EINVAL,
			"%s: '%s' is not a limit: write \"+8\" (8 more), \"5%%\", \"0\" (not worse) or \"any\"",
			what, text);
	*out = l;
	return 0;
}

bool ba_code_limit_exceeded(const ba_code_limit *limits, ba_code_metric m, double base, double mine)
{
	const ba_code_limit *l = &limits[m];
	double worse = infos[m].less_is_worse ? base - mine : mine - base;
	return l->set && worse > fmax(l->by, l->part * base);
}

void ba_code_limit_text(ba_buf *out, const ba_code_limit *l)
{
	if (l->part > 0)
		ba_buf_printf(out, "%g%%", 100 * l->part);
	else
		ba_buf_printf(out, "+%.12g", l->by);
}
