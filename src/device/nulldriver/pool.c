/* Memory pools. A pool of host or managed memory provides real memory, because the host
 * may write there. */
#include <pthread.h>

#include "nulldriver/parts.h"

enum { ON_DEVICE = 1, MANAGED = 2 };
enum { ATTRIBUTES = 16, FIRST_WIDE = 4 };

/* CUmemLocation, the beginning of CUmemPoolProps */
typedef struct location {
	int type, id;
} location;
typedef struct pool_props {
	int allocation_type, handle_types;
	location location;
} pool_props;

typedef struct pool {
	bool is_shared, is_managed;
	uint64_t attributes[ATTRIBUTES];
} pool;

static object *pool_new(int allocation_type, int location_type)
{
	pool *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->is_managed = allocation_type == MANAGED;
	p->is_shared = p->is_managed || location_type != ON_DEVICE;
	for (int i = 1; i < FIRST_WIDE; i++)
		p->attributes[i] = 1; /* reuse of memory is enabled */
	object *o = object_new(OBJECT_POOL, NULL, NULL);
	o->memory = p;
	return o;
}

/* One current pool for each kind of memory: device, host, managed. */
static cu_result current_pool(void **out, int allocation_type, int location_type)
{
	static object *pools[3];
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	object **mine = &pools[allocation_type == MANAGED ? 2 : location_type != ON_DEVICE ? 1 : 0];
	pthread_mutex_lock(&lock);
	if (!*mine)
		*mine = pool_new(allocation_type, location_type);
	*out = *mine;
	pthread_mutex_unlock(&lock);
	return *out ? 0 : BA_CU_OUT_OF_MEMORY;
}

API_RETURN(cuDeviceGetDefaultMemPool,
	device ? BA_CU_INVALID_DEVICE : current_pool(out, 1, ON_DEVICE), void **out,
	cu_device device)
API_ALIAS(cuDeviceGetDefaultMemPool, cuDeviceGetMemPool)

API_RETURN(cuMemGetMemPool, current_pool(out, allocation_type, where->type), void **out,
	const location *where, int allocation_type)
API_ALIAS(cuMemGetMemPool, cuMemGetDefaultMemPool)

API(cuMemPoolCreate, void **out, const pool_props *props)
{
	HOOK_ENTER(cuMemPoolCreate);
	*out = pool_new(props->allocation_type, props->location.type);
	return *out ? 0 : BA_CU_OUT_OF_MEMORY;
}

/* CUmemPool_attribute: the first three are int, the others 64 bits wide */
static uint64_t *attribute_of(void *handle, int attribute)
{
	const object *o = object_of(handle, OBJECT_POOL);
	pool *p = o ? o->memory : NULL;
	return p && attribute > 0 && attribute < ATTRIBUTES ? &p->attributes[attribute] : NULL;
}

API(cuMemPoolGetAttribute, void *handle, int attribute, void *value)
{
	HOOK_ENTER(cuMemPoolGetAttribute);
	const uint64_t *mine = attribute_of(handle, attribute);
	if (!mine)
		return BA_CU_INVALID_VALUE;
	if (attribute < FIRST_WIDE)
		memcpy(value, &(int){(int)*mine}, sizeof(int));
	else
		memcpy(value, mine, sizeof(*mine));
	return 0;
}

API(cuMemPoolSetAttribute, void *handle, int attribute, const void *value)
{
	HOOK_ENTER(cuMemPoolSetAttribute);
	uint64_t *mine = attribute_of(handle, attribute);
	int narrow;
	if (!mine)
		return BA_CU_INVALID_VALUE;
	if (attribute < FIRST_WIDE) {
		memcpy(&narrow, value, sizeof(narrow));
		*mine = narrow != 0;
	} else {
		memcpy(mine, value, sizeof(*mine));
	}
	return 0;
}

/* read and write */
API_RETURN(cuMemPoolGetAccess,
	(*flags = 3, object_of(handle, OBJECT_POOL) ? 0 : BA_CU_INVALID_HANDLE), int *flags,
	void *handle, const location *where)

API(cuMemAllocFromPoolAsync, cu_deviceptr *address, size_t bytes, void *handle, cu_stream stream)
{
	HOOK_ENTER(cuMemAllocFromPoolAsync);
	const object *o = object_of(handle, OBJECT_POOL);
	const pool *p = o ? o->memory : NULL;
	if (!p)
		return BA_CU_INVALID_HANDLE;
	return p->is_shared ? memory_alloc_shared(address, bytes, p->is_managed)
			    : memory_alloc_device(address, bytes);
}
API_ALIAS(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync_ptsz)
