/* contextvar: a map from variables to values in the style of Python's contextvars. Maps
 * are immutable: setting a variable copies the map, and the token that set() leaves is
 * the map to go back to. Config and arguments are set and reset on every launch. */
#include "state.h"

typedef enum variable { VAR_CONFIG, VAR_ARGS, VAR_FRAME } variable;

typedef struct binding {
	variable variable;
	const void *value;
} binding;

typedef struct map {
	size_t count;
	binding bindings[]; /* in the order of their variables */
} map;

static _Thread_local const map *current;

static const void *get(variable v)
{
	for (size_t i = 0; current && i < current->count; i++) {
		if (current->bindings[i].variable == v)
			return current->bindings[i].value;
	}
	return NULL;
}

/* Makes `current` a copy in which v is value; *token is the map to reset to. */
static int set(const void **token, variable v, const void *value)
{
	const map *old = current;
	size_t count = old ? old->count : 0;
	map *copy = malloc(sizeof(*copy) + (count + 1) * sizeof(copy->bindings[0]));
	if (!copy)
		return -1;
	size_t at = 0;
	while (at < count && old->bindings[at].variable < v)
		at++;
	size_t behind = at;
	if (behind < count && old->bindings[behind].variable == v)
		behind++;
	if (at)
		memcpy(copy->bindings, old->bindings, at * sizeof(binding));
	copy->bindings[at] = (binding){v, value};
	if (behind < count)
		memcpy(copy->bindings + at + 1, old->bindings + behind,
			(count - behind) * sizeof(binding));
	copy->count = at + 1 + count - behind;
	*token = old;
	current = copy;
	return 0;
}

static void reset(const void *token)
{
	/* nobody else holds it: threads share no maps, and tokens go back in order */
	free((void *)(uintptr_t)current);
	current = token;
}

/* Sets both or none. */
static int set_two(lcfg_state_saved *saved, const void *config, variable v, const void *value)
{
	if (set(&saved->slot[0], VAR_CONFIG, config))
		return -1;
	if (set(&saved->slot[1], v, value)) {
		reset(saved->slot[0]);
		return -1;
	}
	return 0;
}

int lcfg_state_enter(lcfg_state_saved *saved, const lcfg_config *config, const lcfg_args *args)
{
	return set_two(saved, config, VAR_ARGS, args);
}

void lcfg_state_leave(const lcfg_state_saved *saved)
{
	reset(saved->slot[1]);
	reset(saved->slot[0]);
}

int lcfg_state_compile_enter(lcfg_state_saved *saved, lcfg_frame *frame)
{
	return set_two(saved, frame->config, VAR_FRAME, frame);
}

void lcfg_state_compile_leave(const lcfg_state_saved *saved)
{
	lcfg_state_leave(saved);
}

const lcfg_config *lcfg_state_config(void)
{
	return get(VAR_CONFIG);
}

const lcfg_args *lcfg_state_args(void)
{
	return get(VAR_ARGS);
}

lcfg_frame *lcfg_state_frame(void)
{
	return (lcfg_frame *)(uintptr_t)get(VAR_FRAME);
}

const char *lcfg_state_name(void)
{
	return "contextvar";
}
