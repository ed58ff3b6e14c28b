/* Makes the environments that variants name, before their trees are built in them. */

#include "packages/packages.h"
#include "variants/variants.h"

static int read_tree(ba_buf *out, void *data, const ba_variant *v, const char *path, size_t ceiling)
{
	return ba_variants_read(out, data, v, path, ceiling, NULL);
}

int ba_variants_environments(ba_variants *t, ba_error *err)
{
	BA_AUTO_FREE char *directory =
		ba_path_absolute(t->request->directory ? t->request->directory : ".");
	const ba_packages_options options = {.services = t->services,
		.workspace = t->workspace,
		.directory = directory,
		.wheels = t->sandbox.on || t->request->gate != BA_GATE_OFF,
		.only_cached = t->request->no_build,
		.read = read_tree,
		.data = t};
	if (!BA_ANY(t->variants, t->count, v, v->environment.parts.count))
		return 0;
	if (t->request->build_on)
		return ba_fail(err, BA_EUNSUPPORTED,
			"--build-on: a node does not see the environments of this host ('env:')");
	for (size_t v = 0; v < t->count; v++) {
		ba_error why;
		int rc = ba_packages_prepare(t->variants, v, &options, &why);
		if (rc == BA_EBUILD)
			t->failures[v] = ba_xprintf("variant '%s': its environment: %s",
				t->variants[v].label, why.text);
		else if (rc)
			return ba_fail(err, rc, "the environment of %s: %s", t->variants[v].label,
				why.text);
	}
	return 0;
}

/* ---- what differs ---- */

#define NAMED 30 /* most distributions in a note; the results have all */

/* Appends "torch 2.10.0 (loaded)" for each distribution that only this environment has. */
static size_t put_own(
	ba_buf *out, const ba_variant_environment *mine, const ba_variant_environment *other)
{
	size_t count = 0;
	for (size_t i = 0; i < mine->distributions.count; i++) {
		const char *one = mine->distributions.items[i];
		if (ba_strv_has(&other->distributions, one))
			continue;
		if (count++ < NAMED)
			ba_buf_printf(out, "%s%s%s", count > 1 ? ", " : "", one,
				ba_strv_has(&mine->loaded, one) ? " (loaded)" : "");
	}
	if (count > NAMED)
		ba_buf_printf(out, " and %zu more", count - NAMED);
	ba_buf_puts(out, count ? "" : "nothing else");
	return count;
}

void ba_variants_compare_environments(ba_strv *notes, const ba_variant *variants, size_t count)
{
	for (size_t v = 1; v < count; v++) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_buf_printf(&text, "environments: %s has ", variants[0].label);
		size_t own = put_own(&text, &variants[0].environment, &variants[v].environment);
		ba_buf_printf(&text, "; %s has ", variants[v].label);
		own += put_own(&text, &variants[v].environment, &variants[0].environment);
		if (own && variants[0].environment.distributions.count &&
			variants[v].environment.distributions.count)
			ba_strv_push(notes, text.data);
	}
}
