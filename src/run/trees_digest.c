/* What is known of built trees: their content, and how they were left. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "run/trees.h"

/* A directory of the user's has none: it may change at any time. */
static void digest_trees(ba_trees *t)
{
	for (size_t v = 0; v < t->count; v++) {
		ba_variant *variant = &t->variants[v];
		if (!t->slots[v] || t->failures[v])
			continue;
		t->manifests[v] = ba_slot_manifest(t->slots[v]);
		ba_manifest_digest(variant->tree_sha256, t->manifests[v],
			&t->config.build.irrelevant, NULL);
		memcpy(variant->used_sha256, variant->tree_sha256, 65);
	}
}

/* In sandboxes nobody writes a tree any more. */
static int seal_trees(ba_trees *t, ba_error *err)
{
	int rc = 0;
	t->seals = ba_xcalloc(t->count, sizeof(*t->seals));
	for (size_t v = 0; rc == 0 && v < t->count; v++) {
		if (!t->sandbox.on || !t->slots[v] || t->failures[v])
			continue;
		t->seals[v] = ba_xcalloc(1, sizeof(*t->seals[v]));
		rc = ba_seal_make(t->seals[v], t->variants[v].tree_dir, err);
	}
	return rc;
}

/* A misspelt glob excuses no file, so that builds differ for nobody knows why. */
static void note_unused_irrelevant(ba_trees *t)
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
			ba_strv_push_take(&t->notes,
				ba_xprintf(
					"build.irrelevant: no built tree has a file that matches '%s'",
					globs->items[i]));
	}
}

int ba_trees_digest(ba_trees *t, ba_error *err)
{
	digest_trees(t);
	note_unused_irrelevant(t);
	return seal_trees(t, err);
}
