/* From where the driver is called, while somebody listens. */
#include <dlfcn.h>
#include <execinfo.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "observer/observer.h"

#define EXPORT __attribute__((visibility("default")))
#define FRAMES_MOST 32

EXPORT ba_observer_listen_fn ba_observer_listen;
EXPORT ba_observer_callers_fn ba_observer_callers;

static ba_observer_caller callers[BA_OBSERVER_CALLERS_MOST];
static size_t caller_count;
static char *listens_to, *program; /* the tree and this program, with links resolved */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void ba_observer_listen(const char *tree)
{
	void *first[1];
	backtrace(first, 1); /* its first call loads a library */
	caller_count = tree ? 0 : caller_count;
	free(listens_to);
	listens_to = tree ? realpath(tree, NULL) : NULL;
	program = program ? program : realpath("/proc/self/exe", NULL);
}

size_t ba_observer_callers(const ba_observer_caller **out)
{
	*out = callers;
	return caller_count;
}

/* The innermost frame in the tree; without one, of all that are not ours. */
static const char *frame_of_caller(void)
{
	void *frames[FRAMES_MOST];
	const char *chosen = NULL;
	Dl_info info = {0}, ours = {0};
	struct link_map *map = NULL;
	char real[PATH_MAX];
	size_t size = strlen(listens_to);
	int depth = backtrace(frames, FRAMES_MOST);
	dladdr((void *)&callers, &ours);
	for (int i = 0; i < depth; i++) {
		if (!dladdr1(frames[i], &info, (void **)&map, RTLD_DL_LINKMAP) || !map ||
			info.dli_fbase == ours.dli_fbase)
			continue;
		/* the program has no name, and one of a library may be relative */
		const char *file = *map->l_name ? map->l_name : program;
		if (file && *file != '/')
			file = realpath(file, real);
		if (file && strncmp(file, listens_to, size) == 0 && file[size] == '/')
			return frames[i];
		chosen = chosen ? chosen : frames[i];
	}
	return chosen;
}

void ba_observer_note(const char *function, ba_census_what what, uint64_t amount)
{
	const char *address = listens_to ? frame_of_caller() : NULL;
	size_t i = 0;
	if (!address)
		return;
	pthread_mutex_lock(&lock);
	while (i < caller_count &&
		(callers[i].address != address || callers[i].function != function ||
			callers[i].what != what))
		i++;
	if (i == caller_count && i < BA_OBSERVER_CALLERS_MOST) {
		callers[i] = (ba_observer_caller){function, address, what, 0};
		caller_count++;
	}
	if (i < caller_count)
		callers[i].count += amount;
	pthread_mutex_unlock(&lock);
}
