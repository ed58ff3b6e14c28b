/*
 * compile(signature): memory was looked at by the caller; here come
 * the disk, the generator, the compiler, the marker, and the disk again. All under the
 * dispatcher's compile_lock.
 */
#include "build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvrtc_memo.h"

typedef struct job {
	lcfg_dispatcher *dispatcher;
	lcfg_node *node;
	const lcfg_config *config; /* NULL: ahead of time */
	lcfg_signature sig;
	char *name; /* the name expression for this signature */
	int arch;
	int nvrtc[2];  /* version; zero where it does not matter */
	bool use_disk; /* digest says where */
	bool has_key;  /* the LC key is part of digest */
	lcfg_digest digest;
} job;

static void stop_caching(lcfg_dispatcher *d, const char *reason)
{
	pthread_mutex_lock(&d->lock);
	d->caching = false;
	snprintf(d->caching_off, sizeof(d->caching_off), "%.*s",
		(int)sizeof(d->caching_off) - 1, reason);
	pthread_mutex_unlock(&d->lock);
}

static lcfg_counter *counter_of(lcfg_node *node, lcfg_signature sig)
{
	for (lcfg_counter *c = node->counters; c; c = c->next) {
		if (lcfg_types_equal(c->types, c->count, sig.types, sig.count))
			return c;
	}
	size_t bytes = sig.count * sizeof(lcfg_type);
	lcfg_counter *c = calloc(1, sizeof(*c) + bytes);
	if (!c)
		return NULL;
	c->count = sig.count;
	if (bytes)
		memcpy(c->types, sig.types, bytes);
	c->next = node->counters;
	node->counters = c;
	return c;
}

void lcfg_count(
	lcfg_dispatcher *d, lcfg_node *node, lcfg_signature sig, enum lcfg_counted what)
{
	pthread_mutex_lock(&d->lock);
	lcfg_counter *c = counter_of(node, sig);
	if (c) {
		c->stats.compiles += what == LCFG_COUNT_COMPILE;
		c->stats.disk_hits += what == LCFG_COUNT_DISK_HIT;
		c->stats.disk_misses += what == LCFG_COUNT_DISK_MISS;
	}
	pthread_mutex_unlock(&d->lock);
}

/* Everything that the binary depends on. */
static lcfg_digest entry_digest(const job *j)
{
	const lcfg_dispatcher *d = j->dispatcher;
	lcfg_sha256 s;
	lcfg_sha256_init(&s);
	lcfg_sha256_text(&s, "launchcfg entry 1");
	lcfg_sha256_text(&s, LCFG_VERSION);
	lcfg_sha256_field(&s, d->source.bytes, sizeof(d->source.bytes));
	lcfg_sha256_text(&s, j->name);
	for (size_t i = 0; i < d->desc.option_count; i++)
		lcfg_sha256_text(&s, d->desc.options[i]);
	int numbers[3] = {j->nvrtc[0], j->nvrtc[1], j->arch};
	lcfg_sha256_field(&s, numbers, sizeof(numbers));
	lcfg_sha256_field(&s, j->sig.types, j->sig.count * sizeof(lcfg_type));
	if (j->has_key) {
		lcfg_key key = lcfg_config_key(j->config);
		lcfg_sha256_field(&s, &key, sizeof(key));
	}
	return lcfg_sha256_end(&s);
}

/* Where this kernel is on disk, given what is known of the dispatcher now. An LC-S
 * kernel has no place there without an LC key, so nothing made ahead of time is looked
 * for. */
static void locate(job *j)
{
	lcfg_dispatcher *d = j->dispatcher;
	j->use_disk = d->caching && (!d->sensitive || j->config);
	j->has_key = d->sensitive;
	if (j->use_disk)
		j->digest = entry_digest(j);
}

static void become_sensitive(job *j)
{
	lcfg_key key = {0};
	if (j->config)
		key = lcfg_config_key(j->config);
	lcfg_dispatcher_set_sensitive(j->dispatcher, j->config ? &key : NULL);
}

/* Without its marker a sensitive entry could be taken for one that fits every
 * configuration: no marker, no caching. */
static void write_marker(lcfg_dispatcher *d)
{
	lcfg_error err = {0};
	if (d->caching && lcfg_cache_marker_write(d->cache, &d->source, &err))
		stop_caching(d, err.text);
}

static int keep(lcfg_kernel **out, job *j, lcfg_kernel *kernel, bool from_disk)
{
	kernel->from_disk = from_disk;
	kernel->in_child = j->node != &j->dispatcher->self;
	if (j->config)
		kernel->key = lcfg_config_key(j->config);
	kernel->next = j->node->kernels;
	j->node->kernels = kernel;
	*out = kernel;
	return 0;
}

/* 1: found and kept */
static int try_disk(lcfg_kernel **out, job *j)
{
	lcfg_dispatcher *d = j->dispatcher;
	lcfg_binary binary = {0};
	lcfg_kernel *kernel = NULL;
	int found = j->use_disk && lcfg_cache_load(&binary, d->cache, &j->digest);
	if (found && binary.sensitive && !j->has_key) {
		/* unsafe: made for we do not know which configuration */
		become_sensitive(j);
		write_marker(d);
		lcfg_cache_discard(d->cache, &j->digest);
		found = 0;
	}
	if (found && lcfg_kernel_load(&kernel, d, &binary, j->sig, NULL)) {
		/* whole, but not to this driver's taste */
		lcfg_cache_discard(d->cache, &j->digest);
		found = 0;
	}
	lcfg_binary_dispose(&binary);
	if (j->use_disk)
		lcfg_count(d, j->node, j->sig,
			found ? LCFG_COUNT_DISK_HIT : LCFG_COUNT_DISK_MISS);
	if (found)
		keep(out, j, kernel, true);
	return found;
}

/* Opens the compiler; where it is not the one that the cache remembered, the entry goes
 * under the version that made it. */
static int open_compiler(const lcfg_nvrtc **out, job *j, lcfg_error *err)
{
	lcfg_dispatcher *d = j->dispatcher;
	int rc = lcfg_driver_nvrtc(out, d->driver, err);
	if (rc || !d->caching)
		return rc;
	int version[2];
	lcfg_nvrtc_version(&version[0], &version[1], *out);
	if (memcmp(version, j->nvrtc, sizeof(version)))
		lcfg_nvrtc_memo_write(d->cache, d->driver->nvrtc_path, *out);
	memcpy(j->nvrtc, version, sizeof(version));
	return 0;
}

static int run_compiler(lcfg_binary *out, job *j, lcfg_error *err)
{
	const lcfg_dispatcher_desc *desc = &j->dispatcher->desc;
	const lcfg_nvrtc *nvrtc = NULL;
	char *text = NULL;
	bool sensitive = false;
	int rc = 0;
	if (desc->generate)
		rc = lcfg_generate(
			&text, &sensitive, j->dispatcher, j->config, j->sig, err);
	if (rc == 0)
		rc = open_compiler(&nvrtc, j, err);
	if (rc) {
		free(text);
		return rc;
	}
	lcfg_nvrtc_job compiler = {.source = text ? text : desc->source,
		.name = j->name,
		.arch = j->arch,
		.options = desc->options,
		.option_count = desc->option_count,
		.headers = desc->headers,
		.header_count = desc->header_count};
	rc = lcfg_nvrtc_compile(out, nvrtc, &compiler, err);
	free(text);
	if (rc == 0)
		out->sensitive = sensitive || desc->sensitive;
	return rc;
}

/* Compiled: marker first, then the entry, so that whoever finds the entry finds the
 * marker too. */
static void store(job *j, const lcfg_binary *binary)
{
	lcfg_dispatcher *d = j->dispatcher;
	if (binary->sensitive) {
		become_sensitive(j);
		write_marker(d);
	}
	locate(j);
	if (j->use_disk)
		lcfg_cache_store(d->cache, &j->digest, binary, NULL);
}

static int build_source(lcfg_kernel **out, job *j, lcfg_error *err)
{
	lcfg_dispatcher *d = j->dispatcher;
	int rc = lcfg_driver_arch(&j->arch, d->driver, err);
	if (rc == 0 && d->caching)
		rc = lcfg_driver_nvrtc_version(
			&j->nvrtc[0], &j->nvrtc[1], d->driver, d->cache, err);
	if (rc)
		return rc;
	if (d->caching && !d->sensitive &&
		lcfg_cache_marker_exists(d->cache, &d->source))
		become_sensitive(j);
	locate(j);
	if (try_disk(out, j))
		return 0;
	lcfg_binary binary = {0};
	lcfg_kernel *kernel = NULL;
	lcfg_capture_note(d, j->config);
	lcfg_count(d, j->node, j->sig, LCFG_COUNT_COMPILE);
	rc = run_compiler(&binary, j, err);
	if (rc == 0)
		rc = lcfg_kernel_load(&kernel, d, &binary, j->sig, err);
	if (rc == 0) {
		store(j, &binary);
		keep(out, j, kernel, false);
	}
	lcfg_binary_dispose(&binary);
	return rc;
}

static int build_image(lcfg_kernel **out, job *j, lcfg_error *err)
{
	lcfg_dispatcher *d = j->dispatcher;
	lcfg_binary binary = {.image = (void *)d->desc.image,
		.size = d->desc.image_size,
		.entry = j->name,
		.sensitive = d->desc.sensitive};
	lcfg_kernel *kernel = NULL;
	lcfg_capture_note(d, j->config);
	lcfg_count(d, j->node, j->sig, LCFG_COUNT_COMPILE);
	int rc = lcfg_kernel_load(&kernel, d, &binary, j->sig, err);
	return rc ? rc : keep(out, j, kernel, false);
}

int lcfg_kernel_build(lcfg_kernel **out, lcfg_dispatcher *d, lcfg_node *node,
	const lcfg_config *config, lcfg_signature sig, lcfg_error *err)
{
	if (d->desc.sensitive && !config)
		return lcfg_fail(err, LCFG_ENOCONFIG,
			"'%s' is declared launch-config sensitive and cannot be "
			"compiled "
			"ahead of time: no launch config set for this thread",
			d->desc.name);
	job j = {.dispatcher = d, .node = node, .config = config, .sig = sig};
	int rc = lcfg_name_expand(&j.name, d->desc.name, sig, err);
	if (rc)
		return rc;
	rc = d->desc.image ? build_image(out, &j, err) : build_source(out, &j, err);
	free(j.name);
	return rc;
}
