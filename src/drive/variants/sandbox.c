#include "variants/variants.h"

BA_OWNS(ba_variants_sandbox, s,
	BA_DISPOSE(ba_strv, &s->readable, &s->writable, &s->hidden, &s->env))

static void put_places(ba_strv *out, const ba_strv *places, const ba_job_services *services)
{
	const char *home = ba_job_variable(services, "HOME");
	for (size_t i = 0; i < places->count; i++) {
		const char *place = places->items[i];
		if (*place == '/')
			ba_strv_push(out, place);
		else if (home && *home == '/') /* "~/" */
			ba_strv_printf(out, "%s%s", home, place + 1);
	}
}

/* The Python module, which may be a link in a build tree, and the tool's libraries. */
static void put_own_files(ba_strv *out, const ba_job_parts *parts)
{
	BA_AUTO_FREE char *start = parts->python_start ? ba_path_dir(parts->python_start) : NULL;
	BA_AUTO_FREE char *libraries = parts->loads ? ba_path_dir(parts->loads) : NULL;
	const char *const own[] = {parts->python, start, libraries};
	for (size_t i = 0; i < BA_COUNT(own); i++)
		if (own[i])
			ba_strv_push(out, own[i]);
}

int ba_variants_sandbox_make(ba_variants_sandbox *s, const ba_sandbox_config *config,
	const ba_job_services *services, bool untrusted, ba_error *err)
{
	if (untrusted && config->writable.count)
		return ba_fail(err, BA_ECONFIG,
			"--untrusted: what one variant writes to '%s', the 'writable' of the configuration's 'sandbox', another one would find; move it to 'readable'",
			config->writable.items[0]);
	int rc = config->on ? ba_sandbox_available(err) : 0;
	if (rc || !config->on)
		return rc;
	put_places(&s->readable, &config->readable, services);
	put_own_files(&s->readable, services->parts);
	put_places(&s->writable, &config->writable, services);
	ba_strv_copy(&s->env, &config->env);
	ba_strv_push(&s->hidden, services->cache_root);
	s->all = (ba_sandbox){.readable = (const char *const *)s->readable.items,
		.writable = (const char *const *)s->writable.items,
		.hidden = (const char *const *)s->hidden.items,
		.env = (const char *const *)s->env.items,
		.network = config->network};
	s->on = true;
	return 0;
}

const ba_sandbox *ba_variants_sandbox_of(const ba_variants_sandbox *s)
{
	return s->on ? &s->all : NULL;
}
