/* Questions about dispatchers, for people and for tests. */

#include "dispatcher.h"

int lcfg_kernel_get(lcfg_kernel_info *out, const lcfg_config *config, lcfg_signature sig)
{
	if (!config)
		return 0;
	sig = lcfg_signature_of(config->dispatcher, sig);
	if (sig.count && !sig.types)
		return 0;
	const lcfg_kernel *k = lcfg_slot_find(config->slot, sig);
	if (!k)
		return 0;
	*out = (lcfg_kernel_info){.launch_config_sensitive = k->sensitive,
		.key = k->key.key,
		.function = k->function,
		.from_disk = k->from_disk,
		.in_child = k->in_child};
	return 1;
}

int lcfg_dispatcher_is_sensitive(lcfg_dispatcher *d)
{
	LCFG_HOLD(&d->lock);
	return d->sensitive;
}

int lcfg_dispatcher_default_key(lcfg_key *out, lcfg_dispatcher *d)
{
	LCFG_HOLD(&d->lock);
	if (d->has_default_key)
		*out = d->default_key.key;
	return d->has_default_key;
}

size_t lcfg_dispatcher_child_count(lcfg_dispatcher *d)
{
	LCFG_HOLD(&d->lock);
	return d->child_count;
}

int lcfg_dispatcher_is_caching(lcfg_dispatcher *d, char *reason, size_t size)
{
	LCFG_HOLD(&d->lock);
	if (reason && size)
		snprintf(reason, size, "%s", d->caching_off);
	return d->caching;
}

static void add_node(lcfg_stats *sum, const lcfg_node *node, const lcfg_signature *sig)
{
	for (const lcfg_counter *c = node->counters; c; c = c->next) {
		if (sig && !lcfg_types_equal(c->types, c->count, sig->types, sig->count))
			continue;
		sum->compiles += c->stats.compiles;
		sum->disk_hits += c->stats.disk_hits;
		sum->disk_misses += c->stats.disk_misses;
	}
}

static lcfg_stats sum_up(lcfg_dispatcher *d, const lcfg_signature *sig, const lcfg_key *key)
{
	lcfg_stats sum = {0};
	LCFG_HOLD(&d->lock);
	/* what is not LC-S has no key of its own: it counts for every key */
	if (!key || !d->has_default_key || lcfg_key_equal(key, &d->default_key.key))
		add_node(&sum, &d->self, sig);
	for (const lcfg_slot *s = d->slot_list; s; s = s->next) {
		if (s->child && (!key || lcfg_key_equal(key, &s->key.key)))
			add_node(&sum, s->child, sig);
	}
	return sum;
}

void lcfg_dispatcher_stats(lcfg_stats *out, lcfg_dispatcher *d)
{
	*out = sum_up(d, NULL, NULL);
}

void lcfg_dispatcher_stats_of(
	lcfg_stats *out, lcfg_dispatcher *d, lcfg_signature sig, const lcfg_key *key)
{
	sig = lcfg_signature_of(d, sig);
	if (sig.count && !sig.types)
		*out = (lcfg_stats){0};
	else
		*out = sum_up(d, &sig, key);
}

size_t lcfg_dispatcher_log(char *out, size_t size, lcfg_dispatcher *d, lcfg_signature sig)
{
	sig = lcfg_signature_of(d, sig);
	LCFG_HOLD(&d->lock);
	const lcfg_counter *c = sig.count && !sig.types ? NULL : lcfg_counter_find(&d->self, sig);
	const char *text = c && c->log ? c->log : "";
	size_t n = strlen(text);
	if (out && size) {
		size_t fits = n < size ? n : size - 1;
		memcpy(out, text, fits);
		out[fits] = 0;
	}
	return n;
}
