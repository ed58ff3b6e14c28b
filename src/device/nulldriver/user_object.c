#include "nulldriver/parts.h"

enum { MOVE = 1 };

typedef struct user_object {
	void *data;
	void (*destroy)(void *data);
	uint64_t references;
} user_object;

/* a graph's references to a user object */
typedef struct hold {
	const object *graph;
	object *user;
	uint64_t count;
} hold;

static object *new_with(object_kind kind, const void *value, size_t bytes)
{
	void *memory = calloc(1, bytes);
	if (!memory)
		return NULL;
	memcpy(memory, value, bytes);
	object *o = object_new(kind, NULL, NULL);
	o->memory = memory;
	return o;
}

static cu_result release(object *o, uint64_t count)
{
	user_object *u = o ? o->memory : NULL;
	if (!u)
		return BA_CU_INVALID_HANDLE;
	if (count > u->references)
		return BA_CU_INVALID_VALUE;
	u->references -= count;
	if (u->references)
		return 0;
	const user_object last = *u;
	object_delete(o, OBJECT_USER);
	last.destroy(last.data);
	return 0;
}

API(cuUserObjectCreate, object **out, void *data, void (*destroy)(void *), unsigned references,
	unsigned flags)
{
	HOOK_ENTER(cuUserObjectCreate);
	const user_object u = {data, destroy, references};
	if (!destroy || !references)
		return BA_CU_INVALID_VALUE;
	*out = new_with(OBJECT_USER, &u, sizeof(u));
	return *out ? 0 : BA_CU_OUT_OF_MEMORY;
}

API(cuUserObjectRetain, void *handle, unsigned count)
{
	HOOK_ENTER(cuUserObjectRetain);
	object *o = object_of(handle, OBJECT_USER);
	if (!o)
		return BA_CU_INVALID_HANDLE;
	((user_object *)o->memory)->references += count;
	return 0;
}

API_RETURN(cuUserObjectRelease, release(object_of(handle, OBJECT_USER), count), void *handle,
	unsigned count)

/* ---- of graphs ---- */

/* user: NULL for any user object */
static object *find_hold(const object *graph, const object *user)
{
	for (object *o = NULL; (o = object_next(OBJECT_HOLD, o));) {
		const hold *h = o->memory;
		if (h->graph == graph && (!user || h->user == user))
			return o;
	}
	return NULL;
}

API(cuGraphRetainUserObject, void *graph, void *handle, unsigned count, unsigned flags)
{
	HOOK_ENTER(cuGraphRetainUserObject);
	object *g = object_of(graph, OBJECT_GRAPH), *o = object_of(handle, OBJECT_USER);
	if (!g || !o)
		return BA_CU_INVALID_HANDLE;
	object *known = find_hold(g, o);
	const hold h = {g, o, 0};
	known = known ? known : new_with(OBJECT_HOLD, &h, sizeof(h));
	if (!known)
		return BA_CU_OUT_OF_MEMORY;
	((hold *)known->memory)->count += count;
	if (!(flags & MOVE)) /* otherwise the caller's references move to the graph */
		((user_object *)o->memory)->references += count;
	return 0;
}

API(cuGraphReleaseUserObject, void *graph, void *handle, unsigned count)
{
	HOOK_ENTER(cuGraphReleaseUserObject);
	object *o = object_of(handle, OBJECT_USER), *known = find_hold(graph, o);
	if (!o || !known)
		return BA_CU_INVALID_HANDLE;
	hold *h = known->memory;
	if (count > h->count)
		return BA_CU_INVALID_VALUE;
	h->count -= count;
	if (!h->count)
		object_delete(known, OBJECT_HOLD);
	return release(o, count);
}

void user_objects_leave(const object *graph)
{
	object *o;
	while ((o = find_hold(graph, NULL))) {
		const hold h = *(hold *)o->memory;
		object_delete(o, OBJECT_HOLD);
		release(h.user, h.count);
	}
}
