#include "engine/survey.h"

static int read_axes(ba_declared *d, const ba_message *m, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0}, kinds = {0}, values = {0};
	ba_message_texts(&names, m, "axes");
	ba_message_texts(&kinds, m, "kinds");
	ba_message_texts(&values, m, "values");
	BA_AUTO_FREE uint64_t *counts = ba_xcalloc(names.count + 1, sizeof(*counts));
	int rc = ba_message_u64s(counts, names.count, m, "value_counts", err);
	size_t next = 0;
	if (rc == 0 && kinds.count != names.count)
		rc = ba_fail(err, BA_EPROTOCOL, "message 'benchmark': %zu axes and %zu kinds",
			names.count, kinds.count);
	d->axes = ba_xcalloc(names.count + 1, sizeof(*d->axes));
	for (size_t i = 0; rc == 0 && i < names.count; i++) {
		ba_declared_axis *axis = &d->axes[d->axis_count++];
		int kind = ba_axis_kind_from_name(kinds.items[i]);
		axis->name = ba_xstrdup(names.items[i]);
		/* axes of an unknown kind accept only the listed values */
		axis->kind = kind < 0 ? BA_AXIS_TEXT : (ba_axis_kind)kind;
		if (counts[i] > values.count - next)
			return ba_fail(err, BA_EPROTOCOL,
				"message 'benchmark': fewer values than value_counts says");
		for (uint64_t k = 0; k < counts[i]; k++)
			ba_strv_push(&axis->values, values.items[next++]);
	}
	if (rc == 0 && next != values.count)
		rc = ba_fail(err, BA_EPROTOCOL,
			"message 'benchmark': more values than value_counts says");
	return rc;
}

int ba_declared_of_message(ba_declared *out, const ba_message *m, ba_error *err)
{
	BA_AUTO(ba_declared)
	ba_declared d = {.name = ba_xstrdup(ba_message_text(m, "name")),
		.help = ba_xstrdup(ba_message_text(m, "help")),
		.rotates = ba_message_bool(m, "rotates"),
		.weighs = ba_message_bool(m, "weighs"),
		.checks = ba_message_bool(m, "checks"),
		.gpu = ba_message_bool(m, "gpu")};
	ba_message_texts(&d.points, m, "points");
	ba_message_texts(&d.modes, m, "modes");
	BA_TRY(read_axes(&d, m, err));
	*out = BA_MOVE(d);
	return 0;
}
