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

static int find(const char *const *names, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

const char *ba_suite_kind_name(ba_suite_kind kind)
{
	return kinds[kind];
}

int ba_suite_kind_from_name(const char *name)
{
	return find(kinds, BA_SUITE_KIND_COUNT, name);
}

int ba_axis_kind_from_name(const char *name)
{
	return find(axis_kinds, BA_AXIS_KIND_COUNT, name);
}

void ba_declared_dispose(ba_declared *d)
{
	BA_FREE(d->name, d->help);
	for (size_t i = 0; i < d->axis_count; i++) {
		free(d->axes[i].name);
		ba_strv_dispose(&d->axes[i].values);
	}
	free(d->axes);
	BA_DISPOSE(ba_strv, &d->points, &d->modes);
	*d = (ba_declared){0};
}
