/* `bench-against cache`: lists and removes built trees. */

#include "cli/cmd.h"
#include "git/workspace.h"

static struct {
	const char *cache_dir, *max_size;
	int64_t max_age_ns;
} here;
static const ba_opt rows[] = {
	OPT_GROUP("Options"),
	OPT_STRING(0, "cache-dir", &here.cache_dir, NULL),
	OPT_STRING(0, "max-size", &here.max_size, NULL),
	OPT_DURATION(0, "max-age", &here.max_age_ns, NULL),
	OPT_END,
};
const ba_own_options ba_cache_options = {"cache", rows, &here, sizeof(here), NULL};

static void format_bytes(char out[16], uint64_t bytes)
{
	static const char units[] = "BkMGT";
	double value = (double)bytes;
	size_t unit = 0;
	while (value >= 1024 && unit + 2 < sizeof(units)) {
		value /= 1024;
		unit++;
	}
	snprintf(out, 16, unit ? "%.1f %ciB" : "%.0f %c", value, units[unit]);
}

static int list_trees(ba_workspace *ws, ba_error *err)
{
	BA_AUTO(ba_workspace_list) ba_workspace_list list = {0};
	BA_TRY(ba_workspace_list_trees(&list, ws, err));
	char size[16], when[32];
	BA_EACH (const ba_workspace_entry, e, list.entries, list.count) {
		format_bytes(size, e->bytes);
		ba_time_format(when, (time_t)e->last_used);
		BA_AUTO_FREE char *about = ba_text_safe(e->about);
		printf("%s  %10s  last used %s%s%s%s\n", e->name, size, when,
			e->in_use ? "  in use" : "", *about ? "  " : "", about);
	}
	format_bytes(size, list.bytes);
	printf("%zu %s, %s\n", list.count, ba_plural(list.count, "built tree", "built trees"),
		size);
	if (list.unread)
		return ba_fail(err, BA_EIO,
			"the built tree '%s' cannot be read, so it is not listed", list.unread);
	return 0;
}

/* prune keeps newer leftovers, because somebody may still want to read them */
#define LEFTOVERS_KEPT_S (24 * 3600)

static int prune(ba_workspace *ws, bool all, ba_error *err)
{
	ba_prune policy = {.now = (int64_t)time(NULL),
		.max_age = here.max_age_ns ? here.max_age_ns / BA_SECOND : -1,
		.max_bytes = all ? 0 : UINT64_MAX};
	if (here.max_size) {
		BA_TRY(ba_parse_bytes(&policy.max_bytes, here.max_size, "--max-size", err));
	} else if (!all && !here.max_age_ns) {
		return ba_fail(err, BA_EINVAL,
			"prune needs --max-size or --max-age; 'cache clear' removes all");
	}
	ba_pruned pruned = {0};
	BA_TRY(ba_workspace_prune(&pruned, ws, &policy, err));
	char size[16];
	format_bytes(size, pruned.bytes);
	printf("removed %zu %s, %s", pruned.trees,
		ba_plural(pruned.trees, "built tree", "built trees"), size);
	if (pruned.in_use)
		printf("; %zu in use stay", pruned.in_use);
	putchar('\n');
	return 0;
}

static int act(const char *action, const ba_context *c, ba_error *err)
{
	if (strcmp(action, "path") == 0) {
		puts(c->cache_root);
		return 0;
	}
	BA_AUTO_PTR(ba_workspace) ba_workspace *ws = NULL;
	BA_TRY(ba_workspace_open(&ws, c->cache_root, &c->log, err));
	BA_TRY(ba_workspace_sweep(ws, err));
	if (strcmp(action, "list") == 0)
		return list_trees(ws, err);
	bool all = strcmp(action, "clear") == 0;
	if (!all && strcmp(action, "prune") != 0)
		return ba_fail(err, BA_EINVAL,
			"cache: no action '%s'; the actions are list, prune, clear, path", action);
	BA_TRY(prune(ws, all, err));
	ba_leftovers_remove(c->cache_root, time(NULL) - (all ? 0 : LEFTOVERS_KEPT_S));
	return 0;
}

int ba_cmd_cache(ba_call *call, ba_error *err)
{
	const ba_strv *operands = &call->operands;
	BA_AUTO(ba_context) ba_context c = {0};
	call->o.cache_dir = here.cache_dir;
	BA_TRY(ba_context_init(&c, &call->o, err));
	return act(operands->count ? operands->items[0] : "list", &c, err);
}
