#include "dispatcher.h"

static char *copy_text(const char *text, bool *failed)
{
	char *copy = text ? strdup(text) : NULL;
	*failed |= text && !copy;
	return copy;
}

/* The copy ends with a NUL byte, whatever the image is. */
static void *copy_bytes(const void *data, size_t size, bool *failed)
{
	char *copy = calloc(1, size + 1);
	*failed |= !copy;
	if (copy && size)
		memcpy(copy, data, size);
	return copy;
}

static void copy_desc(lcfg_dispatcher_desc *to, const lcfg_dispatcher_desc *from, bool *failed)
{
	*to = *from;
	to->name = copy_text(from->name, failed);
	to->source = copy_text(from->source, failed);
	to->revision = copy_text(from->revision, failed);
	if (from->image && !from->image_size)
		to->image_size = strlen(from->image) + 1;
	if (from->image)
		to->image = copy_bytes(from->image, to->image_size, failed);
	if (from->generate_key)
		to->generate_key = copy_bytes(from->generate_key, from->generate_key_size, failed);
	if (from->include_key)
		to->include_key = copy_bytes(from->include_key, from->include_key_size, failed);
	const char **options = calloc(from->option_count + 1, sizeof(*options));
	lcfg_header *headers = calloc(from->header_count + 1, sizeof(*headers));
	*failed |= !options || !headers;
	for (size_t i = 0; options && i < from->option_count; i++)
		options[i] = copy_text(from->options[i], failed);
	for (size_t i = 0; headers && i < from->header_count; i++) {
		headers[i].name = copy_text(from->headers[i].name, failed);
		headers[i].text = copy_text(from->headers[i].text, failed);
	}
	to->options = options;
	to->headers = headers;
	to->signature.types = copy_bytes(
		from->signature.types, from->signature.count * sizeof(lcfg_type), failed);
}

static void free_desc(lcfg_dispatcher_desc *desc)
{
	for (size_t i = 0; desc->options && i < desc->option_count; i++)
		free((void *)desc->options[i]);
	for (size_t i = 0; desc->headers && i < desc->header_count; i++) {
		free((void *)desc->headers[i].name);
		free((void *)desc->headers[i].text);
	}
	const void *const owned[] = {desc->options, desc->headers, desc->signature.types,
		desc->image, desc->generate_key, desc->include_key, desc->name, desc->source,
		desc->revision};
	for (size_t i = 0; i < sizeof(owned) / sizeof(owned[0]); i++)
		free((void *)owned[i]);
}

/* The struct grows at its end: one of version 1.0 is shorter, and what it lacks is
 * zero; one of a later version may be longer, if nothing is in what we do not know. */
static int read_desc(lcfg_dispatcher_desc *out, const lcfg_dispatcher_desc *desc, lcfg_error *err)
{
	size_t size = desc ? desc->struct_size : 0;
	size_t first = offsetof(lcfg_dispatcher_desc, generate_key);
	bool known = size >= first && size <= 4096;
	for (size_t i = sizeof(*out); known && i < size; i++)
		known = ((const char *)desc)[i] == 0;
	if (!known)
		return lcfg_fail(err, LCFG_EINVAL,
			"desc.struct_size is %zu, not %zu: set it to sizeof(lcfg_dispatcher_desc), and use a library as new as the header",
			size, sizeof(*out));
	memset(out, 0, sizeof(*out));
	memcpy(out, desc, size < sizeof(*out) ? size : sizeof(*out));
	return 0;
}

static int check_arrays(const lcfg_dispatcher_desc *desc, lcfg_error *err)
{
	bool whole = (desc->options || !desc->option_count) &&
		     (desc->headers || !desc->header_count) &&
		     (desc->signature.types || !desc->signature.count) &&
		     (desc->include_key || !desc->include_key_size) &&
		     (desc->generate_key || !desc->generate_key_size);
	for (size_t i = 0; whole && i < desc->option_count; i++)
		whole = desc->options[i] != NULL;
	for (size_t i = 0; whole && i < desc->header_count; i++)
		whole = desc->headers[i].name && desc->headers[i].text;
	if (whole)
		return 0;
	return lcfg_fail(err, LCFG_EINVAL,
		"'%s': desc counts options, headers, parameters or bytes that are NULL",
		desc->name);
}

static int check_desc(const lcfg_dispatcher_desc *desc, lcfg_error *err)
{
	if (!desc->driver)
		return lcfg_fail(
			err, LCFG_EINVAL, "desc.driver is NULL: open one with lcfg_driver_open");
	if (!desc->name || !*desc->name)
		return lcfg_fail(err, LCFG_EINVAL, "desc.name is NULL: name the kernel");
	if (!!desc->source + !!desc->image + !!desc->generate != 1)
		return lcfg_fail(err, LCFG_EINVAL,
			"'%s': set exactly one of desc.source, desc.image and desc.generate",
			desc->name);
	if (desc->signature.count > LCFG_MAX_PARAMS)
		return lcfg_fail(err, LCFG_EINVAL,
			"'%s': %zu parameters are too many; a kernel takes at most %u", desc->name,
			desc->signature.count, LCFG_MAX_PARAMS);
	return check_arrays(desc, err);
}

static void hash_bytes(lcfg_sha256 *s, const void *data, size_t size)
{
	/* none is not the same as no bytes */
	lcfg_sha256_text(s, data ? "bytes" : NULL);
	lcfg_sha256_field(s, data, size);
}

/* What the code is made from, in any configuration: an edited source is another one. */
static lcfg_digest source_digest(const lcfg_dispatcher_desc *desc)
{
	lcfg_sha256 s;
	lcfg_sha256_init(&s);
	lcfg_sha256_text(&s, "launchcfg source 2");
	lcfg_sha256_text(&s, desc->name);
	lcfg_sha256_text(&s, desc->source);
	lcfg_sha256_text(&s, desc->generate ? desc->revision : NULL);
	hash_bytes(&s, desc->generate_key, desc->generate_key_size);
	hash_bytes(&s, desc->include_key, desc->include_key_size);
	for (size_t i = 0; i < desc->header_count; i++) {
		lcfg_sha256_text(&s, desc->headers[i].name);
		lcfg_sha256_text(&s, desc->headers[i].text);
	}
	return lcfg_sha256_end(&s);
}

/* Why its kernels are not kept on disk, or NULL. What has no name cannot be told apart. */
static const char *why_not_cached(const lcfg_dispatcher_desc *desc)
{
	if (!desc->cache)
		return "";
	if (desc->image)
		return "an image is not compiled";
	if (desc->generate && !desc->revision)
		return "the generator has no revision: set desc.revision";
	if (desc->generate && desc->generate_data && !desc->generate_key)
		return "generate_data has no key: set desc.generate_key to the data that the generator reads through it";
	for (size_t i = 0; i < desc->option_count; i++) {
		if (!desc->include_key && lcfg_nvrtc_option_reads(desc->options[i]))
			return "an option makes the compiler read files: set desc.include_key to a hash of them";
	}
	const char *env[] = {getenv("NVRTC_PREPEND_FLAGS"), getenv("NVRTC_APPEND_FLAGS")};
	for (size_t i = 0; i < 2; i++) {
		if (env[i] && *env[i] && !desc->include_key)
			return "NVRTC_APPEND_FLAGS or NVRTC_PREPEND_FLAGS is set: set desc.include_key to a hash of the files they name";
	}
	return NULL;
}

static void choose_caching(lcfg_dispatcher *d, lcfg_cache *cache)
{
	const char *why_not = why_not_cached(&d->desc);
	d->caching = !why_not;
	snprintf(d->caching_off, sizeof(d->caching_off), "%s", why_not ? why_not : "");
	if (d->caching)
		d->cache = lcfg_cache_ref(cache);
}

int lcfg_dispatcher_new(lcfg_dispatcher **out, const lcfg_dispatcher_desc *given, lcfg_error *err)
{
	lcfg_dispatcher_desc own = {0};
	const lcfg_dispatcher_desc *desc = &own;
	LCFG_TRY(read_desc(&own, given, err));
	LCFG_TRY(check_desc(desc, err));
	lcfg_dispatcher *d = calloc(1, sizeof(*d));
	LCFG_NEED(d, err);
	bool failed = false;
	copy_desc(&d->desc, desc, &failed);
	atomic_init(&d->references, 1);
	pthread_mutex_init(&d->lock, NULL);
	pthread_mutex_init(&d->shared_lock, NULL);
	pthread_mutex_init(&d->generator_lock, NULL);
	pthread_cond_init(&d->built, NULL);
	d->driver = lcfg_driver_ref(desc->driver);
	d->context = lcfg_driver_context(d->driver);
	d->source = source_digest(&d->desc);
	d->sensitive = desc->sensitive;
	choose_caching(d, desc->cache);
	if (failed) {
		lcfg_dispatcher_free(d);
		return lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	}
	*out = d;
	return 0;
}

static void free_node(lcfg_node *node, const lcfg_driver *driver)
{
	while (node->kernels) {
		lcfg_kernel *next = node->kernels->next;
		lcfg_kernel_free(node->kernels, driver);
		node->kernels = next;
	}
	while (node->counters) {
		lcfg_counter *next = node->counters->next;
		free(node->counters->log);
		free(node->counters);
		node->counters = next;
	}
}

static void free_slot(lcfg_slot *slot, const lcfg_driver *driver)
{
	lcfg_table_dispose(&slot->routes);
	while (slot->callback_lists) {
		lcfg_callbacks *older = slot->callback_lists->older;
		free(slot->callback_lists);
		slot->callback_lists = older;
	}
	if (slot->child)
		free_node(slot->child, driver);
	free(slot->child);
	free(slot);
}

void lcfg_dispatcher_free(lcfg_dispatcher *d)
{
	if (!d || atomic_fetch_sub(&d->references, 1) != 1)
		return;
	while (d->slot_list) {
		lcfg_slot *next = d->slot_list->next;
		free_slot(d->slot_list, d->driver);
		d->slot_list = next;
	}
	free_node(&d->self, d->driver);
	lcfg_table_dispose(&d->slots);
	pthread_mutex_destroy(&d->lock);
	pthread_mutex_destroy(&d->shared_lock);
	pthread_mutex_destroy(&d->generator_lock);
	pthread_cond_destroy(&d->built);
	free_desc(&d->desc);
	lcfg_cache_free(d->cache);
	lcfg_driver_free(d->driver);
	free(d);
}

lcfg_signature lcfg_signature_of(const lcfg_dispatcher *d, lcfg_signature sig)
{
	return d->desc.specialised ? d->desc.signature : sig;
}

int lcfg_signature_check(const lcfg_dispatcher *d, lcfg_signature sig, lcfg_error *err)
{
	if (sig.count > LCFG_MAX_PARAMS || (sig.count && !sig.types))
		return lcfg_fail(err, LCFG_EINVAL, "'%s': a signature of %zu parameters%s",
			d->desc.name, sig.count,
			sig.types ? " is too long" : " without their types");
	const lcfg_signature *own = &d->desc.signature;
	if (!d->desc.specialised || lcfg_types_equal(own->types, own->count, sig.types, sig.count))
		return 0;
	char wanted[256];
	char given[256];
	lcfg_signature_name(wanted, sizeof(wanted), *own);
	lcfg_signature_name(given, sizeof(given), sig);
	return lcfg_fail(err, LCFG_ESIGNATURE, "'%s' is specialised for %s, not for %s",
		d->desc.name, wanted, given);
}
