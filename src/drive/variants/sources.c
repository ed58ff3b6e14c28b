/* Do all variants run the same benchmarks, and does each have them? Of suites that are
 * programs, the files and folders of the tree that their command names are known to be
 * benchmark code; where those differ, a change may be the benchmark's. Where a variant
 * lacks them, or what the build's commands name, it cannot be measured without those of
 * another tree. */

#include "variants/variants.h"

/* The path in the tree that a command's word names ("./bench.py"); not of the whole tree. */
static const char *path_of(const char *argument)
{
	while (strncmp(argument, "./", 2) == 0)
		argument += 2;
	return ba_path_is_inside(argument) && strcmp(argument, ".") != 0 ? argument : NULL;
}

bool ba_variants_path_id(char out[65], const ba_variants *t, size_t v, const char *path)
{
	if (ba_repo_path_id(out, t->repo, t->variants[v].tree_id, path, NULL))
		out[0] = '\0';
	return out[0] != '\0';
}

static bool has(const ba_variants *t, size_t v, const char *path)
{
	char id[65];
	return ba_variants_path_id(id, t, v, path);
}

static void compare_path(ba_variants *t, const ba_suite_config *suite, const char *path)
{
	const ba_variant *base = &t->variants[0];
	BA_AUTO(ba_strv) ba_strv others = {0};
	char first[65], id[65];
	ba_variants_path_id(first, t, 0, path);
	for (size_t v = 1; v < t->count; v++) {
		ba_variants_path_id(id, t, v, path);
		if (strcmp(first, id) != 0)
			ba_strv_push(&others, t->variants[v].label);
	}
	if (!others.count)
		return;
	BA_AUTO_FREE char *labels = ba_strv_join(&others, ", ");
	BA_AUTO_FREE char *safe = ba_text_safe(path);
	ba_strv_printf(&t->notes,
		"benchmark sources differ: %s, which suite '%s' runs, is not the same in %s as in %s; \"overlay\": [\"%s\"] uses one version for all variants",
		safe, suite->name, labels, base->label, safe);
}

/* ---- what a variant lacks ---- */

BA_OWNS(ba_missing_list, l, BA_FREE_EACH(m, l->items, l->count, free(m->sentence)))

const char *ba_missing_find(const ba_missing_list *l, size_t variant, const ba_suite_config *suite)
{
	ba_missing *m =
		BA_FIND(l->items, l->count, one, one->variant == variant && one->suite == suite);
	return m ? m->sentence : NULL;
}

static bool working_tree_has(const ba_variants *t, const char *path)
{
	const char *workdir = ba_repo_workdir(t->repo);
	BA_AUTO_FREE char *file = ba_path_join(workdir ? workdir : "", path);
	return workdir && ba_fs_exists(file);
}

/* The outermost folder of the path that the variant lacks: its files belong together. */
static char *topmost(const ba_variants *t, size_t v, const char *path)
{
	for (const char *slash = strchr(path, '/'); slash && slash[1];
		slash = strchr(slash + 1, '/')) {
		char *folder = ba_xstrndup(path, (size_t)(slash - path));
		if (!has(t, v, folder))
			return folder;
		free(folder);
	}
	return ba_xstrdup(path);
}

/* A variant that has the path, the candidate first; a configuration names only these two. */
static const ba_variant *owner_of(const ba_variants *t, const char *path)
{
	for (size_t v = t->count < 2 ? t->count : 2; v-- > 0;)
		if (has(t, v, path))
			return &t->variants[v];
	return NULL;
}

static char *remedy(const ba_variants *t, size_t v, const char *path)
{
	BA_AUTO_FREE char *top = topmost(t, v, path), *safe = ba_text_safe(top);
	const char *label = t->variants[v].label;
	const ba_variant *owner = owner_of(t, path);
	if (t->request->gate != BA_GATE_OFF && owner)
		return ba_xprintf(
			"%s has no '%s', and in a gate the benchmarks do not come from the candidate: let %s bring its own with --config-from %s, and \"overlay\": [\"%s\"] in its " BA_CONFIG_FILE,
			label, safe, owner->label, owner->label, safe);
	if (t->request->gate != BA_GATE_OFF)
		return NULL;
	if (working_tree_has(t, path))
		return ba_xprintf(
			"%s has no '%s', but the working tree has: --overlay %s takes it from there for every variant; so does, in " BA_CONFIG_FILE
			", \"overlay\": {\"from\": \"worktree\", \"paths\": [\"%s\"]}",
			label, safe, safe, safe);
	return owner ? ba_xprintf(
			       "%s has no '%s', but %s has: add \"overlay\": {\"from\": \"%s\", \"paths\": [\"%s\"]} to " BA_CONFIG_FILE
			       " to take it from there",
			       label, safe, owner->label,
			       owner == &t->variants[0] ? "baseline" : "candidate", safe)
		     : NULL;
}

static void look_for(ba_variants *t, const ba_suite_config *suite, const char *path)
{
	ba_missing_list *l = &t->missing;
	for (size_t v = 0; v < t->count; v++) {
		char *sentence =
			has(t, v, path) || ba_missing_find(l, v, suite) ? NULL : remedy(t, v, path);
		if (sentence)
			*BA_APPEND(l->items, l->count) = (ba_missing){v, suite, sentence};
	}
}

void ba_variants_compare_sources(ba_variants *t, const ba_suite_list *suites)
{
	const ba_build_config *build = &t->config.build;
	if (BA_ANY(t->variants, t->count, v, v->kind == BA_VARIANT_PATH))
		return;
	for (size_t i = 0; i < build->command_count; i++)
		for (size_t k = 0; k < build->commands[i].count; k++) {
			const char *path = path_of(build->commands[i].items[k]);
			if (path)
				look_for(t, NULL, path);
		}
	for (size_t i = 0; i < suites->count; i++) {
		const ba_suite_config *suite = suites->items[i];
		BA_AUTO(ba_strv) ba_strv seen = {0};
		for (size_t k = 0; k < suite->command.count; k++) {
			const char *path = path_of(suite->command.items[k]);
			if (!path || ba_strv_has(&seen, path))
				continue;
			ba_strv_push(&seen, path);
			compare_path(t, suite, path);
			look_for(t, suite, path);
		}
	}
}
