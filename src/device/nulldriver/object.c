#include "nulldriver/parts.h"

#include <pthread.h>

static object *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

object *object_new(object_kind kind, object *owner, const char *text)
{
	object *o = calloc(1, sizeof(*o));
	char *copy = text ? strdup(text) : NULL;
	if (!o || (text && !copy))
		abort(); /* a driver cannot work without its handles */
	o->kind = kind;
	o->owner = owner;
	o->text = copy;
	pthread_mutex_lock(&lock);
	o->next = all;
	all = o;
	pthread_mutex_unlock(&lock);
	return o;
}

/* The newest object for which the condition holds, or NULL. */
#define FIND(o, condition)                                       \
	__extension__({                                          \
		object *found_ = NULL;                           \
		pthread_mutex_lock(&lock);                       \
		for (object *o = all; o && !found_; o = o->next) \
			if (condition)                           \
				found_ = o;                      \
		pthread_mutex_unlock(&lock);                     \
		found_;                                          \
	})

object *object_of(const void *handle, object_kind kind)
{
	return FIND(o, o == handle && o->kind == kind);
}

static void release(object *o)
{
	BA_FREE(o->text, o->memory, o);
}

bool object_delete(const void *handle, object_kind kind)
{
	bool found = false;
	pthread_mutex_lock(&lock);
	/* the newest comes first; functions of a module may be anywhere */
	for (object **link = &all; *link && !(found && kind != OBJECT_MODULE);) {
		object *o = *link;
		if ((o == handle && o->kind == kind) || (handle && o->owner == handle)) {
			found |= o == handle;
			*link = o->next;
			release(o);
		} else {
			link = &o->next;
		}
	}
	pthread_mutex_unlock(&lock);
	return found;
}

object *object_find_function(const object *module, const char *name)
{
	return FIND(o, o->kind == OBJECT_FUNCTION && o->owner == module && !strcmp(o->text, name));
}

object *object_of_memory(const void *p)
{
	return FIND(o, o->kind == OBJECT_HOST_MEMORY && (uintptr_t)p >= (uintptr_t)o->memory &&
			       (uintptr_t)p - (uintptr_t)o->memory < o->bytes);
}

object *object_next(object_kind kind, const object *after)
{
	object *found = NULL;
	pthread_mutex_lock(&lock);
	/* searches from the head, because `after` may be freed */
	for (object *o = all; o && !found; o = o->next)
		if (o == after)
			after = NULL;
		else if (!after && o->kind == kind)
			found = o;
	pthread_mutex_unlock(&lock);
	return found;
}

/* LeakSanitizer runs after this; the list is all that keeps the handles reachable when
 * the library is unloaded. */
__attribute__((destructor)) static void object_free_all(void)
{
	while (all) {
		object *o = all;
		all = o->next;
		release(o);
	}
}
