/* Manifests, digests and seals of built trees. */

#include "variants/variants.h"

/* A directory of the user has no digest, because it may change at any time. */
static void digest_trees(ba_variants *t)
{
	for (size_t v = 0; v < t->count; v++) {
		ba_variant *variant = &t->variants[v];
		if (!t->slots[v] || t->failures[v])
			continue;
		t->manifests[v] = ba_slot_manifest(t->slots[v]);
		ba_manifest_digest(
			variant->tree_sha256, t->manifests[v], &t->config.build.irrelevant, NULL);
		memcpy(variant->used_sha256, variant->tree_sha256, 65);
	}
}

/* With sandboxes nothing may change a built tree: each start compares the seal. */
static int seal_trees(ba_variants *t, ba_error *err)
{
	t->seals = ba_xcalloc(t->count, sizeof(*t->seals));
	for (size_t v = 0; v < t->count; v++) {
		if (!t->sandbox.on || !t->manifests[v] || t->failures[v])
			continue;
		t->seals[v] = ba_xcalloc(1, sizeof(*t->seals[v]));
		BA_TRY(ba_seal_make(t->seals[v], t->variants[v].tree_dir, err));
	}
	return 0;
}

/* A misspelt glob matches no file, so builds would differ for no visible reason. */
static void note_unused_irrelevant(ba_variants *t)
{
	const ba_strv *globs = &t->config.build.irrelevant;
	for (size_t i = 0; i < globs->count; i++) {
		const ba_strv one = {.items = &globs->items[i], .count = 1};
		size_t asked = 0, without = 0;
		for (size_t v = 0; v < t->count; v++) {
			char all[65], rest[65];
			if (!t->manifests[v])
				continue;
			ba_manifest_digest(all, t->manifests[v], NULL, NULL);
			ba_manifest_digest(rest, t->manifests[v], &one, NULL);
			asked++;
			without += strcmp(all, rest) == 0;
		}
		if (asked && without == asked)
			ba_strv_printf(&t->notes,
				"build.irrelevant: no built tree has a file that matches '%s'",
				globs->items[i]);
	}
}

int ba_variants_digest(ba_variants *t, ba_error *err)
{
	digest_trees(t);
	note_unused_irrelevant(t);
	return seal_trees(t, err);
}

/* Reads the manifest beside the tree; a copy of the tree on another host may have none. */
static void read_manifest(ba_variants *t, size_t v)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *path = ba_xprintf("%s.files", t->variants[v].tree_dir);
	ba_error ignored;
	if (t->variants[v].kind == BA_VARIANT_PATH || t->failures[v] ||
		ba_fs_read(&text, path, SIZE_MAX / 2, &ignored) ||
		ba_manifest_parse(&t->kept[v], text.data, text.len, &ignored))
		return;
	t->manifests[v] = &t->kept[v];
}

int ba_variants_adopt_built(ba_variants *t, ba_error *err)
{
	t->kept = ba_xcalloc(t->count, sizeof(*t->kept));
	for (size_t v = 0; v < t->count; v++)
		read_manifest(t, v);
	BA_TRY(ba_variants_sandbox_make(
		&t->sandbox, &t->config.sandbox, t->services, t->request->untrusted, err));
	return seal_trees(t, err);
}
