/* The slow path of a launch: which dispatcher (itself, or the child of the LC key),
 * which kernel; compiles it if necessary. */

#include "dispatcher.h"

lcfg_kernel *lcfg_node_find(const lcfg_node *node, lcfg_signature sig)
{
	for (lcfg_kernel *k = node->kernels; k; k = k->next) {
		if (lcfg_types_equal(k->types, k->count, sig.types, sig.count))
			return k;
	}
	return NULL;
}

void lcfg_dispatcher_set_sensitive(lcfg_dispatcher *d, const lcfg_full_key *key)
{
	bool was = d->sensitive;
	d->sensitive = true;
	if (key && !d->has_default_key) {
		d->default_key = *key;
		d->has_default_key = true;
	}
	/* other keys used its kernels until now, and get children. Launches under way may still
	 * use a route they read: those kernels are not sensitive, so right for every key. */
	for (lcfg_slot *slot = was ? NULL : d->slot_list; slot; slot = slot->next) {
		atomic_store_explicit(&slot->ready, NULL, memory_order_release);
		atomic_store_explicit(&slot->last, NULL, memory_order_release);
		lcfg_table_clear(&slot->routes);
	}
}

/* slot NULL: ahead of time */
static int choose_node(lcfg_node **out, lcfg_dispatcher *d, lcfg_slot *slot, lcfg_error *err)
{
	*out = &d->self;
	if (!slot)
		return 0;
	if (d->sensitive && !d->has_default_key)
		lcfg_dispatcher_set_sensitive(d, &slot->key);
	if (!d->sensitive || lcfg_full_key_equal(&d->default_key, &slot->key))
		return 0;
	if (!slot->child) {
		slot->child = calloc(1, sizeof(*slot->child));
		d->child_count += slot->child != NULL;
	}
	*out = slot->child;
	return *out ? 0 : lcfg_fail(err, LCFG_ENOMEM, "out of memory");
}

/* ---- who builds what; lock is held ---- */

static bool builds_here(const lcfg_dispatcher *d)
{
	const lcfg_building *b = d->building;
	while (b && !pthread_equal(b->thread, pthread_self()))
		b = b->next;
	return b != NULL;
}

static bool in_progress(const lcfg_dispatcher *d, const lcfg_node *node, lcfg_signature sig)
{
	const lcfg_building *b = d->building;
	while (b && (b->node != node ||
			    !lcfg_types_equal(b->sig.types, b->sig.count, sig.types, sig.count)))
		b = b->next;
	return b != NULL;
}

/* Also on the way of a C++ exception through the generator. Takes lock and keeps it: the holder of
 * lock around build() gives it back. */
static void end(lcfg_building *mine)
{
	lcfg_dispatcher *d = mine->dispatcher;
	if (!d)
		return;
	pthread_mutex_lock(&d->lock);
	lcfg_building **at = &d->building;
	while (*at != mine)
		at = &(*at)->next;
	*at = mine->next;
	mine->dispatcher = NULL;
	pthread_cond_broadcast(&d->built);
}

/* ---- from a signature to a kernel ---- */

/* Meanwhile the dispatcher may have become sensitive, and the kernel's place another
 * one: the node of its own key is right in any case. lock is held. */
static int adopt(lcfg_kernel *kernel, lcfg_dispatcher *d, lcfg_slot *slot, lcfg_error *err)
{
	lcfg_node *node = NULL;
	LCFG_TRY(choose_node(&node, d, slot, err));
	kernel->in_child = node != &d->self;
	kernel->next = node->kernels;
	node->kernels = kernel;
	return 0;
}

/* Unlocks lock while it builds; lock is held again on every way out. */
static int build(lcfg_dispatcher *d, lcfg_node *node, const lcfg_config *config, lcfg_signature sig,
	lcfg_error *err)
{
	lcfg_building mine
		__attribute__((cleanup(end))) = {d->building, d, node, sig, pthread_self()};
	lcfg_kernel *kernel = NULL;
	d->building = &mine;
	pthread_mutex_unlock(&d->lock);
	int rc = lcfg_kernel_build(&kernel, d, node, config, sig, err);
	pthread_mutex_lock(&d->lock);
	if (rc == 0)
		rc = adopt(kernel, d, config ? config->slot : NULL, err);
	pthread_mutex_unlock(&d->lock);
	if (rc && kernel)
		lcfg_kernel_free(kernel, d->driver);
	return rc;
}

/* The kernel of the node in which launches of the slot look, built if there is none; waits
 * while another thread is building it. lock is held, and released in between. */
static int find_or_build(lcfg_kernel **out, lcfg_dispatcher *d, const lcfg_config *config,
	lcfg_signature sig, lcfg_error *err)
{
	lcfg_slot *slot = config ? config->slot : NULL;
	for (;;) {
		lcfg_node *node = NULL;
		LCFG_TRY(choose_node(&node, d, slot, err));
		*out = lcfg_node_find(node, sig);
		if (*out)
			return 0;
		if (builds_here(d))
			return lcfg_fail(err, LCFG_EDEADLOCK,
				"'%s' is launched or compiled from inside its own generator",
				d->desc.name);
		if (in_progress(d, node, sig)) {
			pthread_cond_wait(&d->built, &d->lock);
			continue;
		}
		LCFG_TRY(build(d, node, config, sig, err));
	}
}

/* Lets launches of the slot find the kernel without a lock. lock is held. */
static int route(lcfg_dispatcher *d, lcfg_slot *slot, lcfg_kernel *kernel, lcfg_error *err)
{
	/* the one rule that must hold: a sensitive kernel serves its own key only */
	if (kernel->sensitive && !lcfg_full_key_equal(&kernel->key, &slot->key))
		return lcfg_fail(err, LCFG_EINVAL,
			"'%s': internal error of launchcfg: the kernel was compiled for another launch config, and is not launched with this one",
			d->desc.name);
	lcfg_signature sig = {kernel->types, kernel->count};
	if (!lcfg_slot_find(slot, sig) && lcfg_table_add(&slot->routes, &kernel->item))
		return lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	atomic_store_explicit(&slot->last, kernel, memory_order_release);
	if (d->desc.specialised)
		atomic_store_explicit(&slot->ready, kernel->function, memory_order_release);
	return 0;
}

static int resolve_locked(
	lcfg_kernel **out, const lcfg_config *config, lcfg_signature sig, lcfg_error *err)
{
	lcfg_dispatcher *d = config->dispatcher;
	uint32_t shared_bytes = config->slot->key.key.shared_bytes;
	for (;;) {
		lcfg_kernel *kernel = NULL;
		LCFG_TRY(find_or_build(&kernel, d, config, sig, err));
		if (kernel->allowed_shared >= shared_bytes) {
			*out = kernel;
			return route(d, config->slot, kernel, err);
		}
		/* a driver call; afterwards the kernel may be another one */
		pthread_mutex_unlock(&d->lock);
		int rc = lcfg_kernel_allow_shared(kernel, d, shared_bytes, err);
		pthread_mutex_lock(&d->lock);
		LCFG_TRY(rc);
		if (kernel->allowed_shared < shared_bytes)
			kernel->allowed_shared = shared_bytes;
	}
}

static int check_context(const lcfg_dispatcher *d, lcfg_error *err)
{
	if (lcfg_driver_context(d->driver) == d->context)
		return 0;
	return lcfg_fail(err, LCFG_ECONTEXT,
		"'%s' was made in another CUDA context than the one current in this thread: make that current, or make a dispatcher here",
		d->desc.name);
}

int lcfg_resolve(lcfg_kernel **out, const lcfg_config *config, lcfg_signature sig, lcfg_error *err)
{
	lcfg_dispatcher *d = config->dispatcher;
	LCFG_TRY(lcfg_signature_check(d, sig, err));
	LCFG_TRY(check_context(d, err));
	LCFG_HOLD(&d->lock);
	return resolve_locked(out, config, sig, err);
}

int lcfg_compile(lcfg_dispatcher *d, lcfg_signature sig, lcfg_error *err)
{
	if (!d)
		return lcfg_fail(err, LCFG_EINVAL, "lcfg_compile: dispatcher is NULL");
	sig = lcfg_signature_of(d, sig);
	LCFG_TRY(lcfg_signature_check(d, sig, err));
	LCFG_TRY(check_context(d, err));
	lcfg_kernel *kernel = NULL;
	LCFG_HOLD(&d->lock);
	LCFG_TRY(find_or_build(&kernel, d, NULL, sig, err));
	if (!kernel->sensitive)
		return 0;
	return lcfg_fail(err, LCFG_ENOCONFIG,
		"'%s' is launch-config sensitive and cannot be compiled ahead of time: no launch config set for this thread",
		d->desc.name);
}
