/* compile(signature), after the caller found nothing in memory: looks on the disk, calls
 * generator and compiler, writes the marker and the entry. Other threads may build other
 * kernels of the dispatcher meanwhile, and it may turn launch-config sensitive. */
#include "dispatcher.h"

typedef struct job {
	lcfg_dispatcher *dispatcher;
	lcfg_node *node;
	const lcfg_config *config; /* NULL: ahead of time */
	lcfg_signature sig;
	char *name; /* the name expression for this signature */
	int arch;
	lcfg_nvrtc_id nvrtc; /* zero where it does not matter */
	bool caching;	     /* the dispatcher's, at the beginning */
	bool use_disk;	     /* digest says where */
	bool has_key;	     /* the LC key is part of digest */
	lcfg_digest digest;
} job;

static void stop_caching(lcfg_dispatcher *d, const char *reason)
{
	LCFG_HOLD(&d->lock);
	d->caching = false;
	snprintf(d->caching_off, sizeof(d->caching_off), "%.*s", (int)sizeof(d->caching_off) - 1,
		reason);
}

lcfg_counter *lcfg_counter_find(const lcfg_node *node, lcfg_signature sig)
{
	lcfg_counter *c = node->counters;
	while (c && !lcfg_types_equal(c->types, c->count, sig.types, sig.count))
		c = c->next;
	return c;
}

static lcfg_counter *counter_of(lcfg_node *node, lcfg_signature sig)
{
	size_t bytes = sig.count * sizeof(lcfg_type);
	lcfg_counter *c = lcfg_counter_find(node, sig);
	if (c)
		return c;
	c = calloc(1, sizeof(*c) + bytes);
	if (!c)
		return NULL;
	c->count = sig.count;
	if (bytes)
		memcpy(c->types, sig.types, bytes);
	c->next = node->counters;
	node->counters = c;
	return c;
}

static void count(const job *j, unsigned compiles, unsigned disk_hits, unsigned disk_misses)
{
	LCFG_HOLD(&j->dispatcher->lock);
	lcfg_counter *c = counter_of(j->node, j->sig);
	if (!c)
		return;
	c->stats.compiles += compiles;
	c->stats.disk_hits += disk_hits;
	c->stats.disk_misses += disk_misses;
}

/* Keeps the compiler's output, which may be NULL. Takes it. */
static void keep_log(const job *j, char *log)
{
	lcfg_node *node = &j->dispatcher->self;
	LCFG_HOLD(&j->dispatcher->lock);
	lcfg_counter *c = log ? counter_of(node, j->sig) : lcfg_counter_find(node, j->sig);
	free(c ? c->log : log);
	if (c)
		c->log = log;
}

static void hash_options(lcfg_sha256 *s, const lcfg_dispatcher_desc *desc)
{
	lcfg_sha256_field(s, &desc->option_count, sizeof(desc->option_count));
	for (size_t i = 0; i < desc->option_count; i++)
		lcfg_sha256_text(s, desc->options[i]);
	/* NVRTC takes more of them from here */
	lcfg_sha256_text(s, getenv("NVRTC_PREPEND_FLAGS"));
	lcfg_sha256_text(s, getenv("NVRTC_APPEND_FLAGS"));
}

/* Everything that the binary depends on. */
static lcfg_digest entry_digest(const job *j)
{
	const lcfg_dispatcher *d = j->dispatcher;
	lcfg_sha256 s;
	lcfg_sha256_init(&s);
	lcfg_sha256_text(&s, "launchcfg entry 2");
	lcfg_sha256_text(&s, LCFG_VERSION);
	lcfg_sha256_field(&s, d->source.bytes, sizeof(d->source.bytes));
	lcfg_sha256_text(&s, j->name);
	hash_options(&s, &d->desc);
	lcfg_sha256_field(&s, &j->nvrtc, sizeof(j->nvrtc));
	lcfg_sha256_field(&s, &j->arch, sizeof(j->arch));
	lcfg_sha256_field(&s, j->sig.types, j->sig.count * sizeof(lcfg_type));
	if (j->has_key) {
		lcfg_full_key key = lcfg_config_full_key(j->config);
		lcfg_sha256_field(&s, &key, sizeof(key));
	}
	return lcfg_sha256_end(&s);
}

/* Where this kernel is on disk, by what is known now. An LC-S kernel has no place without an LC
 * key, so nothing made ahead of time is looked for. */
static void locate(job *j)
{
	lcfg_dispatcher *d = j->dispatcher;
	pthread_mutex_lock(&d->lock);
	j->use_disk = d->caching && j->caching && (!d->sensitive || j->config);
	j->has_key = d->sensitive;
	pthread_mutex_unlock(&d->lock);
	if (j->use_disk)
		j->digest = entry_digest(j);
}

static void become_sensitive(job *j)
{
	lcfg_dispatcher *d = j->dispatcher;
	lcfg_full_key key = {0};
	if (j->config)
		key = lcfg_config_full_key(j->config);
	LCFG_HOLD(&d->lock);
	lcfg_dispatcher_set_sensitive(d, j->config ? &key : NULL);
}

/* Without its marker a sensitive entry would seem to fit every configuration: then no caching. */
static void write_marker(const job *j)
{
	lcfg_dispatcher *d = j->dispatcher;
	lcfg_error err = {0};
	if (j->caching && lcfg_cache_marker_write(d->cache, &d->source, &err))
		stop_caching(d, err.text);
}

/* Does it say that the image is of no use, and not that this was a bad moment? */
static bool image_is_bad(int cuda)
{
	return cuda == LCFG_CU_INVALID_IMAGE || cuda == LCFG_CU_NO_BINARY_FOR_GPU ||
	       cuda == LCFG_CU_INVALID_PTX || cuda == LCFG_CU_UNSUPPORTED_PTX_VERSION ||
	       cuda == LCFG_CU_NOT_FOUND;
}

/* From disk: 0 and *out, which is NULL where it has to be compiled. */
static int try_disk(lcfg_kernel **out, job *j, lcfg_error *err)
{
	lcfg_dispatcher *d = j->dispatcher;
	lcfg_binary binary = {0};
	lcfg_error load = {0};
	lcfg_kernel *kernel = NULL;
	int rc = 0;
	int found = lcfg_cache_load(&binary, d->cache, &j->digest);
	if (found && binary.sensitive && !j->has_key) {
		/* unsafe: made for we do not know which configuration */
		become_sensitive(j);
		write_marker(j);
		lcfg_cache_discard(d->cache, &j->digest, &binary);
		found = 0;
	}
	if (found) {
		rc = lcfg_kernel_load(&kernel, d, &binary, j->sig, &load);
		found = rc == 0;
	}
	if (rc == LCFG_EDRIVER && image_is_bad(load.cuda)) {
		/* whole, but not to this driver's taste */
		lcfg_cache_discard(d->cache, &j->digest, &binary);
		rc = 0;
	}
	lcfg_binary_dispose(&binary);
	count(j, 0, found, !found);
	if (rc && err)
		*err = load;
	if (found)
		kernel->from_disk = true;
	*out = kernel;
	return rc;
}

/* Opens the compiler; if it is not the cache's, the entry goes under the one that made it. */
static int open_compiler(const lcfg_nvrtc **out, job *j, lcfg_error *err)
{
	lcfg_dispatcher *d = j->dispatcher;
	int rc = lcfg_driver_nvrtc(out, d->driver, err);
	if (rc || !j->caching)
		return rc;
	lcfg_nvrtc_id id = (*out)->id;
	if (memcmp(&id, &j->nvrtc, sizeof(id)) != 0)
		lcfg_nvrtc_memo_write(d->cache, d->driver->nvrtc_path, *out);
	j->nvrtc = id;
	return 0;
}

static void free_text(char **text)
{
	free(*text);
}

static int run_compiler(lcfg_binary *out, job *j, lcfg_error *err)
{
	const lcfg_dispatcher_desc *desc = &j->dispatcher->desc;
	const lcfg_nvrtc *nvrtc = NULL;
	char *text __attribute__((cleanup(free_text))) = NULL;
	bool sensitive = false;
	if (desc->generate)
		LCFG_TRY(lcfg_generate(&text, &sensitive, j->dispatcher, j->config, j->sig, err));
	LCFG_TRY(open_compiler(&nvrtc, j, err));
	/* what the disk cache may keep is made of what is in the key, and nothing else */
	bool hermetic = j->caching && !desc->include_key;
	lcfg_nvrtc_job compiler = {.source = text ? text : desc->source,
		.name = j->name,
		.arch = j->arch,
		.options = desc->options,
		.option_count = desc->option_count,
		.headers = desc->headers,
		.header_count = desc->header_count,
		.hermetic = hermetic};
	int rc = lcfg_nvrtc_compile(out, nvrtc, &compiler, err);
	count(j, (unsigned)compiler.runs, 0, 0);
	keep_log(j, compiler.log);
	if (hermetic && !compiler.hermetic)
		j->caching = false;
	if (rc == 0)
		out->sensitive = sensitive || desc->sensitive;
	return rc;
}

/* Marker first, then the entry: a reader that finds the entry finds the marker. */
static void store(job *j, const lcfg_binary *binary)
{
	if (binary->sensitive) {
		become_sensitive(j);
		write_marker(j);
	}
	locate(j);
	if (j->use_disk)
		lcfg_cache_store(j->dispatcher->cache, &j->digest, binary, NULL);
}

static int prepare_disk(job *j, lcfg_error *err)
{
	lcfg_dispatcher *d = j->dispatcher;
	pthread_mutex_lock(&d->lock);
	j->caching = d->caching;
	bool sensitive = d->sensitive;
	pthread_mutex_unlock(&d->lock);
	if (!j->caching)
		return 0;
	int rc = lcfg_driver_nvrtc_id(&j->nvrtc, d->driver, d->cache, err);
	if (rc == 0 && !sensitive && lcfg_cache_marker_exists(d->cache, &d->source))
		become_sensitive(j);
	return rc;
}

static int build_source(lcfg_kernel **out, job *j, lcfg_error *err)
{
	lcfg_dispatcher *d = j->dispatcher;
	lcfg_kernel *kernel = NULL;
	LCFG_TRY(lcfg_driver_arch(&j->arch, d->driver, err));
	LCFG_TRY(prepare_disk(j, err));
	locate(j);
	int rc = j->use_disk ? try_disk(&kernel, j, err) : 0;
	if (rc == 0 && !kernel) {
		lcfg_binary binary = {0};
		lcfg_capture_note(d, j->config);
		rc = run_compiler(&binary, j, err);
		rc = rc ? rc : lcfg_kernel_load(&kernel, d, &binary, j->sig, err);
		if (rc == 0)
			store(j, &binary);
		lcfg_binary_dispose(&binary);
	}
	if (rc == 0)
		*out = kernel;
	return rc;
}

static int build_image(lcfg_kernel **out, job *j, lcfg_error *err)
{
	lcfg_dispatcher *d = j->dispatcher;
	lcfg_binary binary = {.image = (void *)d->desc.image,
		.size = d->desc.image_size,
		.entry = j->name,
		.sensitive = d->desc.sensitive};
	lcfg_capture_note(d, j->config);
	int rc = lcfg_kernel_load(out, d, &binary, j->sig, err);
	if (rc == 0)
		count(j, 1, 0, 0);
	return rc;
}

int lcfg_kernel_build(lcfg_kernel **out, lcfg_dispatcher *d, lcfg_node *node,
	const lcfg_config *config, lcfg_signature sig, lcfg_error *err)
{
	if (d->desc.sensitive && !config)
		return lcfg_fail(err, LCFG_ENOCONFIG,
			"'%s' is declared launch-config sensitive and cannot be compiled ahead of time: no launch config set for this thread",
			d->desc.name);
	char *name __attribute__((cleanup(free_text))) = NULL;
	LCFG_TRY(lcfg_name_expand(&name, d->desc.name, sig, err));
	job j = {.dispatcher = d, .node = node, .config = config, .sig = sig, .name = name};
	int rc = d->desc.image ? build_image(out, &j, err) : build_source(out, &j, err);
	if (rc == 0 && config)
		(*out)->key = lcfg_config_full_key(config);
	return rc;
}
