/* The hot path: from a config and arguments to the driver call. */
#include "dispatcher.h"
#include "state.h"

#define unlikely(x) __builtin_expect(!!(x), 0)

static int run_callbacks(const lcfg_callbacks *list, const lcfg_config *config,
	const lcfg_args *args, lcfg_error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		if (err)
			err->code = 0;
		int rc = list->at[i].function(config, args, list->at[i].data, err);
		if (rc == 0)
			continue;
		if (err && err->code != rc)
			lcfg_fail(err, rc, "launch of '%s': pre-launch callback %zu returned %d",
				config->dispatcher->desc.name, i, rc);
		return rc;
	}
	return 0;
}

static __attribute__((cold)) int launch_fail(
	const lcfg_config *config, lcfg_cu_result result, lcfg_error *err)
{
	const lcfg_shape *s = &config->shape;
	return lcfg_driver_fail(err, config->dispatcher->driver, result,
		"launch of '%s' with grid %u,%u,%u, block %u,%u,%u and %u bytes of dynamic shared memory",
		config->dispatcher->desc.name, s->grid.x, s->grid.y, s->grid.z, s->block.x,
		s->block.y, s->block.z, s->shared_bytes);
}

static __attribute__((noinline)) lcfg_cu_result submit_extended(
	const lcfg_config *config, lcfg_cu_function function, void **args)
{
	const lcfg_driver *driver = config->dispatcher->driver;
	const lcfg_shape *s = &config->shape;
	lcfg_cu_launch launch = {.grid = s->grid,
		.block = s->block,
		.shared_bytes = s->shared_bytes,
		.stream = s->stream,
		.attrs = (lcfg_cu_attr *)config->attrs,
		.attr_count = config->attr_count};
	/* more than eight blocks in a cluster must be asked for; such launches take long */
	if ((uint64_t)s->cluster.x * s->cluster.y * s->cluster.z > 8 && driver->function_set) {
		lcfg_cu_result result =
			driver->function_set(function, LCFG_CU_FUNC_NON_PORTABLE_CLUSTER, 1);
		if (result)
			return result;
	}
	return driver->launch_ex(&launch, function, args, NULL);
}

static inline int submit(
	const lcfg_config *config, lcfg_cu_function function, void **args, lcfg_error *err)
{
	const lcfg_shape *s = &config->shape;
	lcfg_cu_result result =
		unlikely(config->attr_count)
			? submit_extended(config, function, args)
			: config->launch(function, s->grid.x, s->grid.y, s->grid.z, s->block.x,
				  s->block.y, s->block.z, s->shared_bytes, s->stream, args, NULL);
	return unlikely(result) ? launch_fail(config, result, err) : 0;
}

static __attribute__((cold)) int resolve_function(
	lcfg_cu_function *out, const lcfg_config *config, lcfg_signature sig, lcfg_error *err)
{
	lcfg_kernel *kernel = NULL;
	int rc = lcfg_resolve(&kernel, config, sig, err);
	if (rc == 0)
		*out = kernel->function;
	return rc;
}

static inline void leave(const lcfg_state_saved **saved)
{
	lcfg_state_leave(*saved);
}

/* function NULL: not compiled yet */
static inline int launch(const lcfg_config *config, lcfg_cu_function function, lcfg_signature sig,
	void **args, lcfg_error *err)
{
	const lcfg_args current = {args, sig.types, sig.count};
	lcfg_state_saved saved;
	if (unlikely(lcfg_state_enter(&saved, config, &current)))
		return lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	/* also when a generator or a callback throws */
	const lcfg_state_saved *inside __attribute__((cleanup(leave), unused)) = &saved;
	int rc = 0;
	if (unlikely(!function))
		rc = resolve_function(&function, config, sig, err);
	const lcfg_callbacks *callbacks =
		atomic_load_explicit(&config->slot->callbacks, memory_order_acquire);
	if (callbacks && rc == 0)
		rc = run_callbacks(callbacks, config, &current, err);
	rc = rc ? rc : submit(config, function, args, err);
	return rc;
}

/* A program that did not look at what lcfg_configure returned. */
static __attribute__((cold, noinline)) int null_config(const char *call, lcfg_error *err)
{
	return lcfg_fail(
		err, LCFG_EINVAL, "%s: config is NULL; lcfg_configure says why it made none", call);
}

int lcfg_launch(const lcfg_config *config, void **args, lcfg_error *err)
{
	if (unlikely(!config))
		return null_config("lcfg_launch", err);
	const lcfg_dispatcher *d = config->dispatcher;
	if (unlikely(!d->desc.specialised))
		return lcfg_fail(err, LCFG_ESIGNATURE,
			"'%s' is not specialised: launch it with lcfg_launch_typed, which takes the types of the arguments",
			d->desc.name);
	return launch(config, atomic_load_explicit(&config->slot->ready, memory_order_acquire),
		d->desc.signature, args, err);
}

static bool kernel_has_types(const lcfg_item *item, const void *wanted)
{
	const lcfg_kernel *kernel = (const lcfg_kernel *)item;
	const lcfg_signature *sig = wanted;
	return lcfg_types_equal(kernel->types, kernel->count, sig->types, sig->count);
}

lcfg_kernel *lcfg_slot_find(const lcfg_slot *slot, lcfg_signature sig)
{
	return (lcfg_kernel *)lcfg_table_find(
		&slot->routes, lcfg_hash_words(sig.types, sig.count), kernel_has_types, &sig);
}

/* The overload of the launch before is likely; any other is a look in a hash table. */
static inline lcfg_cu_function choose(lcfg_slot *slot, lcfg_signature sig)
{
	lcfg_kernel *kernel = atomic_load_explicit(&slot->last, memory_order_acquire);
	if (!kernel || !kernel_has_types(&kernel->item, &sig)) {
		kernel = lcfg_slot_find(slot, sig);
		if (!kernel)
			return NULL;
		atomic_store_explicit(&slot->last, kernel, memory_order_release);
	}
	return kernel->function;
}

int lcfg_launch_typed(const lcfg_config *config, lcfg_signature sig, void **args, lcfg_error *err)
{
	if (unlikely(!config))
		return null_config("lcfg_launch_typed", err);
	if (unlikely(!sig.types && sig.count))
		return lcfg_signature_check(config->dispatcher, sig, err);
	return launch(config, choose(config->slot, sig), sig, args, err);
}

int lcfg_launch_shape(lcfg_dispatcher *dispatcher, const lcfg_shape *shape, lcfg_signature sig,
	void **args, lcfg_error *err)
{
	lcfg_config config;
	if (unlikely(!dispatcher || !shape))
		return lcfg_fail(err, LCFG_EINVAL, "lcfg_launch_shape: %s is NULL",
			dispatcher ? "shape" : "dispatcher");
	LCFG_TRY(lcfg_config_init(&config, dispatcher, shape, err));
	return lcfg_launch_typed(&config, sig, args, err);
}

int lcfg_prepare(const lcfg_config *config, lcfg_signature sig, lcfg_error *err)
{
	if (!config)
		return null_config("lcfg_prepare", err);
	sig = lcfg_signature_of(config->dispatcher, sig);
	lcfg_kernel *kernel = NULL;
	if (sig.count && !sig.types)
		return lcfg_signature_check(config->dispatcher, sig, err);
	return choose(config->slot, sig) ? 0 : lcfg_resolve(&kernel, config, sig, err);
}
