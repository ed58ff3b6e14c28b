#include "engine/box.h"

BA_OWNS(ba_box, b, BA_DISPOSE(ba_strv, &b->readable, &b->writable, &b->env))

char *ba_box_folder(const char *scratch, size_t variant)
{
	return ba_xprintf("%s/variant-%zu", scratch, variant);
}

static void put_list(ba_strv *out, const char *const *list)
{
	for (; list && *list; list++)
		ba_strv_push(out, *list);
}

static void put(ba_strv *out, const char *path)
{
	if (path && *path)
		ba_strv_push(out, path);
}

/* Processes in sandboxes cannot write a tree, but others could. */
static int check_tree(const ba_engine_spec *spec, size_t v, ba_error *err)
{
	BA_AUTO_FREE char *changed = NULL;
	if (!spec->seals || !spec->seals[v])
		return 0;
	int rc = ba_seal_check(&changed, spec->seals[v], err);
	if (rc || !changed)
		return rc;
	return ba_fail(err, BA_EIO,
		"the tree of %s is not as it was built: in '%s', %s; find out which program writes there, and run again",
		spec->variants[v].label, spec->seals[v]->dir, changed);
}

static int put_variant(ba_box *b, const ba_engine_spec *spec, size_t v, ba_error *err)
{
	const ba_variant_environment *e = &spec->variants[v].environment;
	put(&b->readable, spec->variants[v].tree_dir);
	put(&b->readable, e->dir);
	for (size_t i = 0; i < e->parts.count; i++)
		if (ba_text_starts(e->parts.items[i], "var:"))
			ba_strv_push_take(&b->env, ba_xstrndup(e->parts.items[i] + 4,
							   strcspn(e->parts.items[i] + 4, "=")));
	for (size_t i = v * spec->layouts; spec->copies && i < (v + 1) * spec->layouts; i++)
		if (spec->copies[i])
			ba_strv_push_take(&b->readable, ba_path_dir(spec->copies[i]));
	if (!spec->scratch)
		return 0;
	char *folder = ba_box_folder(spec->scratch, v);
	ba_strv_push_take(&b->writable, folder);
	return ba_fs_mkdirs(folder, err);
}

int ba_box_of(const ba_sandbox **out, ba_box *b, const ba_engine_spec *spec, const size_t *variants,
	size_t count, const char *output, ba_error *err)
{
	int rc = 0;
	*out = NULL;
	if (!spec->sandbox)
		return 0;
	b->sandbox = *spec->sandbox;
	put_list(&b->readable, spec->sandbox->readable);
	put_list(&b->writable, spec->sandbox->writable);
	put_list(&b->env, spec->sandbox->env);
	ba_strv_push(&b->env, "VIRTUAL_ENV");
	put(&b->readable, spec->worker);
	put(&b->readable, spec->driver);
	put(&b->readable, spec->observer);
	put(&b->writable, output);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		rc = check_tree(spec, variants[i], err);
		rc = rc ? rc : put_variant(b, spec, variants[i], err);
	}
	b->sandbox.readable = (const char *const *)b->readable.items;
	b->sandbox.writable = (const char *const *)b->writable.items;
	b->sandbox.env = (const char *const *)b->env.items;
	b->sandbox.gpu = strcmp(spec->target, "host") != 0;
	/* all threads of a variant's own program are its own: all are pinned */
	bool own_program = spec->programs || output;
	b->sandbox.pinned = own_program && spec->cpu >= 0;
	b->sandbox.cpu = spec->cpu;
	/* no children: the processor time of one that is never waited for is not
	 * counted */
	b->sandbox.alone = spec->kind == BA_ENGINE_UNTRUSTED && !own_program;
	if (rc == 0)
		*out = &b->sandbox;
	return rc;
}
