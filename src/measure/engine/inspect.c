/* The device code of a variant's case, as its worker reports it. */

#include "engine/engine.h"
#include "engine/row.h"

enum { FIGURES = 17 }; /* numbers of a kernel, in the order of its struct */

static void take_text(char out[65], const ba_message *m, const char *key)
{
	snprintf(out, 65, "%s", ba_message_text(m, key));
}

static void hear_kernels(ba_device_code *c, const ba_message *m)
{
	BA_AUTO(ba_strv) ba_strv names = {0}, codes = {0};
	ba_message_texts(&names, m, "kernels");
	ba_message_texts(&codes, m, "codes");
	BA_AUTO_FREE uint64_t *figures = ba_xcalloc(names.count + 1, FIGURES * sizeof(*figures));
	if (codes.count != names.count ||
		ba_message_u64s(figures, names.count * FIGURES, m, "figures", NULL))
		return;
	for (size_t i = 0; i < names.count; i++) {
		const uint64_t *f = figures + i * FIGURES;
		ba_kernel *k = ba_device_code_add(c);
		unsigned *const slots[FIGURES] = {NULL, &k->grid_x, &k->grid_y, &k->grid_z,
			&k->block_x, &k->block_y, &k->block_z, &k->dynamic_shared_bytes,
			&k->registers, &k->shared_bytes, &k->local_bytes, &k->constant_bytes,
			&k->max_threads, &k->binary_version, &k->ptx_version, NULL, NULL};
		k->name = ba_text_safe(names.items[i]);
		k->launches = f[0];
		k->code_bytes = f[15];
		k->symbol = f[16];
		snprintf(k->sha256, sizeof(k->sha256), "%s", codes.items[i]);
		for (size_t n = 0; n < FIGURES; n++)
			if (slots[n])
				*slots[n] = (unsigned)f[n];
	}
}

static int hear_code(
	void *data, const ba_message *m, const size_t *variants, size_t n, ba_error *err)
{
	ba_device_code *c = data;
	if (strcmp(m->type, "code") != 0)
		return 0;
	const char *reason = ba_message_text(m, "reason");
	ba_device_code_dispose(c);
	c->reason = *reason ? ba_text_safe(reason) : NULL;
	take_text(c->code_sha256, m, "code");
	take_text(c->work_sha256, m, "work");
	take_text(c->memory_sha256, m, "memory");
	hear_kernels(c, m);
	return 0;
}

int ba_engine_inspect(ba_engine *e, const char *folder, ba_device_code *out, ba_failure *f)
{
	BA_AUTO(ba_message) ba_message reply = {0};
	return ba_worker_slot_request(&e->slots[0], "inspect",
		BA_SAYS(BA_SAY_TEXT("folder", folder)), "inspected", &reply,
		(ba_hearer){hear_code, out}, f);
}
