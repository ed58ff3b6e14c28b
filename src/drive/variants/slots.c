/* Computes the key of each build, and finds the cache slot where it is or will be built. */

#include "build/toolchain.h"
#include "git/repo.h"
#include "cluster/node.h"
#include "variants/variants.h"

/* ---- keys ---- */

static bool is_glob(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

/* A link that leads out of the inputs makes other parts of the tree an input, too. */
static int inputs_lead_out(bool *out, ba_variants *t, const ba_variant *v, ba_error *err)
{
	BA_AUTO_FREE char *link = NULL;
	int rc = ba_repo_link_out(&link, t->repo, v->tree_id, &t->config.build.inputs, err);
	*out = link != NULL;
	if (!link)
		return rc;
	BA_AUTO_FREE char *note = ba_xprintf(
		"build.inputs: %s, which is not among the inputs, so the whole tree counts", link);
	if (!ba_strv_has(&t->notes, note))
		ba_strv_push(&t->notes, note);
	return rc;
}

/* The key covers the parts of the tree that `inputs` names, or all of it. */
static int variant_key(char out[65], ba_variants *t, const ba_variant *v,
	const ba_build_recipe *recipe, const char *toolchain, ba_error *err)
{
	const ba_strv *names = &t->config.build.inputs;
	bool whole = !names->count || BA_ANY(names->items, names->count, one, is_glob(*one));
	BA_TRY(whole ? 0 : inputs_lead_out(&whole, t, v, err));
	/* the attributes of the tree that an overlay comes from can change how files are written */
	const char *laid = t->overlaid ? t->overlaid[v - t->variants].laid : "";
	if (whole) {
		const ba_build_input all[] = {{"", v->tree_id}, {".git/overlay", laid}};
		ba_build_key(out, recipe, all, *laid ? 2 : 1, toolchain);
		return 0;
	}
	BA_AUTO_FREE ba_build_input *inputs = ba_xcalloc(names->count + 1, sizeof(*inputs));
	BA_AUTO_FREE char(*ids)[65] = ba_xcalloc(names->count, sizeof(*ids));
	for (size_t i = 0; i < names->count; i++) {
		int rc = ba_repo_path_id(ids[i], t->repo, v->tree_id, names->items[i], err);
		if (rc && rc != BA_ENOTFOUND)
			return rc;
		if (rc)
			ids[i][0] = '\0';
		inputs[i] = (ba_build_input){names->items[i], ids[i]};
	}
	inputs[names->count] = (ba_build_input){".git/overlay", laid};
	ba_build_key(out, recipe, inputs, names->count + (*laid != '\0'), toolchain);
	return 0;
}

/* A misspelt input is in no key, so changes of the intended file would not cause a
 * build. One variant may lack an input, as older commits do, but not all of them. */
static void note_missing_inputs(ba_variants *t)
{
	const ba_strv *names = &t->config.build.inputs;
	for (size_t i = 0; i < names->count; i++) {
		size_t asked = 0, found = 0;
		char id[65];
		for (size_t v = 0; !is_glob(names->items[i]) && v < t->count; v++) {
			if (t->variants[v].kind == BA_VARIANT_PATH)
				continue;
			asked++;
			found += ba_variants_path_id(id, t, v, names->items[i]);
		}
		if (asked && !found)
			ba_strv_printf(&t->notes,
				"build.inputs: no variant has '%s', so it never causes a new build",
				names->items[i]);
	}
}

/* The toolchain of the machine that builds. */
static int toolchain_of(
	char out[65], const ba_variants *t, const ba_build_recipe *recipe, ba_error *err)
{
	BA_AUTO(ba_toolchain) ba_toolchain toolchain = {0};
	BA_AUTO_FREE char *memory = ba_path_join(t->services->cache_root, "toolchain-hashes");
	if (t->node)
		return ba_node_toolchain(out, t->node, recipe, memory, err);
	BA_TRY(ba_toolchain_identify(&toolchain, recipe, memory, t->services->log, err));
	memcpy(out, toolchain.sha256, sizeof(toolchain.sha256));
	return 0;
}

/* Has the variant no tree in the cache? */
static bool is_elsewhere(const ba_variants *t, size_t v)
{
	return t->variants[v].kind == BA_VARIANT_PATH || t->failures[v];
}

/* A build in another environment is another build, unless it runs nothing. */
static void add_environment(char key[65], const ba_variant *v, const ba_build_recipe *recipe)
{
	if (!v->environment.dir || !recipe->command_count)
		return;
	BA_AUTO_FREE char *both = ba_xprintf("%s %s", key, v->environment.resolved_sha256);
	ba_sha256_of(key, both, strlen(both));
}

static int keys_of(ba_variants *t, const ba_build_recipe *recipe, ba_error *err)
{
	char toolchain[65];
	BA_TRY(toolchain_of(toolchain, t, recipe, err));
	for (size_t v = 0; v < t->count; v++) {
		if (is_elsewhere(t, v))
			continue;
		char key[65];
		BA_TRY(variant_key(key, t, &t->variants[v], recipe, toolchain, err));
		add_environment(key, &t->variants[v], recipe);
		ba_text_replace(&t->variants[v].build_key, key);
	}
	note_missing_inputs(t);
	return 0;
}

/* ---- slots ---- */

/* Cached trees are read completely: a flipped bit could change the result. */
static int check_slot(ba_variants *t, ba_slot *slot, ba_error *err)
{
	BA_AUTO_FREE char *damage = NULL;
	if (!ba_slot_is_complete(slot))
		return 0;
	int rc = ba_slot_check(&damage, slot, &t->config.build.irrelevant, err);
	if (rc || !damage)
		return rc;
	ba_log_printf(t->services->log, BA_LOG_WARNING,
		"the built tree '%s' is damaged: %s; building it again (if a run writes that file, name it in build.irrelevant)",
		ba_slot_dir(slot), damage);
	return ba_slot_reset(slot, err);
}

/* Equal keys share a tree, unless the same code is measured against itself: then each
 * variant has a separate build, as two commits would. */
static int acquire(ba_variants *t, ba_error *err)
{
	BA_AUTO_FREE ba_slot_key *keys = ba_xcalloc(t->count, sizeof(*keys));
	BA_AUTO_FREE size_t *slot_of = ba_xcalloc(t->count, sizeof(*slot_of));
	BA_AUTO_FREE ba_slot **slots = ba_xcalloc(t->count, sizeof(ba_slot *));
	size_t n = 0;
	for (size_t v = 0; v < t->count; v++) {
		unsigned instance = 0;
		size_t k = 0;
		if (is_elsewhere(t, v))
			continue;
		for (size_t i = 0; i < n; i++)
			if (strcmp(keys[i].key, t->variants[v].build_key) == 0) {
				instance++;
				k = i;
			}
		if (instance && !t->request->measure_identical) {
			slot_of[v] = k;
			continue;
		}
		slot_of[v] = n;
		keys[n++] = (ba_slot_key){t->variants[v].build_key, instance};
	}
	BA_TRY(n ? ba_workspace_acquire_all(slots, t->workspace, keys, n, err) : 0);
	for (size_t i = 0; i < n; i++)
		BA_TRY(check_slot(t, slots[i], err));
	for (size_t v = 0; v < t->count; v++) {
		ba_variant *variant = &t->variants[v];
		if (is_elsewhere(t, v))
			continue;
		t->slots[v] = slots[slot_of[v]];
		ba_text_replace(&variant->tree_dir, ba_slot_dir(t->slots[v]));
		variant->build_cached = ba_slot_is_complete(t->slots[v]);
		if (variant->build_cached)
			continue;
		/* for `cache list`: which variant had it built */
		BA_AUTO_FREE char *about = ba_xprintf("%s %.9s%s %s, %s", variant->spec,
			variant->commit, variant->dirty ? " with changes" : "", variant->subject,
			ba_repo_common_dir(t->repo));
		ba_slot_describe(t->slots[v], about);
	}
	return 0;
}

int ba_variants_find_slots(ba_variants *t, const ba_build_recipe *recipe, ba_error *err)
{
	BA_TRY(keys_of(t, recipe, err));
	return acquire(t, err);
}
