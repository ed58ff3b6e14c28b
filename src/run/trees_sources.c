/* Do all variants run the same benchmarks? Of suites that are programs, the files and
 * folders of the tree that their command names are known to be benchmark code; where
 * those differ, a change may be the benchmark's. */
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "run/trees.h"

/* "./bench.py" is bench.py of the tree; the whole tree, and what is not in it, is none
 */
static const char *path_of(const char *argument)
{
	while (strncmp(argument, "./", 2) == 0)
		argument += 2;
	return *argument && *argument != '/' && strcmp(argument, ".") != 0 ? argument
									   : NULL;
}

/* its id in the variant's tree, "" where that has it not */
static void id_of(
	char out[65], const ba_trees *t, const ba_variant *v, const char *path)
{
	if (ba_repo_path_id(out, t->repo, v->tree_id, path, NULL))
		out[0] = '\0';
}

static void compare_path(ba_trees *t, const ba_suite_config *suite, const char *path)
{
	const ba_variant *base = &t->variants[0];
	BA_AUTO(ba_strv) ba_strv others = {0};
	char first[65], id[65];
	id_of(first, t, base, path);
	for (size_t v = 1; v < t->count; v++) {
		id_of(id, t, &t->variants[v], path);
		if (strcmp(first, id) != 0)
			ba_strv_push(&others, t->variants[v].label);
	}
	if (!others.count)
		return;
	BA_AUTO_FREE char *labels = ba_strv_join(&others, ", ");
	BA_AUTO_FREE char *safe = ba_text_safe(path);
	BA_AUTO_FREE char *note = ba_xprintf(
		"benchmark sources differ: %s, which suite '%s' runs, is not the same in %s as in %s; \"overlay\": [\"%s\"] takes one for all",
		safe, suite->name, labels, base->label, safe);
	ba_strv_push(&t->notes, note);
}

void ba_trees_compare_sources(ba_trees *t, const ba_suite_list *suites)
{
	for (size_t v = 0; v < t->count; v++)
		if (t->variants[v].kind == BA_VARIANT_PATH)
			return;
	for (size_t i = 0; i < suites->count; i++) {
		const ba_suite_config *suite = suites->items[i];
		BA_AUTO(ba_strv) ba_strv seen = {0};
		for (size_t k = 0; k < suite->command.count; k++) {
			const char *path = path_of(suite->command.items[k]);
			if (!path || ba_strv_has(&seen, path))
				continue;
			ba_strv_push(&seen, path);
			compare_path(t, suite, path);
		}
	}
}
