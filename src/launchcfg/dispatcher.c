#include "dispatcher.h"

#include <stdlib.h>
#include <string.h>

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

static void copy_desc(
	lcfg_dispatcher_desc *to, const lcfg_dispatcher_desc *from, bool *failed)
{
	*to = *from;
	to->name = copy_text(from->name, failed);
	to->source = copy_text(from->source, failed);
	to->revision = copy_text(from->revision, failed);
	if (from->image && !from->image_size)
		to->image_size = strlen(from->image) + 1;
	if (from->image)
		to->image = copy_bytes(from->image, to->image_size, failed);
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
	to->signature.types = copy_bytes(from->signature.types,
		from->signature.count * sizeof(lcfg_type), failed);
}

static void free_desc(lcfg_dispatcher_desc *desc)
{
	for (size_t i = 0; desc->options && i < desc->option_count; i++)
		free((void *)desc->options[i]);
	for (size_t i = 0; desc->headers && i < desc->header_count; i++) {
		free((void *)desc->headers[i].name);
		free((void *)desc->headers[i].text);
	}
	free((void *)desc->options);
	free((void *)desc->headers);
	free((void *)desc->signature.types);
	free((void *)desc->image);
	free((void *)desc->name);
	free((void *)desc->source);
	free((void *)desc->revision);
}

static int check_desc(const lcfg_dispatcher_desc *desc, lcfg_error *err)
{
	if (!desc || desc->struct_size != sizeof(*desc))
		return lcfg_fail(err, LCFG_EINVAL,
			"desc.struct_size is %zu, not %zu: set it to "
			"sizeof(lcfg_dispatcher_desc), and use one version of the "
			"header",
			desc ? desc->struct_size : 0, sizeof(*desc));
	if (!desc->driver)
		return lcfg_fail(err, LCFG_EINVAL,
			"desc.driver is NULL: open one with lcfg_driver_open");
	if (!desc->name || !*desc->name)
		return lcfg_fail(err, LCFG_EINVAL, "desc.name: which kernel?");
	if (!!desc->source + !!desc->image + !!desc->generate != 1)
		return lcfg_fail(err, LCFG_EINVAL,
			"'%s': set exactly one of desc.source, desc.image and "
			"desc.generate",
			desc->name);
	if (desc->signature.count > LCFG_MAX_PARAMS)
		return lcfg_fail(err, LCFG_EINVAL,
			"'%s': %zu parameters are too many; a kernel takes at most %u",
			desc->name, desc->signature.count, LCFG_MAX_PARAMS);
	return 0;
}

/* What the code is made from, in any configuration: an edited source is another one. */
static lcfg_digest source_digest(const lcfg_dispatcher_desc *desc)
{
	lcfg_sha256 s;
	lcfg_sha256_init(&s);
	lcfg_sha256_text(&s, "launchcfg source 1");
	lcfg_sha256_text(&s, desc->name);
	lcfg_sha256_text(&s, desc->source);
	lcfg_sha256_text(&s, desc->generate ? desc->revision : NULL);
	for (size_t i = 0; i < desc->header_count; i++) {
		lcfg_sha256_text(&s, desc->headers[i].name);
		lcfg_sha256_text(&s, desc->headers[i].text);
	}
	return lcfg_sha256_end(&s);
}

static void init_locks(lcfg_dispatcher *d)
{
	/* a generator that waits for its own dispatcher gets an error, not a deadlock
	 */
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&d->compile_lock, &attr);
	pthread_mutexattr_destroy(&attr);
	pthread_mutex_init(&d->lock, NULL);
}

int lcfg_dispatcher_new(
	lcfg_dispatcher **out, const lcfg_dispatcher_desc *desc, lcfg_error *err)
{
	int rc = check_desc(desc, err);
	if (rc)
		return rc;
	lcfg_dispatcher *d = calloc(1, sizeof(*d));
	if (!d)
		return lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	bool failed = false;
	copy_desc(&d->desc, desc, &failed);
	atomic_init(&d->references, 1);
	init_locks(d);
	d->driver = lcfg_driver_ref(desc->driver);
	d->context = lcfg_driver_context(d->driver);
	d->source = source_digest(&d->desc);
	d->sensitive = desc->sensitive;
	/* an image is ready as it is; a generator without a revision has no name on
	 * disk */
	d->caching = desc->cache && !desc->image && (desc->source || desc->revision);
	if (d->caching)
		d->cache = lcfg_cache_ref(desc->cache);
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
	pthread_mutex_destroy(&d->compile_lock);
	pthread_mutex_destroy(&d->lock);
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
		return lcfg_fail(err, LCFG_EINVAL,
			"'%s': a signature of %zu parameters%s", d->desc.name,
			sig.count, sig.types ? " is too long" : " without their types");
	const lcfg_signature *own = &d->desc.signature;
	if (!d->desc.specialised ||
		lcfg_types_equal(own->types, own->count, sig.types, sig.count))
		return 0;
	char wanted[256];
	char given[256];
	lcfg_signature_name(wanted, sizeof(wanted), *own);
	lcfg_signature_name(given, sizeof(given), sig);
	return lcfg_fail(err, LCFG_ESIGNATURE, "'%s' is specialised for %s, not for %s",
		d->desc.name, wanted, given);
}
