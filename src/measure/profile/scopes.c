#include "profile/walk.h"

bool ba_profile_leaves_out(const ba_profile_side *side, const char *path)
{
	for (size_t i = 0; side->exclude && side->exclude[i]; i++)
		if (strcmp(side->exclude[i], path) == 0)
			return true;
	return false;
}

ba_scope ba_profile_scope_of(const ba_profile_side *side, const char *path)
{
	const char *base = ba_path_base(path);
	if (ba_text_starts(base, "libcuda.so") || ba_text_starts(base, "libnvidia"))
		return BA_SCOPE_DRIVER;
	return side->tree && ba_path_is_below(path, side->tree) ? BA_SCOPE_OWN : BA_SCOPE_RUNTIME;
}

int ba_profile_check(const ba_profile_side *side, ba_error *err)
{
	if (side->call >= side->trace->calls || !side->trace->address_count)
		return ba_fail(
			err, BA_EDATA, "the trace has no addresses of call %zu", side->call + 1);
	return 0;
}

int ba_profile_scopes(uint64_t scopes[BA_SCOPE_COUNT], const ba_profile_side *side, ba_error *err)
{
	if (ba_profile_check(side, err))
		return BA_EDATA;
	const ba_trace *t = side->trace;
	const uint64_t *addresses = ba_trace_call(t, side->call);
	/* for each object; the last is for addresses outside all objects */
	uint64_t *counts = ba_xcalloc(t->object_count + 1, sizeof(*counts));
	const ba_trace_object *at = NULL;
	for (uint64_t i = 0; i < t->counts[side->call]; i++) {
		if (!at || addresses[i] < at->low || addresses[i] >= at->high)
			at = ba_trace_find(t, addresses[i]);
		counts[at ? (size_t)(at - t->objects) : t->object_count]++;
	}
	uint64_t sums[BA_SCOPE_COUNT] = {0};
	sums[BA_SCOPE_RUNTIME] = counts[t->object_count];
	for (size_t i = 0; i < t->object_count; i++)
		if (!ba_profile_leaves_out(side, t->objects[i].path))
			sums[ba_profile_scope_of(side, t->objects[i].path)] += counts[i];
	free(counts);
	memcpy(scopes, sums, sizeof(sums));
	return 0;
}
