/* The names of the kernels that were launched. */
#include <pthread.h>

#include "gpu/abi.h"
#include "observer/observer.h"

__attribute__((visibility("default"))) ba_observer_kernels_fn ba_observer_kernels;

enum { KERNELS_MOST = 1024 };

typedef struct kernels {
	char *names[KERNELS_MOST];
	size_t count;
	bool unknown; /* others were launched */
} kernels;

static kernels noted, told;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

size_t ba_observer_kernels(const char *const **out)
{
	while (told.count)
		free(told.names[--told.count]);
	pthread_mutex_lock(&lock);
	told = noted;
	noted.count = 0;
	noted.unknown = false;
	pthread_mutex_unlock(&lock);
	*out = (const char *const *)told.names;
	return told.unknown ? SIZE_MAX : told.count;
}

/* A handle of a function passes for one of a kernel, and the other way round. */
static const char *name_of(uintptr_t handle)
{
	cu_result (*module_of)(void **, uintptr_t), (*ask)(const char **, uintptr_t);
	void *module;
	const char *name = NULL;
	bool function =
		ba_observer_driver(&module_of, "cuFuncGetModule") && !module_of(&module, handle);
	bool known = ba_observer_driver(&ask, function ? "cuFuncGetName" : "cuKernelGetName");
	return known && ask(&name, handle) == 0 ? name : NULL;
}

void ba_observer_launched(uintptr_t handle)
{
	const char *name = handle ? name_of(handle) : NULL;
	size_t i = 0;
	pthread_mutex_lock(&lock);
	while (name && i < noted.count && strcmp(noted.names[i], name) != 0)
		i++;
	if (name && i == noted.count && i < KERNELS_MOST && (noted.names[i] = strdup(name)))
		noted.count++;
	noted.unknown |= !name || i == noted.count;
	pthread_mutex_unlock(&lock);
}
