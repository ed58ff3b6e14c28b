/* Pre-launch callbacks: immutable lists that launches read without a lock. */
#include <stdlib.h>
#include <string.h>

#include "dispatcher.h"

static bool same(const lcfg_callbacks *a, const lcfg_callbacks *b)
{
	bool equal = a->count == b->count;
	for (size_t i = 0; equal && i < a->count; i++)
		equal = a->at[i].function == b->at[i].function &&
			a->at[i].data == b->at[i].data;
	return equal;
}

/* A launch may be reading any list ever published, so none is freed before the slot.
 * One that comes back is used again: adding and removing the same callback for ever
 * takes no more memory. Takes ownership of list. */
static void publish(lcfg_slot *slot, lcfg_callbacks *list)
{
	if (list->count == 0) {
		free(list);
		atomic_store_explicit(&slot->callbacks, NULL, memory_order_release);
		return;
	}
	lcfg_callbacks *known = slot->callback_lists;
	while (known && !same(known, list))
		known = known->older;
	if (known) {
		free(list);
		list = known;
	} else {
		list->older = slot->callback_lists;
		slot->callback_lists = list;
	}
	atomic_store_explicit(&slot->callbacks, list, memory_order_release);
}

/* A copy of old, with room for one more. */
static lcfg_callbacks *copy(const lcfg_callbacks *old)
{
	size_t count = old ? old->count : 0;
	lcfg_callbacks *list =
		calloc(1, sizeof(*list) + (count + 1) * sizeof(list->at[0]));
	if (!list)
		return NULL;
	list->count = count;
	if (count)
		memcpy(list->at, old->at, count * sizeof(list->at[0]));
	return list;
}

int lcfg_callback_add(
	const lcfg_config *config, lcfg_callback callback, void *data, lcfg_error *err)
{
	if (!config || !callback)
		return lcfg_fail(err, LCFG_EINVAL, "lcfg_callback_add: %s is NULL",
			config ? "callback" : "config");
	lcfg_slot *slot = config->slot;
	pthread_mutex_lock(&config->dispatcher->lock);
	lcfg_callbacks *list = copy(atomic_load(&slot->callbacks));
	if (list) {
		list->at[list->count].function = callback;
		list->at[list->count].data = data;
		list->count++;
		publish(slot, list);
	}
	pthread_mutex_unlock(&config->dispatcher->lock);
	return list ? 0 : lcfg_fail(err, LCFG_ENOMEM, "out of memory");
}

static int remove_from(lcfg_slot *slot, lcfg_callback callback, void *data)
{
	lcfg_callbacks *now = atomic_load(&slot->callbacks);
	size_t i = now ? now->count : 0;
	while (i > 0 &&
		(now->at[i - 1].function != callback || now->at[i - 1].data != data))
		i--;
	if (i == 0)
		return LCFG_EINVAL;
	lcfg_callbacks *list = copy(now);
	if (!list)
		return LCFG_ENOMEM;
	memmove(list->at + i - 1, list->at + i,
		(list->count - i) * sizeof(list->at[0]));
	list->count--;
	publish(slot, list);
	return 0;
}

int lcfg_callback_remove(
	const lcfg_config *config, lcfg_callback callback, void *data, lcfg_error *err)
{
	if (!config)
		return lcfg_fail(
			err, LCFG_EINVAL, "lcfg_callback_remove: config is NULL");
	pthread_mutex_lock(&config->dispatcher->lock);
	int rc = remove_from(config->slot, callback, data);
	pthread_mutex_unlock(&config->dispatcher->lock);
	if (rc)
		return lcfg_fail(err, rc,
			rc == LCFG_ENOMEM ? "out of memory"
					  : "'%s' has no such callback for this LC key",
			config->dispatcher->desc.name);
	return 0;
}
