/*
 * The slow path of a launch: which dispatcher (itself, or the child of the LC key),
 * which kernel, compiled if need be.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "dispatcher.h"

lcfg_kernel *lcfg_node_find(const lcfg_node *node, lcfg_signature sig)
{
	for (lcfg_kernel *k = node->kernels; k; k = k->next) {
		if (lcfg_types_equal(k->types, k->count, sig.types, sig.count))
			return k;
	}
	return NULL;
}

void lcfg_dispatcher_set_sensitive(lcfg_dispatcher *d, const lcfg_key *key)
{
	pthread_mutex_lock(&d->lock);
	bool was = d->sensitive;
	d->sensitive = true;
	if (key && !d->has_default_key) {
		d->default_key = *key;
		d->has_default_key = true;
	}
	/* other keys used this dispatcher's kernels until now; from here on they have
	 * children. A launch under way may still use a route it has read: those kernels
	 * are not sensitive, so they are right for every key. */
	for (lcfg_slot *slot = was ? NULL : d->slot_list; slot; slot = slot->next) {
		atomic_store_explicit(&slot->ready, NULL, memory_order_release);
		atomic_store_explicit(&slot->last, NULL, memory_order_release);
		lcfg_table_clear(&slot->routes);
	}
	pthread_mutex_unlock(&d->lock);
}

static int choose_node(
	lcfg_node **out, lcfg_dispatcher *d, lcfg_slot *slot, lcfg_error *err)
{
	if (d->sensitive && !d->has_default_key)
		lcfg_dispatcher_set_sensitive(d, &slot->key);
	if (!d->sensitive || lcfg_key_equal(&d->default_key, &slot->key)) {
		*out = &d->self;
		return 0;
	}
	pthread_mutex_lock(&d->lock);
	if (!slot->child) {
		slot->child = calloc(1, sizeof(*slot->child));
		d->child_count += slot->child != NULL;
	}
	*out = slot->child;
	pthread_mutex_unlock(&d->lock);
	return *out ? 0 : lcfg_fail(err, LCFG_ENOMEM, "out of memory");
}

static int publish(
	lcfg_dispatcher *d, lcfg_slot *slot, lcfg_kernel *kernel, lcfg_error *err)
{
	int rc = lcfg_kernel_allow_shared(kernel, d, slot->key.shared_bytes, err);
	if (rc)
		return rc;
	if (lcfg_table_add(&slot->routes, &kernel->item))
		return lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	atomic_store_explicit(&slot->last, kernel, memory_order_release);
	if (d->desc.specialised)
		atomic_store_explicit(
			&slot->ready, kernel->function, memory_order_release);
	return 0;
}

static int resolve_locked(lcfg_kernel **out, const lcfg_config *config,
	lcfg_signature sig, lcfg_error *err)
{
	lcfg_dispatcher *d = config->dispatcher;
	lcfg_slot *slot = config->slot;
	lcfg_kernel *kernel = lcfg_slot_find(slot, sig);
	if (kernel) {
		*out = kernel;
		return 0;
	}
	lcfg_node *node = NULL;
	int rc = choose_node(&node, d, slot, err);
	if (rc)
		return rc;
	kernel = lcfg_node_find(node, sig);
	if (!kernel)
		rc = lcfg_kernel_build(&kernel, d, node, config, sig, err);
	/* the one rule that must hold: a sensitive kernel serves its own key only */
	assert(rc || !kernel->sensitive || lcfg_key_equal(&kernel->key, &slot->key));
	if (rc == 0)
		rc = publish(d, slot, kernel, err);
	if (rc == 0)
		*out = kernel;
	return rc;
}

/* Everything that compiles goes through here. */
static int enter(lcfg_dispatcher *d, lcfg_error *err)
{
	if (lcfg_driver_context(d->driver) != d->context)
		return lcfg_fail(err, LCFG_ECONTEXT,
			"'%s' was made in another CUDA context than the one current in "
			"this thread: make that current, or make a dispatcher here",
			d->desc.name);
	if (pthread_mutex_lock(&d->compile_lock) == EDEADLK)
		return lcfg_fail(err, LCFG_EDEADLOCK,
			"'%s' is launched or compiled from inside its own generator",
			d->desc.name);
	return 0;
}

int lcfg_resolve(lcfg_kernel **out, const lcfg_config *config, lcfg_signature sig,
	lcfg_error *err)
{
	lcfg_dispatcher *d = config->dispatcher;
	int rc = lcfg_signature_check(d, sig, err);
	if (rc == 0)
		rc = enter(d, err);
	if (rc)
		return rc;
	rc = resolve_locked(out, config, sig, err);
	pthread_mutex_unlock(&d->compile_lock);
	return rc;
}

int lcfg_compile(lcfg_dispatcher *d, lcfg_signature sig, lcfg_error *err)
{
	if (!d)
		return lcfg_fail(err, LCFG_EINVAL, "lcfg_compile: dispatcher is NULL");
	sig = lcfg_signature_of(d, sig);
	int rc = lcfg_signature_check(d, sig, err);
	if (rc == 0)
		rc = enter(d, err);
	if (rc)
		return rc;
	lcfg_kernel *kernel = lcfg_node_find(&d->self, sig);
	if (kernel && kernel->sensitive)
		rc = lcfg_fail(err, LCFG_ENOCONFIG,
			"'%s' is launch-config sensitive and cannot be compiled ahead "
			"of "
			"time: no launch config set for this thread",
			d->desc.name);
	else if (!kernel)
		rc = lcfg_kernel_build(&kernel, d, &d->self, NULL, sig, err);
	pthread_mutex_unlock(&d->compile_lock);
	return rc;
}
