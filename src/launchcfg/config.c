/* Configs: a shape bound to a dispatcher and to the slot of its LC key. */
#include "dispatcher.h"

static bool slot_has_key(const lcfg_item *item, const void *wanted)
{
	return lcfg_full_key_equal(&((const lcfg_slot *)item)->key, wanted);
}

static uint64_t key_hash(const lcfg_full_key *key)
{
	uint64_t words[sizeof(*key) / sizeof(uint64_t)];
	uint64_t h = 0x9e3779b97f4a7c15u;
	__builtin_memcpy(words, key, sizeof(words));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i += 2) {
		h = (h ^ words[i]) * 0xff51afd7ed558ccdu + words[i + 1];
		h ^= h >> 32;
	}
	return h;
}

static lcfg_slot *add_slot(lcfg_dispatcher *d, const lcfg_full_key *key, uint64_t hash)
{
	lcfg_slot *slot = calloc(1, sizeof(*slot));
	if (!slot)
		return NULL;
	slot->item.hash = hash;
	slot->key = *key;
	if (lcfg_callbacks_inherit(slot, d) || lcfg_table_add(&d->slots, &slot->item)) {
		free(slot->callback_lists);
		free(slot);
		return NULL;
	}
	slot->next = d->slot_list;
	d->slot_list = slot;
	return slot;
}

static lcfg_slot *get_slot(lcfg_dispatcher *d, const lcfg_full_key *key)
{
	uint64_t hash = key_hash(key);
	lcfg_item *item = lcfg_table_find(&d->slots, hash, slot_has_key, key);
	if (item)
		return (lcfg_slot *)item;
	LCFG_HOLD(&d->lock);
	/* look again: another thread may have been faster */
	item = lcfg_table_find(&d->slots, hash, slot_has_key, key);
	return item ? (lcfg_slot *)item : add_slot(d, key, hash);
}

static inline lcfg_full_key key_of(const lcfg_shape *s)
{
	return (lcfg_full_key){
		{s->grid, s->block, s->shared_bytes}, s->flags, s->cluster, s->priority};
}

static lcfg_dim3 normal(lcfg_dim3 d)
{
	return (lcfg_dim3){d.x, d.y ? d.y : 1, d.z ? d.z : 1};
}

static int add_attrs(lcfg_config *config, lcfg_error *err)
{
	const lcfg_shape *s = &config->shape;
	lcfg_cu_attr *a = config->attrs;
	if (s->flags & LCFG_COOPERATIVE)
		*a++ = (lcfg_cu_attr){.id = LCFG_CU_ATTR_COOPERATIVE, .value.number = 1};
	if (s->cluster.x)
		*a++ = (lcfg_cu_attr){
			.id = LCFG_CU_ATTR_CLUSTER_DIMENSION, .value.cluster = s->cluster};
	if (s->flags & LCFG_PROGRAMMATIC)
		*a++ = (lcfg_cu_attr){.id = LCFG_CU_ATTR_PROGRAMMATIC, .value.number = 1};
	if (s->flags & LCFG_PRIORITY)
		*a++ = (lcfg_cu_attr){.id = LCFG_CU_ATTR_PRIORITY, .value.number = s->priority};
	config->attr_count = (unsigned)(a - config->attrs);
	if (config->attr_count && !config->dispatcher->driver->launch_ex)
		return lcfg_fail(err, LCFG_EUNSUPPORTED,
			"'%s': launch attributes need cuLaunchKernelEx, which this driver lacks: update it to CUDA 11.8 or later",
			config->dispatcher->desc.name);
	return 0;
}

static int check_shape(const lcfg_dispatcher *d, const lcfg_shape *s, lcfg_error *err)
{
	if (s->grid.x == 0 || s->block.x == 0)
		return lcfg_fail(err, LCFG_EINVAL,
			"'%s': grid.x is %u and block.x is %u; both must be at least 1",
			d->desc.name, s->grid.x, s->block.x);
	uint64_t threads = (uint64_t)s->block.x * s->block.y * s->block.z;
	/* x is below 2^32, so the first test keeps the product from wrapping round */
	if (s->block.y > 1024 || s->block.z > 1024 || threads > 1024)
		return lcfg_fail(err, LCFG_EINVAL,
			"'%s': a block of %u x %u x %u threads; the limit is 1024 in all",
			d->desc.name, s->block.x, s->block.y, s->block.z);
	unsigned known = LCFG_COOPERATIVE | LCFG_PROGRAMMATIC | LCFG_PRIORITY;
	if (s->flags & ~known)
		return lcfg_fail(err, LCFG_EINVAL, "'%s': unknown launch flags 0x%x", d->desc.name,
			s->flags & ~known);
	if (s->cluster.x &&
		(s->grid.x % s->cluster.x || s->grid.y % s->cluster.y || s->grid.z % s->cluster.z))
		return lcfg_fail(err, LCFG_EINVAL,
			"'%s': a grid of %u,%u,%u is not a whole number of clusters of %u,%u,%u",
			d->desc.name, s->grid.x, s->grid.y, s->grid.z, s->cluster.x, s->cluster.y,
			s->cluster.z);
	return 0;
}

int lcfg_config_init(
	lcfg_config *config, lcfg_dispatcher *dispatcher, const lcfg_shape *shape, lcfg_error *err)
{
	config->shape = *shape;
	config->shape.grid = normal(shape->grid);
	config->shape.block = normal(shape->block);
	/* what the launch ignores is zero: a generator can read it */
	config->shape.cluster = shape->cluster.x ? normal(shape->cluster) : (lcfg_dim3){0, 0, 0};
	if (!(shape->flags & LCFG_PRIORITY))
		config->shape.priority = 0;
	config->attr_count = 0;
	LCFG_TRY(check_shape(dispatcher, &config->shape, err));
	config->dispatcher = dispatcher;
	config->launch = dispatcher->driver->launch;
	if (shape->flags || shape->cluster.x)
		LCFG_TRY(add_attrs(config, err));
	lcfg_full_key key = key_of(&config->shape);
	config->slot = get_slot(dispatcher, &key);
	LCFG_NEED(config->slot, err);
	return 0;
}

int lcfg_configure(
	lcfg_config **out, lcfg_dispatcher *dispatcher, const lcfg_shape *shape, lcfg_error *err)
{
	if (!dispatcher || !shape)
		return lcfg_fail(err, LCFG_EINVAL, "lcfg_configure: %s is NULL",
			dispatcher ? "shape" : "dispatcher");
	lcfg_config *config = calloc(1, sizeof(*config));
	LCFG_NEED(config, err);
	int rc = lcfg_config_init(config, dispatcher, shape, err);
	if (rc) {
		free(config);
		return rc;
	}
	atomic_fetch_add(&dispatcher->references, 1);
	*out = config;
	return 0;
}

void lcfg_config_free(lcfg_config *config)
{
	if (!config)
		return;
	lcfg_dispatcher_free(config->dispatcher);
	free(config);
}

const lcfg_shape *lcfg_config_shape(const lcfg_config *config)
{
	return &config->shape;
}

lcfg_key lcfg_config_key(const lcfg_config *config)
{
	const lcfg_shape *s = &config->shape;
	return (lcfg_key){s->grid, s->block, s->shared_bytes};
}

lcfg_full_key lcfg_config_full_key(const lcfg_config *config)
{
	return key_of(&config->shape);
}

lcfg_dispatcher *lcfg_config_dispatcher(const lcfg_config *config)
{
	return config->dispatcher;
}

static int forall_block(
	int *block, lcfg_kernel *kernel, lcfg_dispatcher *d, uint32_t shared_bytes, lcfg_error *err)
{
	LCFG_TRY(lcfg_kernel_allow_shared(kernel, d, shared_bytes, err));
	if (!d->driver->occupancy)
		return lcfg_fail(err, LCFG_EUNSUPPORTED,
			"'%s': this driver has no cuOccupancyMaxPotentialBlockSize", d->desc.name);
	int grid = 0;
	lcfg_cu_result result =
		d->driver->occupancy(&grid, block, kernel->function, NULL, shared_bytes, 0);
	if (result || *block <= 0)
		return lcfg_driver_fail(err, d->driver, result, "occupancy of '%s'", d->desc.name);
	return 0;
}

int lcfg_forall(lcfg_config **out, lcfg_dispatcher *d, size_t elements, uint32_t shared_bytes,
	void *stream, lcfg_signature sig, lcfg_error *err)
{
	if (!d)
		return lcfg_fail(err, LCFG_EINVAL, "lcfg_forall: dispatcher is NULL");
	if (elements == 0)
		return lcfg_fail(err, LCFG_EINVAL, "'%s': forall over no elements", d->desc.name);
	sig = lcfg_signature_of(d, sig);
	LCFG_TRY(lcfg_compile(d, sig, err));
	int block = 0;
	pthread_mutex_lock(&d->lock);
	lcfg_kernel *kernel = lcfg_node_find(&d->self, sig);
	pthread_mutex_unlock(&d->lock);
	LCFG_TRY(forall_block(&block, kernel, d, shared_bytes, err));
	/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): the driver gave a block */
	size_t blocks = (elements - 1) / (size_t)block + 1;
	if (blocks > 0x7fffffff)
		return lcfg_fail(err, LCFG_EINVAL,
			"'%s': %zu elements need %zu blocks; a grid has at most %d", d->desc.name,
			elements, blocks, 0x7fffffff);
	lcfg_shape shape = {.grid = {(uint32_t)blocks, 1, 1},
		.block = {(uint32_t)block, 1, 1},
		.shared_bytes = shared_bytes,
		.stream = stream};
	return lcfg_configure(out, d, &shape, err);
}
