/* Pre-launch callbacks: immutable lists that launches read without a lock. */

#include "dispatcher.h"

static bool same(const lcfg_callbacks *a, const lcfg_callbacks *b)
{
	bool equal = a->count == b->count;
	for (size_t i = 0; equal && i < a->count; i++)
		equal = a->at[i].function == b->at[i].function && a->at[i].data == b->at[i].data;
	return equal;
}

/* A launch may read any list ever published: none is freed before the slot, and one that comes
 * back is used again, so memory is bounded. Takes ownership of list. */
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
	lcfg_callbacks *list = calloc(1, sizeof(*list) + (count + 1) * sizeof(list->at[0]));
	if (!list)
		return NULL;
	list->count = count;
	if (count)
		memcpy(list->at, old->at, count * sizeof(list->at[0]));
	return list;
}

/* The slots that share callbacks: those of one LC key, whatever the attributes. */
static lcfg_slot *next_like(lcfg_slot *slot, const lcfg_key *key)
{
	while (slot && !lcfg_key_equal(&slot->key.key, key))
		slot = slot->next;
	return slot;
}

int lcfg_callbacks_inherit(lcfg_slot *slot, const lcfg_dispatcher *d)
{
	const lcfg_slot *like = next_like(d->slot_list, &slot->key.key);
	const lcfg_callbacks *theirs = like ? atomic_load(&like->callbacks) : NULL;
	lcfg_callbacks *list = theirs ? copy(theirs) : NULL;
	if (list)
		publish(slot, list);
	return theirs && !list ? -1 : 0;
}

static int prepare_add(lcfg_slot *slot, lcfg_callback callback, void *data)
{
	lcfg_callbacks *list = copy(atomic_load(&slot->callbacks));
	if (!list)
		return LCFG_ENOMEM;
	list->at[list->count].function = callback;
	list->at[list->count].data = data;
	list->count++;
	slot->pending = list;
	return 0;
}

static int prepare_remove(lcfg_slot *slot, lcfg_callback callback, void *data)
{
	lcfg_callbacks *now = atomic_load(&slot->callbacks);
	size_t i = now ? now->count : 0;
	while (i > 0 && (now->at[i - 1].function != callback || now->at[i - 1].data != data))
		i--;
	if (i == 0)
		return LCFG_EINVAL;
	lcfg_callbacks *list = copy(now);
	if (!list)
		return LCFG_ENOMEM;
	memmove(list->at + i - 1, list->at + i, (list->count - i) * sizeof(list->at[0]));
	list->count--;
	slot->pending = list;
	return 0;
}

/* All slots of the key change, or none. */
static int change(const lcfg_config *config, int (*prepare)(lcfg_slot *, lcfg_callback, void *),
	lcfg_callback callback, void *data)
{
	lcfg_dispatcher *d = config->dispatcher;
	const lcfg_key *key = &config->slot->key.key;
	int rc = 0;
	LCFG_HOLD(&d->lock);
	for (lcfg_slot *s = next_like(d->slot_list, key); s && rc == 0; s = next_like(s->next, key))
		rc = prepare(s, callback, data);
	for (lcfg_slot *s = next_like(d->slot_list, key); s; s = next_like(s->next, key)) {
		if (rc)
			free(s->pending);
		else
			publish(s, s->pending);
		s->pending = NULL;
	}
	return rc;
}

int lcfg_callback_add(
	const lcfg_config *config, lcfg_callback callback, void *data, lcfg_error *err)
{
	if (!config || !callback)
		return lcfg_fail(err, LCFG_EINVAL, "lcfg_callback_add: %s is NULL",
			config ? "callback" : "config");
	return change(config, prepare_add, callback, data)
		       ? lcfg_fail(err, LCFG_ENOMEM, "out of memory")
		       : 0;
}

int lcfg_callback_remove(
	const lcfg_config *config, lcfg_callback callback, void *data, lcfg_error *err)
{
	if (!config)
		return lcfg_fail(err, LCFG_EINVAL, "lcfg_callback_remove: config is NULL");
	int rc = change(config, prepare_remove, callback, data);
	if (rc)
		return lcfg_fail(err, rc,
			rc == LCFG_ENOMEM ? "out of memory"
					  : "'%s' has no such callback for this LC key",
			config->dispatcher->desc.name);
	return 0;
}
