#include "model/suite.h"

static const char *const kinds[BA_SUITE_KIND_COUNT] = {
	[BA_SUITE_LAUNCHER] = "launcher",
	[BA_SUITE_PLUGIN] = "plugin",
	[BA_SUITE_WORKER] = "worker",
	[BA_SUITE_COMMAND] = "command",
};

const char *const ba_suite_hooks[] = {"nvbench", "google-benchmark", NULL};

static const char *const axis_kinds[BA_AXIS_KIND_COUNT] = {
	[BA_AXIS_INTEGER] = "integer",
	[BA_AXIS_REAL] = "real",
	[BA_AXIS_TEXT] = "text",
	[BA_AXIS_TYPE] = "type",
};

const char *ba_suite_kind_name(ba_suite_kind kind)
{
	return kinds[kind];
}

int ba_axis_kind_from_name(const char *name)
{
	const char *const *word = BA_FIND(axis_kinds, BA_AXIS_KIND_COUNT, x, strcmp(*x, name) == 0);
	return word ? (int)(word - axis_kinds) : -1;
}

BA_OWNS(ba_declared, d, BA_FREE(d->name, d->help),
	BA_FREE_EACH(x, d->axes, d->axis_count, free(x->name), ba_strv_dispose(&x->values)),
	BA_DISPOSE(ba_strv, &d->points, &d->modes))
