/* Command lines of a search, for its child runs and for users. */

#include "bisect/internal.h"

/* The commit, or the tree with that version. */
static char *variant_of(const ba_bisect *b, size_t k, int digits)
{
	const char *id = b->commits[k].id;
	return b->tree ? ba_xprintf("%.*s+env:%s", digits, b->tree, id)
		       : ba_xprintf("%.*s", digits, id);
}

static void push_variants(ba_strv *argv, const ba_bisect *b, const size_t *commits, size_t count)
{
	ba_strv_push(argv, "--");
	for (size_t i = 0; i < count; i++) {
		BA_AUTO_FREE char *variant = variant_of(b, commits[i], 64);
		const char *name = b->commits[commits[i]].name, *equals = strrchr(name, '=');
		/* labels that users see in build logs */
		const char *label = commits[i] == 0			? "good"
				    : commits[i] + 1 == b->commit_count ? "bad"
				    : equals				? equals + 1
									: name;
		ba_strv_printf(argv, "%s=%s", label, variant);
	}
}

void ba_bisect_argv(ba_strv *argv, const ba_bisect *b, const ba_strv *first, const ba_strv *more,
	const char *output, const size_t *commits, size_t count)
{
	BA_STRV_PUSH(argv, b->request.exe, "--child-of");
	ba_strv_printf(argv, "%ld", (long)getpid());
	if (first)
		ba_strv_copy(argv, first);
	ba_strv_copy(argv, &b->options);
	if (more)
		ba_strv_copy(argv, more);
	BA_STRV_PUSH(argv, "--quiet", "--progress=never", "--no-history");
	if (output)
		BA_STRV_PUSH(argv, "--output", output);
	push_variants(argv, b, commits, count);
}

void ba_bisect_step_options(
	ba_strv *more, const ba_bisect *b, ba_bisect_phase_name phase, size_t invocations)
{
	BA_AUTO_FREE char *glob = ba_text_glob_of(b->benchmark);
	BA_AUTO_FREE char *fixed = ba_xprintf("%zu", invocations);
	const char *metric =
		phase == BA_BISECT_COUNTS ? "instructions" : ba_metric_get(b->metric)->name;
	BA_STRV_PUSH(more, "--filter", glob, "--fixed", fixed);
	for (size_t i = 1; b->kind == BA_SUITE_WORKER && b->benchmark[i]; i++) {
		if (!strchr(BA_BISECT_PARTS, b->benchmark[i]))
			continue;
		BA_AUTO_FREE char *file = ba_xstrndup(b->benchmark, i);
		BA_AUTO_FREE char *whole = ba_text_glob_of(file);
		BA_STRV_PUSH(more, "--filter", whole);
	}
	if (!ba_metric_decides_itself(b->metric))
		BA_STRV_PUSH(more, "--metrics", metric, "--verdict-on", metric);
}

char *ba_bisect_command(const ba_bisect *b, size_t good, size_t bad)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_strv_push(&words, "bench-against");
	ba_strv_copy(&words, &b->options);
	if (b->benchmark) {
		ba_strv_push(&words, "--filter");
		ba_strv_push_take(&words, ba_text_glob_of(b->benchmark));
	} else {
		ba_strv_copy(&words, &b->request.first_options);
	}
	ba_strv_push_take(&words, variant_of(b, good, 9));
	ba_strv_push_take(&words, variant_of(b, bad, 9));
	return ba_shell_command(&words);
}
